/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets up GL and OpenCL for the cases of the layer's own test.
 */

#include "layertestfixture.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

const size_t test_origin[3] = { 0, 0, 0 };
const size_t test_region[3] = { TEST_WIDTH, TEST_HEIGHT, 1 };

struct TestLayer layer;
struct TestGl gl;

static void
fixture_skip (const char *what)
{
  g_printerr ("skipped: %s\n", what);
  exit (SKIP_STATUS);
}

static gpointer
fixture_layer_function (gpointer library, const char *name)
{
  gpointer function = dlsym (library, name);

  g_assert_nonnull (function);
  return function;
}

static void
fixture_open_layer (void)
{
  const char *path = g_getenv ("OPENCL_LAYERS");
  gpointer library;

  g_assert_nonnull (path);
  library = dlopen (path, RTLD_NOW | RTLD_NOLOAD);
  if (library == NULL)
    fixture_skip ("the OpenCL loader has not loaded the layer");
  /* *INDENT-OFF* */
#define FIND(name) \
  layer.name = fixture_layer_function (library, "glopencl_layer_" #name);
  TEST_LAYER_FUNCTIONS (FIND)
#undef FIND
  /* *INDENT-ON* */
  layer.deinit = fixture_layer_function (library, "clDeinitLayer");
}

static void
fixture_find_device (Fixture * fixture)
{
  if (clGetPlatformIDs (1, &fixture->platform, NULL) != CL_SUCCESS
      || clGetDeviceIDs (fixture->platform, CL_DEVICE_TYPE_ALL, 1,
          &fixture->device, NULL) != CL_SUCCESS)
    fixture_skip ("no OpenCL device");
  /* The loader has loaded the layer by now, if it can. */
  fixture_open_layer ();
}

static void
fixture_set_up_gl (Fixture * fixture)
{
  static const EGLint version[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
    EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE
  };

  fixture->display = eglGetPlatformDisplay (EGL_PLATFORM_SURFACELESS_MESA,
      EGL_DEFAULT_DISPLAY, NULL);
  if (fixture->display == EGL_NO_DISPLAY
      || !eglInitialize (fixture->display, NULL, NULL))
    fixture_skip ("no EGL display without a window system");
  eglBindAPI (EGL_OPENGL_API);
  fixture->gl_context = eglCreateContext (fixture->display, EGL_NO_CONFIG_KHR,
      EGL_NO_CONTEXT, version);
  if (fixture->gl_context == EGL_NO_CONTEXT)
    fixture_skip ("no GL context of that kind");
  fixture_make_current (fixture, TRUE);
  /* *INDENT-OFF* */
#define FIND(type, name) gl.name = (type) eglGetProcAddress ("gl" #name);
  TEST_GL_FUNCTIONS (FIND)
#undef FIND
  /* *INDENT-ON* */
}

static void
fixture_set_up_queue (Fixture * fixture)
{
  cl_int error;

  fixture->context = fixture_create_context (fixture, fixture->gl_context,
      &error);
  SUCCEEDS (error);
  fixture->queue = clCreateCommandQueue (fixture->context, fixture->device, 0,
      &error);
  SUCCEEDS (error);
}

static void
fixture_set_up_image (Fixture * fixture)
{
  const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = TEST_WIDTH,
    .image_height = TEST_HEIGHT
  };

  fixture->texture = fixture_create_texture ();
  fixture->image = fixture_create_image (fixture, fixture->texture);
  fixture->plain = clCreateImage (fixture->context, CL_MEM_READ_WRITE, &format,
      &description, NULL, NULL);
  fixture->buffer = clCreateBuffer (fixture->context, CL_MEM_READ_WRITE,
      TEST_BYTES, NULL, NULL);
  g_assert_nonnull (fixture->plain);
  g_assert_nonnull (fixture->buffer);
}

void
fixture_set_up (Fixture * fixture, FixtureKind kind)
{
  memset (fixture, 0, sizeof (*fixture));
  fixture_set_up_gl (fixture);
  fixture_find_device (fixture);
  if (kind >= FIXTURE_QUEUE)
    fixture_set_up_queue (fixture);
  if (kind >= FIXTURE_IMAGE)
    fixture_set_up_image (fixture);
}

void
fixture_free_objects (Fixture * fixture)
{
  const cl_mem memory[] = { fixture->buffer, fixture->plain, fixture->image };

  while (fixture->n_events > 0)
    clReleaseEvent (fixture->events[--fixture->n_events]);
  if (fixture->kernel != NULL)
    clReleaseKernel (fixture->kernel);
  for (guint i = 0; i < G_N_ELEMENTS (memory); i++) {
    if (memory[i] != NULL)
      clReleaseMemObject (memory[i]);
  }
  if (fixture->queue != NULL)
    clReleaseCommandQueue (fixture->queue);
  if (fixture->context != NULL)
    clReleaseContext (fixture->context);
}

void
fixture_tear_down (Fixture * fixture, guint broken)
{
  if (fixture->gl_context == NULL)
    return;
  if (fixture->queue != NULL)
    fixture_finish (fixture);
  fixture_free_objects (fixture);
  g_assert_cmpuint (layer.violations (), ==, broken);
  g_assert_cmpuint (layer.live_objects (), ==, 0);
  fixture_delete_texture (fixture->texture);
  fixture_make_current (fixture, FALSE);
  eglDestroyContext (fixture->display, fixture->gl_context);
  eglTerminate (fixture->display);
}

void
fixture_leave (Fixture * fixture)
{
  (void) fixture;
  exit (EXIT_SUCCESS);
}

void
fixture_make_current (Fixture * fixture, gboolean current)
{
  g_assert_true (eglMakeCurrent (fixture->display, EGL_NO_SURFACE,
          EGL_NO_SURFACE, current ? fixture->gl_context : EGL_NO_CONTEXT));
}

cl_context
fixture_create_context (Fixture * fixture, EGLContext gl_context,
    cl_int * error)
{
  const cl_context_properties properties[] = {
    CL_GL_CONTEXT_KHR, (cl_context_properties) gl_context,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) fixture->display,
    CL_CONTEXT_PLATFORM, (cl_context_properties) fixture->platform,
    0
  };

  return clCreateContext (properties, 1, &fixture->device, NULL, NULL, error);
}

GLuint
fixture_create_texture (void)
{
  const guint8 pixels[TEST_BYTES] = { 0, };
  GLuint texture;

  gl.GenTextures (1, &texture);
  gl.BindTexture (GL_TEXTURE_2D, texture);
  /* The unsized format is the one that all versions know. */
  gl.TexImage2D (GL_TEXTURE_2D, 0, GL_RGBA, TEST_WIDTH, TEST_HEIGHT, 0, GL_RGBA,
      GL_UNSIGNED_BYTE, pixels);
  gl.BindTexture (GL_TEXTURE_2D, 0);
  g_assert_cmpuint (gl.GetError (), ==, GL_NO_ERROR);
  return texture;
}

void
fixture_delete_texture (GLuint texture)
{
  gl.DeleteTextures (1, &texture);
}

cl_mem
fixture_create_image (Fixture * fixture, GLuint texture)
{
  cl_int error;
  cl_mem image = clCreateFromGLTexture (fixture->context, CL_MEM_READ_WRITE,
      GL_TEXTURE_2D, 0, texture, &error);

  SUCCEEDS (error);
  return image;
}

cl_int
fixture_create_image_error (Fixture * fixture, GLenum target, GLint level,
    GLuint texture)
{
  cl_int error;

  g_assert_null (clCreateFromGLTexture (fixture->context, CL_MEM_READ_ONLY,
          target, level, texture, &error));
  return error;
}

void
fixture_acquire (Fixture * fixture)
{
  SUCCEEDS (clEnqueueAcquireGLObjects (fixture->queue, 1, &fixture->image, 0,
          NULL, NULL));
}

void
fixture_release (Fixture * fixture)
{
  SUCCEEDS (clEnqueueReleaseGLObjects (fixture->queue, 1, &fixture->image, 0,
          NULL, NULL));
}

void
fixture_finish (Fixture * fixture)
{
  SUCCEEDS (clFinish (fixture->queue));
}

cl_kernel
fixture_create_kernel (Fixture * fixture, const char *source, const char *name)
{
  cl_int error;
  cl_kernel kernel;
  cl_program program = clCreateProgramWithSource (fixture->context, 1, &source,
      NULL, &error);

  SUCCEEDS (error);
  SUCCEEDS (clBuildProgram (program, 1, &fixture->device, "", NULL, NULL));
  kernel = clCreateKernel (program, name, &error);
  SUCCEEDS (error);
  clReleaseProgram (program);
  return kernel;
}
