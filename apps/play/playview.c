/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playview.h"

#include <gst/gl/gstglfuncs.h>
#include <gst/video/video.h>
#include <math.h>

/* More frames than this are never held back by a filter. */
#define MAX_ORIGINALS 32

typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
} Original;

struct _PlayView
{
  GstGLFilter parent;

  /* What other threads set or read, under the object's lock. */
  PlayViewMode mode;
  gdouble split;
  gdouble gain;
  guint64 n_frames;
  gdouble psnr;
  /* Frames that have entered the filter, under the object's lock. */
  GQueue originals;

  /* Only the streaming thread uses these. */
  GstGLColorConvert *convert;
  GstCaps *converted_caps;
  /* Only the GL thread uses these; the streaming thread sets @before while the
   * GL thread waits for it. */
  GstGLShader *shader;
  GstGLMemory *before;          /* NULL where no frame before is shown */
};

G_DEFINE_FINAL_TYPE (PlayView, play_view, GST_TYPE_GL_FILTER);
static const gchar fragment_source[] =
    "varying vec2 v_texcoord;\n"
    "uniform sampler2D tex;\n"
    "uniform sampler2D before;\n"
    "uniform float split;\n"
    "uniform float gain;\n"
    "uniform float line;\n"
    "void main () {\n"
    "  vec4 filtered = texture2D (tex, v_texcoord);\n"
    "  vec4 original = texture2D (before, v_texcoord);\n"
    "  if (gain > 0.0)\n"
    "    gl_FragColor = vec4 (0.5 + gain * (filtered - original).rgb, 1.0);\n"
    "  else if (abs (v_texcoord.x - split) < line)\n"
    "    gl_FragColor = vec4 (1.0);\n"
    "  else\n"
    "    gl_FragColor = v_texcoord.x < split ? original : filtered;\n" "}\n";

static void
original_free (gpointer data)
{
  Original *original = data;

  gst_buffer_unref (original->buffer);
  gst_caps_unref (original->caps);
  g_free (original);
}

static void
forget_originals (PlayView * self)
{
  GST_OBJECT_LOCK (self);
  g_queue_clear_full (&self->originals, original_free);
  GST_OBJECT_UNLOCK (self);
}

static GstPadProbeReturn
keep_original (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  PlayView *self = data;

  if (info->type & GST_PAD_PROBE_TYPE_EVENT_FLUSH) {
    if (GST_EVENT_TYPE (info->data) == GST_EVENT_FLUSH_STOP)
      forget_originals (self);
    return GST_PAD_PROBE_OK;
  }
  Original *original = g_new (Original, 1);

  original->buffer = gst_buffer_ref (info->data);
  original->caps = gst_pad_get_current_caps (pad);
  GST_OBJECT_LOCK (self);
  g_queue_push_tail (&self->originals, original);
  if (g_queue_get_length (&self->originals) > MAX_ORIGINALS)
    original = g_queue_pop_head (&self->originals);
  else
    original = NULL;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&original, original_free);
  return GST_PAD_PROBE_OK;
}

void
play_view_watch (PlayView * self, GstPad * pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_FLUSH, keep_original, gst_object_ref (self),
      gst_object_unref);
}

/* Returns the frame with this timestamp. Drops those that entered before it. */
static Original *
take_original (PlayView * self, GstClockTime time)
{
  Original *found = NULL;

  GST_OBJECT_LOCK (self);
  for (GList * l = self->originals.head; l && !found; l = l->next) {
    if (GST_BUFFER_PTS (((Original *) l->data)->buffer) == time)
      found = l->data;
  }
  while (found) {
    Original *first = g_queue_pop_head (&self->originals);

    if (first == found)
      break;
    original_free (first);
  }
  GST_OBJECT_UNLOCK (self);
  return found;
}

/* Returns the frame in RGBA, in a texture, or NULL if it cannot be
 * converted. */
static GstBuffer *
convert_original (PlayView * self, const Original * original)
{
  GstGLFilter *filter = GST_GL_FILTER (self);
  GstGLContext *context = GST_GL_BASE_FILTER (self)->context;

  if (!self->convert || !gst_caps_is_equal (self->converted_caps,
          original->caps)) {
    g_autoptr (GstCaps) rgba = gst_video_info_to_caps (&filter->out_info);

    gst_caps_set_features_simple (rgba,
        gst_caps_features_from_string (GST_CAPS_FEATURE_MEMORY_GL_MEMORY));
    gst_caps_set_simple (rgba, "texture-target", G_TYPE_STRING, "2D", NULL);
    g_clear_object (&self->convert);
    self->convert = gst_gl_color_convert_new (context);
    gst_caps_replace (&self->converted_caps, original->caps);
    if (!gst_gl_color_convert_set_caps (self->convert, original->caps, rgba)) {
      g_clear_object (&self->convert);
      return NULL;
    }
  }
  return gst_gl_color_convert_perform (self->convert, original->buffer);
}

/* Returns the PSNR of the samples of red, green and blue in dB. */
static gdouble
compute_psnr (GstVideoFrame * a, GstVideoFrame * b)
{
  const gint width = GST_VIDEO_FRAME_WIDTH (a);
  const gint height = GST_VIDEO_FRAME_HEIGHT (a);
  guint64 sum = 0;

  for (gint y = 0; y < height; y++) {
    const guint8 *row_a = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (a, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (a, 0);
    const guint8 *row_b = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (b, 0)
        + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (b, 0);
    guint64 row_sum = 0;

    for (gint x = 0; x < width; x++) {
      const gint red = row_a[4 * x] - row_b[4 * x];
      const gint green = row_a[4 * x + 1] - row_b[4 * x + 1];
      const gint blue = row_a[4 * x + 2] - row_b[4 * x + 2];

      row_sum += red * red + green * green + blue * blue;
    }
    sum += row_sum;
  }
  return 10.0 * log10 (255.0 * 255.0 * 3.0 * width * height / sum);
}

static void
measure_difference (PlayView * self, GstBuffer * filtered, GstBuffer * original)
{
  GstVideoInfo *info = &GST_GL_FILTER (self)->in_info;
  GstVideoFrame after, before;
  gdouble psnr = -1.0;

  if (gst_video_frame_map (&after, info, filtered, GST_MAP_READ)) {
    if (gst_video_frame_map (&before, info, original, GST_MAP_READ)) {
      psnr = compute_psnr (&after, &before);
      gst_video_frame_unmap (&before);
    }
    gst_video_frame_unmap (&after);
  }
  GST_OBJECT_LOCK (self);
  self->psnr = psnr;
  GST_OBJECT_UNLOCK (self);
}

static gboolean
play_view_filter (GstGLFilter * filter, GstBuffer * input, GstBuffer * output)
{
  PlayView *self = PLAY_VIEW (filter);
  Original *entered = take_original (self, GST_BUFFER_PTS (input));
  g_autoptr (GstBuffer) original = NULL;
  GstVideoFrame frame;

  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->psnr = -1.0;
  const PlayViewMode mode = self->mode;
  GST_OBJECT_UNLOCK (self);
  if (entered && mode != PLAY_VIEW_AFTER)
    original = convert_original (self, entered);
  g_clear_pointer (&entered, original_free);
  if (original && mode == PLAY_VIEW_DIFFERENCE)
    measure_difference (self, input, original);
  if (original && gst_video_frame_map (&frame, &filter->out_info, original,
          GST_MAP_READ | GST_MAP_GL))
    self->before = (GstGLMemory *) frame.map[0].memory;
  const gboolean ok = gst_gl_filter_filter_texture (filter, input, output);
  if (self->before) {
    self->before = NULL;
    gst_video_frame_unmap (&frame);
  }
  return ok;
}

static gboolean
play_view_filter_texture (GstGLFilter * filter, GstGLMemory * input,
    GstGLMemory * output)
{
  PlayView *self = PLAY_VIEW (filter);
  const GstGLFuncs *gl = GST_GL_BASE_FILTER (self)->context->gl_vtable;

  GST_OBJECT_LOCK (self);
  const PlayViewMode mode = self->before ? self->mode : PLAY_VIEW_AFTER;
  const gdouble split = mode == PLAY_VIEW_BEFORE ? 2.0
      : mode == PLAY_VIEW_SPLIT ? self->split : -1.0;
  const gdouble gain = mode == PLAY_VIEW_DIFFERENCE ? self->gain : 0.0;
  GST_OBJECT_UNLOCK (self);

  /* GstGLFilter binds the filtered frame as tex, to a unit before this one. */
  gst_gl_shader_use (self->shader);
  gl->ActiveTexture (GL_TEXTURE2);
  gl->BindTexture (GL_TEXTURE_2D, gst_gl_memory_get_texture_id (self->before
          ? self->before : input));
  gst_gl_shader_set_uniform_1i (self->shader, "before", 2);
  gst_gl_shader_set_uniform_1f (self->shader, "split", split);
  gst_gl_shader_set_uniform_1f (self->shader, "gain", gain);
  gst_gl_shader_set_uniform_1f (self->shader, "line",
      1.0 / GST_VIDEO_INFO_WIDTH (&filter->out_info));
  gst_gl_filter_render_to_target_with_shader (filter, input, output,
      self->shader);
  gl->ActiveTexture (GL_TEXTURE2);
  gl->BindTexture (GL_TEXTURE_2D, 0);
  gl->ActiveTexture (GL_TEXTURE0);
  return TRUE;
}

static gboolean
play_view_gl_start (GstGLBaseFilter * base)
{
  PlayView *self = PLAY_VIEW (base);
  g_autoptr (GError) error = NULL;

  if (!GST_GL_BASE_FILTER_CLASS (play_view_parent_class)->gl_start (base))
    return FALSE;
  g_autofree gchar *source = g_strconcat
      (gst_gl_shader_string_get_highest_precision (base->context,
          GST_GLSL_VERSION_NONE, GST_GLSL_PROFILE_COMPATIBILITY
          | GST_GLSL_PROFILE_ES), fragment_source, NULL);
  GstGLSLStage *vertex = gst_glsl_stage_new_default_vertex (base->context);
  GstGLSLStage *fragment = gst_glsl_stage_new_with_string (base->context,
      GL_FRAGMENT_SHADER, GST_GLSL_VERSION_NONE,
      GST_GLSL_PROFILE_COMPATIBILITY | GST_GLSL_PROFILE_ES, source);

  self->shader = gst_gl_shader_new_link_with_stages (base->context, &error,
      vertex, fragment, NULL);
  if (!self->shader) {
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", error->message), (NULL));
    return FALSE;
  }
  return TRUE;
}

static void
play_view_gl_stop (GstGLBaseFilter * base)
{
  PlayView *self = PLAY_VIEW (base);

  g_clear_object (&self->shader);
  GST_GL_BASE_FILTER_CLASS (play_view_parent_class)->gl_stop (base);
}

static gboolean
play_view_stop (GstBaseTransform * transform)
{
  PlayView *self = PLAY_VIEW (transform);

  forget_originals (self);
  gst_clear_object (&self->convert);
  gst_clear_caps (&self->converted_caps);
  return GST_BASE_TRANSFORM_CLASS (play_view_parent_class)->stop (transform);
}

static void
play_view_class_init (PlayViewClass * klass)
{
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGLBaseFilterClass *base_class = GST_GL_BASE_FILTER_CLASS (klass);
  GstGLFilterClass *filter_class = GST_GL_FILTER_CLASS (klass);

  gst_gl_filter_add_rgba_pad_templates (filter_class);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Before and after", "Filter/Effect/Video",
      "Shows a filtered frame beside the frame that it was made of",
      "gst-glopencl");
  transform_class->stop = play_view_stop;
  base_class->gl_start = play_view_gl_start;
  base_class->gl_stop = play_view_gl_stop;
  base_class->supported_gl_api = GST_GL_API_OPENGL | GST_GL_API_OPENGL3
      | GST_GL_API_GLES2;
  filter_class->filter = play_view_filter;
  filter_class->filter_texture = play_view_filter_texture;
}

static void
play_view_init (PlayView * self)
{
  self->split = 0.5;
  self->gain = 8.0;
  self->psnr = -1.0;
  g_queue_init (&self->originals);
}

PlayView *
play_view_new (void)
{
  return g_object_new (PLAY_TYPE_VIEW, NULL);
}

#define SET(field, value) \
  GST_OBJECT_LOCK (self); \
  self->field = (value); \
  GST_OBJECT_UNLOCK (self)

#define RETURN(type, field) \
  GST_OBJECT_LOCK (self); \
  const type value = self->field; \
  GST_OBJECT_UNLOCK (self); \
  return value

void
play_view_set_mode (PlayView * self, PlayViewMode mode)
{
  SET (mode, mode);
}

void
play_view_set_split (PlayView * self, gdouble split)
{
  SET (split, CLAMP (split, 0.0, 1.0));
}

void
play_view_set_gain (PlayView * self, gdouble gain)
{
  SET (gain, CLAMP (gain, 1.0, 256.0));
}

PlayViewMode
play_view_get_mode (PlayView * self)
{
  RETURN (PlayViewMode, mode);
}

gdouble
play_view_get_gain (PlayView * self)
{
  RETURN (gdouble, gain);
}

guint64
play_view_get_n_frames (PlayView * self)
{
  RETURN (guint64, n_frames);
}

gdouble
play_view_get_psnr (PlayView * self)
{
  RETURN (gdouble, psnr);
}
