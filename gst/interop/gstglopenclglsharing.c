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

#define MAX_TEXTURES (GST_GL_OPENCL_MAX_FLIGHTS * GST_GL_OPENCL_MAX_LENT)

/**
 * GstGLOpenCLTexture:
 * @context: the context of the image (owned)
 * @image: the image (owned)
 * @bytes_swapped: whether the bytes of @image are swapped, see OclFrame
 * @given_back: event that ends when the last frame that used the texture is
 *    released to GL, or NULL (owned)
 */
typedef struct
{
  GstGLOpenCLContext *context;
  cl_mem image;
  gboolean bytes_swapped;
  cl_event given_back;
} GstGLOpenCLTexture;

/* All functions must be called on the GL thread of the context. */

/* Returns the image of @memory, which is a plane of a frame of @format. The
 * memory owns the image. Fails with OCL_ERROR_NOT_SUPPORTED if OpenCL cannot
 * acquire the texture, in which case nothing has been changed. */
GstGLOpenCLTexture *gst_gl_opencl_texture_get (GstGLOpenCLContext * context,
    GstGLMemory * memory, const OclFormat * format, guint plane,
    GError ** error);

/* Frees the image of @memory, whose state is unknown after a failure. */
void gst_gl_opencl_texture_forget (GstGLOpenCLContext * context,
    GstGLMemory * memory);

/* Keeps @event, which ends when a frame is released to GL. */
gboolean gst_gl_opencl_texture_keep_event (GstGLOpenCLTexture * texture,
    cl_event event, GError ** error);

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
  GstGLOpenCLTexture *texture = data;

  (void) gl_context;
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  clReleaseMemObject (texture->image);
}

/* Called before the GstGLMemory deletes its texture, on any thread. */
static void
texture_free (gpointer data)
{
  GstGLOpenCLTexture *texture = data;

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
    GstGLOpenCLTexture *texture = g_ptr_array_index (textures, i);

    if (texture->context == context)
      return i;
  }
  return -1;
}

static GstGLOpenCLTexture *
look_up_texture (GstGLOpenCLContext * context, GstGLMemory * memory)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_kept_textures (memory);
  gint index = find_texture (textures, context);
  GstGLOpenCLTexture *texture =
      index < 0 ? NULL : g_ptr_array_index (textures, index);
  g_mutex_unlock (&textures_lock);
  return texture;
}

static void
keep_texture (GstGLMemory * memory, GstGLOpenCLTexture * texture)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_kept_textures (memory);
  if (!textures) {
    textures = g_ptr_array_new_with_free_func (texture_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
        textures_quark (), textures, (GDestroyNotify) g_ptr_array_unref);
  }
  g_ptr_array_add (textures, texture);
  g_mutex_unlock (&textures_lock);
}

void
gst_gl_opencl_texture_forget (GstGLOpenCLContext * context,
    GstGLMemory * memory)
{
  GstGLOpenCLTexture *texture = NULL;

  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_kept_textures (memory);
  gint index = find_texture (textures, context);
  if (index >= 0)
    texture = g_ptr_array_steal_index_fast (textures, index);
  g_mutex_unlock (&textures_lock);
  g_clear_pointer (&texture, texture_free);
}

/* Fails with OCL_ERROR_NOT_SUPPORTED before anything is changed. */
static GstGLOpenCLTexture *
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

  GstGLOpenCLTexture *texture = g_new0 (GstGLOpenCLTexture, 1);
  texture->context = gst_gl_opencl_context_ref (context);
  texture->image = image;
  texture->bytes_swapped = bytes_swapped;
  return texture;
}

GstGLOpenCLTexture *
gst_gl_opencl_texture_get (GstGLOpenCLContext * context, GstGLMemory * memory,
    const OclFormat * format, guint plane, GError ** error)
{
  GstGLOpenCLTexture *texture = look_up_texture (context, memory);

  if (!texture) {
    texture = texture_new (context, memory, format, plane, error);
    if (texture)
      keep_texture (memory, texture);
  }
  return texture;
}

gboolean
gst_gl_opencl_texture_keep_event (GstGLOpenCLTexture * texture,
    cl_event event, GError ** error)
{
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  if (!ocl_check (clRetainEvent (event), "clRetainEvent", error))
    return FALSE;
  texture->given_back = event;
  return TRUE;
}

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  GstGLOpenCLBatch batch;
} GLSharing;

/* Textures of a batch. Each texture is in the list once, although a frame may
 * be in the batch several times. */
typedef struct
{
  GstGLOpenCLTexture *textures[MAX_TEXTURES];
  cl_mem images[MAX_TEXTURES];
  cl_uint n;
} Textures;

static GstGLOpenCLTexture *
get_texture (GLSharing * self, const GstGLOpenCLLoan * loan, guint i,
    GError ** error)
{
  const OclFormat *format = loan->flight->format;

  return gst_gl_opencl_texture_get (self->context, loan->memories[i], format,
      i % format->n_planes, error);
}

static gboolean
gl_sharing_prepare (gpointer data, GstGLOpenCLLoan * loan, GError ** error)
{
  for (guint i = 0; i < loan->n_memories; i++) {
    const GstGLOpenCLTexture *texture = get_texture (data, loan, i, error);

    if (!texture)
      return FALSE;
    if (!gst_gl_opencl_flight_takes (loan->flight, texture->bytes_swapped)) {
      loan->flight->bytes_swapped = texture->bytes_swapped;
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "The driver shares the textures of one frame with "
          "different byte orders. Set interop=auto or host-copy.");
      return FALSE;
    }
  }
  return TRUE;
}

static void
add_texture (Textures * all, GstGLOpenCLTexture * texture)
{
  for (guint i = 0; i < all->n; i++) {
    if (all->textures[i] == texture)
      return;
  }
  all->textures[all->n] = texture;
  all->images[all->n++] = texture->image;
}

/* Collects the textures of all loans of @batch, which must be prepared. */
static void
get_textures (GLSharing * self, const GstGLOpenCLBatch * batch, Textures * all)
{
  all->n = 0;
  for (guint i = 0; i < batch->n_loans; i++) {
    for (guint j = 0; j < batch->loans[i]->n_memories; j++)
      add_texture (all, get_texture (self, batch->loans[i], j, NULL));
  }
}

/* Acquires the textures from GL. The command waits for other users of the
 * textures: an element on another branch of a tee may still use them. The
 * command is not timed, because NVIDIA's driver reports the time of the kernels
 * for it. */
static gboolean
gl_sharing_take (gpointer data, const GstGLOpenCLBatch * batch, GError ** error)
{
  GLSharing *self = data;
  cl_event users[MAX_TEXTURES];
  cl_uint n_users = 0;
  Textures all;

  get_textures (self, batch, &all);
  for (guint i = 0; i < all.n; i++) {
    if (all.textures[i]->given_back)
      users[n_users++] = all.textures[i]->given_back;
  }

  /* No Linux desktop driver waits for GL implicitly. */
  self->context->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (self->context->ocl->queue,
          all.n, all.images, n_users, n_users ? users : NULL, NULL),
      "clEnqueueAcquireGLObjects", error);
}

/* Describes the frame whose planes are the memories of @loan from @first on. */
static void
describe_textures (GLSharing * self, const GstGLOpenCLLoan * loan, guint first,
    OclFrame * frame)
{
  for (guint i = 0; i < loan->flight->format->n_planes; i++) {
    const GstGLOpenCLTexture *texture =
        get_texture (self, loan, first + i, NULL);

    frame->planes[i].memory = texture->image;
    frame->info.bytes_swapped = texture->bytes_swapped;
  }
}

static void
gl_sharing_describe (gpointer data, const GstGLOpenCLLoan * loan,
    OclFrame * input, OclFrame * output)
{
  describe_textures (data, loan, 0, input);
  describe_textures (data, loan,
      loan->n_memories - loan->flight->format->n_planes, output);
}

static gboolean
gl_sharing_give_back (gpointer data, const GstGLOpenCLBatch * batch,
    cl_event * given_back, GError ** error)
{
  GLSharing *self = data;
  Textures all;

  get_textures (self, batch, &all);
  gboolean ok = ocl_check (clEnqueueReleaseGLObjects
      (self->context->ocl->queue, all.n, all.images, 0, NULL, given_back),
      "clEnqueueReleaseGLObjects", error);
  for (guint i = 0; ok && i < all.n; i++)
    ok = gst_gl_opencl_texture_keep_event (all.textures[i], *given_back, error);
  return ok;
}

static void
gl_sharing_forget (gpointer data, GstGLOpenCLLoan * loan)
{
  GLSharing *self = data;

  for (guint i = 0; i < loan->n_memories; i++)
    gst_gl_opencl_texture_forget (self->context, loan->memories[i]);
}

static const GstGLOpenCLLender lender = {
  .prepare = gl_sharing_prepare,
  .describe = gl_sharing_describe,
  .take = gl_sharing_take,
  .give_back = gl_sharing_give_back,
  .forget = gl_sharing_forget,
};

static gpointer
gl_sharing_new (GstGLOpenCLContext * context)
{
  GLSharing *self = g_new0 (GLSharing, 1);

  self->context = gst_gl_opencl_context_ref (context);
  self->batch.lender = &lender;
  self->batch.data = self;
  self->batch.context = context;
  return self;
}

static void
gl_sharing_free (gpointer interop)
{
  GLSharing *self = interop;

  gst_gl_opencl_context_unref (self->context);
  g_free (self);
}

static gpointer
gl_sharing_new_flight (void)
{
  return g_new0 (GstGLOpenCLLoan, 1);
}

static void
gl_sharing_free_flight (gpointer interop, gpointer state)
{
  (void) interop;
  g_free (state);
}

static gboolean
gl_sharing_check_format (gpointer interop, const OclFormat * format,
    gint width, gint height, GError ** error)
{
  GLSharing *self = interop;

  return gst_gl_opencl_context_check_format (self->context, format, width,
      height, error);
}

static gboolean
gl_sharing_begin (gpointer interop, gpointer state, GstGLOpenCLFlight * flight,
    GError ** error)
{
  GLSharing *self = interop;

  return gst_gl_opencl_batch_begin (&self->batch, state, flight, error);
}

static gboolean
gl_sharing_finish (gpointer interop, gpointer state,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error)
{
  GLSharing *self = interop;

  (void) flight;
  return gst_gl_opencl_batch_finish (&self->batch, state, wait_time, error);
}

const GstGLOpenCLInterop gst_gl_opencl_gl_sharing = {
  .mode = GST_GL_OPENCL_INTEROP_GL_SHARING,
  .storage = OCL_STORAGE_IMAGE,
  .new = gl_sharing_new,
  .free = gl_sharing_free,
  .new_flight = gl_sharing_new_flight,
  .free_flight = gl_sharing_free_flight,
  .check_format = gl_sharing_check_format,
  .begin = gl_sharing_begin,
  .finish = gl_sharing_finish,
};
