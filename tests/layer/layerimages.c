/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the images made from GL textures, and reports the application when it
 * breaks the rules about them.
 */

#include "layerimages.h"

#include "layercommon.h"
#include "layerkernels.h"

/* From cl_mem to LayerImage, and the number of releases so far.  Under the
 * lock. */
static GHashTable *images;
static guint64 release_number;

LayerImage *
layer_image_new (void)
{
  LayerImage *image = g_new0 (LayerImage, 1);

  image->owed = g_array_new (FALSE, FALSE, sizeof (LayerWait));
  return image;
}

void
layer_image_free (LayerImage * image)
{
  g_array_unref (image->owed);
  g_free (image->data);
  g_free (image);
}

void
layer_images_add (LayerImage * image)
{
  g_mutex_lock (&layer_mutex);
  if (images == NULL)
    images = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (images, image->memory, image);
  g_mutex_unlock (&layer_mutex);
}

LayerImage *
layer_images_find (cl_mem memory)
{
  LayerImage *image = NULL;

  g_mutex_lock (&layer_mutex);
  if (images != NULL)
    image = g_hash_table_lookup (images, memory);
  g_mutex_unlock (&layer_mutex);
  return image;
}

/* The image is out of the table, nobody else can see it. */
static void
layer_images_check_free (const LayerImage * image)
{
  static const char function[] = "clReleaseMemObject";

  layer_images_check_gl (image, function);
  if (image->acquired && !image->release_refused)
    layer_violation (function, "the image %p is freed while it is acquired",
        (void *) image->memory);
  if (image->owed->len > 0)
    layer_violation (function,
        "the image %p is freed, but nobody has waited for its last release",
        (void *) image->memory);
}

void
layer_images_remove (cl_mem memory)
{
  LayerImage *image = NULL;

  g_mutex_lock (&layer_mutex);
  if (images != NULL)
    image = g_hash_table_lookup (images, memory);
  if (image != NULL)
    g_hash_table_remove (images, memory);
  g_mutex_unlock (&layer_mutex);

  if (image == NULL)
    return;
  layer_kernels_image_freed (memory);
  layer_images_check_free (image);
  layer_image_free (image);
}

gboolean
layer_images_check_current (const LayerGlContext * gl, const char *function)
{
  if (layer_gl_is_current (gl->windowing, gl->gl_context))
    return TRUE;
  layer_violation (function,
      "the GL context %p of the OpenCL context is not current on this thread",
      gl->gl_context);
  return FALSE;
}

gboolean
layer_images_check_gl (const LayerImage * image, const char *function)
{
  if (!layer_images_check_current (&image->gl, function))
    return FALSE;
  if (layer_gl_is_texture (image->gl.windowing, image->texture))
    return TRUE;
  layer_violation (function, "the texture %u of the image %p is deleted",
      image->texture, (void *) image->memory);
  return FALSE;
}

void
layer_images_check_use (cl_mem memory, const char *function)
{
  LayerImage *image;
  gboolean wrong = FALSE;

  g_mutex_lock (&layer_mutex);
  image = images != NULL ? g_hash_table_lookup (images, memory) : NULL;
  wrong = image != NULL && !image->acquired;
  g_mutex_unlock (&layer_mutex);

  if (wrong)
    layer_violation (function, "the image %p is used while not acquired",
        (void *) memory);
}

/* Whether every release that is owed a wait is among @events.  With the
 * lock. */
static gboolean
layer_image_is_acquired_behind (const LayerImage * image, cl_uint n_events,
    const cl_event * events)
{
  for (guint i = 0; i < image->owed->len; i++) {
    const LayerWait *wait = &g_array_index (image->owed, LayerWait, i);
    gboolean found = FALSE;

    for (cl_uint n = 0; n < n_events; n++)
      found |= wait->event != NULL && wait->event == events[n];
    if (!found)
      return FALSE;
  }
  return TRUE;
}

void
layer_images_check_acquire (LayerImage * image, cl_uint n_events,
    const cl_event * events)
{
  static const char function[] = "clEnqueueAcquireGLObjects";
  gboolean acquired, wait_owed;

  g_mutex_lock (&layer_mutex);
  acquired = image->acquired;
  wait_owed = !layer_image_is_acquired_behind (image, n_events, events);
  /* Reported once, not again when the image is freed. */
  if (wait_owed)
    g_array_set_size (image->owed, 0);
  g_mutex_unlock (&layer_mutex);

  if (acquired)
    layer_violation (function, "the image %p is acquired twice",
        (void *) image->memory);
  if (wait_owed)
    layer_violation (function,
        "the image %p is acquired, but nobody has waited for its last release",
        (void *) image->memory);
}

void
layer_images_check_release (LayerImage * image)
{
  gboolean acquired;

  g_mutex_lock (&layer_mutex);
  acquired = image->acquired;
  g_mutex_unlock (&layer_mutex);

  if (!acquired)
    layer_violation ("clEnqueueReleaseGLObjects",
        "the image %p is released while not acquired", (void *) image->memory);
}

void
layer_images_acquired (LayerImage * image)
{
  g_mutex_lock (&layer_mutex);
  image->acquired = TRUE;
  image->release_refused = FALSE;
  g_mutex_unlock (&layer_mutex);
}

void
layer_images_released (LayerImage * image, cl_command_queue queue,
    cl_event event)
{
  g_mutex_lock (&layer_mutex);
  image->acquired = FALSE;
  image->release_refused = FALSE;
  LayerWait wait = { event, queue, ++release_number };
  g_array_append_val (image->owed, wait);
  g_mutex_unlock (&layer_mutex);
}

void
layer_images_release_refused (cl_uint count, const cl_mem * memory)
{
  for (cl_uint i = 0; memory != NULL && i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    if (image != NULL) {
      g_mutex_lock (&layer_mutex);
      image->release_refused = image->acquired;
      g_mutex_unlock (&layer_mutex);
    }
  }
}

/* Calls @function on every image, with the lock held. */
static void
layer_images_foreach (void (*function) (LayerImage * image, gpointer data),
    gpointer data)
{
  GHashTableIter iter;
  gpointer image;

  g_mutex_lock (&layer_mutex);
  if (images != NULL) {
    g_hash_table_iter_init (&iter, images);
    while (g_hash_table_iter_next (&iter, NULL, &image))
      function (image, data);
  }
  g_mutex_unlock (&layer_mutex);
}

static void
layer_image_event_seen (LayerImage * image, gpointer event)
{
  for (guint i = image->owed->len; i-- > 0;) {
    if (g_array_index (image->owed, LayerWait, i).event == event)
      g_array_remove_index (image->owed, i);
  }
}

void
layer_images_event_seen (cl_event event)
{
  if (event != NULL)
    layer_images_foreach (layer_image_event_seen, event);
}

guint64
layer_images_release_number (void)
{
  guint64 number;

  g_mutex_lock (&layer_mutex);
  number = release_number;
  g_mutex_unlock (&layer_mutex);
  return number;
}

typedef struct
{
  cl_command_queue queue;
  guint64 number;
} LayerFinish;

static void
layer_image_queue_finished (LayerImage * image, gpointer data)
{
  const LayerFinish *finish = data;

  /* A release enqueued on another thread meanwhile may not be covered. */
  for (guint i = image->owed->len; i-- > 0;) {
    const LayerWait *wait = &g_array_index (image->owed, LayerWait, i);

    if (wait->queue == finish->queue && wait->number <= finish->number)
      g_array_remove_index (image->owed, i);
  }
}

void
layer_images_queue_finished (cl_command_queue queue, guint64 number)
{
  LayerFinish finish = { queue, number };

  if (queue != NULL)
    layer_images_foreach (layer_image_queue_finished, &finish);
}

static void
layer_image_forget_event (LayerImage * image, gpointer event)
{
  for (guint i = 0; i < image->owed->len; i++) {
    LayerWait *wait = &g_array_index (image->owed, LayerWait, i);

    if (wait->event == event)
      wait->event = NULL;
  }
}

void
layer_images_forget_event (cl_event event)
{
  layer_images_foreach (layer_image_forget_event, event);
}

static void
layer_image_forget_queue (LayerImage * image, gpointer queue)
{
  for (guint i = 0; i < image->owed->len; i++) {
    LayerWait *wait = &g_array_index (image->owed, LayerWait, i);

    if (wait->queue == queue)
      wait->queue = NULL;
  }
}

void
layer_images_forget_queue (cl_command_queue queue)
{
  layer_images_foreach (layer_image_forget_queue, queue);
}

static void
layer_image_report_owed (LayerImage * image, gpointer data)
{
  gboolean *any = data;

  if (image->owed->len > 0) {
    layer_violation_note ("exit",
        "nobody has waited for the last clEnqueueReleaseGLObjects of image %p",
        (void *) image->memory);
    *any = TRUE;
  }
}

gboolean
layer_images_report_owed (void)
{
  gboolean any = FALSE;

  layer_images_foreach (layer_image_report_owed, &any);
  return any;
}
