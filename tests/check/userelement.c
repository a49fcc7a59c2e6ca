/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclkernel as an element: kernels from files, arguments, what cannot
 * be built or read, and files that change while frames flow. */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gst/controller/controller.h>

#include "filterharness.h"
#include "testrandom.h"

#define KEEP "Pixel filter (FRAME)\n{\n  return pixel (frame, 0, 0);\n}\n"
#define INVERT "Pixel filter (FRAME)\n{\n" \
    "  return minus (grey (1.0f), pixel (frame, 0, 0));\n}\n"
#define BROKEN "Pixel filter (FRAME)\n{\n  return nothing;\n}\n"
#define BRANCHES "Pixel filter (FRAME)\n{\n  Pixel p = pixel (frame, 0, 0);\n" \
    "  if (p.r > 0.5f)\n    p.r = 1.0f;\n  return p;\n}\n"
#define SCALE_BY(number) "#pragma glopencl argument scale 0 2 " number "\n" \
    "Pixel filter (FRAME)\n" \
    "{\n  return times (pixel (frame, 0, 0), info.scale);\n}\n"
#define SCALE SCALE_BY ("1")

/* The time between two frames, in microseconds. Frames until nothing new comes:
 * more than two looks at the file, 100 ms apart; and until something must have
 * come, with a compiler's time. */
#define WAIT (10 * 1000)
#define QUIET_FRAMES 60
#define MAX_FRAMES 1000

static gchar *folder;

static gchar *
write_file (const gchar * name, const gchar * text)
{
  gchar *path = g_build_filename (folder, name, NULL);

  fail_unless (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static void
init (FilterHarness * h, const gchar * text)
{
  g_autofree gchar *path = write_file ("live.cl", text);
  g_autofree gchar *settings = g_strdup_printf ("location=%s watch=true", path);

  filter_harness_init_element (h, "glopenclkernel", settings);
  filter_harness_set_size (h, 32, 16);
}

/* Filters a frame, and returns its first byte and that of the input. */
static void
run (FilterHarness * h, guint8 bytes[2])
{
  GstBuffer *frame = filter_harness_create_frame (h, 3, 0);
  g_autoptr (GBytes) input = filter_harness_get_bytes (h, frame);
  g_autoptr (GstBuffer) filtered = filter_harness_run (h, frame);
  g_autoptr (GBytes) output = filter_harness_get_bytes (h, filtered);

  bytes[0] = *(const guint8 *) g_bytes_get_data (output, NULL);
  bytes[1] = *(const guint8 *) g_bytes_get_data (input, NULL);
}

static void
assert_inverts (FilterHarness * h, gboolean inverts)
{
  guint8 bytes[2];

  run (h, bytes);
  fail_unless_equals_int (bytes[0], inverts ? 255 - bytes[1] : bytes[1]);
}

/* Filters frames until a warning comes, and returns its text. */
static gchar *
wait_for_warning (FilterHarness * h)
{
  g_autoptr (GError) warning = NULL;
  guint8 bytes[2];

  for (guint i = 0; i < MAX_FRAMES && !warning; i++) {
    run (h, bytes);
    g_usleep (WAIT);
    warning = filter_harness_pop_warning (h);
  }
  fail_unless (warning != NULL);
  return g_strdup (warning->message);
}

static void
assert_warns (FilterHarness * h, const gchar * text)
{
  g_autofree gchar *warning = wait_for_warning (h);

  fail_unless (strstr (warning, text) != NULL, "%s", warning);
}

/* Filters frames until they are inverted, or not. */
static void
wait_until_inverts (FilterHarness * h, gboolean inverts)
{
  guint8 bytes[2] = { 0, 0 };

  for (guint i = 0; i < MAX_FRAMES; i++) {
    run (h, bytes);
    if ((bytes[0] == 255 - bytes[1]) == inverts)
      break;
    g_usleep (WAIT);
  }
  assert_inverts (h, inverts);
}

GST_START_TEST (test_reload)
{
  FilterHarness h;

  init (&h, KEEP);
  assert_inverts (&h, FALSE);
  g_free (write_file ("live.cl", INVERT));
  wait_until_inverts (&h, TRUE);
  filter_harness_assert_quiet (&h);

  /* What is wrong is said once, and the kernel before stays. */
  g_free (write_file ("live.cl", BROKEN));
  assert_warns (&h, "live.cl:3");
  assert_inverts (&h, TRUE);
  g_free (write_file ("live.cl", "#pragma glopencl nonsense\n"));
  assert_warns (&h, "live.cl:1: There is no #pragma glopencl nonsense");
  assert_inverts (&h, TRUE);
  g_autofree gchar *path = write_file ("live.cl", KEEP);
  wait_until_inverts (&h, FALSE);
  g_remove (path);
  assert_warns (&h, "is not there any more");
  assert_inverts (&h, FALSE);
  filter_harness_assert_quiet (&h);
  g_free (write_file ("live.cl", INVERT));
  wait_until_inverts (&h, TRUE);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A link that is moved to another file, and a folder that is replaced. */
GST_START_TEST (test_links)
{
  g_autofree gchar *one = g_build_filename (folder, "one", NULL);
  g_autofree gchar *two = g_build_filename (folder, "two", NULL);
  g_autofree gchar *link = g_build_filename (folder, "link", NULL);
  g_autofree gchar *settings =
      g_strdup_printf ("location=%s/k.cl watch=true", link);
  FilterHarness h;

  g_mkdir (one, 0700);
  g_mkdir (two, 0700);
  g_free (write_file ("one/k.cl", KEEP));
  g_free (write_file ("two/k.cl", INVERT));
  fail_unless_equals_int (symlink ("one", link), 0);
  filter_harness_init_element (&h, "glopenclkernel", settings);
  filter_harness_set_size (&h, 32, 16);
  assert_inverts (&h, FALSE);
  g_remove (link);
  fail_unless_equals_int (symlink ("two", link), 0);
  wait_until_inverts (&h, TRUE);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A file is not read as long as it changes from look to look: an editor still
 * writes. */
GST_START_TEST (test_half_written)
{
  FilterHarness h;

  init (&h, KEEP);
  assert_inverts (&h, FALSE);
  for (guint i = 0; i < QUIET_FRAMES; i++) {
    g_autofree gchar *text = g_strdup_printf ("/* %*d */ " BROKEN, i, 0);

    g_free (write_file ("live.cl", text));
    assert_inverts (&h, FALSE);
    g_usleep (WAIT);
  }
  filter_harness_assert_quiet (&h);
  g_free (write_file ("live.cl", INVERT));
  wait_until_inverts (&h, TRUE);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A kernel that branches works here, and a warning says where it does not. */
GST_START_TEST (test_branches)
{
  FilterHarness h;

  init (&h, BRANCHES);
  assert_warns (&h, "#pragma glopencl scalar");
  g_free (write_file ("live.cl", "#pragma glopencl scalar\n" BRANCHES));
  for (guint i = 0; i < QUIET_FRAMES; i++) {
    guint8 bytes[2];

    run (&h, bytes);
    g_usleep (WAIT);
  }
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A comparison is 1 for one pixel, and -1 for each of several. */
GST_START_TEST (test_verified)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autofree gchar *variant = NULL;
  FilterHarness h;
  guint8 bytes[2];

  init (&h, "Pixel filter (FRAME)\n{\n  Pixel p = pixel (frame, 0, 0);\n"
      "  p.r = to_real (p.r > 0.5f);\n  return p;\n}\n");
  assert_warns (&h, "a comparison is no number");
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], bytes[1] > 127 ? 255 : 0);
  g_object_get (h.filter, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "variant", G_TYPE_STRING, &variant,
          NULL));
  fail_if (g_str_has_prefix (variant, "rows"));
  filter_harness_clear (&h);
}

GST_END_TEST;

static void
set_scale (FilterHarness * h, const gchar * name, gdouble scale)
{
  g_autoptr (GstStructure) arguments = gst_structure_new ("arguments", name,
      G_TYPE_DOUBLE, scale, NULL);

  g_object_set (h->filter, "arguments", arguments, NULL);
}

GST_START_TEST (test_arguments)
{
  g_autoptr (GstStructure) arguments = NULL;
  g_autoptr (GError) warning = NULL;
  gdouble scale = 0.0;
  FilterHarness h;
  guint8 bytes[2];

  init (&h, SCALE);
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], bytes[1]);
  set_scale (&h, "scale", 0.0);
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], 0);
  set_scale (&h, "size", 1.0);
  warning = filter_harness_pop_warning (&h);
  fail_unless (strstr (warning->message, "no argument size") != NULL);
  g_clear_error (&warning);
  set_scale (&h, "scale", 3.0);
  warning = filter_harness_pop_warning (&h);
  fail_unless (strstr (warning->message, "from 0 to 2") != NULL);
  g_object_get (h.filter, "arguments", &arguments, NULL);
  fail_unless (gst_structure_get_double (arguments, "scale", &scale));
  fail_unless_equals_float (scale, 0.0);
  g_object_set (h.filter, "arguments", NULL, NULL);
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], bytes[1]);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Arguments that are not set have the defaults of the present kernel. */
GST_START_TEST (test_defaults)
{
  FilterHarness h;
  guint8 bytes[2];
  gdouble scale = 1.0;

  init (&h, SCALE);
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], bytes[1]);
  gst_child_proxy_get (GST_CHILD_PROXY (h.filter), "scale::value", &scale,
      NULL);
  fail_unless_equals_float (scale, 1.0);
  g_object_set (h.filter, "source", SCALE_BY ("0"), NULL);
  for (guint i = 0; i < MAX_FRAMES && bytes[0] != 0; i++) {
    run (&h, bytes);
    g_usleep (WAIT);
  }
  fail_unless_equals_int (bytes[0], 0);
  gst_child_proxy_get (GST_CHILD_PROXY (h.filter), "scale::value", &scale,
      NULL);
  fail_unless_equals_float (scale, 0.0);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Arguments as children, with a curve in time, also after a reload. */
GST_START_TEST (test_children)
{
  GstControlSource *source = gst_interpolation_control_source_new ();
  FilterHarness h;
  guint8 bytes[2];
  gdouble scale = 0.0;

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      0, 0.0);
  init (&h, SCALE);
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY
          (h.filter)), 1);
  gst_child_proxy_get (GST_CHILD_PROXY (h.filter), "scale::value", &scale,
      NULL);
  fail_unless_equals_float (scale, 1.0);
  gst_child_proxy_set (GST_CHILD_PROXY (h.filter), "scale::value", 0.5, NULL);
  run (&h, bytes);
  fail_unless (ABS (2 * bytes[0] - bytes[1]) <= 1);

  g_autoptr (GObject) child =
      gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (h.filter), "scale");
  gst_object_add_control_binding (GST_OBJECT (child),
      gst_direct_control_binding_new_absolute (GST_OBJECT (child), "value",
          source));
  run (&h, bytes);
  fail_unless_equals_int (bytes[0], 0);
  /* The child of a name stays as long as the kernel has the argument. */
  g_object_set (h.filter, "source", "\n" SCALE, NULL);
  g_autoptr (GObject) again =
      gst_child_proxy_get_child_by_name (GST_CHILD_PROXY (h.filter), "scale");
  fail_unless (again == child);
  g_object_set (h.filter, "source", KEEP, NULL);
  fail_unless_equals_int (gst_child_proxy_get_children_count (GST_CHILD_PROXY
          (h.filter)), 0);
  g_object_set (child, "value", 0.5, NULL);
  gst_object_unref (source);
  filter_harness_clear (&h);
}

GST_END_TEST;

#define N_CHANGES 2000

/* A thread that sets an argument at the same time as others set theirs. */
typedef struct
{
  FilterHarness *h;
  const gchar *property;        /* of a child */
  gint *n_arrived;              /* atomic, of all threads */
} Setter;

/* Waits until both threads have come here @n times. */
static void
meet (const Setter * self, gint n)
{
  g_atomic_int_inc (self->n_arrived);
  while (g_atomic_int_get (self->n_arrived) < 2 * n)
    g_thread_yield ();
}

static gdouble
get_value (const Setter * self)
{
  gdouble value = -1.0;

  gst_child_proxy_get (GST_CHILD_PROXY (self->h->filter), self->property,
      &value, NULL);
  return value;
}

/* Returns how many of its values were lost. */
static gpointer
set_values (gpointer data)
{
  const Setter *self = data;
  guint n_lost = 0;

  for (gint n = 1; n <= N_CHANGES; n++) {
    const gdouble value = n % 7 / 7.0;

    meet (self, 2 * n - 1);
    gst_child_proxy_set (GST_CHILD_PROXY (self->h->filter), self->property,
        value, NULL);
    meet (self, 2 * n);
    n_lost += get_value (self) != value;
  }
  return GUINT_TO_POINTER (n_lost);
}

/* Two threads set two arguments, and none is lost. */
GST_START_TEST (test_threads)
{
  FilterHarness h;
  gint n_arrived = 0;
  Setter setters[] = {
    {&h, "a::value", &n_arrived}, {&h, "b::value", &n_arrived},
  };
  GThread *threads[G_N_ELEMENTS (setters)];

  filter_harness_init_element (&h, "glopenclkernel", "");
  g_object_set (h.filter, "source", "#pragma glopencl argument a 0 1 0.5\n"
      "#pragma glopencl argument b 0 1 0.5\nPixel filter (FRAME)\n{\n"
      "  return times (pixel (frame, 0, 0), info.a + info.b);\n}\n", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (setters); i++)
    threads[i] = g_thread_new (setters[i].property, set_values, &setters[i]);
  for (guint i = 0; i < G_N_ELEMENTS (setters); i++)
    fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (threads[i])), 0);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The time and the number of frames. */
GST_START_TEST (test_info)
{
  FilterHarness h;

  init (&h, "Pixel filter (FRAME)\n{\n  return grey ((info.number * 10 "
      "+ info.time) / 255.0f);\n}\n");
  for (gint i = 0; i < 5; i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 3, 0);

    GST_BUFFER_PTS (frame) = i * GST_SECOND;
    if (i == 0 || i == 3)
      GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
    g_autoptr (GstBuffer) filtered = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_bytes (&h, filtered);
    fail_unless_equals_int (*(const guint8 *) g_bytes_get_data (output, NULL),
        i % 3 * 10 + i);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

#define NATIVE "__kernel void turn(__write_only image2d_t dst,\n" \
    "  unsigned int index, __read_only image2d_t src)\n{\n" \
    "  const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE\n" \
    "      | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n" \
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n" \
    "  int2 size = get_image_dim(src);\n" \
    "  write_imagef(dst, p, read_imagef(src, sampler, size - 1 - p));\n}\n"

/* A kernel in the form of FFmpeg's turns all planes by half a turn. */
GST_START_TEST (test_native)
{
  FilterHarness h;

  filter_harness_init_element (&h, "glopenclkernel", "");
  g_object_set (h.filter, "source", NATIVE, NULL);
  for (guint i = 0; i < 2; i++) {
    if (i == 0)
      filter_harness_set_size (&h, 32, 16);
    else
      filter_harness_set_fields (&h, "format=I420,width=32,height=16");
    GstBuffer *frame = filter_harness_create_frame (&h, 3, 0);
    g_autoptr (GBytes) input = filter_harness_get_samples (&h, frame);
    g_autoptr (GstBuffer) filtered = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_samples (&h, filtered);
    const guint8 *before = g_bytes_get_data (input, NULL);
    const guint8 *after = g_bytes_get_data (output, NULL);
    const guint n = 32 * 16;

    /* Red, or luma; then chroma. */
    for (guint k = 0; k < n; k++)
      fail_unless (after[k] == before[n - 1 - k], "%u: %u: %u %u", i, k,
          after[k], before[n - 1 - k]);
    for (guint k = 0; i == 1 && k < n / 4; k++)
      fail_unless_equals_int (after[n + k], before[n + n / 4 - 1 - k]);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A kernel whose arguments are not those that it gets: an error at the start,
 * and later a warning while the kernel before filters. */
GST_START_TEST (test_signature)
{
  static const gchar *const wrong[] = {
    "write_only image2d_t b, uint i, read_only image2d_t a, int c",
    "write_only image2d_t b, read_only image2d_t a",
    "write_only image2d_t b, unsigned int i",
    "read_only image2d_t a, write_only image2d_t b, unsigned int i",
    "read_only image2d_t a, unsigned int i, write_only image2d_t b",
    "write_only image2d_t b, float i, read_only image2d_t a",
    "write_only image2d_t b, global float *i, read_only image2d_t a",
    "write_only image2d_array_t b, unsigned int i, read_only image2d_t a", "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree gchar *text =
        g_strdup_printf ("/* kernel void no (image2d_t); */"
        "\nkernel void mix (%s)\n{\n}\ntypedef image2d_t unused;\n", wrong[i]);
    g_autoptr (GError) error = NULL;
    FilterHarness h;

    init (&h, text);
    fail_if (gst_harness_push (h.harness, filter_harness_create_frame (&h, 3,
                0)) == GST_FLOW_OK);
    error = filter_harness_pop_error (&h, NULL);
    fail_unless (error && strstr (error->message,
            "Write kernel void mix (write_only image2d_t target, unsigned int "
            "index, read_only image2d_t source)"), "%s: %s", wrong[i],
        error ? error->message : "no error");
    fail_if (strstr (error->message, "driver"), "%s", error->message);
    filter_harness_clear (&h);
    if (i > 0)
      continue;
    filter_harness_init_element (&h, "glopenclkernel", "");
    filter_harness_set_size (&h, 32, 16);
    g_object_set (h.filter, "source", INVERT, NULL);
    assert_inverts (&h, TRUE);
    g_object_set (h.filter, "source", text, NULL);
    assert_warns (&h, "Write kernel void mix");
    assert_inverts (&h, TRUE);
    filter_harness_assert_quiet (&h);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* Saves good, bad and evil texts while frames flow, for as many seconds as
 * GLOPENCL_TEST_STORM says: each frame is one of the two good kernels', and the
 * last good one filters in the end. */
GST_START_TEST (test_storm)
{
  static const gchar *const texts[] = {
    KEEP, INVERT, BROKEN, BRANCHES, "", "\xff", "\xef\xbb\xbf" KEEP,
    "#include \"/etc/passwd\"\n" INVERT, "#line 7 \"x\"\nerror\n" INVERT,
    "#define return\n" BROKEN, "/* no end\n" INVERT,
    "#pragma glopencl argument float 0 1 0\n" INVERT,
    "#define A x x x x x x x x\n#define B A A A A A A A A\n#define C B B B B B B B "
        "B\n#define D C C C C C C C C\n#define E D D D D D D D D\n#define F E E E E "
        "E E E E\nPixel filter (FRAME)\n{\n  F;\n}\n",
    "Pixel filter (FRAME)\n{\n  barrier (1);\n  return grey (0.3f);\n}\n",
    "#define J(a, b) a##b\nPixel filter (FRAME)\n{\n  J (print, f) (\"%n\", 0);\n"
        "  return grey (0.3f);\n}\n",
    "Pixel filter (FRAME)\n{\n  __asm__ (\"ud2\");\n  return grey (0.3f);\n}\n",
    "Pixel filter (FRAME)\n{\n  return nothing_such (frame);\n}\n",
    "Pixel filter (FRAME)\n{\n  {\n  return grey (0.3f);\n}\n",
    "kernel void mix (write_only image2d_t a, read_only image2d_t b)\n{\n}\n",
    "kernel void mix (read_only image2d_t a, unsigned int i, write_only "
        "image2d_t b)\n{\n}\n",
  };
  const gchar *seconds = g_getenv ("GLOPENCL_TEST_STORM");
  const gint64 end = g_get_monotonic_time ()
      + (seconds ? atoi (seconds) : 5) * G_TIME_SPAN_SECOND;
  g_autoptr (GRand) random = test_random_new (1);
  guint n_frames = 0;
  guint n_texts = 0;
  FilterHarness h;

  init (&h, KEEP);
  while (g_get_monotonic_time () < end) {
    /* A comment makes a text a new one, which is built. */
    g_autofree gchar *text = g_strdup_printf ("%s// %u\n",
        texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))],
        n_texts % 1000);

    g_free (write_file ("live.cl", text));
    n_texts++;
    for (gint i = g_rand_int_range (random, 0, 60); i >= 0; i--) {
      guint8 bytes[2];

      run (&h, bytes);
      n_frames++;
      fail_unless (bytes[0] == bytes[1] || bytes[0] == 255 - bytes[1]
          || bytes[0] == (bytes[1] > 127 ? 255 : bytes[1]), "%u of %u",
          bytes[0], bytes[1]);
      g_usleep (WAIT);
    }
    for (GError * warning; (warning = filter_harness_pop_warning (&h));)
      g_error_free (warning);
  }
  g_free (write_file ("live.cl", INVERT));
  wait_until_inverts (&h, TRUE);
  g_free (write_file ("live.cl", KEEP));
  wait_until_inverts (&h, FALSE);
  g_print ("# %u texts, %u frames\n", n_texts, n_frames);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Without a kernel frames pass; the text may come while they flow. */
GST_START_TEST (test_source)
{
  FilterHarness h;

  filter_harness_init_element (&h, "glopenclkernel", "");
  filter_harness_set_size (&h, 32, 16);
  assert_inverts (&h, FALSE);
  g_object_set (h.filter, "source", INVERT, NULL);
  wait_until_inverts (&h, TRUE);
  g_object_set (h.filter, "source", BROKEN, NULL);
  assert_warns (&h, "source:3");
  assert_inverts (&h, TRUE);
  g_object_set (h.filter, "source", NULL, NULL);
  assert_inverts (&h, FALSE);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

static void
assert_refused (const gchar * location, const gchar * text)
{
  g_autoptr (GError) warning = NULL;
  FilterHarness h;

  filter_harness_init_element (&h, "glopenclkernel", "");
  g_object_set (h.filter, "location", location, NULL);
  warning = filter_harness_pop_warning (&h);
  fail_unless (warning && strstr (warning->message, text), "%s: %s", location,
      warning ? warning->message : "no warning");
  filter_harness_clear (&h);
}

GST_START_TEST (test_files)
{
  g_autofree gchar *large = g_strnfill (300 * 1024, ' ');
  g_autofree gchar *large_path = write_file ("large.cl", large);
  g_autofree gchar *binary_path = write_file ("binary.cl", "\xff\xfe" KEEP);
  g_autofree gchar *empty_path = write_file ("empty.cl", "");
  g_autofree gchar *missing_path = g_build_filename (folder, "missing.cl",
      NULL);

  assert_refused (missing_path, "No such file");
  assert_refused (folder, "is not a text file");
  assert_refused ("/dev/zero", "is not a text file");
  assert_refused (large_path, "256 KiB");
  assert_refused (binary_path, "is not a text file");
  assert_refused (empty_path, "is empty");
}

GST_END_TEST;

/* A kernel that does not end: an error within 10 seconds, and an end. The
 * process cannot use the device any more, so this is a process of its own. */
GST_START_TEST (test_endless)
{
  g_autoptr (GError) error = NULL;
  FilterHarness h;

  init (&h, "#pragma glopencl scalar\nPixel filter (FRAME)\n{\n"
      "  volatile int n = 1;\n  while (n);\n"
      "  return pixel (frame, 0, 0);\n}\n");
  fail_if (gst_harness_push (h.harness, filter_harness_create_frame (&h, 3, 0))
      == GST_FLOW_OK);
  error = filter_harness_pop_error (&h, NULL);
  fail_unless (error && strstr (error->message, "does not end"), "%s",
      error ? error->message : "no error");
  filter_harness_clear (&h);
}

GST_END_TEST;

static void
remove_folder (void)
{
  g_autofree gchar *command = g_strdup_printf ("rm -r '%s'", folder);

  g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
  g_free (folder);
}

static Suite *
user_element_suite (void)
{
  Suite *suite = suite_create ("glopenclkernel");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  if (g_getenv ("GLOPENCL_TEST_ENDLESS")) {
    tcase_add_test (tcase, test_endless);
    return suite;
  }
  tcase_add_test (tcase, test_reload);
  tcase_add_test (tcase, test_half_written);
  tcase_add_test (tcase, test_links);
  tcase_add_test (tcase, test_branches);
  tcase_add_test (tcase, test_verified);
  tcase_add_test (tcase, test_arguments);
  tcase_add_test (tcase, test_defaults);
  tcase_add_test (tcase, test_children);
  tcase_add_test (tcase, test_threads);
  tcase_add_test (tcase, test_info);
  tcase_add_test (tcase, test_native);
  tcase_add_test (tcase, test_signature);
  tcase_add_test (tcase, test_storm);
  tcase_add_test (tcase, test_source);
  tcase_add_test (tcase, test_files);
  return suite;
}

int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  folder = g_dir_make_tmp ("glopencl-XXXXXX", NULL);
  const int failed = filter_harness_run_suite (user_element_suite (),
      "userelement", __FILE__);
  remove_folder ();
  return failed;
}
