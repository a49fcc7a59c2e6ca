/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter on every format that it accepts: its output, the way the
 * output is made, and negotiation.
 *
 * The test runs once per way of interop, see meson.build. GLOPENCL_TEST_FORMATS
 * names the formats to test, separated by commas. If this variable is not set,
 * all formats are tested. */

#include <string.h>

#include "elementreference.h"
#include "exhaustive.h"
#include "harness.h"

#define GL_FORMAT "video/x-raw(memory:GLMemory),format=%s"
#define EXTRA_STRIDE 24

/* Settings of a filter that changes the frame. */
#define REAL_SETTINGS "radius=3 window=disc border=constant " \
    "border-color=0xffc81e5a"
#define REAL_FILTER "glopenclfilter " REAL_SETTINGS

/* Frames, and their properties if they are Y'CbCr or grey. */
typedef struct
{
  gint width;
  gint height;
  gint extra_stride;
  const gchar *colorimetry;
  OclColorimetry known;
} Kind;

static const Kind pictures[] = {
  {64, 48, 0, "bt709", {0.2126, 0.0722, FALSE}},
  {67, 45, 0, "bt2020", {0.2627, 0.0593, FALSE}},
  {67, 45, EXTRA_STRIDE, "1:4:7:1", {0.299, 0.114, TRUE}},
};

static OclContext *context;
static GPtrArray *formats;      /* those to test, not owned */

/* OpenGL ES has no textures of 16 bits. */
static gboolean
is_offered (const OclFormat * format)
{
  return format->image_component_bytes == 1
      || g_strcmp0 (g_getenv ("GST_GL_API"), "gles2") != 0;
}

/* If textures are requested, unsharable formats are not offered. */
static gboolean
is_wanted (const OclFormat * format)
{
  return ocl_format_has_images (format) || !harness_shares ();
}

/* Where pixels share a group, a texture of an odd width lacks a part of the last
 * group. */
static gboolean
is_shared (const OclFormat * format, gint width)
{
  return harness_shares () && ocl_format_has_images (format)
      && width % (1 << format->texel_shift) == 0
      && picture_has_images (context, format);
}

/* Textures that cannot be shared are refused where that is asked for. */
static Harness *
start (const OclFormat * format, const gchar * element)
{
  gboolean refused = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    refused |= harness_shares () && !is_shared (format, pictures[i].width);
  return harness_new (NULL, "%s%s", element, refused ? " interop=auto" : "");
}

static void
set_picture (Harness * h, const OclFormat * format, const Kind * picture)
{
  const gboolean rgb = format->model == OCL_MODEL_RGB;

  harness_set_fields (h, "format=%s,width=%d,height=%d%s%s", format->name,
      picture->width, picture->height, rgb ? "" : ",colorimetry=",
      rgb ? "" : picture->colorimetry);
}

/* Returns the output for a frame. Sets @input to its samples. */
static Picture
push (Harness * h, guint seed, gint extra_stride, Picture * input)
{
  GstBuffer *frame = harness_create_padded_frame (h, seed, extra_stride);

  *input = harness_get_picture (h, frame);
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  return harness_get_picture (h, result);
}

/* All bits of a channel's samples, with @tolerance in levels. */
static void
assert_channel (const Picture * output, const Picture * expected,
    guint channel, gint tolerance, const gchar * what)
{
  const OclFormat *format = output->frame.info.format;
  const gint width = picture_get_width (output, channel);
  const gint height = picture_get_height (output, channel);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      gint found = picture_get_component (output, channel, x, y);
      gint wanted = picture_get_component (expected, channel, x, y);

      fail_unless (ABS (found - wanted) <= tolerance << format->shift,
          "%s of %s, %dx%d: channel %u at %d,%d is %d, not %d", what,
          format->name, output->frame.info.width, output->frame.info.height,
          channel, x, y, found, wanted);
    }
  }
}

static void
assert_same (const Picture * output, const Picture * expected,
    gint tolerance, const gchar * what)
{
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (output->frame.info.format->channels[i].step)
      assert_channel (output, expected, i, tolerance, what);
  }
}

/* Zeroes the bits that mean nothing: filters do. */
static void
clear_low_bits (Picture * picture)
{
  const OclFormat *format = picture->frame.info.format;

  for (guint i = 0; format->shift > 0 && i < format->n_planes; i++) {
    for (gint y = 0;
        y < ocl_frame_info_get_plane_height (&picture->frame.info, i); y++) {
      guint8 *row = picture_get_row (picture, i, y);

      for (gsize n = 0;
          n < ocl_frame_info_get_row_bytes (&picture->frame.info, i); n += 2)
        row[n] &= ~((1 << format->shift) - 1);
    }
  }
}

/* interop=auto may share in another way than the one that is tested. */
static void
assert_active (Harness * h, const OclFormat * format)
{
  g_autofree gchar *interop = element_get_value (h->filter, "interop");
  g_autofree gchar *active = element_get_value (h->filter, "active-interop");

  if (!is_shared (format, h->info.width)) {
    fail_unless_equals_string (active, "host-copy");
  } else if (g_str_equal (interop, "auto")) {
    fail_if (g_str_equal (active, "host-copy"));
  } else {
    fail_unless_equals_string (active, interop);
  }
}

static void
check_channel (const OclFormat * format, guint component)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info
      (gst_video_format_from_string (format->name));
  const OclChannel *channel = &format->channels[component];
  /* The table of GStreamer 1.22 is wrong about Y412_LE, all at 0, and about
   * P010_10LE and P016_LE, red difference at 1. Its converters are not. */
  const gboolean unknown = format->component_bytes == 2
      && format->model == OCL_MODEL_YCBCR;
  const gboolean difference = format->model == OCL_MODEL_YCBCR
      && (component == GST_VIDEO_COMP_U || component == GST_VIDEO_COMP_V);

  fail_unless (channel->plane == info->plane[component]
      && (unknown || channel->offset * format->component_bytes
          == info->poffset[component])
      && (gint) (channel->step * format->component_bytes)
      == info->pixel_stride[component]
      && format->depth == info->depth[component]
      && format->shift == info->shift[component]
      && (difference ? format->chroma_x_shift : 0) == info->w_sub[component]
      && (difference ? format->chroma_y_shift : 0) == info->h_sub[component],
      "channel %u of %s is at %u of plane %u, not at %u of plane %u",
      component, format->name, channel->offset * format->component_bytes,
      channel->plane, info->poffset[component], info->plane[component]);
}

/* GStreamer and OpenCL mean the same by a format. */
TEST (test_descriptions)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info
        (gst_video_format_from_string (ocl_formats[i]->name));

    fail_unless_equals_int (ocl_formats[i]->n_planes, info->n_planes);
    for (guint component = 0; component < info->n_components; component++)
      check_channel (ocl_formats[i], component);
  }
}

/* Neutral settings, computed or not, change no sample. */
static void
check_identity (const OclFormat * format)
{
  g_autoptr (Harness) h = start (format,
      "glopenclfilter color-mode=per-channel intensity-sigma=0.000001");

  for (guint i = 0; i < 2 * G_N_ELEMENTS (pictures); i++) {
    const gboolean computed = i % 2;
    g_auto (Picture) input = { 0, };

    if (!computed)
      set_picture (h, format, &pictures[i / 2]);
    g_object_set (h->filter, "spatial-sigma", computed ? 2.0 : 0.0, NULL);
    g_auto (Picture) output = push (h, 1, pictures[i / 2].extra_stride, &input);
    if (computed) {
      clear_low_bits (&input);
      clear_low_bits (&output);
      /* Whether a texture can be borrowed is found out with a frame that is
       * computed. */
      assert_active (h, format);
    }
    assert_same (&output, &input, 0,
        computed ? "computed identity" : "neutral");
  }
}

/* Runs the operation itself on @input, by the variant for CPUs, whose result is
 * that of all variants but for rounding. */
static void
compute (Picture * input, Picture * output, const OclColorimetry * colorimetry)
{
  g_autoptr (OclFilter) operation = create_forced (context,
      &ocl_bilateral_class, ocl_operation_class_find_variant
      (&ocl_bilateral_class, "rows"), NULL);
  g_autoptr (OclParams) params =
      params_new (&ocl_bilateral_class, REAL_SETTINGS);
  GError *error = NULL;

  input->frame.info.colorimetry = output->frame.info.colorimetry = *colorimetry;
  const gboolean ok = harness_run (operation, params, input, output, NULL,
      PICTURE_BUFFER, &error);
  assert_ok (ok, error);
}

/* Variants differ in how they round. The element uses the same one as compute()
 * on a CPU, unless GLOPENCL_TEST_VARIANT names another one. */
static gint
get_tolerance (void)
{
  const gboolean is_cpu = (context->device->type & CL_DEVICE_TYPE_CPU) != 0;

  return is_cpu && !g_getenv ("GLOPENCL_TEST_VARIANT") ? 0 : 1;
}

/* Asserts that @output is that of the operation. */
static void
assert_real (Picture * input, const Picture * output,
    const Kind * picture, const gchar * what)
{
  const OclFormat *format = input->frame.info.format;
  g_auto (Picture) expected =
      picture_new (format, picture->width, picture->height);

  compute (input, &expected, &picture->known);
  if (g_str_equal (what, "luma") && format->model == OCL_MODEL_YCBCR) {
    assert_channel (output, &expected, OCL_CHANNEL_LUMA, get_tolerance (),
        what);
    assert_channel (output, input, 1, 0, "blue difference left alone");
    assert_channel (output, input, 2, 0, "red difference left alone");
  } else {
    assert_same (output, &expected, get_tolerance (), what);
  }
  if (format->channels[OCL_CHANNEL_ALPHA].step)
    assert_channel (output, input, OCL_CHANNEL_ALPHA, 0, "alpha");
}

/* The element hands the frames on to the operation as they are. In place not
 * first: the frame that a texture cannot be borrowed for is lost then. */
static void
check_real (const OclFormat * format)
{
  static const gchar *const ways[] = { "filter", "in place", "luma" };
  g_autoptr (Harness) h = start (format, REAL_FILTER);

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    set_picture (h, format, &pictures[i]);
    for (guint j = 0; j < G_N_ELEMENTS (ways); j++) {
      g_auto (Picture) input = { 0, };

      g_object_set (h->filter, "in-place", j == 1, "planes",
          j == 2 ? OCL_PLANES_LUMA : OCL_PLANES_ALL, NULL);
      g_auto (Picture) output = push (h, 2, pictures[i].extra_stride, &input);
      assert_real (&input, &output, &pictures[i], ways[j]);
    }
    assert_active (h, format);
  }
}

/* Unavailable features are reported with a remedy. */
static void
check_refused (const OclFormat * format)
{
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    const gint width = pictures[i].width;

    if (is_shared (format, width))
      continue;
    g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter");
    g_autofree gchar *words = g_strdup_printf ("%s|interop=auto%s",
        format->name, width % (1 << format->texel_shift) ? "|width is odd"
        : "");

    set_picture (h, format, &pictures[i]);
    fail_if (gst_harness_push (h->harness, harness_create_frame (h, 0))
        == GST_FLOW_OK);
    harness_assert_error (h, GST_RESOURCE_ERROR_SETTINGS, words);
  }
}

/* Formats that GST_GL_API has. */
TEST (test_formats)
{
  for (guint i = 0; i < formats->len; i++) {
    const OclFormat *format = g_ptr_array_index (formats, i);

    if (!is_offered (format))
      continue;
    check_identity (format);
    check_real (format);
    if (is_wanted (format) && harness_shares ())
      check_refused (format);
  }
}

/* One stream, frames of one format after the other. */
TEST (test_renegotiation)
{
  static const gchar *const names[] = {
    "RGBA", "I420", "NV12", "GRAY8", "Y444", "RGBA"
  };
  g_autoptr (Harness) h = harness_new (NULL, REAL_FILTER " interop=auto");
  gboolean fell_back = FALSE;

  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i / 2]);
    const Kind *picture = &pictures[i % 2];
    g_auto (Picture) input = { 0, };

    set_picture (h, format, picture);
    g_auto (Picture) output = push (h, i, 0, &input);
    assert_real (&input, &output, picture, "renegotiation");
    /* A texture that could not be borrowed is the last that is tried. */
    fell_back |= picture_has_images (context, format)
        && !is_shared (format, picture->width);
    if (!fell_back)
      assert_active (h, format);
  }
}

/* Of the caps of that pad. */
static void
assert_fields (const GstStructure * wanted, GstPad * pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const GstStructure *found = gst_caps_get_structure (caps, 0);

  for (gint i = 0; i < gst_structure_n_fields (wanted); i++) {
    const gchar *name = gst_structure_nth_field_name (wanted, i);
    const GValue *other = gst_structure_get_value (found, name);

    fail_unless (other && gst_value_compare (gst_structure_get_value (wanted,
                name), other) == GST_VALUE_EQUAL,
        "%s of %" GST_PTR_FORMAT " is not that of %" GST_PTR_FORMAT, name,
        found, wanted);
  }
}

/* All that caps say about the picture goes through. */
TEST (test_fields)
{
  static const gchar hdr[] =
      "colorimetry=bt2020-10,chroma-site=mpeg2,pixel-aspect-ratio=4/3,"
      "interlace-mode=progressive,framerate=30000/1001,"
      "mastering-display-info=(string)35400:14600:8500:39850:6550:2300:"
      "15635:16450:10000000:1,content-light-level=(string)1000:400";
  static const gchar side_by_side[] =
      "chroma-site=dv,multiview-mode=(string)side-by-side,"
      "multiview-flags=(GstVideoMultiviewFlagsSet)0:ffffffff:";
  static const gchar *const fields[] = { hdr, side_by_side,
    "colorimetry=1:4:7:1,chroma-site=jpeg,multiview-mode=(string)mono",
  };

  /* The name of a type is known only after its registration. */
  g_type_ensure (GST_TYPE_VIDEO_MULTIVIEW_FLAGSET);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autofree gchar *name = g_strconcat ("video/x-raw,format=I420,width=64,"
        "height=48,", fields[i], NULL);
    g_autoptr (GstStructure) wanted = gst_structure_from_string (name, NULL);
    g_autoptr (Harness) h = start (ocl_format_find ("I420"), "glopenclfilter");
    g_autoptr (GstPad) pad = gst_element_get_static_pad (h->filter, "src");

    harness_set_fields (h, "%s", strchr (name, ',') + 1);
    g_bytes_unref (harness_filter (h, 0));
    assert_fields (wanted, pad);
    assert_fields (wanted, h->harness->sinkpad);
  }
}

/* Returns the formats that @pad accepts, as a list in braces. The caller frees
 * it. */
static gchar *
query_formats (GstPad * pad, const gchar * asked)
{
  g_autofree gchar *text = g_strdup_printf (GL_FORMAT, asked);
  g_autoptr (GstCaps) filter = asked ? gst_caps_from_string (text) : NULL;
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, filter);
  GString *list = g_string_new ("{");

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GValue *value =
        gst_structure_get_value (gst_caps_get_structure (caps, i), "format");
    g_autofree gchar *part = gst_value_serialize (value);

    g_strdelimit (part, "{}", ' ');
    g_string_append_printf (list, "%s%s", i ? "," : "", part);
  }
  g_string_replace (list, "(string)", "", 0);
  return g_string_free (list, FALSE);
}

/* Asserts that a pad offers the formats of red, green and blue, or all. */
static void
assert_offers (GstPad * pad, gboolean lab)
{
  g_autofree gchar *offered = query_formats (pad, NULL);
  g_auto (GStrv) names = g_strsplit_set (offered, "{}, ", -1);

  for (guint i = 0; i < formats->len; i++) {
    const OclFormat *format = g_ptr_array_index (formats, i);

    if (is_offered (format))
      fail_unless (g_strv_contains ((const gchar * const *) names, format->name)
          == ((format->model == OCL_MODEL_RGB || !lab) && is_wanted (format)),
          "%s: %s", format->name, offered);
  }
}

/* L*a*b* needs red, green and blue, before and while frames flow. */
TEST (test_lab_caps)
{
  g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter color-mode=lab");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->filter, "sink");

  for (guint n = 0; n < 2; n++) {
    assert_offers (pad, TRUE);
    harness_set_size (h, 32, 32);
    g_bytes_unref (harness_filter (h, 0));
  }
  harness_set (h, "color-mode", "intensity");
  assert_offers (pad, FALSE);
}

static void
assert_order (const gchar * list, const gchar * wanted)
{
  g_auto (GStrv) names = g_strsplit_set (wanted, "{},", -1);
  const gchar *at = list;

  for (guint i = 0; names[i]; i++) {
    at = strstr (at, names[i]);
    fail_unless (at != NULL, "%s is out of order in %s", names[i], list);
  }
}

/* The format preferred by upstream comes first, queried from either side. */
TEST (test_preference)
{
  static const gchar *const orders[] = { "{RGBA,I420,GRAY8}",
    "{GRAY8,YV12,BGRA}", "{I420,RGBA,GRAY8}"
  };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autoptr (GstElement) bin = pipeline_new ("capsfilter caps="
        "\"video/x-raw(memory:GLMemory),format=%s\" ! glopenclfilter name=f",
        orders[i]);
    g_autoptr (GstElement) filter = pipeline_get (bin, "f");
    g_autoptr (GstPad) src = gst_element_get_static_pad (filter, "src");
    g_autoptr (GstPad) sink = gst_element_get_static_pad (filter, "sink");
    g_autofree gchar *downstream = query_formats (src, NULL);
    g_autofree gchar *upstream = query_formats (sink, orders[i]);

    assert_order (downstream, orders[i]);
    assert_order (upstream, orders[i]);
  }
}

/* Parameters that do not support the format are refused in mid-stream. */
TEST (test_lab_live)
{
  const OclFormat *i420 = ocl_format_find ("I420");
  g_autoptr (Harness) h = start (i420, REAL_FILTER);
  g_auto (Picture) input = { 0, };

  set_picture (h, i420, &pictures[0]);
  g_bytes_unref (harness_filter (h, 0));
  harness_set (h, "color-mode", "lab");
  element_assert_value (h->filter, "color-mode", "intensity");
  harness_assert_warning (h, "glcolorconvert|I420");
  g_auto (Picture) output = push (h, 1, 0, &input);
  assert_real (&input, &output, &pictures[0], "after the warning");

  harness_set_size (h, 32, 32);
  g_bytes_unref (harness_filter (h, 0));
  harness_set (h, "color-mode", "lab");
  element_assert_value (h->filter, "color-mode", "lab");
  g_bytes_unref (harness_filter (h, 1));
  harness_assert_quiet (h);
}

void
test_set_up (void)
{
  const gchar *asked = g_getenv ("GLOPENCL_TEST_FORMATS");
  g_auto (GStrv) names = asked ? g_strsplit (asked, ",", -1) : NULL;

  context = open_context ();
  formats = g_ptr_array_new ();
  for (guint i = 0; ocl_formats[i]; i++) {
    if (element_takes (ocl_formats[i]->name)
        && is_format_tried (ocl_formats[i]->name)
        && (!names || g_strv_contains ((const gchar * const *) names,
                ocl_formats[i]->name)))
      g_ptr_array_add (formats, (gpointer) ocl_formats[i]);
  }
}

/* The test layer counts unreleased objects. */
void
test_tear_down (void)
{
  g_ptr_array_unref (formats);
  ocl_context_unref (context);
}
