/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters as a table: where each is in its struct, what it may be, and what
 * it means. Who shows them to users makes settings or options of a table.
 *
 * All functions: any thread, unless another changes the struct. */

#pragma once

#include "oclmatrix.h"
#include "oclnumbers.h"

G_BEGIN_DECLS

/**
 * OclParamType:
 * @OCL_PARAM_BOOLEAN: a gboolean
 * @OCL_PARAM_INT: a gint
 * @OCL_PARAM_UINT: a guint
 * @OCL_PARAM_UINT64: a guint64 of any value
 * @OCL_PARAM_DOUBLE: a gdouble
 * @OCL_PARAM_ENUM: one of the values, as a gint
 * @OCL_PARAM_FLAGS: a sum of the values, as a guint
 * @OCL_PARAM_MATRIX: an OclMatrix
 * @OCL_PARAM_NUMBERS: an OclNumbers
 * @OCL_PARAM_FILE: an OclFileName
 */
typedef enum
{
  OCL_PARAM_BOOLEAN,
  OCL_PARAM_INT,
  OCL_PARAM_UINT,
  OCL_PARAM_UINT64,
  OCL_PARAM_DOUBLE,
  OCL_PARAM_ENUM,
  OCL_PARAM_FLAGS,
  OCL_PARAM_MATRIX,
  OCL_PARAM_NUMBERS,
  OCL_PARAM_FILE,
} OclParamType;

#define OCL_MAX_FILE_NAME 4096

/**
 * OclFileName:
 * @name: as the system writes it; "" for none
 *
 * In the struct itself, so that parameters can be copied as bytes.
 */
typedef struct
{
  gchar name[OCL_MAX_FILE_NAME];
} OclFileName;

/**
 * OclValue:
 * @value: the number
 * @nick: what users write
 * @blurb: what it means
 *
 * One value of an enumeration or of flags.
 */
typedef struct
{
  gint value;
  const gchar *nick;
  const gchar *blurb;
} OclValue;

/**
 * OclValues:
 * @name: in words with dashes; no other has it
 * @values: ended by one whose nick is NULL
 */
typedef struct
{
  const gchar *name;
  const OclValue *values;
} OclValues;

/**
 * OclParam:
 * @name: in words with dashes, such as "spatial-sigma"
 * @blurb: unit, range and effect, for users
 * @type: what it is
 * @offset: of the member in its struct
 * @minimum: of a number that is no UINT64, and of each of NUMBERS
 * @maximum: likewise
 * @default_value: of all types but MATRIX, NUMBERS and FILE
 * @default_text: of MATRIX; NUMBERS and a FILE have none
 * @sets: of FILE: the name of the parameter that is read from it
 * @values: of ENUM and FLAGS
 * @fixed: whether it has no controller: it does not follow a curve in time
 * @decides: whether anything that is decided before frames are computed depends
 *    on it, see OclOperationClass
 * @at_start: whether a change takes effect when what uses it is started again
 * @bench: comma-separated values that `glopencl bench` takes where it is not
 *    given others; NULL for the default alone
 *
 * A table of them ends with one whose name is NULL.
 */
typedef struct
{
  const gchar *name;
  const gchar *blurb;
  OclParamType type;
  gsize offset;
  gdouble minimum;
  gdouble maximum;
  gdouble default_value;
  const gchar *default_text;
  const gchar *sets;
  const OclValues *values;
  gboolean fixed;
  gboolean decides;
  gboolean at_start;
  const gchar *bench;
} OclParam;

/* Sets every parameter of @params to its default. @table may be NULL. */
void ocl_params_init (const OclParam * table, gpointer params);

/* The parameter of that name, or NULL. @table may be NULL. */
const OclParam *ocl_params_find (const OclParam * table, const gchar * name);

/* Bytes of it in its struct. */
gsize ocl_param_get_size (const OclParam * param);

/* The value of that nick, or NULL. */
const OclValue *ocl_values_find (const OclValues * values, const gchar * nick);

/* Sets a parameter of @params to what @text says: a number in its range (a
 * natural one also as 0x...), a nick (several, with + between them, for flags),
 * true or false, rows of numbers, numbers, the name of a file. FALSE, and
 * nothing set, where @text is none. */
gboolean ocl_param_parse (const OclParam * param, const gchar * text,
    gpointer params);

/* Sets @file to @name, which may be NULL for none. OCL_ERROR_SETTINGS where it
 * is too long. */
gboolean ocl_file_name_set (OclFileName * file, const gchar * name,
    GError ** error);

/* The values of a list: @text without the commas that are not in <>; free
 * it. */
gchar **ocl_param_split (const gchar * text);

/* The value of a parameter of @params as ocl_param_parse() takes it; free
 * it. */
gchar *ocl_param_print (const OclParam * param, gconstpointer params);

G_END_DECLS
