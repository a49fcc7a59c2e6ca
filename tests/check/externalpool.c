/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests interop=external-memory between GL elements that use its pools: no
 * frame is copied, and the output is that of host-copy. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "elementharness.h"

#define SIZE "width=64,height=48"
#define N_FRAMES 6

#define GL_SOURCE "gltestsrc num-buffers=6 pattern=checkers-4 " \
    "! video/x-raw(memory:GLMemory),format=RGBA," SIZE " "
#define HOST_SOURCE(format) "videotestsrc num-buffers=6 ! video/x-raw,format=" \
    format "," SIZE " ! glupload "
#define FILTER "! glopenclfilter name=filter qos=false radius=2 " \
    "spatial-sigma=1 pipeline-depth=0 interop=%1$s "
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

/* The output of a pipeline. */
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
take_frame (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Frames *frames = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  g_assert_cmpuint (frames->n, <, N_FRAMES);
  frames->copies[frames->n] = g_atomic_int_get (&n_copies);
  frames->sums[frames->n] = g_checksum_new (G_CHECKSUM_MD5);
  add_bytes (frames->sums[frames->n++], buffer);
  gst_buffer_replace (&frames->last, buffer);
  return GST_PAD_PROBE_OK;
}

/* %1$s in @line stands for @interop. Collects the input of the element
 * "sink". */
static GstElement *
launch (Frames * frames, const gchar * line, const gchar * interop)
{
  g_auto (GStrv) parts = g_strsplit (line, "%1$s", -1);
  g_autofree gchar *description = g_strjoinv (interop, parts);
  GstElement *pipeline = pipeline_new ("%s", description);

  memset (frames, 0, sizeof (*frames));
  pipeline_add_probe (pipeline, "sink", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      take_frame, frames);
  return pipeline;
}

/* Plays to the end. */
static void
play (Frames * frames, const gchar * line, const gchar * interop)
{
  g_autoptr (GstElement) pipeline = launch (frames, line, interop);

  pipeline_play_well (pipeline);
  fail_unless_equals_int (frames->n, N_FRAMES);
}

static void
frames_clear (Frames * frames)
{
  for (guint i = 0; i < frames->n; i++)
    g_checksum_free (frames->sums[i]);
  gst_clear_buffer (&frames->last);
  fail_unless_equals_int (count_objects (), 0);
}

/* Asserts that frames are those that host-copy gives, and frees them. */
static void
check_frames (Frames * actual, const gchar * line)
{
  Frames expected;

  play (&expected, line, "host-copy");
  for (guint i = 0; i < N_FRAMES; i++)
    fail_unless_equals_string (g_checksum_get_string (actual->sums[i]),
        g_checksum_get_string (expected.sums[i]));
  frames_clear (actual);
  frames_clear (&expected);
}

/* The copies that each frame takes after the first. */
static const struct
{
  const gchar *line;
  gint copies;
} copied[] = {
  /* Upstream draws into textures that OpenCL has, and downstream gets such: in
   * a row, too, and with GL elements in between. */
  {GL_SOURCE FILTER SINK, 0},
  {GL_SOURCE FILTER "! glopenclsharpen interop=%1$s pipeline-depth=0 "
        "! glopenclgradient interop=%1$s pipeline-depth=0 " SINK, 0},
  {GL_SOURCE "! gleffects_mirror " FILTER "! gleffects_sepia " SINK, 0},
  /* Drivers take long to download imported memory. */
  {GL_SOURCE FILTER DOWNLOAD, 1},
  /* A frame that is filtered in place is read where it is, and written to
   * another texture. */
  {GL_SOURCE FILTER "in-place=true " SINK, 1},
  /* Textures of other elements are copied, once in each direction if necessary,
   * plane by plane. */
  {HOST_SOURCE ("RGBA") FILTER SINK, 1},
  {HOST_SOURCE ("RGBA") FILTER DOWNLOAD, 2},
  {HOST_SOURCE ("I420") FILTER DOWNLOAD, 6},
  {HOST_SOURCE ("GRAY8") FILTER DOWNLOAD, 2},
};

TEST_LOOP (test_copies, G_N_ELEMENTS (copied))
{
  Frames actual;

  play (&actual, copied[__i__].line, "external-memory");
  for (guint i = 1; i < N_FRAMES; i++)
    fail_unless_equals_int (actual.copies[i] - actual.copies[i - 1],
        copied[__i__].copies);
  check_frames (&actual, copied[__i__].line);
  fail_unless (g_atomic_int_get (&n_copies) > 0);       /* by trials */
}

/* Nothing stays open. Drivers open some files once. */
TEST (test_files)
{
  guint files = 0;

  for (guint i = 0; i < 3; i++) {
    Frames actual;

    play (&actual, GL_SOURCE FILTER SINK, "external-memory");
    frames_clear (&actual);
    if (i == 0)
      files = count_files ();
    fail_unless (count_files () <= files);
  }
}

/* Frames that are held back: also where the same texture is taken once for
 * several of them. */
#define HELD "! glopenclfilter name=filter qos=false radius=2 " \
    "pipeline-depth=4 interop=%1$s " SINK

TEST_LOOP (test_held_back, 2)
{
  static const gchar *const lines[] = {
    GL_SOURCE HELD,
    "gltestsrc num-buffers=3 pattern=checkers-4 "
        "! video/x-raw(memory:GLMemory),format=RGBA," SIZE ",framerate=5/1 "
        "! videorate ! video/x-raw(memory:GLMemory),framerate=15/1 " HELD,
  };
  const gint before = g_atomic_int_get (&n_copies);
  Frames actual;

  play (&actual, lines[__i__], "external-memory");
  /* The trial of RGBA, there and back. */
  fail_unless_equals_int (actual.copies[N_FRAMES - 1] - before, 2);
  check_frames (&actual, lines[__i__]);
}

/* Wraps the texture of a frame, as an element does that got it from a
 * library. */
static GstPadProbeReturn
wrap_texture (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info,
    G_GNUC_UNUSED gpointer data)
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

  gst_buffer_copy_into (wrapped, frame, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_append_memory (wrapped, GST_MEMORY_CAST (gst_gl_base_memory_alloc
          (GST_GL_BASE_MEMORY_ALLOCATOR (allocator), params)));
  gst_gl_allocation_params_free (params);
  GST_PAD_PROBE_INFO_DATA (info) = wrapped;
  return GST_PAD_PROBE_OK;
}

#define PLAIN GL_SOURCE FILTER SINK

/* Textures of other elements may have any layout. They are refused, with a
 * remedy. */
TEST (test_foreign)
{
  Frames frames;
  g_autoptr (GstElement) pipeline = launch (&frames, PLAIN, "external-memory");

  pipeline_add_probe (pipeline, "filter", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      wrap_texture, NULL);
  pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS,
      "cannot be copied on the GPU. Set interop=auto or host-copy");
  frames_clear (&frames);
}

/* A frame that outlives its pipeline is readable, and holds its resources. */
TEST (test_outlives)
{
  g_autoptr (GChecksum) again = g_checksum_new (G_CHECKSUM_MD5);
  Frames frames;

  play (&frames, PLAIN, "external-memory");
  fail_unless (!layer.live_objects || count_objects () > 0);
  add_bytes (again, frames.last);
  fail_unless_equals_string (g_checksum_get_string (again),
      g_checksum_get_string (frames.sums[N_FRAMES - 1]));
  frames_clear (&frames);
}

/* The cases from here on need the layer, which cannot be between the plugin and
 * a driver that shares by itself. */

/* Where a texture cannot be had for a pool, frames in it are copied. */
TEST (test_failing)
{
  if (!layer.set_fault)
    return;
  /* The first two are trials'. */
  for (guint nth = 3; nth <= 4; nth++) {
    Frames actual;

    layer.set_fault ("clCreateImageWithProperties", nth, -5);
    play (&actual, PLAIN, "external-memory");
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    check_frames (&actual, PLAIN);
  }
}

static const gchar *const commands[] = {
  "clEnqueueAcquireExternalMemObjectsKHR",
  "clEnqueueReleaseExternalMemObjectsKHR",
};

/* A command that fails leaves no object and no file. */
TEST (test_failing_commands)
{
  if (!layer.set_fault)
    return;
  g_autoptr (GstElement) pipeline = pipeline_new (GL_SOURCE "! glopenclfilter "
      "qos=false radius=2 pipeline-depth=0 interop=INTEROP ! tee name=tee "
      "! queue " SINK " tee. ! queue ! glopenclgradient interop=INTEROP "
      "pipeline-depth=0 ! fakesink sync=false");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  guint files = 0;

  for (guint i = 0; i < 8; i++) {
    pipeline_play_to_end (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    if (files == 0)
      files = count_files ();
    layer.set_fault (commands[i / 4], 3 + i % 4, -5);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_autoptr (GstMessage) message =
        bus_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    fail_unless_equals_int (count_objects (), 0);
    fail_unless (count_files () <= files);
  }
}

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

/* After a command that failed a texture may be OpenCL's still: OpenCL does not
 * get it again, and the frame in it is copied. */
TEST_LOOP (test_lost_textures, G_N_ELEMENTS (commands))
{
  if (!layer.set_fault)
    return;
  Frames actual;
  g_autoptr (GstElement) pipeline = launch (&actual, PLAIN, "external-memory");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  g_autoptr (GstPad) sink = gst_element_get_static_pad (filter, "sink");
  g_autoptr (GstPad) before = gst_pad_get_peer (sink);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_pad_add_probe (before, GST_PAD_PROBE_TYPE_BUFFER, fail_once,
      (gpointer) commands[__i__], NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstMessage) end = bus_wait (bus, GST_MESSAGE_EOS);
  fail_unless (end != NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless_equals_int (actual.n, N_FRAMES);
  fail_unless (actual.copies[1] - actual.copies[0] > 0);
  check_frames (&actual, PLAIN);
}
