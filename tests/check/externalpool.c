/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests interop=external-memory between GL elements that use its pools: no
 * frame is copied, and the output is that of host-copy. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "player.h"

#define SIZE "width=64,height=48"
#define N_FRAMES 6

#define GL_SOURCE "gltestsrc num-buffers=6 pattern=checkers-4 " \
    "! video/x-raw(memory:GLMemory),format=RGBA," SIZE " "
#define HOST_SOURCE "videotestsrc num-buffers=6 ! video/x-raw,format=%s," SIZE \
    " ! glupload "
/* An element that draws from textures, or one that downloads them. */
#define SINK "! gleffects_identity name=sink ! fakesink sync=false"
#define DOWNLOAD "! gldownload name=sink ! fakesink sync=false"

/* In place of GStreamer's: counts the copies, which are the only compute
 * shaders that there are. */

static gint n_copies;
static void (GSTGLAPI * dispatch) (guint x, guint y, guint z);

static void GSTGLAPI
count_and_dispatch (guint x, guint y, guint z)
{
  g_atomic_int_inc (&n_copies);
  dispatch (x, y, z);
}

gpointer
gst_gl_context_get_proc_address (GstGLContext * context, const gchar * name)
{
  gpointer (*next) (GstGLContext *, const gchar *) =
      dlsym (RTLD_NEXT, "gst_gl_context_get_proc_address");
  gpointer function = next (context, name);

  if (function == NULL || strcmp (name, "glDispatchCompute") != 0)
    return function;
  dispatch = function;
  return count_and_dispatch;
}

/* What comes out of a pipeline. */
typedef struct
{
  GChecksum *sums[N_FRAMES];
  gint copies[N_FRAMES];        /* that had been enqueued by then */
  guint n;
  GstBuffer *last;              /* owned */
} Frames;

static void
add_bytes (GChecksum * sum, GstBuffer * buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMapInfo map;

    fail_unless (gst_is_gl_memory (gst_buffer_peek_memory (buffer, i)));
    fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, i), &map,
            GST_MAP_READ));
    g_checksum_update (sum, map.data, map.size);
    gst_memory_unmap (gst_buffer_peek_memory (buffer, i), &map);
  }
}

static GstPadProbeReturn
take_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Frames *frames = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  (void) pad;
  g_assert_cmpuint (frames->n, <, N_FRAMES);
  frames->copies[frames->n] = g_atomic_int_get (&n_copies);
  frames->sums[frames->n] = g_checksum_new (G_CHECKSUM_MD5);
  add_bytes (frames->sums[frames->n++], buffer);
  gst_buffer_replace (&frames->last, buffer);
  return GST_PAD_PROBE_OK;
}

/* INTEROP in @rest stands for @interop. */
static GstElement *
launch (const gchar * source, const gchar * rest, const gchar * interop)
{
  gchar **parts = g_strsplit (rest, "INTEROP", -1);
  g_autofree gchar *filters = g_strjoinv (interop, parts);
  g_autofree gchar *description = g_strconcat (source, filters, NULL);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  g_strfreev (parts);
  return pipeline;
}

/* Returns the sink pad of the element @name. The caller unrefs it. */
static GstPad *
get_sink_pad (GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline),
      name);

  return gst_element_get_static_pad (element, "sink");
}

/* Takes what comes to the element "sink". */
static void
take_frames (Frames * frames, GstElement * pipeline)
{
  g_autoptr (GstPad) pad = get_sink_pad (pipeline, "sink");

  memset (frames, 0, sizeof (*frames));
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, take_frame, frames, NULL);
}

/* Plays to the end. */
static void
play (Frames * frames, const gchar * source, const gchar * rest,
    const gchar * interop)
{
  GstElement *pipeline = launch (source, rest, interop);

  take_frames (frames, pipeline);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
  fail_unless_equals_int (frames->n, N_FRAMES);
}

static void
frames_clear (Frames * frames)
{
  for (guint i = 0; i < frames->n; i++)
    g_checksum_free (frames->sums[i]);
  gst_clear_buffer (&frames->last);
}

static void
assert_same_frames (const Frames * actual, const Frames * expected)
{
  for (guint i = 0; i < N_FRAMES; i++)
    fail_unless_equals_string (g_checksum_get_string (actual->sums[i]),
        g_checksum_get_string (expected->sums[i]));
}

/* Plays with external-memory: what comes out is what host-copy gives. Returns
 * the copies that each frame took after the first, which has to be the same for
 * all. */
static gint
count_copies (const gchar * source, const gchar * rest)
{
  Frames expected, actual;

  play (&expected, source, rest, "host-copy");
  play (&actual, source, rest, "external-memory");
  const gint copies = actual.copies[1] - actual.copies[0];
  assert_same_frames (&actual, &expected);
  for (guint i = 1; i < N_FRAMES; i++)
    fail_unless_equals_int (actual.copies[i] - actual.copies[i - 1], copies);
  frames_clear (&expected);
  frames_clear (&actual);
  fail_unless_equals_int (player_count_objects (), 0);
  return copies;
}

#define FILTER "! glopenclfilter name=filter qos=false radius=2 " \
    "spatial-sigma=1 pipeline-depth=0 interop=INTEROP "

/* Upstream draws into textures that OpenCL has, and downstream gets such. */
GST_START_TEST (test_no_copy)
{
  guint files = 0;

  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (count_copies (GL_SOURCE, FILTER SINK), 0);
    /* Drivers open some files once. */
    if (i == 0)
      files = player_count_files ();
    fail_unless (player_count_files () <= files);
  }
  fail_unless (g_atomic_int_get (&n_copies) > 0);       /* by trials */
}

GST_END_TEST;

/* Elements in a row have the same textures. */
GST_START_TEST (test_no_copy_in_a_row)
{
  fail_unless_equals_int (count_copies (GL_SOURCE, FILTER
          "! glopenclsharpen interop=INTEROP pipeline-depth=0 "
          "! glopenclgradient interop=INTEROP pipeline-depth=0 " SINK), 0);
}

GST_END_TEST;

/* What GL elements in between draw into, and draw from, as well. */
GST_START_TEST (test_no_copy_between_filters)
{
  fail_unless_equals_int (count_copies (GL_SOURCE "! gleffects_mirror ", FILTER
          "! gleffects_sepia " SINK), 0);
}

GST_END_TEST;

/* Drivers take long to download imported memory. */
GST_START_TEST (test_download)
{
  fail_unless_equals_int (count_copies (GL_SOURCE, FILTER DOWNLOAD), 1);
}

GST_END_TEST;

/* What others made is copied, once each way that needs it, plane by plane. */
GST_START_TEST (test_copies)
{
  g_autofree gchar *rgba = g_strdup_printf (HOST_SOURCE, "RGBA");
  g_autofree gchar *planar = g_strdup_printf (HOST_SOURCE, "I420");
  g_autofree gchar *grey = g_strdup_printf (HOST_SOURCE, "GRAY8");

  fail_unless_equals_int (count_copies (rgba, FILTER SINK), 1);
  fail_unless_equals_int (count_copies (rgba, FILTER DOWNLOAD), 2);
  fail_unless_equals_int (count_copies (planar, FILTER DOWNLOAD), 6);
  fail_unless_equals_int (count_copies (grey, FILTER DOWNLOAD), 2);
}

GST_END_TEST;

/* A frame that is filtered in place is read where it is, and written to a
 * texture of the element's own. */
GST_START_TEST (test_in_place)
{
  fail_unless_equals_int (count_copies (GL_SOURCE,
          FILTER "in-place=true " SINK), 1);
}

GST_END_TEST;

/* Frames that are held back. */
static void
check_held_back (const gchar * source)
{
  Frames expected, actual;
  const gchar *rest = "! glopenclfilter name=filter qos=false radius=2 "
      "pipeline-depth=4 interop=INTEROP " SINK;

  play (&expected, source, rest, "host-copy");
  const gint before = g_atomic_int_get (&n_copies);
  play (&actual, source, rest, "external-memory");
  /* The trial of RGBA, there and back. */
  fail_unless_equals_int (actual.copies[N_FRAMES - 1] - before, 2);
  assert_same_frames (&actual, &expected);
  frames_clear (&expected);
  frames_clear (&actual);
  fail_unless_equals_int (player_count_objects (), 0);
}

GST_START_TEST (test_held_back)
{
  check_held_back (GL_SOURCE);
}

GST_END_TEST;

/* The same texture is taken once for several frames. */
GST_START_TEST (test_repeated)
{
  check_held_back ("gltestsrc num-buffers=3 pattern=checkers-4 "
      "! video/x-raw(memory:GLMemory),format=RGBA," SIZE ",framerate=5/1 "
      "! videorate ! video/x-raw(memory:GLMemory),framerate=15/1 ");
}

GST_END_TEST;

/* Wraps the texture of a frame, as an element does that got it from a
 * library. */
static GstPadProbeReturn
wrap_texture (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER (info);
  GstGLMemory *texture = GST_GL_MEMORY_CAST (gst_buffer_peek_memory (frame, 0));
  GstGLContext *context = texture->mem.context;
  GstGLAllocationParams *params = (GstGLAllocationParams *)
      gst_gl_video_allocation_params_new_wrapped_texture (context, NULL,
      &texture->info, 0, NULL, texture->tex_target, texture->tex_format,
      texture->tex_id, frame, (GDestroyNotify) gst_buffer_unref);
  g_autoptr (GstGLMemoryAllocator) allocator =
      gst_gl_memory_allocator_get_default (context);
  GstBuffer *wrapped = gst_buffer_new ();

  (void) pad;
  (void) data;
  gst_buffer_copy_into (wrapped, frame, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_append_memory (wrapped, GST_MEMORY_CAST (gst_gl_base_memory_alloc
          (GST_GL_BASE_MEMORY_ALLOCATOR (allocator), params)));
  gst_gl_allocation_params_free (params);
  GST_PAD_PROBE_INFO_DATA (info) = wrapped;
  return GST_PAD_PROBE_OK;
}

/* Others may have made a texture in any way: it is refused, with what to do. */
GST_START_TEST (test_foreign)
{
  GstElement *pipeline = launch (GL_SOURCE, FILTER SINK, "external-memory");
  g_autoptr (GstPad) pad = get_sink_pad (pipeline, "filter");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, wrap_texture, NULL, NULL);
  g_autoptr (GError) error = player_play (pipeline);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
  fail_unless (strstr (error->message, "cannot be copied on the GPU. Set "
          "interop=auto or host-copy") != NULL);
  gst_object_unref (pipeline);
  fail_unless_equals_int (player_count_objects (), 0);
}

GST_END_TEST;

/* A frame that outlives its pipeline can be read, and holds what it needs. */
GST_START_TEST (test_outlives)
{
  g_autoptr (GChecksum) again = g_checksum_new (G_CHECKSUM_MD5);
  Frames frames;

  play (&frames, GL_SOURCE, FILTER SINK, "external-memory");
  fail_unless (player_count_objects () > 0 || !layer.live_objects);
  add_bytes (again, frames.last);
  fail_unless_equals_string (g_checksum_get_string (again),
      g_checksum_get_string (frames.sums[N_FRAMES - 1]));
  frames_clear (&frames);
  fail_unless_equals_int (player_count_objects (), 0);
}

GST_END_TEST;

/* Where a texture cannot be had for a pool, frames in it are copied. */
GST_START_TEST (test_failing)
{
  Frames expected;

  play (&expected, GL_SOURCE, FILTER SINK, "host-copy");
  /* The first two are trials'. */
  for (guint nth = 3; nth <= 4; nth++) {
    Frames actual;

    layer.set_fault ("clCreateImageWithProperties", nth, -5);
    play (&actual, GL_SOURCE, FILTER SINK, "external-memory");
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    assert_same_frames (&actual, &expected);
    frames_clear (&actual);
    fail_unless_equals_int (player_count_objects (), 0);
  }
  frames_clear (&expected);
}

GST_END_TEST;

static const gchar *const commands[] = {
  "clEnqueueAcquireExternalMemObjectsKHR",
  "clEnqueueReleaseExternalMemObjectsKHR",
};

/* A command that fails leaves no object and no file. */
GST_START_TEST (test_failing_commands)
{
  GstElement *pipeline = launch (GL_SOURCE, FILTER
      "! tee name=tee ! queue " SINK " tee. ! queue "
      "! glopenclgradient interop=INTEROP pipeline-depth=0 "
      "! fakesink sync=false", "external-memory");
  guint files = 0;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    for (guint nth = 3; nth <= 6; nth++) {
      player_play_well (pipeline);
      if (files == 0)
        files = player_count_files ();
      layer.set_fault (commands[i], nth, -5);
      GstBus *bus = gst_element_get_bus (pipeline);
      gst_element_set_state (pipeline, GST_STATE_PLAYING);
      GstMessage *message =
          filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
      fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
      gst_message_unref (message);
      gst_object_unref (bus);
      gst_element_set_state (pipeline, GST_STATE_NULL);
      fail_unless (layer.fault_hit ());
      layer.set_fault ("*", 0, 0);
      fail_unless_equals_int (player_count_objects (), 0);
      fail_unless (player_count_files () <= files);
    }
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Gives the filter the second frame twice. The first time @command fails. */
static GstPadProbeReturn
fail_once (GstPad * pad, GstPadProbeInfo * info, gpointer command)
{
  GstBuffer *frame = GST_PAD_PROBE_INFO_BUFFER (info);
  g_autoptr (GstPad) sink = gst_pad_get_peer (pad);

  if (GST_BUFFER_PTS (frame) == 0)
    return GST_PAD_PROBE_OK;
  layer.set_fault (command, 1, -5);
  fail_unless_equals_int (gst_pad_chain (sink, gst_buffer_ref (frame)),
      GST_FLOW_ERROR);
  fail_unless (layer.fault_hit ());
  layer.set_fault ("*", 0, 0);
  return GST_PAD_PROBE_REMOVE;
}

static void
play_with_fault (Frames * frames, const gchar * command)
{
  GstElement *pipeline = launch (GL_SOURCE, FILTER SINK, "external-memory");
  g_autoptr (GstPad) sink = get_sink_pad (pipeline, "filter");
  g_autoptr (GstPad) before = gst_pad_get_peer (sink);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  take_frames (frames, pipeline);
  gst_pad_add_probe (before, GST_PAD_PROBE_TYPE_BUFFER, fail_once,
      (gpointer) command, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstMessage) end = filter_harness_wait (bus, GST_MESSAGE_EOS);
  fail_unless (end != NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* After a command that failed a texture may be OpenCL's still: nobody gives it
 * to OpenCL again, and the frame in it is copied. */
GST_START_TEST (test_lost_textures)
{
  Frames expected;

  play (&expected, GL_SOURCE, FILTER SINK, "host-copy");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    Frames actual;

    play_with_fault (&actual, commands[i]);
    fail_unless_equals_int (actual.n, N_FRAMES);
    fail_unless (actual.copies[1] - actual.copies[0] > 0);
    assert_same_frames (&actual, &expected);
    frames_clear (&actual);
    fail_unless_equals_int (player_count_objects (), 0);
  }
  frames_clear (&expected);
}

GST_END_TEST;

static Suite *
external_pool_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-external-pool");
  TCase *tests = tcase_create ("external-pool");

  player_open_layer ();
  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_no_copy);
  tcase_add_test (tests, test_no_copy_in_a_row);
  tcase_add_test (tests, test_no_copy_between_filters);
  tcase_add_test (tests, test_download);
  tcase_add_test (tests, test_copies);
  tcase_add_test (tests, test_in_place);
  tcase_add_test (tests, test_held_back);
  tcase_add_test (tests, test_repeated);
  tcase_add_test (tests, test_foreign);
  tcase_add_test (tests, test_outlives);
  /* A driver does not fail when it is asked to. */
  if (layer.set_fault) {
    tcase_add_test (tests, test_failing);
    tcase_add_test (tests, test_failing_commands);
    tcase_add_test (tests, test_lost_textures);
  }
  return suite;
}

FILTER_HARNESS_MAIN (external_pool);
