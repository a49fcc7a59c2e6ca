/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The functions of cl_khr_external_semaphore.  A semaphore is a file of
 * eventfd(), shared with the emulation of the semaphore in the other API.
 * Commands complete when they are enqueued, so that the signal of a semaphore
 * already exists when a wait is enqueued.
 */

#include <CL/cl_ext.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "layerwrap.h"

typedef struct
{
  int fd;                       /* owned */
} LayerSemaphore;

/* Changes the count of a semaphore, which does not block. */
static gboolean
layer_semaphore_take (LayerSemaphore * semaphore)
{
  eventfd_t count = 0;

  return eventfd_read (semaphore->fd, &count) == 0;
}

static cl_int
layer_semaphore_import (const cl_semaphore_properties_khr * properties,
    LayerSemaphore ** semaphore)
{
  if (!layer_config.semaphores || properties == NULL
      || properties[0] != CL_SEMAPHORE_TYPE_KHR
      || properties[1] != CL_SEMAPHORE_TYPE_BINARY_KHR
      || properties[2] != CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR
      || properties[4] != 0)
    return CL_INVALID_PROPERTY;
  *semaphore = g_new0 (LayerSemaphore, 1);
  (*semaphore)->fd = (int) properties[3];
  return CL_SUCCESS;
}

cl_semaphore_khr CL_API_CALL
layer_clCreateSemaphoreWithPropertiesKHR (cl_context context,
    const cl_semaphore_properties_khr * properties, cl_int * errcode_ret)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clCreateSemaphoreWithPropertiesKHR));
  LayerSemaphore *semaphore = NULL;

  if (error == CL_SUCCESS && context == NULL)
    error = CL_INVALID_CONTEXT;
  if (error == CL_SUCCESS)
    error = layer_semaphore_import (properties, &semaphore);
  layer_objects_add (LAYER_OBJECT_SEMAPHORE, semaphore,
      "clCreateSemaphoreWithPropertiesKHR");
  if (errcode_ret != NULL)
    *errcode_ret = error;
  return (cl_semaphore_khr) semaphore;
}

cl_int CL_API_CALL
layer_clReleaseSemaphoreKHR (cl_semaphore_khr handle)
{
  LayerSemaphore *semaphore = (LayerSemaphore *) handle;

  layer_call_begin (LAYER_FUNCTION (clReleaseSemaphoreKHR));
  if (layer_objects_release (semaphore)) {
    close (semaphore->fd);
    g_free (semaphore);
  }
  return CL_SUCCESS;
}

/* What both commands check. */
static cl_int
layer_semaphore_check (cl_uint count, const cl_semaphore_khr * semaphores,
    LAYER_EVENT_PARAMETERS)
{
  if (count != 1 || semaphores == NULL)
    return CL_INVALID_VALUE;
  if (num_events_in_wait_list != 0 || event_wait_list != NULL || event != NULL)
    return CL_INVALID_EVENT_WAIT_LIST;
  return CL_SUCCESS;
}

cl_int CL_API_CALL
layer_clEnqueueWaitSemaphoresKHR (cl_command_queue queue, cl_uint count,
    const cl_semaphore_khr * semaphores,
    const cl_semaphore_payload_khr * payloads, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION (clEnqueueWaitSemaphoresKHR));

  (void) queue;
  (void) payloads;
  if (error == CL_SUCCESS)
    error = layer_semaphore_check (count, semaphores, LAYER_EVENT_ARGUMENTS);
  if (error == CL_SUCCESS
      && !layer_semaphore_take ((LayerSemaphore *) semaphores[0]))
    layer_violation ("clEnqueueWaitSemaphoresKHR",
        "the semaphore %p is waited for, but nobody has signalled it",
        (void *) semaphores[0]);
  return error;
}

cl_int CL_API_CALL
layer_clEnqueueSignalSemaphoresKHR (cl_command_queue queue, cl_uint count,
    const cl_semaphore_khr * semaphores,
    const cl_semaphore_payload_khr * payloads, LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_call_begin (LAYER_FUNCTION
      (clEnqueueSignalSemaphoresKHR));
  LayerSemaphore *semaphore;

  (void) payloads;
  if (error == CL_SUCCESS)
    error = layer_semaphore_check (count, semaphores, LAYER_EVENT_ARGUMENTS);
  if (error == CL_SUCCESS)
    error = layer_target.clFinish (queue);
  if (error != CL_SUCCESS)
    return error;
  semaphore = (LayerSemaphore *) semaphores[0];
  if (layer_semaphore_take (semaphore))
    layer_violation ("clEnqueueSignalSemaphoresKHR",
        "the semaphore %p is signalled twice", (void *) semaphore);
  return eventfd_write (semaphore->fd, 1) == 0 ? CL_SUCCESS
      : CL_OUT_OF_RESOURCES;
}
