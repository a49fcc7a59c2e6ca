/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scharr's derivatives: the rate and the direction of the change of levels.
 *
 *   gx (p) = (3 d (-h) + 10 d (0) + 3 d (h)) / 16
 *   d (j)  = I (p + (h, j)) - I (p + (-h, j))
 *
 * gy is gx with rows and columns exchanged. Both have six coefficients, h
 * pixels from the middle. I is a pixel in [0, 1], so gx and gy are in [-1, 1].
 * H. Scharr, "Optimale Operatoren in der Digitalen Bildverarbeitung",
 * dissertation, Heidelberg 2000. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclGradientOutput:
 * @OCL_GRADIENT_MAGNITUDE: √(gx² + gy²), times the scale
 * @OCL_GRADIENT_X: 0.5 + gx / 2, where gx is multiplied by the scale
 * @OCL_GRADIENT_Y: 0.5 + gy / 2, where gy is multiplied by the scale
 * @OCL_GRADIENT_DIRECTION: a colour for the gradient of the luma. The hue is
 *    the angle of (gx, gy): red is to the right, green-yellow is down. The
 *    value is the magnitude. Available only for red, green and blue.
 *
 * The kernels use the same numbers as this enum.
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
 * @OCL_GRADIENT_LUMA: the gradient of Y = 0.3 R + 0.59 G + 0.11 B, which is
 *    written to all channels
 * @OCL_GRADIENT_EACH: the gradient of each channel separately
 *
 * Selects the gradient of red, green and blue. In Y'CbCr, the gradient of each
 * plane is always computed separately.
 */
typedef enum
{
  OCL_GRADIENT_LUMA,
  OCL_GRADIENT_EACH,
} OclGradientChannels;

/**
 * OclGradientParams:
 * @size: the size of the window: 3, 5, 7 or 9. h is (size - 1) / 2 pixels, and
 *    at least one sample if a sample stands for several pixels
 * @output: the result that is written
 * @channels: the channels whose gradient is computed
 * @scale: the factor of the response
 * @planes: the planes of Y'CbCr that are changed
 * @border: the values of samples outside the frame
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
 *   plain  computes one sample per work-item, from images or buffers, on any
 *          device
 *   rows   computes slices of rows, 16 samples at a time, for CPUs
 *   tiled  computes from a tile in local memory, for GPUs */
extern const OclOperationClass ocl_gradient_class;

G_END_DECLS
