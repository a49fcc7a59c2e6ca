/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of OpenGL, OpenCL and Vulkan on one GPU for external-memory, and
 * textures that OpenGL and OpenCL both use. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

#include "gstglopenclshadercopy.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

/* Imports memory and semaphores of other APIs into OpenGL with
 * GL_EXT_memory_object_fd and GL_EXT_semaphore_fd. GStreamer's table of
 * functions lacks the functions of both extensions. */

/**
 * GstGLOpenCLExternalGL:
 * @has_semaphores: whether the functions for semaphores are available
 *
 * The struct is a plain table of functions. The names of the members lack the
 * suffix of the extension.
 */
typedef struct
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

  gboolean has_semaphores;
  void (GSTGLAPI * GenSemaphores) (gint n, guint * semaphores);
  void (GSTGLAPI * DeleteSemaphores) (gint n, const guint * semaphores);
  void (GSTGLAPI * ImportSemaphoreFd) (guint semaphore, guint type, gint fd);
  void (GSTGLAPI * WaitSemaphore) (guint semaphore, guint n_buffers,
      const guint * buffers, guint n_textures, const guint * textures,
      const guint * layouts);
  void (GSTGLAPI * SignalSemaphore) (guint semaphore, guint n_buffers,
      const guint * buffers, guint n_textures, const guint * textures,
      const guint * layouts);
} GstGLOpenCLExternalGL;

/* All functions must be called on the GL thread. */

/* Looks up the functions. Fails with OCL_ERROR_NOT_SUPPORTED if OpenGL has no
 * memory objects. */
gboolean gst_gl_opencl_external_gl_init (GstGLOpenCLExternalGL * gl,
    GstGLContext * gl_context, GError ** error);

/* Returns whether OpenGL runs on the device with @uuid, which has 16 bytes. */
gboolean gst_gl_opencl_external_gl_has_uuid (const GstGLOpenCLExternalGL * gl,
    GstGLContext * gl_context, const guint8 * uuid);

/* Orders the commands of OpenGL and OpenCL on shared memory. With semaphores,
 * the GPU keeps the order. If a driver has no semaphores, or none can be
 * created, the calling thread waits. */

typedef struct _GstGLOpenCLHandover GstGLOpenCLHandover;

/* All functions must be called on the GL thread of @gl_context. */

/* All arguments must outlive the handover, except @gl, which is copied. */
GstGLOpenCLHandover *gst_gl_opencl_handover_new (GstGLContext * gl_context,
    const GstGLOpenCLExternalGL * gl, GstGLOpenCLVulkan * vulkan,
    OclContext * ocl, OclImporter * external);

/* OpenCL must have finished all its commands. */
void gst_gl_opencl_handover_free (GstGLOpenCLHandover * handover);

/* Hands @n @textures to OpenCL, at most GST_GL_OPENCL_MAX_HANDED_OVER. OpenCL
 * commands that are enqueued after this call run after the OpenGL commands that
 * were issued before. They see the changes of these OpenGL commands to the
 * textures. */
gboolean gst_gl_opencl_handover_to_opencl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Hands @n @textures back to OpenGL. OpenGL commands that are issued after this
 * call run after the OpenCL commands that were enqueued before. If OpenCL
 * cannot enqueue its signal, no OpenGL command waits. */
gboolean gst_gl_opencl_handover_to_opengl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Frees the semaphores. Must be called after a failure, when OpenCL has
 * finished, because the semaphores may be in any state. They are created again
 * on their next use. */
void gst_gl_opencl_handover_reset (GstGLOpenCLHandover * handover);

#define GST_GL_OPENCL_MAX_HANDED_OVER 80

/* Objects of OpenGL, OpenCL and Vulkan on one GPU for external-memory. */

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

/* Creates OpenGL textures that are also OpenCL images. Both use memory that
 * Vulkan allocated. */

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

/* Checks that textures pass to OpenCL and back through external memory. */

/* Returns whether textures for @plane of @format pass to OpenCL and back, see
 * gst_gl_opencl_trial_run(). Must be called on the GL thread. */
gboolean gst_gl_opencl_external_try (GstGLOpenCLExternal * external,
    const OclFormat * format, guint plane, GError ** error);

G_END_DECLS
