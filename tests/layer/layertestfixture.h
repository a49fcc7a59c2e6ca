/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fixture that the cases of the layer's own test share: a GL context
 * without a window, OpenCL objects which share with the GL context, and the
 * layer's functions.
 *
 * A fixture belongs to the thread that sets it up.  A function which fails ends
 * the process: with SKIP_STATUS if the machine lacks something, otherwise by an
 * assertion.
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

/* The region of a whole image of TEST_WIDTH x TEST_HEIGHT. */
extern const size_t test_origin[3];
extern const size_t test_region[3];

/* What a fixture has at the start.  Each kind includes the kinds before it. */
typedef enum
{
  FIXTURE_GL,                   /* a GL context, current, and the device */
  FIXTURE_QUEUE,                /* an OpenCL context and a queue */
  FIXTURE_IMAGE                 /* the texture and the memory objects */
} FixtureKind;

/* A case may set members that the fixture lacks, or free a member and set it to
 * NULL. */
typedef struct
{
  EGLDisplay display;
  EGLContext gl_context;
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  GLuint texture;
  cl_mem image;                 /* from the texture */
  cl_mem plain;                 /* an image of the same size, not from GL */
  cl_mem buffer;                /* of the same size */
  cl_kernel kernel;
  cl_event events[3];
  guint n_events;
} Fixture;

/* The functions which the layer exports. */
#define TEST_LAYER_FUNCTIONS(X) \
  X (set_fault) \
  X (fault_hit) \
  X (calls) \
  X (reset_counts) \
  X (live_objects) \
  X (violations)

/* The GL functions which the test calls. */
#define TEST_GL_FUNCTIONS(X) \
  X (PFNGLGETERRORPROC, GetError) \
  X (PFNGLGENTEXTURESPROC, GenTextures) \
  X (PFNGLDELETETEXTURESPROC, DeleteTextures) \
  X (PFNGLBINDTEXTUREPROC, BindTexture) \
  X (PFNGLTEXIMAGE2DPROC, TexImage2D)

#define TEST_LAYER_MEMBER(name) __typeof__ (&glopencl_layer_##name) name;
#define TEST_GL_MEMBER(type, name) type name;

extern struct TestLayer
{
  TEST_LAYER_FUNCTIONS (TEST_LAYER_MEMBER)
  __typeof__ (&clDeinitLayer) deinit;
} layer;

extern struct TestGl
{
  TEST_GL_FUNCTIONS (TEST_GL_MEMBER)
} gl;

/* Sets up the members that @kind includes.  Other members are zero. */
void fixture_set_up (Fixture *fixture, FixtureKind kind);

/* Frees the members of the fixture.  Checks that a total of @broken rules have
 * been broken, and that no OpenCL object is left. */
void fixture_tear_down (Fixture *fixture, guint broken);

/* Frees the OpenCL objects that the fixture has. */
void fixture_free_objects (Fixture *fixture);

/* A step that ends the process without freeing anything. */
void fixture_leave (Fixture *fixture);

/* Makes the GL context current, or not current. */
void fixture_make_current (Fixture *fixture, gboolean current);

/* Makes an OpenCL context for @gl_context. */
cl_context fixture_create_context (Fixture *fixture, EGLContext gl_context,
    cl_int *error);

/* Creates a black texture of TEST_WIDTH x TEST_HEIGHT. */
GLuint fixture_create_texture (void);
void fixture_delete_texture (GLuint texture);

/* Creates an image from @texture. */
cl_mem fixture_create_image (Fixture *fixture, GLuint texture);

/* Returns the error with which the creation of an image from a level of a
 * texture fails. */
cl_int fixture_create_image_error (Fixture *fixture, GLenum target, GLint level,
    GLuint texture);

/* Steps that acquire the fixture's image, release it, and wait for the queue.
 * They always succeed. */
void fixture_acquire (Fixture *fixture);
void fixture_release (Fixture *fixture);
void fixture_finish (Fixture *fixture);

/* Builds the program @source and creates its kernel @name. */
cl_kernel fixture_create_kernel (Fixture *fixture, const char *source,
    const char *name);

/* Asserts that the OpenCL @call returns @result. */
#define RETURNS(call, result) g_assert_cmpint (call, ==, result)
#define SUCCEEDS(call) RETURNS (call, CL_SUCCESS)

#endif /* GLOPENCL_LAYER_TEST_FIXTURE_H */
