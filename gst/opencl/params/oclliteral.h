/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A literal is a value of a parameter that is more than one number, such as a
 * text. It never changes, and it is freed with its last reference. So copies of
 * parameters share it, and equal parameters mostly have the same one.
 *
 * NULL is the empty literal. All functions may be called from any thread. */

#pragma once

#include "core/oclformat.h"

G_BEGIN_DECLS

/**
 * OclLiteral:
 * @text: the value as users write it; owned
 * @hash: a hash of @text
 * @name: the name of the file that @text is from; owned, or NULL
 * @insert: what an operation has read from @text for programs; owned, or NULL
 * @free_insert: frees @insert
 */
typedef struct
{
  gchar *text;
  guint hash;
  gchar *name;
  OclInsert *insert;
  GDestroyNotify free_insert;
} OclLiteral;

/* Creates a literal of a copy of @text; NULL and "" make the empty one. The
 * caller owns a reference. */
OclLiteral *ocl_literal_new (const gchar * text);

OclLiteral *ocl_literal_ref (OclLiteral * literal);
void ocl_literal_unref (OclLiteral * literal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclLiteral, ocl_literal_unref)

/* Releases the literal in @*literal, and puts @other there, whose reference it
 * takes. */
void ocl_literal_take (OclLiteral ** literal, OclLiteral * other);

/* Returns whether @a and @b have the same text from a file of the same name. */
gboolean ocl_literal_equals (const OclLiteral * a, const OclLiteral * b);

/* Returns the text of @literal; "" for the empty one. */
const gchar *ocl_literal_get_text (const OclLiteral * literal);

G_END_DECLS
