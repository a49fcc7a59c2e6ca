/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of OpenGL, OpenCL and Vulkan on one GPU for external-memory. */

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
 * @gl_context: the GL context (not owned)
 * @ocl: the OpenCL context (not owned)
 * @gl: the functions of OpenGL
 * @vulkan: the source of memory and semaphores (owned)
 * @opencl: the functions of OpenCL (owned)
 * @copy: copies to and from textures that are not ours (owned)
 * @handover: controls which API may use the memory (owned)
 *
 * Each GstGLOpenCLExternal belongs to one GstGLOpenCLContext, which must
 * outlive it. The members never change.
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

/* All functions must be called on the GL thread. */

/* Fails with OCL_ERROR_NOT_SUPPORTED if OpenGL, OpenCL or Vulkan lacks a
 * feature, or if they do not run on the same GPU. */
GstGLOpenCLExternal *gst_gl_opencl_external_new (GstGLContext * gl_context,
    OclContext * ocl, GError ** error);

/* All textures of @external must have been freed. */
void gst_gl_opencl_external_free (GstGLOpenCLExternal * external);

G_END_DECLS
