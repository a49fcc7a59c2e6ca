/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table describes parameters: the offset in their struct, the valid values
 * and the meaning. User interfaces create settings or options from a table.
 *
 * All functions may be called from any thread if no other thread changes the
 * struct. */

#pragma once

#include "oclliteral.h"

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
 * @OCL_PARAM_MATRIX: a matrix. This one and all below are pointers to an
 *    OclLiteral, NULL if empty
 * @OCL_PARAM_NUMBERS: a list of numbers
 * @OCL_PARAM_NAMED_NUMBERS: numbers with names
 * @OCL_PARAM_FILE: the name of a file in the encoding of the system
 * @OCL_PARAM_TEXT: a text
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
  OCL_PARAM_NAMED_NUMBERS,
  OCL_PARAM_FILE,
  OCL_PARAM_TEXT,
} OclParamType;

/**
 * OclValue:
 * @value: the number
 * @nick: the name for users
 * @blurb: the meaning of the value
 *
 * Describes one value of an enumeration or of flags.
 */
typedef struct
{
  gint value;
  const gchar *nick;
  const gchar *blurb;
} OclValue;

/**
 * OclValues:
 * @name: unique name, in words with dashes
 * @values: the values, ended by an entry whose nick is NULL
 */
typedef struct
{
  const gchar *name;
  const OclValue *values;
} OclValues;

/**
 * OclParam:
 * @name: name in words with dashes, such as "spatial-sigma"
 * @blurb: unit, range and effect, for users
 * @type: type of the parameter
 * @offset: offset of the member in its struct
 * @minimum: smallest value of a number, except UINT64, and of each number of
 *    NUMBERS
 * @maximum: largest value of a number, except UINT64, and of each number of
 *    NUMBERS
 * @default_value: default value of numbers, enumerations and flags
 * @default_text: default value of MATRIX as text. Other types without a
 *    @default_value are empty by default
 * @sets: for FILE: name of the parameter that is read from the file
 * @values: for ENUM and FLAGS: the values
 * @fixed: whether the parameter cannot have a controller
 * @decides: whether decisions before frames are processed depend on the
 *    parameter, see OclOperationClass
 * @at_start: whether a change takes effect when the object that uses the
 *    parameter is started again
 * @bench: comma-separated default values for `glopencl bench`, NULL for only
 *    the default value
 *
 * A table of parameters ends with an entry whose name is NULL.
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

/* Sets every parameter of @params, which has no values yet, to its default.
 * ocl_params_clear() releases the literals. @table may be NULL. */
void ocl_params_init (const OclParam * table, gpointer params);
void ocl_params_clear (const OclParam * table, gpointer params);

/* A struct of parameters that ocl_params_new() allocated. */
typedef void OclParams;

/* Returns a struct of @size bytes with the defaults of @table, or NULL if @size
 * is 0. */
OclParams *ocl_params_new (const OclParam * table, gsize size);

/* Frees @params, which may be NULL. */
void ocl_params_free (OclParams * params);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclParams, ocl_params_free)

/* Copies @source to @params, which has values. The copy shares the literals,
 * without allocation. */
void ocl_params_copy (const OclParam * table, gsize size, gpointer params,
    gconstpointer source);

/* Returns whether all members of @a and @b are equal, including members that
 * are not in @table. */
gboolean ocl_params_equal (const OclParam * table, gsize size,
    gconstpointer a, gconstpointer b);

/* Returns whether the parameter @param is equal in @a and @b. */
gboolean ocl_param_equals (const OclParam * param, gconstpointer a,
    gconstpointer b);

/* Returns the literal of @params, which owns it, or NULL if it is empty, or if
 * @param has another type. */
OclLiteral *ocl_param_get_literal (const OclParam * param,
    gconstpointer params);

/* Returns the parameter with the name @name, or NULL. @table may be NULL. */
const OclParam *ocl_params_find (const OclParam * table, const gchar * name);

/* Returns the size of the parameter in its struct, in bytes. */
gsize ocl_param_get_size (const OclParam * param);

/* Returns the value with the nick @nick, or NULL. */
const OclValue *ocl_values_find (const OclValues * values, const gchar * nick);

/* Sets a parameter of @params to the value in @text: a number in its range (a
 * natural number also as 0x...), a nick (flags: nicks joined with +), true or
 * false, rows of numbers, numbers, numbers with names, the name of a file, or a
 * text. If @text is not a value of the parameter, returns FALSE and sets
 * nothing. */
gboolean ocl_param_parse (const OclParam * param, const gchar * text,
    gpointer params);

/* Sets a parameter whose value is a literal to the value in @text. NULL means
 * "". Returns FALSE with OCL_ERROR_SETTINGS, without setting it, if @text is
 * not a value. */
gboolean ocl_param_parse_literal (const OclParam * param, const gchar * text,
    gpointer params, GError ** error);

/* Sets or adds the number @name of numbers with names to the number in @value.
 * NULL removes it. Fails like ocl_param_parse_literal(). */
gboolean ocl_param_set_named (const OclParam * param, const gchar * name,
    const gchar * value, gpointer params, GError ** error);

/* Get and set a parameter that is a single number, except doubles. UINT64
 * values keep their bits. */
gint64 ocl_param_get_integer (const OclParam * param, gconstpointer params);
void ocl_param_set_integer (const OclParam * param, gpointer params,
    gint64 integer);

/* Splits the list @text at the commas outside <>. The caller frees the
 * values. */
gchar **ocl_param_split (const gchar * text);

/* Returns the value of a parameter of @params as text that ocl_param_parse()
 * accepts. The caller frees the text. */
gchar *ocl_param_print (const OclParam * param, gconstpointer params);

G_END_DECLS
