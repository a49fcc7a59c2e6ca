/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclliteral.h"

OclLiteral *
ocl_literal_new (const gchar * text)
{
  OclLiteral *self;

  if (!text || !*text)
    return NULL;
  self = g_atomic_rc_box_new0 (OclLiteral);
  self->text = g_strdup (text);
  self->hash = g_str_hash (text);
  return self;
}

OclLiteral *
ocl_literal_ref (OclLiteral * self)
{
  return self ? g_atomic_rc_box_acquire (self) : NULL;
}

static void
literal_clear (gpointer data)
{
  OclLiteral *self = data;

  if (self->insert)
    self->free_insert (self->insert);
  g_free (self->name);
  g_free (self->text);
}

void
ocl_literal_unref (OclLiteral * self)
{
  if (self)
    g_atomic_rc_box_release_full (self, literal_clear);
}

void
ocl_literal_take (OclLiteral ** self, OclLiteral * other)
{
  ocl_literal_unref (*self);
  *self = other;
}

gboolean
ocl_literal_equals (const OclLiteral * a, const OclLiteral * b)
{
  return a == b || (a && b && a->hash == b->hash
      && g_str_equal (a->text, b->text) && g_strcmp0 (a->name, b->name) == 0);
}

const gchar *
ocl_literal_get_text (const OclLiteral * self)
{
  return self ? self->text : "";
}
