/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Proof that OpenCL and OpenGL share textures of a kind: some drivers accept
 * everything and share nothing. A small texture goes from GL to OpenCL, where
 * its bytes are inverted, and back. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* Width and height of the texture. */
#define GST_GL_OPENCL_TRIAL_SIDE 16

/**
 * GstGLOpenCLTrialWay:
 * @create: the texture that is tried, as storage that cannot change, in place
 *    of one that OpenGL makes; owned by the way; 0 with @error. NULL where any
 *    is to be tried
 * @take: enqueues taking @texture, which is GL's, to OpenCL, and gives the
 *    image that has its pixels then; owned by the way
 * @give_back: enqueues bringing the pixels of the image to the texture
 * @drop: frees the image and the texture, if there are; OpenCL is done with
 *    them
 *
 * How a texture gets to OpenCL and back. GL thread for all.
 */
typedef struct
{
  guint (*create) (gpointer data, GError ** error);
  cl_mem (*take) (gpointer data, guint texture, GError ** error);
  gboolean (*give_back) (gpointer data, guint texture, GError ** error);
  void (*drop) (gpointer data);
} GstGLOpenCLTrialWay;

/* Whether textures like that of @plane of @format get to @ocl and back by @way.
 * Waits for both. GL thread of @gl_context. OCL_ERROR_NOT_SUPPORTED or
 * OCL_ERROR_FAILED. */
gboolean gst_gl_opencl_trial_run (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane, const GstGLOpenCLTrialWay * way,
    gpointer data, GError ** error);

G_END_DECLS
