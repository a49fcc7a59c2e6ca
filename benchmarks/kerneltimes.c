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
 * clReleaseCommandQueue waits for the commands of the queue.
 *
 * The events keep memory until their queue is released, so PROGRAM should be
 * short. They are not kept longer, because an event keeps its context: a driver
 * that shares with OpenGL would free it when OpenGL and the display are gone.
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

/* The time, if the device has it, is in `duration` once `event` is released. */
typedef struct
{
  gchar *name;
  cl_command_queue queue;
  cl_event event;
  gboolean has_duration;
  guint64 duration;
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
 * them. Waits for the command, and releases @event. */
static gboolean
take_duration (cl_event event, guint64 * duration)
{
  cl_ulong start, end;
  const gboolean ok = clWaitForEvents (1, &event) == CL_SUCCESS
      && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_START,
      sizeof (start), &start, NULL) == CL_SUCCESS
      && clGetEventProfilingInfo (event, CL_PROFILING_COMMAND_END,
      sizeof (end), &end, NULL) == CL_SUCCESS;

  clReleaseEvent (event);
  *duration = ok ? end - start : 0;
  return ok;
}

/* Reads the times of the launches in @queue, or of all if it is NULL, and
 * releases their events. Waits without the mutex, because a command may wait
 * for one that another thread enqueues. */
static void
read_times (cl_command_queue queue)
{
  g_mutex_lock (&mutex);
  const guint n = launches ? launches->len : 0;
  g_mutex_unlock (&mutex);

  for (guint i = 0; i < n; i++) {
    cl_event event = NULL;

    g_mutex_lock (&mutex);
    Launch *launch = &g_array_index (launches, Launch, i);
    if (!queue || launch->queue == queue)
      event = g_steal_pointer (&launch->event);
    g_mutex_unlock (&mutex);
    if (!event)
      continue;
    guint64 duration;
    const gboolean has_duration = take_duration (event, &duration);

    g_mutex_lock (&mutex);
    launch = &g_array_index (launches, Launch, i);
    launch->has_duration = has_duration;
    launch->duration = duration;
    g_mutex_unlock (&mutex);
  }
}

cl_int
clReleaseCommandQueue (cl_command_queue queue)
{
  cl_int (*release) (cl_command_queue) = dlsym (RTLD_NEXT, __func__);

  read_times (queue);
  return release (queue);
}

static void
write_times (void)
{
  const gchar *path = g_getenv ("KERNEL_TIMES");

  read_times (NULL);
  FILE *file = path ? fopen (path, "a") : NULL;
  if (!file)
    return;
  g_mutex_lock (&mutex);
  for (guint i = 0; i < launches->len; i++) {
    const Launch *launch = &g_array_index (launches, Launch, i);

    if (launch->has_duration)
      fprintf (file, "%s,%" G_GUINT64_FORMAT "\n", launch->name,
          launch->duration);
  }
  g_mutex_unlock (&mutex);
  fclose (file);
}

cl_int
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dimensions, const size_t *offset, const size_t *global_size,
    const size_t *local_size, cl_uint n_waits, const cl_event * waits,
    cl_event * event)
{
  char name[256] = "";
  Launch launch = {.queue = queue };
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
