/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations of a chain with their parameters, in the order in which they
 * are run on a frame. A list with a single operation is a chain, too.
 *
 * All functions may be called from any thread. Only one thread at a time may
 * use an object. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* A chain has at most this many operations. */
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
 * @id: a number that no other list of operations has, see
 *    ocl_links_create_id(). Two objects with one @id have the same operations,
 *    maybe with other parameters
 * @exact: whether levels are rounded after each operation, as if each one had
 *    frames of its own
 * @n: the number of operations
 * @items: the operations
 *
 * Whoever sets @items owns the parameters. ocl_links_copy() makes an object
 * that owns its parameters.
 */
typedef struct
{
  guint id;
  gboolean exact;
  guint n;
  OclLink items[OCL_MAX_LINKS];
} OclLinks;

/* Makes a list of one operation, whose parameters the caller owns. */
#define OCL_SINGLE(class, values) ((OclLinks) {.id = G_MAXUINT, .n = 1, \
    .items = {{.klass = (class), .params = (gpointer) (values)}}})

/* Returns a number for a new list of operations; never 0. */
guint ocl_links_create_id (void);

/* Makes @links, which is zeroed or a copy already, a copy of @source. Allocates
 * nothing if @links had the operations of @source. */
void ocl_links_copy (OclLinks * links, const OclLinks * source);

/* Frees the parameters of a copy, and makes it empty. */
void ocl_links_clear (OclLinks * links);

/* Returns whether frames would stay unchanged. */
gboolean ocl_links_are_neutral (const OclLinks * links);

/* Returns whether frames of @format can be computed, see OclOperationClass. An
 * error in a chain names the operation by its place. */
gboolean ocl_links_check (const OclLinks * links, const OclFormat * format,
    GError ** error);

/* Returns how many earlier and later frames the first operation reads, if it is
 * not neutral. Only the first operation of a chain may read later frames. */
OclNeighbours ocl_links_get_neighbours (const OclLinks * links);

/* Returns the place of the first operation that has a report, or -1. */
gint ocl_links_find_report (const OclLinks * links);

/* Returns whether @a and @b have the same operations and the same texts. */
gboolean ocl_links_have_same_texts (const OclLinks * a, const OclLinks * b);

G_END_DECLS
