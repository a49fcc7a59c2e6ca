/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenGL side of the layer: moves pixels between a texture and the host,
 * with whatever kind of GL context is current (desktop GL 3 and 4, core or
 * compatibility, OpenGL ES 2 and 3).
 *
 * GL is not linked but looked up when first used.  Apart from
 * layer_gl_is_current(), the functions must be called with the context in
 * question current on the thread.  They leave all GL state as it was, except
 * for the error flag, which is clear after those that may need it.
 */

#ifndef GLOPENCL_LAYER_GL_H
#define GLOPENCL_LAYER_GL_H

#include <CL/cl_gl.h>
#include <glib.h>

typedef enum
{
  LAYER_WINDOWING_EGL,
  LAYER_WINDOWING_GLX
} LayerWindowing;

/* Whether @gl_context, not NULL, is current on the calling thread. */
gboolean layer_gl_is_current (LayerWindowing windowing, gpointer gl_context);

gboolean layer_gl_is_texture (LayerWindowing windowing, cl_GLuint texture);

/* The size of level 0 of a 2D texture.  FALSE: it has none, or is not 2D. */
gboolean layer_gl_texture_size (LayerWindowing windowing, cl_GLuint texture,
    int *width, int *height);

/* Reads level 0 of a 2D texture as tightly packed RGBA bytes, and writes them
 * to it.  The write is complete when the function returns.  FALSE: GL would not
 * do it. */
gboolean layer_gl_read_texture (LayerWindowing windowing, cl_GLuint texture,
    int width, int height, guint8 *pixels);
gboolean layer_gl_write_texture (LayerWindowing windowing, cl_GLuint texture,
    int width, int height, const guint8 *pixels);

#endif /* GLOPENCL_LAYER_GL_H */
