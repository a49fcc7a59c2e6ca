/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code that the subcommands of glopencl share: options, devices, complaints,
 * progress. Main thread only. */

#pragma once

#include <stdio.h>

#include "opencl/core/oclcontext.h"
#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* The exit statuses other than EXIT_SUCCESS. */
#define TOOL_FAILED 1
#define TOOL_MISUSED 2

typedef struct
{
  gint width;
  gint height;
} ToolSize;

/* Parses the command line of a subcommand. It may hold options only. --help
 * prints @summary, the options and @description. If this returns FALSE, the
 * caller must exit with @status: --help was given, or the command line was
 * wrong and a complaint was printed. */
gboolean tool_parse_options (const gchar * summary, const gchar * description,
    const GOptionEntry * entries, int argc, char **argv, int *status);

/* Prints the subcommand's name and a complaint on standard error. */
void tool_complain (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Complains that @option, such as "--sizes", has the value @value and not
 * @expected. */
void tool_complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected);

/* Returns the index of @text in @names, which ends with NULL. Returns -1 after
 * a complaint about @option. */
gint tool_find_name (const gchar * option, const gchar * text,
    const gchar * const *names);

/* The following functions parse comma-separated values. They return FALSE after
 * a complaint about @option. */

/* Looks up the values in @names, see tool_find_name(), and adds their indices
 * to @values (of guint). */
gboolean tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values);

/* Adds sizes such as 1280x720 to @values (of ToolSize). */
gboolean tool_parse_sizes (const gchar * option, const gchar * text,
    GArray * values);

/* Creates a context on the device that @selector names, see
 * ocl_device_select(). Returns NULL after a complaint. */
OclContext *tool_open_device (const gchar * selector);

/* Shows the progress of the work on standard error, if standard error is a
 * terminal. An empty text clears the line. */
void tool_show_progress (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Returns the first line of the message of @error, for users: the further lines
 * are for developers. The caller frees the text. */
gchar *tool_get_first_line (const GError * error);

/* Sorts @values (of gdouble) in place and returns their median. @values must
 * not be empty. */
gdouble tool_get_median (GArray * values);

/* Checks that @n, the value of @option, is from @least to @most. Returns FALSE
 * after a complaint. */
gboolean tool_check_count (const gchar * option, gint n, gint least,
    gint most);

G_END_DECLS
