/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The entry points through which the OpenCL loader loads the layer, the
 * dispatch table that the loader gets, with the functions which refuse a call,
 * the configuration, counts and faults, and the checks when the process exits.
 *
 * Calls of the thread that builds programs in the background are not counted,
 * because no other thread waits for it and its calls may come at any time. They
 * fail only if all calls of the function fail. */

#include <CL/cl_layer.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layer.h"

#ifndef CL_LAYER_NAME
#define CL_LAYER_NAME 0x4241
#endif

/* Headers of the first generation lack these. */
#ifndef CL_LAYER_PROPERTIES_LIST_END
typedef cl_properties cl_layer_properties;
#define CL_LAYER_PROPERTIES_LIST_END ((cl_layer_properties) 0)
#endif

cl_icd_dispatch layer_target;
LayerConfig layer_config;
GMutex layer_mutex;

static gint violations;

static void
G_GNUC_PRINTF (2, 0)
layer_print (const char *prefix, const char *format, va_list arguments)
{
  g_autofree char *message = g_strdup_vprintf (format, arguments);

  /* One write, so that lines of several threads do not mix. */
  fprintf (stderr, "gl-sharing layer: %s: %s\n", prefix, message);
}

void
layer_misuse (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  layer_print ("wrong use of the layer", format, arguments);
  va_end (arguments);
  abort ();
}

void
layer_violation_note (const char *function, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  layer_print (function, format, arguments);
  va_end (arguments);
  g_atomic_int_inc (&violations);
}

unsigned
glopencl_layer_violations (void)
{
  return g_atomic_int_get (&violations);
}

/* Of an environment variable: @otherwise if it is not set, or empty. @word has
 * the value @of_word, and all others are numbers from @minimum to @maximum. */
static guint64
layer_config_value (const char *name, guint64 otherwise, guint64 minimum,
    guint64 maximum, const char *word, guint64 of_word)
{
  const char *value = g_getenv (name);
  guint64 number = 0;

  if (value == NULL || *value == '\0')
    return otherwise;
  if (g_strcmp0 (value, word) == 0)
    return of_word;
  if (!g_ascii_string_to_unsigned (value, 10, minimum, maximum, &number, NULL))
    layer_misuse ("%s is \"%s\"", name, value);
  return number;
}

static void
layer_config_fault (void)
{
  const char *value = g_getenv ("GLOPENCL_LAYER_FAULT");
  g_auto (GStrv) parts = g_strsplit (value != NULL ? value : "", ":", -1);
  guint64 nth;
  gint64 error;

  if (value == NULL || *value == '\0')
    return;
  if (g_strv_length (parts) != 3
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT, &nth, NULL)
      || !g_ascii_string_to_signed (parts[2], 10, G_MININT, -1, &error, NULL))
    layer_misuse ("GLOPENCL_LAYER_FAULT is \"%s\", not FUNCTION:NTH:ERROR",
        value);
  glopencl_layer_set_fault (parts[0], nth, error);
}

static void
layer_config_read (void)
{
#define FLAG(name, otherwise) \
  layer_config_value ("GLOPENCL_LAYER_" name, otherwise, 0, 1, NULL, 0)
#define NUMBER(name, maximum, word, of_word) \
  layer_config_value ("GLOPENCL_LAYER_" name, 0, 1, maximum, word, of_word)
  layer_config = (LayerConfig) {
  .abort_on_violation = FLAG ("ABORT", TRUE),.sharing =
        FLAG ("SHARING", TRUE),.break_sharing =
        FLAG ("BREAK_SHARING", FALSE),.external =
        FLAG ("EXTERNAL", FALSE),.semaphores =
        FLAG ("SEMAPHORES", FALSE),.corrupt_bytes =
        NUMBER ("CORRUPT", 16, "all", G_MAXUINT),.bgra =
        FLAG ("BGRA", FALSE),.discrete = FLAG ("DISCRETE", FALSE),.all_gpus =
        NUMBER ("TYPE", 0, "gpu", TRUE),.no_rg_images =
        FLAG ("NO_RG_IMAGES", FALSE),.rgba_shorts =
        FLAG ("RGBA_SHORTS", FALSE),.flat_groups =
        FLAG ("FLAT_GROUPS", FALSE),.local_size =
        NUMBER ("LOCAL_SIZE", G_MAXINT, NULL, 0),.max_image =
        NUMBER ("MAX_IMAGE", G_MAXINT, NULL, 0),.max_alloc =
        NUMBER ("MAX_ALLOC", G_MAXINT64, NULL, 0),};
  layer_config_fault ();
}

cl_int
layer_answer (const void *value, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  if (param_value != NULL) {
    if (param_value_size < size)
      return CL_INVALID_VALUE;
    memcpy (param_value, value, size);
  }
  if (param_value_size_ret != NULL)
    *param_value_size_ret = size;
  return CL_SUCCESS;
}

/* Counts and faults */

static const char *const function_names[] = {
#define LAYER_FUNCTION_NAME(name) [LAYER_FUNCTION (name)] = #name,
  LAYER_FAILING_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_EXTENSION_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_EXTENSION_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NAME)
#undef LAYER_FUNCTION_NAME
};

typedef struct
{
  gboolean any_function;
  LayerFunction function;
  unsigned remaining;           /* calls until it strikes, 0: not armed */
  gboolean lasting;             /* strikes at every call from then on */
  cl_int error;
  gboolean hit;
} LayerFault;

/* Both under the lock. */
static unsigned calls[LAYER_FUNCTION_COUNT];
static LayerFault fault;

static LayerFunction
layer_function_by_name (const char *name, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    if (strcmp (function_names[i], name) == 0)
      return i;
  }
  layer_misuse ("there is no function \"%s\" to count or make fail", name);
}

/* A thread of oclkernelcache.c, or of oclkernels.c. */
static gboolean
layer_is_builder (void)
{
  char name[16] = "";

  return pthread_getname_np (pthread_self (), name, sizeof (name)) == 0
      && strcmp (name, "glopencl-build") == 0;
}

cl_int
layer_call_begin (LayerFunction function)
{
  const gboolean is_builder = layer_is_builder ();

  LAYER_LOCK;

  if (!is_builder)
    calls[function]++;
  if (function >= LAYER_FAILING_FUNCTION_COUNT || fault.remaining == 0
      || !(fault.any_function || fault.function == function))
    return CL_SUCCESS;
  if (is_builder)
    return fault.lasting && fault.remaining == 1 ? fault.error : CL_SUCCESS;
  if (--fault.remaining > 0)
    return CL_SUCCESS;
  fault.hit = TRUE;
  fault.remaining = fault.lasting ? 1 : 0;
  return fault.error;
}

static void
layer_set_fault (const char *function, unsigned nth, int error,
    gboolean lasting)
{
  LayerFault next = {.remaining = nth,.lasting = lasting,.error = error };

  if (nth > 0) {
    if (function == NULL || error == CL_SUCCESS)
      layer_misuse ("a fault needs a function and an error");
    next.any_function = strcmp (function, "*") == 0;
    if (!next.any_function)
      next.function = layer_function_by_name (function,
          LAYER_FAILING_FUNCTION_COUNT);
  }

  LAYER_LOCK;
  fault = next;
}

void
glopencl_layer_set_fault (const char *function, unsigned nth, int error)
{
  layer_set_fault (function, nth, error, FALSE);
}

void
glopencl_layer_set_lasting_fault (const char *function, int error)
{
  layer_set_fault (function, 1, error, TRUE);
}

int
glopencl_layer_fault_hit (void)
{
  LAYER_LOCK;

  return fault.hit;
}

unsigned
glopencl_layer_calls (const char *function)
{
  unsigned first = 0, end = LAYER_FAILING_FUNCTION_COUNT, sum = 0;

  if (function != NULL) {
    first = layer_function_by_name (function, LAYER_FUNCTION_COUNT);
    end = first + 1;
  }
  LAYER_LOCK;
  for (unsigned i = first; i < end; i++)
    sum += calls[i];
  return sum;
}

void
glopencl_layer_reset_counts (void)
{
  LAYER_LOCK;

  memset (calls, 0, sizeof (calls));
}

const char *
glopencl_layer_function_name (unsigned index)
{
  return index < LAYER_FAILING_FUNCTION_COUNT ? function_names[index] : NULL;
}

/* The dispatch table */

#define ENTRY_COUNT(bytes) ((cl_uint) ((bytes) / sizeof (void *)))

/* Breaks the rule that nothing makes the call of that name. */
#define LAYER_REFUSE(type, name, result) \
static type CL_API_CALL \
layer_refuse_##name (void) \
{ \
  layer_violation (#name, "this call is not one the plugin makes"); \
  return result; \
}
#define LAYER_REFUSE_CALL(name) \
  LAYER_REFUSE (cl_int, name, CL_INVALID_OPERATION)
#define LAYER_REFUSE_CREATION(name) LAYER_REFUSE (void *, name, NULL)

#define LAYER_WRAPPED_ENTRY(name) .name = layer_##name,
/* The calling convention lets a function without parameters be called with
 * any. */
#define LAYER_REFUSED_ENTRY(name) \
  .name = (__typeof__ (layer_target.name)) (void (*) (void)) \
      layer_refuse_##name,

/* *INDENT-OFF* */
LAYER_REFUSED_CALLS (LAYER_REFUSE_CALL)
LAYER_REFUSED_CREATIONS (LAYER_REFUSE_CREATION)

/* The loader puts the driver's function where an entry is NULL. */
static const cl_icd_dispatch layer_dispatch = {
  LAYER_FAILING_FUNCTIONS (LAYER_WRAPPED_ENTRY)
  LAYER_LIFETIME_FUNCTIONS (LAYER_WRAPPED_ENTRY)
  LAYER_REFUSED_CALLS (LAYER_REFUSED_ENTRY)
  LAYER_REFUSED_CREATIONS (LAYER_REFUSED_ENTRY)
};
/* *INDENT-ON* */

static pid_t process;

/* Only checks the tracked objects, so that it does not matter which libraries
 * have been torn down already. */
static void
layer_check_exit (void)
{
  gboolean violated, leaked;

  /* A forked child does not own inherited objects. */
  if (process != getpid ())
    return;
  process = 0;

  violated = layer_objects_report_mapped ();
  violated = layer_images_report_owed () || violated;
  leaked = layer_objects_report_alive ();
  if (violated && layer_config.abort_on_violation)
    abort ();
  if (leaked) {
    fflush (stdout);
    _exit (GLOPENCL_LAYER_EXIT_LEAK);
  }
}

static cl_int
layer_init (cl_uint num_entries, const cl_icd_dispatch * target_dispatch,
    cl_uint * num_entries_ret, const cl_icd_dispatch ** layer_dispatch_ret)
{
  const cl_uint needed = ENTRY_COUNT (offsetof (cl_icd_dispatch,
          clCreateFromGLTexture) + sizeof (void *));
  const cl_uint count = MIN (num_entries,
      ENTRY_COUNT (sizeof (cl_icd_dispatch)));

  if (target_dispatch == NULL || num_entries_ret == NULL
      || layer_dispatch_ret == NULL || num_entries < needed || process != 0)
    return CL_INVALID_VALUE;

  layer_config_read ();
  /* The loader's table may be shorter or longer than that of the headers. */
  memcpy (&layer_target, target_dispatch, count * sizeof (void *));
  process = getpid ();
  if (atexit (layer_check_exit) != 0)
    return CL_OUT_OF_HOST_MEMORY;
  *num_entries_ret = count;
  *layer_dispatch_ret = &layer_dispatch;
  return CL_SUCCESS;
}

LAYER_EXPORT cl_int CL_API_CALL
clGetLayerInfo (cl_layer_info param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  static const char name[] = "gst-glopencl test layer";

  if (param_name == CL_LAYER_API_VERSION)
    return layer_answer (&version, sizeof (version), LAYER_INFO_ARGUMENTS);
  if (param_name == CL_LAYER_NAME)
    return layer_answer (name, sizeof (name), LAYER_INFO_ARGUMENTS);
  return CL_INVALID_VALUE;
}

/* There are two generations of entry points.  Both do the same work here. */
LAYER_EXPORT cl_int CL_API_CALL clDeinitLayer (void);
LAYER_EXPORT cl_int CL_API_CALL clInitLayerWithProperties (cl_uint num_entries,
    const cl_icd_dispatch * target_dispatch, cl_uint * num_entries_ret,
    const cl_icd_dispatch ** layer_dispatch_ret,
    const cl_layer_properties * properties);

LAYER_EXPORT cl_int CL_API_CALL
clInitLayer (cl_uint num_entries, const cl_icd_dispatch * target_dispatch,
    cl_uint * num_entries_ret, const cl_icd_dispatch ** layer_dispatch_ret)
{
  return layer_init (num_entries, target_dispatch, num_entries_ret,
      layer_dispatch_ret);
}

LAYER_EXPORT cl_int CL_API_CALL
clInitLayerWithProperties (cl_uint num_entries,
    const cl_icd_dispatch * target_dispatch, cl_uint * num_entries_ret,
    const cl_icd_dispatch ** layer_dispatch_ret,
    const cl_layer_properties * properties)
{
  if (properties != NULL && *properties != CL_LAYER_PROPERTIES_LIST_END)
    return CL_INVALID_PROPERTY;
  return layer_init (num_entries, target_dispatch, num_entries_ret,
      layer_dispatch_ret);
}

LAYER_EXPORT cl_int CL_API_CALL
clDeinitLayer (void)
{
  layer_check_exit ();
  return CL_SUCCESS;
}
