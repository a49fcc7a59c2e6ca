/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command lines for the current settings of a window.
 *
 * All functions are for the main thread. */

#pragma once

#include "playpipeline.h"

G_BEGIN_DECLS

/* Returns the elements with their current properties, for the parser of
 * pipelines: the enabled ones, or all. Free it with g_free(). */
gchar *play_command_print_elements (PlayPipeline * pipeline, gboolean all);

/* Return a shell command for the current elements and properties:
 * gst-launch-1.0 to show the input, or glopencl-denoise to write a file. NULL
 * if glopencl-denoise cannot read the input, because it requires a file. Free
 * it with g_free(). */
gchar *play_command_print_launch (PlayPipeline * pipeline);
gchar *play_command_print_denoise (PlayPipeline * pipeline);

G_END_DECLS
