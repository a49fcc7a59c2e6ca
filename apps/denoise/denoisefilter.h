/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The elements that filter the video of a track: makes them, and tells what
 * they found and how long they took. The functions may be called from any
 * thread, but on one filter from one thread at a time. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Returns a bin with the elements that @options ask for, with their preset.
 * The caller owns a floating reference. Returns NULL and sets @error if they
 * cannot be made, or if no element has the preset. */
GstElement *denoise_filter_create (const DenoiseOptions * options,
    GError ** error);

/* Returns the noise that the first element that looks for noise, or is given
 * it, uses: what it has found in the last frame, of luma, or the mean of red,
 * green and blue, or what it is given, in levels of 8 bits. Returns -1 if there
 * is none. */
gdouble denoise_filter_get_noise (GstElement * filter);

/* Adds a note to @report for each element that keeps statistics. */
void denoise_filter_note_stats (GstElement * filter, DenoiseReport * report);

/* Returns whether all elements are of this project: they keep the size and the
 * number of frames. */
gboolean denoise_filter_is_own (GstElement * filter);

/* Finds out how many frames before a frame its result depends on, and how many
 * behind it. */
void denoise_filter_get_reach (GstElement * filter, guint * n_before,
    guint * n_behind);

G_END_DECLS
