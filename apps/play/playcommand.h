/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command lines that make what a window shows.
 *
 * All functions are for the main thread. */

#pragma once

#include "playpipeline.h"

G_BEGIN_DECLS

/* Returns the elements with the properties as they are now, for the parser of
 * pipelines: those that are not taken out, or all. Free it with g_free(). */
gchar *play_command_print_elements (PlayPipeline * pipeline, gboolean all);

/* Return a line for a shell: gst-launch-1.0 that shows, or glopencl-denoise that
 * writes a film, with the elements and the properties as they are now. NULL for
 * what glopencl-denoise cannot read, which takes files. Free it with
 * g_free(). */
gchar *play_command_print_launch (PlayPipeline * pipeline);
gchar *play_command_print_denoise (PlayPipeline * pipeline);

G_END_DECLS
