/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclcaps.h"

/* Returns whether @format is a format of GL memory. GStreamer lists these
 * formats in a string such as "{ RGBA, BGRA }". */
static gboolean
is_in_gl_memory (const OclFormat * format)
{
  static const gchar list[] = GST_GL_MEMORY_VIDEO_FORMATS_STR;
  g_auto (GStrv) names = g_strsplit_set (list, "{}, ", -1);

  return g_strv_contains ((const gchar * const *) names, format->name);
}

/* GStreamer has textures of 16-bit components only for desktop OpenGL. */
gboolean
gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error)
{
  if (format->image_component_bytes == 1
      || gst_gl_context_get_gl_api (gl_context)
      & (GST_GL_API_OPENGL | GST_GL_API_OPENGL3))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL ES has no textures for %s. Set GST_GL_API=opengl3, or put "
      "videoconvert and 8-bit caps such as video/x-raw,format=NV12 before "
      "glupload.", format->name);
  return FALSE;
}

GstCaps *
gst_gl_opencl_caps_create (const OclLinks * links, GstGLContext * gl_context,
    gboolean shared)
{
  GValue formats = G_VALUE_INIT;

  gst_value_list_init (&formats, 0);
  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];
    GValue name = G_VALUE_INIT;

    if (!is_in_gl_memory (format)
        || (shared && !ocl_format_has_images (format))
        || (gl_context
            && !gst_gl_opencl_caps_check_format (format, gl_context, NULL))
        || (links && !ocl_links_check (links, format, NULL)))
      continue;
    g_value_init (&name, G_TYPE_STRING);
    g_value_set_static_string (&name, format->name);
    gst_value_list_append_and_take_value (&formats, &name);
  }

  GstCaps *caps = gst_caps_from_string ("video/x-raw("
      GST_CAPS_FEATURE_MEMORY_GL_MEMORY "), "
      "width = " GST_VIDEO_SIZE_RANGE ", height = " GST_VIDEO_SIZE_RANGE ", "
      "framerate = " GST_VIDEO_FPS_RANGE ", texture-target = (string) 2D");
  gst_caps_set_value (caps, "format", &formats);
  g_value_unset (&formats);
  return caps;
}

gboolean
gst_gl_opencl_caps_is_interlaced (const GstVideoInfo * info,
    GstBufferFlags flags)
{
  switch (GST_VIDEO_INFO_INTERLACE_MODE (info)) {
    case GST_VIDEO_INTERLACE_MODE_INTERLEAVED:
      return TRUE;
    case GST_VIDEO_INTERLACE_MODE_MIXED:
      return (flags & (GstBufferFlags) GST_VIDEO_BUFFER_FLAG_INTERLACED) != 0;
    default:
      return FALSE;
  }
}

OclColorimetry
gst_gl_opencl_caps_get_colorimetry (const GstVideoInfo * info)
{
  OclColorimetry colorimetry = {
    .full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
  };

  /* If the matrix is unknown, kr and kb stay unchanged. */
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix,
      &colorimetry.kr, &colorimetry.kb);
  return colorimetry;
}
