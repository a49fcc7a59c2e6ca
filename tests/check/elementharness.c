/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "elementharness.h"
#include "testrandom.h"

#include <dlfcn.h>
#include <gst/controller/controller.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define META_NAME "GstGLOpenCLHistogramMeta"

Layer layer;

static guint n_selected;        /* cases */

static Suite *
get_suite (void)
{
  static Suite *suite;

  if (!suite)
    suite = suite_create ("elements");
  return suite;
}

TCase *
harness_add_case (const gchar * name, const gchar * tags)
{
  TCase *added = tcase_create (name);

  g_auto (GStrv) words = g_strsplit (tags ? tags : "", " ", -1);

  if (tags)
    tcase_set_tags (added, tags);
  n_selected += !g_getenv ("CK_INCLUDE_TAGS")
      || g_strv_contains ((const gchar * const *) words,
      g_getenv ("CK_INCLUDE_TAGS"));
  suite_add_tcase (get_suite (), added);
  return added;
}

/* The loader opens its layers at the first call: there is none before an element
 * is started. */
static void
open_layer (const gchar * path)
{
  g_autoptr (GstElement) filter =
      gst_object_ref_sink (gst_element_factory_make ("glopenclfilter", NULL));

  g_assert_null (dlopen (path, RTLD_NOW | RTLD_NOLOAD));
  gst_element_set_state (filter, GST_STATE_PAUSED);
  gst_element_set_state (filter, GST_STATE_NULL);

  void *handle = dlopen (path, RTLD_NOW | RTLD_NOLOAD);
  g_assert_nonnull (handle);
  /* *INDENT-OFF* */
#define FIND(name) \
  layer.name = dlsym (handle, "glopencl_layer_" #name); \
  g_assert_true (layer.name != NULL);
  FIND (set_fault) FIND (set_lasting_fault) FIND (fault_hit)
  FIND (function_name) FIND (live_objects) FIND (calls) FIND (reset_counts)
  /* *INDENT-ON* */
}

/* If a case failed, the process ends here, and none of its exit handlers runs:
 * threads of the case may still be in a driver's compiler, whose data those
 * free. */
int
main (int argc, char **argv)
{
  g_autofree gchar *name = g_path_get_basename (argv[0]);

  gst_check_init (&argc, &argv);
  if (n_selected == 0)
    g_error ("no case has the tag %s", g_getenv ("CK_INCLUDE_TAGS"));
  if (g_getenv ("OPENCL_LAYERS"))
    open_layer (g_getenv ("OPENCL_LAYERS"));
  if (test_set_up)
    test_set_up ();
  if (gst_check_run_suite (get_suite (), name, name) > 0) {
    fflush (NULL);
    _exit (EXIT_FAILURE);
  }
  if (test_tear_down)
    test_tear_down ();
  return EXIT_SUCCESS;
}

/* The load average covers long-running threads, and the number of runnable
 * threads the ones just started. */
GstClockTime
harness_scale (GstClockTime time)
{
  g_autofree gchar *text = NULL;
  gdouble load = 0.0;
  guint n_running = 0;

  if (g_file_get_contents ("/proc/loadavg", &text, NULL, NULL))
    sscanf (text, "%lf %*f %*f %u/", &load, &n_running);
  return time * MAX (1.0, MAX (load, n_running) / g_get_num_processors ());
}

const gchar *
harness_get_interop (void)
{
  const gchar *interop = g_getenv ("GLOPENCL_TEST_INTEROP");

  return interop ? interop : "auto";
}

gboolean
harness_has_interop (const gchar * interop)
{
  return g_str_equal (harness_get_interop (), interop);
}

gboolean
harness_shares (void)
{
  return harness_has_interop ("gl-sharing")
      || harness_has_interop ("external-memory");
}

gint
count_objects (void)
{
  return layer.live_objects ? layer.live_objects () : 0;
}

guint
count_files (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  g_assert_nonnull (folder);
  while (g_dir_read_name (folder))
    n++;
  return n;
}

/* Elements in a GstHarness */

Harness *
harness_new (const gchar * fields, const gchar * element, ...)
{
  Harness *self = g_new0 (Harness, 1);
  va_list arguments;

  va_start (arguments, element);
  g_autofree gchar *text = g_strdup_vprintf (element, arguments);
  va_end (arguments);
  const gsize n = strcspn (text, " ");
  g_autofree gchar *launch = g_strdup_printf ("glupload ! %.*s name=filter "
      "qos=false pipeline-depth=0 quick-start=off interop=%s %s ! gldownload",
      (int) n, text,
      harness_get_interop (), text + n);

  self->harness = gst_harness_new_parse (launch);
  self->filter = pipeline_get (self->harness->element, "filter");
  self->bus = gst_bus_new ();
  gst_element_set_bus (self->harness->element, self->bus);
  gst_harness_set_sink_caps_str (self->harness, "video/x-raw");
  if (fields)
    harness_set_fields (self, "%s", fields);
  return self;
}

void
harness_free (Harness * self)
{
  gst_element_set_bus (self->harness->element, NULL);
  gst_object_unref (self->filter);
  gst_harness_teardown (self->harness);
  gst_bus_set_flushing (self->bus, TRUE);
  gst_object_unref (self->bus);
  g_free (self);
}

void
harness_set_fields (Harness * self, const gchar * fields, ...)
{
  va_list arguments;

  va_start (arguments, fields);
  g_autofree gchar *text = g_strdup_vprintf (fields, arguments);
  va_end (arguments);
  g_autofree gchar *name =
      g_strconcat ("video/x-raw,framerate=25/1,", text, NULL);
  GstCaps *caps = gst_caps_from_string (name);

  fail_unless (gst_video_info_from_caps (&self->info, caps), "%s", name);
  gst_harness_set_src_caps (self->harness, caps);
}

void
harness_set_size (Harness * self, gint width, gint height)
{
  harness_set_fields (self, "format=RGBA,width=%d,height=%d", width, height);
}

/* Planes follow each other, without the rows that GStreamer adds where the
 * height is odd. */
static void
widen_rows (GstVideoInfo * info, gint extra_stride)
{
  info->size = 0;
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, plane, components);
    info->stride[plane] += extra_stride;
    info->offset[plane] = info->size;
    info->size += info->stride[plane]
        * GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
  }
}

/* A level of 0 to 255: alpha is noise. */
static gint
draw_level (GRand * random, gint component, gint x, gint y)
{
  const gint edge = (x / 8 + y / 8) % 2 ? 100 : 0;

  return component == GST_VIDEO_COMP_A ? g_rand_int_range (random, 0, 256)
      : 60 + edge + component * 20 + g_rand_int_range (random, -30, 31);
}

/* GStreamer 1.22 has components of P010 and its kin at odd offsets. */
static void
write_sample (guint8 * sample, guint depth, guint shift, guint level,
    GRand * random)
{
  if (depth == 8) {
    *sample = level;
    return;
  }

  const guint bits = (level << (depth - 8)
      | g_rand_int_range (random, 0, 1 << (depth - 8))) << shift
      | g_rand_int_range (random, 0, 1 << shift);
  sample[0] = bits;
  sample[1] = bits >> 8;
}

static void
fill_component (GstVideoFrame * frame, gint component, GRand * random)
{
  const guint depth = GST_VIDEO_FRAME_COMP_DEPTH (frame, component);
  const guint shift = frame->info.finfo->shift[component];
  guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, component);

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, component); y++) {
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (frame, component); x++) {
      guint8 *sample = data + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
          + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);

      write_sample (sample, depth, shift, draw_level (random, component, x, y),
          random);
    }
  }
}

GstBuffer *
harness_create_padded_frame (const Harness * self, guint seed,
    gint extra_stride)
{
  g_autoptr (GRand) random = test_random_new (seed);
  GstVideoInfo info = self->info;
  GstVideoFrame mapped;
  GstMapInfo map;

  if (extra_stride)
    widen_rows (&info, extra_stride);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_map (frame, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (random);
  gst_buffer_unmap (frame, &map);
  fail_unless (gst_video_frame_map (&mapped, &info, frame, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++)
    fill_component (&mapped, i, random);
  gst_video_frame_unmap (&mapped);
  /* Without meta glupload takes the padding of planes of odd height for
   * chroma. */
  if (extra_stride || (info.height % 2 && GST_VIDEO_INFO_N_PLANES (&info) > 1))
    gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_INFO_FORMAT (&info),
        info.width, info.height, GST_VIDEO_INFO_N_PLANES (&info), info.offset,
        info.stride);
  GST_BUFFER_PTS (frame) = 0;
  return frame;
}

GstBuffer *
harness_create_frame (const Harness * self, guint seed)
{
  return harness_create_padded_frame (self, seed, 0);
}

GstBuffer *
harness_create_nth_frame (const Harness * self, guint n)
{
  GstBuffer *frame = harness_create_frame (self, n);

  GST_BUFFER_PTS (frame) = n * FRAME_TIME;
  GST_BUFFER_DURATION (frame) = (FRAME_MS - n % 8) * GST_MSECOND;
  return frame;
}

void
harness_push_nth (Harness * self, guint n)
{
  harness_push (self, harness_create_nth_frame (self, n));
}

GstBuffer *
harness_pull_nth (Harness * self, guint n)
{
  GstBuffer *frame = gst_harness_try_pull (self->harness);

  fail_unless (frame != NULL, "frame %u is missing", n);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (frame), n * FRAME_TIME);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (frame),
      (FRAME_MS - n % 8) * GST_MSECOND);
  return frame;
}

void
harness_push (Harness * self, GstBuffer * frame)
{
  fail_unless_equals_int (gst_harness_push (self->harness, frame), GST_FLOW_OK);
}

GstBuffer *
harness_filter_frame (Harness * self, GstBuffer * frame)
{
  harness_push (self, frame);
  return gst_harness_pull (self->harness);
}

void
harness_push_event (Harness * self, GstEvent * event)
{
  fail_unless (gst_harness_push_event (self->harness, event));
}

void
harness_push_segment (Harness * self)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  harness_push_event (self, gst_event_new_segment (&segment));
}

void
harness_flush (Harness * self)
{
  harness_push_event (self, gst_event_new_flush_start ());
  harness_push_event (self, gst_event_new_flush_stop (TRUE));
  harness_push_segment (self);
}

void
harness_end (Harness * self)
{
  harness_push_event (self, gst_event_new_eos ());
}

/* Appends the first @size bytes of each pixel of a component. A frame may be
 * larger than the picture in it, whose size is that of @info. */
static void
append_component (GByteArray * bytes, const GstVideoInfo * info,
    const GstVideoFrame * frame, guint component, guint size)
{
  for (gint y = 0; y < GST_VIDEO_INFO_COMP_HEIGHT (info, component); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame,
        component) + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component);

    for (gint x = 0; x < GST_VIDEO_INFO_COMP_WIDTH (info, component); x++)
      g_byte_array_append (bytes,
          row + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component), size);
  }
}

GBytes *
harness_get_samples (const Harness * self, GstBuffer * frame)
{
  GByteArray *bytes = g_byte_array_new ();
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame, GST_MAP_READ));
  for (guint n = 0; n < GST_VIDEO_FRAME_N_COMPONENTS (&mapped); n++)
    append_component (bytes, &self->info, &mapped, n,
        GST_VIDEO_FRAME_COMP_DEPTH (&mapped, n) > 8 ? 2 : 1);
  gst_video_frame_unmap (&mapped);
  return g_byte_array_free_to_bytes (bytes);
}

GBytes *
harness_get_bytes (const Harness * self, GstBuffer * frame)
{
  GByteArray *bytes = g_byte_array_new ();
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame, GST_MAP_READ));
  append_component (bytes, &self->info, &mapped, 0, 4);
  gst_video_frame_unmap (&mapped);
  return g_byte_array_free_to_bytes (bytes);
}

GBytes *
harness_get_input (const Harness * self, guint seed)
{
  g_autoptr (GstBuffer) frame = harness_create_frame (self, seed);

  return harness_get_samples (self, frame);
}

GBytes *
harness_filter (Harness * self, guint seed)
{
  g_autoptr (GstBuffer) frame =
      harness_filter_frame (self, harness_create_frame (self, seed));

  return harness_get_samples (self, frame);
}

GBytes *
harness_pull_samples (Harness * self, guint n)
{
  g_autoptr (GstBuffer) frame = harness_pull_nth (self, n);

  return harness_get_samples (self, frame);
}

void
assert_same_bytes (GBytes * found, GBytes * wanted, const gchar * what, ...)
{
  va_list arguments;

  va_start (arguments, what);
  g_autofree gchar *text = g_strdup_vprintf (what, arguments);
  va_end (arguments);
  fail_unless (g_bytes_equal (found, wanted), "%s", text);
}

/* GStreamer takes types apart in place. */
void
harness_set_array (Harness * self, const gchar * property, const gchar * text)
{
  g_autofree gchar *copy = g_strdup (text);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_ARRAY);
  fail_unless (gst_value_deserialize (&value, copy), "%s", text);
  g_object_set_property (G_OBJECT (self->filter), property, &value);
  g_value_unset (&value);
}

void
harness_set (Harness * self, const gchar * property, const gchar * text)
{
  gst_util_set_object_arg (G_OBJECT (self->filter), property, text);
}

static GError *
pop_message (Harness * self, GstMessageType type)
{
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (self->bus, type);
  GError *error = NULL;

  if (message && type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else if (message)
    gst_message_parse_warning (message, &error, NULL);
  return error;
}

static void
assert_message (const GError * error, const gchar * words)
{
  g_auto (GStrv) parts = g_strsplit (words, "|", -1);

  for (guint i = 0; parts[i]; i++) {
    const gboolean unwanted = parts[i][0] == '!';

    fail_unless ((strstr (error->message, parts[i] + unwanted) == NULL)
        == unwanted, "\"%s\": \"%s\"", parts[i], error->message);
  }
}

void
harness_assert_error (Harness * self, gint code, const gchar * words)
{
  g_autoptr (GError) error = pop_message (self, GST_MESSAGE_ERROR);

  g_assert_nonnull (error);
  if (code >= 0)
    g_assert_error (error, GST_RESOURCE_ERROR, code);
  assert_message (error, words);
}

void
harness_assert_warning (Harness * self, const gchar * words)
{
  g_autoptr (GError) warning = harness_pop_warning (self);

  g_assert_error (warning, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
  assert_message (warning, words);
}

GError *
harness_pop_warning (Harness * self)
{
  return pop_message (self, GST_MESSAGE_WARNING);
}

void
harness_assert_quiet (Harness * self)
{
  g_autoptr (GError) warning = harness_pop_warning (self);
  g_autoptr (GError) error = pop_message (self, GST_MESSAGE_ERROR);

  g_assert_no_error (warning);
  g_assert_no_error (error);
}

/* Elements */

gchar *
element_get_value (GstElement * element, const gchar * property)
{
  GValue value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (element), property, &value);
  gchar *text = gst_value_serialize (&value);
  g_value_unset (&value);
  return text;
}

void
element_assert_value (GstElement * element, const gchar * property,
    const gchar * wanted)
{
  g_autofree gchar *value = element_get_value (element, property);

  fail_unless_equals_string (value, wanted);
}

void
element_assert_text (GstElement * element, const gchar * property,
    const gchar * wanted)
{
  g_autofree gchar *text = NULL;

  g_object_get (element, property, &text, NULL);
  fail_unless_equals_string (text, wanted);
}

guint64
element_get_stat (GstElement * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  return structure_get_time (stats, name);
}

void
element_assert_variant (GstElement * element, const gchar * prefix)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  const gchar *name = gst_structure_get_string (stats, "variant");
  fail_unless (name && g_str_has_prefix (name, prefix), "%s, not %s", name,
      prefix);
}

void
object_animate (gpointer object, const gchar * property, gdouble slope)
{
  g_autoptr (GstControlSource) source =
      gst_object_ref_sink (gst_interpolation_control_source_new ());
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (values, 0, 0.0);
  gst_timed_value_control_source_set (values, 10 * GST_SECOND, 10.0 * slope);
  fail_unless (gst_object_add_control_binding (object,
          gst_direct_control_binding_new_absolute (object, property, source)));
}

/* Pipelines */

GstElement *
pipeline_new (const gchar * line, ...)
{
  GError *error = NULL;
  va_list arguments;

  va_start (arguments, line);
  g_autofree gchar *text = g_strdup_vprintf (line, arguments);
  va_end (arguments);
  g_auto (GStrv) parts = g_strsplit (text, "INTEROP", -1);
  g_autofree gchar *description = g_strjoinv (harness_get_interop (), parts);
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  return gst_object_ref_sink (pipeline);
}

GstElement *
pipeline_new_filter (const gchar * fields, const gchar * element, ...)
{
  va_list arguments;

  va_start (arguments, element);
  g_autofree gchar *text = g_strdup_vprintf (element, arguments);
  va_end (arguments);
  const gsize n = strcspn (text, " ");
  return pipeline_new ("videotestsrc name=source num-buffers=2 "
      "! video/x-raw,%s ! glupload ! %.*s name=filter qos=false "
      "interop=INTEROP %s ! gldownload ! fakesink", fields, (int) n, text,
      text + n);
}

GstElement *
pipeline_get (GstElement * pipeline, const gchar * element)
{
  return gst_bin_get_by_name (GST_BIN (pipeline), element);
}

void
element_add_probe (GstElement * element, const gchar * pad,
    GstPadProbeType type, GstPadProbeCallback callback, gpointer data)
{
  g_autoptr (GstPad) found = gst_element_get_static_pad (element, pad);

  gst_pad_add_probe (found, type, callback, data, NULL);
}

void
pipeline_add_probe (GstElement * pipeline, const gchar * element,
    const gchar * pad, GstPadProbeType type, GstPadProbeCallback callback,
    gpointer data)
{
  g_autoptr (GstElement) found = pipeline_get (pipeline, element);

  element_add_probe (found, pad, type, callback, data);
}

/* The load may change meanwhile. */
GstMessage *
bus_wait (GstBus * bus, GstMessageType types)
{
  GstMessage *message = NULL;

  for (guint i = 0; i < 120 && !message; i++)
    message = gst_bus_timed_pop_filtered (bus, harness_scale (GST_SECOND),
        types);
  return message;
}

void
pipeline_wait_for (GstElement * pipeline, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = bus_wait (bus, type | GST_MESSAGE_ERROR);

  fail_unless (message != NULL, "timeout");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;
    gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fail ("%s: %s", error->message, debug);
  }
}

void
pipeline_pause (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          harness_scale (100 * GST_SECOND)), GST_STATE_CHANGE_SUCCESS);
}

void
pipeline_play_to_end (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
}

void
pipeline_stop (GstElement * pipeline)
{
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}

GError *
pipeline_play (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  GError *error = NULL;
  guint n_errors = 0;
  gboolean from_filter = TRUE;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstMessage) message =
      bus_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    from_filter = GST_MESSAGE_SRC (message) == GST_OBJECT (filter);
    gst_message_parse_error (message, &error, NULL);
    /* Time for a second frame to fail as well. */
    g_usleep (2000);
  }
  GstMessage *further;
  while ((further = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))) {
    n_errors += GST_MESSAGE_SRC (further) == GST_OBJECT (filter);
    gst_message_unref (further);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);

  fail_unless (message != NULL, "neither an error nor the end");
  fail_unless (from_filter, "the first error is not the filter's");
  fail_unless (n_errors == 0, "the filter posted a second error");
  return error;
}

void
pipeline_play_well (GstElement * pipeline)
{
  GError *error = pipeline_play (pipeline);

  g_assert_no_error (error);
}

void
pipeline_play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * words)
{
  const GstClockTime second = harness_scale (GST_SECOND);
  const GstClockTime start = gst_util_get_timestamp ();
  g_autoptr (GError) error = pipeline_play (pipeline);

  fail_unless (gst_util_get_timestamp () - start
      < HARNESS_SLOWNESS * MAX (second, harness_scale (GST_SECOND)));
  g_assert_error (error, domain, code);
  assert_message (error, words);
}

typedef struct
{
  guint first, last, n;
  guint calls[2][MAX_FUNCTIONS];
} Census;

static GstPadProbeReturn
take_census (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  Census *census = data;
  const guint n = census->n++;
  const gchar *function;

  if (n != census->first && n != census->last)
    return GST_PAD_PROBE_OK;
  for (guint i = 0; i < MAX_FUNCTIONS
      && (function = layer.function_name (i)); i++)
    census->calls[n == census->last][i] = layer.calls (function);
  return GST_PAD_PROBE_OK;
}

void
pipeline_count_calls (GstElement * pipeline, guint first, guint last,
    guint calls[MAX_FUNCTIONS])
{
  Census census = {.first = first,.last = last };

  pipeline_add_probe (pipeline, "filter", "src", GST_PAD_PROBE_TYPE_BUFFER,
      take_census, &census);
  pipeline_play_well (pipeline);
  fail_unless (census.n > last);
  for (guint i = 0; i < MAX_FUNCTIONS; i++)
    calls[i] = census.calls[1][i] - census.calls[0][i];
}

/* Histograms */

GstMessage *
bus_pop_histogram (GstBus * bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, HISTOGRAM_MESSAGE))
      return message;
    gst_message_unref (message);
  }
  return NULL;
}

guint
bus_drop_histograms (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = bus_pop_histogram (bus))) {
    gst_message_unref (message);
    n++;
  }
  return n;
}

guint64
structure_get_time (const GstStructure * structure, const gchar * field)
{
  guint64 time = 0;

  fail_unless (gst_structure_get_uint64 (structure, field, &time), "%s", field);
  return time;
}

const GstStructure *
buffer_find_histogram (GstBuffer * frame, const gchar * element)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (frame, &state))) {
    if (!gst_meta_info_is_custom (meta->info)
        || !gst_custom_meta_has_name ((GstCustomMeta *) meta, META_NAME))
      continue;
    const GstStructure *structure =
        gst_custom_meta_get_structure ((GstCustomMeta *) meta);
    if (!element || g_strcmp0 (element,
            gst_structure_get_string (structure, "element")) == 0)
      return structure;
  }
  return NULL;
}
