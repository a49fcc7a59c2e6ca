/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What external-memory needs of OpenGL, OpenCL and Vulkan on one GPU, and the
 * way of textures between the first two. */

#pragma once

#include "gstglopenclexternalgl.h"
#include "gstglopenclhandover.h"
#include "gstglopenclshadercopy.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLExternal GstGLOpenCLExternal;

/**
 * GstGLOpenCLExternal:
 * @gl_context: the GL context; not owned
 * @ocl: the OpenCL context; not owned
 * @gl: the functions of OpenGL
 * @vulkan: where memory and semaphores come from; owned
 * @opencl: the functions of OpenCL; owned
 * @copy: to and from textures of others; owned
 * @handover: who may use the memory; owned
 *
 * One for a GstGLOpenCLContext, which has to outlive it. Its members never
 * change.
 */
struct _GstGLOpenCLExternal
{
  GstGLContext *gl_context;
  OclContext *ocl;
  GstGLOpenCLExternalGL gl;
  GstGLOpenCLVulkan *vulkan;
  OclImporter *opencl;
  GstGLOpenCLShaderCopy *copy;
  GstGLOpenCLHandover *handover;
};

/* GL thread for all. */

/* OCL_ERROR_NOT_SUPPORTED where one of the three lacks something, or they are
 * not on the same GPU. */
GstGLOpenCLExternal *gst_gl_opencl_external_new (GstGLContext * gl_context,
    OclContext * ocl, GError ** error);

/* All textures have been freed. */
void gst_gl_opencl_external_free (GstGLOpenCLExternal * external);

G_END_DECLS
