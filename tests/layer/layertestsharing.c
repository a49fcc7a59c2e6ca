/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases of the layer's test about the emulated extension: its answers to
 * queries, the copies of pixels, the GL state, which must stay unchanged, and
 * the effects of the environment.
 */

#include <string.h>

#include "layertestcases.h"

static const char invert_source[] =
    "const sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE\n"
    "    | CLK_FILTER_NEAREST;\n"
    "kernel void invert (read_only image2d_t in, write_only image2d_t out)\n"
    "{\n"
    "  int2 at = (int2) (get_global_id (0), get_global_id (1));\n"
    "  float4 color = read_imagef (in, plain, at);\n"
    "  color.x = 1.0f - color.x;\n" "  write_imagef (out, at, color);\n" "}\n";

static void
launch (Fixture * fixture, cl_mem in, cl_mem out)
{
  const size_t size[2] = { TEST_WIDTH, TEST_HEIGHT };

  SUCCEEDS (clSetKernelArg (fixture->kernel, 0, sizeof (in), &in));
  SUCCEEDS (clSetKernelArg (fixture->kernel, 1, sizeof (out), &out));
  SUCCEEDS (clEnqueueNDRangeKernel (fixture->queue, fixture->kernel, 2, NULL,
          size, NULL, 0, NULL, NULL));
}

/* Inverts the red of the texture @in into the texture @out, by the fixture's
 * kernel. */
static void
invert (Fixture * fixture, GLuint in, GLuint out)
{
  cl_mem images[2] = {
    fixture_create_image (fixture, in), fixture_create_image (fixture, out)
  };
  cl_event event;

  SUCCEEDS (clEnqueueAcquireGLObjects (fixture->queue, 2, images, 0, NULL,
          &event));
  clReleaseEvent (event);
  launch (fixture, images[0], images[1]);
  SUCCEEDS (clEnqueueReleaseGLObjects (fixture->queue, 2, images, 0, NULL,
          &event));
  SUCCEEDS (clWaitForEvents (1, &event));
  clReleaseEvent (event);
  clReleaseMemObject (images[0]);
  clReleaseMemObject (images[1]);
}

static void
round_trip (Fixture * fixture)
{
  guint8 before[TEST_BYTES], after[TEST_BYTES];
  GLuint in = fixture_create_texture (3), out = fixture_create_texture (99);

  test_pattern (before, 3);
  test_pattern (after, 3);
  for (guint i = 0; i < TEST_BYTES; i += 4)
    after[i] = 255 - after[i];
  fixture->kernel = fixture_create_kernel (fixture, invert_source, "invert");

  invert (fixture, in, out);
  g_assert_true (fixture_texture_equals (in, before));
  g_assert_true (fixture_texture_equals (out, after));
  /* And back, which shows that nothing sticks. */
  invert (fixture, out, in);
  g_assert_true (fixture_texture_equals (in, before));

  fixture_delete_texture (in);
  fixture_delete_texture (out);
}

/* Release waits for the events it is given. */
static void
wait_list (Fixture * fixture)
{
  guint8 expected[TEST_BYTES];
  cl_event event;

  test_pattern (expected, 200);
  fixture_acquire (fixture);
  clEnqueueWriteImage (fixture->queue, fixture->image, CL_FALSE, test_origin,
      test_region, 0, 0, expected, 0, NULL, &event);
  clEnqueueReleaseGLObjects (fixture->queue, 1, &fixture->image, 1, &event,
      NULL);
  clReleaseEvent (event);
  fixture_finish (fixture);
  g_assert_true (fixture_texture_equals (fixture->texture, expected));
}

/* Release comes after everything before it, even on such a queue, where the
 * write has not begun yet. */
static void
out_of_order (Fixture * fixture)
{
  guint8 expected[TEST_BYTES];
  cl_event gate = fixture_create_gate (fixture);
  GThread *thread;

  clReleaseCommandQueue (fixture->queue);
  fixture->queue = clCreateCommandQueue (fixture->context, fixture->device,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
  test_pattern (expected, 200);
  fixture_acquire (fixture);
  clEnqueueWriteImage (fixture->queue, fixture->image, CL_FALSE, test_origin,
      test_region, 0, 0, expected, 1, &gate, NULL);
  thread = fixture_open_gate (gate);
  fixture_release (fixture);
  fixture_finish (fixture);
  g_assert_true (fixture_texture_equals (fixture->texture, expected));
  g_thread_join (thread);
  clReleaseEvent (gate);
}

/* GL state */

static const struct
{
  GLenum name;
  GLint odd;
  GLint initial;
} pixel_store[] = {
  {GL_PACK_ALIGNMENT, 8, 4},
  {GL_PACK_ROW_LENGTH, 111, 0},
  {GL_PACK_SKIP_ROWS, 2, 0},
  {GL_PACK_SKIP_PIXELS, 3, 0},
  {GL_UNPACK_ALIGNMENT, 2, 4},
  {GL_UNPACK_ROW_LENGTH, 112, 0},
  {GL_UNPACK_SKIP_ROWS, 4, 0},
  {GL_UNPACK_SKIP_PIXELS, 5, 0},
};

/* What is bound; all 0 at first. */
typedef struct
{
  GLuint buffers[2];
  GLuint framebuffer;
  GLuint texture;
} Bindings;

static void
set_gl_state (const Bindings * bindings, gboolean odd)
{
  gl.BindBuffer (GL_PIXEL_PACK_BUFFER, bindings->buffers[0]);
  gl.BindBuffer (GL_PIXEL_UNPACK_BUFFER, bindings->buffers[1]);
  gl.BindFramebuffer (GL_FRAMEBUFFER, bindings->framebuffer);
  gl.BindTexture (GL_TEXTURE_2D, bindings->texture);
  for (guint i = 0; i < G_N_ELEMENTS (pixel_store); i++)
    gl.PixelStorei (pixel_store[i].name,
        odd ? pixel_store[i].odd : pixel_store[i].initial);
}

static void
assert_gl_integer (GLenum name, GLint expected)
{
  GLint value = -1;

  gl.GetIntegerv (name, &value);
  g_assert_cmpint (value, ==, expected);
}

/* The state is still the odd one. */
static void
assert_gl_state (const Bindings * bindings)
{
  assert_gl_integer (GL_PIXEL_PACK_BUFFER_BINDING, bindings->buffers[0]);
  assert_gl_integer (GL_PIXEL_UNPACK_BUFFER_BINDING, bindings->buffers[1]);
  assert_gl_integer (GL_READ_FRAMEBUFFER_BINDING, bindings->framebuffer);
  assert_gl_integer (GL_DRAW_FRAMEBUFFER_BINDING, bindings->framebuffer);
  assert_gl_integer (GL_TEXTURE_BINDING_2D, bindings->texture);
  for (guint i = 0; i < G_N_ELEMENTS (pixel_store); i++)
    assert_gl_integer (pixel_store[i].name, pixel_store[i].odd);
  g_assert_cmpuint (gl.GetError (), ==, GL_NO_ERROR);
}

static void
gl_state (Fixture * fixture)
{
  const Bindings nothing = { {0, 0}, 0, 0 };
  Bindings odd = {.texture = fixture_create_texture (2) };
  guint8 expected[TEST_BYTES];

  fixture->texture = fixture_create_texture (1);
  gl.GenFramebuffers (1, &odd.framebuffer);
  gl.GenBuffers (2, odd.buffers);
  set_gl_state (&odd, TRUE);

  fixture->image = fixture_create_image (fixture, fixture->texture);
  assert_gl_state (&odd);
  fixture_acquire (fixture);
  assert_gl_state (&odd);
  fixture_release (fixture);
  assert_gl_state (&odd);
  fixture_finish (fixture);
  clReleaseMemObject (fixture->image);
  fixture->image = NULL;
  assert_gl_state (&odd);

  set_gl_state (&nothing, FALSE);
  test_pattern (expected, 1);
  g_assert_true (fixture_texture_equals (fixture->texture, expected));
  gl.DeleteBuffers (2, odd.buffers);
  gl.DeleteFramebuffers (1, &odd.framebuffer);
  fixture_delete_texture (odd.texture);
}

/* Queries */

static gboolean
has_sharing (const char *extensions)
{
  g_auto (GStrv) words = g_strsplit (extensions, " ", -1);

  return g_strv_contains ((const char *const *) words, "cl_khr_gl_sharing");
}

/* The query says the size alone, all, and that there is not enough room. */
static gboolean
device_has_sharing (Fixture * fixture)
{
  char extensions[4096];
  size_t size, written;

  SUCCEEDS (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS, 0, NULL,
          &size));
  g_assert_cmpuint (size, <=, sizeof (extensions));
  SUCCEEDS (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS, size,
          extensions, &written));
  g_assert_cmpuint (written, ==, size);
  g_assert_cmpuint (strlen (extensions) + 1, ==, size);
  RETURNS (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS, size - 1,
          extensions, NULL), CL_INVALID_VALUE);
  return has_sharing (extensions);
}

static void
extensions (Fixture * fixture)
{
  char extensions[4096];
  size_t size;

  g_assert_true (device_has_sharing (fixture));
  SUCCEEDS (clGetPlatformInfo (fixture->platform, CL_PLATFORM_EXTENSIONS,
          sizeof (extensions), extensions, &size));
  g_assert_cmpuint (strlen (extensions) + 1, ==, size);
  g_assert_true (has_sharing (extensions));
}

/* Only of use with a driver which lacks the extension. */
static void
no_sharing (Fixture * fixture)
{
  g_assert_false (device_has_sharing (fixture));
}

/* @gl_context may be none. */
static cl_int
get_context_info (Fixture * fixture, EGLContext gl_context,
    cl_gl_context_info name, cl_device_id * device)
{
  const cl_context_properties properties[] = {
    CL_GL_CONTEXT_KHR, (cl_context_properties) gl_context,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) fixture->display,
    CL_CONTEXT_PLATFORM, (cl_context_properties) fixture->platform,
    0
  };
  clGetGLContextInfoKHR_fn get_info = (clGetGLContextInfoKHR_fn)
      clGetExtensionFunctionAddressForPlatform (fixture->platform,
      "clGetGLContextInfoKHR");
  size_t size = 0;
  cl_int error = get_info (properties, name, sizeof (*device), device, &size);

  g_assert_cmpuint (size, ==, error == CL_SUCCESS ? sizeof (*device) : 0);
  return error;
}

static void
context_info (Fixture * fixture)
{
  const cl_gl_context_info names[] = {
    CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, CL_DEVICES_FOR_GL_CONTEXT_KHR
  };
  cl_device_id device;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    device = NULL;
    SUCCEEDS (get_context_info (fixture, fixture->gl_context, names[i],
            &device));
    g_assert_true (device == fixture->device);
  }
  RETURNS (get_context_info (fixture, EGL_NO_CONTEXT, names[1], &device),
      CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
}

/* The driver gets what is not about GL. */
static void
check_other_properties (Fixture * fixture)
{
  const cl_context_properties properties[] = {
    CL_GL_CONTEXT_KHR, (cl_context_properties) fixture->gl_context,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) fixture->display,
    CL_CONTEXT_PLATFORM, 0,
    0
  };
  cl_int error;

  g_assert_null (clCreateContext (properties, 1, &fixture->device, NULL, NULL,
          &error));
  RETURNS (error, CL_INVALID_PLATFORM);
}

static void
context_without_gl (Fixture * fixture)
{
  cl_int error;

  g_assert_null (fixture_create_context (fixture, EGL_NO_CONTEXT, &error));
  RETURNS (error, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
}

static void
image_errors (Fixture * fixture)
{
  const struct
  {
    GLenum target;
    GLint level;
    GLuint texture;
    cl_int error;
  } wrong[] = {
    {GL_TEXTURE_3D, 0, fixture->texture, CL_INVALID_VALUE},
    {GL_TEXTURE_2D, 1, fixture->texture, CL_INVALID_MIP_LEVEL},
    {GL_TEXTURE_2D, 0, 12345, CL_INVALID_GL_OBJECT},
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_cmpint (fixture_create_image_error (fixture, wrong[i].target,
            wrong[i].level, wrong[i].texture), ==, wrong[i].error);
  RETURNS (clEnqueueAcquireGLObjects (fixture->queue, 1, &fixture->buffer, 0,
          NULL, NULL), CL_INVALID_GL_OBJECT);
}

static void
image_info (Fixture * fixture)
{
  cl_image_format format;
  size_t width;

  QUERY (clGetImageInfo, fixture->image, CL_IMAGE_WIDTH, width);
  g_assert_cmpuint (width, ==, TEST_WIDTH);
  QUERY (clGetImageInfo, fixture->image, CL_IMAGE_FORMAT, format);
  g_assert_cmpuint (format.image_channel_order, ==, CL_RGBA);
  g_assert_cmpuint (format.image_channel_data_type, ==, CL_UNORM_INT8);
}

/* Environment */

static void
bgra (Fixture * fixture)
{
  guint8 expected[TEST_BYTES], pixels[TEST_BYTES];
  cl_image_format format;

  QUERY (clGetImageInfo, fixture->image, CL_IMAGE_FORMAT, format);
  g_assert_cmpuint (format.image_channel_order, ==, CL_BGRA);
  fixture_acquire (fixture);
  SUCCEEDS (clEnqueueReadImage (fixture->queue, fixture->image, CL_TRUE,
          test_origin, test_region, 0, 0, pixels, 0, NULL, NULL));
  test_pattern (expected, 1);
  for (guint i = 0; i < TEST_BYTES; i += 4) {
    g_assert_cmpuint (pixels[i], ==, expected[i + 2]);
    g_assert_cmpuint (pixels[i + 1], ==, expected[i + 1]);
    g_assert_cmpuint (pixels[i + 2], ==, expected[i]);
    g_assert_cmpuint (pixels[i + 3], ==, expected[i + 3]);
  }
  fixture_release (fixture);
  fixture_finish (fixture);
  g_assert_true (fixture_texture_equals (fixture->texture, expected));
}

static void
corrupt (Fixture * fixture)
{
  guint8 before[TEST_BYTES];
  GLuint in = fixture_create_texture (3), out = fixture_create_texture (99);

  fixture->kernel = fixture_create_kernel (fixture, invert_source, "invert");
  invert (fixture, in, out);
  test_pattern (before, 99);
  g_assert_true (fixture_texture_equals (out, before));
  fixture_delete_texture (in);
  fixture_delete_texture (out);
}

static void
break_sharing (Fixture * fixture)
{
  fixture->texture = fixture_create_texture (0);
  RETURNS (fixture_create_image_error (fixture, GL_TEXTURE_2D, 0,
          fixture->texture), CL_INVALID_GL_OBJECT);
}

static void
max_image (Fixture * fixture)
{
  size_t width;

  QUERY (clGetDeviceInfo, fixture->device, CL_DEVICE_IMAGE2D_MAX_WIDTH, width);
  g_assert_cmpuint (width, ==, TEST_WIDTH - 1);
  fixture->texture = fixture_create_texture (0);
  RETURNS (fixture_create_image_error (fixture, GL_TEXTURE_2D, 0,
          fixture->texture), CL_INVALID_IMAGE_SIZE);
}

static void
gpu (Fixture * fixture)
{
  cl_device_id device = NULL;
  cl_device_type type;
  cl_uint count = 1;

  SUCCEEDS (clGetDeviceIDs (fixture->platform, CL_DEVICE_TYPE_GPU, 1, &device,
          NULL));
  g_assert_true (device == fixture->device);
  RETURNS (clGetDeviceIDs (fixture->platform, CL_DEVICE_TYPE_CPU, 1, &device,
          &count), CL_DEVICE_NOT_FOUND);
  g_assert_cmpuint (count, ==, 0);
  QUERY (clGetDeviceInfo, fixture->device, CL_DEVICE_TYPE, type);
  g_assert_cmpuint (type, ==, CL_DEVICE_TYPE_GPU);
}

static void
discrete (Fixture * fixture)
{
  cl_bool unified;

  QUERY (clGetDeviceInfo, fixture->device,
      CL_DEVICE_HOST_UNIFIED_MEMORY, unified);
  g_assert_cmpuint (unified, ==, CL_FALSE);
}

static void
get_platforms (Fixture * fixture)
{
  cl_uint count;

  (void) fixture;
  clGetPlatformIDs (0, NULL, &count);
}

const TestCase sharing_cases[] = {
  {"round-trip/core", FIXTURE_QUEUE, {round_trip}},
  {"round-trip/compatibility", FIXTURE_QUEUE, {round_trip},
      TEST_GL_COMPATIBILITY},
  {"round-trip/es2", FIXTURE_QUEUE, {round_trip}, TEST_GL_ES2},
  {"round-trip/es2-only", FIXTURE_QUEUE, {round_trip}, TEST_GL_ES2,
      .environment = "MESA_GLES_VERSION_OVERRIDE=2.0"},
  {"round-trip/es3", FIXTURE_QUEUE, {round_trip}, TEST_GL_ES3},
  {"round-trip/es3-only", FIXTURE_QUEUE, {round_trip}, TEST_GL_ES3,
      .environment = "MESA_GLES_VERSION_OVERRIDE=3.0"},
  {"round-trip/bgra", FIXTURE_QUEUE, {round_trip},
      .environment = "GLOPENCL_LAYER_BGRA=1"},
  {"round-trip/wait-list", FIXTURE_IMAGE, {wait_list}},
  {"round-trip/out-of-order", FIXTURE_IMAGE, {out_of_order}},
  {"state/core", FIXTURE_QUEUE, {gl_state}},
  {"state/es3", FIXTURE_QUEUE, {gl_state}, TEST_GL_ES3},
  {"query/extensions", FIXTURE_GL, {extensions}},
  {"query/context-info", FIXTURE_GL, {context_info}},
  {"query/context", FIXTURE_GL, {check_other_properties, context_without_gl}},
  {"query/image", FIXTURE_IMAGE, {image_errors, image_info}},
  {"environment/no-sharing", FIXTURE_GL, {no_sharing},
      .environment = "GLOPENCL_LAYER_SHARING=0"},
  {"environment/bgra", FIXTURE_IMAGE, {bgra},
      .environment = "GLOPENCL_LAYER_BGRA=1"},
  {"environment/corrupt-bytes", FIXTURE_QUEUE, {corrupt},
      .environment = "GLOPENCL_LAYER_CORRUPT=4"},
  {"environment/corrupt", FIXTURE_QUEUE, {corrupt},
      .environment = "GLOPENCL_LAYER_CORRUPT=all"},
  {"environment/break-sharing", FIXTURE_QUEUE, {break_sharing},
      .environment = "GLOPENCL_LAYER_BREAK_SHARING=1"},
  {"environment/max-image", FIXTURE_QUEUE, {max_image},
      .environment = "GLOPENCL_LAYER_MAX_IMAGE=36"},
  {"environment/gpu", FIXTURE_GL, {gpu},
      .environment = "GLOPENCL_LAYER_TYPE=gpu"},
  {"environment/discrete", FIXTURE_GL, {discrete},
      .environment = "GLOPENCL_LAYER_DISCRETE=1"},
  {"environment/nonsense", FIXTURE_NOTHING, {get_platforms},
      .environment = "GLOPENCL_LAYER_TYPE=toaster",.status = ABORT_STATUS,
      .messages = "wrong use of the layer"},
  {.name = NULL}
};
