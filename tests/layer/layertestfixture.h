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

/* All of an image of that size. */
extern const size_t test_origin[3];
extern const size_t test_region[3];

typedef enum
{
  TEST_GL_CORE,
  TEST_GL_COMPATIBILITY,
  TEST_GL_ES2,
  TEST_GL_ES3
} TestGlApi;

/* What is there from the start, each with what those before it have. */
typedef enum
{
  FIXTURE_NOTHING,
  FIXTURE_GL,                   /* a GL context, current, and the device */
  FIXTURE_QUEUE,                /* an OpenCL context and a queue */
  FIXTURE_IMAGE                 /* the texture and the memory objects */
} FixtureKind;

/* A case may set what is not there, or free something and set it to NULL. */
typedef struct
{
  EGLDisplay display;
  EGLContext gl_context;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  GLuint texture;               /* with test_pattern (1) */
  cl_mem image;                 /* from the texture */
  cl_mem plain;                 /* an image of the same size, not from GL */
  cl_mem buffer;                /* of the same size */
  cl_kernel kernel;
  cl_event events[2];
  guint n_events;
} Fixture;

/* The functions which the layer exports. */
#define TEST_LAYER_FUNCTIONS(X) \
  X (set_fault) \
  X (fault_hit) \
  X (calls) \
  X (reset_counts) \
  X (function_name) \
  X (live_objects) \
  X (violations)

/* The GL functions which the test calls. */
#define TEST_GL_FUNCTIONS(X) \
  X (PFNGLGETERRORPROC, GetError) \
  X (PFNGLGETINTEGERVPROC, GetIntegerv) \
  X (PFNGLGENTEXTURESPROC, GenTextures) \
  X (PFNGLDELETETEXTURESPROC, DeleteTextures) \
  X (PFNGLBINDTEXTUREPROC, BindTexture) \
  X (PFNGLTEXIMAGE2DPROC, TexImage2D) \
  X (PFNGLPIXELSTOREIPROC, PixelStorei) \
  X (PFNGLGENBUFFERSPROC, GenBuffers) \
  X (PFNGLDELETEBUFFERSPROC, DeleteBuffers) \
  X (PFNGLBINDBUFFERPROC, BindBuffer) \
  X (PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers) \
  X (PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers) \
  X (PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer) \
  X (PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D) \
  X (PFNGLREADPIXELSPROC, ReadPixels)

#define TEST_LAYER_MEMBER(name) __typeof__ (&glopencl_layer_##name) name;
#define TEST_GL_MEMBER(type, name) type name;

extern struct TestLayer
{
  TEST_LAYER_FUNCTIONS (TEST_LAYER_MEMBER)
  __typeof__ (&clInitLayerWithProperties) init;
  __typeof__ (&clDeinitLayer) deinit;
} layer;

extern struct TestGl
{
  TEST_GL_FUNCTIONS (TEST_GL_MEMBER)
} gl;

/* Looks up the layer's functions without the loader having loaded it. */
void fixture_load_layer (void);

/* Sets up what @kind says, with a GL context of @api.  The rest is zero. */
void fixture_set_up (Fixture *fixture, FixtureKind kind, TestGlApi api);

/* Frees what the fixture has, when @broken rules have been broken in all, and
 * checks that no OpenCL object is left. */
void fixture_tear_down (Fixture *fixture, guint broken);

/* Frees the OpenCL objects that the fixture has. */
void fixture_free_objects (Fixture *fixture);

/* A step that ends the process instead, with all that it holds. */
void fixture_leave (Fixture *fixture);

/* Makes the GL context current, or not current. */
void fixture_make_current (Fixture *fixture, gboolean current);

/* Makes an OpenCL context for @gl_context. */
cl_context fixture_create_context (Fixture *fixture, EGLContext gl_context,
    cl_int *error);

/* A texture of the test's size, filled with test_pattern (@seed). */
GLuint fixture_create_texture (guint8 seed);
void fixture_delete_texture (GLuint texture);

/* Compares the texture with @expected, of TEST_BYTES. */
gboolean fixture_texture_equals (GLuint texture, const guint8 *expected);

/* An image from @texture. */
cl_mem fixture_create_image (Fixture *fixture, GLuint texture);

/* The error with which making an image from the level of a texture fails. */
cl_int fixture_create_image_error (Fixture *fixture, GLenum target, GLint level,
    GLuint texture);

/* Steps that acquire and release the fixture's image, and wait for the queue.
 * They succeed. */
void fixture_acquire (Fixture *fixture);
void fixture_release (Fixture *fixture);
void fixture_finish (Fixture *fixture);

/* The kernel @name of the program @source. */
cl_kernel fixture_create_kernel (Fixture *fixture, const char *source,
    const char *name);

/* The @call of OpenCL returns that. */
#define RETURNS(call, result) g_assert_cmpint (call, ==, result)
#define SUCCEEDS(call) RETURNS (call, CL_SUCCESS)

/* Puts into @variable what an OpenCL query of @object answers. */
#define QUERY(query, object, name, variable) \
  SUCCEEDS (query (object, name, sizeof (variable), &(variable), NULL))

/* An event to wait for, which fixture_open_gate() completes a moment later, on
 * the thread it returns.  The layer neither sees nor tracks it, as user events
 * are calls that it refuses. */
cl_event fixture_create_gate (Fixture *fixture);
GThread *fixture_open_gate (cl_event gate);

/* Fills @pixels, of TEST_BYTES. */
void test_pattern (guint8 *pixels, guint8 seed);

#endif /* GLOPENCL_LAYER_TEST_FIXTURE_H */
