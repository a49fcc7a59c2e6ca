/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "testcase.h"

#include <string.h>

typedef struct
{
  const gchar *function;
  GTestFunc run;                /* or NULL */
  const OclOperationClass *klass;       /* with run_variant */
  GTestDataFunc run_variant;
} Case;

OclContext *context;

static GArray *cases;
static gboolean has_context;

static void
add_case (const Case * added)
{
  if (!cases)
    cases = g_array_new (FALSE, FALSE, sizeof (Case));
  g_array_append_vals (cases, added, 1);
}

void
testcase_add (const gchar * function, GTestFunc run)
{
  const Case added = {.function = function,.run = run };

  add_case (&added);
}

void
testcase_add_variants (const gchar * function, const OclOperationClass * klass,
    GTestDataFunc run)
{
  const Case added = {.function = function,.klass = klass,.run_variant = run };

  add_case (&added);
}

void
testcase_add_data (GTestDataFunc run, gconstpointer data,
    const gchar * name, ...)
{
  va_list arguments;

  va_start (arguments, name);
  g_autofree gchar *text = g_strdup_vprintf (name, arguments);
  va_end (arguments);
  g_autofree gchar *path = g_strconcat ("/", text, NULL);
  g_test_add_data_func (path, data, run);
}

void
testcase_add_context (void)
{
  has_context = TRUE;
}

/* Returns the variants of @klass that the device can run. Each is tried once. */
static GPtrArray *
find_usable (const OclOperationClass * klass)
{
  static GHashTable *known;     /* from class to variants */

  if (!known)
    known = g_hash_table_new (NULL, NULL);
  GPtrArray *usable = g_hash_table_lookup (known, klass);
  if (usable)
    return usable;
  usable = g_ptr_array_new ();
  g_hash_table_insert (known, (gpointer) klass, usable);
  for (guint i = 0; klass->variants[i]; i++) {
    if (can_run (context, klass, klass->variants[i]))
      g_ptr_array_add (usable, (gpointer) klass->variants[i]);
  }
  return usable;
}

/* Adds a case to those of GLib. */
static void
register_case (const Case * self)
{
  g_autofree gchar *name =
      g_strdelimit (g_strdup (self->function + strlen ("test_")), "_", '-');

  if (self->run) {
    g_autofree gchar *path = g_strconcat ("/", name, NULL);

    g_test_add_func (path, self->run);
    return;
  }
  GPtrArray *usable = find_usable (self->klass);
  for (guint i = 0; i < usable->len; i++)
    testcase_add_data (self->run_variant, usable->pdata[i], "%s/%s",
        ((const OclVariant *) usable->pdata[i])->name, name);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (has_context)
    context = open_context ();
  if (test_set_up)
    test_set_up ();
  for (guint i = 0; cases && i < cases->len; i++)
    register_case (&g_array_index (cases, Case, i));
  g_clear_pointer (&cases, g_array_unref);
  const int result = g_test_run ();
  if (test_tear_down)
    test_tear_down ();
  if (has_context)
    ocl_context_unref (context);
  return result;
}
