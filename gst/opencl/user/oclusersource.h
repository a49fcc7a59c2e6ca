/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of a user's kernel: one function in OpenCL C 1.2 for one pixel, see
 * docs/glopenclkernel.md, or a kernel for FFmpeg's program_opencl.
 *
 * Lines `#pragma glopencl ...` declare the requirements of the function. The
 * host reads these lines, and blanks them. Errors are OCL_ERROR_SETTINGS, and
 * name the file and the line, counted from 1. */

#pragma once

#include "core/oclprograms.h"
#include "operation/oclhistory.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_USER_MAX_RADIUS 64
#define OCL_USER_MAX_HISTORY 3
#define OCL_USER_MAX_ARGUMENTS OCL_MAX_NAMED_NUMBERS

/* Maximum length of the text of a kernel, in bytes. */
#define OCL_USER_MAX_TEXT (256 * 1024)

/**
 * OclUserArgument:
 * @name: the name, a C identifier
 * @blurb: the description for users, may be empty
 * @minimum: the smallest value
 * @maximum: the largest value
 * @default_value: the value unless it is set
 *
 * An argument is a float parameter of the function, equal for all pixels.
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
 * @insert: the text to insert into the programs: definitions derived from the
 *    pragmas, and the text without them. Its name is the file name, or "source"
 * @native_name: the name of the kernel if the text is in FFmpeg's form, or NULL
 * @radius_x: number of columns read on each side
 * @radius_y: number of rows read on each side
 * @history: number of previous frames read
 * @planes: the planes of Y'CbCr to filter, 0 if the text supports RGB only
 * @guided: whether luma guides chroma
 * @alpha: whether alpha is also written
 * @scalar: whether the function is for one pixel at a time only
 * @arguments: the arguments
 * @n_arguments: the number of @arguments
 */
typedef struct
{
  OclInsert insert;
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

/* Parses @text, called @name in messages. The caller frees the result. */
OclUserSource *ocl_user_source_new (const gchar * name, const gchar * text,
    GError ** error);
void ocl_user_source_free (OclUserSource * source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclUserSource, ocl_user_source_free)

/* Parses @text like ocl_user_source_new(), and returns a literal with the
 * result. Returns NULL for an empty text, and on failure. */
OclLiteral *ocl_user_source_create_text (const gchar * name,
    const gchar * text, GError ** error);

/* Returns the source parsed from @text, which owns it. If there is none, or
 * @text is NULL, returns a function that leaves frames unchanged. */
const OclUserSource *ocl_user_source_of (const OclLiteral * text);

/* Returns the index of the argument @name, or -1. */
gint ocl_user_source_find (const OclUserSource * source, const gchar * name);

G_END_DECLS
