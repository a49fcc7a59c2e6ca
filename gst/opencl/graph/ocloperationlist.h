/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* List of the operations of a chain with their parameters, in the order in
 * which they are run on a frame. A chain may have a single operation.
 *
 * All functions may be called from any thread. Use an object from one thread at
 * a time. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Maximum number of operations of a chain. */
#define OCL_MAX_OPERATIONS 16

/* Divides two operations in a text. */
#define OCL_BETWEEN_OPERATIONS "!"

/**
 * OclOperation:
 * @klass: the operation
 * @params: its parameters
 */
typedef struct
{
  const OclOperationClass *klass;
  gpointer params;
} OclOperation;

/**
 * OclOperationList:
 * @id: unique number of the list of operations, see
 *    ocl_operation_list_create_id(). Two objects with one @id have the same
 *    operations, possibly with other parameters
 * @exact: whether levels are rounded after each operation, as if each operation
 *    had separate frames
 * @n: the number of operations
 * @items: the operations
 *
 * The code that sets @items owns the parameters. ocl_operation_list_copy()
 * creates an object that owns its parameters.
 */
typedef struct
{
  guint id;
  gboolean exact;
  guint n;
  OclOperation items[OCL_MAX_OPERATIONS];
} OclOperationList;

/* Expands to a list of one operation, whose parameters the caller owns. */
#define OCL_SINGLE(class, values) ((OclOperationList) {.id = G_MAXUINT, \
    .n = 1, .items = {{.klass = (class), .params = (gpointer) (values)}}})

/* Returns a number for a new list of operations, never 0. */
guint ocl_operation_list_create_id (void);

/* Copies @source to @list, which must be zeroed or a copy. Allocates nothing if
 * @list already has the operations of @source. */
void ocl_operation_list_copy (OclOperationList * list,
    const OclOperationList * source);

/* Frees the parameters of a copy, and empties it. */
void ocl_operation_list_clear (OclOperationList * list);

/* Returns whether frames would stay unchanged. */
gboolean ocl_operation_list_is_neutral (const OclOperationList * list);

/* Returns whether frames of @format can be computed, see OclOperationClass. An
 * error in a chain names the operation by its place. */
gboolean ocl_operation_list_check (const OclOperationList * list,
    const OclFormat * format, GError ** error);

/* Returns the numbers of earlier and later frames that the first operation
 * reads, or zeros if it is neutral. Only the first operation of a chain may
 * read later frames. */
OclNeighbours ocl_operation_list_get_neighbours (const OclOperationList * list);

/* Returns the place of the first operation that has a report, or -1. */
gint ocl_operation_list_find_report (const OclOperationList * list);

/* Returns whether an operation runs a text, see OCL_OPERATION_IS_TEXT. */
gboolean ocl_operation_list_has_texts (const OclOperationList * list);

/* Returns whether @a and @b have the same operations and the same texts. */
gboolean ocl_operation_list_has_same_texts (const OclOperationList * a,
    const OclOperationList * b);

/* Returns @list as a text for ocl_operation_list_parse(), with the parameters
 * that differ from their defaults. The caller frees it. */
gchar *ocl_operation_list_print (const OclOperationList * list);

G_END_DECLS
