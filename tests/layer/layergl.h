/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenGL side of the layer: moves pixels between a texture and the host,
 * with whatever kind of EGL context is current (desktop GL 3 and 4, core or
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

/* Whether @gl_context, not NULL, is current on the calling thread. */
gboolean layer_gl_is_current (gpointer gl_context);

gboolean layer_gl_is_texture (cl_GLuint texture);

/* How the pixels of a texture lie in OpenCL, in GL and in host memory. */
typedef struct
{
  cl_GLuint internal_format;
  cl_image_format image_format;
  cl_GLuint format;             /* of transfers from and to the host */
  cl_GLuint type;
  guint bytes;                  /* a pixel */
} LayerPixels;

/* The size of level 0 of a 2D texture, and its pixels: RGBA bytes where GL
 * cannot say.  FALSE: it has no size, or is not 2D. */
gboolean layer_gl_describe_texture (cl_GLuint texture, int *width,
    int *height, const LayerPixels **pixels);

/* Reads level 0 of a 2D texture as tightly packed @pixels, and writes them to
 * it.  The write is complete when the function returns.  FALSE: GL would not do
 * it. */
gboolean layer_gl_read_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, guint8 *data);
gboolean layer_gl_write_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, const guint8 *data);

/* The pixels of images of that format, NULL where there are none. */
const LayerPixels *layer_gl_find_image_pixels (const cl_image_format *format);

/* The first UUID of the device that the current context runs on.  FALSE: GL
 * does not say. */
gboolean layer_gl_get_uuid (guint8 uuid[16]);

#endif /* GLOPENCL_LAYER_GL_H */
