/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts packed RGBA to frames of any format. Functions may be called from
 * any thread. */

#pragma once

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* The colorimetry of converted frames: ITU-R BT.709, limited range. */
#define CONVERT_COLORIMETRY ((OclColorimetry) {.kr = 0.2126,.kb = 0.0722 })

/* Returns the bytes of one plane of @frame, packed; the caller frees them. The
 * memory and the strides of @frame are ignored. @pixels has as many pixels as
 * @frame. A sample of a colour difference is the mean of the differences of all
 * pixels that the sample stands for. */
guint8 *convert_plane (const OclFrame * frame, guint plane,
    const guint8 * pixels);

G_END_DECLS
