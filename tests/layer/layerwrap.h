/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Macros that define the wrappers of ordinary functions.  Each wrapper checks
 * for a fault, forwards the call to the driver, and tracks the objects that the
 * driver returns.
 *
 * The macro arguments "parameters" and "arguments" are parenthesised lists.
 * The declarations in layerfunctions.h check the types of the wrappers against
 * the dispatch table.
 */

#ifndef GLOPENCL_LAYER_WRAP_H
#define GLOPENCL_LAYER_WRAP_H

#include "layercommon.h"
#include "layerfault.h"
#include "layerobjects.h"

/* Tracks the event which @function, an enqueue, has returned, if any. */
static inline void
layer_track_event (cl_int error, const cl_event *event, const char *function)
{
  if (error == CL_SUCCESS && event != NULL)
    layer_objects_add (LAYER_OBJECT_EVENT, *event, function);
}

/* The parameters that end every query. */
#define LAYER_INFO_PARAMETERS \
    size_t param_value_size, void *param_value, size_t *param_value_size_ret
#define LAYER_INFO_ARGUMENTS \
    param_value_size, param_value, param_value_size_ret

/* The parameters that end every enqueue. */
#define LAYER_EVENT_PARAMETERS \
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, \
    cl_event *event
#define LAYER_EVENT_ARGUMENTS num_events_in_wait_list, event_wait_list, event

/* Removes the parentheses of a list. */
#define LAYER_LIST(...) __VA_ARGS__

/* Wraps a function which returns an error code. */
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

/* Wraps a query.  The lists omit the parameters that end every query. */
#define LAYER_WRAP_QUERY(name, parameters, arguments) \
  LAYER_WRAP (name, (LAYER_LIST parameters, LAYER_INFO_PARAMETERS), \
      (LAYER_LIST arguments, LAYER_INFO_ARGUMENTS))

/* Wraps a function which returns a new object.  The lists omit the last
 * parameter, errcode_ret. */
#define LAYER_WRAP_CREATE(type, kind, name, parameters, arguments) \
type CL_API_CALL \
layer_##name (LAYER_LIST parameters, cl_int *errcode_ret) \
{ \
  cl_int error = layer_call_begin (LAYER_FUNCTION (name)); \
  type object = NULL; \
\
  if (error == CL_SUCCESS) { \
    object = layer_target.name (LAYER_LIST arguments, &error); \
    layer_objects_add (kind, object, #name); \
  } \
  if (errcode_ret != NULL) \
    *errcode_ret = error; \
  return object; \
}

/* Wraps a function which enqueues a command.  The lists omit the queue, which
 * is the first parameter, and the parameters that end every enqueue.  "check"
 * is a statement which looks for broken rules; in this statement, "function" is
 * the name of the function. */
#define LAYER_WRAP_ENQUEUE(name, check, parameters, arguments) \
  LAYER_WRAP_ENQUEUE_ALL (name, check, \
      (cl_command_queue queue, LAYER_LIST parameters, LAYER_EVENT_PARAMETERS), \
      (queue, LAYER_LIST arguments, LAYER_EVENT_ARGUMENTS))

/* Wraps a function which enqueues a command.  The lists have all parameters. */
#define LAYER_WRAP_ENQUEUE_ALL(name, check, parameters, arguments) \
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

/* Wraps the two functions which change the reference count of objects of a
 * type. "forget" is a statement that runs before the last reference to "object"
 * is dropped. */
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
