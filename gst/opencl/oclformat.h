/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a pixel is: which colours, in which order, how deep. All formats are
 * entries of one const table; kernels are built for one of them.
 *
 * Kernels work on levels: a component of n bits has levels 0 to 2^n - 1, and
 * stands for level / (2^n - 1). Nothing above this and kernels/pixel.clh and
 * kernels/vector.clh knows a depth or an order.
 *
 * All functions: any thread. */

#pragma once

#include <CL/cl.h>
#include <glib.h>

G_BEGIN_DECLS

#define OCL_MAX_PLANES 1
#define OCL_N_COMPONENTS 4

typedef struct _OclFormat OclFormat;

/**
 * OclFormat:
 * @name: what GStreamer calls it
 * @depth: bits of a component
 * @component_bytes: bytes that a component takes
 * @n_planes: at most OCL_MAX_PLANES
 * @pixel_components: components side by side in a pixel of each plane, those
 *    that mean nothing included
 * @position: where in a pixel red, green, blue and alpha are
 * @swapped: the format with the first and the third component of a pixel
 *    exchanged
 */
struct _OclFormat
{
  const gchar *name;
  guint depth;
  guint component_bytes;
  guint n_planes;
  guint pixel_components[OCL_MAX_PLANES];
  guint position[OCL_N_COMPONENTS];
  const OclFormat *swapped;
};

/* All there are; the last is NULL. [0] is 8-bit RGBA. */
extern const OclFormat *const ocl_formats[];

#define OCL_FORMAT_RGBA (ocl_formats[0])

/* The format of that name, or NULL. */
const OclFormat *ocl_format_find (const gchar * name);

/* The level that stands for 1. */
guint ocl_format_get_max_level (const OclFormat * format);

/* A level that stands for a value of 8 bits. */
gfloat ocl_format_get_level (const OclFormat * format, guint8 value);

/* Bytes of a pixel of a plane. */
guint ocl_format_get_pixel_bytes (const OclFormat * format, guint plane);

/* What an image that holds a plane has as its format. */
cl_image_format ocl_format_get_image_format (const OclFormat * format,
    guint plane);

/* The macros that kernels find the format in, as options for the driver's
 * compiler; free it. */
gchar *ocl_format_get_options (const OclFormat * format);

G_END_DECLS
