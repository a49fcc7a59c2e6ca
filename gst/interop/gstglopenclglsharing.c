/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend gl-sharing: OpenCL uses the GL textures as images, without a
 * copy. The context must share textures with OpenGL.
 *
 * The image of a GstGLMemory is created once for each OpenCL context, and kept
 * on the memory. The image is released on the GL thread before the texture is
 * deleted. A frame is acquired, filtered and released on the GL thread. The
 * streaming thread waits for the release. */
#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

#include "gl/gstglopenclsharedimage.h"
#include "gstglopenclbatch.h"

#define MAX_TEXTURES (GST_GL_OPENCL_MAX_JOBS * GST_GL_OPENCL_MAX_MEMORIES)

/* The image of a texture in a context. */
typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  cl_mem image;                 /* owned */
  gboolean bytes_swapped;       /* of @image, see OclFrame */
  cl_event released;            /* the last frame that used the texture is
                                   released to GL, or NULL (owned) */
} Texture;

/* Protects the arrays: elements on several GL threads may use one
 * GstGLMemory. */
static GMutex textures_lock;

static GQuark
textures_quark (void)
{
  return g_quark_from_static_string ("gst-gl-opencl-textures");
}

static void
texture_free_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Texture *texture = data;

  (void) gl_context;
  g_clear_pointer (&texture->released, clReleaseEvent);
  clReleaseMemObject (texture->image);
}

/* Called before the GstGLMemory deletes its texture, on any thread. */
static void
texture_free (gpointer data)
{
  Texture *texture = data;

  gst_gl_context_thread_add (texture->context->gl_context,
      texture_free_on_gl_thread, texture);
  gst_gl_opencl_context_unref (texture->context);
  g_free (texture);
}

/* Returns NULL if no texture is kept on @memory yet. The caller holds
 * textures_lock. */
static GPtrArray *
get_kept_textures (GstGLMemory * memory)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      textures_quark ());
}

/* Returns -1 if @textures has no texture of @context. The caller holds
 * textures_lock. */
static gint
find_texture (GPtrArray * textures, GstGLOpenCLContext * context)
{
  for (guint i = 0; textures && i < textures->len; i++) {
    Texture *texture = g_ptr_array_index (textures, i);

    if (texture->context == context)
      return i;
  }
  return -1;
}

/* Fails with OCL_ERROR_NOT_SUPPORTED before anything is changed. */
static Texture *
texture_new (GstGLOpenCLContext * context, GstGLMemory * memory,
    const OclFormat * format, guint plane, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  gboolean bytes_swapped = FALSE;
  cl_mem image = NULL;

  if (gst_gl_context_can_share (memory->mem.context, context->gl_context))
    image = gst_gl_opencl_shared_image_new (context->ocl,
        gst_gl_texture_target_to_gl (memory->tex_target), memory->tex_id,
        format, plane, &bytes_swapped, &reason);
  else
    ocl_check (CL_INVALID_GL_OBJECT, "clCreateFromGLTexture", &reason);
  if (!image) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A texture cannot be borrowed: %s Set interop=auto or host-copy.",
        reason->message);
    return NULL;
  }

  Texture *texture = g_new0 (Texture, 1);
  texture->context = gst_gl_opencl_context_ref (context);
  texture->image = image;
  texture->bytes_swapped = bytes_swapped;
  return texture;
}

/* Returns the image of memory @i of @set. The memory owns the image. Fails
 * with OCL_ERROR_NOT_SUPPORTED if OpenCL cannot acquire the texture, in which
 * case nothing has been changed. */
static Texture *
get_texture (const GstGLOpenCLBatch * batch, const GstGLOpenCLAcquireSet * set,
    guint i, GError ** error)
{
  GstGLMemory *memory = set->memories[i];
  const OclFormat *format = set->job->format;
  Texture *texture = NULL;

  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_kept_textures (memory);
  const gint index = find_texture (textures, batch->context);
  if (index >= 0)
    texture = g_ptr_array_index (textures, index);
  g_mutex_unlock (&textures_lock);
  if (texture)
    return texture;

  texture = texture_new (batch->context, memory, format, i % format->n_planes,
      error);
  if (!texture)
    return NULL;
  g_mutex_lock (&textures_lock);
  textures = get_kept_textures (memory);
  if (!textures) {
    textures = g_ptr_array_new_with_free_func (texture_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
        textures_quark (), textures, (GDestroyNotify) g_ptr_array_unref);
  }
  g_ptr_array_add (textures, texture);
  g_mutex_unlock (&textures_lock);
  return texture;
}

/* Textures of a batch. Each texture is in the list once, although a frame may
 * be in the batch several times. */
typedef struct
{
  Texture *textures[MAX_TEXTURES];
  cl_mem images[MAX_TEXTURES];
  cl_uint n;
} Textures;

static gboolean
gl_sharing_prepare (GstGLOpenCLBatch * batch, GstGLOpenCLAcquireSet * set,
    GError ** error)
{
  for (guint i = 0; i < set->n_memories; i++) {
    const Texture *texture = get_texture (batch, set, i, error);

    if (!texture)
      return FALSE;
    if (!gst_gl_opencl_job_takes (set->job, texture->bytes_swapped)) {
      set->job->bytes_swapped = texture->bytes_swapped;
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "The driver shares the textures of one frame with "
          "different byte orders. Set interop=auto or host-copy.");
      return FALSE;
    }
  }
  return TRUE;
}

/* Collects the textures of all sets of @batch, which must be prepared. */
static void
get_textures (const GstGLOpenCLBatch * batch, Textures * all)
{
  all->n = 0;
  for (guint i = 0; i < batch->n_sets; i++) {
    for (guint j = 0; j < batch->sets[i]->n_memories; j++) {
      Texture *texture = get_texture (batch, batch->sets[i], j, NULL);
      guint n = 0;

      while (n < all->n && all->textures[n] != texture)
        n++;
      if (n < all->n)
        continue;
      all->textures[all->n] = texture;
      all->images[all->n++] = texture->image;
    }
  }
}

/* Acquires the textures from GL. The command waits for other users of the
 * textures: an element on another branch of a tee may still use them. The
 * command is not timed, because NVIDIA's driver reports the time of the kernels
 * for it. */
static gboolean
gl_sharing_acquire (GstGLOpenCLBatch * batch, GError ** error)
{
  cl_event users[MAX_TEXTURES];
  cl_uint n_users = 0;
  Textures all;

  get_textures (batch, &all);
  for (guint i = 0; i < all.n; i++) {
    if (all.textures[i]->released)
      users[n_users++] = all.textures[i]->released;
  }

  /* No Linux desktop driver waits for GL implicitly. */
  batch->context->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (batch->context->ocl->queue,
          all.n, all.images, n_users, n_users ? users : NULL, NULL),
      "clEnqueueAcquireGLObjects", error);
}

static void
gl_sharing_describe (GstGLOpenCLBatch * batch,
    const GstGLOpenCLAcquireSet * set, OclFrame * input, OclFrame * output)
{
  const guint n_planes = set->job->format->n_planes;
  const guint first_output = set->n_memories - n_planes;

  for (guint i = 0; i < n_planes; i++) {
    const Texture *read = get_texture (batch, set, i, NULL);
    const Texture *written = get_texture (batch, set, first_output + i, NULL);

    input->planes[i].memory = read->image;
    input->info.bytes_swapped = read->bytes_swapped;
    output->planes[i].memory = written->image;
    output->info.bytes_swapped = written->bytes_swapped;
  }
}

static gboolean
gl_sharing_release (GstGLOpenCLBatch * batch, cl_event * released,
    GError ** error)
{
  Textures all;

  get_textures (batch, &all);
  gboolean ok = ocl_check (clEnqueueReleaseGLObjects
      (batch->context->ocl->queue, all.n, all.images, 0, NULL, released),
      "clEnqueueReleaseGLObjects", error);
  for (guint i = 0; ok && i < all.n; i++) {
    g_clear_pointer (&all.textures[i]->released, clReleaseEvent);
    ok = ocl_check (clRetainEvent (*released), "clRetainEvent", error);
    if (ok)
      all.textures[i]->released = *released;
  }
  return ok;
}

/* Frees the images, whose state is unknown after a failure. */
static void
gl_sharing_invalidate (GstGLOpenCLBatch * batch, GstGLOpenCLAcquireSet * set)
{
  for (guint i = 0; i < set->n_memories; i++) {
    Texture *texture = NULL;

    g_mutex_lock (&textures_lock);
    GPtrArray *textures = get_kept_textures (set->memories[i]);
    gint index = find_texture (textures, batch->context);
    if (index >= 0)
      texture = g_ptr_array_steal_index_fast (textures, index);
    g_mutex_unlock (&textures_lock);
    g_clear_pointer (&texture, texture_free);
  }
}

static gpointer
gl_sharing_new (GstGLOpenCLContext * context)
{
  static const GstGLOpenCLTextureBackend backend = {
    .prepare = gl_sharing_prepare,
    .describe = gl_sharing_describe,
    .acquire = gl_sharing_acquire,
    .release = gl_sharing_release,
    .invalidate = gl_sharing_invalidate,
  };

  return gst_gl_opencl_batch_new (sizeof (GstGLOpenCLBatch), &backend, context);
}

const GstGLOpenCLInterop gst_gl_opencl_gl_sharing = {
  .storage = OCL_STORAGE_IMAGE,
  .new = gl_sharing_new,
  .free = gst_gl_opencl_batch_free,
  .state_size = sizeof (GstGLOpenCLAcquireSet),
  .begin = gst_gl_opencl_batch_begin,
  .finish = gst_gl_opencl_batch_finish,
};
