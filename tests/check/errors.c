/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bad input and failing drivers: one clear error in time, nothing lost, and the
 * element works again afterwards.
 *
 * Run in several environments, see meson.build: without any OpenCL platform,
 * without the test layer, and with it. */

#include <dlfcn.h>
#include <string.h>

#include <gst/check/gstcheck.h>
#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

#include "exhaustive.h"
#include "filterharness.h"
#include "testlayer.h"

#define TIMEOUT (30 * GST_SECOND)

/* What the layer exports; NULL without it. */
static struct
{
  __typeof__ (&glopencl_layer_set_fault) set_fault;
  __typeof__ (&glopencl_layer_set_lasting_fault) set_lasting_fault;
  __typeof__ (&glopencl_layer_fault_hit) fault_hit;
  __typeof__ (&glopencl_layer_function_name) function_name;
  __typeof__ (&glopencl_layer_live_objects) live_objects;
  __typeof__ (&glopencl_layer_calls) calls;
  __typeof__ (&glopencl_layer_reset_counts) reset_counts;
} layer;

static void
open_layer (void)
{
  const gchar *path = g_getenv ("OPENCL_LAYERS");
  if (!path)
    return;

  /* The loader opens its layers at the first call: there is none before an
   * element is started. */
  GstElement *filter = gst_element_factory_make ("glopenclfilter", NULL);
  g_assert_nonnull (filter);
  g_assert_null (dlopen (path, RTLD_NOW | RTLD_NOLOAD));
  gst_element_set_state (filter, GST_STATE_PAUSED);
  gst_element_set_state (filter, GST_STATE_NULL);
  gst_object_unref (filter);

  void *handle = dlopen (path, RTLD_NOW | RTLD_NOLOAD);
  g_assert_nonnull (handle);
  layer.set_fault = dlsym (handle, "glopencl_layer_set_fault");
  layer.set_lasting_fault = dlsym (handle, "glopencl_layer_set_lasting_fault");
  layer.fault_hit = dlsym (handle, "glopencl_layer_fault_hit");
  layer.function_name = dlsym (handle, "glopencl_layer_function_name");
  layer.live_objects = dlsym (handle, "glopencl_layer_live_objects");
  layer.calls = dlsym (handle, "glopencl_layer_calls");
  layer.reset_counts = dlsym (handle, "glopencl_layer_reset_counts");
  g_assert_true (layer.set_fault && layer.set_lasting_fault && layer.fault_hit
      && layer.function_name && layer.live_objects && layer.calls
      && layer.reset_counts);
}

static GstElement *
launch_format (const gchar * format, const gchar * size, const gchar * settings)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=%s,%s ! glupload "
      "! glopenclfilter qos=false name=filter interop=%s %s "
      "! gldownload ! fakesink", format, size, filter_harness_get_interop (),
      settings);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  return pipeline;
}

static GstElement *
launch (const gchar * size, const gchar * settings)
{
  return launch_format ("RGBA", size, settings);
}

/* Plays until the end or an error; the first error of the filter, or NULL. Sets
 * the pipeline to NULL afterwards. */
static GError *
play (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  guint n_errors = 0;
  gboolean from_filter = TRUE;

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
  gst_message_unref (message);
  fail_unless (from_filter, "the first error is not the filter's");
  fail_unless (n_errors == 0, "the filter posted a second error");
  return error;
}

static void
play_well (GstElement * pipeline)
{
  GError *error = play (pipeline);

  g_assert_no_error (error);
}

/* Fails within a second, with a message that has all of @words. */
static void
play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * const *words)
{
  GstClockTime start = gst_util_get_timestamp ();
  g_autoptr (GError) error = play (pipeline);

  fail_unless (gst_util_get_timestamp () - start < GST_SECOND);
  g_assert_error (error, domain, code);
  for (guint i = 0; words[i]; i++)
    fail_unless (strstr (error->message, words[i]) != NULL,
        "\"%s\" is not in \"%s\"", words[i], error->message);
}

GST_START_TEST (test_no_platform)
{
  static const gchar *const words[] = { "No OpenCL device", "pocl", NULL };
  GstElement *pipeline = launch ("width=32,height=32", "");

  for (guint i = 0; i < 2; i++)
    play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_no_such_device)
{
  static const gchar *const words[] = { "Voodoo 3", "exist: 0:0 ", NULL };
  static const gchar *const selectors[] = { "", "0:0", NULL };
  GstElement *pipeline = launch ("width=32,height=32", "");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  gchar *name = NULL;

  g_object_set (filter, "device", "Voodoo 3", NULL);
  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  for (guint i = 0; selectors[i]; i++) {
    g_object_set (filter, "device", selectors[i], NULL);
    play_well (pipeline);
  }

  /* Part of the name that the element gives is enough. */
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, TIMEOUT);
  g_object_get (filter, "active-device", &name, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_autofree gchar *part = g_ascii_strup (name + 2, -1);
  g_object_set (filter, "device", part, NULL);
  play_well (pipeline);
  g_free (name);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Without the layer: PoCL shares nothing. */
GST_START_TEST (test_no_sharing)
{
  static const gchar *const words[] = { "interop=gl-sharing cannot be had",
    "interop=auto", NULL
  };
  GstElement *pipeline = launch ("width=32,height=32", "interop=gl-sharing");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");

  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "auto");
  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static gboolean
has_info_message (GstBus * bus, const gchar * part)
{
  GstMessage *message;
  gboolean found = FALSE;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_INFO))) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_info (message, &error, NULL);
    found |= strstr (error->message, part) != NULL;
    gst_message_unref (message);
  }
  return found;
}

/* With a layer whose images are at most 64 pixels wide and high. */
GST_START_TEST (test_image_limit)
{
  static const gchar *const words[] = { "100x32", "64x64", "interop=auto",
    NULL
  };
  GstElement *pipeline = launch ("width=100,height=32", "interop=auto");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstStructure *stats = NULL;
  guint64 frames = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_INFO);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_INFO);
  gst_bus_post (bus, message);
  fail_unless (has_info_message (bus, "100x32"));
  message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  fail_unless_equals_uint64 (frames, 2);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_util_set_object_arg (G_OBJECT (filter), "interop", "gl-sharing");
  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* With OpenGL ES, which is not known when formats are negotiated. */
GST_START_TEST (test_no_deep_textures)
{
  static const gchar *const words[] = { "no textures for P010_10LE",
    "GST_GL_API", "videoconvert", NULL
  };
  GstElement *pipeline = launch_format ("P010_10LE", "width=32,height=32", "");

  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, words);
  gst_object_unref (pipeline);
  pipeline = launch_format ("NV12", "width=32,height=32", "");
  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Frames of @format are refused with gl-sharing, with an error that has @words,
 * and go through host memory with auto, which an info that has @notice says. */
static void
check_not_shared (const gchar * format, const gchar * const *words,
    const gchar * settings, const gchar * notice)
{
  g_autofree gchar *all = g_strdup_printf ("interop=gl-sharing %s", settings);
  GstElement *pipeline = launch_format (format, "width=32,height=32", all);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, words);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "auto");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL, TIMEOUT),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless (has_info_message (bus, notice));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  play_well (pipeline);
  gst_object_unref (pipeline);
}

/* With a layer that has no images of two components. */
GST_START_TEST (test_no_images)
{
  static const gchar *const words[] = { "no images for NV12", "interop=auto",
    NULL
  };

  check_not_shared ("NV12", words, "", "no images for NV12. Frames go through");
}

GST_END_TEST;

/* With a layer that loses the pixels of textures of a byte: RGBA is shared, a
 * grey frame is not. */
GST_START_TEST (test_broken_plane)
{
  static const gchar *const words[] = { "does not share GRAY8 frames",
    "trial texture", "interop=auto", NULL
  };

  check_not_shared ("GRAY8", words, "in-place=true",
      "written. Frames go through host");
  GstElement *pipeline = launch ("width=32,height=32", "interop=gl-sharing");
  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* A sharing driver that loses pixels, or fails late, is found out. */
GST_START_TEST (test_broken_sharing)
{
  static const gchar *const words[] = { "interop=gl-sharing cannot be had",
    NULL
  };
  GstElement *pipeline = launch ("width=32,height=32", "interop=auto");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");

  play_well (pipeline);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "gl-sharing");
  play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_kernel_does_not_build)
{
  static const gchar *const words[] = { "cannot build the kernel bilateral.cl",
    "CL_BUILD_PROGRAM_FAILURE", "device property", NULL
  };
  GstElement *pipeline = launch ("width=32,height=32", "");

  layer.set_lasting_fault ("clBuildProgram", -11);
  play_badly (pipeline, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT, words);
  layer.set_fault ("*", 0, 0);
  play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Where the driver cannot build one of the kernels, another serves: the
 * @nth that is built fails, and stats name @variant. */
static void
check_fallback (const gchar * settings, guint nth, const gchar * variant)
{
  GstElement *pipeline = launch ("width=32,height=32", settings);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GstStructure *stats;

  layer.set_fault ("clBuildProgram", nth, -11);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL, TIMEOUT),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless (layer.fault_hit ());
  g_object_get (filter, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "variant"),
      variant);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  play_well (pipeline);
  gst_object_unref (pipeline);
}

/* The approximation: the exact kernel. */
GST_START_TEST (test_fast_kernel_does_not_build)
{
  check_fallback ("method=fast spatial-sigma=6", 2, "rows");
}

GST_END_TEST;

/* What suits the device, a CPU or a GPU: the plain one. */
GST_START_TEST (test_suitable_kernel_does_not_build)
{
  check_fallback ("", 1, "plain-buffer");
}

GST_END_TEST;

/* Of calls that fail, where not all are to be tried: one of so many. */
#define FAULT_STEP 5

/* Every call of every function fails once: at start-up and in mid-stream. */
static void
walk_faults (const gchar * settings)
{
  const gboolean all = is_exhaustive ();
  const guint step = all ? 1 : FAULT_STEP;
  GstElement *pipeline = launch ("width=40,height=24", settings);
  guint n_faults = 0;
  guint n_errors = 0;
  const gchar *function;

  for (guint i = 0; (function = layer.function_name (i)); i++) {
    for (guint nth = 1 + i % step;; nth += step) {
      /* CL_OUT_OF_RESOURCES */
      layer.set_fault (function, nth, -5);
      g_autoptr (GError) error = play (pipeline);

      fail_unless_equals_int (layer.live_objects (), 0);
      if (!layer.fault_hit ()) {
        g_assert_no_error (error);
        break;
      }
      n_faults++;
      if (error)
        n_errors++;
      layer.set_fault (function, 0, 0);
      play_well (pipeline);
    }
  }
  layer.set_fault ("*", 0, 0);
  gst_object_unref (pipeline);
  GST_INFO ("%u faults, %u errors", n_faults, n_errors);
  /* Many faults cannot be gone round; those of a variant can. */
  fail_unless (n_faults > 100 / step && n_errors > n_faults / 3,
      "%u faults, %u errors", n_faults, n_errors);
}

GST_START_TEST (test_faults)
{
  walk_faults ("");
}

GST_END_TEST;

GST_START_TEST (test_faults_in_place)
{
  walk_faults ("in-place=true");
}

GST_END_TEST;

GST_START_TEST (test_faults_overlay)
{
  walk_faults ("histogram-emission=messages+meta histogram-overlay=true");
}

GST_END_TEST;

GST_START_TEST (test_faults_histogram)
{
  walk_faults ("histogram-emission=messages+meta spatial-sigma=0");
}

GST_END_TEST;

/* Calls of functions that make something, up to two frames of a stream. */
typedef struct
{
  GstElement *filter;           /* not owned */
  gboolean animate;             /* the window, every frame */
  guint frames;
  guint calls[2][256];
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
  play_well (pipeline);
  fail_unless_equals_int (census.frames, 160);
  for (guint i = 0; (function = layer.function_name (i)); i++) {
    guint made = census.calls[1][i] - census.calls[0][i];
    gboolean makes = g_str_has_prefix (function, "clCreate")
        || g_str_has_prefix (function, "clBuild");

    guint limit = wraps && g_str_equal (function, "clCreateBuffer")
        ? 2 * (CENSUS_LAST - CENSUS_FIRST) : 0;

    fail_unless (!makes || made <= limit, "%s: %u calls", function, made);
  }
  gst_object_unref (pipeline);
}

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
  const guint n = layer.calls ("clEnqueueAcquireGLObjects");

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

/* OpenCL acquires no texture that OpenGL may still be at work on: neither for
 * the trials nor for a frame. */
GST_START_TEST (test_gl_is_finished)
{
  GstElement *pipeline = launch_format ("I420", "width=32,height=32", "");
  GstGLContext *gl_context = give_context (pipeline);

  layer.reset_counts ();
  play_well (pipeline);
  const guint n_acquires = layer.calls ("clEnqueueAcquireGLObjects");
  /* Trials of four bytes and of one, and two frames. */
  fail_unless_equals_int (n_acquires, 4);
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
  play_well (pipeline);
  gst_object_unref (pipeline);
  gst_object_unref (gl_context);
}

GST_END_TEST;

/* What a device wrote to the host's own memory is mapped before it is read. */
GST_START_TEST (test_wrapped_memory_is_mapped)
{
  GstElement *pipeline = launch_format ("I420", "width=32,height=32", "");

  layer.reset_counts ();
  play_well (pipeline);
  /* Three planes of two frames. */
  fail_unless_equals_int (layer.calls ("clEnqueueMapBuffer"), 6);
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
errors_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-errors");
  TCase *tests = tcase_create ("errors");

  open_layer ();
  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 600);
  tcase_add_test (tests, test_no_platform);
  tcase_add_test (tests, test_no_such_device);
  tcase_add_test (tests, test_no_sharing);
  tcase_add_test (tests, test_image_limit);
  tcase_add_test (tests, test_no_deep_textures);
  tcase_add_test (tests, test_no_images);
  tcase_add_test (tests, test_broken_plane);
  tcase_add_test (tests, test_broken_sharing);
  tcase_add_test (tests, test_kernel_does_not_build);
  tcase_add_test (tests, test_fast_kernel_does_not_build);
  tcase_add_test (tests, test_suitable_kernel_does_not_build);
  tcase_add_test (tests, test_faults);
  tcase_add_test (tests, test_faults_in_place);
  tcase_add_test (tests, test_faults_overlay);
  tcase_add_test (tests, test_faults_histogram);
  tcase_add_test (tests, test_steady_state);
  tcase_add_test (tests, test_gl_is_finished);
  tcase_add_test (tests, test_pixel_store);
  tcase_add_test (tests, test_wrapped_memory_is_mapped);
  return suite;
}

GST_CHECK_MAIN (errors);
