/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How fast levels change, and where to: Scharr's derivatives.
 *
 *   gx (p) = (3 d (-h) + 10 d (0) + 3 d (h)) / 16
 *   d (j)  = I (p + (h, j)) - I (p + (-h, j))
 *
 * and gy the same with rows and columns exchanged: six coefficients each, h
 * pixels from the middle. I is a pixel in [0, 1], so that both are in [-1, 1].
 * H. Scharr, "Optimale Operatoren in der Digitalen Bildverarbeitung",
 * dissertation, Heidelberg 2000. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclGradientOutput:
 * @OCL_GRADIENT_MAGNITUDE: √(gx² + gy²), times the scale
 * @OCL_GRADIENT_X: 0.5 + gx / 2, times the scale
 * @OCL_GRADIENT_Y: 0.5 + gy / 2, likewise
 * @OCL_GRADIENT_DIRECTION: of the luma: a colour with the angle of (gx, gy) for
 *    hue, red being to the right and green-yellow down, and the magnitude for
 *    value. For red, green and blue only.
 *
 * The values are those of the kernels.
 */
typedef enum
{
  OCL_GRADIENT_MAGNITUDE,
  OCL_GRADIENT_X,
  OCL_GRADIENT_Y,
  OCL_GRADIENT_DIRECTION,
} OclGradientOutput;

/**
 * OclGradientChannels:
 * @OCL_GRADIENT_LUMA: of Y = 0.3 R + 0.59 G + 0.11 B, the same in all channels
 * @OCL_GRADIENT_EACH: each channel by itself
 *
 * What of red, green and blue. Planes of Y'CbCr are always taken by themselves.
 */
typedef enum
{
  OCL_GRADIENT_LUMA,
  OCL_GRADIENT_EACH,
} OclGradientChannels;

/**
 * OclGradientParams:
 * @size: of the window: 3, 5, 7 or 9; h is (size - 1) / 2 pixels, where a
 *    sample stands for several at least one sample
 * @output: what is written
 * @channels: what it is taken of
 * @scale: times the response
 * @planes: what is changed of Y'CbCr
 * @border: what taps outside the frame read
 */
typedef struct
{
  gint size;
  OclGradientOutput output;
  OclGradientChannels channels;
  gdouble scale;
  OclPlanes planes;
  OclBorder border;
} OclGradientParams;

/* The operation. Its variants:
 *
 *   plain  a sample a work-item, images or buffers, any device
 *   rows   strips of rows, 16 samples at a time, for CPUs
 *   tiled  from a tile in local memory, for GPUs */
extern const OclOperationClass ocl_gradient_class;

G_END_DECLS
