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
 * effect on the next frame; with either at 0, frames pass through untouched,
 * unless a histogram is drawn into them.
 *
 * Time grows with the square of the spatial sigma, unless
 * #GstGLOpenCLFilter:method lets the filter be approximated. On a device that
 * cannot share with OpenGL, #GstGLOpenCLBaseFilter:pipeline-depth lets
 * transfers and filtering overlap.
 *
 * #GstGLOpenCLFilter:histogram-emission tells applications how bright the
 * frames are: how many pixels have each value of red, green, blue and luma, in
 * element messages `glopenclfilter-histogram` and in a custom meta
 * `GstGLOpenCLHistogramMeta` on the buffers. The messages hold `timestamp`,
 * `stream-time`, `running-time` and `duration` (guint64), `bins` (guint) and
 * the arrays `red`, `green`, `blue` and `luma` of guint; the meta holds
 * `element` (the name of the element), `bins`, and the same channels as GBytes
 * of guint32 in the machine's byte order. Both describe the pixels at this
 * element. An application that asks for messages has to read them: when 1000
 * are waiting, further ones are dropped.
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
 * |[
 * gst-launch-1.0 -m videotestsrc num-buffers=30 ! glupload ! glcolorconvert ! glopenclfilter spatial-sigma=0 histogram-emission=messages histogram-bins=64 histogram-interval=200000000 ! gldownload ! fakesink
 * ]|
 * Prints the histograms of a test pattern, five a second, and leaves it as it
 * is.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 pattern=snow ! glupload ! glcolorconvert ! glopenclfilter spatial-sigma=16 method=fast ! gldownload ! fakesink
 * ]|
 * Smooths over large areas at the cost of small ones.
 */

#include "gstglopenclfilter.h"

#include "gstglopenclhistogram.h"
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
  PROP_METHOD,
  PROP_MAX_ERROR,
  PROP_HISTOGRAM_EMISSION,
  PROP_HISTOGRAM_BINS,
  PROP_HISTOGRAM_SOURCE,
  PROP_HISTOGRAM_INTERVAL,
  PROP_HISTOGRAM_OVERLAY,
};

struct _GstGLOpenCLFilter
{
  GstGLOpenCLBaseFilter parent;

  /* Properties; object lock. */
  OclBilateralParams properties;
  GstGLOpenCLHistogramSettings histogram_properties;

  OclBilateralParams params;    /* of the frame on its way */
  GstGLOpenCLHistogram *histogram;

  /* From open to close. */
  OclContext *context;
  OclBilateral *bilateral;
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

#define GST_TYPE_GL_OPENCL_FILTER_METHOD \
    (gst_gl_opencl_filter_method_get_type ())
static GType
gst_gl_opencl_filter_method_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {OCL_BILATERAL_METHOD_EXACT, "The filter as it is defined", "exact"},
    {OCL_BILATERAL_METHOD_FAST,
          "An approximation whose cost does not grow with the window, in "
          "intensity mode from a spatial sigma of 5 on, elsewhere exact",
        "fast"},
    {OCL_BILATERAL_METHOD_AUTO, "The cheapest that keeps max-error", "auto"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLFilterMethod", values));
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
    case PROP_METHOD:
      self->properties.method = g_value_get_enum (value);
      break;
    case PROP_MAX_ERROR:
      self->properties.max_error = g_value_get_double (value);
      break;
    case PROP_HISTOGRAM_EMISSION:
      self->histogram_properties.emission = g_value_get_flags (value);
      break;
    case PROP_HISTOGRAM_BINS:
      self->histogram_properties.bins = g_value_get_enum (value);
      break;
    case PROP_HISTOGRAM_SOURCE:
      self->histogram_properties.source = g_value_get_enum (value);
      break;
    case PROP_HISTOGRAM_INTERVAL:
      self->histogram_properties.interval = g_value_get_uint64 (value);
      break;
    case PROP_HISTOGRAM_OVERLAY:
      self->histogram_properties.overlay = g_value_get_boolean (value);
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
    case PROP_METHOD:
      g_value_set_enum (value, self->properties.method);
      break;
    case PROP_MAX_ERROR:
      g_value_set_double (value, self->properties.max_error);
      break;
    case PROP_HISTOGRAM_EMISSION:
      g_value_set_flags (value, self->histogram_properties.emission);
      break;
    case PROP_HISTOGRAM_BINS:
      g_value_set_enum (value, self->histogram_properties.bins);
      break;
    case PROP_HISTOGRAM_SOURCE:
      g_value_set_enum (value, self->histogram_properties.source);
      break;
    case PROP_HISTOGRAM_INTERVAL:
      g_value_set_uint64 (value, self->histogram_properties.interval);
      break;
    case PROP_HISTOGRAM_OVERLAY:
      g_value_set_boolean (value, self->histogram_properties.overlay);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gl_opencl_filter_finalize (GObject * object)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (object);

  gst_gl_opencl_histogram_free (self->histogram);
  G_OBJECT_CLASS (gst_gl_opencl_filter_parent_class)->finalize (object);
}

static void
gst_gl_opencl_filter_open (GstGLOpenCLBaseFilter * filter, OclContext * context)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  self->context = ocl_context_ref (context);
  self->bilateral = ocl_bilateral_new (context, OCL_BILATERAL_VARIANT_AUTO);
  gst_gl_opencl_histogram_open (self->histogram, context);
}

static void
gst_gl_opencl_filter_close (GstGLOpenCLBaseFilter * filter)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  gst_gl_opencl_histogram_close (self->histogram);
  g_clear_pointer (&self->bilateral, ocl_bilateral_free);
  g_clear_pointer (&self->context, ocl_context_unref);
}

static gboolean
gst_gl_opencl_filter_prepare (GstGLOpenCLBaseFilter * filter,
    OclStorage storage, GError ** error)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return ocl_bilateral_prepare (self->bilateral, storage,
      self->params.method, error)
      && gst_gl_opencl_histogram_prepare (self->histogram, storage, error);
}

static GstGLOpenCLWorkFlags
gst_gl_opencl_filter_snapshot (GstGLOpenCLBaseFilter * filter, guint slot,
    GstBuffer * frame)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  GST_OBJECT_LOCK (self);
  self->params = self->properties;
  GstGLOpenCLHistogramSettings histogram = self->histogram_properties;
  GST_OBJECT_UNLOCK (self);
  self->params.border = gst_gl_opencl_base_filter_get_border (filter,
      self->params.border_color);

  GstGLOpenCLWorkFlags flags =
      gst_gl_opencl_histogram_snapshot (self->histogram, slot, &histogram,
      &GST_BASE_TRANSFORM (filter)->segment, frame);
  if (!ocl_bilateral_is_neutral (&self->params))
    flags |= GST_GL_OPENCL_WORK_READ | GST_GL_OPENCL_WORK_WRITE;
  return flags;
}

/* @output is NULL where the filter is off, and nothing is drawn. */
static gboolean
gst_gl_opencl_filter_enqueue_picture (GstGLOpenCLFilter * self,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  if (!output)
    return TRUE;
  if (ocl_bilateral_is_neutral (&self->params))
    return ocl_frame_enqueue_copy (self->context, input, output, timer, error);
  return ocl_bilateral_enqueue (self->bilateral, &self->params, input, output,
      timer, error);
}

static gboolean
gst_gl_opencl_filter_enqueue (GstGLOpenCLBaseFilter * filter, guint slot,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return gst_gl_opencl_filter_enqueue_picture (self, input, output, timer,
      error)
      && gst_gl_opencl_histogram_enqueue (self->histogram, slot, input, output,
      timer, error);
}

static gboolean
gst_gl_opencl_filter_enqueue_read (GstGLOpenCLBaseFilter * filter, guint slot,
    OclTimer * timer, GError ** error)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  return gst_gl_opencl_histogram_enqueue_read (self->histogram, slot, timer,
      error);
}

static void
gst_gl_opencl_filter_flush (GstGLOpenCLBaseFilter * filter)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  gst_gl_opencl_histogram_flush (self->histogram);
}

static void
gst_gl_opencl_filter_finish (GstGLOpenCLBaseFilter * filter, guint slot,
    GstBuffer * frame)
{
  GstGLOpenCLFilter *self = GST_GL_OPENCL_FILTER (filter);

  gst_gl_opencl_histogram_finish (self->histogram, slot, frame);
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
  g_object_class_install_property (klass, PROP_METHOD,
      g_param_spec_enum ("method", "Method",
          "Exact, or approximated: as fast at a spatial sigma of 50 as at 10, "
          "and photographs differ by at most 1.5 levels of 255 (RMS)",
          GST_TYPE_GL_OPENCL_FILTER_METHOD, defaults.method, flags));
  g_object_class_install_property (klass, PROP_MAX_ERROR,
      g_param_spec_double ("max-error", "Max error",
          "Least PSNR in dB against the exact filter that method=auto is to "
          "keep; above " G_STRINGIFY (OCL_BILATERAL_FAST_PSNR) " it is exact",
          0.0, 100.0, defaults.max_error, flags));
}

static void
gst_gl_opencl_filter_install_histogram_properties (GObjectClass * klass)
{
  const GstGLOpenCLHistogramSettings defaults =
      GST_GL_OPENCL_HISTOGRAM_SETTINGS_DEFAULT;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
      | GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;

  g_object_class_install_property (klass, PROP_HISTOGRAM_EMISSION,
      g_param_spec_flags ("histogram-emission", "Histogram emission",
          "How histograms of the frames are told; when "
          G_STRINGIFY (GST_GL_OPENCL_HISTOGRAM_MAX_MESSAGES) " messages have "
          "not been read from the bus, further ones are dropped",
          GST_TYPE_GL_OPENCL_HISTOGRAM_EMISSION, defaults.emission,
          flags & ~GST_PARAM_CONTROLLABLE));    /* no flags are */
  g_object_class_install_property (klass, PROP_HISTOGRAM_BINS,
      g_param_spec_enum ("histogram-bins", "Histogram bins",
          "Bins of each channel of the histograms that are told",
          GST_TYPE_GL_OPENCL_HISTOGRAM_BINS, defaults.bins, flags));
  g_object_class_install_property (klass, PROP_HISTOGRAM_SOURCE,
      g_param_spec_enum ("histogram-source", "Histogram source",
          "Which picture the histograms are of",
          GST_TYPE_GL_OPENCL_HISTOGRAM_SOURCE, defaults.source, flags));
  g_object_class_install_property (klass, PROP_HISTOGRAM_INTERVAL,
      g_param_spec_uint64 ("histogram-interval", "Histogram interval",
          "Nanoseconds between the histograms that are told: of the frames in "
          "each such span of running time the first; 0 for every frame", 0,
          G_MAXUINT64, defaults.interval, flags));
  g_object_class_install_property (klass, PROP_HISTOGRAM_OVERLAY,
      g_param_spec_boolean ("histogram-overlay", "Histogram overlay",
          "Draw the histogram of every frame into its upper right corner: red, "
          "green and blue as areas, luma as a white line", defaults.overlay,
          flags));
}

static void
gst_gl_opencl_filter_class_init (GstGLOpenCLFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGLOpenCLBaseFilterClass *filter_class =
      GST_GL_OPENCL_BASE_FILTER_CLASS (klass);

  object_class->set_property = gst_gl_opencl_filter_set_property;
  object_class->get_property = gst_gl_opencl_filter_get_property;
  object_class->finalize = gst_gl_opencl_filter_finalize;
  gst_gl_opencl_filter_install_properties (object_class);
  gst_gl_opencl_filter_install_histogram_properties (object_class);

  filter_class->open = gst_gl_opencl_filter_open;
  filter_class->close = gst_gl_opencl_filter_close;
  filter_class->prepare = gst_gl_opencl_filter_prepare;
  filter_class->snapshot = gst_gl_opencl_filter_snapshot;
  filter_class->enqueue = gst_gl_opencl_filter_enqueue;
  filter_class->enqueue_read = gst_gl_opencl_filter_enqueue_read;
  filter_class->flush = gst_gl_opencl_filter_flush;
  filter_class->finish = gst_gl_opencl_filter_finish;
  filter_class->get_variant = gst_gl_opencl_filter_get_variant;

  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL bilateral filter", "Filter/Effect/Video",
      "Smooths noise and keeps edges of OpenGL textures, with OpenCL",
      "The gst-glopencl developers");

  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_FILTER_COLOR_MODE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_FILTER_WINDOW, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_FILTER_METHOD, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_HISTOGRAM_EMISSION, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_HISTOGRAM_BINS, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_HISTOGRAM_SOURCE, 0);
}

static void
gst_gl_opencl_filter_init (GstGLOpenCLFilter * self)
{
  self->properties = OCL_BILATERAL_PARAMS_DEFAULT;
  self->histogram_properties = GST_GL_OPENCL_HISTOGRAM_SETTINGS_DEFAULT;
  self->histogram = gst_gl_opencl_histogram_new (GST_ELEMENT (self));
}
