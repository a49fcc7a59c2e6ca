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
};

/* From handle to LayerObject.  Under the lock, as is what is in it. */
static GHashTable *objects;

void
layer_objects_add (LayerObjectKind kind, gpointer handle, const char *creator)
{
  LayerObject *object;

  if (handle == NULL)
    return;
  object = g_new0 (LayerObject, 1);
  object->kind = kind;
  object->creator = creator;
  object->references = 1;

  g_mutex_lock (&layer_mutex);
  if (objects == NULL)
    objects = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_replace (objects, handle, object);
  g_mutex_unlock (&layer_mutex);
}

/* Called with the lock held. */
static LayerObject *
layer_objects_find (gpointer handle)
{
  return objects != NULL ? g_hash_table_lookup (objects, handle) : NULL;
}

void
layer_objects_retain (gpointer handle)
{
  LayerObject *object;

  g_mutex_lock (&layer_mutex);
  object = layer_objects_find (handle);
  if (object != NULL)
    object->references++;
  g_mutex_unlock (&layer_mutex);
}

gboolean
layer_objects_release (gpointer handle)
{
  LayerObject *object;
  gboolean last, mapped = FALSE;

  g_mutex_lock (&layer_mutex);
  object = layer_objects_find (handle);
  last = object != NULL && --object->references == 0;
  if (last) {
    mapped = object->mapped > object->unmap_refused;
    g_hash_table_remove (objects, handle);
  }
  g_mutex_unlock (&layer_mutex);

  if (mapped)
    layer_violation ("clReleaseMemObject",
        "the memory object %p is freed while it is mapped", handle);
  return last;
}

void
layer_objects_map (cl_mem memory, LayerMapping what)
{
  LayerObject *object;

  g_mutex_lock (&layer_mutex);
  object = layer_objects_find (memory);
  if (object != NULL && what == LAYER_MAPPED) {
    object->mapped++;
  } else if (object != NULL && object->mapped > 0) {
    if (what == LAYER_UNMAPPED)
      object->mapped--;
    else
      object->unmap_refused++;
    object->unmap_refused = MIN (object->unmap_refused, object->mapped);
  }
  g_mutex_unlock (&layer_mutex);
}

gboolean
layer_objects_report_mapped (void)
{
  GHashTableIter iter;
  gpointer handle, value;
  gboolean any = FALSE;

  g_mutex_lock (&layer_mutex);
  if (objects != NULL) {
    g_hash_table_iter_init (&iter, objects);
    while (g_hash_table_iter_next (&iter, &handle, &value)) {
      LayerObject *object = value;

      if (object->mapped > object->unmap_refused) {
        layer_violation_note ("exit",
            "the memory object %p of %s was mapped and never unmapped", handle,
            object->creator);
        any = TRUE;
      }
    }
  }
  g_mutex_unlock (&layer_mutex);
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

  g_hash_table_iter_init (&iter, objects);
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

  g_mutex_lock (&layer_mutex);
  while (objects != NULL && g_hash_table_size (objects) > 0) {
    any = TRUE;
    g_hash_table_iter_init (&iter, objects);
    g_hash_table_iter_next (&iter, NULL, &value);
    layer_objects_report_group (value);
  }
  g_mutex_unlock (&layer_mutex);
  return any;
}

unsigned
glopencl_layer_live_objects (void)
{
  unsigned count;

  g_mutex_lock (&layer_mutex);
  count = objects != NULL ? g_hash_table_size (objects) : 0;
  g_mutex_unlock (&layer_mutex);
  return count;
}
