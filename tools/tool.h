/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code that the subcommands of glopencl share: options, lists of parameters,
 * devices, complaints, progress, tables. Main thread only. */

#pragma once

#include "opencl/core/oclcontext.h"
#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The exit statuses other than EXIT_SUCCESS. */
#define TOOL_FAILED 1
#define TOOL_MISUSED 2

typedef struct
{
  gint width;
  gint height;
} ToolSize;

/* The subcommands. They return the exit status of the program. */
int devices_main (int argc, char **argv);
int operations_main (int argc, char **argv);
int check_main (int argc, char **argv);
int bench_main (int argc, char **argv);
int tune_main (int argc, char **argv);
int roofline_main (int argc, char **argv);
int try_kernel_main (int argc, char **argv);

/* Returns the command line of a subcommand, without options. --help prints
 * @summary, the options and @description. */
GOptionContext *tool_options_new (const gchar * summary,
    const gchar * description);

/* Parses the command line. If this returns FALSE, the caller must exit with
 * @status: --help was given, or the command line was wrong and a complaint was
 * printed. */
gboolean tool_parse_options (GOptionContext * context, int argc, char **argv,
    int *status);

/* Prints the subcommand's name and a complaint on standard error. */
void tool_complain (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Complains that @option, such as "--sizes", has the value @value and not
 * @expected. */
void tool_complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected);

/* Checks that @n, the value of @option, is from @least to @most. Returns FALSE
 * after a complaint. */
gboolean tool_check_count (const gchar * option, gint n, gint least,
    gint most);

/* Returns the names of @things, which are pointers to structs with a name at
 * @offset, ended by NULL. The caller frees the array with g_free(). */
const gchar **tool_list_names (gconstpointer things, gsize offset);

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

/* Adds an option to @context for every parameter of all operations or, if
 * @swept_only, only for the parameters whose table has values to sweep over.
 * Each takes a list of values, and all combinations of the values are run.
 * Parameters of several operations with one name share one list. Returns the
 * lists, which must outlive the parsing. */
GPtrArray *param_lists_new (GOptionContext * context, gboolean swept_only);

/* Returns whether each option that was given is a parameter of at least one of
 * @classes (of OclOperationClass), and its values are legal for all @classes
 * that have this parameter. Returns FALSE after a complaint. */
gboolean param_lists_check (GPtrArray * lists, GPtrArray * classes);

/* Returns the parameters (OclParam) that have a list for any of @classes. */
GPtrArray *param_lists_get_listed (GPtrArray * lists, GPtrArray * classes);

/* Returns the parameters of @klass for all combinations of the lists. The array
 * owns them. The lists are the ones given on the command line or, if none was
 * given for any parameter of @klass, the ones in its table. Parameters without
 * a list have their defaults. */
GPtrArray *param_lists_combine (GPtrArray * lists,
    const OclOperationClass * klass);

/* Describes the legal values of @param, such as "an integer from 1 to 3". The
 * caller frees the text. */
gchar *param_describe_values (const OclParam * param);

/* Creates a context on the device @selector, see ocl_device_select(). Returns
 * NULL after a complaint. */
OclContext *tool_open_device (const gchar * selector);

/* Shows the progress of the work on standard error, if standard error is a
 * terminal. An empty text clears the line. */
void tool_show_progress (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Returns the first line of the message of @error, for users. Further lines are
 * for developers. The caller frees the text. */
gchar *tool_get_first_line (const GError * error);

/* Sorts @values (of gdouble) in place and returns their median. @values must
 * not be empty. */
gdouble tool_get_median (GArray * values);

/* Tables of figures, for people or for programs, and their output files. A file
 * is written completely or not at all. */

/**
 * ReportColumn:
 * @name: the heading of the column
 * @is_number: whether the column is aligned to the right
 * @csv_only: whether the table on the terminal omits the column
 */
typedef struct
{
  const gchar *name;
  gboolean is_number;
  gboolean csv_only;
} ReportColumn;

typedef struct _Report Report;

Report *report_new (void);
void report_free (Report * report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)

/* Adds @n columns. Must be called before the first cell is added. The names in
 * @columns must outlive the report. */
void report_add_columns (Report * report, const ReportColumn * columns,
    guint n);

/* Adds the next cell. The cell of the last column ends the row. */
void report_add (Report * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Adds @n empty cells. */
void report_add_empty (Report * report, guint n);

/**
 * Output:
 * @csv: path of the CSV file to write (RFC 4180, but lines end with \n), "-"
 *    for standard output, or NULL
 * @json: path of the JSON file to write (RFC 8259), likewise: an array of
 *    objects, whose members have the names of the columns. Empty cells are null
 *
 * The destination of a report. Without either, a table on standard output.
 */
typedef struct
{
  gchar *csv;
  gchar *json;
} Output;

void output_add_options (Output * output, GOptionContext * context);

/* Returns whether a table is written. */
gboolean output_is_table (const Output * output);

/* Checks that the files can be written, before any work is done. Returns FALSE
 * after a complaint. */
gboolean output_check (const Output * output);

/* Writes @report. A file gets its name when it is complete. Returns FALSE after
 * a complaint. output_end() reports errors of standard output. */
gboolean output_write (const Output * output, const Report * report);

/* Writes @text to @path, "-" for standard output, like output_write(). */
gboolean output_write_text (const gchar * path, const gchar * text);

/* Closes standard output. Returns whether all output was written. FALSE after a
 * complaint. */
gboolean output_end (void);

G_END_DECLS
