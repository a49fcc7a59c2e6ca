/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclfilter
 * @title: glopenclfilter
 * @short_description: edge-preserving bilateral filter on OpenCL
 *
 * Smooths noise and keeps edges: every pixel becomes a mean of its
 * neighbourhood, in which those count most that are near it and alike. It works
 * on OpenGL textures, which OpenCL borrows where the driver can share them
 * (#GstGLOpenCLBaseFilter:interop).
 *
 * #GstGLOpenCLFilter:spatial-sigma says how far the filter reaches, in pixels,
 * #GstGLOpenCLFilter:intensity-sigma how different a neighbour may be: above
 * two or three of it, an edge is kept. Both may change while playing and take
 * effect on the next frame; with either at 0, frames pass through untouched.
 *
 * As in every OpenGL filter, a sink with a clock may have late frames dropped;
 * qos=false turns that off.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=100 pattern=snow ! glupload ! glcolorconvert ! glopenclfilter spatial-sigma=3 intensity-sigma=0.2 ! gldownload ! fakesink
 * ]|
 * Filters a test pattern. With `glimagesink` instead of the last two elements
 * it is shown in a window.
 */

#include "gstglopenclfilter.h"

#include "opencl/oclbilateral.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_filter_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_filter_debug

enum
{
  PROP_0,
  PROP_SPATIAL_SIGMA,
  PROP_INTENSITY_SIGMA,
  PROP_RADIUS,
  PROP_COLOR_MODE,
  PROP_WINDOW,
};

struct _GstGLOpenCLFilter
{
  GstGLOpenCLBaseFilter parent;

  OclBilateralParams properties;        /* object lock */
  OclBilateralParams params;    /* of the frame on its way */
  OclBilateral *bilateral;      /* from open to close */
};

G_DEFINE_FINAL_TYPE_WITH_CODE (GstGLOpenCLFilter, gst_gl_opencl_filter,
    GST_TYPE_GL_OPENCL_BASE_FILTER,
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_filter_debug, "glopenclfilter", 0,
        "bilateral filter on OpenCL"));

GST_ELEMENT_REGISTER_DEFINE (glopenclfilter, "glopenclfilter", GST_RANK_NONE,
    GST_TYPE_GL_OPENCL_FILTER);

#define GST_TYPE_GL_OPENCL_FILTER_COLOR_MODE \
    (gst_gl_opencl_filter_color_mode_get_type ())
static GType
gst_gl_opencl_filter_color_mode_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {OCL_BILATERAL_COLOR_INTENSITY,
        "Difference of luma, one weight for all channels", "intensity"},
    {OCL_BILATERAL_COLOR_PER_CHANNEL,
        "Every channel by its own difference", "per-channel"},
    {OCL_BILATERAL_COLOR_LAB,
        "Perceived difference of colours, distance in CIE L*a*b* / 100", "lab"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLFilterColorMode", values));
  return type;
}

#define GST_TYPE_GL_OPENCL_FILTER_WINDOW \
    (gst_gl_opencl_filter_window_get_type ())
static GType
gst_gl_opencl_filter_window_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {OCL_BILATERAL_WINDOW_SQUARE, "All pixels of the box", "square"},
    {OCL_BILATERAL_WINDOW_DISC, "The pixels no further than the radius",
        "disc"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLFilterWindow", values));
  return type;
}

static void
gst_gl_opencl_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_SPATIAL_SIGMA:
      self->properties.spatial_sigma = g_value_get_double (value);
      break;
    case PROP_INTENSITY_SIGMA:
      self->properties.intensity_sigma = g_value_get_double (value);
      break;
    case PROP_RADIUS:
      self->properties.radius = g_value_get_int (value);
      break;
    case PROP_COLOR_MODE:
      self->properties.color_mode = g_value_get_enum (value);
      break;
    case PROP_WINDOW:
      self->properties.window = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gl_opencl_filter_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_SPATIAL_SIGMA:
      g_value_set_double (value, self->properties.spatial_sigma);
      break;
    case PROP_INTENSITY_SIGMA:
      g_value_set_double (value, self->properties.intensity_sigma);
      break;
    case PROP_RADIUS:
      g_value_set_int (value, self->properties.radius);
      break;
    case PROP_COLOR_MODE:
      g_value_set_enum (value, self->properties.color_mode);
      break;
    case PROP_WINDOW:
      g_value_set_enum (value, self->properties.window);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gl_opencl_filter_open (GstGLOpenCLBaseFilter * filter, OclContext * context)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  self->bilateral = ocl_bilateral_new (context, OCL_BILATERAL_VARIANT_AUTO);
}

static void
gst_gl_opencl_filter_close (GstGLOpenCLBaseFilter * filter)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  g_clear_pointer (&self->bilateral, ocl_bilateral_free);
}

static gboolean
gst_gl_opencl_filter_prepare (GstGLOpenCLBaseFilter * filter,
    OclStorage storage, GError ** error)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return ocl_bilateral_prepare (self->bilateral, storage, error);
}

static gboolean
gst_gl_opencl_filter_snapshot (GstGLOpenCLBaseFilter * filter)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  GST_OBJECT_LOCK (self);
  self->params = self->properties;
  GST_OBJECT_UNLOCK (self);
  self->params.border = gst_gl_opencl_base_filter_get_border (filter,
      self->params.border_color);
  return !ocl_bilateral_is_neutral (&self->params);
}

static gboolean
gst_gl_opencl_filter_enqueue (GstGLOpenCLBaseFilter * filter,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return ocl_bilateral_enqueue (self->bilateral, &self->params, input, output,
      timer, error);
}

static const gchar *
gst_gl_opencl_filter_get_variant (GstGLOpenCLBaseFilter * filter,
    OclStorage storage)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return ocl_bilateral_get_variant_name (self->bilateral, storage);
}

static void
gst_gl_opencl_filter_install_properties (GObjectClass * klass)
{
  const OclBilateralParams defaults = OCL_BILATERAL_PARAMS_DEFAULT;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (klass, PROP_SPATIAL_SIGMA,
      g_param_spec_double ("spatial-sigma", "Spatial sigma",
          "How far the filter reaches: standard deviation in pixels of the "
          "weight by distance; 0 turns the filter off", 0.0,
          OCL_BILATERAL_MAX_SPATIAL_SIGMA, defaults.spatial_sigma, flags));
  g_object_class_install_property (klass, PROP_INTENSITY_SIGMA,
      g_param_spec_double ("intensity-sigma", "Intensity sigma",
          "How strong an edge has to be to be kept: standard deviation of the "
          "weight by difference, in units of the range from black to white; 0 "
          "turns the filter off", 0.0, G_MAXFLOAT, defaults.intensity_sigma,
          flags));
  g_object_class_install_property (klass, PROP_RADIUS,
      g_param_spec_int ("radius", "Radius",
          "Pixels that the window has on each side of its middle; -1 for twice "
          "the spatial sigma, rounded down; 0 turns the filter off", -1,
          OCL_BILATERAL_MAX_RADIUS, defaults.radius, flags));
  g_object_class_install_property (klass, PROP_COLOR_MODE,
      g_param_spec_enum ("color-mode", "Color mode",
          "What the difference between two pixels is",
          GST_TYPE_GL_OPENCL_FILTER_COLOR_MODE, defaults.color_mode, flags));
  g_object_class_install_property (klass, PROP_WINDOW,
      g_param_spec_enum ("window", "Window", "Shape of the window; a disc is a "
          "fifth faster than a square and has the same reach in all directions",
          GST_TYPE_GL_OPENCL_FILTER_WINDOW, defaults.window, flags));
}

static void
gst_gl_opencl_filter_class_init (GstGLOpenCLFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGLOpenCLBaseFilterClass *filter_class =
      GST_GL_OPENCL_BASE_FILTER_CLASS (klass);

  object_class->set_property = gst_gl_opencl_filter_set_property;
  object_class->get_property = gst_gl_opencl_filter_get_property;
  gst_gl_opencl_filter_install_properties (object_class);

  filter_class->open = gst_gl_opencl_filter_open;
  filter_class->close = gst_gl_opencl_filter_close;
  filter_class->prepare = gst_gl_opencl_filter_prepare;
  filter_class->snapshot = gst_gl_opencl_filter_snapshot;
  filter_class->enqueue = gst_gl_opencl_filter_enqueue;
  filter_class->get_variant = gst_gl_opencl_filter_get_variant;

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL bilateral filter", "Filter/Effect/Video",
      "Smooths noise and keeps edges of OpenGL textures, with OpenCL",
      "The gst-glopencl developers");

  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_FILTER_COLOR_MODE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_FILTER_WINDOW, 0);
}

static void
gst_gl_opencl_filter_init (GstGLOpenCLFilter * self)
{
  self->properties = OCL_BILATERAL_PARAMS_DEFAULT;
}
