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
#define OCL_MAX_LINKS 16

/**
 * OclLink:
 * @klass: the operation
 * @params: its parameters
 */
typedef struct
{
  const OclOperationClass *klass;
  gpointer params;
} OclLink;

/**
 * OclLinks:
 * @id: unique number of the list of operations, see ocl_links_create_id(). Two
 *    objects with one @id have the same operations, possibly with other
 *    parameters
 * @exact: whether levels are rounded after each operation, as if each operation
 *    had separate frames
 * @n: the number of operations
 * @items: the operations
 *
 * The code that sets @items owns the parameters. ocl_links_copy() creates an
 * object that owns its parameters.
 */
typedef struct
{
  guint id;
  gboolean exact;
  guint n;
  OclLink items[OCL_MAX_LINKS];
} OclLinks;

/* Expands to a list of one operation, whose parameters the caller owns. */
#define OCL_SINGLE(class, values) ((OclLinks) {.id = G_MAXUINT, .n = 1, \
    .items = {{.klass = (class), .params = (gpointer) (values)}}})

/* Returns a number for a new list of operations, never 0. */
guint ocl_links_create_id (void);

/* Copies @source to @links, which must be zeroed or a copy. Allocates nothing
 * if @links already has the operations of @source. */
void ocl_links_copy (OclLinks * links, const OclLinks * source);

/* Frees the parameters of a copy, and empties it. */
void ocl_links_clear (OclLinks * links);

/* Returns whether frames would stay unchanged. */
gboolean ocl_links_are_neutral (const OclLinks * links);

/* Returns whether frames of @format can be computed, see OclOperationClass. An
 * error in a chain names the operation by its place. */
gboolean ocl_links_check (const OclLinks * links, const OclFormat * format,
    GError ** error);

/* Returns the numbers of earlier and later frames that the first operation
 * reads, or zeros if it is neutral. Only the first operation of a chain may
 * read later frames. */
OclNeighbours ocl_links_get_neighbours (const OclLinks * links);

/* Returns the place of the first operation that has a report, or -1. */
gint ocl_links_find_report (const OclLinks * links);

/* Returns whether @a and @b have the same operations and the same texts. */
gboolean ocl_links_have_same_texts (const OclLinks * a, const OclLinks * b);

G_END_DECLS
