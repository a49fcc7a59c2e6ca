/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of any format, made of packed RGBA. Any thread. */

#pragma once

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/* What they are made with: ITU-R BT.709, limited. */
#define CONVERT_COLORIMETRY ((OclColorimetry) {.kr = 0.2126,.kb = 0.0722 })

/* The bytes of a plane of @frame, whose memory and strides are of no concern,
 * packed; free them. @pixels are as many as the frame has. A difference is the
 * mean of those of the pixels it stands for. */
guint8 *convert_plane (const OclFrame * frame, guint plane,
    const guint8 * pixels);

G_END_DECLS
