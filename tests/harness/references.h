/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The float64 reference of each operation, for the tests of kernels and of
 * plain C. */

#pragma once

#include "opencl/bilateral/oclbilateral.h"
#include "opencl/convolution/oclconvolution.h"
#include "opencl/convolution/oclgradient.h"
#include "opencl/convolution/oclsharpen.h"
#include "opencl/denoise/ocldenoise.h"
#include "opencl/pyramid/oclmultiresolution.h"
#include "picture.h"
#include "referencedenoise.h"
#include "referencemultiresolution.h"
#include "referencestencils.h"

G_BEGIN_DECLS

/* An exact variant rounds to the nearest level. Within this many levels of a
 * tie, either neighbour is right. */
#define TIE 0.001

/**
 * Reference:
 * @operation: the name of the operation
 * @filter: for an operation that reads and writes: sets @levels of each channel
 *    that is filtered, row by row, not rounded; other channels stay unchanged
 * @find: for an operation that reads and has a result: sets @result
 * @draw: for an operation that only writes: draws @result on @picture
 * @tolerance: how many levels the output may differ from @filter before it is
 *    rounded; 0 if the rounding of the output is the only difference
 *
 * The functions that do not apply to the operation are NULL.
 */
typedef struct
{
  const gchar *operation;
  void (*filter) (gconstpointer params, const Picture * input,
      gdouble * const levels[3]);
  void (*find) (gconstpointer params, const Picture * input, gpointer result);
  void (*draw) (gconstpointer params, gconstpointer result,
      Picture * picture);
  gdouble tolerance;
} Reference;

/* Returns the reference of @operation. If there is none, the test fails. */
const Reference *reference_find (const gchar * operation);

/* Sets @levels to the filtered levels of packed RGBA @pixels, three for each
 * pixel, from 0 to 255. */
void reference_filter_rgba (const Reference * reference, gconstpointer params,
    const guint8 * pixels, gint width, gint height, gdouble * levels);

/* Returns the level of a border colour, 0xAARRGGBB, in a channel of @format, in
 * ITU-R BT.709, full range. */
gdouble reference_get_border_level (const OclFormat * format, guint channel,
    guint color);

/* Returns a picture as a frame of the reference of the denoiser. The caller ends
 * with denoise_frame_clear(). */
ReferenceDenoiseFrame take_denoise_frame (const Picture * picture);
void denoise_frame_clear (ReferenceDenoiseFrame * frame);

ReferenceDenoise get_reference_denoise (const OclDenoiseParams * params);

G_END_DECLS
