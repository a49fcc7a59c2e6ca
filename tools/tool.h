/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the subcommands of glopencl have in common: options, devices,
 * complaints, progress. The main thread only. */

#pragma once

#include <stdio.h>

#include "opencl/core/oclcontext.h"
#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Exit statuses, beside EXIT_SUCCESS. */
#define TOOL_FAILED 1
#define TOOL_MISUSED 2

typedef struct
{
  gint width;
  gint height;
} ToolSize;

/* Parses the command line of a subcommand; nothing may be left of it. --help
 * prints @summary, the options and @description. After FALSE, exit with
 * @status: --help was given, or there was something to complain about. */
gboolean tool_parse_options (const gchar * summary, const gchar * description,
    const GOptionEntry * entries, int argc, char **argv, int *status);

/* Prints the subcommand's name and a complaint on standard error. */
void tool_complain (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Complains that @value of @option, such as "--sizes", is not what is
 * @expected. */
void tool_complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected);

/* The index of @text in @names, which NULL ends. -1 after a complaint of
 * @option. */
gint tool_find_name (const gchar * option, const gchar * text,
    const gchar * const *names);

/* The parsers of comma-separated values. FALSE after they have complained of
 * @option. */

/* Adds the indices in @names, see tool_find_name(), as guint to @values. */
gboolean tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values);

/* Adds sizes such as 1280x720 as ToolSize to @values. */
gboolean tool_parse_sizes (const gchar * option, const gchar * text,
    GArray * values);

/* A context on the device that @selector names, see ocl_device_select(). NULL
 * after a complaint. */
OclContext *tool_open_device (const gchar * selector);

/* Shows how far the work is on standard error, where that is a terminal. An
 * empty text clears the line. */
void tool_show_progress (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* The middle of @values (of gdouble), which this sorts; there are some. */
gdouble tool_get_median (GArray * values);

/* Whether @n, what @option says, is from @least to @most. FALSE after a
 * complaint. */
gboolean tool_check_count (const gchar * option, gint n, gint least,
    gint most);

G_END_DECLS
