/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cases of the layer's test about the emulated extension: what it answers, that
 * pixels arrive, that GL state stays, and what the environment changes.
 */

#include <string.h>

#include "layertestcases.h"
#include "layertestfixture.h"

static const char invert_source[] =
    "const sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE\n"
    "    | CLK_FILTER_NEAREST;\n"
    "kernel void invert (read_only image2d_t in, write_only image2d_t out)\n"
    "{\n"
    "  int2 at = (int2) (get_global_id (0), get_global_id (1));\n"
    "  float4 color = read_imagef (in, plain, at);\n"
    "  color.x = 1.0f - color.x;\n" "  write_imagef (out, at, color);\n" "}\n";

static cl_kernel
create_invert_kernel (Fixture * fixture)
{
  const char *source = invert_source;
  cl_program program;
  cl_kernel kernel;
  cl_int error;

  program = clCreateProgramWithSource (fixture->context, 1, &source, NULL,
      &error);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  error = clBuildProgram (program, 1, &fixture->device, "", NULL, NULL);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  kernel = clCreateKernel (program, "invert", &error);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  clReleaseProgram (program);
  return kernel;
}

static void
launch (Fixture * fixture, cl_kernel kernel, cl_mem in, cl_mem out)
{
  const size_t size[2] = { TEST_WIDTH, TEST_HEIGHT };
  cl_int error;

  error = clSetKernelArg (kernel, 0, sizeof (in), &in);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  error = clSetKernelArg (kernel, 1, sizeof (out), &out);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  error = clEnqueueNDRangeKernel (fixture->queue, kernel, 2, NULL, size, NULL,
      0, NULL, NULL);
  g_assert_cmpint (error, ==, CL_SUCCESS);
}

/* Inverts the red of the texture @in into the texture @out. */
static void
invert (Fixture * fixture, cl_kernel kernel, GLuint in, GLuint out)
{
  cl_mem images[2] = {
    fixture_create_image (fixture, in), fixture_create_image (fixture, out)
  };
  cl_event event;
  cl_int error;

  error = clEnqueueAcquireGLObjects (fixture->queue, 2, images, 0, NULL,
      &event);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  clReleaseEvent (event);
  launch (fixture, kernel, images[0], images[1]);
  error = clEnqueueReleaseGLObjects (fixture->queue, 2, images, 0, NULL,
      &event);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  error = clWaitForEvents (1, &event);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  clReleaseEvent (event);
  clReleaseMemObject (images[0]);
  clReleaseMemObject (images[1]);
}

static void
round_trip (TestGlApi api)
{
  guint8 before[TEST_BYTES], after[TEST_BYTES];
  Fixture fixture;
  GLuint in, out;
  cl_kernel kernel;

  fixture_set_up (&fixture, api);
  test_pattern (before, 3);
  test_pattern (after, 3);
  for (guint i = 0; i < TEST_BYTES; i += 4)
    after[i] = 255 - after[i];
  in = fixture_create_texture (3);
  out = fixture_create_texture (99);
  kernel = create_invert_kernel (&fixture);

  invert (&fixture, kernel, in, out);
  g_assert_true (fixture_texture_equals (in, before));
  g_assert_true (fixture_texture_equals (out, after));
  /* And back, which shows that nothing sticks. */
  invert (&fixture, kernel, out, in);
  g_assert_true (fixture_texture_equals (in, before));

  clReleaseKernel (kernel);
  fixture_delete_texture (in);
  fixture_delete_texture (out);
  fixture_tear_down (&fixture);
}

static void
case_core (void)
{
  round_trip (TEST_GL_CORE);
}

static void
case_compatibility (void)
{
  round_trip (TEST_GL_COMPATIBILITY);
}

static void
case_es2 (void)
{
  round_trip (TEST_GL_ES2);
}

static void
case_es3 (void)
{
  round_trip (TEST_GL_ES3);
}

/* Release waits for the events it is given. */
static void
case_wait_list (void)
{
  guint8 expected[TEST_BYTES], pixels[TEST_BYTES];
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { TEST_WIDTH, TEST_HEIGHT, 1 };
  Fixture fixture;
  GLuint texture;
  cl_mem image;
  cl_event event;

  fixture_set_up (&fixture, TEST_GL_CORE);
  texture = fixture_create_texture (1);
  image = fixture_create_image (&fixture, texture);
  test_pattern (expected, 200);
  memcpy (pixels, expected, TEST_BYTES);
  clEnqueueAcquireGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  clEnqueueWriteImage (fixture.queue, image, CL_FALSE, origin, region, 0, 0,
      pixels, 0, NULL, &event);
  clEnqueueReleaseGLObjects (fixture.queue, 1, &image, 1, &event, NULL);
  clReleaseEvent (event);
  clFinish (fixture.queue);
  g_assert_true (fixture_texture_equals (texture, expected));

  clReleaseMemObject (image);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

static gpointer
complete_later (gpointer event)
{
  g_usleep (100 * 1000);
  fixture_driver (event)->clSetUserEventStatus (event, CL_COMPLETE);
  return NULL;
}

/* Release comes after everything before it, even on such a queue, where the
 * write has not begun yet. */
static void
case_out_of_order (void)
{
  guint8 expected[TEST_BYTES];
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { TEST_WIDTH, TEST_HEIGHT, 1 };
  Fixture fixture;
  GThread *thread;
  GLuint texture;
  cl_mem image;
  cl_event gate;

  fixture_set_up (&fixture, TEST_GL_CORE);
  clReleaseCommandQueue (fixture.queue);
  fixture.queue = clCreateCommandQueue (fixture.context, fixture.device,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
  texture = fixture_create_texture (1);
  image = fixture_create_image (&fixture, texture);
  gate = fixture_driver (fixture.context)->clCreateUserEvent (fixture.context,
      NULL);
  test_pattern (expected, 200);
  clEnqueueAcquireGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  clEnqueueWriteImage (fixture.queue, image, CL_FALSE, origin, region, 0, 0,
      expected, 1, &gate, NULL);
  thread = g_thread_new ("complete", complete_later, gate);
  clEnqueueReleaseGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  clFinish (fixture.queue);
  g_assert_true (fixture_texture_equals (texture, expected));

  g_thread_join (thread);
  clReleaseEvent (gate);
  clReleaseMemObject (image);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

/* GL state */

static const struct
{
  GLenum name;
  GLint value;
} pixel_store[] = {
  {GL_PACK_ALIGNMENT, 8},
  {GL_PACK_ROW_LENGTH, 111},
  {GL_PACK_SKIP_ROWS, 2},
  {GL_PACK_SKIP_PIXELS, 3},
  {GL_UNPACK_ALIGNMENT, 2},
  {GL_UNPACK_ROW_LENGTH, 112},
  {GL_UNPACK_SKIP_ROWS, 4},
  {GL_UNPACK_SKIP_PIXELS, 5},
};

/* Binds something everywhere, and back if not @odd. */
static void
set_gl_state (const GLuint * buffers, GLuint framebuffer, GLuint texture,
    gboolean odd)
{
  gl.BindBuffer (GL_PIXEL_PACK_BUFFER, odd ? buffers[0] : 0);
  gl.BindBuffer (GL_PIXEL_UNPACK_BUFFER, odd ? buffers[1] : 0);
  gl.BindFramebuffer (GL_FRAMEBUFFER, odd ? framebuffer : 0);
  gl.BindTexture (GL_TEXTURE_2D, odd ? texture : 0);
  for (guint i = 0; i < G_N_ELEMENTS (pixel_store); i++) {
    gboolean alignment = pixel_store[i].name == GL_PACK_ALIGNMENT
        || pixel_store[i].name == GL_UNPACK_ALIGNMENT;

    gl.PixelStorei (pixel_store[i].name,
        odd ? pixel_store[i].value : alignment ? 4 : 0);
  }
}

static void
assert_gl_integer (GLenum name, GLint expected)
{
  GLint value = -1;

  gl.GetIntegerv (name, &value);
  g_assert_cmpint (value, ==, expected);
}

static void
assert_gl_state (const GLuint * buffers, GLuint framebuffer, GLuint texture)
{
  assert_gl_integer (GL_PIXEL_PACK_BUFFER_BINDING, buffers[0]);
  assert_gl_integer (GL_PIXEL_UNPACK_BUFFER_BINDING, buffers[1]);
  assert_gl_integer (GL_READ_FRAMEBUFFER_BINDING, framebuffer);
  assert_gl_integer (GL_DRAW_FRAMEBUFFER_BINDING, framebuffer);
  assert_gl_integer (GL_TEXTURE_BINDING_2D, texture);
  for (guint i = 0; i < G_N_ELEMENTS (pixel_store); i++)
    assert_gl_integer (pixel_store[i].name, pixel_store[i].value);
  g_assert_cmpuint (gl.GetError (), ==, GL_NO_ERROR);
}

static void
gl_state (TestGlApi api)
{
  guint8 expected[TEST_BYTES];
  Fixture fixture;
  GLuint texture, other, framebuffer, buffers[2];
  cl_mem image;

  fixture_set_up (&fixture, api);
  texture = fixture_create_texture (1);
  other = fixture_create_texture (2);
  gl.GenFramebuffers (1, &framebuffer);
  gl.GenBuffers (2, buffers);
  set_gl_state (buffers, framebuffer, other, TRUE);

  image = fixture_create_image (&fixture, texture);
  assert_gl_state (buffers, framebuffer, other);
  clEnqueueAcquireGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  assert_gl_state (buffers, framebuffer, other);
  clEnqueueReleaseGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  assert_gl_state (buffers, framebuffer, other);
  clFinish (fixture.queue);
  clReleaseMemObject (image);
  assert_gl_state (buffers, framebuffer, other);

  set_gl_state (buffers, framebuffer, other, FALSE);
  test_pattern (expected, 1);
  g_assert_true (fixture_texture_equals (texture, expected));
  gl.DeleteBuffers (2, buffers);
  gl.DeleteFramebuffers (1, &framebuffer);
  fixture_delete_texture (texture);
  fixture_delete_texture (other);
  fixture_tear_down (&fixture);
}

static void
case_core_state (void)
{
  gl_state (TEST_GL_CORE);
}

static void
case_es3_state (void)
{
  gl_state (TEST_GL_ES3);
}

/* Queries */

static char *
device_extensions (Fixture * fixture)
{
  size_t size, written;
  char *extensions;

  g_assert_cmpint (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS, 0,
          NULL, &size), ==, CL_SUCCESS);
  extensions = g_malloc (size);
  g_assert_cmpint (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS,
          size, extensions, &written), ==, CL_SUCCESS);
  g_assert_cmpuint (written, ==, size);
  g_assert_cmpuint (strlen (extensions) + 1, ==, size);
  g_assert_cmpint (clGetDeviceInfo (fixture->device, CL_DEVICE_EXTENSIONS,
          size - 1, extensions, NULL), ==, CL_INVALID_VALUE);
  return extensions;
}

static gboolean
has_word (const char *words, const char *word)
{
  char **list = g_strsplit (words, " ", -1);
  gboolean has = g_strv_contains ((const char *const *) list, word);

  g_strfreev (list);
  return has;
}

static void
case_extensions (void)
{
  char platform_extensions[4096];
  Fixture fixture;
  char *extensions;
  size_t size;

  fixture_set_up_gl (&fixture, TEST_GL_CORE);
  extensions = device_extensions (&fixture);
  g_assert_true (has_word (extensions, "cl_khr_gl_sharing"));
  g_free (extensions);
  g_assert_cmpint (clGetPlatformInfo (fixture.platform, CL_PLATFORM_EXTENSIONS,
          sizeof (platform_extensions), platform_extensions, &size), ==,
      CL_SUCCESS);
  g_assert_cmpuint (strlen (platform_extensions) + 1, ==, size);
  g_assert_true (has_word (platform_extensions, "cl_khr_gl_sharing"));
  fixture_tear_down (&fixture);
}

/* Only of use with a driver which lacks the extension. */
static void
case_no_sharing (void)
{
  Fixture fixture;
  char *extensions;

  fixture_set_up_gl (&fixture, TEST_GL_CORE);
  extensions = device_extensions (&fixture);
  g_assert_false (has_word (extensions, "cl_khr_gl_sharing"));
  g_free (extensions);
  fixture_tear_down (&fixture);
}

static void
check_context_device (Fixture * fixture, clGetGLContextInfoKHR_fn get_info)
{
  const cl_context_properties properties[] = {
    CL_GL_CONTEXT_KHR, (cl_context_properties) fixture->gl_context,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) fixture->display,
    CL_CONTEXT_PLATFORM, (cl_context_properties) fixture->platform,
    0
  };
  const cl_context_properties without_context[] = {
    CL_GL_CONTEXT_KHR, 0,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) fixture->display,
    CL_CONTEXT_PLATFORM, (cl_context_properties) fixture->platform,
    0
  };
  cl_device_id device = NULL;
  size_t size;

  g_assert_cmpint (get_info (properties, CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR,
          sizeof (device), &device, &size), ==, CL_SUCCESS);
  g_assert_true (device == fixture->device);
  g_assert_cmpuint (size, ==, sizeof (device));
  device = NULL;
  g_assert_cmpint (get_info (properties, CL_DEVICES_FOR_GL_CONTEXT_KHR,
          sizeof (device), &device, NULL), ==, CL_SUCCESS);
  g_assert_true (device == fixture->device);
  g_assert_cmpint (get_info (without_context, CL_DEVICES_FOR_GL_CONTEXT_KHR,
          sizeof (device), &device, NULL), ==,
      CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
}

static void
case_context_info (void)
{
  static const char name[] = "clGetGLContextInfoKHR";
  Fixture fixture;

  fixture_set_up_gl (&fixture, TEST_GL_CORE);
  check_context_device (&fixture, (clGetGLContextInfoKHR_fn)
      clGetExtensionFunctionAddressForPlatform (fixture.platform, name));
  fixture_tear_down (&fixture);
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
  g_assert_cmpint (error, ==, CL_INVALID_PLATFORM);
}

static void
case_context (void)
{
  Fixture fixture;
  cl_int error;

  fixture_set_up (&fixture, TEST_GL_CORE);
  check_other_properties (&fixture);
  g_assert_null (fixture_create_context (&fixture, EGL_NO_CONTEXT, &error));
  g_assert_cmpint (error, ==, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR);
  fixture_tear_down (&fixture);
}

static cl_int
create_error (Fixture * fixture, GLenum target, GLint level, GLuint texture)
{
  cl_int error;

  g_assert_null (clCreateFromGLTexture (fixture->context, CL_MEM_READ_ONLY,
          target, level, texture, &error));
  return error;
}

static void
check_image_info (cl_mem image)
{
  cl_image_format format;
  size_t width;

  clGetImageInfo (image, CL_IMAGE_WIDTH, sizeof (width), &width, NULL);
  g_assert_cmpuint (width, ==, TEST_WIDTH);
  clGetImageInfo (image, CL_IMAGE_FORMAT, sizeof (format), &format, NULL);
  g_assert_cmpuint (format.image_channel_order, ==, CL_RGBA);
  g_assert_cmpuint (format.image_channel_data_type, ==, CL_UNORM_INT8);
}

static void
case_image (void)
{
  Fixture fixture;
  GLuint texture;
  cl_mem image, buffer;

  fixture_set_up (&fixture, TEST_GL_CORE);
  texture = fixture_create_texture (0);
  g_assert_cmpint (create_error (&fixture, GL_TEXTURE_3D, 0, texture), ==,
      CL_INVALID_VALUE);
  g_assert_cmpint (create_error (&fixture, GL_TEXTURE_2D, 1, texture), ==,
      CL_INVALID_MIP_LEVEL);
  g_assert_cmpint (create_error (&fixture, GL_TEXTURE_2D, 0, 12345), ==,
      CL_INVALID_GL_OBJECT);

  image = fixture_create_image (&fixture, texture);
  check_image_info (image);
  buffer = clCreateBuffer (fixture.context, 0, 64, NULL, NULL);
  g_assert_cmpint (clEnqueueAcquireGLObjects (fixture.queue, 1, &buffer, 0,
          NULL, NULL), ==, CL_INVALID_GL_OBJECT);
  clReleaseMemObject (buffer);
  clReleaseMemObject (image);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

/* Environment */

static void
case_bgra (void)
{
  guint8 expected[TEST_BYTES], pixels[TEST_BYTES];
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { TEST_WIDTH, TEST_HEIGHT, 1 };
  cl_image_format format;
  Fixture fixture;
  GLuint texture;
  cl_mem image;

  fixture_set_up (&fixture, TEST_GL_CORE);
  texture = fixture_create_texture (5);
  image = fixture_create_image (&fixture, texture);
  clGetImageInfo (image, CL_IMAGE_FORMAT, sizeof (format), &format, NULL);
  g_assert_cmpuint (format.image_channel_order, ==, CL_BGRA);
  clEnqueueAcquireGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  g_assert_cmpint (clEnqueueReadImage (fixture.queue, image, CL_TRUE, origin,
          region, 0, 0, pixels, 0, NULL, NULL), ==, CL_SUCCESS);
  test_pattern (expected, 5);
  for (guint i = 0; i < TEST_BYTES; i += 4) {
    g_assert_cmpuint (pixels[i], ==, expected[i + 2]);
    g_assert_cmpuint (pixels[i + 1], ==, expected[i + 1]);
    g_assert_cmpuint (pixels[i + 2], ==, expected[i]);
    g_assert_cmpuint (pixels[i + 3], ==, expected[i + 3]);
  }
  clEnqueueReleaseGLObjects (fixture.queue, 1, &image, 0, NULL, NULL);
  clFinish (fixture.queue);
  g_assert_true (fixture_texture_equals (texture, expected));
  clReleaseMemObject (image);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

static void
case_corrupt (void)
{
  guint8 before[TEST_BYTES];
  Fixture fixture;
  GLuint in, out;
  cl_kernel kernel;

  fixture_set_up (&fixture, TEST_GL_CORE);
  in = fixture_create_texture (3);
  out = fixture_create_texture (99);
  kernel = create_invert_kernel (&fixture);
  invert (&fixture, kernel, in, out);
  test_pattern (before, 99);
  g_assert_true (fixture_texture_equals (out, before));
  clReleaseKernel (kernel);
  fixture_delete_texture (in);
  fixture_delete_texture (out);
  fixture_tear_down (&fixture);
}

static void
case_break_sharing (void)
{
  Fixture fixture;
  GLuint texture;

  fixture_set_up (&fixture, TEST_GL_CORE);
  texture = fixture_create_texture (0);
  g_assert_cmpint (create_error (&fixture, GL_TEXTURE_2D, 0, texture), ==,
      CL_INVALID_GL_OBJECT);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

static void
case_max_image (void)
{
  Fixture fixture;
  GLuint texture;
  size_t width;

  fixture_set_up (&fixture, TEST_GL_CORE);
  clGetDeviceInfo (fixture.device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof (width),
      &width, NULL);
  g_assert_cmpuint (width, ==, TEST_WIDTH - 1);
  texture = fixture_create_texture (0);
  g_assert_cmpint (create_error (&fixture, GL_TEXTURE_2D, 0, texture), ==,
      CL_INVALID_IMAGE_SIZE);
  fixture_delete_texture (texture);
  fixture_tear_down (&fixture);
}

static void
case_gpu (void)
{
  Fixture fixture;
  cl_device_id device = NULL;
  cl_device_type type;
  cl_uint count = 1;

  fixture_set_up_gl (&fixture, TEST_GL_CORE);
  g_assert_cmpint (clGetDeviceIDs (fixture.platform, CL_DEVICE_TYPE_GPU, 1,
          &device, NULL), ==, CL_SUCCESS);
  g_assert_true (device == fixture.device);
  g_assert_cmpint (clGetDeviceIDs (fixture.platform, CL_DEVICE_TYPE_CPU, 1,
          &device, &count), ==, CL_DEVICE_NOT_FOUND);
  g_assert_cmpuint (count, ==, 0);
  clGetDeviceInfo (fixture.device, CL_DEVICE_TYPE, sizeof (type), &type, NULL);
  g_assert_cmpuint (type, ==, CL_DEVICE_TYPE_GPU);
  fixture_tear_down (&fixture);
}

static void
case_discrete (void)
{
  Fixture fixture;
  cl_bool unified = CL_TRUE;

  fixture_set_up_gl (&fixture, TEST_GL_CORE);
  clGetDeviceInfo (fixture.device, CL_DEVICE_HOST_UNIFIED_MEMORY,
      sizeof (unified), &unified, NULL);
  g_assert_cmpuint (unified, ==, CL_FALSE);
  fixture_tear_down (&fixture);
}

static void
case_nonsense (void)
{
  cl_uint count;

  clGetPlatformIDs (0, NULL, &count);
}

const TestCase sharing_cases[] = {
  {"round-trip/core", NULL, case_core, 0, NULL},
  {"round-trip/compatibility", NULL, case_compatibility, 0, NULL},
  {"round-trip/es2", NULL, case_es2, 0, NULL},
  {"round-trip/es2-only", "MESA_GLES_VERSION_OVERRIDE=2.0", case_es2, 0, NULL},
  {"round-trip/es3", NULL, case_es3, 0, NULL},
  {"round-trip/es3-only", "MESA_GLES_VERSION_OVERRIDE=3.0", case_es3, 0, NULL},
  {"round-trip/bgra", "GLOPENCL_LAYER_BGRA=1", case_core, 0, NULL},
  {"round-trip/wait-list", NULL, case_wait_list, 0, NULL},
  {"round-trip/out-of-order", NULL, case_out_of_order, 0, NULL},
  {"state/core", NULL, case_core_state, 0, NULL},
  {"state/es3", NULL, case_es3_state, 0, NULL},
  {"query/extensions", NULL, case_extensions, 0, NULL},
  {"query/context-info", NULL, case_context_info, 0, NULL},
  {"query/context", NULL, case_context, 0, NULL},
  {"query/image", NULL, case_image, 0, NULL},
  {"environment/no-sharing", "GLOPENCL_LAYER_SHARING=0", case_no_sharing, 0,
      NULL},
  {"environment/bgra", "GLOPENCL_LAYER_BGRA=1", case_bgra, 0, NULL},
  {"environment/corrupt-bytes", "GLOPENCL_LAYER_CORRUPT=4", case_corrupt, 0,
      NULL},
  {"environment/corrupt", "GLOPENCL_LAYER_CORRUPT=all", case_corrupt, 0, NULL},
  {"environment/break-sharing", "GLOPENCL_LAYER_BREAK_SHARING=1",
      case_break_sharing, 0, NULL},
  {"environment/max-image", "GLOPENCL_LAYER_MAX_IMAGE=36", case_max_image, 0,
      NULL},
  {"environment/gpu", "GLOPENCL_LAYER_TYPE=gpu", case_gpu, 0, NULL},
  {"environment/discrete", "GLOPENCL_LAYER_DISCRETE=1", case_discrete, 0, NULL},
  {"environment/nonsense", "GLOPENCL_LAYER_TYPE=toaster", case_nonsense,
      ABORT_STATUS, "wrong use of the layer"},
  {NULL, NULL, NULL, 0, NULL}
};
