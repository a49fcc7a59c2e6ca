/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend external-memory: OpenCL uses textures that are also OpenCL
 * images. Frames from our own pools are already in textures of this kind. For
 * other frames, OpenGL copies the input into a texture of the job, and the
 * result out of another texture of the job. All commands are enqueued at
 * once, and the GPU keeps their order.
 *
 * Frames that are held back are enqueued together, see gstglopenclbatch.h. */
#include "gstglopenclbatch.h"
#include "gstglopenclexternalallocator.h"

#define MAX_TEXTURES (GST_GL_OPENCL_MAX_JOBS * GST_GL_OPENCL_MAX_MEMORIES)

G_STATIC_ASSERT (MAX_TEXTURES <= GST_GL_OPENCL_MAX_ACQUIRED);

typedef struct
{
  GstGLOpenCLBatch batch;
  GstAllocator *allocator;      /* owned */
} ExternalMemory;

/* Textures for OpenCL of the planes of a frame. */
typedef struct
{
  /* The frame's textures, or the textures for its copies. */
  GstGLOpenCLExternalTexture *used[OCL_MAX_PLANES];
  /* Textures for copies, kept between frames (owned). */
  GstGLOpenCLExternalTexture *copies[OCL_MAX_PLANES];
} Planes;

/* State of one job. */
typedef struct
{
  GstGLOpenCLAcquireSet set;
  Planes input;
  Planes output;
} ExternalSet;

/* Textures of a batch that pass from one API to the other. */
typedef struct
{
  guint textures[MAX_TEXTURES];
  cl_mem images[MAX_TEXTURES];
  guint n;
} Textures;

static void
planes_clear (Planes * self)
{
  for (guint i = 0; i < OCL_MAX_PLANES; i++) {
    self->used[i] = NULL;
    g_clear_pointer (&self->copies[i], gst_gl_opencl_external_texture_free);
  }
}

static gboolean
is_like (const GstGLOpenCLExternalTexture * texture, cl_image_format format,
    gint width, gint height)
{
  return texture->width == width && texture->height == height
      && ocl_image_format_equals (texture->format, format);
}

/* Returns whether OpenGL can copy @memory to or from a texture of @format. A
 * foreign texture may have another format than stated, or texels that a shader
 * cannot load, and OpenGL reports no error. */
static gboolean
check_memory (GstGLContext * gl_context, const GstGLMemory * memory,
    cl_image_format format, GError ** error)
{
  if (gst_gl_context_can_share (memory->mem.context, gl_context)
      && !gst_gl_opencl_interop_is_foreign_texture (GST_MEMORY_CAST (memory))
      && memory->tex_target == GST_GL_TEXTURE_TARGET_2D
      && gst_gl_opencl_shader_copy_takes (gl_context, memory->tex_format,
          format))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "A texture of format 0x%x cannot be copied on the GPU. Set interop=auto "
      "or host-copy.", memory->tex_format);
  return FALSE;
}

/* Sets the texture that plane @i of @planes uses. Uses the texture of @memory
 * if @may_acquire is TRUE and this texture is also an OpenCL image. Otherwise
 * uses a texture for copies, which is created if no existing one fits. */
static gboolean
ensure_plane (GstGLOpenCLContext * context, Planes * planes, guint i,
    GstGLMemory * memory, gboolean may_acquire, const OclFrame * frame,
    GError ** error)
{
  const cl_image_format format =
      ocl_format_get_image_format (frame->info.format, i);
  const gint width = ocl_frame_info_get_image_width (&frame->info, i);
  const gint height = ocl_frame_info_get_plane_height (&frame->info, i);
  GstGLOpenCLExternal *external = context->external;
  GstGLOpenCLExternalTexture *own = may_acquire
      ? gst_gl_opencl_external_allocator_get_texture (memory, external) : NULL;

  planes->used[i] = own;
  if (own && !own->is_lost && is_like (own, format, width, height))
    return TRUE;
  if (!check_memory (context->gl_context, memory, format, error))
    return FALSE;
  if (!planes->copies[i]
      || !is_like (planes->copies[i], format, width, height)) {
    g_clear_pointer (&planes->copies[i], gst_gl_opencl_external_texture_free);
    planes->copies[i] = gst_gl_opencl_external_texture_new (external,
        format, width, height, error);
  }
  planes->used[i] = planes->copies[i];
  return planes->copies[i] != NULL;
}

/* Sets the textures of all planes of a frame. @memories points to the memory of
 * the first plane. */
static gboolean
ensure_planes (GstGLOpenCLContext * context, Planes * planes,
    GstGLMemory ** memories, gboolean may_acquire, const OclFrame * frame,
    GError ** error)
{
  const guint n_planes = frame->info.format->n_planes;

  for (guint i = 0; i < OCL_MAX_PLANES; i++) {
    planes->used[i] = NULL;
    if (i >= n_planes)
      g_clear_pointer (&planes->copies[i], gst_gl_opencl_external_texture_free);
  }
  for (guint i = 0; i < n_planes; i++) {
    if (!ensure_plane (context, planes, i, memories[i], may_acquire, frame,
            error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the planes of the output among the memories of @set. If the frame is
 * filtered in place, these are the planes of the input. */
static GstGLMemory **
get_output_memories (GstGLOpenCLAcquireSet * set)
{
  return set->memories + set->n_memories - set->job->format->n_planes;
}

/* A frame that is filtered in place is read while it is written, so its
 * textures are not used for the output. */
static gboolean
external_memory_prepare (GstGLOpenCLBatch * batch, GstGLOpenCLAcquireSet * set,
    GError ** error)
{
  ExternalSet *external = (ExternalSet *) set;
  GstGLMemory **written = get_output_memories (set);
  const OclFrame frame =
      gst_gl_opencl_job_describe (set->job, OCL_STORAGE_IMAGE);

  return ensure_planes (batch->context, &external->input, set->memories,
      TRUE, &frame, error)
      && (!set->job->output_buffer
      || ensure_planes (batch->context, &external->output, written,
          written != set->memories, &frame, error));
}

static void
external_memory_describe (G_GNUC_UNUSED GstGLOpenCLBatch * batch,
    const GstGLOpenCLAcquireSet * set, OclFrame * input, OclFrame * output)
{
  const ExternalSet *external = (const ExternalSet *) set;

  for (guint i = 0; i < set->job->format->n_planes; i++) {
    input->planes[i].memory = external->input.used[i]->image;
    if (set->job->output_buffer)
      output->planes[i].memory = external->output.used[i]->image;
  }
}

/* Adds @texture unless it is already there: one frame may be in a batch several
 * times. */
static void
add_texture (Textures * all, const GstGLOpenCLExternalTexture * texture)
{
  for (guint i = 0; i < all->n; i++) {
    if (all->images[i] == texture->image)
      return;
  }
  all->textures[all->n] = texture->texture;
  all->images[all->n++] = texture->image;
}

/* Collects the textures of all sets of @batch. */
static void
get_textures (const GstGLOpenCLBatch * batch, Textures * all)
{
  all->n = 0;
  for (guint i = 0; i < batch->n_sets; i++) {
    const GstGLOpenCLAcquireSet *set = batch->sets[i];
    const ExternalSet *external = (const ExternalSet *) set;

    for (guint j = 0; j < set->job->format->n_planes; j++) {
      add_texture (all, external->input.used[j]);
      if (set->job->output_buffer)
        add_texture (all, external->output.used[j]);
    }
  }
}

/* Copies the planes of a frame that use textures for copies: from @memories to
 * these textures or, if @is_output is TRUE, back. */
static void
copy_planes (GstGLOpenCLBatch * batch, const Planes * planes,
    GstGLMemory ** memories, guint n_planes, gboolean is_output)
{
  for (guint i = 0; i < n_planes; i++) {
    const GstGLOpenCLExternalTexture *texture = planes->used[i];
    const guint memory = memories[i]->tex_id;

    if (texture == planes->copies[i])
      gst_gl_opencl_shader_copy_run (batch->context->external->copy,
          texture->format, is_output ? texture->texture : memory,
          is_output ? memory : texture->texture, texture->width,
          texture->height);
  }
}

static gboolean
external_memory_acquire (GstGLOpenCLBatch * batch, GError ** error)
{
  GstGLOpenCLExternal *external = batch->context->external;
  Textures all;

  get_textures (batch, &all);
  for (guint i = 0; i < batch->n_sets; i++) {
    GstGLOpenCLAcquireSet *set = batch->sets[i];

    copy_planes (batch, &((ExternalSet *) set)->input, set->memories,
        set->job->format->n_planes, FALSE);
  }
  gst_gl_opencl_shader_copy_end (external->copy);
  return gst_gl_opencl_external_acquire (external, all.textures, all.images,
      all.n, error);
}

static gboolean
external_memory_release (GstGLOpenCLBatch * batch, cl_event * released,
    GError ** error)
{
  GstGLContext *gl_context = batch->context->gl_context;
  GstGLOpenCLExternal *external = batch->context->external;
  Textures all;

  get_textures (batch, &all);
  if (!gst_gl_opencl_external_release (external, all.textures, all.images,
          all.n, released, error))
    return FALSE;
  for (guint i = 0; i < batch->n_sets; i++) {
    GstGLOpenCLAcquireSet *set = batch->sets[i];

    if (set->job->output_buffer)
      copy_planes (batch, &((ExternalSet *) set)->output,
          get_output_memories (set), set->job->format->n_planes, TRUE);
  }
  gst_gl_opencl_shader_copy_end (external->copy);
  /* When OpenCL ends, OpenGL still copies the frame. Submit OpenGL's commands
   * to the GPU, so that other GL contexts can wait for them. */
  for (guint i = 0; i < batch->n_sets; i++) {
    GstBuffer *output = batch->sets[i]->job->output_buffer;
    GstGLSyncMeta *sync = output ? gst_buffer_get_gl_sync_meta (output) : NULL;

    if (sync)
      gst_gl_sync_meta_set_sync_point (sync, gl_context);
    else
      gl_context->gl_vtable->Flush ();
  }
  return TRUE;
}

/* Marks the used textures as lost, and frees the textures for copies. The frame
 * owns its textures. */
static void
planes_lose (Planes * self)
{
  for (guint i = 0; i < OCL_MAX_PLANES; i++) {
    if (self->used[i])
      self->used[i]->is_lost = TRUE;
  }
  planes_clear (self);
}

static void
external_memory_invalidate (GstGLOpenCLBatch * batch,
    GstGLOpenCLAcquireSet * set)
{
  ExternalSet *external = (ExternalSet *) set;

  planes_lose (&external->input);
  planes_lose (&external->output);
  gst_gl_opencl_external_reset_semaphores (batch->context->external);
}

static gpointer
external_memory_new (GstGLOpenCLContext * context)
{
  static const GstGLOpenCLTextureBackend backend = {
    .prepare = external_memory_prepare,
    .describe = external_memory_describe,
    .acquire = external_memory_acquire,
    .release = external_memory_release,
    .invalidate = external_memory_invalidate,
  };
  ExternalMemory *self =
      gst_gl_opencl_batch_new (sizeof (ExternalMemory), &backend, context);

  self->allocator = gst_gl_opencl_external_allocator_new (context);
  return self;
}

static void
external_memory_free (gpointer interop)
{
  ExternalMemory *self = interop;

  gst_object_unref (self->allocator);
  gst_gl_opencl_batch_free (self);
}

static void
external_memory_clear_state (G_GNUC_UNUSED gpointer interop, gpointer state)
{
  ExternalSet *external = state;

  planes_clear (&external->input);
  planes_clear (&external->output);
}

static GstAllocator *
external_memory_get_allocator (gpointer interop)
{
  ExternalMemory *self = interop;

  return self->allocator;
}

const GstGLOpenCLInterop gst_gl_opencl_external_memory = {
  .storage = OCL_STORAGE_IMAGE,
  .new = external_memory_new,
  .free = external_memory_free,
  .state_size = sizeof (ExternalSet),
  .clear_state = external_memory_clear_state,
  .get_allocator = external_memory_get_allocator,
  .begin = gst_gl_opencl_batch_begin,
  .finish = gst_gl_opencl_batch_finish,
};
