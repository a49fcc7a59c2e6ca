/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sharpens or blurs a frame by the difference of the frame and its blur.
 *
 *   blur (p)  = Σ k (i, j) I (p + (i, j))
 *   sharp (p) = α I (p) + β blur (p) + γ
 *
 * I is a pixel in [0, 1], i and j are offsets in a square window of radius r,
 * in pixels. Alpha is copied. With α = 1 - β and γ = 0 this is unsharp
 * masking. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_SHARPEN_MAX_RADIUS 64

/**
 * OclSharpenKernel:
 * @OCL_SHARPEN_AVERAGE: k = 1 / (2r + 1)²
 * @OCL_SHARPEN_GAUSSIAN: k ∝ exp (-(i² + j²) / (2 σ²)), where the weights sum
 *    to 1
 * @OCL_SHARPEN_GAUSSIAN_RAW: k = exp (-(i² + j²) / (2 σ²)) / (σ √(2π)) / (2r +
 *    1)², where the weights do not sum to 1
 *
 * If a sample stands for several pixels, only the taps of the window at whole
 * samples are used. The weights of these taps have the same sum as the weights
 * of all taps.
 */
typedef enum
{
  OCL_SHARPEN_AVERAGE,
  OCL_SHARPEN_GAUSSIAN,
  OCL_SHARPEN_GAUSSIAN_RAW,
} OclSharpenKernel;

/**
 * OclSharpenOutput:
 * @OCL_SHARPEN_SHARP: sharp
 * @OCL_SHARPEN_BLUR: blur
 * @OCL_SHARPEN_DELTA: I - blur + 0.5
 */
typedef enum
{
  OCL_SHARPEN_SHARP,
  OCL_SHARPEN_BLUR,
  OCL_SHARPEN_DELTA,
} OclSharpenOutput;

/**
 * OclSharpenPreset:
 * @OCL_SHARPEN_CUSTOM: the values of the other parameters
 * @OCL_SHARPEN_PRESET_ORIGINAL: this preset and all following presets are
 *    looks, which set the other parameters
 */
typedef enum
{
  OCL_SHARPEN_CUSTOM,
  OCL_SHARPEN_PRESET_ORIGINAL,
  OCL_SHARPEN_PRESET_SHARP,
  OCL_SHARPEN_PRESET_BLUR,
  OCL_SHARPEN_PRESET_EDGES,
  OCL_SHARPEN_PRESET_OLD_PHOTO,
  OCL_SHARPEN_PRESET_EMBOSS,
  OCL_SHARPEN_PRESET_NEGATIVE,
  OCL_SHARPEN_PRESET_GLOW,
} OclSharpenPreset;

/**
 * OclSharpenParams:
 * @kernel: the weights of the blur
 * @radius: r in pixels, 1 to OCL_SHARPEN_MAX_RADIUS
 * @sigma: σ in pixels, above 0
 * @alpha: α
 * @beta: β
 * @gamma: γ in units of the [0, 1] range
 * @output: the result that is written
 * @preset: a look, or OCL_SHARPEN_CUSTOM
 * @planes: the planes of Y'CbCr that are changed
 * @border: the values of samples outside the frame
 */
typedef struct
{
  OclSharpenKernel kernel;
  gint radius;
  gdouble sigma;
  gdouble alpha;
  gdouble beta;
  gdouble gamma;
  OclSharpenOutput output;
  OclSharpenPreset preset;
  OclPlanes planes;
  OclBorder border;
} OclSharpenParams;

/* The operation. It uses the variants of stencils, see oclstencil.h. */
extern const OclOperationClass ocl_sharpen_class;

G_END_DECLS
