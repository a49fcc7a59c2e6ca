/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the cases of the layer's own test have in common: a GL context without a
 * window, OpenCL objects which share with it, and the layer's functions.
 *
 * Everything belongs to the one thread that sets it up.  A function which fails
 * ends the process: with SKIP_STATUS if the machine lacks something, by an
 * assertion otherwise.
 */

#ifndef GLOPENCL_LAYER_TEST_FIXTURE_H
#define GLOPENCL_LAYER_TEST_FIXTURE_H

#include <CL/cl.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <glib.h>

#include "layerentry.h"
#include "testlayer.h"

#define SKIP_STATUS 77

/* Not a multiple of any alignment. */
#define TEST_WIDTH 37
#define TEST_HEIGHT 21
#define TEST_BYTES (4 * TEST_WIDTH * TEST_HEIGHT)

typedef enum
{
  TEST_GL_CORE,
  TEST_GL_COMPATIBILITY,
  TEST_GL_ES2,
  TEST_GL_ES3
} TestGlApi;

typedef struct
{
  EGLDisplay display;
  EGLContext gl_context;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
} Fixture;

/* The functions which the layer exports. */
extern struct TestLayer
{
  __typeof__ (&glopencl_layer_set_fault) set_fault;
  __typeof__ (&glopencl_layer_fault_hit) fault_hit;
  __typeof__ (&glopencl_layer_calls) calls;
  __typeof__ (&glopencl_layer_reset_counts) reset_counts;
  __typeof__ (&glopencl_layer_function_name) function_name;
  __typeof__ (&glopencl_layer_live_objects) live_objects;
  __typeof__ (&glopencl_layer_violations) violations;
  __typeof__ (&clInitLayerWithProperties) init;
  __typeof__ (&clDeinitLayer) deinit;
} layer;

/* The GL functions which the test calls. */
extern struct TestGl
{
  PFNGLGETERRORPROC GetError;
  PFNGLGETINTEGERVPROC GetIntegerv;
  PFNGLGENTEXTURESPROC GenTextures;
  PFNGLDELETETEXTURESPROC DeleteTextures;
  PFNGLBINDTEXTUREPROC BindTexture;
  PFNGLTEXIMAGE2DPROC TexImage2D;
  PFNGLPIXELSTOREIPROC PixelStorei;
  PFNGLGENBUFFERSPROC GenBuffers;
  PFNGLDELETEBUFFERSPROC DeleteBuffers;
  PFNGLBINDBUFFERPROC BindBuffer;
  PFNGLBUFFERDATAPROC BufferData;
  PFNGLGENFRAMEBUFFERSPROC GenFramebuffers;
  PFNGLDELETEFRAMEBUFFERSPROC DeleteFramebuffers;
  PFNGLBINDFRAMEBUFFERPROC BindFramebuffer;
  PFNGLFRAMEBUFFERTEXTURE2DPROC FramebufferTexture2D;
  PFNGLREADPIXELSPROC ReadPixels;
} gl;

/* Looks up the layer's functions without the loader having loaded it. */
void fixture_load_layer (void);

/* Makes a GL context, makes it current, and finds the device. */
void fixture_set_up_gl (Fixture *fixture, TestGlApi api);

/* The same, and makes an OpenCL context and a queue. */
void fixture_set_up (Fixture *fixture, TestGlApi api);

/* Frees what the fixture has (it may lack the OpenCL objects). */
void fixture_tear_down (Fixture *fixture);

/* Makes the GL context current, or not current. */
void fixture_make_current (Fixture *fixture, gboolean current);

/* Makes an OpenCL context for @gl_context. */
cl_context fixture_create_context (Fixture *fixture, EGLContext gl_context,
    cl_int *error);

/* A texture of the test's size, filled with test_pattern (@seed). */
GLuint fixture_create_texture (guint8 seed);
void fixture_delete_texture (GLuint texture);

/* An image from that texture. */
cl_mem fixture_create_image (Fixture *fixture, GLuint texture);

/* Compares the texture with @expected, of TEST_BYTES. */
gboolean fixture_texture_equals (GLuint texture, const guint8 *expected);

/* The driver's functions for @object, any OpenCL object: cl_khr_icd puts them
 * first in each.  Past the layer, which neither refuses nor tracks them. */
const cl_icd_dispatch *fixture_driver (gpointer object);

/* Fills @pixels, of TEST_BYTES. */
void test_pattern (guint8 *pixels, guint8 seed);

#endif /* GLOPENCL_LAYER_TEST_FIXTURE_H */
