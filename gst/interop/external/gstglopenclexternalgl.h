/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Imports memory and semaphores of other APIs into OpenGL with
 * GL_EXT_memory_object_fd and GL_EXT_semaphore_fd. GStreamer's table of
 * functions lacks the functions of both extensions. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

G_BEGIN_DECLS

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

G_END_DECLS
