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

#include "ocldenoiseparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

extern const OclOperationClass ocl_denoise_class;

G_END_DECLS
