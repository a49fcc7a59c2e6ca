/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playview.h"

#include <gst/gl/gstglfuncs.h>
#include <math.h>

/* Maximum number of frames held back by a filter. */
#define MAX_ORIGINALS 32

typedef struct
{
  GstBuffer *buffer;
  GstCaps *caps;
} Original;

/* @convert is NULL until frames of @from are converted. */
typedef struct
{
  GstGLColorConvert *convert;
  GstCaps *from;
} Converter;

struct _PlayView
{
  GstGLFilter parent;

  /* Accessed by other threads, under the object lock. */
  PlayViewMode mode;
  gdouble split;
  gdouble gain;
  GstVideoOrientationMethod orientation;
  guint64 n_frames;
  gdouble psnr;
  /* Frames before this stream time are not shown, from the next flush on. */
  GstClockTime first;
  gboolean has_flushed;
  gboolean is_waiting;          /* for the frame at @first */
  guint n_before;
  /* Input frames of the filter, under the object lock. */
  GQueue originals;

  /* Used by the streaming thread only. The first converts to the shown format,
   * the second to the filtered frame's format if the filter changes it. */
  Converter to_shown;
  Converter to_filtered;
  GstCaps *filtered_caps;
  GstCaps *shown_caps;
  GstBufferPool *pool;          /* of split frames, NULL until the first one */
  /* Operands of a difference, in RGBA. NULL between frames. */
  GstBuffer *before;
  GstBuffer *after;
  /* Used by the GL thread only. */
  GstGLShader *shader;
  GstGLFramebuffer *framebuffer;
};

G_DEFINE_FINAL_TYPE (PlayView, play_view, GST_TYPE_GL_FILTER);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE_WITH_FEATURES
        (GST_CAPS_FEATURE_MEMORY_GL_MEMORY, GST_GL_COLOR_CONVERT_FORMATS)));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS (GST_VIDEO_CAPS_MAKE_WITH_FEATURES
        (GST_CAPS_FEATURE_MEMORY_GL_MEMORY, GST_GL_COLOR_CONVERT_FORMATS)));

static const gchar fragment_source[] =
    "varying vec2 v_texcoord;\n"
    "uniform sampler2D tex;\n"
    "uniform sampler2D before;\n"
    "uniform float gain;\n"
    "void main () {\n"
    "  vec4 difference = texture2D (tex, v_texcoord)\n"
    "      - texture2D (before, v_texcoord);\n"
    "  gl_FragColor = vec4 (0.5 + gain * difference.rgb, 1.0);\n" "}\n";

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
    if (GST_EVENT_TYPE (info->data) == GST_EVENT_FLUSH_STOP) {
      forget_originals (self);
      GST_OBJECT_LOCK (self);
      self->has_flushed = TRUE;
      GST_OBJECT_UNLOCK (self);
    }
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

/* Drops a filtered frame before the first one to show. */
static GstPadProbeReturn
drop_early (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  PlayView *self = data;
  GstClockTime end = GST_CLOCK_TIME_NONE;
  gboolean is_early = FALSE;

  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad,
        GST_EVENT_SEGMENT, 0);
    GstBuffer *buffer = info->data;
    const GstSegment *segment;

    if (event) {
      gst_event_parse_segment (event, &segment);
      end = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
          GST_BUFFER_PTS (buffer));
    }
    /* The first one still lasts at @first. Matroska rounds times to
     * milliseconds. */
    if (GST_CLOCK_TIME_IS_VALID (end) && GST_BUFFER_DURATION_IS_VALID (buffer))
      end += GST_BUFFER_DURATION (buffer)
          - MIN (GST_BUFFER_DURATION (buffer) / 8, GST_MSECOND);
  } else if (GST_EVENT_TYPE (info->data) != GST_EVENT_EOS)
    return GST_PAD_PROBE_OK;
  GST_OBJECT_LOCK (self);
  /* Frames before the flush of a seek are outdated. */
  if (self->has_flushed && self->is_waiting) {
    is_early = end < self->first;
    self->is_waiting = is_early;
    self->n_before = info->type & GST_PAD_PROBE_TYPE_BUFFER
        ? self->n_before + is_early : G_MAXUINT;
  }
  GST_OBJECT_UNLOCK (self);
  return is_early ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

void
play_view_start_at (PlayView * self, GstClockTime time, GstClockTime run_up)
{
  GST_OBJECT_LOCK (self);
  self->first = run_up > 0 ? time : 0;
  self->has_flushed = FALSE;
  self->is_waiting = TRUE;
  self->n_before = 0;
  GST_OBJECT_UNLOCK (self);
  /* Playback continues without a delay. */
  gst_pad_set_offset (GST_BASE_TRANSFORM_SRC_PAD (self), -(gint64) run_up);
}

gboolean
play_view_is_waiting (PlayView * self, guint * n_before)
{
  GST_OBJECT_LOCK (self);
  const gboolean is_waiting = self->is_waiting;
  *n_before = self->n_before;
  GST_OBJECT_UNLOCK (self);
  return is_waiting;
}

void
play_view_watch (PlayView * self, GstPad * pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_FLUSH, keep_original, gst_object_ref (self),
      gst_object_unref);
}

/* Returns the input frame with this timestamp. Drops earlier ones. */
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

static void
converter_clear (Converter * self)
{
  gst_clear_object (&self->convert);
  gst_clear_caps (&self->from);
}

/* Returns a frame with the caps @from converted to @to, or NULL if this is not
 * possible. */
static GstBuffer *
convert_frame (PlayView * self, Converter * converter, GstBuffer * frame,
    GstCaps * from, GstCaps * to)
{
  if (gst_caps_is_equal (from, to))
    return gst_buffer_ref (frame);
  if (!converter->convert || !gst_caps_is_equal (converter->from, from)) {
    converter_clear (converter);
    converter->convert = gst_gl_color_convert_new
        (GST_GL_BASE_FILTER (self)->context);
    converter->from = gst_caps_ref (from);
    if (!gst_gl_color_convert_set_caps (converter->convert, from, to)) {
      converter_clear (converter);
      return NULL;
    }
  }
  return gst_gl_color_convert_perform (converter->convert, frame);
}

/* A rectangle of a plane. */
typedef struct
{
  const GstGLFuncs *gl;
  GstGLMemory *to;
  GstVideoRectangle area;
} Part;

/* Copies from the texture attached to the framebuffer. */
static gboolean
copy_part (gpointer data)
{
  const Part *part = data;

  part->gl->BindTexture (GL_TEXTURE_2D,
      gst_gl_memory_get_texture_id (part->to));
  part->gl->CopyTexSubImage2D (GL_TEXTURE_2D, 0, part->area.x, part->area.y,
      part->area.x, part->area.y, part->area.w, part->area.h);
  part->gl->BindTexture (GL_TEXTURE_2D, 0);
  return TRUE;
}

/* Three frames of one format, whose textures are mapped. */
typedef struct
{
  PlayView *view;
  GstVideoFrame before;
  GstVideoFrame after;
  GstVideoFrame output;
} Frames;

static gboolean
map_textures (GstVideoFrame * frame, const GstVideoInfo * info,
    GstBuffer * buffer, GstMapFlags flags)
{
  return buffer && gst_video_frame_map (frame, (GstVideoInfo *) info, buffer,
      flags | GST_MAP_GL);
}

/* Calls @draw with the frames on the GL thread. Returns FALSE if they cannot be
 * mapped. */
static gboolean
draw_frames (PlayView * self, const GstVideoInfo * info, GstBuffer * before,
    GstBuffer * after, GstBuffer * output, GstGLContextThreadFunc draw)
{
  Frames frames = {.view = self };
  gboolean ok = FALSE;

  if (map_textures (&frames.before, info, before, GST_MAP_READ)) {
    if (map_textures (&frames.after, info, after, GST_MAP_READ)) {
      if (map_textures (&frames.output, info, output, GST_MAP_WRITE)) {
        gst_gl_context_thread_add (GST_GL_BASE_FILTER (self)->context, draw,
            &frames);
        gst_video_frame_unmap (&frames.output);
        ok = TRUE;
      }
      gst_video_frame_unmap (&frames.after);
    }
    gst_video_frame_unmap (&frames.before);
  }
  return ok;
}

static void
mix_planes (GstGLContext * context, gpointer data)
{
  Frames *frames = data;
  PlayView *self = frames->view;

  GST_OBJECT_LOCK (self);
  const GstVideoOrientationMethod turn = self->orientation;
  const gdouble shown_split = self->split;
  GST_OBJECT_UNLOCK (self);
  /* After the rotation, the left part corresponds to rows if the rotation swaps
   * the axes, and to the last rows or columns if it reverses them. */
  const gboolean is_rows = turn == GST_VIDEO_ORIENTATION_90R
      || turn == GST_VIDEO_ORIENTATION_90L
      || turn == GST_VIDEO_ORIENTATION_UL_LR
      || turn == GST_VIDEO_ORIENTATION_UR_LL;
  const gboolean is_reversed = turn == GST_VIDEO_ORIENTATION_90R
      || turn == GST_VIDEO_ORIENTATION_180
      || turn == GST_VIDEO_ORIENTATION_HORIZ
      || turn == GST_VIDEO_ORIENTATION_UR_LL;
  const gint size = is_rows ? GST_VIDEO_FRAME_HEIGHT (&frames->output)
      : GST_VIDEO_FRAME_WIDTH (&frames->output);
  const gint split = (is_reversed ? 1.0 - shown_split : shown_split) * size;
  GstVideoFrame *first = is_reversed ? &frames->after : &frames->before;
  GstVideoFrame *second = is_reversed ? &frames->before : &frames->after;

  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (&frames->output); i++) {
    GstGLMemory *mixed = (GstGLMemory *) frames->output.map[i].memory;
    const gint width = gst_gl_memory_get_texture_width (mixed);
    const gint height = gst_gl_memory_get_texture_height (mixed);
    /* No sample of a chroma plane is on both sides. */
    const gint middle = (split & ~3) * (is_rows ? height : width) / size;
    Part one = { context->gl_vtable, mixed, {0, 0, width, height} };
    Part other = one;

    if (is_rows) {
      one.area.h = other.area.y = middle;
      other.area.h = height - middle;
    } else {
      one.area.w = other.area.x = middle;
      other.area.w = width - middle;
    }
    gst_gl_framebuffer_draw_to_texture (self->framebuffer,
        (GstGLMemory *) first->map[i].memory, copy_part, &one);
    gst_gl_framebuffer_draw_to_texture (self->framebuffer,
        (GstGLMemory *) second->map[i].memory, copy_part, &other);
  }
}

/* Returns a new frame in the filtered frame's format, or NULL. */
static GstBuffer *
acquire_frame (PlayView * self)
{
  GstBuffer *frame = NULL;

  if (!self->pool) {
    self->pool = gst_gl_buffer_pool_new (GST_GL_BASE_FILTER (self)->context);
    GstStructure *config = gst_buffer_pool_get_config (self->pool);

    gst_buffer_pool_config_set_params (config, self->filtered_caps,
        GST_VIDEO_INFO_SIZE (&GST_GL_FILTER (self)->in_info), 0, 0);
    if (!gst_buffer_pool_set_config (self->pool, config)
        || !gst_buffer_pool_set_active (self->pool, TRUE)) {
      gst_clear_object (&self->pool);
      return NULL;
    }
  }
  gst_buffer_pool_acquire_buffer (self->pool, &frame, NULL);
  return frame;
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
measure_difference (PlayView * self)
{
  const GstVideoInfo *info = &GST_GL_FILTER (self)->out_info;
  GstVideoFrame after, before;
  gdouble psnr = -1.0;

  if (gst_video_frame_map (&after, info, self->after, GST_MAP_READ)) {
    if (gst_video_frame_map (&before, info, self->before, GST_MAP_READ)) {
      psnr = compute_psnr (&after, &before);
      gst_video_frame_unmap (&before);
    }
    gst_video_frame_unmap (&after);
  }
  GST_OBJECT_LOCK (self);
  self->psnr = psnr;
  GST_OBJECT_UNLOCK (self);
}

/* Returns the displayed frame for a filtered frame, in the filtered frame's
 * format, or NULL. @before is NULL if the input frame is unknown. The planes of
 * a split frame are copied without conversion, so that both parts need a single
 * conversion to RGBA. */
static GstBuffer *
choose_frame (PlayView * self, PlayViewMode mode, GstBuffer * before,
    GstBuffer * after)
{
  if (before && mode == PLAY_VIEW_BEFORE)
    return gst_buffer_ref (before);
  if (!before || mode != PLAY_VIEW_SPLIT)
    return gst_buffer_ref (after);
  g_autoptr (GstBuffer) mixed = acquire_frame (self);

  return draw_frames (self, &GST_GL_FILTER (self)->in_info, before, after,
      mixed, mix_planes) ? g_steal_pointer (&mixed) : NULL;
}

static GstFlowReturn
play_view_prepare_output_buffer (GstBaseTransform * transform,
    GstBuffer * input, GstBuffer ** output)
{
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS
      (play_view_parent_class);
  PlayView *self = PLAY_VIEW (transform);
  Original *entered = take_original (self, GST_BUFFER_PTS (input));
  g_autoptr (GstBuffer) before = NULL;

  GST_OBJECT_LOCK (self);
  self->n_frames++;
  self->psnr = -1.0;
  const PlayViewMode mode = self->mode;
  GST_OBJECT_UNLOCK (self);
  if (entered && mode != PLAY_VIEW_AFTER)
    before = convert_frame (self, &self->to_filtered, entered->buffer,
        entered->caps, self->filtered_caps);
  g_clear_pointer (&entered, original_free);

  /* The frame after a change of the mode may still have the previous caps. */
  const gboolean differs = mode == PLAY_VIEW_DIFFERENCE
      && GST_VIDEO_INFO_FORMAT (&GST_GL_FILTER (self)->out_info)
      == GST_VIDEO_FORMAT_RGBA;
  g_autoptr (GstBuffer) shown = choose_frame (self, mode, before, input);
  if (!shown || !(*output = convert_frame (self, &self->to_shown, shown,
              self->filtered_caps, self->shown_caps))) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("The frame cannot be converted"), (NULL));
    return GST_FLOW_ERROR;
  }
  if (differs && before
      && (self->before = convert_frame (self, &self->to_shown, before,
              self->filtered_caps, self->shown_caps))) {
    self->after = *output;
    return transform_class->prepare_output_buffer (transform, input, output);
  }
  /* GstBaseTransform does not unref an input that is the output. */
  if (*output == input)
    gst_buffer_unref (input);
  /* Frames that need no conversion have their times, and another owner. */
  else if (gst_buffer_is_writable (*output))
    transform_class->copy_metadata (transform, input, *output);
  return GST_FLOW_OK;
}

/* The shader computes the difference of frames in RGBA. */
static void
draw_difference (GstGLContext * context, gpointer data)
{
  Frames *frames = data;
  PlayView *self = frames->view;
  const GstGLFuncs *gl = context->gl_vtable;

  GST_OBJECT_LOCK (self);
  const gdouble gain = self->gain;
  GST_OBJECT_UNLOCK (self);
  /* GstGLFilter binds the filtered frame as tex, to a previous unit. */
  gst_gl_shader_use (self->shader);
  gl->ActiveTexture (GL_TEXTURE2);
  gl->BindTexture (GL_TEXTURE_2D, *(guint *) frames->before.data[0]);
  gst_gl_shader_set_uniform_1i (self->shader, "before", 2);
  gst_gl_shader_set_uniform_1f (self->shader, "gain", gain);
  gst_gl_filter_render_to_target_with_shader (GST_GL_FILTER (self),
      (GstGLMemory *) frames->after.map[0].memory,
      (GstGLMemory *) frames->output.map[0].memory, self->shader);
  gl->ActiveTexture (GL_TEXTURE2);
  gl->BindTexture (GL_TEXTURE_2D, 0);
  gl->ActiveTexture (GL_TEXTURE0);
}

static gboolean
play_view_filter (GstGLFilter * filter, GstBuffer * input G_GNUC_UNUSED,
    GstBuffer * output)
{
  PlayView *self = PLAY_VIEW (filter);

  measure_difference (self);
  const gboolean ok = draw_frames (self, &filter->out_info, self->before,
      self->after, output, draw_difference);
  gst_clear_buffer (&self->before);
  gst_clear_buffer (&self->after);
  return ok;
}

/* A frame that is not a difference is complete. It may have another owner, and
 * GstGLFilter of GStreamer 1.24 would change it. */
static GstFlowReturn
play_view_transform (GstBaseTransform * transform, GstBuffer * input,
    GstBuffer * output)
{
  if (!PLAY_VIEW (transform)->before)
    return GST_FLOW_OK;
  return GST_BASE_TRANSFORM_CLASS (play_view_parent_class)->transform
      (transform, input, output);
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

  self->framebuffer = gst_gl_framebuffer_new (base->context);
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
  gst_clear_object (&self->framebuffer);
  GST_GL_BASE_FILTER_CLASS (play_view_parent_class)->gl_stop (base);
}

/* A difference is displayed in RGBA. Its caps have all fields that a sink
 * needs, because fixed caps are not intersected with those of the next
 * element. */
static GstCaps *
play_view_transform_caps (GstBaseTransform * transform,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  g_autoptr (GstCaps) all = gst_gl_color_convert_transform_caps
      (GST_GL_BASE_FILTER (transform)->context, direction, caps, filter);
  g_autoptr (GstCaps) rgba = gst_caps_from_string
      (GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_GL_MEMORY,
          "RGBA") ", texture-target=(string)" GST_GL_TEXTURE_TARGET_2D_STR);

  return direction == GST_PAD_SINK
      && play_view_get_mode (PLAY_VIEW (transform)) == PLAY_VIEW_DIFFERENCE
      ? gst_caps_intersect_full (all, rgba, GST_CAPS_INTERSECT_FIRST)
      : g_steal_pointer (&all);
}

static void
forget_caps (PlayView * self)
{
  converter_clear (&self->to_shown);
  converter_clear (&self->to_filtered);
  gst_clear_caps (&self->filtered_caps);
  gst_clear_caps (&self->shown_caps);
  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
}

static gboolean
play_view_set_caps (GstGLFilter * filter, GstCaps * input, GstCaps * output)
{
  PlayView *self = PLAY_VIEW (filter);

  forget_caps (self);
  self->filtered_caps = gst_caps_ref (input);
  self->shown_caps = gst_caps_ref (output);
  return TRUE;
}

static gboolean
play_view_sink_event (GstBaseTransform * transform, GstEvent * event)
{
  PlayView *self = PLAY_VIEW (transform);
  GstVideoOrientationMethod orientation;
  GstTagList *tags;

  if (GST_EVENT_TYPE (event) == GST_EVENT_TAG) {
    gst_event_parse_tag (event, &tags);
    if (gst_video_orientation_from_tag (tags, &orientation)) {
      GST_OBJECT_LOCK (self);
      self->orientation = orientation;
      GST_OBJECT_UNLOCK (self);
    }
  }
  return GST_BASE_TRANSFORM_CLASS (play_view_parent_class)->sink_event
      (transform, event);
}

static gboolean
play_view_stop (GstBaseTransform * transform)
{
  PlayView *self = PLAY_VIEW (transform);

  forget_originals (self);
  forget_caps (self);
  return GST_BASE_TRANSFORM_CLASS (play_view_parent_class)->stop (transform);
}

static void
play_view_class_init (PlayViewClass * klass)
{
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGLBaseFilterClass *base_class = GST_GL_BASE_FILTER_CLASS (klass);
  GstGLFilterClass *filter_class = GST_GL_FILTER_CLASS (klass);

  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass),
      &sink_template);
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass),
      &src_template);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "Before and after", "Filter/Effect/Video",
      "Shows a filtered frame beside the original frame", "gst-glopencl");
  transform_class->stop = play_view_stop;
  transform_class->sink_event = play_view_sink_event;
  transform_class->transform_caps = play_view_transform_caps;
  transform_class->prepare_output_buffer = play_view_prepare_output_buffer;
  transform_class->transform = play_view_transform;
  base_class->gl_start = play_view_gl_start;
  base_class->gl_stop = play_view_gl_stop;
  base_class->supported_gl_api = GST_GL_API_OPENGL | GST_GL_API_OPENGL3
      | GST_GL_API_GLES2;
  filter_class->filter = play_view_filter;
  filter_class->set_caps = play_view_set_caps;
}

static void
play_view_init (PlayView * self)
{
  self->split = 0.5;
  self->gain = 8.0;
  self->psnr = -1.0;
  g_queue_init (&self->originals);
  gst_pad_add_probe (GST_BASE_TRANSFORM_SINK_PAD (self),
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      drop_early, self, NULL);
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
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
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
play_view_get_split (PlayView * self)
{
  RETURN (gdouble, split);
}

gdouble
play_view_get_gain (PlayView * self)
{
  RETURN (gdouble, gain);
}

GstVideoOrientationMethod
play_view_get_orientation (PlayView * self)
{
  RETURN (GstVideoOrientationMethod, orientation);
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
