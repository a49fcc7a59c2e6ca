/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of OpenGL, OpenCL and Vulkan on one GPU for external-memory:
 *
 *  - textures that are also OpenCL images, in memory that Vulkan allocated
 *  - the order of the commands of OpenGL and OpenCL on these textures. With
 *    semaphores, the GPU keeps the order. If a driver has no semaphores, or
 *    none can be created, the calling thread waits. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

#include "gstglopenclshadercopy.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

/* Maximum number of textures that are acquired together. */
#define GST_GL_OPENCL_MAX_ACQUIRED 80

/* One semaphore in Vulkan, OpenGL and OpenCL. */
typedef struct
{
  GstGLOpenCLVulkanSemaphore *vulkan;
  guint gl;
  OclSemaphore *opencl;
} GstGLOpenCLExternalSemaphore;

typedef struct _GstGLOpenCLExternal GstGLOpenCLExternal;

/**
 * GstGLOpenCLExternal:
 * @gl_context: the GL context (not owned)
 * @ocl: the OpenCL context (not owned)
 * @copy: copies to and from textures that are not ours (owned)
 *
 * Each GstGLOpenCLExternal belongs to one GstGLOpenCLContext, which must
 * outlive it. The members above never change.
 */
struct _GstGLOpenCLExternal
{
  GstGLContext *gl_context;
  OclContext *ocl;
  GstGLOpenCLShaderCopy *copy;

  /*< private > */
  GstGLOpenCLVulkan *vulkan;    /* allocates memory and semaphores (owned) */
  OclImporter *opencl;          /* the functions of OpenCL (owned) */

  /* The functions of GL_EXT_memory_object_fd and GL_EXT_semaphore_fd, which
   * GStreamer's table of functions lacks, without the suffix EXT. */
  struct
  {
    void (GSTGLAPI * GetUnsignedBytei_v) (guint name, guint index,
        guint8 * bytes);
    void (GSTGLAPI * CreateMemoryObjects) (gint n, guint * memory);
    void (GSTGLAPI * DeleteMemoryObjects) (gint n, const guint * memory);
    void (GSTGLAPI * MemoryObjectParameteriv) (guint memory, guint name,
        const gint * values);
    void (GSTGLAPI * ImportMemoryFd) (guint memory, guint64 size, guint type,
        gint fd);
    void (GSTGLAPI * TexStorageMem2D) (guint target, gint levels,
        guint internal_format, gint width, gint height, guint memory,
        guint64 offset);
    void (GSTGLAPI * GenSemaphores) (gint n, guint * semaphores);
    void (GSTGLAPI * DeleteSemaphores) (gint n, const guint * semaphores);
    void (GSTGLAPI * ImportSemaphoreFd) (guint semaphore, guint type, gint fd);
    void (GSTGLAPI * WaitSemaphore) (guint semaphore, guint n_buffers,
        const guint * buffers, guint n_textures, const guint * textures,
        const guint * layouts);
    void (GSTGLAPI * SignalSemaphore) (guint semaphore, guint n_buffers,
        const guint * buffers, guint n_textures, const guint * textures,
        const guint * layouts);
  } gl;

  gboolean has_semaphores;
  GstGLOpenCLExternalSemaphore to_opencl;       /* made when first needed */
  GstGLOpenCLExternalSemaphore to_opengl;
  /* The layouts of textures that OpenGL releases. They allow any use. */
  guint layouts[GST_GL_OPENCL_MAX_ACQUIRED];
};

/* All functions must be called on the GL thread, unless noted otherwise. */

/* Fails with OCL_ERROR_NOT_SUPPORTED if OpenGL, OpenCL or Vulkan lacks a
 * feature, or if they do not run on the same GPU. */
GstGLOpenCLExternal *gst_gl_opencl_external_new (GstGLContext * gl_context,
    OclContext * ocl, GError ** error);

/* All textures of @external must have been freed, and OpenCL must have finished
 * all its commands. */
void gst_gl_opencl_external_free (GstGLOpenCLExternal * external);

/* Acquires @n @textures, at most GST_GL_OPENCL_MAX_ACQUIRED, for OpenCL, where
 * they are @images. OpenCL commands that are enqueued after this call run after
 * the OpenGL commands that were issued before. They see the changes of these
 * OpenGL commands to the textures. */
gboolean gst_gl_opencl_external_acquire (GstGLOpenCLExternal * external,
    const guint * textures, const cl_mem * images, guint n, GError ** error);

/* Releases the textures to OpenGL. OpenGL commands that are issued after this
 * call run after the OpenCL commands that were enqueued before. If OpenCL
 * cannot enqueue its signal, no OpenGL command waits. Sets @released, which may
 * be NULL, to an event that ends when the textures are released. The caller
 * owns the event. */
gboolean gst_gl_opencl_external_release (GstGLOpenCLExternal * external,
    const guint * textures, const cl_mem * images, guint n,
    cl_event * released, GError ** error);

/* Frees the semaphores. Must be called after a failure, when OpenCL has
 * finished, because the semaphores may be in any state. They are created again
 * on their next use. */
void gst_gl_opencl_external_reset_semaphores (GstGLOpenCLExternal * external);

/* Returns whether textures for @plane of @format pass to OpenCL and back, see
 * gst_gl_opencl_trial_run(). */
gboolean gst_gl_opencl_external_try (GstGLOpenCLExternal * external,
    const OclFormat * format, guint plane, GError ** error);

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
 * texture cannot be created. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_texture_new (GstGLOpenCLExternal * external,
    cl_image_format format, gint width, gint height, GError ** error);

/* OpenGL and OpenCL must have finished with @texture. May be called from any
 * thread, even after the GL thread has ended. */
void gst_gl_opencl_external_texture_free (GstGLOpenCLExternalTexture * texture);

G_END_DECLS
