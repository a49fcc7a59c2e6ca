/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates memory of images, and semaphores, in Vulkan for other APIs. Vulkan is
 * the only API whose memory OpenGL and OpenCL can both import. This code does
 * not depend on OpenGL or OpenCL.
 *
 * Must be called by one thread at a time, with one exception: images may be
 * freed from any thread, also several at a time. */

#pragma once

#include "opencl/core/ocldevice.h"
#include "opencl/core/oclformat.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLVulkan GstGLOpenCLVulkan;
typedef struct _GstGLOpenCLVulkanImage GstGLOpenCLVulkanImage;
typedef struct _GstGLOpenCLVulkanSemaphore GstGLOpenCLVulkanSemaphore;

/* Opens the GPU that has @uuid, which takes some tenths of a second. Fails with
 * OCL_ERROR_NOT_SUPPORTED if no GPU has @uuid, or if the GPU exports no
 * memory. */
GstGLOpenCLVulkan *gst_gl_opencl_vulkan_new (const guint8
    uuid[OCL_UUID_BYTES], GError ** error);

/* All images and semaphores of @vulkan must have been freed. */
void gst_gl_opencl_vulkan_free (GstGLOpenCLVulkan * vulkan);

/* Returns whether @vulkan exports semaphores. */
gboolean gst_gl_opencl_vulkan_has_semaphores (const GstGLOpenCLVulkan * vulkan);

/* Allocates the memory of a 2D image, in the GPU's own order of texels. The
 * content is undefined. Fails with OCL_ERROR_NOT_SUPPORTED if there is no such
 * image for @format. @vulkan must outlive the image. The image may be freed
 * while other APIs still have the memory imported. */
GstGLOpenCLVulkanImage *gst_gl_opencl_vulkan_image_new (GstGLOpenCLVulkan *
    vulkan, cl_image_format format, gint width, gint height, GError ** error);
void gst_gl_opencl_vulkan_image_free (GstGLOpenCLVulkanImage * image);

/* Return the size of the memory in bytes, and whether the memory can hold only
 * the image. An API needs both to import the memory. */
guint64 gst_gl_opencl_vulkan_image_get_size (const GstGLOpenCLVulkanImage *
    image);
gboolean gst_gl_opencl_vulkan_image_is_dedicated (const GstGLOpenCLVulkanImage *
    image);

/* Returns a new file descriptor for the import of the memory into an API, or -1
 * on failure. The caller owns the descriptor. */
gint gst_gl_opencl_vulkan_image_export (GstGLOpenCLVulkanImage * image,
    GError ** error);

/* Creates a binary semaphore, which is not signalled. Its export function
 * returns a file descriptor, like gst_gl_opencl_vulkan_image_export(). */
GstGLOpenCLVulkanSemaphore
    * gst_gl_opencl_vulkan_semaphore_new (GstGLOpenCLVulkan * vulkan,
    GError ** error);
void gst_gl_opencl_vulkan_semaphore_free (GstGLOpenCLVulkanSemaphore *
    semaphore);
gint gst_gl_opencl_vulkan_semaphore_export (GstGLOpenCLVulkanSemaphore *
    semaphore, GError ** error);

G_END_DECLS
