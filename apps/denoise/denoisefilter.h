/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that filter the video of a track. Creates them and reports their
 * noise estimates and times. The functions may be called from any thread, but
 * for each filter from one thread at a time. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns a bin with the elements of @options, with their preset. The caller
 * owns a floating reference. Returns NULL and sets @error if they cannot be
 * created, or if no element has the preset. */
GstElement *denoise_filter_create (const DenoiseOptions * options,
    GError ** error);

/* Returns the noise in levels of 8 bits of the first element with a noise
 * property: the given noise, or the estimate of the last frame, of luma or the
 * mean of red, green and blue. Returns -1 if there is none. */
gdouble denoise_filter_get_noise (GstElement * filter);

/* Adds a note to @report for each element that keeps statistics. */
void denoise_filter_note_stats (GstElement * filter, DenoiseReport * report);

/* Returns whether all elements are of this plugin. These keep the size and the
 * number of frames. */
gboolean denoise_filter_is_own (GstElement * filter);

/* Returns the number of frames before and after a frame that its result depends
 * on. */
void denoise_filter_get_reach (GstElement * filter, guint * n_before,
    guint * n_behind);

G_END_DECLS
