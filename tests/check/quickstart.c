/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests streams that do not wait for the compiler. */

#include <dlfcn.h>

#include <CL/cl.h>

#include "elementharness.h"

#define FIELDS "format=GRAY8,width=64,height=40"
#define ELEMENT "glopencldenoise history=1 noise=12 interop=host-copy"
#define N_HELD 6                /* frames that the compiler does not stop */
#define N_FRAMES 200            /* the last frames have the new parameters */

static GMutex build_mutex;      /* guards the members below */
static GCond build_changed;
static gboolean is_holding;     /* optimized builds do not end */
static guint n_held;            /* builds that have waited */
static gulong delay;            /* of each build, in microseconds */

/* Replaces the loader's function for the plugin, too. */
CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program, void *), void *user_data)
{
  cl_int (*real) (cl_program, cl_uint, const cl_device_id *, const char *,
      void (CL_CALLBACK *) (cl_program, void *), void *);

  void *loader = dlopen ("libOpenCL.so.1", RTLD_NOW);
  fail_unless (loader != NULL);
  *(void **) &real = dlsym (loader, "clBuildProgram");
  dlclose (loader);
  g_mutex_lock (&build_mutex);
  if (is_holding && !strstr (options, "-cl-opt-disable")) {
    n_held++;
    while (is_holding)
      g_cond_wait (&build_changed, &build_mutex);
  }
  const gulong wait = delay;
  g_mutex_unlock (&build_mutex);
  g_usleep (wait);
  return real (program, n_devices, devices, options, notify, user_data);
}

static void
hold (gboolean holds)
{
  g_mutex_lock (&build_mutex);
  is_holding = holds;
  g_cond_broadcast (&build_changed);
  g_mutex_unlock (&build_mutex);
}

/* Returns the output for frame @n of a stream. */
static GBytes *
filter (Harness * h, guint n)
{
  g_autoptr (GstBuffer) frame = harness_filter_frame (h,
      harness_create_nth_frame (h, n));

  return harness_get_samples (h, frame);
}

/* While the compiler works, frames use kernels without optimization, and then
 * the previous parameters. PoCL computes alike without optimization, so that
 * they are equal to the frames of a stream that waits. */
TEST_LOOP (test_does_not_wait, 2)
{
  g_autoptr (GPtrArray) wanted =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  Harness *before = harness_new (FIELDS, ELEMENT);
  guint n;

  for (n = 0; n < N_FRAMES; n++)
    g_ptr_array_add (wanted, filter (before, n));
  /* Its programs would be shared. */
  harness_free (before);

  g_autoptr (Harness) h = harness_new (FIELDS, ELEMENT " quick-start=%s",
      __i__ ? "on" : "auto");
  gst_harness_set_live (h->harness, !__i__);
  hold (TRUE);
  for (n = 0; n < 2 * N_HELD; n++) {
    g_autoptr (GBytes) bytes = filter (h, n);

    assert_same_bytes (bytes, wanted->pdata[n], "frame %u", n);
    if (n == N_HELD)
      g_object_set (h->filter, "history", 4, NULL);
  }
  fail_unless (n_held > 0);
  hold (FALSE);
  for (gboolean is_changed = FALSE; !is_changed; n++) {
    g_autoptr (GBytes) bytes = filter (h, n);

    fail_unless (n < N_FRAMES - 1);
    is_changed = !g_bytes_equal (bytes, wanted->pdata[n]);
    g_usleep (harness_scale (50000));
  }
}

/* A long wait is announced, and its end. A short one is not. */
TEST_LOOP (test_announces, 2)
{
  g_autoptr (Harness) h = harness_new (NULL, ELEMENT);
  GstMessage *message;
  guint n_messages = 0;

  delay = __i__ ? 1200000 : 0;
  harness_set_fields (h, FIELDS);
  gst_buffer_unref (harness_filter_frame (h, harness_create_nth_frame (h, 0)));
  delay = 0;
  while ((message = gst_bus_pop_filtered (h->bus, GST_MESSAGE_PROGRESS))) {
    g_autofree gchar *code = NULL;
    GstProgressType type;

    gst_message_parse_progress (message, &type, &code, NULL);
    assert_equals_string (code, "compile");
    fail_unless_equals_int (type, n_messages ? GST_PROGRESS_TYPE_COMPLETE
        : GST_PROGRESS_TYPE_START);
    n_messages++;
    gst_message_unref (message);
  }
  /* On a busy machine any wait may be long. */
  if (__i__ || n_messages > 0)
    fail_unless_equals_int (n_messages, 2);
}
