/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases of the layer's test that break each rule, mostly with the layer set to
 * only count, and those that keep the rules in less obvious ways.
 */

#include "layertestcases.h"
#include "layertestfixture.h"

#define NAME_ACQUIRE "clEnqueueAcquireGLObjects"
#define NAME_RELEASE "clEnqueueReleaseGLObjects"

/* A fixture with a texture, an image from it, and memory of the same size which
 * is not from GL. */
typedef struct
{
  Fixture fixture;
  GLuint texture;
  cl_mem image;
  cl_mem plain;
  cl_mem buffer;
} Rules;

static const size_t origin[3] = { 0, 0, 0 };
static const size_t region[3] = { TEST_WIDTH, TEST_HEIGHT, 1 };

static void
set_up (Rules * rules)
{
  const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = TEST_WIDTH,
    .image_height = TEST_HEIGHT
  };

  fixture_set_up (&rules->fixture, TEST_GL_CORE);
  rules->texture = fixture_create_texture (1);
  rules->image = fixture_create_image (&rules->fixture, rules->texture);
  rules->plain = clCreateImage (rules->fixture.context, CL_MEM_READ_WRITE,
      &format, &description, NULL, NULL);
  rules->buffer = clCreateBuffer (rules->fixture.context, CL_MEM_READ_WRITE,
      TEST_BYTES, NULL, NULL);
  g_assert_nonnull (rules->plain);
  g_assert_nonnull (rules->buffer);
}

/* Frees everything; at that point @count rules have been broken in all. */
static void
tear_down (Rules * rules, guint count)
{
  clFinish (rules->fixture.queue);
  clReleaseMemObject (rules->buffer);
  clReleaseMemObject (rules->plain);
  if (rules->image != NULL)
    clReleaseMemObject (rules->image);
  g_assert_cmpuint (layer.violations (), ==, count);
  fixture_delete_texture (rules->texture);
  fixture_tear_down (&rules->fixture);
}

static cl_int
acquire (Rules * rules)
{
  return clEnqueueAcquireGLObjects (rules->fixture.queue, 1, &rules->image, 0,
      NULL, NULL);
}

static cl_int
release (Rules * rules, cl_event * event)
{
  return clEnqueueReleaseGLObjects (rules->fixture.queue, 1, &rules->image, 0,
      NULL, event);
}

static void
free_image (Rules * rules)
{
  clReleaseMemObject (rules->image);
  rules->image = NULL;
}

/* Use without acquire.  Each runs the same command twice, the second time on
 * an acquired image, which is fine. */

typedef void (*Command) (Rules * rules);

static void
check_use (Command command)
{
  Rules rules;

  set_up (&rules);
  command (&rules);
  clFinish (rules.fixture.queue);
  g_assert_cmpuint (layer.violations (), ==, 1);
  acquire (&rules);
  command (&rules);
  release (&rules, NULL);
  tear_down (&rules, 1);
}

static void
command_read (Rules * rules)
{
  guint8 pixels[TEST_BYTES];

  clEnqueueReadImage (rules->fixture.queue, rules->image, CL_TRUE, origin,
      region, 0, 0, pixels, 0, NULL, NULL);
}

static void
command_write (Rules * rules)
{
  guint8 pixels[TEST_BYTES] = { 0 };

  clEnqueueWriteImage (rules->fixture.queue, rules->image, CL_TRUE, origin,
      region, 0, 0, pixels, 0, NULL, NULL);
}

static void
command_fill (Rules * rules)
{
  const float color[4] = { 1, 0, 0, 1 };

  clEnqueueFillImage (rules->fixture.queue, rules->image, color, origin, region,
      0, NULL, NULL);
}

static void
command_copy_from (Rules * rules)
{
  clEnqueueCopyImage (rules->fixture.queue, rules->image, rules->plain, origin,
      origin, region, 0, NULL, NULL);
}

static void
command_copy_to (Rules * rules)
{
  clEnqueueCopyImage (rules->fixture.queue, rules->plain, rules->image, origin,
      origin, region, 0, NULL, NULL);
}

static void
command_image_to_buffer (Rules * rules)
{
  clEnqueueCopyImageToBuffer (rules->fixture.queue, rules->image,
      rules->buffer, origin, region, 0, 0, NULL, NULL);
}

static void
command_buffer_to_image (Rules * rules)
{
  clEnqueueCopyBufferToImage (rules->fixture.queue, rules->buffer,
      rules->image, 0, origin, region, 0, NULL, NULL);
}

#define USE_CASE(name) \
static void \
case_use_##name (void) \
{ \
  check_use (command_##name); \
}

/* *INDENT-OFF* */
USE_CASE (read)
USE_CASE (write)
USE_CASE (fill)
USE_CASE (copy_from)
USE_CASE (copy_to)
USE_CASE (image_to_buffer)
USE_CASE (buffer_to_image)
/* *INDENT-ON* */

static void
case_use_unmap (void)
{
  char nothing;
  Rules rules;

  set_up (&rules);
  clEnqueueUnmapMemObject (rules.fixture.queue, rules.image, &nothing, 0, NULL,
      NULL);
  tear_down (&rules, 1);
}

static cl_kernel
create_fill_kernel (Rules * rules)
{
  const char *source =
      "kernel void fill (write_only image2d_t out)\n"
      "{\n"
      "  write_imagef (out, (int2) (get_global_id (0), 0), (float4) (1.0f));\n"
      "}\n";
  cl_program program = clCreateProgramWithSource (rules->fixture.context, 1,
      &source, NULL, NULL);
  cl_kernel kernel;

  clBuildProgram (program, 1, &rules->fixture.device, "", NULL, NULL);
  kernel = clCreateKernel (program, "fill", NULL);
  g_assert_nonnull (kernel);
  clReleaseProgram (program);
  return kernel;
}

static void
launch (Rules * rules, cl_kernel kernel)
{
  const size_t size = TEST_WIDTH;

  clEnqueueNDRangeKernel (rules->fixture.queue, kernel, 1, NULL, &size, NULL, 0,
      NULL, NULL);
}

static void
case_use_kernel (void)
{
  Rules rules;
  cl_kernel kernel;

  set_up (&rules);
  kernel = create_fill_kernel (&rules);
  clSetKernelArg (kernel, 0, sizeof (rules.image), &rules.image);
  launch (&rules, kernel);
  g_assert_cmpuint (layer.violations (), ==, 1);
  acquire (&rules);
  launch (&rules, kernel);
  release (&rules, NULL);
  clFinish (rules.fixture.queue);
  /* An argument which has been replaced does not matter any more. */
  clSetKernelArg (kernel, 0, sizeof (rules.plain), &rules.plain);
  launch (&rules, kernel);
  g_assert_cmpuint (layer.violations (), ==, 1);
  clSetKernelArg (kernel, 0, sizeof (rules.image), &rules.image);
  launch (&rules, kernel);
  g_assert_cmpuint (layer.violations (), ==, 2);
  clReleaseKernel (kernel);
  tear_down (&rules, 2);
}

static void
case_use_freed (void)
{
  Rules rules;
  cl_kernel kernel;

  set_up (&rules);
  kernel = create_fill_kernel (&rules);
  clSetKernelArg (kernel, 0, sizeof (rules.image), &rules.image);
  free_image (&rules);
  launch (&rules, kernel);
}

/* Acquire and release in the wrong state */

static void
case_acquired_twice (void)
{
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  acquire (&rules);
  release (&rules, NULL);
  tear_down (&rules, 1);
}

static void
case_not_acquired (void)
{
  Rules rules;

  set_up (&rules);
  release (&rules, NULL);
  tear_down (&rules, 1);
}

static void
case_freed_acquired (void)
{
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  clRetainMemObject (rules.image);
  clReleaseMemObject (rules.image);
  g_assert_cmpuint (layer.violations (), ==, 0);
  free_image (&rules);
  tear_down (&rules, 1);
}

static void
case_aborts (void)
{
  Rules rules;

  set_up (&rules);
  release (&rules, NULL);
}

/* The GL context is not current */

static void
case_not_current_create (void)
{
  Rules rules;
  cl_int error;

  set_up (&rules);
  fixture_make_current (&rules.fixture, FALSE);
  g_assert_null (clCreateFromGLTexture (rules.fixture.context,
          CL_MEM_READ_ONLY, GL_TEXTURE_2D, 0, rules.texture, &error));
  g_assert_cmpint (error, ==, CL_INVALID_GL_OBJECT);
  fixture_make_current (&rules.fixture, TRUE);
  tear_down (&rules, 1);
}

static void
case_not_current_acquire (void)
{
  Rules rules;

  set_up (&rules);
  fixture_make_current (&rules.fixture, FALSE);
  g_assert_cmpint (acquire (&rules), ==, CL_INVALID_GL_OBJECT);
  fixture_make_current (&rules.fixture, TRUE);
  tear_down (&rules, 1);
}

static void
case_not_current_release (void)
{
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  fixture_make_current (&rules.fixture, FALSE);
  g_assert_cmpint (release (&rules, NULL), ==, CL_INVALID_GL_OBJECT);
  fixture_make_current (&rules.fixture, TRUE);
  g_assert_cmpint (release (&rules, NULL), ==, CL_SUCCESS);
  tear_down (&rules, 1);
}

static gpointer
free_image_thread (gpointer data)
{
  free_image (data);
  return NULL;
}

/* It is current, but on another thread. */
static void
case_not_current_free (void)
{
  Rules rules;

  set_up (&rules);
  g_thread_join (g_thread_new ("free", free_image_thread, &rules));
  tear_down (&rules, 1);
}

/* Only the last reference matters. */
static void
case_free_other_thread (void)
{
  Rules rules;
  cl_mem image;

  set_up (&rules);
  image = rules.image;
  clRetainMemObject (image);
  g_thread_join (g_thread_new ("free", free_image_thread, &rules));
  clReleaseMemObject (image);
  tear_down (&rules, 0);
}

/* The texture is gone */

static void
case_deleted_acquire (void)
{
  Rules rules;

  set_up (&rules);
  fixture_delete_texture (rules.texture);
  g_assert_cmpint (acquire (&rules), ==, CL_INVALID_GL_OBJECT);
  g_assert_cmpuint (layer.violations (), ==, 1);
  /* Freeing the image is then wrong as well. */
  tear_down (&rules, 2);
}

static void
case_deleted_release (void)
{
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  fixture_delete_texture (rules.texture);
  g_assert_cmpint (release (&rules, NULL), ==, CL_INVALID_GL_OBJECT);
  g_assert_cmpuint (layer.violations (), ==, 1);
  /* The image is freed without its texture, and while acquired. */
  tear_down (&rules, 3);
}

static void
case_deleted_free (void)
{
  Rules rules;

  set_up (&rules);
  fixture_delete_texture (rules.texture);
  tear_down (&rules, 1);
}

/* Nobody waits for a release */

static void
case_no_wait_acquire (void)
{
  Rules rules;
  cl_event event;

  set_up (&rules);
  acquire (&rules);
  release (&rules, &event);
  clReleaseEvent (event);
  acquire (&rules);
  release (&rules, NULL);
  tear_down (&rules, 1);
}

static void
case_no_wait_free (void)
{
  Rules rules;
  cl_event event;

  set_up (&rules);
  acquire (&rules);
  release (&rules, &event);
  free_image (&rules);
  g_assert_cmpuint (layer.violations (), ==, 1);
  clReleaseEvent (event);
  tear_down (&rules, 1);
}

/* An acquire behind the event of the last release is fine, but is no wait. */
static void
case_acquire_behind (void)
{
  Rules rules;
  cl_event events[2];

  set_up (&rules);
  acquire (&rules);
  release (&rules, &events[0]);
  g_assert_cmpint (clEnqueueAcquireGLObjects (rules.fixture.queue, 1,
          &rules.image, 1, &events[0], NULL), ==, CL_SUCCESS);
  g_assert_cmpuint (layer.violations (), ==, 0);
  release (&rules, &events[1]);
  clWaitForEvents (1, &events[1]);
  free_image (&rules);
  g_assert_cmpuint (layer.violations (), ==, 1);
  clReleaseEvent (events[0]);
  clReleaseEvent (events[1]);
  tear_down (&rules, 1);
}

/* No event, so that only clFinish of that queue would do. */
static void
case_no_wait_no_event (void)
{
  Rules rules;
  cl_command_queue other;

  set_up (&rules);
  other = clCreateCommandQueue (rules.fixture.context, rules.fixture.device, 0,
      NULL);
  acquire (&rules);
  release (&rules, NULL);
  clFlush (rules.fixture.queue);
  clFinish (other);
  free_image (&rules);
  clReleaseCommandQueue (other);
  tear_down (&rules, 1);
}

static void
case_no_wait_exit (void)
{
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  release (&rules, NULL);
}

static void
case_waits (void)
{
  cl_int status;
  cl_event event;
  Rules rules;

  set_up (&rules);
  acquire (&rules);
  release (&rules, &event);
  clWaitForEvents (1, &event);
  clReleaseEvent (event);

  acquire (&rules);
  release (&rules, &event);
  clReleaseEvent (event);
  clFinish (rules.fixture.queue);

  acquire (&rules);
  release (&rules, &event);
  do {
    clGetEventInfo (event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status),
        &status, NULL);
  } while (status != CL_COMPLETE);
  clReleaseEvent (event);

  free_image (&rules);
  tear_down (&rules, 0);
}

/* Calls which the plugin does not make */

static void
case_refused_call (void)
{
  Rules rules;

  set_up (&rules);
  g_assert_cmpint (clEnqueueMigrateMemObjects (rules.fixture.queue, 1,
          &rules.image, 0, 0, NULL, NULL), ==, CL_INVALID_OPERATION);
  tear_down (&rules, 1);
}

static void
case_refused_creation (void)
{
  Rules rules;
  cl_int error;

  set_up (&rules);
  g_assert_null (clCreateUserEvent (rules.fixture.context, &error));
  tear_down (&rules, 1);
}

/* Mapped memory */

static void *
map (Rules * rules)
{
  void *pointer = clEnqueueMapBuffer (rules->fixture.queue, rules->buffer,
      CL_TRUE, CL_MAP_READ, 0, 16, 0, NULL, NULL, NULL);

  g_assert_nonnull (pointer);
  return pointer;
}

static void
case_mapped (void)
{
  Rules rules;

  set_up (&rules);
  clEnqueueUnmapMemObject (rules.fixture.queue, rules.buffer, map (&rules), 0,
      NULL, NULL);
  tear_down (&rules, 0);
}

static void
case_mapped_exit (void)
{
  Rules rules;

  set_up (&rules);
  map (&rules);
}

static void
case_mapped_free (void)
{
  Rules rules;

  set_up (&rules);
  map (&rules);
  clReleaseMemObject (rules.buffer);
}

#define USED "is used while not acquired"
#define NOT_CURRENT "is not current on this thread"
#define DELETED "is deleted"
#define NO_WAIT "nobody has waited for its last release"
#define REFUSED "this call is not one the plugin makes"
#define LINE(function) "gl-sharing layer: " function ": "

const TestCase rule_cases[] = {
  {"use/read", COUNT_ONLY, case_use_read, 0,
      LINE ("clEnqueueReadImage") "|" USED},
  {"use/write", COUNT_ONLY, case_use_write, 0,
      LINE ("clEnqueueWriteImage") "|" USED},
  {"use/fill", COUNT_ONLY, case_use_fill, 0,
      LINE ("clEnqueueFillImage") "|" USED},
  {"use/copy-from", COUNT_ONLY, case_use_copy_from, 0,
      LINE ("clEnqueueCopyImage") "|" USED},
  {"use/copy-to", COUNT_ONLY, case_use_copy_to, 0,
      LINE ("clEnqueueCopyImage") "|" USED},
  {"use/image-to-buffer", COUNT_ONLY, case_use_image_to_buffer, 0,
      LINE ("clEnqueueCopyImageToBuffer") "|" USED},
  {"use/buffer-to-image", COUNT_ONLY, case_use_buffer_to_image, 0,
      LINE ("clEnqueueCopyBufferToImage") "|" USED},
  {"use/unmap", COUNT_ONLY, case_use_unmap, 0,
      LINE ("clEnqueueUnmapMemObject") "|" USED},
  {"use/kernel", COUNT_ONLY, case_use_kernel, 0,
      LINE ("clEnqueueNDRangeKernel") "|" USED},
  {"use/freed", NULL, case_use_freed, ABORT_STATUS,
      LINE ("clEnqueueNDRangeKernel") "argument 0 is an image which is freed"},
  {"order/acquired-twice", COUNT_ONLY, case_acquired_twice, 0,
      LINE (NAME_ACQUIRE) "|is acquired twice"},
  {"order/not-acquired", COUNT_ONLY, case_not_acquired, 0,
      LINE (NAME_RELEASE) "|is released while not acquired"},
  {"order/freed-acquired", COUNT_ONLY, case_freed_acquired, 0,
      LINE ("clReleaseMemObject") "|is freed while it is acquired"},
  {"order/aborts", NULL, case_aborts, ABORT_STATUS,
      LINE (NAME_RELEASE) "|is released while not acquired"},
  {"current/create", COUNT_ONLY, case_not_current_create, 0,
      LINE ("clCreateFromGLTexture") "|" NOT_CURRENT},
  {"current/acquire", COUNT_ONLY, case_not_current_acquire, 0,
      LINE (NAME_ACQUIRE) "|" NOT_CURRENT},
  {"current/release", COUNT_ONLY, case_not_current_release, 0,
      LINE (NAME_RELEASE) "|" NOT_CURRENT},
  {"current/free", COUNT_ONLY, case_not_current_free, 0,
      LINE ("clReleaseMemObject") "|" NOT_CURRENT},
  {"current/free-other-thread", NULL, case_free_other_thread, 0, NULL},
  {"deleted/acquire", COUNT_ONLY, case_deleted_acquire, 0,
      LINE (NAME_ACQUIRE) "|" DELETED},
  {"deleted/release", COUNT_ONLY, case_deleted_release, 0,
      LINE (NAME_RELEASE) "|" DELETED},
  {"deleted/free", COUNT_ONLY, case_deleted_free, 0,
      LINE ("clReleaseMemObject") "|" DELETED},
  {"wait/none-acquire", COUNT_ONLY, case_no_wait_acquire, 0,
      LINE (NAME_ACQUIRE) "|" NO_WAIT},
  {"wait/behind", COUNT_ONLY, case_acquire_behind, 0,
      LINE ("clReleaseMemObject") "|" NO_WAIT},
  {"wait/none-free", COUNT_ONLY, case_no_wait_free, 0,
      LINE ("clReleaseMemObject") "|" NO_WAIT},
  {"wait/none-no-event", COUNT_ONLY, case_no_wait_no_event, 0,
      LINE ("clReleaseMemObject") "|" NO_WAIT},
  {"wait/none-exit", NULL, case_no_wait_exit, ABORT_STATUS,
      LINE ("exit") "|nobody has waited for the last " NAME_RELEASE},
  {"wait/all", NULL, case_waits, 0, NULL},
  {"refused/call", COUNT_ONLY, case_refused_call, 0,
      LINE ("clEnqueueMigrateMemObjects") REFUSED},
  {"refused/creation", COUNT_ONLY, case_refused_creation, 0,
      LINE ("clCreateUserEvent") REFUSED},
  {"refused/aborts", NULL, case_refused_call, ABORT_STATUS,
      LINE ("clEnqueueMigrateMemObjects") REFUSED},
  {"mapped/unmapped", NULL, case_mapped, 0, NULL},
  {"mapped/exit", NULL, case_mapped_exit, ABORT_STATUS,
      LINE ("exit") "|of clCreateBuffer was mapped and never unmapped"},
  {"mapped/exit-counted", COUNT_ONLY, case_mapped_exit,
        GLOPENCL_LAYER_EXIT_LEAK,
      "was mapped and never unmapped|1 memory object of clCreateBuffer"},
  {"mapped/freed", NULL, case_mapped_free, ABORT_STATUS,
      LINE ("clReleaseMemObject") "|is freed while it is mapped"},
  {NULL, NULL, NULL, 0, NULL}
};
