/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencltexture.h"

#include "gl/gstglopenclsharedimage.h"

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
get_textures (GstGLMemory * memory)
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
  GPtrArray *textures = get_textures (memory);
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
  GPtrArray *textures = get_textures (memory);
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
  GPtrArray *textures = get_textures (memory);
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
