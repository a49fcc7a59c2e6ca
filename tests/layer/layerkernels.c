/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Remembers the images from GL among the arguments of each kernel.  A kernel
 * does not own its arguments, so that a kernel can outlive its images.
 */

#include "layerkernels.h"

#include <glib.h>
#include <string.h>

#include "layercommon.h"
#include "layerimages.h"

typedef struct
{
  cl_kernel kernel;
  cl_uint index;
  cl_mem image;                 /* NULL once it is freed */
} LayerArgument;

/* Of all kernels.  With the lock. */
static GArray *
layer_arguments (void)
{
  static GArray *arguments;

  if (arguments == NULL)
    arguments = g_array_new (FALSE, FALSE, sizeof (LayerArgument));
  return arguments;
}

#define ARGUMENT(array, i) (&g_array_index (array, LayerArgument, i))

void
layer_kernels_set_argument (cl_kernel kernel, cl_uint index, size_t size,
    const void *value)
{
  LayerArgument argument = { kernel, index, NULL };
  gboolean image = FALSE;

  if (size == sizeof (cl_mem) && value != NULL) {
    memcpy (&argument.image, value, size);
    image = layer_images_find (argument.image) != NULL;
  }

  LAYER_LOCK;
  GArray *all = layer_arguments ();
  for (guint i = all->len; i-- > 0;) {
    if (ARGUMENT (all, i)->kernel == kernel
        && ARGUMENT (all, i)->index == index)
      g_array_remove_index_fast (all, i);
  }
  if (image)
    g_array_append_val (all, argument);
}

/* The arguments of @kernel, to be freed. */
static GArray *
layer_kernels_arguments (cl_kernel kernel)
{
  LAYER_LOCK;
  GArray *all = layer_arguments ();
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (LayerArgument));

  for (guint i = 0; i < all->len; i++) {
    if (ARGUMENT (all, i)->kernel == kernel)
      g_array_append_vals (arguments, ARGUMENT (all, i), 1);
  }
  return arguments;
}

/* Reports a group that the device that the environment describes cannot
 * have. */
static void
layer_kernels_check_group (cl_kernel kernel, cl_uint dimensions,
    const size_t *group, const char *function)
{
  cl_ulong local_size = 0;

  if (layer_config.flat_groups && group != NULL && dimensions > 1
      && group[1] > 1)
    layer_violation (function, "the group has %zu rows", group[1]);
  if (layer_config.local_size == 0)
    return;
  if (layer_target.clGetKernelWorkGroupInfo (kernel, NULL,
          CL_KERNEL_LOCAL_MEM_SIZE, sizeof (local_size), &local_size, NULL)
      == CL_SUCCESS && local_size > layer_config.local_size)
    layer_violation (function, "the kernel takes %llu bytes of local memory",
        (unsigned long long) local_size);
}

void
layer_kernels_check_launch (cl_kernel kernel, cl_uint dimensions,
    const size_t *group, const char *function)
{
  g_autoptr (GArray) arguments = layer_kernels_arguments (kernel);

  layer_kernels_check_group (kernel, dimensions, group, function);

  for (guint i = 0; i < arguments->len; i++) {
    const LayerArgument *argument = ARGUMENT (arguments, i);

    if (argument->image == NULL)
      layer_violation (function, "argument %u is an image which is freed",
          argument->index);
    else
      layer_images_check_use (argument->image, function);
  }
}

void
layer_kernels_image_freed (cl_mem image)
{
  LAYER_LOCK;
  GArray *all = layer_arguments ();

  for (guint i = 0; i < all->len; i++) {
    if (ARGUMENT (all, i)->image == image)
      ARGUMENT (all, i)->image = NULL;
  }
}

void
layer_kernels_forget (cl_kernel kernel)
{
  LAYER_LOCK;
  GArray *all = layer_arguments ();

  for (guint i = all->len; i-- > 0;) {
    if (ARGUMENT (all, i)->kernel == kernel)
      g_array_remove_index_fast (all, i);
  }
}
