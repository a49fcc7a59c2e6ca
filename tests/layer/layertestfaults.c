/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases of the layer's test about faults, counts and leaks.
 */

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layertestcases.h"

/* A whole program, on objects of its own, which survives any one failure. */

#define CHECK(call) \
  G_STMT_START { \
    cl_int check_error = (call); \
    if (check_error != CL_SUCCESS) \
      return check_error; \
  } G_STMT_END

static const char work_source[] =
    "kernel void fill (write_only image2d_t out, global int *data)\n"
    "{\n"
    "  write_imagef (out, (int2) (get_global_id (0), 0), (float4) (1.0f));\n"
    "  data[get_global_id (0)] = 1;\n" "}\n";

static cl_int
work_create_kernel (Fixture * work)
{
  const char *source = work_source;
  cl_int error;
  cl_program program = clCreateProgramWithSource (work->context, 1, &source,
      NULL, &error);

  CHECK (error);
  error = clBuildProgram (program, 1, &work->device, "", NULL, NULL);
  if (error == CL_SUCCESS)
    work->kernel = clCreateKernel (program, "fill", &error);
  clReleaseProgram (program);
  return error;
}

static cl_int
work_create (Fixture * work, GLuint texture)
{
  cl_int error;

  work->context = fixture_create_context (work, work->gl_context, &error);
  CHECK (error);
  work->queue = clCreateCommandQueue (work->context, work->device, 0, &error);
  CHECK (error);
  CHECK (work_create_kernel (work));
  work->image = clCreateFromGLTexture (work->context, CL_MEM_READ_WRITE,
      GL_TEXTURE_2D, 0, texture, &error);
  CHECK (error);
  work->buffer = clCreateBuffer (work->context, CL_MEM_READ_WRITE, TEST_BYTES,
      NULL, &error);
  return error;
}

static cl_int
work_launch (Fixture * work, gboolean * acquired)
{
  const size_t size = TEST_WIDTH;

  CHECK (clSetKernelArg (work->kernel, 0, sizeof (work->image), &work->image));
  CHECK (clSetKernelArg (work->kernel, 1, sizeof (work->buffer),
          &work->buffer));
  CHECK (clEnqueueAcquireGLObjects (work->queue, 1, &work->image, 0, NULL,
          NULL));
  *acquired = TRUE;
  return clEnqueueNDRangeKernel (work->queue, work->kernel, 1, NULL, &size,
      NULL, 0, NULL, NULL);
}

/* After a fault in it, the release is not tried again. */
static cl_int
work_release (Fixture * work)
{
  CHECK (clEnqueueReleaseGLObjects (work->queue, 1, &work->image, 0, NULL,
          &work->events[0]));
  work->n_events = 1;
  return clWaitForEvents (1, work->events);
}

static cl_int
work_read (Fixture * work)
{
  cl_int error;
  void *pointer = clEnqueueMapBuffer (work->queue, work->buffer, CL_TRUE,
      CL_MAP_READ, 0, TEST_BYTES, 0, NULL, NULL, &error);

  CHECK (error);
  CHECK (clEnqueueUnmapMemObject (work->queue, work->buffer, pointer, 0, NULL,
          NULL));
  CHECK (clFlush (work->queue));
  return clFinish (work->queue);
}

static cl_int
work_run (const Fixture * fixture, GLuint texture)
{
  Fixture work = *fixture;
  gboolean acquired = FALSE;
  cl_int error = work_create (&work, texture);

  if (error == CL_SUCCESS)
    error = work_launch (&work, &acquired);
  if (acquired) {
    cl_int release_error = work_release (&work);

    error = error != CL_SUCCESS ? error : release_error;
  }
  if (error == CL_SUCCESS)
    error = work_read (&work);
  fixture_free_objects (&work);
  return error;
}

static void
every_call (Fixture * fixture)
{
  GLuint texture = fixture_create_texture ();
  guint count;

  layer.reset_counts ();
  SUCCEEDS (work_run (fixture, texture));
  count = layer.calls (NULL);
  g_assert_cmpuint (count, ==, 17);

  for (guint nth = 1; nth <= count; nth++) {
    layer.set_fault ("*", nth, CL_OUT_OF_RESOURCES);
    RETURNS (work_run (fixture, texture), CL_OUT_OF_RESOURCES);
    g_assert_true (layer.fault_hit ());
    g_assert_cmpuint (layer.live_objects (), ==, 0);
  }
  layer.set_fault ("*", count + 1, CL_OUT_OF_RESOURCES);
  SUCCEEDS (work_run (fixture, texture));
  g_assert_false (layer.fault_hit ());
  layer.set_fault (NULL, 0, 0);
  fixture_delete_texture (texture);
}

/* Creates @count buffers, of which only the @failing one, from 0, fails; then
 * frees them. */
static void
create_buffers (Fixture * fixture, guint count, guint failing)
{
  cl_mem buffers[4];
  cl_int error;

  for (guint i = 0; i < count; i++) {
    g_assert_cmpint (layer.fault_hit (), ==, i > failing);
    buffers[i] = clCreateBuffer (fixture->context, 0, 16, NULL, &error);
    g_assert_cmpint (error, ==, i == failing
        ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS);
    g_assert_true ((buffers[i] == NULL) == (i == failing));
  }
  /* With the context and the queue. */
  g_assert_cmpuint (layer.live_objects (), ==, 2 + count - 1);
  for (guint i = 0; i < count; i++) {
    if (buffers[i] != NULL)
      clReleaseMemObject (buffers[i]);
  }
}

static void
nth (Fixture * fixture)
{
  layer.reset_counts ();
  layer.set_fault ("clCreateBuffer", 3, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  create_buffers (fixture, 4, 2);
  g_assert_cmpuint (layer.calls ("clCreateBuffer"), ==, 4);
  g_assert_cmpuint (layer.calls ("clCreateImage"), ==, 0);
  g_assert_cmpuint (layer.calls ("clReleaseMemObject"), ==, 3);
  layer.reset_counts ();
  g_assert_cmpuint (layer.calls ("clCreateBuffer"), ==, 0);
}

/* A fault leaves what it is about untouched: the image stays not acquired, and
 * the refused release can be tried again. */
static void
no_effect (Fixture * fixture)
{
  cl_event event = NULL;

  layer.set_fault ("clEnqueueAcquireGLObjects", 1, CL_OUT_OF_RESOURCES);
  RETURNS (clEnqueueAcquireGLObjects (fixture->queue, 1, &fixture->image, 0,
          NULL, &event), CL_OUT_OF_RESOURCES);
  g_assert_null (event);
  fixture_acquire (fixture);
  layer.set_fault ("clEnqueueReleaseGLObjects", 1, CL_OUT_OF_RESOURCES);
  RETURNS (clEnqueueReleaseGLObjects (fixture->queue, 1, &fixture->image, 0,
          NULL, &event), CL_OUT_OF_RESOURCES);
  g_assert_null (event);
  fixture_release (fixture);
}

/* Leaks */

static void
leak (Fixture * fixture)
{
  const char *source = "kernel void nothing (void) {}";
  cl_program program = clCreateProgramWithSource (fixture->context, 1, &source,
      NULL, NULL);
  cl_event event;

  clRetainContext (fixture->context);
  clReleaseContext (fixture->context);
  clBuildProgram (program, 1, &fixture->device, "", NULL, NULL);
  clCreateKernel (program, "nothing", NULL);
  clCreateKernel (program, "nothing", NULL);
  clCreateBuffer (fixture->context, 0, 16, NULL, NULL);
  clEnqueueMarkerWithWaitList (fixture->queue, 0, NULL, &event);
  g_assert_cmpuint (layer.live_objects (), ==, 7);
}

static void
leak_one_reference (Fixture * fixture)
{
  clRetainCommandQueue (fixture->queue);
  clReleaseCommandQueue (fixture->queue);
  clReleaseCommandQueue (fixture->queue);
  clRetainContext (fixture->context);
  clReleaseContext (fixture->context);
}

/* A child does not answer for what its parent holds. */
static void
fork_child (Fixture * fixture)
{
  pid_t child = fork ();
  int status;

  (void) fixture;
  if (child == 0) {
    /* Checks as at exit, which a child of a process with threads must not
     * really go through. */
    layer.deinit ();
    _exit (0);
  }
  waitpid (child, &status, 0);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

const TestCase fault_cases[] = {
  {"fault/every-call", FIXTURE_GL, {every_call}},
  {"fault/nth", FIXTURE_QUEUE, {nth}},
  {"fault/no-effect", FIXTURE_IMAGE, {no_effect}},
  {"leak/all", FIXTURE_QUEUE, {leak, fixture_leave},
      .status = GLOPENCL_LAYER_EXIT_LEAK,
      .messages = LINE ("exit") "1 context of clCreateContext never released|"
      LINE ("exit") "1 command queue of clCreateCommandQueue never released|"
      LINE ("exit") "1 program of clCreateProgramWithSource never released|"
      LINE ("exit") "2 kernels of clCreateKernel never released|"
      LINE ("exit") "1 memory object of clCreateBuffer never released|"
      LINE ("exit") "1 event of clEnqueueMarkerWithWaitList never released"},
  {"leak/one-reference", FIXTURE_QUEUE, {leak_one_reference, fixture_leave},
      .status = GLOPENCL_LAYER_EXIT_LEAK,
      .messages = LINE ("exit") "1 context of clCreateContext never released"},
  {"leak/fork", FIXTURE_QUEUE, {fork_child}},
  {.name = NULL}
};
