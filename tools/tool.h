/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the subcommands of glopencl have in common: options, devices,
 * complaints, progress. The main thread only. */

#pragma once

#include <stdio.h>

#include "opencl/oclcontext.h"
#include "report.h"

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
 * prints @summary, the options and @description and exits. After FALSE, which
 * has been complained about, exit with TOOL_MISUSED. */
gboolean tool_parse_options (const gchar * summary, const gchar * description,
    const GOptionEntry * entries, int argc, char **argv);

/* Prints the subcommand's name and a complaint on standard error. */
void tool_complain (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* The parsers of comma-separated values. FALSE after they have complained of
 * @option, such as "--radii". */

/* Adds the indices in @names, which NULL ends, as guint to @values. */
gboolean tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values);

/* Adds the integers, which must be in @min to @max, as gint to @values. */
gboolean tool_parse_integers (const gchar * option, const gchar * text,
    gint min, gint max, GArray * values);

/* Adds sizes such as 1280x720 as ToolSize to @values. */
gboolean tool_parse_sizes (const gchar * option, const gchar * text,
    GArray * values);

/* A context on the device that @selector names, see ocl_device_select(). */
OclContext *tool_open_device (const gchar * selector, GError ** error);

/* Standard output where @path is NULL or "-". NULL after a complaint. */
FILE *tool_open_output (const gchar * path);

/* Writes @report as CSV where @csv_path is not NULL, else as a table, and
 * closes @file, which tool_open_output() gave. FALSE after a complaint. */
gboolean tool_write_report (const Report * report, const gchar * csv_path,
    FILE * file);

/* Shows how far the work is on standard error, where that is a terminal. An
 * empty text clears the line. */
void tool_show_progress (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* The middle of @values (of gdouble), which this sorts; there are some. */
gdouble tool_get_median (GArray * values);

G_END_DECLS
