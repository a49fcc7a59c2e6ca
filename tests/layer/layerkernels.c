/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Remembers the images from GL among the arguments of each kernel.  A kernel
 * does not own its arguments, so that one can outlive its image.
 */

#include "layerkernels.h"

#include <glib.h>
#include <string.h>

#include "layercommon.h"
#include "layerimages.h"

typedef struct
{
  cl_uint index;
  cl_mem image;                 /* NULL once it is freed */
} LayerArgument;

/* From cl_kernel to an array of LayerArgument.  Under the lock. */
static GHashTable *kernels;

static void
layer_arguments_remove (GArray * arguments, cl_uint index)
{
  for (guint i = 0; i < arguments->len; i++) {
    if (g_array_index (arguments, LayerArgument, i).index == index) {
      g_array_remove_index_fast (arguments, i);
      return;
    }
  }
}

/* Called with the lock held. */
static GArray *
layer_kernels_arguments (cl_kernel kernel)
{
  GArray *arguments;

  if (kernels == NULL)
    kernels = g_hash_table_new_full (NULL, NULL, NULL,
        (GDestroyNotify) g_array_unref);
  arguments = g_hash_table_lookup (kernels, kernel);
  if (arguments == NULL) {
    arguments = g_array_new (FALSE, FALSE, sizeof (LayerArgument));
    g_hash_table_insert (kernels, kernel, arguments);
  }
  return arguments;
}

void
layer_kernels_set_argument (cl_kernel kernel, cl_uint index, size_t size,
    const void *value)
{
  LayerArgument argument = { index, NULL };
  GArray *arguments;
  gboolean image = FALSE;

  if (size == sizeof (cl_mem) && value != NULL) {
    memcpy (&argument.image, value, size);
    image = layer_images_find (argument.image) != NULL;
  }

  g_mutex_lock (&layer_mutex);
  arguments = layer_kernels_arguments (kernel);
  layer_arguments_remove (arguments, index);
  if (image)
    g_array_append_val (arguments, argument);
  g_mutex_unlock (&layer_mutex);
}

void
layer_kernels_check_launch (cl_kernel kernel, const char *function)
{
  GArray *arguments;
  LayerArgument *copy = NULL;
  guint count = 0;

  g_mutex_lock (&layer_mutex);
  arguments = kernels != NULL ? g_hash_table_lookup (kernels, kernel) : NULL;
  if (arguments != NULL) {
    count = arguments->len;
    copy = g_memdup2 (arguments->data, count * sizeof (LayerArgument));
  }
  g_mutex_unlock (&layer_mutex);

  for (guint i = 0; i < count; i++) {
    if (copy[i].image == NULL)
      layer_violation (function, "argument %u is an image which is freed",
          copy[i].index);
    else
      layer_images_check_use (copy[i].image, function);
  }
  g_free (copy);
}

void
layer_kernels_image_freed (cl_mem image)
{
  GHashTableIter iter;
  gpointer value;

  g_mutex_lock (&layer_mutex);
  if (kernels != NULL) {
    g_hash_table_iter_init (&iter, kernels);
    while (g_hash_table_iter_next (&iter, NULL, &value)) {
      GArray *arguments = value;

      for (guint i = 0; i < arguments->len; i++) {
        LayerArgument *argument = &g_array_index (arguments, LayerArgument, i);

        if (argument->image == image)
          argument->image = NULL;
      }
    }
  }
  g_mutex_unlock (&layer_mutex);
}

void
layer_kernels_forget (cl_kernel kernel)
{
  g_mutex_lock (&layer_mutex);
  if (kernels != NULL)
    g_hash_table_remove (kernels, kernel);
  g_mutex_unlock (&layer_mutex);
}
