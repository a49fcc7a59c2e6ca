/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclprograms.h"

#include <string.h>
#include <time.h>

#include "oclcompiler.h"

/* The line of a source that an inserted text replaces. */
#define PLACE "\nINSERTED_TEXT\n"

struct _OclProgram
{
  OclPrograms *programs;        /* of the context (not owned) */
  gchar *key;                   /* owned */
  cl_program program;           /* owned, NULL while it is being built */
  gchar *pass;                  /* for ocl_compiler_begin_pass(), or NULL
                                 * (owned) */
  guint n_users;
};

/* A build in a thread, which may take longer than the time limit. */
typedef struct
{
  cl_program program;           /* owned */
  cl_device_id device;
  gchar *options;               /* owned */
  GMutex mutex;
  GCond changed;
  gboolean has_ended;
  cl_int status;
} Build;

static void
build_clear (gpointer data)
{
  Build *self = data;

  clReleaseProgram (self->program);
  g_free (self->options);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
}

struct _OclPrograms
{
  cl_context context;           /* not owned */
  const OclDevice *device;      /* not owned */
  OclCompiler *compiler;        /* owned */
  GMutex mutex;                 /* guards the members below */
  GCond changed;
  GHashTable *table;            /* OclProgram, not owned, by its key */
  Build *abandoned;             /* the continuing build, or NULL (owned) */
  GPtrArray *prepared;          /* of OclProgram (owned) */
};

OclPrograms *
ocl_programs_new (cl_context context, const OclDevice * device)
{
  OclPrograms *self = g_new0 (OclPrograms, 1);

  self->context = context;
  self->device = device;
  self->compiler = ocl_compiler_new (device);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->table = g_hash_table_new (g_str_hash, g_str_equal);
  self->prepared =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ocl_program_unref);
  return self;
}

void
ocl_programs_free (OclPrograms * self)
{
  ocl_programs_withdraw (self);
  g_ptr_array_unref (self->prepared);
  g_assert (g_hash_table_size (self->table) == 0);
  if (self->abandoned)
    g_atomic_rc_box_release_full (self->abandoned, build_clear);
  g_hash_table_unref (self->table);
  ocl_compiler_free (self->compiler);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

const gchar *
ocl_kernel_source_find (const gchar * name)
{
  for (const OclKernelSource * source = ocl_kernel_sources; source->name;
      source++) {
    if (g_str_equal (source->name, name))
      return source->text;
  }
  g_assert_not_reached ();
}

static gchar *
ocl_program_get_log (cl_program program, cl_device_id device)
{
  size_t size = 0;

  if (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
          &size) != CL_SUCCESS)
    return NULL;

  gchar *log = g_malloc0 (size + 1);
  if (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, size, log,
          NULL) != CL_SUCCESS)
    g_clear_pointer (&log, g_free);
  return log;
}

static guint
count_lines (const gchar * text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

/* Returns the message of a line of a log about the text, or NULL. */
static gchar *
find_by_line (const gchar * line, const gchar * name, guint first_line,
    guint n_lines)
{
  static const gchar pattern[] = "[:(](\\d+)[:,](\\d+)\\)?:\\s*(error.*)$";
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, line, 0, &match))
    return NULL;
  g_autofree gchar *number = g_match_info_fetch (match, 1);
  g_autofree gchar *column = g_match_info_fetch (match, 2);
  g_autofree gchar *message = g_match_info_fetch (match, 3);
  const guint64 found = g_ascii_strtoull (number, NULL, 10);

  if (found < first_line || found >= (guint64) first_line + n_lines)
    return NULL;
  return g_strdup_printf ("%s:%u:%s: %s", name, (guint) found - first_line + 1,
      column, message);
}

gchar *
ocl_build_log_find (const gchar * log, const gchar * name, guint first_line,
    guint n_lines)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);
  gchar *found = NULL;

  for (guint i = 0; lines[i] && !found; i++) {
    const gchar *place = strstr (lines[i], name);

    if (place && strstr (lines[i], "error"))
      found = g_strdup (place);
    else
      found = find_by_line (lines[i], name, first_line, n_lines);
  }
  if (found
      && g_regex_match_simple ("'(?:__private )?(?:const )?(?:real|integer|"
          "(?:float|int)16)'|'(?:float|int) __attribute__\\(\\(ext_vector|"
          "expression of scalar type|between vector", found, G_REGEX_RAW, 0)) {
    gchar *driver = found;

    found = g_strdup_printf ("%s. The value is of 16 pixels at once: write "
        "a < b ? x : y instead of if and while, and real instead of float and "
        "integer instead of int", driver);
    g_free (driver);
  }
  return found;
}

/* Returns the error in the inserted text, or NULL. A line directive precedes
 * the lines of the user. */
static gchar *
find_mistake (const gchar * source_name, const OclInsert * insert,
    const gchar * log)
{
  const gchar *source = ocl_kernel_source_find (source_name);
  const gchar *place = strstr (source, PLACE);
  const gchar *text = strstr (insert->text, "#line 1 ");
  const guint n_before = count_lines (insert->definitions,
      strlen (insert->definitions)) + count_lines (source, place - source) + 1
      + count_lines (insert->text, text - insert->text);

  return ocl_build_log_find (log, insert->name, n_before + 2,
      count_lines (text, strlen (text)));
}

/* Returns a message about a text with an error whose line @log does not name.
 * The message includes @hint. @log and @hint may be NULL. The caller frees the
 * text. */
static gchar *
guess_mistake (const gchar * log, const gchar * hint)
{
  g_auto (GStrv) lines = g_strsplit (log ? log : "", "\n", -1);
  const gchar *found = "";

  for (guint i = 0; lines[i] && !*found; i++) {
    if (g_regex_match_simple ("error: |cannot find|undefined|unresolved",
            lines[i], G_REGEX_RAW | G_REGEX_CASELESS, 0))
      found = lines[i];
  }
  return g_strdup_printf ("the program is only wrong with this kernel. Does it "
      "call a function that there is not, lack a brace, or use a name of the "
      "program? %s%s%s", hint ? hint : "", hint && *found ? " " : "", found);
}

static gpointer
build_run (gpointer data)
{
  Build *self = data;
  const cl_int status = clBuildProgram (self->program, 1, &self->device,
      self->options, NULL, NULL);

  g_mutex_lock (&self->mutex);
  self->status = status;
  self->has_ended = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_atomic_rc_box_release_full (self, build_clear);
  return NULL;
}

guint
ocl_program_get_limit (void)
{
  const gchar *text = g_getenv ("GLOPENCL_BUILD_SECONDS");
  guint64 seconds = 60;

  if (text)
    g_ascii_string_to_unsigned (text, 10, 1, 86400, &seconds, NULL);
  return seconds;
}

/* Fails while a build that exceeded the time limit continues, because many
 * drivers build one program at a time. */
static gboolean
ocl_programs_check_abandoned (OclPrograms * self, GError ** error)
{
  g_mutex_lock (&self->mutex);
  Build *build = self->abandoned;
  gboolean has_ended = TRUE;

  if (build) {
    g_mutex_lock (&build->mutex);
    has_ended = build->has_ended;
    g_mutex_unlock (&build->mutex);
  }
  if (build && has_ended) {
    self->abandoned = NULL;
    g_atomic_rc_box_release_full (build, build_clear);
  }
  g_mutex_unlock (&self->mutex);
  if (!has_ended)
    g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
        "The driver of %s still compiles a kernel that took longer than %u s. "
        "Until it ends, no other kernel can be built. Set this one again "
        "later, or restart the application.", self->device->name,
        ocl_program_get_limit ());
  return has_ended;
}

/* Builds @program in a thread. Returns its status, or gives up with @error. In
 * this case the thread owns @program, because releasing it would also wait for
 * the build. */
static cl_int
ocl_programs_build_for (OclPrograms * self, cl_program program,
    const gchar * options, const gchar * name, GError ** error)
{
  const guint limit = ocl_program_get_limit ();
  const gint64 end = g_get_monotonic_time () + limit * G_TIME_SPAN_SECOND;
  Build *build = g_atomic_rc_box_new0 (Build);
  gboolean has_ended;

  build->program = program;
  build->device = self->device->id;
  build->options = g_strdup (options);
  g_mutex_init (&build->mutex);
  g_cond_init (&build->changed);
  GThread *thread = g_thread_try_new ("glopencl-compile", build_run,
      g_atomic_rc_box_acquire (build), NULL);
  if (thread)
    g_thread_unref (thread);
  else
    build_run (build);
  g_mutex_lock (&build->mutex);
  while (!build->has_ended
      && g_cond_wait_until (&build->changed, &build->mutex, end));
  has_ended = build->has_ended;
  const cl_int status = build->status;
  g_mutex_unlock (&build->mutex);
  if (has_ended) {
    clRetainProgram (program);
    g_atomic_rc_box_release_full (build, build_clear);
    return status;
  }
  g_mutex_lock (&self->mutex);
  Build *former = self->abandoned;
  self->abandoned = build;
  g_mutex_unlock (&self->mutex);
  if (former)
    g_atomic_rc_box_release_full (former, build_clear);
  g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
      "The driver of %s has compiled the kernel %s for %u s without an end. "
      "Until it ends, no other kernel can be built. Make the kernel shorter; "
      "GLOPENCL_BUILD_SECONDS sets another limit.", self->device->name, name,
      limit);
  return CL_BUILD_PROGRAM_FAILURE;
}

/* Returns a source with the inserted text. The caller frees the text. */
static gchar *
ocl_program_compose (const gchar * source_name, const OclInsert * insert)
{
  const gchar *source = ocl_kernel_source_find (source_name);
  const gchar *place = insert ? strstr (source, PLACE) : NULL;

  if (!insert)
    return g_strdup (source);
  g_assert (place);
  return g_strdup_printf ("%s%.*s\n%s%s", insert->definitions,
      (int) (place - source), source, insert->text, place + strlen (PLACE));
}

/* Returns a program, which the caller owns, or NULL with @error or, if the
 * driver rejects the program, with the @status of the build and its @log, which
 * the caller frees. */
static cl_program
ocl_program_try (OclPrograms * self, const gchar * source_name,
    const gchar * options, const OclInsert * insert, cl_int * status,
    gchar ** log, GError ** error)
{
  g_autofree gchar *composed = ocl_program_compose (source_name, insert);
  const gchar *text = composed;
  GError *problem = NULL;

  if (!ocl_programs_check_abandoned (self, error))
    return NULL;
  cl_program program = clCreateProgramWithSource (self->context, 1, &text,
      NULL, status);
  if (!ocl_check (*status, "clCreateProgramWithSource", error))
    return NULL;
  g_debug ("build %s: %s", source_name, options);
  const gint64 start = g_get_monotonic_time ();
  *status = insert ? ocl_programs_build_for (self, program, options,
      insert->name, &problem)
      : clBuildProgram (program, 1, &self->device->id, options, NULL, NULL);
  g_debug ("%s took %" G_GINT64_FORMAT " ms", source_name,
      (g_get_monotonic_time () - start) / 1000);
  if (*status == CL_SUCCESS)
    return program;
  if (problem) {
    g_propagate_error (error, problem);
    return NULL;
  }
  *log = ocl_program_get_log (program, self->device->id);
  clReleaseProgram (program);
  return NULL;
}

/* Returns whether the program builds without the text of the user. */
static gboolean
ocl_program_is_sound (OclPrograms * self, const gchar * source_name,
    const gchar * options, const OclInsert * insert)
{
  g_autofree gchar *log = NULL;
  cl_int status = CL_SUCCESS;
  cl_program program = insert && insert->harmless
      ? ocl_program_try (self, source_name, options, insert->harmless, &status,
      &log, NULL) : NULL;
  const gboolean is_sound = program != NULL;

  g_clear_pointer (&program, clReleaseProgram);
  return is_sound;
}

/* Returns a program, which the caller owns, or NULL with @error. */
static cl_program
ocl_program_build (OclPrograms * self, const gchar * source_name,
    const gchar * options, const OclInsert * insert, GError ** error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *log = NULL;
  cl_int status = CL_SUCCESS;
  cl_program program = ocl_program_try (self, source_name, options, insert,
      &status, &log, &problem);

  if (program)
    return program;
  if (problem) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  g_autofree gchar *mistake = insert && log
      ? find_mistake (source_name, insert, log) : NULL;
  if (!mistake && status == CL_BUILD_PROGRAM_FAILURE
      && ocl_program_is_sound (self, source_name, options, insert))
    mistake = guess_mistake (log, insert->hint);
  if (mistake)
    g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
        "The kernel %s cannot be built for %s: %s\nProgram: %s\nOptions: %s"
        "\n%s", insert->name, self->device->name, mistake, source_name,
        options, log ? log : "(no build log)");
  else
    g_set_error (error, OCL_ERROR, OCL_ERROR_BUILD,
        "The OpenCL driver of %s cannot build the kernel %s: %s (%d).\n"
        "Options: %s\n%s", self->device->name, source_name,
        ocl_status_to_string (status), status, options,
        log ? log : "(no build log)");
  return NULL;
}

static void
ocl_program_free (OclProgram * self)
{
  /* The release of a program may wait for a build that does not end. */
  if (self->program && ocl_programs_check_abandoned (self->programs, NULL))
    clReleaseProgram (self->program);
  g_free (self->pass);
  g_free (self->key);
  g_free (self);
}

/* Returns the key of a program in the table. The caller frees it. */
static gchar *
get_key (const gchar * source_name, const gchar * options,
    const OclInsert * insert)
{
  return g_strconcat (source_name, " ", options, insert ? "\n" : NULL,
      insert ? insert->definitions : NULL, insert ? insert->text : NULL, NULL);
}

void
ocl_programs_announce (OclPrograms * self, const gchar * source_name,
    const gchar * checksum, const gchar * options, const gchar * pass)
{
  g_autofree gchar *key = get_key (source_name, options, NULL);

  g_mutex_lock (&self->mutex);
  const gboolean is_used = g_hash_table_contains (self->table, key);
  g_mutex_unlock (&self->mutex);
  if (!is_used)
    ocl_compiler_announce (self->compiler, source_name, checksum, options,
        pass);
}

void
ocl_programs_prepare (OclPrograms * self)
{
  const gchar *source_name;
  gchar *options;

  while (ocl_compiler_take (self->compiler, &source_name, &options)) {
    /* If the program fails, it is built, and fails, again for its kernels. */
    OclProgram *program =
        ocl_program_get (self, source_name, options, NULL, NULL);

    g_free (options);
    if (!program)
      continue;
    g_mutex_lock (&self->mutex);
    g_ptr_array_add (self->prepared, program);
    g_mutex_unlock (&self->mutex);
  }
}

void
ocl_programs_withdraw (OclPrograms * self)
{
  g_autoptr (GPtrArray) prepared = NULL;

  ocl_compiler_withdraw (self->compiler);
  g_mutex_lock (&self->mutex);
  prepared = self->prepared;
  self->prepared =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ocl_program_unref);
  g_mutex_unlock (&self->mutex);
}

/* Returns the processor time of this thread in microseconds, which does not
 * depend on other programs on a busy machine. */
static gint64
get_processor_time (void)
{
  struct timespec time = { 0, };

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

OclProgram *
ocl_program_get (OclPrograms * programs, const gchar * source_name,
    const gchar * options, const OclInsert * insert, GError ** error)
{
  g_autofree gchar *key = get_key (source_name, options, insert);

  g_mutex_lock (&programs->mutex);
  OclProgram *self = g_hash_table_lookup (programs->table, key);

  /* Another thread builds the program. It may fail. */
  while (self && !self->program) {
    g_cond_wait (&programs->changed, &programs->mutex);
    self = g_hash_table_lookup (programs->table, key);
  }
  if (!self) {
    /* Other threads that request the program wait from now on. */
    self = g_new0 (OclProgram, 1);
    self->programs = programs;
    self->key = g_strdup (key);
    g_hash_table_insert (programs->table, self->key, self);
    g_mutex_unlock (&programs->mutex);
    if (!insert)
      ocl_compiler_begin (programs->compiler, source_name, options);
    const gint64 start = get_processor_time ();
    cl_program built =
        ocl_program_build (programs, source_name, options, insert, error);
    if (!insert)
      self->pass = ocl_compiler_end (programs->compiler, source_name, options,
          built != NULL, get_processor_time () - start);
    g_mutex_lock (&programs->mutex);
    self->program = built;
    g_cond_broadcast (&programs->changed);
    if (!built) {
      g_hash_table_remove (programs->table, key);
      g_clear_pointer (&self, ocl_program_free);
    }
  }
  if (self)
    self->n_users++;
  g_mutex_unlock (&programs->mutex);
  return self;
}

void
ocl_program_begin_pass (OclProgram * self)
{
  if (self->pass)
    ocl_compiler_begin_pass (self->programs->compiler, self->pass);
}

void
ocl_program_unref (OclProgram * self)
{
  OclPrograms *programs = self->programs;

  g_mutex_lock (&programs->mutex);
  gboolean is_last = --self->n_users == 0;

  if (is_last)
    g_hash_table_remove (programs->table, self->key);
  g_mutex_unlock (&programs->mutex);
  if (is_last)
    ocl_program_free (self);
}

cl_kernel
ocl_program_create_kernel (OclProgram * self, const gchar * name,
    GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel (self->program, name, &status);

  return ocl_check (status, "clCreateKernel", error) ? kernel : NULL;
}
