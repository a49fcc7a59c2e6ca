/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The entry points through which the OpenCL loader loads the layer; the
 * dispatch table that the loader gets, with the functions which refuse a call;
 * and the checks when the process exits.
 *
 * There are two generations of entry points.  Both do the same work here.
 */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layercommon.h"
#include "layerentry.h"
#include "layerfunctions.h"
#include "layerimages.h"
#include "layerobjects.h"
#include "testlayer.h"

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

/*
 * Only looks at what the layer has tracked, so that it does not matter which
 * libraries have been torn down already.
 */
static void
layer_check_exit (void)
{
  gboolean violated, leaked;

  /* A forked child does not own what it has inherited. */
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

cl_int CL_API_CALL
clGetLayerInfo (cl_layer_info param_name, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  static const char name[] = "gst-glopencl test layer";

  switch (param_name) {
    case CL_LAYER_API_VERSION:
      return layer_answer (&version, sizeof (version), param_value_size,
          param_value, param_value_size_ret);
    case CL_LAYER_NAME:
      return layer_answer (name, sizeof (name), param_value_size, param_value,
          param_value_size_ret);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL
clInitLayer (cl_uint num_entries, const cl_icd_dispatch * target_dispatch,
    cl_uint * num_entries_ret, const cl_icd_dispatch ** layer_dispatch_ret)
{
  return layer_init (num_entries, target_dispatch, num_entries_ret,
      layer_dispatch_ret);
}

cl_int CL_API_CALL
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

cl_int CL_API_CALL
clDeinitLayer (void)
{
  layer_check_exit ();
  return CL_SUCCESS;
}
