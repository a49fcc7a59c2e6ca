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

#include "elementharness.h"

/* Acquires textures of OpenGL, releases them, and creates images of them, with
 * the tested interop backend. */
#define IN_INTEROP(sharing, external) \
  (harness_has_interop ("external-memory") ? external : sharing)
#define ACQUIRE IN_INTEROP ("clEnqueueAcquireGLObjects", \
    "clEnqueueAcquireExternalMemObjectsKHR")
#define RELEASE IN_INTEROP ("clEnqueueReleaseGLObjects", \
    "clEnqueueReleaseExternalMemObjectsKHR")
#define IMPORT IN_INTEROP ("clCreateFromGLTexture", \
    "clCreateImageWithProperties")

#define SIZE "format=RGBA,width=32,height=32"
#define GL_FRAMES(n) "gltestsrc num-buffers=" #n \
    " ! video/x-raw(memory:GLMemory),format=RGBA,width=64,height=48 "

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

/* Decisions, see ocl_graph_new(). */
static guint n_graphs;

static void
count_graphs (G_GNUC_UNUSED const gchar * domain,
    G_GNUC_UNUSED GLogLevelFlags level, const gchar * message,
    G_GNUC_UNUSED gpointer data)
{
  n_graphs += g_str_has_prefix (message, "graph for ");
}

void
test_set_up (void)
{
  g_log_set_handler ("glopencl", G_LOG_LEVEL_DEBUG, count_graphs, NULL);
}

/* Nothing is made or built for a frame, whatever is animated, but host-copy
 * describes mapped pointers, which change, to a device that works in host
 * memory: at most two buffers a frame that have no memory of their own. */
#define CENSUS_FIRST 50
#define CENSUS_LAST 150

typedef struct
{
  GstElement *filter;           /* not owned, or NULL: nothing is animated */
  guint n_frames;
  guint graphs[2];
} Steady;

static GstPadProbeReturn
animate (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  Steady *steady = data;
  const guint frame = steady->n_frames++;

  if (steady->filter)
    g_object_set (steady->filter, "spatial-sigma", 0.7 + frame % 20 * 0.3,
        "intensity-sigma", 0.1 + frame % 7 * 0.1, NULL);
  if (frame == CENSUS_FIRST || frame == CENSUS_LAST)
    steady->graphs[frame == CENSUS_LAST] = n_graphs;
  return GST_PAD_PROBE_OK;
}

static const gchar *const steady_settings[] = {
  "",                           /* animated */
  "color-mode=lab in-place=true pipeline-depth=2",
  "method=fast spatial-sigma=6",
  "histogram-emission=messages+meta histogram-overlay=true",
};

TEST_CASES (test_steady_state, "driver-gl-sharing driver-host-copy "
    "driver-host-copy-gpu driver-external-memory "
    "driver-external-memory-semaphores", G_N_ELEMENTS (steady_settings))
{
  g_autoptr (GstElement) pipeline = pipeline_new (GL_FRAMES (160)
      "! glopenclfilter qos=false name=filter interop=INTEROP %s ! fakesink",
      steady_settings[__i__]);
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  const gboolean wraps = harness_has_interop ("host-copy")
      && !g_getenv ("GLOPENCL_LAYER_DISCRETE");
  Steady steady = { __i__ == 0 ? filter : NULL, 0, {0, 0} };
  guint made[MAX_FUNCTIONS];
  const gchar *function;

  element_add_probe (filter, "src", GST_PAD_PROBE_TYPE_BUFFER, animate,
      &steady);
  pipeline_count_calls (pipeline, CENSUS_FIRST, CENSUS_LAST, made);
  fail_unless_equals_int (steady.n_frames, 160);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    const gboolean makes = g_str_has_prefix (function, "clCreate")
        || g_str_has_prefix (function, "clBuild");
    const guint limit = wraps && g_str_equal (function, "clCreateBuffer")
        ? 2 * (CENSUS_LAST - CENSUS_FIRST) : 0;

    fail_unless (!makes || made[i] <= limit, "%s: %u calls", function, made[i]);
  }
  fail_unless (steady.graphs[0] > 0);
  /* A GPU's programs are built meanwhile, and each makes a decision due. */
  if (!steady.filter && !g_getenv ("GLOPENCL_LAYER_TYPE"))
    fail_unless_equals_int (steady.graphs[1], steady.graphs[0]);
}

static GstPadProbeReturn
begin_trips (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  guint *n_frames = data;

  /* The first frames create the objects that later frames reuse. */
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
TEST_TAGGED (test_trips_to_the_gl_thread,
    "driver-gl-sharing driver-host-copy driver-external-memory")
{
  g_autoptr (GstElement) pipeline = pipeline_new (GL_FRAMES (25)
      "! glopenclfilter qos=false name=filter interop=INTEROP "
      "pipeline-depth=0 ! fakesink");
  guint n_frames = 0;

  n_trips = 0;
  pipeline_add_probe (pipeline, "filter", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      begin_trips, &n_frames);
  pipeline_add_probe (pipeline, "filter", "src", GST_PAD_PROBE_TYPE_BUFFER,
      end_trips, NULL);
  pipeline_play_well (pipeline);
  fail_unless_equals_int (n_frames, 25);
  fail_unless_equals_int (n_trips, 2 * 20);
}

/* Two equal elements build the programs once. */
TEST_TAGGED (test_programs_are_shared, "driver-gl-sharing driver-host-copy")
{
  guint n[2];

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
        "num-buffers=2 ! video/x-raw,format=I420,width=64,height=48 "
        "! glupload ! glopenclfilter name=filter qos=false %s ! fakesink",
        i ? "! glopenclfilter qos=false" : "");

    layer.reset_counts ();
    pipeline_play_well (pipeline);
    n[i] = layer.calls ("clBuildProgram");
  }
  fail_unless (n[0] > 0);
  fail_unless_equals_int (n[0], n[1]);
}

/* The denoiser builds no programs for other parameters than its own. */
TEST_TAGGED (test_programs_are_needed, "driver-host-copy")
{
  static const gchar *const efforts[] = { "normal", "fast" };
  guint n[2];

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
        "num-buffers=2 ! video/x-raw,format=GRAY8,width=64,height=48 "
        "! glupload ! glopencldenoise qos=false effort=%s ! fakesink",
        efforts[i]);

    layer.reset_counts ();
    pipeline_play_well (pipeline);
    n[i] = layer.calls ("clBuildProgram");
  }
  fail_unless (n[0] > 0);
  fail_unless_equals_int (n[0], n[1]);
}

static GstPadProbeReturn
say_bgra (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstPadProbeInfo * info,
    gpointer data)
{
  says_bgra = GPOINTER_TO_UINT (data);
  return GST_PAD_PROBE_OK;
}

/* Two frames whose textures drivers say @says of, after the trial of one. */
static GstElement *
launch_other_order (const gchar * interop, SaysBGRA says)
{
  GstElement *pipeline =
      pipeline_new_filter (SIZE, "glopenclfilter interop=%s", interop);

  pipeline_add_probe (pipeline, "filter", "sink", GST_PAD_PROBE_TYPE_BUFFER,
      say_bgra, GUINT_TO_POINTER (says));
  layer.reset_counts ();
  return pipeline;
}

/* Textures may have another order of bytes than the one that was tried. Where
 * those of a frame differ, and bytes are copied, frames go through host
 * memory. */
TEST_TAGGED (test_order_of_bytes, "driver-gl-sharing")
{
  g_autoptr (GstElement) other =
      launch_other_order ("gl-sharing", SAYS_BGRA_ALWAYS);
  pipeline_play_well (other);
  /* The trial's, and each frame's. */
  fail_unless_equals_int (layer.calls ("clEnqueueAcquireGLObjects"), 3);
  says_bgra = SAYS_BGRA_NEVER;

  g_autoptr (GstElement) both = launch_other_order ("auto", SAYS_BGRA_IN_TURN);
  pipeline_play_well (both);
  fail_unless_equals_int (layer.calls ("clEnqueueAcquireGLObjects"), 1);
  says_bgra = SAYS_BGRA_NEVER;

  g_autoptr (GstElement) refused =
      launch_other_order ("gl-sharing", SAYS_BGRA_IN_TURN);
  pipeline_play_badly (refused, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "byte orders|interop=auto");
  says_bgra = SAYS_BGRA_NEVER;
}

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

/* Plays with a GL context whose Finish is noted, after @set_up in its thread. */
static void
play_in_context (GstElement * pipeline, GstGLContextThreadFunc set_up)
{
  g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
  g_autoptr (GstContext) message =
      gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);
  g_autoptr (GstGLContext) gl_context = NULL;

  fail_unless (gst_gl_display_create_context (display, NULL, &gl_context,
          NULL));
  fail_unless (gst_gl_display_add_context (display, gl_context));
  gst_context_set_gl_display (message, display);
  gst_element_set_context (pipeline, message);
  ordering.finish = gl_context->gl_vtable->Finish;
  gl_context->gl_vtable->Finish = note_finish;
  if (set_up)
    gst_gl_context_thread_add (gl_context, set_up, NULL);
  layer.reset_counts ();
  pipeline_play_well (pipeline);
}

/* How often a kind of texture is tried: with external-memory copied, too. */
static guint
get_n_trials (void)
{
  return IN_INTEROP (1, 2);
}

/* OpenCL acquires no texture that OpenGL may still be at work on: neither for
 * the trials nor for a frame. */
TEST_TAGGED (test_gl_is_finished, "driver-gl-sharing driver-external-memory")
{
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter ("format=I420,width=32,height=32", "glopenclfilter");

  play_in_context (pipeline, NULL);
  const guint n_acquires = layer.calls (ACQUIRE);
  /* Trials of four bytes and of one, and two frames. */
  fail_unless_equals_int (n_acquires, 2 * get_n_trials () + 2);
  for (guint i = 0; i < n_acquires; i++)
    fail_unless (ordering.finished[i], "acquire %u", i);
}

static void
set_pixel_store (GstGLContext * gl_context, G_GNUC_UNUSED gpointer data)
{
  gl_context->gl_vtable->PixelStorei (GL_PACK_ROW_LENGTH, 1000);
  gl_context->gl_vtable->PixelStorei (GL_PACK_SKIP_ROWS, 3);
}

/* How others have read pixels does not matter to the trials. */
TEST_TAGGED (test_pixel_store, "driver-gl-sharing driver-external-memory")
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=GRAY8,width=32,height=32 ! glupload "
      "! glopenclfilter qos=false name=filter interop=INTEROP ! fakesink");

  play_in_context (pipeline, set_pixel_store);
}

/* Host memory written by a device is mapped before it is read, and the kernels
 * of each frame wait for its upload to a GPU. */
static const struct
{
  const gchar *tag, *fields, *function;
  guint calls;
} called[] = {
  /* Three planes of two frames. */
  {"driver-host-copy", "format=I420,width=32,height=32", "clEnqueueMapBuffer",
      6},
  /* Also before and after the commands that are measured. */
  {"driver-host-copy-gpu", SIZE, "clEnqueueBarrierWithWaitList", 10},
};

TEST_CASES (test_calls, "driver-host-copy driver-host-copy-gpu",
    G_N_ELEMENTS (called))
{
  if (g_strcmp0 (g_getenv ("CK_INCLUDE_TAGS"), called[__i__].tag) != 0)
    return;
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter (called[__i__].fields, "glopenclfilter");

  layer.reset_counts ();
  pipeline_play_well (pipeline);
  fail_unless_equals_int (layer.calls (called[__i__].function),
      called[__i__].calls);
}

/* OpenCL is asked which of its devices OpenGL runs on. */
TEST_TAGGED (test_gl_device, "driver-gl-sharing")
{
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter (SIZE, "glopenclfilter");

  layer.set_fault ("clGetGLContextInfoKHR", 1, -33);
  pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "clGetGLContextInfoKHR|CL_INVALID_DEVICE");
  fail_unless (layer.fault_hit ());
  layer.set_fault ("*", 0, 0);
  pipeline_play_well (pipeline);
}

static void
assert_active (Harness * h, const gchar * fields, const gchar * expected)
{
  harness_set_fields (h, "%s", fields);
  g_bytes_unref (harness_filter (h, 1));
  element_assert_value (h->filter, "active-interop", expected);
}

#define SHARES "driver-gl-sharing driver-external-memory " \
    "driver-external-memory-semaphores"

/* A texture that cannot be borrowed while playing ends sharing for frames of
 * its format, and of no other. */
TEST_TAGGED (test_fallback_of_a_format, SHARES)
{
  g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter interop=auto");
  const gchar *interop = harness_get_interop ();

  assert_active (h, RGBA (32, 16), interop);
  /* CL_INVALID_GL_OBJECT */
  layer.set_lasting_fault (IMPORT, -60);
  assert_active (h, RGBA (48, 16), "host-copy");
  layer.set_fault ("*", 0, 0);
  assert_active (h, RGBA (32, 16), "host-copy");
  assert_active (h, "format=I420,width=32,height=16", interop);
}

/* A still picture is one texture again and again. */
TEST_TAGGED (test_same_texture, SHARES)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("gltestsrc num-buffers=1 "
      "! imagefreeze num-buffers=6 ! glopenclfilter name=filter "
      "interop=INTEROP pipeline-depth=4 ! fakesink");

  pipeline_play_well (pipeline);
}

/* Where one branch fails to give a texture back, another can take it still. */
TEST_TAGGED (test_failure_of_a_branch, SHARES)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("gltestsrc num-buffers=1 "
      "! tee name=tee ! queue ! glopenclfilter name=one interop=INTEROP "
      "! fakesink async=false tee. ! glopenclfilter name=other "
      "interop=INTEROP ! fakesink async=false");
  g_autoptr (GstElement) one = pipeline_get (pipeline, "one");
  g_autoptr (GstElement) other = pipeline_get (pipeline, "other");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  const GstClockTime end =
      gst_util_get_timestamp () + harness_scale (100 * GST_SECOND);
  guint64 n = 0;

  /* CL_OUT_OF_RESOURCES at the first release after those of trials */
  layer.set_fault (RELEASE, get_n_trials () + 1, -5);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_autoptr (GstMessage) message = bus_wait (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  fail_unless (layer.fault_hit ());
  while (n < 1 && gst_util_get_timestamp () < end) {
    g_usleep (1000);
    n = element_get_stat (one, "frames") + element_get_stat (other, "frames");
  }
  fail_unless_equals_uint64 (n, 1);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Frames that are held back share an acquire and a release, unless they are
 * live: how often textures are acquired for ten frames, without trials. On a
 * GPU two frames are held back where upstream is not live. */
static const struct
{
  const gchar *source;
  gint depth;
  guint acquires;
} together[] = {
  {"", 0, 10}, {"", 4, 2},
  /* The last one is alone. */
  {"", 2, 4}, {"is-live=true", 4, 10},
  {"", -1, 4}, {"is-live=true", -1, 10},
};

TEST_CASES (test_frames_together, SHARES " driver-gl-sharing-gpu",
    G_N_ELEMENTS (together))
{
  if ((together[__i__].depth < 0) != (g_getenv ("GLOPENCL_LAYER_TYPE") != NULL))
    return;
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
      "num-buffers=10 %s ! video/x-raw,format=RGBA,width=32,height=32,"
      "framerate=100/1 ! glupload ! glopenclfilter qos=false name=filter "
      "interop=INTEROP pipeline-depth=%d ! gldownload ! fakesink",
      together[__i__].source, together[__i__].depth);

  layer.reset_counts ();
  pipeline_play_well (pipeline);
  fail_unless_equals_int (layer.calls (ACQUIRE),
      get_n_trials () + together[__i__].acquires);
}

/* Of frames that are enqueued together, too, the first of each span of time is
 * counted. */
TEST_TAGGED (test_interval_of_frames_together, "driver-gl-sharing")
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc "
      "num-buffers=20 ! video/x-raw,format=RGBA,width=32,height=32,"
      "framerate=100/1 ! glupload ! glopenclfilter name=filter qos=false "
      "pipeline-depth=4 radius=1 histogram-emission=messages "
      "histogram-interval=50000000 ! fakesink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) end = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint n = 0; n < 4; n++) {
    g_autoptr (GstMessage) message =
        bus_wait (bus, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS);
    fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ELEMENT);
  }
  end = bus_wait (bus, GST_MESSAGE_ELEMENT | GST_MESSAGE_EOS);
  fail_unless (end && GST_MESSAGE_TYPE (end) == GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}
