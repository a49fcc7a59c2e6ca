/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that OpenCL and OpenGL share textures of a kind, because some drivers
 * report success without sharing. Passes a small texture from GL to OpenCL,
 * inverts its bytes there, and passes it back. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* Clears the errors of earlier calls, so that the next error belongs to a later
 * call. A lost context reports errors without end, so the number of errors that
 * are cleared is limited. Must be called on the GL thread. */
void gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl);

/* Width and height of the texture. */
#define GST_GL_OPENCL_TRIAL_SIDE 16

/**
 * GstGLOpenCLTrialBackend:
 * @create: returns the texture to try, with immutable storage (owned by the
 *    backend). Returns 0 with @error on failure. If NULL, OpenGL creates the
 *    texture
 * @acquire: enqueues the acquisition of @texture by OpenCL. Returns the image
 *    with its pixels (owned by the backend)
 * @release: enqueues the return of the pixels of the image to the texture
 * @drop: frees the image and the texture, if they exist. OpenCL has finished
 *    with both
 *
 * Passes a texture to OpenCL and back. All functions are called on the GL
 * thread.
 */
typedef struct
{
  guint (*create) (gpointer data, GError ** error);
  cl_mem (*acquire) (gpointer data, guint texture, GError ** error);
  gboolean (*release) (gpointer data, guint texture, GError ** error);
  void (*drop) (gpointer data);
} GstGLOpenCLTrialBackend;

/* Returns whether @backend passes textures like the texture of @plane of
 * @format to @ocl and back. Waits for both directions. Must be called on the GL
 * thread of @gl_context. Errors are OCL_ERROR_NOT_SUPPORTED and
 * OCL_ERROR_FAILED. */
gboolean gst_gl_opencl_trial_run (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane,
    const GstGLOpenCLTrialBackend * backend, gpointer data, GError ** error);

G_END_DECLS
