/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the blocks of a picture are in the pictures around it: an operation
 * whose result stays on the device.
 *
 * A luma block of 16 x 16 pixels has one vector for each neighbour. All sums
 * are integers, so that every variant finds the same vectors.
 * kernels/motion.clh says how. */

#pragma once

#include "oclmotionparams.h"
#include "oclmotionresult.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The result is that of oclmotionresult.h. */
extern const OclOperationClass ocl_motion_class;

G_END_DECLS
