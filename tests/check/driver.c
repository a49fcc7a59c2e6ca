/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests which driver functions the element calls, and in which order. Needs the
 * test layer. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "player.h"

/* What takes textures from OpenGL, gives them back, and makes images of them,
 * in the way to test. */
static const gchar *
get_function (const gchar * sharing, const gchar * external)
{
  return g_str_equal (filter_harness_get_interop (), "external-memory")
      ? external : sharing;
}

#define ACQUIRE get_function ("clEnqueueAcquireGLObjects", \
    "clEnqueueAcquireExternalMemObjectsKHR")
#define RELEASE get_function ("clEnqueueReleaseGLObjects", \
    "clEnqueueReleaseExternalMemObjectsKHR")
#define IMPORT get_function ("clCreateFromGLTexture", \
    "clCreateImageWithProperties")

/* Trips to the GL thread, while they are counted, from other threads. */
static gboolean counts_trips;
static guint n_trips;

void
gst_gl_context_thread_add (GstGLContext * context,
    GstGLContextThreadFunc func, gpointer data)
{
  void (*real) (GstGLContext *, GstGLContextThreadFunc, gpointer) =
      dlsym (RTLD_NEXT, "gst_gl_context_thread_add");

  n_trips += counts_trips && gst_gl_context_get_current () != context;
  real (context, func, data);
}

/* Of which images drivers say that they are BGRA. */
typedef enum
{
  SAYS_BGRA_NEVER,
  SAYS_BGRA_ALWAYS,
  SAYS_BGRA_IN_TURN,
} SaysBGRA;

static SaysBGRA says_bgra;

CL_API_ENTRY cl_int CL_API_CALL
clGetImageInfo (cl_mem image, cl_image_info info, size_t size, void *value,
    size_t *size_returned)
{
  static gpointer loader;
  static guint n_asked = 0;

  /* The plugin has loaded it for itself. */
  if (!loader)
    loader = dlopen ("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  cl_int (*real) (cl_mem, cl_image_info, size_t, void *, size_t *) =
      dlsym (loader, "clGetImageInfo");
  cl_int status = real (image, info, size, value, size_returned);

  if (status == CL_SUCCESS && info == CL_IMAGE_FORMAT
      && (says_bgra == SAYS_BGRA_ALWAYS
          || (says_bgra == SAYS_BGRA_IN_TURN && n_asked++ % 2 == 0)))
    ((cl_image_format *) value)->image_channel_order = CL_BGRA;
  return status;
}

/* Decisions, see ocl_operation_get_plan(). */
static guint n_plans;

static void
count_plans (G_GNUC_UNUSED const gchar * domain,
    G_GNUC_UNUSED GLogLevelFlags level, const gchar * message,
    G_GNUC_UNUSED gpointer data)
{
  n_plans += g_str_has_prefix (message, "plan ");
}

/* Calls of functions that make something, up to two frames of a stream. */
typedef struct
{
  GstElement *filter;           /* not owned */
  gboolean animate;             /* the window, every frame */
  guint frames;
  guint calls[2][256];
  guint plans[2];
} Census;

#define CENSUS_FIRST 50
#define CENSUS_LAST 150

static GstPadProbeReturn
take_census (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Census *census = user_data;
  guint frame = census->frames++;
  const gchar *function;

  (void) pad;
  (void) info;
  if (census->animate)
    g_object_set (census->filter, "spatial-sigma", 0.7 + frame % 20 * 0.3,
        "intensity-sigma", 0.1 + frame % 7 * 0.1, NULL);
  if (frame != CENSUS_FIRST && frame != CENSUS_LAST)
    return GST_PAD_PROBE_OK;
  for (guint i = 0; (function = layer.function_name (i)); i++)
    census->calls[frame == CENSUS_LAST][i] = layer.calls (function);
  census->plans[frame == CENSUS_LAST] = n_plans;
  return GST_PAD_PROBE_OK;
}

/* Nothing is made or built for a frame, whatever is animated, but host-copy
 * describes mapped pointers, which change, to a device that works in host
 * memory: at most two buffers a frame that have no memory of their own. */
static void
check_steady_state (const gchar * settings, gboolean animate)
{
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=160 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=64,height=48 "
      "! glopenclfilter qos=false name=filter interop=%s %s ! fakesink",
      filter_harness_get_interop (), settings);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "src");
  gboolean wraps = g_strcmp0 (filter_harness_get_interop (), "host-copy") == 0
      && !g_getenv ("GLOPENCL_LAYER_DISCRETE");
  Census census = {.filter = filter,.animate = animate };
  const gchar *function;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, take_census, &census,
      NULL);
  player_play_well (pipeline);
  fail_unless_equals_int (census.frames, 160);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    guint made = census.calls[1][i] - census.calls[0][i];
    gboolean makes = g_str_has_prefix (function, "clCreate")
        || g_str_has_prefix (function, "clBuild");

    guint limit = wraps && g_str_equal (function, "clCreateBuffer")
        ? 2 * (CENSUS_LAST - CENSUS_FIRST) : 0;

    fail_unless (!makes || made <= limit, "%s: %u calls", function, made);
  }
  fail_unless (census.plans[0] > 0);
  /* A GPU's programs are built meanwhile, and each makes a decision due. */
  if (!animate && !g_getenv ("GLOPENCL_LAYER_TYPE"))
    fail_unless_equals_int (census.plans[1], census.plans[0]);
  gst_object_unref (pipeline);
}

static GstPadProbeReturn
begin_trips (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  guint *n_frames = data;

  /* The first frames make what the others use again. */
  counts_trips = ++*n_frames > 5;
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
end_trips (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    G_GNUC_UNUSED gpointer data)
{
  counts_trips = FALSE;
  return GST_PAD_PROBE_OK;
}

/* From where a frame comes in to where it goes out, the streaming thread waits
 * for the GL thread twice: to begin, and to unmap. */
GST_START_TEST (test_trips_to_the_gl_thread)
{
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=25 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=64,height=48 "
      "! glopenclfilter qos=false name=filter interop=%s pipeline-depth=0 "
      "! fakesink", filter_harness_get_interop ());
  GstElement *pipeline = gst_parse_launch (description, NULL);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) sink = gst_element_get_static_pad (filter, "sink");
  g_autoptr (GstPad) source = gst_element_get_static_pad (filter, "src");
  guint n_frames = 0;

  n_trips = 0;
  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, begin_trips, &n_frames,
      NULL);
  gst_pad_add_probe (source, GST_PAD_PROBE_TYPE_BUFFER, end_trips, NULL, NULL);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
  fail_unless_equals_int (n_frames, 25);
  fail_unless_equals_int (n_trips, 2 * 20);
}

GST_END_TEST;

static guint
count_builds (const gchar * filters)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=I420,width=64,height=48 ! glupload ! %s ! fakesink",
      filters);
  GstElement *pipeline = gst_parse_launch (description, NULL);

  layer.reset_counts ();
  player_play_well (pipeline);
  gst_object_unref (pipeline);
  return layer.calls ("clBuildProgram");
}

/* Two equal elements build what one does. */
GST_START_TEST (test_programs_are_shared)
{
  const guint n = count_builds ("glopenclfilter name=filter qos=false");

  fail_unless (n > 0);
  fail_unless_equals_int (count_builds ("glopenclfilter name=filter qos=false "
          "! glopenclfilter qos=false"), n);
}

GST_END_TEST;

static GstPadProbeReturn
say_bgra (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  says_bgra = GPOINTER_TO_UINT (data);
  return GST_PAD_PROBE_OK;
}

/* Two frames whose textures drivers say @says of, after the trial of one. */
static GstElement *
launch_other_order (const gchar * settings, SaysBGRA says)
{
  GstElement *pipeline = player_launch ("width=32,height=32", settings);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, say_bgra,
      GUINT_TO_POINTER (says), NULL);
  layer.reset_counts ();
  return pipeline;
}

/* Textures may have another order of bytes than the one that was tried. */
GST_START_TEST (test_order_of_bytes)
{
  GstElement *pipeline =
      launch_other_order ("interop=gl-sharing", SAYS_BGRA_ALWAYS);

  player_play_well (pipeline);
  /* The trial's, and each frame's. */
  fail_unless_equals_int (layer.calls ("clEnqueueAcquireGLObjects"), 3);
  says_bgra = SAYS_BGRA_NEVER;
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Where those of a frame differ, and bytes are copied, frames go through host
 * memory. */
GST_START_TEST (test_orders_of_bytes)
{
  static const gchar *const words[] = { "byte orders", "interop=auto",
    NULL
  };
  GstElement *pipeline = launch_other_order ("interop=auto", SAYS_BGRA_IN_TURN);

  player_play_well (pipeline);
  fail_unless_equals_int (layer.calls ("clEnqueueAcquireGLObjects"), 1);
  says_bgra = SAYS_BGRA_NEVER;
  gst_object_unref (pipeline);

  pipeline = launch_other_order ("interop=gl-sharing", SAYS_BGRA_IN_TURN);
  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      words);
  says_bgra = SAYS_BGRA_NEVER;
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_steady_state)
{
  check_steady_state ("", TRUE);
  check_steady_state ("color-mode=lab in-place=true pipeline-depth=2", FALSE);
  check_steady_state ("method=fast spatial-sigma=6", FALSE);
  check_steady_state ("histogram-emission=messages+meta "
      "histogram-overlay=true", FALSE);
}

GST_END_TEST;

#define MAX_ACQUIRES 64

/* How OpenGL's commands end before OpenCL acquires. */
static struct
{
  void (GSTGLAPI * finish) (void);
  gboolean finished[MAX_ACQUIRES];      /* before the n-th acquire */
} ordering;

static void GSTGLAPI
note_finish (void)
{
  const guint n = layer.calls (ACQUIRE);

  if (n < MAX_ACQUIRES)
    ordering.finished[n] = TRUE;
  ordering.finish ();
}

/* A GL context of ours, which the elements of @pipeline take, and whose Finish
 * is noted; unref it. */
static GstGLContext *
give_context (GstElement * pipeline)
{
  g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
  g_autoptr (GstContext) message =
      gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);
  GstGLContext *gl_context = NULL;

  fail_unless (gst_gl_display_create_context (display, NULL, &gl_context,
          NULL));
  fail_unless (gst_gl_display_add_context (display, gl_context));
  gst_context_set_gl_display (message, display);
  gst_element_set_context (pipeline, message);
  ordering.finish = gl_context->gl_vtable->Finish;
  gl_context->gl_vtable->Finish = note_finish;
  return gl_context;
}

/* How often a kind of texture is tried: with external-memory copied, too. */
static guint
get_n_trials (void)
{
  return g_str_equal (filter_harness_get_interop (), "external-memory") ? 2 : 1;
}

/* OpenCL acquires no texture that OpenGL may still be at work on: neither for
 * the trials nor for a frame. */
GST_START_TEST (test_gl_is_finished)
{
  GstElement *pipeline =
      player_launch_format ("I420", "width=32,height=32", "");
  GstGLContext *gl_context = give_context (pipeline);

  layer.reset_counts ();
  player_play_well (pipeline);
  const guint n_acquires = layer.calls (ACQUIRE);
  /* Trials of four bytes and of one, and two frames. */
  fail_unless_equals_int (n_acquires, 2 * get_n_trials () + 2);
  for (guint i = 0; i < n_acquires; i++)
    fail_unless (ordering.finished[i], "acquire %u", i);
  gst_object_unref (pipeline);
  gst_object_unref (gl_context);
}

GST_END_TEST;

static void
set_pixel_store (GstGLContext * gl_context, G_GNUC_UNUSED gpointer data)
{
  gl_context->gl_vtable->PixelStorei (GL_PACK_ROW_LENGTH, 1000);
  gl_context->gl_vtable->PixelStorei (GL_PACK_SKIP_ROWS, 3);
}

/* How somebody before has read pixels does not matter to the trials. */
GST_START_TEST (test_pixel_store)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=GRAY8,width=32,height=32 ! glupload "
      "! glopenclfilter qos=false name=filter interop=%s ! fakesink",
      filter_harness_get_interop ());
  GstElement *pipeline = gst_parse_launch (description, NULL);
  GstGLContext *gl_context = give_context (pipeline);

  gst_gl_context_thread_add (gl_context, set_pixel_store, NULL);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
  gst_object_unref (gl_context);
}

GST_END_TEST;

/* What a device wrote to the host's own memory is mapped before it is read. */
GST_START_TEST (test_wrapped_memory_is_mapped)
{
  GstElement *pipeline =
      player_launch_format ("I420", "width=32,height=32", "");

  layer.reset_counts ();
  player_play_well (pipeline);
  /* Three planes of two frames. */
  fail_unless_equals_int (layer.calls ("clEnqueueMapBuffer"), 6);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* OpenCL is asked which of its devices OpenGL runs on. */
GST_START_TEST (test_gl_device)
{
  static const gchar *const words[] = { "clGetGLContextInfoKHR",
    "CL_INVALID_DEVICE", NULL
  };
  GstElement *pipeline = player_launch ("width=32,height=32", "");

  layer.set_fault ("clGetGLContextInfoKHR", 1, -33);
  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  fail_unless (layer.fault_hit ());
  layer.set_fault ("*", 0, 0);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static void
assert_active (FilterHarness * h, const gchar * fields, const gchar * expected)
{
  filter_harness_set_fields (h, fields);
  gst_buffer_unref (filter_harness_run (h,
          filter_harness_create_frame (h, 1, 0)));

  g_autofree gchar *active = filter_harness_get_value (h, "active-interop");
  fail_unless_equals_string (active, expected);
}

/* A texture that cannot be borrowed while playing ends sharing for frames of
 * its format, and of no other. */
GST_START_TEST (test_fallback_of_a_format)
{
  FilterHarness h;

  filter_harness_init (&h, "interop=auto");
  assert_active (&h, "format=RGBA,width=32,height=16",
      filter_harness_get_interop ());
  /* CL_INVALID_GL_OBJECT */
  layer.set_lasting_fault (IMPORT, -60);
  assert_active (&h, "format=RGBA,width=48,height=16", "host-copy");
  layer.set_fault ("*", 0, 0);
  assert_active (&h, "format=RGBA,width=32,height=16", "host-copy");
  assert_active (&h, "format=I420,width=32,height=16",
      filter_harness_get_interop ());
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A still picture is one texture again and again. */
GST_START_TEST (test_same_texture)
{
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=1 "
      "! imagefreeze num-buffers=6 ! glopenclfilter name=filter interop=%s "
      "pipeline-depth=4 ! fakesink", filter_harness_get_interop ());
  GstElement *pipeline = gst_parse_launch (description, NULL);

  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static guint64
get_n_frames (GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstStructure *stats;
  guint64 frames = 0;

  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_free (stats);
  return frames;
}

/* Where one branch fails to give a texture back, another can take it still. */
GST_START_TEST (test_failure_of_a_branch)
{
  const gchar *interop = filter_harness_get_interop ();
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=1 "
      "! tee name=tee ! queue ! glopenclfilter name=one interop=%s "
      "! fakesink async=false tee. ! glopenclfilter name=other interop=%s "
      "! fakesink async=false", interop, interop);
  GstElement *pipeline = gst_parse_launch (description, NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  const GstClockTime end = gst_util_get_timestamp () + PLAYER_TIMEOUT;

  /* CL_OUT_OF_RESOURCES; the first release after those of trials */
  layer.set_fault (RELEASE, get_n_trials () + 1, -5);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = filter_harness_wait (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (layer.fault_hit ());
  while (get_n_frames (pipeline, "one") + get_n_frames (pipeline, "other") < 1
      && gst_util_get_timestamp () < end)
    g_usleep (1000);
  fail_unless_equals_uint64 (get_n_frames (pipeline, "one")
      + get_n_frames (pipeline, "other"), 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* How often textures are acquired for ten frames, without trials. */
static guint
count_acquires (const gchar * source, gint depth)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc name=source "
      "num-buffers=10 %s ! video/x-raw,format=RGBA,width=32,height=32,"
      "framerate=100/1 ! glupload ! glopenclfilter qos=false name=filter "
      "interop=%s pipeline-depth=%d ! gldownload ! fakesink", source,
      filter_harness_get_interop (), depth);
  GstElement *pipeline = gst_parse_launch (description, NULL);

  layer.reset_counts ();
  player_play_well (pipeline);
  gst_object_unref (pipeline);
  return layer.calls (ACQUIRE) - get_n_trials ();
}

/* Frames that are held back share an acquire and a release, unless they are
 * live. */
GST_START_TEST (test_frames_together)
{
  fail_unless_equals_int (count_acquires ("", 0), 10);
  fail_unless_equals_int (count_acquires ("", 4), 2);
  /* The last one is alone. */
  fail_unless_equals_int (count_acquires ("", 2), 4);
  fail_unless_equals_int (count_acquires ("is-live=true", 4), 10);
}

GST_END_TEST;

/* On a GPU two frames are held back where upstream is not live. */
GST_START_TEST (test_default_depth)
{
  fail_unless_equals_int (count_acquires ("", -1), 4);
  fail_unless_equals_int (count_acquires ("is-live=true", -1), 10);
}

GST_END_TEST;

/* Of frames that are enqueued together, too, the first of each span of time is
 * counted. */
GST_START_TEST (test_interval_of_frames_together)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=20 "
      "! video/x-raw,format=RGBA,width=32,height=32,framerate=100/1 ! glupload "
      "! glopenclfilter name=filter qos=false pipeline-depth=4 radius=1 "
      "histogram-emission=messages histogram-interval=50000000 ! fakesink",
      NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint n = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((message =
          filter_harness_wait (bus,
              GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS | GST_MESSAGE_ERROR))) {
    const gboolean counts = GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT;

    n += counts;
    gst_message_unref (message);
    if (!counts)
      break;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  fail_unless_equals_int (n, 4);
}

GST_END_TEST;

/* The kernels of each frame wait for its upload. */
GST_START_TEST (test_upload_is_waited_for)
{
  GstElement *pipeline = player_launch ("width=32,height=32", "");

  layer.reset_counts ();
  player_play_well (pipeline);
  fail_unless_equals_int (layer.calls ("clEnqueueBarrierWithWaitList"), 2);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
driver_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-driver");

  player_open_layer ();
  g_log_set_handler ("glopencl", G_LOG_LEVEL_DEBUG, count_plans, NULL);
  ADD_TAGGED (suite,
      "gl-sharing host-copy host-copy-gpu external-memory semaphores",
      test_steady_state);
  ADD_TAGGED (suite, "gl-sharing host-copy external-memory",
      test_trips_to_the_gl_thread);
  ADD_TAGGED (suite, "gl-sharing host-copy", test_programs_are_shared);
  ADD_TAGGED (suite, "gl-sharing", test_order_of_bytes);
  ADD_TAGGED (suite, "gl-sharing", test_orders_of_bytes);
  ADD_TAGGED (suite, "gl-sharing external-memory", test_gl_is_finished);
  ADD_TAGGED (suite, "gl-sharing external-memory", test_pixel_store);
  ADD_TAGGED (suite, "host-copy", test_wrapped_memory_is_mapped);
  ADD_TAGGED (suite, "gl-sharing", test_gl_device);
  ADD_TAGGED (suite, "gl-sharing external-memory semaphores",
      test_fallback_of_a_format);
  ADD_TAGGED (suite, "gl-sharing external-memory semaphores",
      test_frames_together);
  ADD_TAGGED (suite, "host-copy-gpu", test_upload_is_waited_for);
  ADD_TAGGED (suite, "gl-sharing-gpu", test_default_depth);
  ADD_TAGGED (suite, "gl-sharing", test_interval_of_frames_together);
  ADD_TAGGED (suite, "gl-sharing external-memory semaphores",
      test_same_texture);
  ADD_TAGGED (suite, "gl-sharing external-memory semaphores",
      test_failure_of_a_branch);
  return suite;
}

FILTER_HARNESS_MAIN (driver);
