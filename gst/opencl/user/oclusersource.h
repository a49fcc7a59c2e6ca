/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of a user's kernel: one function in OpenCL C 1.2 for one pixel, see
 * docs/glopenclkernel.md, or a kernel in the form of FFmpeg's program_opencl.
 *
 * Lines `#pragma glopencl ...` say what the function needs. The host reads
 * these lines, and blanks them. Errors are OCL_ERROR_SETTINGS, and name the
 * file and the line, which counts from 1. */

#pragma once

#include "core/oclprograms.h"
#include "operation/oclhistory.h"
#include "operation/oclpass.h"

G_BEGIN_DECLS

#define OCL_USER_MAX_RADIUS 64
#define OCL_USER_MAX_HISTORY 3
#define OCL_USER_MAX_ARGUMENTS OCL_MAX_NAMED_NUMBERS

/* The longest text of a kernel, in bytes. */
#define OCL_USER_MAX_TEXT (256 * 1024)

/**
 * OclUserArgument:
 * @name: the name, an identifier of C
 * @blurb: what it means, for users; may be empty
 * @minimum: the least value
 * @maximum: the largest value
 * @default_value: the value that it has unless it is set
 *
 * An argument is a float that the function gets; it is equal for all pixels.
 */
typedef struct
{
  gchar *name;
  gchar *blurb;
  gdouble minimum;
  gdouble maximum;
  gdouble default_value;
} OclUserArgument;

/**
 * OclUserSource:
 * @insert: what is inserted into the programs: definitions that follow from the
 *    pragmas, and the text without them. Its name is that of the file, or
 *    "source"
 * @native: whether the text is a kernel in the form of FFmpeg's
 * @native_name: the name of that kernel, or NULL
 * @radius_x: columns that are read on each side
 * @radius_y: rows that are read on each side
 * @history: earlier frames that are read
 * @planes: the planes of Y'CbCr that are filtered; 0 if only RGB can be
 * @guided: whether luma guides chroma
 * @alpha: whether alpha is written, too
 * @scalar: whether the function is for one pixel at a time only
 * @arguments: the arguments
 * @n_arguments: how many arguments there are
 */
typedef struct
{
  OclInsert insert;
  gboolean native;
  gchar *native_name;
  gint radius_x;
  gint radius_y;
  guint history;
  OclPlanes planes;
  gboolean guided;
  gboolean alpha;
  gboolean scalar;
  OclUserArgument arguments[OCL_USER_MAX_ARGUMENTS];
  guint n_arguments;
} OclUserSource;

/* All functions may be called from any thread. */

/* Reads @text, which messages call @name. The caller frees the result. */
OclUserSource *ocl_user_source_new (const gchar * name, const gchar * text,
    GError ** error);
void ocl_user_source_free (OclUserSource * source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclUserSource, ocl_user_source_free)

/* Reads @text like ocl_user_source_new(), and returns a literal that has what
 * was read. Returns NULL for an empty text, and after a failure. */
OclLiteral *ocl_user_source_create_text (const gchar * name,
    const gchar * text, GError ** error);

/* Returns what was read from @text, which owns it. If nothing was, and for
 * NULL, returns a function that changes nothing. */
const OclUserSource *ocl_user_source_of (const OclLiteral * text);

/* Returns the index of the argument @name, or -1. */
gint ocl_user_source_find (const OclUserSource * source, const gchar * name);

G_END_DECLS
