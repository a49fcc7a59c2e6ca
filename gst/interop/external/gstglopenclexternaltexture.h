/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A texture of OpenGL that is an image of OpenCL's, too: both are on memory of
 * Vulkan's. */

#pragma once

#include "gstglopenclexternal.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLExternalTexture:
 * @format: of the image
 * @width: in texels
 * @height: in texels
 * @texture: of OpenGL; owned
 * @image: of OpenCL; owned
 * @is_lost: whether OpenCL may have it still, after a failure: it is not to get
 *    it again. GL thread
 *
 * The other members never change.
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
  guint imported;               /* the memory, of OpenGL; owned */
} GstGLOpenCLExternalTexture;

/* What is in it is not defined, and it is OpenGL's. @external has to outlive
 * it. OCL_ERROR_NOT_SUPPORTED where there can be none. GL thread. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_texture_new (GstGLOpenCLExternal * external,
    cl_image_format format, gint width, gint height, GError ** error);

/* OpenGL and OpenCL are done with it. Any thread; also after the GL thread has
 * ended. */
void gst_gl_opencl_external_texture_free (GstGLOpenCLExternalTexture * texture);

G_END_DECLS
