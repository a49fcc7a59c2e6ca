/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases of the layer's test that break each rule, and cases that keep the rules
 * in less obvious ways.  Each case is a list of steps; many steps are a single
 * call.
 */

#include "layertestcases.h"

#define NAME_ACQUIRE "clEnqueueAcquireGLObjects"
#define NAME_RELEASE "clEnqueueReleaseGLObjects"

/* A step of one call. */
#define STEP(name, call) \
static void \
name (Fixture *fixture) \
{ \
  call; \
}

/* And one of a call which returns that. */
#define STEP_RETURNS(name, call, result) STEP (name, RETURNS (call, result))

/* *INDENT-OFF* */
/* Commands on the image */

static guint8 pixels[TEST_BYTES];
static const float red[4] = { 1, 0, 0, 1 };

STEP (use_read, clEnqueueReadImage (fixture->queue, fixture->image, CL_TRUE,
        test_origin, test_region, 0, 0, pixels, 0, NULL, NULL))
STEP (use_write, clEnqueueWriteImage (fixture->queue, fixture->image, CL_TRUE,
        test_origin, test_region, 0, 0, pixels, 0, NULL, NULL))
STEP (use_fill, clEnqueueFillImage (fixture->queue, fixture->image, red,
        test_origin, test_region, 0, NULL, NULL))
STEP (use_copy_from, clEnqueueCopyImage (fixture->queue, fixture->image,
        fixture->plain, test_origin, test_origin, test_region, 0, NULL, NULL))
STEP (use_copy_to, clEnqueueCopyImage (fixture->queue, fixture->plain,
        fixture->image, test_origin, test_origin, test_region, 0, NULL, NULL))
STEP (use_image_to_buffer, clEnqueueCopyImageToBuffer (fixture->queue,
        fixture->image, fixture->buffer, test_origin, test_region, 0, 0, NULL,
        NULL))
STEP (use_buffer_to_image, clEnqueueCopyBufferToImage (fixture->queue,
        fixture->buffer, fixture->image, 0, test_origin, test_region, 0, NULL,
        NULL))
STEP (use_unmap, clEnqueueUnmapMemObject (fixture->queue, fixture->image,
        pixels, 0, NULL, NULL))

/* Kernels */

static const char fill_source[] =
    "kernel void fill (write_only image2d_t out)\n"
    "{\n"
    "  write_imagef (out, (int2) (get_global_id (0), 0), (float4) (1.0f));\n"
    "}\n";
static const size_t one_row = TEST_WIDTH;

STEP (create_kernel,
    fixture->kernel = fixture_create_kernel (fixture, fill_source, "fill"))
STEP (set_argument, clSetKernelArg (fixture->kernel, 0, sizeof (cl_mem),
        &fixture->image))
STEP (set_plain_argument, clSetKernelArg (fixture->kernel, 0, sizeof (cl_mem),
        &fixture->plain))
STEP (launch, clEnqueueNDRangeKernel (fixture->queue, fixture->kernel, 1, NULL,
        &one_row, NULL, 0, NULL, NULL))

/* Acquire and release */

STEP_RETURNS (acquire_refused, clEnqueueAcquireGLObjects (fixture->queue, 1,
        &fixture->image, 0, NULL, NULL), CL_INVALID_GL_OBJECT)
/* Behind the event of the last release. */
STEP_RETURNS (acquire_behind, clEnqueueAcquireGLObjects (fixture->queue, 1,
        &fixture->image, 1, &fixture->events[fixture->n_events - 1], NULL),
    CL_SUCCESS)
STEP_RETURNS (release_refused, clEnqueueReleaseGLObjects (fixture->queue, 1,
        &fixture->image, 0, NULL, NULL), CL_INVALID_GL_OBJECT)
STEP_RETURNS (release_with_event, clEnqueueReleaseGLObjects (fixture->queue, 1,
        &fixture->image, 0, NULL, &fixture->events[fixture->n_events++]),
    CL_SUCCESS)

/* Waiting, or something like it */

STEP (drop_event, clReleaseEvent (fixture->events[--fixture->n_events]))
STEP (wait_event,
    clWaitForEvents (1, &fixture->events[fixture->n_events - 1]))
/* *INDENT-ON* */

static void
poll_event (Fixture * fixture)
{
  cl_int status;

  do {
    clGetEventInfo (fixture->events[fixture->n_events - 1],
        CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL);
  } while (status != CL_COMPLETE);
}

static void
flush_and_finish_other_queue (Fixture * fixture)
{
  cl_command_queue other = clCreateCommandQueue (fixture->context,
      fixture->device, 0, NULL);

  clFlush (fixture->queue);
  clFinish (other);
  clReleaseCommandQueue (other);
}

/* *INDENT-OFF* */
/* The GL context and the texture */

STEP (lose_current, fixture_make_current (fixture, FALSE))
STEP (make_current, fixture_make_current (fixture, TRUE))
STEP_RETURNS (create_refused, fixture_create_image_error (fixture,
        GL_TEXTURE_2D, 0, fixture->texture), CL_INVALID_GL_OBJECT)
STEP (delete_texture, fixture_delete_texture (fixture->texture))
/* *INDENT-ON* */

/* Freeing */

static void
free_image (Fixture * fixture)
{
  clReleaseMemObject (fixture->image);
  fixture->image = NULL;
}

/* Takes a reference and gives it back. */
static void
retain_and_release_image (Fixture * fixture)
{
  clRetainMemObject (fixture->image);
  clReleaseMemObject (fixture->image);
}

static gpointer
release_image_thread (gpointer image)
{
  clReleaseMemObject (image);
  return NULL;
}

/* The GL context is current, but on another thread. */
static void
free_image_on_thread (Fixture * fixture)
{
  g_thread_join (g_thread_new ("free", release_image_thread, fixture->image));
  fixture->image = NULL;
}

/* Only the last reference matters. */
static void
release_retained_image_on_thread (Fixture * fixture)
{
  clRetainMemObject (fixture->image);
  g_thread_join (g_thread_new ("free", release_image_thread, fixture->image));
}

static void
free_buffer (Fixture * fixture)
{
  clReleaseMemObject (fixture->buffer);
  fixture->buffer = NULL;
}

/* Mapped memory */

static void *
map (Fixture * fixture)
{
  void *pointer = clEnqueueMapBuffer (fixture->queue, fixture->buffer, CL_TRUE,
      CL_MAP_READ, 0, 16, 0, NULL, NULL, NULL);

  g_assert_nonnull (pointer);
  return pointer;
}

static void
map_buffer (Fixture * fixture)
{
  map (fixture);
}

static void
map_and_unmap_buffer (Fixture * fixture)
{
  clEnqueueUnmapMemObject (fixture->queue, fixture->buffer, map (fixture), 0,
      NULL, NULL);
}

/* *INDENT-OFF* */
/* Calls which the plugin does not make */

STEP_RETURNS (call_refused, clEnqueueMigrateMemObjects (fixture->queue, 1,
        &fixture->image, 0, 0, NULL, NULL), CL_INVALID_OPERATION)
STEP (creation_refused,
    g_assert_null (clCreateUserEvent (fixture->context, NULL)))
/* *INDENT-ON* */

static void
acquire_listed_twice (Fixture * fixture)
{
  const cl_mem images[] = { fixture->image, fixture->image };

  g_assert_cmpint (clEnqueueAcquireGLObjects (fixture->queue, 2, images, 0,
          NULL, NULL), ==, CL_SUCCESS);
}

/* What has been broken so far */

static void
none_broken (Fixture * fixture)
{
  (void) fixture;
  g_assert_cmpuint (layer.violations (), ==, 0);
}

static void
one_broken (Fixture * fixture)
{
  (void) fixture;
  g_assert_cmpuint (layer.violations (), ==, 1);
}

#define USED "is used while not acquired"
#define NOT_CURRENT "is not current on this thread"
#define DELETED "is deleted"
#define NO_WAIT "nobody has waited for its last release"
#define REFUSED "this call is not one the plugin makes"

/* A case whose steps, and the end of it, break rules so many times.  One is
 * reported with that function and that text. */
#define BREAKS(count, case_name, function, rule, ...) \
  {case_name, FIXTURE_IMAGE, {__VA_ARGS__}, .broken = count, \
      .messages = LINE (function) "|" rule}
#define KEEPS(case_name, ...) {case_name, FIXTURE_IMAGE, {__VA_ARGS__}}
/* Or one whose steps, or what they leave behind, abort. */
#define ABORTS(case_name, function, rule, ...) \
  {case_name, FIXTURE_IMAGE, {__VA_ARGS__, fixture_leave}, \
      .status = ABORT_STATUS, .messages = LINE (function) "|" rule}

/* The same command again on an acquired image is fine. */
#define USES(case_name, function, command) \
  BREAKS (1, case_name, function, USED, command, fixture_finish, one_broken, \
      fixture_acquire, command, fixture_release)

/* *INDENT-OFF* */
const TestCase rule_cases[] = {
  USES ("use/read", "clEnqueueReadImage", use_read),
  USES ("use/write", "clEnqueueWriteImage", use_write),
  USES ("use/fill", "clEnqueueFillImage", use_fill),
  USES ("use/copy-from", "clEnqueueCopyImage", use_copy_from),
  USES ("use/copy-to", "clEnqueueCopyImage", use_copy_to),
  USES ("use/image-to-buffer", "clEnqueueCopyImageToBuffer",
      use_image_to_buffer),
  USES ("use/buffer-to-image", "clEnqueueCopyBufferToImage",
      use_buffer_to_image),
  USES ("use/unmap", "clEnqueueUnmapMemObject", use_unmap),
  BREAKS (1, "use/kernel", "clEnqueueNDRangeKernel", USED, create_kernel,
      set_argument, launch, one_broken, fixture_acquire, launch,
      fixture_release),
  BREAKS (1, "use/replaced-argument", "clEnqueueNDRangeKernel", USED,
      create_kernel, set_argument, set_plain_argument, launch, none_broken,
      set_argument, launch),
  ABORTS ("use/freed", "clEnqueueNDRangeKernel",
      "argument 0 is an image which is freed", create_kernel, set_argument,
      free_image, launch),
  BREAKS (1, "order/acquired-twice", NAME_ACQUIRE, "is acquired twice",
      fixture_acquire, fixture_acquire, fixture_release),
  BREAKS (1, "order/listed-twice", NAME_ACQUIRE, "is in the list twice",
      acquire_listed_twice, fixture_release),
  BREAKS (1, "order/not-acquired", NAME_RELEASE,
      "is released while not acquired", fixture_release),
  BREAKS (1, "order/freed-acquired", "clReleaseMemObject",
      "is freed while it is acquired", fixture_acquire,
      retain_and_release_image, none_broken, free_image),
  ABORTS ("order/aborts", NAME_RELEASE, "is released while not acquired",
      fixture_release),
  BREAKS (1, "current/create", "clCreateFromGLTexture", NOT_CURRENT,
      lose_current, create_refused, make_current),
  BREAKS (1, "current/acquire", NAME_ACQUIRE, NOT_CURRENT, lose_current,
      acquire_refused, make_current),
  BREAKS (1, "current/release", NAME_RELEASE, NOT_CURRENT, fixture_acquire,
      lose_current, release_refused, make_current, fixture_release),
  BREAKS (1, "current/free", "clReleaseMemObject", NOT_CURRENT,
      free_image_on_thread),
  KEEPS ("current/free-other-thread", release_retained_image_on_thread),
  /* Freeing the image is then wrong as well, */
  BREAKS (2, "deleted/acquire", NAME_ACQUIRE, DELETED, delete_texture,
      acquire_refused, one_broken),
  /* and here while it is acquired. */
  BREAKS (3, "deleted/release", NAME_RELEASE, DELETED, fixture_acquire,
      delete_texture, release_refused, one_broken),
  BREAKS (1, "deleted/free", "clReleaseMemObject", DELETED, delete_texture),
  BREAKS (1, "wait/none-acquire", NAME_ACQUIRE, NO_WAIT, fixture_acquire,
      release_with_event, drop_event, fixture_acquire, fixture_release),
  /* An acquire behind the event of the last release is fine, but no wait. */
  BREAKS (1, "wait/behind", "clReleaseMemObject", NO_WAIT, fixture_acquire,
      release_with_event, acquire_behind, none_broken, release_with_event,
      free_image, one_broken),
  BREAKS (1, "wait/none-free", "clReleaseMemObject", NO_WAIT, fixture_acquire,
      release_with_event, free_image, one_broken),
  /* No event, so that only clFinish of that queue would do. */
  BREAKS (1, "wait/none-no-event", "clReleaseMemObject", NO_WAIT,
      fixture_acquire, fixture_release, flush_and_finish_other_queue,
      free_image),
  ABORTS ("wait/none-exit", "exit",
      "nobody has waited for the last release", fixture_acquire,
      fixture_release),
  /* A wait for the last release of a chain is one for all. */
  KEEPS ("wait/behind-all", fixture_acquire, release_with_event,
      acquire_behind, release_with_event, acquire_behind, release_with_event,
      wait_event, free_image),
  KEEPS ("wait/all", fixture_acquire, release_with_event, wait_event,
      drop_event, fixture_acquire, release_with_event, drop_event,
      fixture_finish, fixture_acquire, release_with_event, poll_event,
      drop_event, free_image),
  BREAKS (1, "refused/call", "clEnqueueMigrateMemObjects", REFUSED,
      call_refused),
  BREAKS (1, "refused/creation", "clCreateUserEvent", REFUSED,
      creation_refused),
  ABORTS ("refused/aborts", "clEnqueueMigrateMemObjects", REFUSED,
      call_refused),
  KEEPS ("mapped/unmapped", map_and_unmap_buffer),
  ABORTS ("mapped/exit", "exit",
      "of clCreateBuffer was mapped and never unmapped", map_buffer),
  {"mapped/exit-counted", FIXTURE_IMAGE, {map_buffer, fixture_leave},
      .environment = "GLOPENCL_LAYER_ABORT=0",
      .status = GLOPENCL_LAYER_EXIT_LEAK,
      .messages = "was mapped and never unmapped|"
        "1 memory object of clCreateBuffer"},
  ABORTS ("mapped/freed", "clReleaseMemObject", "is freed while it is mapped",
      map_buffer, free_buffer),
  {.name = NULL}
};
/* *INDENT-ON* */
