/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search: finds the blocks of a picture in neighbouring pictures. The
 * result of the operation stays on the device.
 *
 * A luma block of 16 x 16 pixels has one vector for each neighbour. All sums
 * are integers, so that every variant finds the same vectors.
 * kernels/motion.clh has the algorithm. */

#pragma once

#include "oclmotionparams.h"
#include "oclmotionresult.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* oclmotionresult.h describes the result. */
extern const OclOperationClass ocl_motion_class;

G_END_DECLS
