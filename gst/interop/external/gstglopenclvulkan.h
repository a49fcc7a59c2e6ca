/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of images, and semaphores, that Vulkan makes for other APIs: it is the
 * only one whose memory OpenGL and OpenCL can both import. Knows neither of
 * them.
 *
 * All functions: one thread at a time, but that images are freed on any: two
 * threads may free two of them. */

#pragma once

#include "opencl/core/ocldevice.h"
#include "opencl/core/oclformat.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLVulkan GstGLOpenCLVulkan;
typedef struct _GstGLOpenCLVulkanImage GstGLOpenCLVulkanImage;
typedef struct _GstGLOpenCLVulkanSemaphore GstGLOpenCLVulkanSemaphore;

/* Opens the GPU that has @uuid; takes some tenths of a second.
 * OCL_ERROR_NOT_SUPPORTED where there is none, or it exports no memory. */
GstGLOpenCLVulkan *gst_gl_opencl_vulkan_new (const guint8
    uuid[OCL_UUID_BYTES], GError ** error);

/* Its images and semaphores have been freed. */
void gst_gl_opencl_vulkan_free (GstGLOpenCLVulkan * vulkan);

/* Whether it exports semaphores. */
gboolean gst_gl_opencl_vulkan_has_semaphores (const GstGLOpenCLVulkan * vulkan);

/* The memory of a 2D image, in the GPU's own order of texels. What is in it is
 * not defined. OCL_ERROR_NOT_SUPPORTED where there is none for @format.
 * @vulkan has to outlive it; those who have imported it need not have let go
 * when it is freed. */
GstGLOpenCLVulkanImage *gst_gl_opencl_vulkan_image_new (GstGLOpenCLVulkan *
    vulkan, cl_image_format format, gint width, gint height, GError ** error);
void gst_gl_opencl_vulkan_image_free (GstGLOpenCLVulkanImage * image);

/* Bytes of the memory, and whether nothing else can be in it, both of which
 * those who import it have to know. */
guint64 gst_gl_opencl_vulkan_image_get_size (const GstGLOpenCLVulkanImage *
    image);
gboolean gst_gl_opencl_vulkan_image_is_dedicated (const GstGLOpenCLVulkanImage *
    image);

/* A new descriptor of the memory, for one who imports it; the caller owns it.
 * -1 on failure. */
gint gst_gl_opencl_vulkan_image_export (GstGLOpenCLVulkanImage * image,
    GError ** error);

/* A binary semaphore, not signalled, and a descriptor of it, as above. */
GstGLOpenCLVulkanSemaphore
    * gst_gl_opencl_vulkan_semaphore_new (GstGLOpenCLVulkan * vulkan,
    GError ** error);
void gst_gl_opencl_vulkan_semaphore_free (GstGLOpenCLVulkanSemaphore *
    semaphore);
gint gst_gl_opencl_vulkan_semaphore_export (GstGLOpenCLVulkanSemaphore *
    semaphore, GError ** error);

G_END_DECLS
