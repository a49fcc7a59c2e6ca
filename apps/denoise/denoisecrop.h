/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cropping that a container requests from players. FFmpeg before 7.1 does not
 * read it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether a file requests that players show only a part of a video: by
 * PixelCrop in Matroska or by a clean aperture (clap) in .mp4 and .mov. @format
 * is FFmpeg's name of the container. */
gboolean denoise_crop_is_in (const gchar * filename, const gchar * format);

G_END_DECLS
