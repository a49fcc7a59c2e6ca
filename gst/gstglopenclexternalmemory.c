/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternalmemory.h"

#include "gstglopenclbatch.h"
#include "gstglopenclexternaltexture.h"

#define MAX_TEXTURES (GST_GL_OPENCL_MAX_FLIGHTS * GST_GL_OPENCL_MAX_LENT)

G_STATIC_ASSERT (MAX_TEXTURES <= GST_GL_OPENCL_MAX_HANDED_OVER);

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  GstGLOpenCLExternal *external;        /* its */
  GstGLOpenCLBatch batch;
} ExternalMemory;

/* What is kept for a flight: the textures of the planes of its input and its
 * output, from one frame to the next; owned. */
typedef struct
{
  GstGLOpenCLLoan loan;
  GstGLOpenCLExternalTexture *input[OCL_MAX_PLANES];
  GstGLOpenCLExternalTexture *output[OCL_MAX_PLANES];
} ExternalLoan;

/* What of a batch's goes from one API to the other. */
typedef struct
{
  guint textures[MAX_TEXTURES];
  cl_mem images[MAX_TEXTURES];
  guint n;
} Textures;

static void
clear_textures (GstGLOpenCLExternalTexture ** textures)
{
  for (guint i = 0; i < OCL_MAX_PLANES; i++)
    g_clear_pointer (&textures[i], gst_gl_opencl_external_texture_free);
}

static gboolean
is_like (const GstGLOpenCLExternalTexture * texture, cl_image_format format,
    gint width, gint height)
{
  return texture->width == width && texture->height == height
      && ocl_image_format_equals (texture->format, format);
}

/* Makes @textures those of the planes of @frame; keeps those that fit. */
static gboolean
external_memory_ensure_textures (ExternalMemory * self,
    GstGLOpenCLExternalTexture ** textures, const OclFrame * frame,
    GError ** error)
{
  for (guint i = 0; i < OCL_MAX_PLANES; i++) {
    if (i >= frame->format->n_planes) {
      g_clear_pointer (&textures[i], gst_gl_opencl_external_texture_free);
      continue;
    }
    const cl_image_format format =
        ocl_format_get_image_format (frame->format, i);
    const gint width = ocl_frame_get_plane_width (frame, i);
    const gint height = ocl_frame_get_plane_height (frame, i);

    if (textures[i] && is_like (textures[i], format, width, height))
      continue;
    g_clear_pointer (&textures[i], gst_gl_opencl_external_texture_free);
    textures[i] = gst_gl_opencl_external_texture_new (self->external, format,
        width, height, error);
    if (!textures[i])
      return FALSE;
  }
  return TRUE;
}

/* Whether OpenGL can copy @memory to or from a texture of @format. What others
 * made may have another format than they say, or no texels that a shader can
 * load, and OpenGL gives no error. */
static gboolean
external_memory_check_memory (ExternalMemory * self, const GstGLMemory * memory,
    cl_image_format format, GError ** error)
{
  GstGLFormat unsized;
  guint type;

  gst_gl_format_type_from_sized_gl_format (memory->tex_format, &unsized, &type);
  if (gst_gl_context_can_share (memory->mem.context, self->context->gl_context)
      && !gst_gl_opencl_interop_is_foreign_texture (GST_MEMORY_CAST (memory))
      && memory->tex_target == GST_GL_TEXTURE_TARGET_2D
      && gst_gl_sized_gl_format_from_gl_format_type (self->context->gl_context,
          unsized, type) == gst_gl_opencl_shader_copy_get_gl_format (format))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "A texture of format 0x%x cannot be copied on the GPU. Set interop=auto "
      "or host-copy.", memory->tex_format);
  return FALSE;
}

static gboolean
external_memory_prepare (gpointer data, GstGLOpenCLLoan * loan, GError ** error)
{
  ExternalMemory *self = data;
  ExternalLoan *external = (ExternalLoan *) loan;
  const OclFrame frame =
      gst_gl_opencl_flight_describe (loan->flight, OCL_STORAGE_IMAGE);

  for (guint i = 0; i < loan->n_memories; i++) {
    if (!external_memory_check_memory (self, loan->memories[i],
            ocl_format_get_image_format (frame.format,
                i % frame.format->n_planes), error))
      return FALSE;
  }
  return external_memory_ensure_textures (self, external->input, &frame, error)
      && (!loan->flight->output_buffer
      || external_memory_ensure_textures (self, external->output, &frame,
          error));
}

static void
external_memory_describe (gpointer data, const GstGLOpenCLLoan * loan,
    OclFrame * input, OclFrame * output)
{
  const ExternalLoan *external = (const ExternalLoan *) loan;

  (void) data;
  for (guint i = 0; i < loan->flight->format->n_planes; i++) {
    input->planes[i].memory = external->input[i]->image;
    if (loan->flight->output_buffer)
      output->planes[i].memory = external->output[i]->image;
  }
}

static void
add_texture (Textures * all, const GstGLOpenCLExternalTexture * texture)
{
  all->textures[all->n] = texture->texture;
  all->images[all->n++] = texture->image;
}

/* Of all loans. */
static void
get_textures (const GstGLOpenCLBatch * batch, Textures * all)
{
  all->n = 0;
  for (guint i = 0; i < batch->n_loans; i++) {
    const GstGLOpenCLLoan *loan = batch->loans[i];
    const ExternalLoan *external = (const ExternalLoan *) loan;

    for (guint j = 0; j < loan->flight->format->n_planes; j++) {
      add_texture (all, external->input[j]);
      if (loan->flight->output_buffer)
        add_texture (all, external->output[j]);
    }
  }
}

static void
external_memory_copy_in (ExternalMemory * self, const GstGLOpenCLLoan * loan)
{
  const ExternalLoan *external = (const ExternalLoan *) loan;

  for (guint i = 0; i < loan->flight->format->n_planes; i++) {
    const GstGLOpenCLExternalTexture *texture = external->input[i];

    gst_gl_opencl_shader_copy_run (self->external->copy, texture->format,
        loan->memories[i]->tex_id, texture->texture, texture->width,
        texture->height);
  }
}

/* To the input where the frame is filtered in place. */
static void
external_memory_copy_out (ExternalMemory * self, const GstGLOpenCLLoan * loan)
{
  const ExternalLoan *external = (const ExternalLoan *) loan;
  const guint n_planes = loan->flight->format->n_planes;
  const guint first = loan->n_memories - n_planes;

  if (!loan->flight->output_buffer)
    return;
  for (guint i = 0; i < n_planes; i++) {
    const GstGLOpenCLExternalTexture *texture = external->output[i];

    gst_gl_opencl_shader_copy_run (self->external->copy, texture->format,
        texture->texture, loan->memories[first + i]->tex_id, texture->width,
        texture->height);
  }
}

/* OpenCL's end is not that of the frame: OpenGL copies it still. Its commands
 * go to the GPU; those of other GL contexts can wait for them. */
static void
external_memory_announce (ExternalMemory * self, const GstGLOpenCLLoan * loan)
{
  GstGLContext *gl_context = self->context->gl_context;
  GstBuffer *output = loan->flight->output_buffer;
  GstGLSyncMeta *sync = output ? gst_buffer_get_gl_sync_meta (output) : NULL;

  if (sync)
    gst_gl_sync_meta_set_sync_point (sync, gl_context);
  else
    gl_context->gl_vtable->Flush ();
}

static gboolean
external_memory_take (gpointer data, const GstGLOpenCLBatch * batch,
    GError ** error)
{
  ExternalMemory *self = data;
  GstGLOpenCLExternal *external = self->external;
  Textures all;

  get_textures (batch, &all);
  for (guint i = 0; i < batch->n_loans; i++)
    external_memory_copy_in (self, batch->loans[i]);
  gst_gl_opencl_shader_copy_end (external->copy);
  return gst_gl_opencl_handover_to_opencl (external->handover, all.textures,
      all.n, error)
      && ocl_external_enqueue_acquire (external->opencl, all.n, all.images,
      error);
}

static gboolean
external_memory_give_back (gpointer data, const GstGLOpenCLBatch * batch,
    cl_event * given_back, GError ** error)
{
  ExternalMemory *self = data;
  GstGLOpenCLExternal *external = self->external;
  Textures all;

  get_textures (batch, &all);
  if (!ocl_external_enqueue_release (external->opencl, all.n, all.images,
          given_back, error)
      || !gst_gl_opencl_handover_to_opengl (external->handover, all.textures,
          all.n, error))
    return FALSE;
  for (guint i = 0; i < batch->n_loans; i++)
    external_memory_copy_out (self, batch->loans[i]);
  gst_gl_opencl_shader_copy_end (external->copy);
  for (guint i = 0; i < batch->n_loans; i++)
    external_memory_announce (self, batch->loans[i]);
  return TRUE;
}

static void
external_memory_forget (gpointer data, GstGLOpenCLLoan * loan)
{
  ExternalMemory *self = data;
  ExternalLoan *external = (ExternalLoan *) loan;

  clear_textures (external->input);
  clear_textures (external->output);
  gst_gl_opencl_handover_reset (self->external->handover);
}

static const GstGLOpenCLLender lender = {
  .prepare = external_memory_prepare,
  .describe = external_memory_describe,
  .take = external_memory_take,
  .give_back = external_memory_give_back,
  .forget = external_memory_forget,
};

static gpointer
external_memory_new (GstGLOpenCLContext * context)
{
  ExternalMemory *self = g_new0 (ExternalMemory, 1);

  self->context = gst_gl_opencl_context_ref (context);
  self->external = context->external;
  self->batch.lender = &lender;
  self->batch.data = self;
  self->batch.context = context;
  return self;
}

static void
external_memory_free (gpointer interop)
{
  ExternalMemory *self = interop;

  gst_gl_opencl_context_unref (self->context);
  g_free (self);
}

static gpointer
external_memory_new_flight (void)
{
  return g_new0 (ExternalLoan, 1);
}

static void
free_textures_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  ExternalLoan *external = data;

  (void) gl_context;
  clear_textures (external->input);
  clear_textures (external->output);
}

static void
external_memory_free_flight (gpointer interop, gpointer state)
{
  ExternalMemory *self = interop;

  gst_gl_context_thread_add (self->context->gl_context,
      free_textures_on_gl_thread, state);
  g_free (state);
}

static gboolean
external_memory_check_format (gpointer interop, const OclFormat * format,
    gint width, gint height, GError ** error)
{
  ExternalMemory *self = interop;

  return gst_gl_opencl_context_check_format (self->context, format, width,
      height, error);
}

static gboolean
external_memory_begin (gpointer interop, gpointer state,
    GstGLOpenCLFlight * flight, GError ** error)
{
  ExternalMemory *self = interop;

  return gst_gl_opencl_batch_begin (&self->batch, state, flight, error);
}

static gboolean
external_memory_finish (gpointer interop, gpointer state,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error)
{
  ExternalMemory *self = interop;

  (void) flight;
  return gst_gl_opencl_batch_finish (&self->batch, state, wait_time, error);
}

const GstGLOpenCLInterop gst_gl_opencl_external_memory = {
  .mode = GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY,
  .storage = OCL_STORAGE_IMAGE,
  .new = external_memory_new,
  .free = external_memory_free,
  .new_flight = external_memory_new_flight,
  .free_flight = external_memory_free_flight,
  .check_format = external_memory_check_format,
  .begin = external_memory_begin,
  .finish = external_memory_finish,
};
