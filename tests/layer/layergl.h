/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The OpenGL side of the layer: moves pixels between a texture and the host,
 * with whatever kind of EGL context is current (desktop GL 3 and 4, core or
 * compatibility, OpenGL ES 2 and 3).
 *
 * The layer does not link GL, but looks it up when GL is first used.  The
 * functions, except layer_gl_is_current(), must be called on a thread where the
 * GL context of the texture is current.  They leave all GL state unchanged,
 * except for the error flag: functions that may use the error flag clear it.
 */

#ifndef GLOPENCL_LAYER_GL_H
#define GLOPENCL_LAYER_GL_H

#include <CL/cl_gl.h>
#include <glib.h>

/* Returns whether @gl_context, which is not NULL, is current on the calling
 * thread. */
gboolean layer_gl_is_current (gpointer gl_context);

gboolean layer_gl_is_texture (cl_GLuint texture);

/* The layout of a texture's pixels in OpenCL, in GL and in host memory. */
typedef struct
{
  cl_GLuint internal_format;
  cl_image_format image_format;
  cl_GLuint format;             /* of transfers from and to the host */
  cl_GLuint type;
  guint bytes;                  /* per pixel */
} LayerPixels;

/* Sets the size of level 0 of a 2D texture, and the layout of its pixels: RGBA
 * bytes if GL does not know the layout.  Returns FALSE if the texture has no
 * size or is not 2D. */
gboolean layer_gl_describe_texture (cl_GLuint texture, int *width,
    int *height, const LayerPixels **pixels);

/* Read and write level 0 of a 2D texture.  @data has tightly packed pixels with
 * the layout @pixels.  A write is complete when the function returns.  Return
 * FALSE if GL refuses. */
gboolean layer_gl_read_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, guint8 *data);
gboolean layer_gl_write_texture (cl_GLuint texture, int width, int height,
    const LayerPixels *pixels, const guint8 *data);

/* Returns the layout of pixels of images of @format, or NULL if there is
 * none. */
const LayerPixels *layer_gl_find_image_pixels (const cl_image_format *format);

/* Gets the first UUID of the device on which the current GL context runs.
 * Returns FALSE if GL does not tell the UUID. */
gboolean layer_gl_get_uuid (guint8 uuid[16]);

#endif /* GLOPENCL_LAYER_GL_H */
