/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the time of each kernel of an unmodified program on the device.
 *
 *   LD_PRELOAD=libkerneltimes.so KERNEL_TIMES=FILE PROGRAM
 *
 * creates all command queues of PROGRAM with profiling, and takes an event of
 * each launch. At the end of PROGRAM appends a line for each launch to FILE, in
 * their order: the name of the kernel, and its time in nanoseconds. Launches
 * whose time the device does not have are left out.
 *
 * The events keep memory until the program ends, so PROGRAM should be short.
 * Any thread may call the functions. */

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_PROPERTIES 16

typedef struct
{
  gchar *name;
  cl_event event;
} Launch;

static GMutex mutex;
static GArray *launches;

cl_command_queue
clCreateCommandQueueWithProperties (cl_context context, cl_device_id device,
    const cl_queue_properties * properties, cl_int * status)
{
  cl_queue_properties copy[MAX_PROPERTIES] = { CL_QUEUE_PROPERTIES,
    CL_QUEUE_PROFILING_ENABLE
  };
  guint n = 2;
  cl_command_queue (*create) (cl_context, cl_device_id,
      const cl_queue_properties *, cl_int *) = dlsym (RTLD_NEXT, __func__);

  for (; properties && properties[0]; properties += 2) {
    if (properties[0] == CL_QUEUE_PROPERTIES) {
      copy[1] |= properties[1];
    } else if (n < MAX_PROPERTIES - 2) {
      copy[n++] = properties[0];
      copy[n++] = properties[1];
    } else {
      if (status)
        *status = CL_INVALID_VALUE;
      return NULL;
    }
  }
  return create (context, device, copy, status);
}

cl_command_queue
clCreateCommandQueue (cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int * status)
{
  cl_command_queue (*create) (cl_context, cl_device_id,
      cl_command_queue_properties, cl_int *) = dlsym (RTLD_NEXT, __func__);

  return create (context, device, properties | CL_QUEUE_PROFILING_ENABLE,
      status);
}

/* Sets the nanoseconds of a command. Returns FALSE if the device does not have
 * them. Releases @event. */
static gboolean
get_duration (cl_event event, guint64 * duration)
{
  cl_ulong start, end;
  const gboolean ok = clWaitForEvents (1, &event) == CL_SUCCESS
      && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START,
      sizeof (start), &start, NULL) == CL_SUCCESS
      && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END,
      sizeof (end), &end, NULL) == CL_SUCCESS;

  clReleaseEvent (event);
  if (ok)
    *duration = end - start;
  return ok;
}

static void
write_times (void)
{
  const gchar *path = g_getenv ("KERNEL_TIMES");

  g_mutex_lock (&mutex);
  g_autoptr (GArray) all = g_steal_pointer (&launches);
  g_mutex_unlock (&mutex);
  FILE *file = all && path ? fopen (path, "a") : NULL;
  if (!file)
    return;
  for (guint i = 0; i < all->len; i++) {
    const Launch *launch = &g_array_index (all, Launch, i);
    guint64 duration;

    if (get_duration (launch->event, &duration))
      fprintf (file, "%s,%" G_GUINT64_FORMAT "\n", launch->name, duration);
    g_free (launch->name);
  }
  fclose (file);
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dimensions, const size_t *offset, const size_t *global_size,
    const size_t *local_size, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  char name[256] = "";
  Launch launch = { NULL, NULL };
  cl_int (*enqueue) (cl_command_queue, cl_kernel, cl_uint, const size_t *,
      const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *) =
      dlsym (RTLD_NEXT, __func__);
  const cl_int status = enqueue (queue, kernel, n_dimensions, offset,
      global_size, local_size, n_waits, waits, &launch.event);

  if (status != CL_SUCCESS)
    return status;
  if (event) {
    *event = launch.event;
    if (clRetainEvent (launch.event) != CL_SUCCESS)
      return status;
  }
  if (clGetKernelInfo (kernel, CL_KERNEL_FUNCTION_NAME, sizeof (name), name,
          NULL) != CL_SUCCESS)
    name[0] = '\0';
  launch.name = g_strdup (name);
  g_mutex_lock (&mutex);
  if (!launches) {
    launches = g_array_new (FALSE, FALSE, sizeof (Launch));
    /* Runs before the handlers of the driver, which is loaded by now, unless
     * the driver adds some later. */
    atexit (write_times);
  }
  g_array_append_val (launches, launch);
  g_mutex_unlock (&mutex);
  return status;
}
