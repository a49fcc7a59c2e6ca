/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracks the objects which the application has created and not released yet,
 * in one table for all kinds, as no two living objects have the same address.
 */

#include "layerobjects.h"

#include <stdio.h>

#include "layercommon.h"
#include "testlayer.h"

typedef struct
{
  LayerObjectKind kind;
  const char *creator;
  guint references;
  guint mapped;                 /* mappings of a memory object */
  guint unmap_refused;          /* those among them nobody is blamed for */
} LayerObject;

static const char *const kind_names[] = {
  [LAYER_OBJECT_CONTEXT] = "context",
  [LAYER_OBJECT_QUEUE] = "command queue",
  [LAYER_OBJECT_MEMORY] = "memory object",
  [LAYER_OBJECT_PROGRAM] = "program",
  [LAYER_OBJECT_KERNEL] = "kernel",
  [LAYER_OBJECT_EVENT] = "event",
  [LAYER_OBJECT_SEMAPHORE] = "semaphore",
};

/* The table from handle to LayerObject.  With the lock. */
static GHashTable *
layer_objects (void)
{
  static GHashTable *objects;

  if (objects == NULL)
    objects = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return objects;
}

void
layer_objects_add (LayerObjectKind kind, gpointer handle, const char *creator)
{
  LayerObject object = {.kind = kind,.creator = creator,.references = 1 };
  LAYER_LOCK;

  if (handle != NULL)
    g_hash_table_replace (layer_objects (), handle,
        g_memdup2 (&object, sizeof (object)));
}

void
layer_objects_retain (gpointer handle)
{
  LAYER_LOCK;
  LayerObject *object = g_hash_table_lookup (layer_objects (), handle);

  if (object != NULL)
    object->references++;
}

/* Returns whether that was the last reference, and in @mapped whether the
 * object is mapped. */
static gboolean
layer_objects_unref (gpointer handle, gboolean * mapped)
{
  LAYER_LOCK;
  LayerObject *object = g_hash_table_lookup (layer_objects (), handle);

  if (object == NULL || --object->references > 0)
    return FALSE;
  *mapped = object->mapped > object->unmap_refused;
  return g_hash_table_remove (layer_objects (), handle);
}

gboolean
layer_objects_release (gpointer handle)
{
  gboolean mapped = FALSE;
  gboolean last = layer_objects_unref (handle, &mapped);

  if (mapped)
    layer_violation ("clReleaseMemObject",
        "the memory object %p is freed while it is mapped", handle);
  return last;
}

void
layer_objects_map (cl_mem memory, LayerMapping what)
{
  LAYER_LOCK;
  LayerObject *object = g_hash_table_lookup (layer_objects (), memory);

  if (object == NULL)
    return;
  if (what == LAYER_MAPPED)
    object->mapped++;
  else if (what == LAYER_UNMAPPED && object->mapped > 0)
    object->mapped--;
  else if (what == LAYER_UNMAP_REFUSED)
    object->unmap_refused++;
  object->unmap_refused = MIN (object->unmap_refused, object->mapped);
}

gboolean
layer_objects_report_mapped (void)
{
  GHashTableIter iter;
  gpointer handle, value;
  gboolean any = FALSE;
  LAYER_LOCK;

  g_hash_table_iter_init (&iter, layer_objects ());
  while (g_hash_table_iter_next (&iter, &handle, &value)) {
    LayerObject *object = value;

    if (object->mapped > object->unmap_refused) {
      layer_violation_note ("exit",
          "the memory object %p of %s was mapped and never unmapped", handle,
          object->creator);
      any = TRUE;
    }
  }
  return any;
}

/* Prints the line for all objects of the kind and creator of @sample, and drops
 * them, so that the next line is about others.  With the lock held. */
static void
layer_objects_report_group (const LayerObject * sample)
{
  LayerObjectKind kind = sample->kind;
  const char *creator = sample->creator;
  GHashTableIter iter;
  gpointer value;
  guint count = 0;

  g_hash_table_iter_init (&iter, layer_objects ());
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    LayerObject *object = value;

    if (object->kind == kind && object->creator == creator) {
      count++;
      g_hash_table_iter_remove (&iter);
    }
  }
  fprintf (stderr, "gl-sharing layer: exit: %u %s%s of %s never released\n",
      count, kind_names[kind], count == 1 ? "" : "s", creator);
}

gboolean
layer_objects_report_alive (void)
{
  GHashTableIter iter;
  gpointer value;
  gboolean any = FALSE;
  LAYER_LOCK;

  while (g_hash_table_size (layer_objects ()) > 0) {
    any = TRUE;
    g_hash_table_iter_init (&iter, layer_objects ());
    g_hash_table_iter_next (&iter, NULL, &value);
    layer_objects_report_group (value);
  }
  return any;
}

unsigned
glopencl_layer_live_objects (void)
{
  LAYER_LOCK;

  return g_hash_table_size (layer_objects ());
}
