/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates OpenGL textures that are also OpenCL images. Both use memory that
 * Vulkan allocated. */

#pragma once

#include "gstglopenclexternal.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLExternalTexture:
 * @format: format of the image
 * @width: in texels
 * @height: in texels
 * @texture: the texture in OpenGL (owned)
 * @image: the image in OpenCL (owned)
 * @is_lost: whether OpenCL may still use the texture after a failure, and must
 *    not acquire it again. GL thread only
 *
 * The members other than @is_lost never change.
 */
typedef struct
{
  cl_image_format format;
  gint width;
  gint height;
  guint texture;
  cl_mem image;
  gboolean is_lost;

  /*< private > */
  GstGLOpenCLExternal *external;        /* not owned */
  GstGLOpenCLVulkanImage *memory;       /* owned */
  guint imported;               /* the memory in OpenGL (owned) */
} GstGLOpenCLExternalTexture;

/* Creates a texture. Its content is undefined, and it belongs to OpenGL.
 * @external must outlive the texture. Fails with OCL_ERROR_NOT_SUPPORTED if the
 * texture cannot be created. Must be called on the GL thread. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_texture_new (GstGLOpenCLExternal * external,
    cl_image_format format, gint width, gint height, GError ** error);

/* OpenGL and OpenCL must have finished with @texture. May be called from any
 * thread, even after the GL thread has ended. */
void gst_gl_opencl_external_texture_free (GstGLOpenCLExternalTexture * texture);

G_END_DECLS
