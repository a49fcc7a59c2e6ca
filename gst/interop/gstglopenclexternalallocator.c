/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternalallocator.h"

#include <gst/gl/gstglmemorypbo.h>

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_external_allocator_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_external_allocator_debug

typedef struct
{
  GstGLMemoryPBOAllocator parent;
  GstGLOpenCLContext *context;  /* owned */
  gint has_failed;              /* atomic, not retried once set */
} GstGLOpenCLExternalAllocator;

typedef GstGLMemoryPBOAllocatorClass GstGLOpenCLExternalAllocatorClass;

GType gst_gl_opencl_external_allocator_get_type (void);

G_DEFINE_TYPE_WITH_CODE (GstGLOpenCLExternalAllocator,
    gst_gl_opencl_external_allocator, GST_TYPE_GL_MEMORY_PBO_ALLOCATOR,
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_external_allocator_debug,
        "glopenclexternalallocator", 0,
        "textures for pools that OpenGL and OpenCL share"));

#define parent_class gst_gl_opencl_external_allocator_parent_class

/* The data that is attached to a memory on one of our textures. */
typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  GstGLOpenCLExternalTexture *texture;  /* owned */
} Held;

static GQuark
held_quark (void)
{
  return g_quark_from_static_string ("gst-gl-opencl-external-texture");
}

static void
held_free (gpointer data)
{
  Held *held = data;

  gst_gl_opencl_external_texture_free (held->texture);
  gst_gl_opencl_context_unref (held->context);
  g_free (held);
}

/* Passes arguments and results through gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLExternalAllocator *allocator;
  const GstGLVideoAllocationParams *params;
  GstGLOpenCLExternalTexture *texture;
} TextureCall;

static void
create_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  TextureCall *call = data;
  const GstGLVideoAllocationParams *params = call->params;
  const GstVideoInfo *info = params->v_info;
  const OclFrame frame = {.info = {.format =
          ocl_format_find (GST_VIDEO_INFO_NAME (info)),.width =
          GST_VIDEO_INFO_WIDTH (info),.height = GST_VIDEO_INFO_HEIGHT (info)}
  };
  g_autoptr (GError) error = NULL;

  if (!frame.info.format)
    return;
  const cl_image_format format =
      ocl_format_get_image_format (frame.info.format, params->plane);
  if (!gst_gl_opencl_shader_copy_takes (gl_context, params->tex_format, format))
    return;
  call->texture =
      gst_gl_opencl_external_texture_new (call->allocator->context->external,
      format, ocl_frame_info_get_image_width (&frame.info, params->plane),
      ocl_frame_info_get_plane_height (&frame.info, params->plane), &error);
  if (call->texture)
    return;
  g_atomic_int_set (&call->allocator->has_failed, TRUE);
  GST_INFO ("OpenCL cannot use the textures of pools, so frames are "
      "copied: %s", error->message);
}

/* Takes ownership of @texture and returns memory on it. Returns NULL if the
 * size of @texture differs from the size that GStreamer would choose. */
static GstGLBaseMemory *
wrap_texture (GstGLOpenCLExternalAllocator * self,
    const GstGLVideoAllocationParams * params,
    GstGLOpenCLExternalTexture * texture)
{
  GstGLVideoAllocationParams wrapped = *params;

  wrapped.parent.alloc_flags |=
      GST_GL_ALLOCATION_PARAMS_ALLOC_FLAG_WRAP_GPU_HANDLE;
  wrapped.parent.gl_handle = GUINT_TO_POINTER (texture->texture);
  GstGLBaseMemory *memory =
      GST_GL_BASE_MEMORY_ALLOCATOR_CLASS (parent_class)->alloc
      (GST_GL_BASE_MEMORY_ALLOCATOR_CAST (self), &wrapped.parent);
  if (!memory) {
    gst_gl_opencl_external_texture_free (texture);
    return NULL;
  }

  GstGLMemory *plane = GST_GL_MEMORY_CAST (memory);
  Held *held = g_new (Held, 1);
  held->context = gst_gl_opencl_context_ref (self->context);
  held->texture = texture;
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), held_quark (), held,
      held_free);
  if (gst_gl_memory_get_texture_width (plane) == texture->width
      && gst_gl_memory_get_texture_height (plane) == texture->height)
    return memory;
  g_atomic_int_set (&self->has_failed, TRUE);
  gst_memory_unref (GST_MEMORY_CAST (memory));
  return NULL;
}

static GstGLBaseMemory *
gst_gl_opencl_external_allocator_alloc (GstGLBaseMemoryAllocator * allocator,
    GstGLAllocationParams * params)
{
  GstGLOpenCLExternalAllocator *self =
      (GstGLOpenCLExternalAllocator *) allocator;
  TextureCall call = { self, (GstGLVideoAllocationParams *) params, NULL };
  const guint wraps = GST_GL_ALLOCATION_PARAMS_ALLOC_FLAG_WRAP_SYSMEM
      | GST_GL_ALLOCATION_PARAMS_ALLOC_FLAG_WRAP_GPU_HANDLE;

  if (!g_atomic_int_get (&self->has_failed)
      && params->context == self->context->gl_context
      && params->alloc_flags & GST_GL_ALLOCATION_PARAMS_ALLOC_FLAG_VIDEO
      && !(params->alloc_flags & wraps)
      && call.params->target == GST_GL_TEXTURE_TARGET_2D)
    gst_gl_context_thread_add (self->context->gl_context, create_on_gl_thread,
        &call);
  GstGLBaseMemory *memory =
      call.texture ? wrap_texture (self, call.params, call.texture) : NULL;
  return memory ? memory
      : GST_GL_BASE_MEMORY_ALLOCATOR_CLASS (parent_class)->alloc (allocator,
      params);
}

static void
gst_gl_opencl_external_allocator_finalize (GObject * object)
{
  GstGLOpenCLExternalAllocator *self = (GstGLOpenCLExternalAllocator *) object;

  gst_gl_opencl_context_unref (self->context);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
    gst_gl_opencl_external_allocator_class_init
    (GstGLOpenCLExternalAllocatorClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_gl_opencl_external_allocator_finalize;
  GST_GL_BASE_MEMORY_ALLOCATOR_CLASS (klass)->alloc =
      gst_gl_opencl_external_allocator_alloc;
}

static void
gst_gl_opencl_external_allocator_init (GstGLOpenCLExternalAllocator * self)
{
  (void) self;
}

GstAllocator *
gst_gl_opencl_external_allocator_new (GstGLOpenCLContext * context)
{
  GstGLOpenCLExternalAllocator *self =
      g_object_new (gst_gl_opencl_external_allocator_get_type (), NULL);

  self->context = gst_gl_opencl_context_ref (context);
  return GST_ALLOCATOR_CAST (gst_object_ref_sink (self));
}

static const Held *
get_held (GstGLMemory * memory)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      held_quark ());
}

/* A copy of a memory has the allocator of the original, but not the attached
 * data. */
gboolean
gst_gl_opencl_external_allocator_made (GstGLMemory * memory)
{
  return get_held (memory) != NULL;
}

GstGLOpenCLExternalTexture *
gst_gl_opencl_external_allocator_get_texture (GstGLMemory * memory,
    GstGLOpenCLExternal * external)
{
  const Held *held = get_held (memory);

  return held && held->context->external == external ? held->texture : NULL;
}
