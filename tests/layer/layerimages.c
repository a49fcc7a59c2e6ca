/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps track of the images made from GL textures, and reports calls of the
 * application that break the rules about these images.
 */

#include "layerimages.h"

#include <sys/mman.h>

#include "layercommon.h"
#include "layerkernels.h"

/* A release that has to be waited for. */
typedef struct
{
  const LayerImage *image;
  cl_event event;               /* NULL: only clFinish will do */
  cl_command_queue queue;
  guint64 number;
  gboolean covered;             /* the last acquire is behind it */
} LayerWait;

/* The number of releases so far.  Under the lock. */
static guint64 release_number;

/* The table from cl_mem to LayerImage.  With the lock. */
static GHashTable *
layer_images (void)
{
  static GHashTable *images;

  if (images == NULL)
    images = g_hash_table_new (NULL, NULL);
  return images;
}

/* The waits that are owed, of all images.  With the lock. */
static GArray *
layer_owed (void)
{
  static GArray *owed;

  if (owed == NULL)
    owed = g_array_new (FALSE, FALSE, sizeof (LayerWait));
  return owed;
}

#define OWED(i) (&g_array_index (layer_owed (), LayerWait, i))

void
layer_images_add (const LayerImage * image)
{
  LAYER_LOCK;

  g_hash_table_insert (layer_images (), image->memory,
      g_memdup2 (image, sizeof (*image)));
}

LayerImage *
layer_images_find (cl_mem memory)
{
  LAYER_LOCK;

  return g_hash_table_lookup (layer_images (), memory);
}

/* Whether a release of @image is owed a wait, but for those with an event among
 * @events.  If so, all of them count as waited
 * for from now on, as they are reported once. */
static gboolean
layer_images_take_owed (const LayerImage * image, cl_uint n_events,
    const cl_event * events)
{
  gboolean any = FALSE;
  LAYER_LOCK;

  for (guint i = 0; i < layer_owed ()->len; i++) {
    gboolean listed = FALSE;

    for (cl_uint n = 0; OWED (i)->event != NULL && n < n_events; n++)
      listed |= OWED (i)->event == events[n];
    OWED (i)->covered |= OWED (i)->image == image && listed;
    any |= OWED (i)->image == image && !listed;
  }
  for (guint i = layer_owed ()->len; any && i-- > 0;) {
    if (OWED (i)->image == image)
      g_array_remove_index (layer_owed (), i);
  }
  return any;
}

/* The image is out of the table, nobody else can see it. */
static void
layer_images_check_free (const LayerImage * image)
{
  static const char function[] = "clReleaseMemObject";

  if (image->mapping == NULL)
    layer_images_check_gl (image, function);
  if (image->acquired && !image->release_refused)
    layer_violation (function, "the image %p is freed while it is acquired",
        (void *) image->memory);
  if (layer_images_take_owed (image, 0, NULL))
    layer_violation (function,
        "the image %p is freed, but nobody has waited for its last release",
        (void *) image->memory);
}

static LayerImage *
layer_images_steal (cl_mem memory)
{
  LAYER_LOCK;
  LayerImage *image = g_hash_table_lookup (layer_images (), memory);

  g_hash_table_remove (layer_images (), memory);
  return image;
}

void
layer_images_remove (cl_mem memory)
{
  LayerImage *image = layer_images_steal (memory);

  if (image == NULL)
    return;
  layer_kernels_image_freed (memory);
  layer_images_check_free (image);
  if (image->mapping != NULL)
    munmap (image->mapping, image->mapping_size);
  g_free (image->data);
  g_free (image);
}

gboolean
layer_images_check_current (gpointer gl_context, const char *function)
{
  if (layer_gl_is_current (gl_context))
    return TRUE;
  layer_violation (function,
      "the GL context %p of the OpenCL context is not current on this thread",
      gl_context);
  return FALSE;
}

gboolean
layer_images_check_gl (const LayerImage * image, const char *function)
{
  if (!layer_images_check_current (image->gl_context, function))
    return FALSE;
  if (layer_gl_is_texture (image->texture))
    return TRUE;
  layer_violation (function, "the texture %u of the image %p is deleted",
      image->texture, (void *) image->memory);
  return FALSE;
}

/* Whether @memory is an image which is not acquired. */
static gboolean
layer_images_is_idle (cl_mem memory)
{
  LAYER_LOCK;
  const LayerImage *image = g_hash_table_lookup (layer_images (), memory);

  return image != NULL && !image->acquired;
}

void
layer_images_check_use (cl_mem memory, const char *function)
{
  if (layer_images_is_idle (memory))
    layer_violation (function, "the image %p is used while not acquired",
        (void *) memory);
}

gboolean
layer_images_is_corrupt (const LayerImage * image)
{
  return layer_config.corrupt_bytes == G_MAXUINT
      || layer_config.corrupt_bytes == image->pixels->bytes;
}

void
layer_images_check_acquire (const LayerImage * image, const char *function,
    cl_uint n_events, const cl_event * events)
{
  if (!layer_images_is_idle (image->memory))
    layer_violation (function, "the image %p is acquired twice",
        (void *) image->memory);
  if (layer_images_take_owed (image, n_events, events))
    layer_violation (function,
        "the image %p is acquired, but nobody has waited for its last release",
        (void *) image->memory);
}

void
layer_images_check_release (const LayerImage * image, const char *function)
{
  if (layer_images_is_idle (image->memory))
    layer_violation (function, "the image %p is released while not acquired",
        (void *) image->memory);
}

void
layer_images_acquired (LayerImage * image)
{
  LAYER_LOCK;

  image->acquired = TRUE;
  image->release_refused = FALSE;
}

void
layer_images_released (LayerImage * image, cl_command_queue queue,
    cl_event event)
{
  LAYER_LOCK;
  LayerWait wait = { image, event, queue, ++release_number, FALSE };

  image->acquired = FALSE;
  image->release_refused = FALSE;
  /* The wait for this release is one for the releases before it. */
  for (guint i = layer_owed ()->len; i-- > 0;) {
    if (OWED (i)->image == image && OWED (i)->covered)
      g_array_remove_index (layer_owed (), i);
  }
  g_array_append_val (layer_owed (), wait);
}

void
layer_images_release_refused (cl_uint count, const cl_mem * memory)
{
  LAYER_LOCK;

  for (cl_uint i = 0; memory != NULL && i < count; i++) {
    LayerImage *image = g_hash_table_lookup (layer_images (), memory[i]);

    if (image != NULL)
      image->release_refused = image->acquired;
  }
}

void
layer_images_event_seen (cl_event event)
{
  LAYER_LOCK;

  for (guint i = layer_owed ()->len; event != NULL && i-- > 0;) {
    if (OWED (i)->event == event)
      g_array_remove_index (layer_owed (), i);
  }
}

guint64
layer_images_release_number (void)
{
  LAYER_LOCK;

  return release_number;
}

void
layer_images_queue_finished (cl_command_queue queue, guint64 number)
{
  LAYER_LOCK;

  /* A release enqueued on another thread meanwhile may not be covered. */
  for (guint i = layer_owed ()->len; queue != NULL && i-- > 0;) {
    if (OWED (i)->queue == queue && OWED (i)->number <= number)
      g_array_remove_index (layer_owed (), i);
  }
}

void
layer_images_forget (gpointer event_or_queue)
{
  LAYER_LOCK;

  for (guint i = 0; i < layer_owed ()->len; i++) {
    if (OWED (i)->event == event_or_queue)
      OWED (i)->event = NULL;
    if (OWED (i)->queue == event_or_queue)
      OWED (i)->queue = NULL;
  }
}

gboolean
layer_images_report_owed (void)
{
  LAYER_LOCK;

  for (guint i = 0; i < layer_owed ()->len; i++)
    layer_violation_note ("exit",
        "nobody has waited for the last release of image %p",
        (void *) OWED (i)->image->memory);
  return layer_owed ()->len > 0;
}
