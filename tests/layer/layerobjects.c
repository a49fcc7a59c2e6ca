/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps track of the objects that the application has created and not released
 * yet, in one table for all kinds, as no two living objects have the same
 * address, of the images made from GL textures and external memory, with the
 * rules about them, and of the images among the arguments of each kernel, which
 * does not own its arguments, and can outlive them. */

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "layer.h"

typedef struct
{
  const char *kind;
  const char *creator;
  guint references;
  guint mapped;                 /* mappings of a memory object */
  guint unmap_refused;          /* objects among them that are ignored */
} LayerObject;

/* An argument of a kernel. */
typedef struct
{
  cl_kernel kernel;
  cl_uint index;
  cl_mem image;                 /* NULL once it is freed */
} LayerArgument;

/* A release that has to be waited for. */
typedef struct
{
  const LayerImage *image;
  cl_event event;               /* NULL: only clFinish will do */
  cl_command_queue queue;
  guint64 number;
  gboolean covered;             /* after the last acquire */
} LayerWait;

/* With the lock. */
static GHashTable *all_objects; /* from handle to LayerObject */
static GHashTable *all_images;  /* from cl_mem to LayerImage */
static GArray *all_arguments;   /* LayerArgument, of all kernels */
static GArray *all_owed;        /* LayerWait, of all images */

__attribute__((constructor))
     static void layer_objects_init (void)
{
  all_objects = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  all_images = g_hash_table_new (NULL, NULL);
  all_arguments = g_array_new (FALSE, FALSE, sizeof (LayerArgument));
  all_owed = g_array_new (FALSE, FALSE, sizeof (LayerWait));
}

void
layer_objects_add (const char *kind, gpointer handle, const char *creator)
{
  LayerObject object = {.kind = kind,.creator = creator,.references = 1 };
  LAYER_LOCK;

  if (handle != NULL)
    g_hash_table_replace (all_objects, handle,
        g_memdup2 (&object, sizeof (object)));
}

void
layer_objects_retain (gpointer handle)
{
  LAYER_LOCK;
  LayerObject *object = g_hash_table_lookup (all_objects, handle);

  if (object != NULL)
    object->references++;
}

/* Returns whether that was the last reference, and in @mapped whether the
 * object is mapped. */
static gboolean
layer_objects_unref (gpointer handle, gboolean * mapped)
{
  LAYER_LOCK;
  LayerObject *object = g_hash_table_lookup (all_objects, handle);

  if (object == NULL || --object->references > 0)
    return FALSE;
  *mapped = object->mapped > object->unmap_refused;
  return g_hash_table_remove (all_objects, handle);
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
  LayerObject *object = g_hash_table_lookup (all_objects, memory);

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

  g_hash_table_iter_init (&iter, all_objects);
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
  const char *kind = sample->kind;
  const char *creator = sample->creator;
  GHashTableIter iter;
  gpointer value;
  guint count = 0;

  g_hash_table_iter_init (&iter, all_objects);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    LayerObject *object = value;

    if (object->kind == kind && object->creator == creator) {
      count++;
      g_hash_table_iter_remove (&iter);
    }
  }
  fprintf (stderr, "gl-sharing layer: exit: %u %s%s of %s never released\n",
      count, kind, count == 1 ? "" : "s", creator);
}

gboolean
layer_objects_report_alive (void)
{
  GHashTableIter iter;
  gpointer value;
  gboolean any = FALSE;
  LAYER_LOCK;

  while (g_hash_table_size (all_objects) > 0) {
    any = TRUE;
    g_hash_table_iter_init (&iter, all_objects);
    g_hash_table_iter_next (&iter, NULL, &value);
    layer_objects_report_group (value);
  }
  return any;
}

unsigned
glopencl_layer_live_objects (void)
{
  LAYER_LOCK;

  return g_hash_table_size (all_objects);
}

/* Kernels */

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
  for (guint i = all_arguments->len; i-- > 0;) {
    if (ARGUMENT (all_arguments, i)->kernel == kernel
        && ARGUMENT (all_arguments, i)->index == index)
      g_array_remove_index_fast (all_arguments, i);
  }
  if (image)
    g_array_append_val (all_arguments, argument);
}

/* The arguments of @kernel, to be freed. */
static GArray *
layer_kernels_arguments (cl_kernel kernel)
{
  LAYER_LOCK;
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (LayerArgument));

  for (guint i = 0; i < all_arguments->len; i++) {
    if (ARGUMENT (all_arguments, i)->kernel == kernel)
      g_array_append_vals (arguments, ARGUMENT (all_arguments, i), 1);
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

static void
layer_kernels_image_freed (cl_mem image)
{
  LAYER_LOCK;

  for (guint i = 0; i < all_arguments->len; i++) {
    if (ARGUMENT (all_arguments, i)->image == image)
      ARGUMENT (all_arguments, i)->image = NULL;
  }
}

void
layer_kernels_forget (cl_kernel kernel)
{
  LAYER_LOCK;

  for (guint i = all_arguments->len; i-- > 0;) {
    if (ARGUMENT (all_arguments, i)->kernel == kernel)
      g_array_remove_index_fast (all_arguments, i);
  }
}

/* Images */

/* The number of releases so far.  Under the lock. */
static guint64 release_number;

#define OWED(i) (&g_array_index (all_owed, LayerWait, i))

void
layer_images_add (const LayerImage * image)
{
  LAYER_LOCK;

  g_hash_table_insert (all_images, image->memory,
      g_memdup2 (image, sizeof (*image)));
}

LayerImage *
layer_images_find (cl_mem memory)
{
  LAYER_LOCK;

  return g_hash_table_lookup (all_images, memory);
}

/* Whether a release of @image is owed a wait, but for those with an event among
 * @events.  If so, all of them are waited for from now on, as they are reported
 * once. */
static gboolean
layer_images_take_owed (const LayerImage * image, cl_uint n_events,
    const cl_event * events)
{
  gboolean any = FALSE;
  LAYER_LOCK;

  for (guint i = 0; i < all_owed->len; i++) {
    gboolean listed = FALSE;

    for (cl_uint n = 0; OWED (i)->event != NULL && n < n_events; n++)
      listed |= OWED (i)->event == events[n];
    OWED (i)->covered |= OWED (i)->image == image && listed;
    any |= OWED (i)->image == image && !listed;
  }
  for (guint i = all_owed->len; any && i-- > 0;) {
    if (OWED (i)->image == image)
      g_array_remove_index (all_owed, i);
  }
  return any;
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

static gboolean
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

/* The image is out of the table: no other thread sees it. */
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
        "the image %p is freed, but its last release has not been waited for",
        (void *) image->memory);
}

void
layer_images_remove (cl_mem memory)
{
  LayerImage *image = layer_images_find (memory);

  if (image == NULL)
    return;
  {
    LAYER_LOCK;
    g_hash_table_remove (all_images, memory);
  }
  layer_kernels_image_freed (memory);
  layer_images_check_free (image);
  if (image->mapping != NULL)
    munmap (image->mapping, image->mapping_size);
  g_free (image->data);
  g_free (image);
}

/* Whether @memory is an image which is not acquired. */
static gboolean
layer_images_is_idle (cl_mem memory)
{
  LAYER_LOCK;
  const LayerImage *image = g_hash_table_lookup (all_images, memory);

  return image != NULL && !image->acquired;
}

void
layer_images_check_use (cl_mem memory, const char *function)
{
  if (layer_images_is_idle (memory))
    layer_violation (function, "the image %p is used while not acquired",
        (void *) memory);
}

/* Common checks of acquire and release before they start. */
static cl_int
layer_images_check_all (const char *function, gboolean external,
    cl_uint count, const cl_mem * memory, cl_uint n_events,
    const cl_event * events)
{
  if (memory == NULL || count == 0)
    return CL_INVALID_VALUE;
  if ((n_events == 0) != (events == NULL) || (external && n_events > 0))
    return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    if (image == NULL || (image->mapping != NULL) != external
        || (!external && !layer_images_check_gl (image, function)))
      return external ? CL_INVALID_MEM_OBJECT : CL_INVALID_GL_OBJECT;
    for (cl_uint j = 0; j < i; j++) {
      if (memory[j] == memory[i])
        layer_violation (function, "the image %p is in the list twice",
            (void *) memory[i]);
    }
  }
  return CL_SUCCESS;
}

/* Copies images that have been checked, after the events, and gives out an event
 * for that if the caller wants one. */
static cl_int
layer_images_copy (LayerCopy copy, gboolean acquire, cl_command_queue queue,
    cl_uint count, const cl_mem * memory, LAYER_EVENT_PARAMETERS)
{
  cl_int error = num_events_in_wait_list == 0 ? CL_SUCCESS
      : layer_target.clWaitForEvents (num_events_in_wait_list,
      event_wait_list);

  /* A release comes after everything in the queue. */
  if (error == CL_SUCCESS && !acquire)
    error = layer_target.clFinish (queue);
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
    LayerImage *image = layer_images_find (memory[i]);

    if (layer_config.corrupt_bytes != G_MAXUINT
        && layer_config.corrupt_bytes != image->pixels->bytes)
      error = copy (image, queue, acquire);
  }
  return error != CL_SUCCESS || event == NULL ? error
      : layer_target.clEnqueueMarkerWithWaitList (queue, 0, NULL, event);
}

cl_int
layer_images_acquire (const char *function, gboolean external, LayerCopy copy,
    cl_command_queue queue, cl_uint count, const cl_mem * memory,
    LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_images_check_all (function, external, count, memory,
      num_events_in_wait_list, event_wait_list);

  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
    if (!layer_images_is_idle (memory[i]))
      layer_violation (function, "the image %p is acquired twice",
          (void *) memory[i]);
    if (layer_images_take_owed (layer_images_find (memory[i]),
            num_events_in_wait_list, event_wait_list))
      layer_violation (function, "the image %p is acquired, but its last "
          "release has not been waited for", (void *) memory[i]);
  }
  if (error == CL_SUCCESS)
    error = layer_images_copy (copy, TRUE, queue, count, memory,
        LAYER_EVENT_ARGUMENTS);
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
    LAYER_LOCK;
    LayerImage *image = g_hash_table_lookup (all_images, memory[i]);

    image->acquired = TRUE;
    image->release_refused = FALSE;
  }
  return error;
}

static void
layer_images_released (cl_mem memory, cl_command_queue queue, cl_event event)
{
  LAYER_LOCK;
  LayerImage *image = g_hash_table_lookup (all_images, memory);
  LayerWait wait = { image, event, queue, ++release_number, FALSE };

  image->acquired = FALSE;
  image->release_refused = FALSE;
  /* The wait for this release is one for the releases before it. */
  for (guint i = all_owed->len; i-- > 0;) {
    if (OWED (i)->image == image && OWED (i)->covered)
      g_array_remove_index (all_owed, i);
  }
  g_array_append_val (all_owed, wait);
}

cl_int
layer_images_release (const char *function, gboolean external, LayerCopy copy,
    cl_command_queue queue, cl_uint count, const cl_mem * memory,
    LAYER_EVENT_PARAMETERS)
{
  cl_int error = layer_images_check_all (function, external, count, memory,
      num_events_in_wait_list, event_wait_list);

  if (error != CL_SUCCESS)
    return error;
  for (cl_uint i = 0; i < count; i++) {
    if (layer_images_is_idle (memory[i]))
      layer_violation (function, "the image %p is released while not acquired",
          (void *) memory[i]);
  }
  error = layer_images_copy (copy, FALSE, queue, count, memory,
      LAYER_EVENT_ARGUMENTS);
  if (error != CL_SUCCESS)
    layer_images_release_refused (count, memory);
  for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++)
    layer_images_released (memory[i], queue, event != NULL ? *event : NULL);
  return error;
}

void
layer_images_release_refused (cl_uint count, const cl_mem * memory)
{
  LAYER_LOCK;

  for (cl_uint i = 0; memory != NULL && i < count; i++) {
    LayerImage *image = g_hash_table_lookup (all_images, memory[i]);

    if (image != NULL)
      image->release_refused = image->acquired;
  }
}

void
layer_images_event_seen (cl_event event)
{
  LAYER_LOCK;

  for (guint i = all_owed->len; event != NULL && i-- > 0;) {
    if (OWED (i)->event == event)
      g_array_remove_index (all_owed, i);
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
  for (guint i = all_owed->len; queue != NULL && i-- > 0;) {
    if (OWED (i)->queue == queue && OWED (i)->number <= number)
      g_array_remove_index (all_owed, i);
  }
}

void
layer_images_forget (gpointer event_or_queue)
{
  LAYER_LOCK;

  for (guint i = 0; i < all_owed->len; i++) {
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

  for (guint i = 0; i < all_owed->len; i++)
    layer_violation_note ("exit",
        "the last release of image %p has not been waited for",
        (void *) OWED (i)->image->memory);
  return all_owed->len > 0;
}
