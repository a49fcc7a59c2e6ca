/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros that write the wrappers of functions with nothing special about them.
 * Each wrapper checks for a fault, forwards the call to the driver, and tracks
 * what the driver hands out.
 *
 * PARAMETERS and ARGUMENTS are parenthesised lists.  The wrappers' types are
 * checked against the dispatch table by the declarations in layerfunctions.h.
 */

#ifndef GLOPENCL_LAYER_WRAP_H
#define GLOPENCL_LAYER_WRAP_H

#include "layercommon.h"
#include "layerfault.h"
#include "layerobjects.h"

/* Tracks the event which the enqueue @function has handed out, if it has. */
static inline void
layer_track_event (cl_int error, const cl_event *event, const char *function)
{
  if (error == CL_SUCCESS && event != NULL)
    layer_objects_add (LAYER_OBJECT_EVENT, *event, function);
}

/* A function which returns an error code. */
#define LAYER_WRAP(name, parameters, arguments) \
cl_int CL_API_CALL \
layer_##name parameters \
{ \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
\
  if (error != CL_SUCCESS) \
    return error; \
  return layer_target.name arguments; \
}

/* A function which returns a new object, with errcode_ret as last parameter
 * and &error as last argument. */
#define LAYER_WRAP_CREATE(type, kind, name, parameters, arguments) \
type CL_API_CALL \
layer_##name parameters \
{ \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
  type object = NULL; \
\
  if (error == CL_SUCCESS) { \
    object = layer_target.name arguments; \
    layer_objects_add (kind, object, #name); \
  } \
  if (errcode_ret != NULL) \
    *errcode_ret = error; \
  return object; \
}

/* The parameters that end every query. */
#define LAYER_INFO_PARAMETERS \
    size_t param_value_size, void *param_value, size_t *param_value_size_ret
#define LAYER_INFO_ARGUMENTS \
    param_value_size, param_value, param_value_size_ret

/* The parameters that end almost every enqueue. */
#define LAYER_EVENT_PARAMETERS \
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, \
    cl_event *event
#define LAYER_EVENT_ARGUMENTS num_events_in_wait_list, event_wait_list, event

/* A function which enqueues a command, with event as a parameter.  check is a
 * statement which looks for broken rules; function is its name there. */
#define LAYER_WRAP_ENQUEUE(name, parameters, arguments, check) \
cl_int CL_API_CALL \
layer_##name parameters \
{ \
  static const char function[] = #name; \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
\
  if (error != CL_SUCCESS) \
    return error; \
  check; \
  error = layer_target.name arguments; \
  layer_track_event (error, event, function); \
  return error; \
}

/* The pair of functions which move the reference count of the objects of a
 * type.  forget is a statement for when the last reference to object goes. */
#define LAYER_WRAP_LIFETIME(type, suffix, forget) \
cl_int CL_API_CALL \
layer_clRetain##suffix (type object) \
{ \
  cl_int error; \
\
  layer_call_begin (LAYER_FUNCTION (clRetain##suffix)); \
  error = layer_target.clRetain##suffix (object); \
  if (error == CL_SUCCESS) \
    layer_objects_retain (object); \
  return error; \
} \
\
cl_int CL_API_CALL \
layer_clRelease##suffix (type object) \
{ \
  layer_call_begin (LAYER_FUNCTION (clRelease##suffix)); \
  if (layer_objects_release (object)) { \
    forget; \
  } \
  return layer_target.clRelease##suffix (object); \
}

#endif /* GLOPENCL_LAYER_WRAP_H */
