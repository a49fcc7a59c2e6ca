/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets up GL and OpenCL for the cases of the layer's own test.
 */

#include "layertestfixture.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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
fixture_open_layer (int flags)
{
  const char *path = g_getenv ("OPENCL_LAYERS");
  gpointer library;

  g_assert_nonnull (path);
  library = dlopen (path, RTLD_NOW | flags);
  if (library == NULL)
    fixture_skip ("the OpenCL loader has not loaded the layer");
#define FIND(name) \
  layer.name = fixture_layer_function (library, "glopencl_layer_" #name)
  FIND (set_fault);
  FIND (fault_hit);
  FIND (calls);
  FIND (reset_counts);
  FIND (function_name);
  FIND (live_objects);
  FIND (violations);
#undef FIND
  layer.init = fixture_layer_function (library, "clInitLayerWithProperties");
  layer.deinit = fixture_layer_function (library, "clDeinitLayer");
}

void
fixture_load_layer (void)
{
  fixture_open_layer (0);
}

static void
fixture_find_device (Fixture * fixture)
{
  if (clGetPlatformIDs (1, &fixture->platform, NULL) != CL_SUCCESS
      || clGetDeviceIDs (fixture->platform, CL_DEVICE_TYPE_ALL, 1,
          &fixture->device, NULL) != CL_SUCCESS)
    fixture_skip ("no OpenCL device");
  /* The loader has loaded the layer by now, if it can. */
  fixture_open_layer (RTLD_NOLOAD);
}

static void
fixture_find_gl (void)
{
#define FIND(name) \
  gl.name = (__typeof__ (gl.name)) eglGetProcAddress ("gl" #name)
  FIND (GetError);
  FIND (GetIntegerv);
  FIND (GenTextures);
  FIND (DeleteTextures);
  FIND (BindTexture);
  FIND (TexImage2D);
  FIND (PixelStorei);
  FIND (GenBuffers);
  FIND (DeleteBuffers);
  FIND (BindBuffer);
  FIND (BufferData);
  FIND (GenFramebuffers);
  FIND (DeleteFramebuffers);
  FIND (BindFramebuffer);
  FIND (FramebufferTexture2D);
  FIND (ReadPixels);
#undef FIND
}

static EGLContext
fixture_create_gl_context (EGLDisplay display, TestGlApi api)
{
  static const EGLint versions[][7] = {
    [TEST_GL_CORE] = {EGL_CONTEXT_MAJOR_VERSION, 3,
        EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE},
    [TEST_GL_COMPATIBILITY] = {EGL_NONE},
    [TEST_GL_ES2] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE},
    [TEST_GL_ES3] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE},
  };
  gboolean es = api == TEST_GL_ES2 || api == TEST_GL_ES3;

  eglBindAPI (es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
  return eglCreateContext (display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
      versions[api]);
}

void
fixture_set_up_gl (Fixture * fixture, TestGlApi api)
{
  memset (fixture, 0, sizeof (*fixture));
  fixture->display = eglGetPlatformDisplay (EGL_PLATFORM_SURFACELESS_MESA,
      EGL_DEFAULT_DISPLAY, NULL);
  if (fixture->display == EGL_NO_DISPLAY
      || !eglInitialize (fixture->display, NULL, NULL))
    fixture_skip ("no EGL display without a window system");
  fixture->gl_context = fixture_create_gl_context (fixture->display, api);
  if (fixture->gl_context == EGL_NO_CONTEXT)
    fixture_skip ("no GL context of that kind");
  fixture_make_current (fixture, TRUE);
  fixture_find_gl ();
  fixture_find_device (fixture);
}

void
fixture_set_up (Fixture * fixture, TestGlApi api)
{
  cl_int error;

  fixture_set_up_gl (fixture, api);
  fixture->context = fixture_create_context (fixture, fixture->gl_context,
      &error);
  g_assert_cmpint (error, ==, CL_SUCCESS);
  fixture->queue = clCreateCommandQueue (fixture->context, fixture->device, 0,
      &error);
  g_assert_cmpint (error, ==, CL_SUCCESS);
}

void
fixture_tear_down (Fixture * fixture)
{
  if (fixture->queue != NULL)
    clReleaseCommandQueue (fixture->queue);
  if (fixture->context != NULL)
    clReleaseContext (fixture->context);
  g_assert_cmpuint (layer.live_objects (), ==, 0);
  fixture_make_current (fixture, FALSE);
  eglDestroyContext (fixture->display, fixture->gl_context);
  eglTerminate (fixture->display);
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

void
test_pattern (guint8 * pixels, guint8 seed)
{
  for (guint i = 0; i < TEST_BYTES; i++)
    pixels[i] = seed + 7 * i + i / 256;
}

const cl_icd_dispatch *
fixture_driver (gpointer object)
{
  return *(const cl_icd_dispatch **) object;
}

GLuint
fixture_create_texture (guint8 seed)
{
  guint8 pixels[TEST_BYTES];
  GLuint texture;

  test_pattern (pixels, seed);
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

  g_assert_cmpint (error, ==, CL_SUCCESS);
  return image;
}

gboolean
fixture_texture_equals (GLuint texture, const guint8 * expected)
{
  guint8 pixels[TEST_BYTES];
  GLuint framebuffer;

  memset (pixels, 0, sizeof (pixels));
  gl.GenFramebuffers (1, &framebuffer);
  gl.BindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  gl.FramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
      texture, 0);
  gl.ReadPixels (0, 0, TEST_WIDTH, TEST_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE,
      pixels);
  gl.BindFramebuffer (GL_FRAMEBUFFER, 0);
  gl.DeleteFramebuffers (1, &framebuffer);
  g_assert_cmpuint (gl.GetError (), ==, GL_NO_ERROR);
  return memcmp (pixels, expected, TEST_BYTES) == 0;
}
