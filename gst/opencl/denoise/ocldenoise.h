/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoiser: shrinks the DCT of 8 x 8 blocks over several frames.
 *
 * Blocks start at every second sample in both directions, or at every fourth
 * one with OCL_DENOISE_EFFORT_FAST. The block of another frame is displaced by
 * the vector of luma, see oclmotion.h, and is left out if it does not match.
 * shrink.clh has the formula. The threshold is
 *
 *   OCL_DENOISE_THRESHOLD · strength · σ
 *
 * with the standard deviation σ of the noise of a plane, in levels of 8
 * bits. */

#pragma once

#include "operation/oclhistory.h"
#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_DENOISE_THRESHOLD 2.8

/**
 * OclDenoiseEffort:
 * @OCL_DENOISE_EFFORT_FAST: blocks start at every fourth sample
 * @OCL_DENOISE_EFFORT_NORMAL: blocks start at every second sample
 * @OCL_DENOISE_EFFORT_BEST: as NORMAL, with four earlier and four later frames
 */
typedef enum
{
  OCL_DENOISE_EFFORT_FAST,
  OCL_DENOISE_EFFORT_NORMAL,
  OCL_DENOISE_EFFORT_BEST,
} OclDenoiseEffort;

/**
 * OclDenoiseParams:
 * @noise: σ in levels of 8 bits, for all planes. -1 estimates σ for each plane
 * @strength: the factor of the threshold
 * @chroma_strength: the factor for chroma. -1 uses @strength
 * @curve: whether an estimated σ depends on the brightness, except in chroma
 * @grain: the fraction of the removed noise that is added back
 * @effort: the trade-off of quality for speed
 * @history: number of earlier frames, at most OCL_MAX_HISTORY, unless @effort
 *    sets it
 * @lookahead: number of later frames, at most OCL_MAX_LOOKAHEAD, unless @effort
 *    sets it
 * @motion: whether matching blocks of other frames are searched for
 * @planes: the planes of Y'CbCr that are filtered
 * @border: the values of samples outside the frame
 */
typedef struct
{
  gdouble noise;
  gdouble strength;
  gdouble chroma_strength;
  gboolean curve;
  gdouble grain;
  OclDenoiseEffort effort;
  guint history;
  guint lookahead;
  gboolean motion;
  OclPlanes planes;
  OclBorder border;
} OclDenoiseParams;

/* Returns the numbers of earlier and later frames of @params, an
 * OclDenoiseParams. */
OclNeighbours ocl_denoise_params_get_neighbours (gconstpointer params);

extern const OclOperationClass ocl_denoise_class;

G_END_DECLS
