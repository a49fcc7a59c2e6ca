/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclkernel as an element: kernels from files, arguments, build and
 * read errors, and files that change while frames flow. */

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elementharness.h"
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
 * more than two looks at the file, 100 ms apart, and until something must have
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
save (const gchar * text)
{
  g_free (write_file ("live.cl", text));
}

/* An element whose kernel is in a file that it watches. */
static Harness *
start (const gchar * text)
{
  save (text);
  return harness_new (RGBA (32, 16),
      "glopenclkernel location=%s/live.cl watch=true", folder);
}

/* An element whose kernel is no file's. */
static Harness *
start_without_file (const gchar * source)
{
  Harness *h = harness_new (NULL, "glopenclkernel");

  /* The first frame has this text on each device: later texts are built while
   * frames are filtered. */
  g_object_set (h->filter, "source", source, NULL);
  harness_set_fields (h, RGBA (32, 16));
  return h;
}

/* Filters a frame, and returns its first byte and that of the input. */
static void
run (Harness * h, guint8 bytes[2])
{
  GstBuffer *frame = harness_create_frame (h, 3);
  g_autoptr (GBytes) input = harness_get_bytes (h, frame);
  g_autoptr (GstBuffer) filtered = harness_filter_frame (h, frame);
  g_autoptr (GBytes) output = harness_get_bytes (h, filtered);

  bytes[0] = *(const guint8 *) g_bytes_get_data (output, NULL);
  bytes[1] = *(const guint8 *) g_bytes_get_data (input, NULL);
}

static void
assert_inverts (Harness * h, gboolean inverts)
{
  guint8 bytes[2];

  run (h, bytes);
  fail_unless_equals_int (bytes[0], inverts ? 255 - bytes[1] : bytes[1]);
}

/* Filters frames until a warning comes, which has @text. */
static void
assert_warns (Harness * h, const gchar * text)
{
  g_autoptr (GError) warning = NULL;
  guint8 bytes[2];

  for (guint i = 0; i < MAX_FRAMES && !warning; i++) {
    run (h, bytes);
    g_usleep (WAIT);
    warning = harness_pop_warning (h);
  }
  fail_unless (warning && strstr (warning->message, text), "%s",
      warning ? warning->message : "no warning");
}

/* Filters frames until they are inverted, or not. */
static void
wait_until_inverts (Harness * h, gboolean inverts)
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

TEST (test_reload)
{
  g_autoptr (Harness) h = start (KEEP);
  g_autofree gchar *path = g_build_filename (folder, "live.cl", NULL);

  assert_inverts (h, FALSE);
  save (INVERT);
  wait_until_inverts (h, TRUE);
  harness_assert_quiet (h);

  /* An error is reported once, and the previous kernel stays in use. */
  save (BROKEN);
  assert_warns (h, "live.cl:3");
  assert_inverts (h, TRUE);
  save ("#pragma glopencl nonsense\n");
  assert_warns (h, "live.cl:1: There is no #pragma glopencl nonsense");
  assert_inverts (h, TRUE);
  save (KEEP);
  wait_until_inverts (h, FALSE);
  g_remove (path);
  assert_warns (h, "is not there any more");
  assert_inverts (h, FALSE);
  harness_assert_quiet (h);
  save (INVERT);
  wait_until_inverts (h, TRUE);
}

/* A file is not read as long as it changes from look to look: an editor still
 * writes. */
TEST (test_half_written)
{
  g_autoptr (Harness) h = start (KEEP);

  assert_inverts (h, FALSE);
  for (guint i = 0; i < QUIET_FRAMES; i++) {
    g_autofree gchar *text = g_strdup_printf ("/* %*d */ " BROKEN, i, 0);

    save (text);
    assert_inverts (h, FALSE);
    g_usleep (WAIT);
  }
  harness_assert_quiet (h);
  save (INVERT);
  wait_until_inverts (h, TRUE);
  harness_assert_quiet (h);
}

/* A link that is moved to another file, and a folder that is replaced. */
TEST (test_links)
{
  static const gchar *const names[] = { "one", "two" };
  g_autofree gchar *link = g_build_filename (folder, "link", NULL);

  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *path = g_build_filename (folder, names[i], NULL);
    g_autofree gchar *file = g_strconcat (names[i], "/k.cl", NULL);

    g_mkdir (path, 0700);
    g_free (write_file (file, i ? INVERT : KEEP));
  }
  fail_unless_equals_int (symlink ("one", link), 0);
  g_autoptr (Harness) h = harness_new (RGBA (32, 16),
      "glopenclkernel location=%s/k.cl watch=true", link);
  assert_inverts (h, FALSE);
  g_remove (link);
  fail_unless_equals_int (symlink ("two", link), 0);
  wait_until_inverts (h, TRUE);
}

/* A kernel that branches works here, and a warning says where it does not. */
TEST (test_branches)
{
  g_autoptr (Harness) h = start (BRANCHES);
  guint8 bytes[2];

  assert_warns (h, "#pragma glopencl scalar");
  save ("#pragma glopencl scalar\n" BRANCHES);
  for (guint i = 0; i < QUIET_FRAMES; i++) {
    run (h, bytes);
    g_usleep (WAIT);
  }
  harness_assert_quiet (h);
}

/* A comparison is 1 for one pixel, and -1 for each of several. */
TEST (test_verified)
{
  g_autoptr (Harness) h = start ("Pixel filter (FRAME)\n{\n"
      "  Pixel p = pixel (frame, 0, 0);\n"
      "  p.r = to_real (p.r > 0.5f);\n  return p;\n}\n");
  g_autoptr (GstStructure) stats = NULL;
  guint8 bytes[2];

  assert_warns (h, "a comparison is no number");
  run (h, bytes);
  fail_unless_equals_int (bytes[0], bytes[1] > 127 ? 255 : 0);
  g_object_get (h->filter, "stats", &stats, NULL);
  fail_if (g_str_has_prefix (gst_structure_get_string (stats, "variant"),
          "rows"));
}

/* Filters a frame, whose first byte is scaled. */
static void
assert_scaled (Harness * h, gdouble scale)
{
  guint8 bytes[2];

  run (h, bytes);
  fail_unless (ABS (bytes[0] - bytes[1] * scale) <= 0.5, "%u of %u", bytes[0],
      bytes[1]);
}

static void
set_scale (Harness * h, const gchar * name, gdouble scale)
{
  g_autoptr (GstStructure) arguments = gst_structure_new ("arguments", name,
      G_TYPE_DOUBLE, scale, NULL);

  g_object_set (h->filter, "arguments", arguments, NULL);
}

TEST (test_arguments)
{
  g_autoptr (Harness) h = start (SCALE);
  g_autoptr (GstStructure) arguments = NULL;
  gdouble scale = 0.0;

  assert_scaled (h, 1.0);
  set_scale (h, "scale", 0.0);
  assert_scaled (h, 0.0);
  set_scale (h, "size", 1.0);
  harness_assert_warning (h, "no argument size");
  set_scale (h, "scale", 3.0);
  harness_assert_warning (h, "from 0 to 2");
  g_object_get (h->filter, "arguments", &arguments, NULL);
  fail_unless (gst_structure_get_double (arguments, "scale", &scale));
  fail_unless_equals_float (scale, 0.0);
  g_object_set (h->filter, "arguments", NULL, NULL);
  assert_scaled (h, 1.0);
}

static void
assert_value (Harness * h, gdouble wanted)
{
  gdouble scale = -1.0;

  gst_child_proxy_get (GST_CHILD_PROXY (h->filter), "scale::value", &scale,
      NULL);
  fail_unless_equals_float (scale, wanted);
}

/* Arguments that are not set have the defaults of the present kernel. */
TEST (test_defaults)
{
  g_autoptr (Harness) h = start (SCALE);
  guint8 bytes[2] = { 1, 1 };

  assert_scaled (h, 1.0);
  assert_value (h, 1.0);
  g_object_set (h->filter, "source", SCALE_BY ("0"), NULL);
  for (guint i = 0; i < MAX_FRAMES && bytes[0] != 0; i++) {
    run (h, bytes);
    g_usleep (WAIT);
  }
  assert_scaled (h, 0.0);
  assert_value (h, 0.0);
}

/* Arguments as children, with a curve in time, also after a reload. */
TEST (test_children)
{
  g_autoptr (Harness) h = start (SCALE);
  GstChildProxy *proxy = GST_CHILD_PROXY (h->filter);

  fail_unless_equals_int (gst_child_proxy_get_children_count (proxy), 1);
  assert_value (h, 1.0);
  gst_child_proxy_set (proxy, "scale::value", 0.5, NULL);
  assert_scaled (h, 0.5);

  g_autoptr (GObject) child =
      gst_child_proxy_get_child_by_name (proxy, "scale");
  object_animate (child, "value", 0.0);
  assert_scaled (h, 0.0);
  /* The child of a name stays as long as the kernel has the argument. */
  g_object_set (h->filter, "source", "\n" SCALE, NULL);
  g_autoptr (GObject) again =
      gst_child_proxy_get_child_by_name (proxy, "scale");
  fail_unless (again == child);
  g_object_set (h->filter, "source", KEEP, NULL);
  fail_unless_equals_int (gst_child_proxy_get_children_count (proxy), 0);
  g_object_set (child, "value", 0.5, NULL);
}

#define N_CHANGES 2000

/* A thread that sets an argument at the same time as others set theirs. */
typedef struct
{
  Harness *h;
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

/* Returns how many of its values were lost. */
static gpointer
set_values (gpointer data)
{
  const Setter *self = data;
  GstChildProxy *proxy = GST_CHILD_PROXY (self->h->filter);
  guint n_lost = 0;

  for (gint n = 1; n <= N_CHANGES; n++) {
    gdouble value = -1.0;

    meet (self, 2 * n - 1);
    gst_child_proxy_set (proxy, self->property, n % 7 / 7.0, NULL);
    meet (self, 2 * n);
    gst_child_proxy_get (proxy, self->property, &value, NULL);
    n_lost += value != n % 7 / 7.0;
  }
  return GUINT_TO_POINTER (n_lost);
}

/* Two threads set two arguments, and none is lost. */
TEST (test_threads)
{
  g_autoptr (Harness) h = start_without_file ("#pragma glopencl argument a 0 1 "
      "0.5\n#pragma glopencl argument b 0 1 0.5\nPixel filter (FRAME)\n{\n"
      "  return times (pixel (frame, 0, 0), info.a + info.b);\n}\n");
  gint n_arrived = 0;
  Setter setters[] = {
    {h, "a::value", &n_arrived}, {h, "b::value", &n_arrived},
  };
  GThread *threads[G_N_ELEMENTS (setters)];

  for (guint i = 0; i < G_N_ELEMENTS (setters); i++)
    threads[i] = g_thread_new (setters[i].property, set_values, &setters[i]);
  for (guint i = 0; i < G_N_ELEMENTS (setters); i++)
    fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (threads[i])), 0);
  harness_assert_quiet (h);
}

/* The time and the number of frames. */
TEST (test_info)
{
  g_autoptr (Harness) h = start ("Pixel filter (FRAME)\n{\n  return grey "
      "((info.number * 10 + info.time) / 255.0f);\n}\n");

  for (gint i = 0; i < 5; i++) {
    GstBuffer *frame = harness_create_frame (h, 3);

    GST_BUFFER_PTS (frame) = i * GST_SECOND;
    if (i == 0 || i == 3)
      GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
    g_autoptr (GstBuffer) filtered = harness_filter_frame (h, frame);
    g_autoptr (GBytes) output = harness_get_bytes (h, filtered);
    fail_unless_equals_int (*(const guint8 *) g_bytes_get_data (output, NULL),
        i % 3 * 10 + i);
  }
}

#define NATIVE "__kernel void turn(__write_only image2d_t dst,\n" \
    "  unsigned int index, __read_only image2d_t src)\n{\n" \
    "  const sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE\n" \
    "      | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n" \
    "  int2 p = (int2)(get_global_id(0), get_global_id(1));\n" \
    "  int2 size = get_image_dim(src);\n" \
    "  write_imagef(dst, p, read_imagef(src, sampler, size - 1 - p));\n}\n"

/* A kernel in the form of FFmpeg's turns all planes by half a turn. */
TEST (test_native)
{
  static const guint n = 32 * 16;
  g_autoptr (Harness) h = start_without_file (NATIVE);

  for (guint i = 0; i < 2; i++) {
    harness_set_fields (h, "format=%s,width=32,height=16", i ? "I420" : "RGBA");
    g_autoptr (GBytes) input = harness_get_input (h, 3);
    g_autoptr (GBytes) output = harness_filter (h, 3);
    const guint8 *before = g_bytes_get_data (input, NULL);
    const guint8 *after = g_bytes_get_data (output, NULL);

    /* Red or luma, then chroma. */
    for (guint k = 0; k < n; k++)
      fail_unless (after[k] == before[n - 1 - k], "%u: %u: %u %u", i, k,
          after[k], before[n - 1 - k]);
    for (guint k = 0; i == 1 && k < n / 4; k++)
      fail_unless_equals_int (after[n + k], before[n + n / 4 - 1 - k]);
  }
}

/* A kernel whose arguments are not those that it gets: an error at the start,
 * and later a warning while the kernel before filters. */
TEST (test_signature)
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

#define TEXT "/* kernel void no (image2d_t); */\nkernel void mix (%s)\n{\n}\n" \
    "typedef image2d_t unused;\n"
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree gchar *text = g_strdup_printf (TEXT, wrong[i]);
    g_autoptr (Harness) h = start (text);

    fail_if (gst_harness_push (h->harness, harness_create_frame (h, 3))
        == GST_FLOW_OK);
    harness_assert_error (h, -1, "!driver|Write "
        "kernel void mix (write_only image2d_t target, unsigned int index, "
        "read_only image2d_t source)");
  }
  g_autofree gchar *text = g_strdup_printf (TEXT, wrong[0]);
  g_autoptr (Harness) h = start_without_file (INVERT);
  assert_inverts (h, TRUE);
  g_object_set (h->filter, "source", text, NULL);
  assert_warns (h, "Write kernel void mix");
  assert_inverts (h, TRUE);
  harness_assert_quiet (h);
}

/* Saves good, bad and evil texts while frames flow, for as many seconds as
 * GLOPENCL_TEST_STORM says: each frame is one of the two good kernels', and the
 * last good one filters in the end. */
TEST (test_storm)
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
  g_autoptr (Harness) h = start (KEEP);
  guint n_frames = 0, n_texts = 0;

  while (g_get_monotonic_time () < end) {
    /* A comment makes a text a new one, which is built. */
    g_autofree gchar *text = g_strdup_printf ("%s// %u\n",
        texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))],
        n_texts % 1000);

    g_free (write_file ("live.cl", text));
    n_texts++;
    for (gint i = g_rand_int_range (random, 0, 60); i >= 0; i--) {
      guint8 bytes[2];

      run (h, bytes);
      n_frames++;
      fail_unless (bytes[0] == bytes[1] || bytes[0] == 255 - bytes[1]
          || bytes[0] == (bytes[1] > 127 ? 255 : bytes[1]), "%u of %u",
          bytes[0], bytes[1]);
      g_usleep (WAIT);
    }
    for (GError * warning; (warning = harness_pop_warning (h));)
      g_error_free (warning);
  }
  g_free (write_file ("live.cl", INVERT));
  wait_until_inverts (h, TRUE);
  g_free (write_file ("live.cl", KEEP));
  wait_until_inverts (h, FALSE);
  g_print ("# %u texts, %u frames\n", n_texts, n_frames);
}

/* Without a kernel frames pass through. The text may be set while they flow. */
TEST (test_source)
{
  g_autoptr (Harness) h = start_without_file (NULL);

  assert_inverts (h, FALSE);
  g_object_set (h->filter, "source", INVERT, NULL);
  wait_until_inverts (h, TRUE);
  g_object_set (h->filter, "source", BROKEN, NULL);
  assert_warns (h, "source:3");
  assert_inverts (h, TRUE);
  g_object_set (h->filter, "source", NULL, NULL);
  assert_inverts (h, FALSE);
  harness_assert_quiet (h);
}

TEST (test_files)
{
  g_autofree gchar *large = g_strnfill (300 * 1024, ' ');
  const struct
  {
    const gchar *name;          /* in the folder if it is relative */
    const gchar *text;          /* NULL: is not written */
    const gchar *refusal;
  } files[] = {
    {"missing.cl", NULL, "No such file"},
    {".", NULL, "is not a text file"},
    {"/dev/zero", NULL, "is not a text file"},
    {"large.cl", large, "256 KiB"},
    {"binary.cl", "\xff\xfe" KEEP, "is not a text file"},
    {"empty.cl", "", "is empty"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (Harness) h = start_without_file (NULL);
    g_autofree gchar *path = g_canonicalize_filename (files[i].name, folder);

    if (files[i].text)
      g_free (write_file (files[i].name, files[i].text));
    g_object_set (h->filter, "location", path, NULL);
    harness_assert_warning (h, files[i].refusal);
  }
}

/* A kernel that does not end: an error within 10 seconds, and an end. The
 * process cannot use the device any more, so this is another process. */
TEST_TAGGED (test_endless, "user-element-endless")
{
  g_autoptr (Harness) h = NULL;

  if (!g_getenv ("CK_INCLUDE_TAGS"))
    return;
  h = start ("#pragma glopencl scalar\nPixel filter (FRAME)\n{\n"
      "  volatile int n = 1;\n  while (n);\n"
      "  return pixel (frame, 0, 0);\n}\n");
  fail_if (gst_harness_push (h->harness, harness_create_frame (h, 3))
      == GST_FLOW_OK);
  harness_assert_error (h, -1, "does not end");
}

void
test_set_up (void)
{
  folder = g_dir_make_tmp ("glopencl-XXXXXX", NULL);
}

void
test_tear_down (void)
{
  g_autofree gchar *command = g_strdup_printf ("rm -r '%s'", folder);

  g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL);
  g_free (folder);
}
