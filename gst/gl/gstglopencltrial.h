/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Proves that OpenCL and OpenGL share textures of a kind, because some drivers
 * accept everything and share nothing. A small texture goes from GL to OpenCL,
 * where its bytes are inverted, and back. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* The texture has this width and this height. */
#define GST_GL_OPENCL_TRIAL_SIDE 16

/**
 * GstGLOpenCLTrialWay:
 * @create: returns the texture to try, with immutable storage, in place of a
 *    texture that OpenGL makes; owned by the way. Returns 0 with @error on
 *    failure. NULL if any texture will do
 * @take: enqueues taking @texture from GL to OpenCL, and returns the image that
 *    has its pixels then; the image is owned by the way
 * @give_back: enqueues bringing the pixels of the image back to the texture
 * @drop: frees the image and the texture, if they exist; OpenCL is done with
 *    both
 *
 * A way brings a texture to OpenCL and back. All functions are called on the GL
 * thread.
 */
typedef struct
{
  guint (*create) (gpointer data, GError ** error);
  cl_mem (*take) (gpointer data, guint texture, GError ** error);
  gboolean (*give_back) (gpointer data, guint texture, GError ** error);
  void (*drop) (gpointer data);
} GstGLOpenCLTrialWay;

/* Returns whether textures like the texture of @plane of @format get to @ocl
 * and back by @way. Waits for both directions. Call it on the GL thread of
 * @gl_context. Errors are OCL_ERROR_NOT_SUPPORTED and OCL_ERROR_FAILED. */
gboolean gst_gl_opencl_trial_run (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane, const GstGLOpenCLTrialWay * way,
    gpointer data, GError ** error);

G_END_DECLS
