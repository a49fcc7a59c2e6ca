/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter on every format that it accepts: its output, the way the
 * output is made, and negotiation.
 *
 * The test runs once per way of interop, see meson.build. GLOPENCL_TEST_FORMATS
 * names the formats to test, separated by commas; if this variable is not set,
 * all formats are tested. */

#include <string.h>

#include "exhaustive.h"
#include "filterharness.h"
#include "picture.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/operation/ocloperation.h"

#define GL_FORMAT "video/x-raw(memory:GLMemory),format=%s"
#define EXTRA_STRIDE 24
#define BORDER_COLOR 0xffc81e5a

/* What a real filter is, as settings and as parameters. */
#define REAL_SETTINGS "radius=3 window=disc border=constant " \
    "border-color=" G_STRINGIFY (BORDER_COLOR)

/* Frames, and what is to be known of them where they are Y'CbCr or grey. */
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
static GPtrArray *formats;      /* those to test; not owned */

/* Of the pad templates. */
static gboolean
is_in_template (const OclFormat * format)
{
  g_autoptr (GstElementFactory) factory =
      gst_element_factory_find ("glopenclfilter");
  g_autofree gchar *fields = g_strdup_printf (GL_FORMAT, format->name);
  g_autoptr (GstCaps) caps = gst_caps_from_string (fields);

  return gst_element_factory_can_sink_any_caps (factory, caps)
      && gst_element_factory_can_src_any_caps (factory, caps);
}

static void
find_formats (void)
{
  const gchar *asked = g_getenv ("GLOPENCL_TEST_FORMATS");
  g_auto (GStrv) names = asked ? g_strsplit (asked, ",", -1) : NULL;

  formats = g_ptr_array_new ();
  for (guint i = 0; ocl_formats[i]; i++) {
    if (is_in_template (ocl_formats[i])
        && is_format_tried (ocl_formats[i]->name)
        && (!names || g_strv_contains ((const gchar * const *) names,
                ocl_formats[i]->name)))
      g_ptr_array_add (formats, (gpointer) ocl_formats[i]);
  }
}

/* OpenGL ES has no textures of 16 bits. */
static gboolean
is_offered (const OclFormat * format)
{
  return format->image_component_bytes == 1
      || g_strcmp0 (g_getenv ("GST_GL_API"), "gles2") != 0;
}

/* Where textures are asked for, what no driver shares is not offered. */
static gboolean
is_wanted (const OclFormat * format)
{
  return ocl_format_has_images (format)
      || !filter_harness_shares ();
}

/* Where pixels share a group, a texture of an odd width lacks a part of the last
 * group. */
static gboolean
is_shared (const OclFormat * format, gint width)
{
  return filter_harness_shares () && ocl_format_has_images (format)
      && width % (1 << format->texel_shift) == 0
      && picture_has_images (context, format);
}

/* Textures that cannot be shared are refused where that is asked for. */
static void
init (FilterHarness * h, const OclFormat * format, const gchar * settings)
{
  gboolean refused = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++)
    refused |= filter_harness_shares ()
        && !is_shared (format, pictures[i].width);
  g_autofree gchar *all = g_strdup_printf ("%s%s", settings,
      refused ? " interop=auto" : "");

  filter_harness_init (h, all);
}

static void
set_picture (FilterHarness * h, const OclFormat * format, const Kind * picture)
{
  const gboolean rgb = format->model == OCL_MODEL_RGB;
  g_autofree gchar *fields = g_strdup_printf ("format=%s,width=%d,height=%d"
      "%s%s", format->name, picture->width, picture->height,
      rgb ? "" : ",colorimetry=", rgb ? "" : picture->colorimetry);

  filter_harness_set_fields (h, fields);
}

/* Copies a frame of what the harness is set to. */
static void
load (Picture * picture, const FilterHarness * h, GstBuffer * buffer)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (&h->info));
  GstVideoFrame mapped;

  picture_init (picture, format, h->info.width, h->info.height);
  fail_unless (gst_video_frame_map (&mapped, &h->info, buffer, GST_MAP_READ));
  for (guint i = 0; i < format->n_planes; i++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&mapped, i);

    for (gint y = 0; y < ocl_frame_get_plane_height (&picture->frame, i); y++)
      memcpy (picture_get_row (picture, i, y),
          data + y * GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, i),
          ocl_frame_get_row_bytes (&picture->frame, i));
  }
  gst_video_frame_unmap (&mapped);
}

/* What comes out for a frame, whose samples @input becomes. */
static void
push (FilterHarness * h, guint seed, gint extra_stride, Picture * input,
    Picture * output)
{
  GstBuffer *frame = filter_harness_create_frame (h, seed, extra_stride);

  load (input, h, frame);
  GstBuffer *result = filter_harness_run (h, frame);
  load (output, h, result);
  gst_buffer_unref (result);
}

/* All bits of a channel's samples; @tolerance in levels. */
static void
assert_channel (const Picture * output, const Picture * expected,
    guint channel, gint tolerance, const gchar * what)
{
  const OclFormat *format = output->frame.format;
  const gint width = picture_get_width (output, channel);
  const gint height = picture_get_height (output, channel);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      gint found = picture_get_component (output, channel, x, y);
      gint wanted = picture_get_component (expected, channel, x, y);

      fail_unless (ABS (found - wanted) <= tolerance << format->shift,
          "%s of %s, %dx%d: channel %u at %d,%d is %d, not %d", what,
          format->name, output->frame.width, output->frame.height, channel, x,
          y, found, wanted);
    }
  }
}

static void
assert_same (const Picture * output, const Picture * expected,
    gint tolerance, const gchar * what)
{
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (output->frame.format->channels[i].step)
      assert_channel (output, expected, i, tolerance, what);
  }
}

/* Zeroes the bits that mean nothing: filters do. */
static void
clear_low_bits (Picture * picture)
{
  const OclFormat *format = picture->frame.format;

  for (guint i = 0; format->shift > 0 && i < format->n_planes; i++) {
    for (gint y = 0; y < ocl_frame_get_plane_height (&picture->frame, i); y++) {
      guint8 *row = picture_get_row (picture, i, y);

      for (gsize n = 0; n < ocl_frame_get_row_bytes (&picture->frame, i);
          n += 2)
        row[n] &= ~((1 << format->shift) - 1);
    }
  }
}

static void
assert_active (FilterHarness * h, const OclFormat * format)
{
  g_autofree gchar *active = filter_harness_get_value (h, "active-interop");

  fail_unless_equals_string (active,
      is_shared (format, h->info.width) ? filter_harness_get_interop ()
      : "host-copy");
}

static void
check_channel (const OclFormat * format, guint component)
{
  const GstVideoFormatInfo *info = gst_video_format_get_info
      (gst_video_format_from_string (format->name));
  const OclChannel *channel = &format->channels[component];
  /* The table of GStreamer 1.22 is wrong about Y412_LE, all at 0, and about
   * P010_10LE and P016_LE, red difference at 1; its converters are not. */
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
GST_START_TEST (test_descriptions)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info
        (gst_video_format_from_string (ocl_formats[i]->name));

    fail_unless_equals_int (ocl_formats[i]->n_planes, info->n_planes);
    for (guint component = 0; component < info->n_components; component++)
      check_channel (ocl_formats[i], component);
  }
}

GST_END_TEST;

/* What changes nothing, computed or not, changes no sample. */
static void
check_identity (FilterHarness * h, const Kind * picture, gboolean computed)
{
  Picture input, output;

  g_object_set (h->filter, "spatial-sigma", computed ? 2.0 : 0.0, NULL);
  push (h, 1, picture->extra_stride, &input, &output);
  if (computed) {
    clear_low_bits (&input);
    clear_low_bits (&output);
  }
  assert_same (&output, &input, 0, computed ? "computed identity" : "neutral");
  picture_clear (&input);
  picture_clear (&output);
}

GST_START_TEST (test_identity)
{
  const OclFormat *format = g_ptr_array_index (formats, __i__);
  FilterHarness h;

  if (!is_offered (format))
    return;
  init (&h, format, "color-mode=per-channel intensity-sigma=0.000001");
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    set_picture (&h, format, &pictures[i]);
    check_identity (&h, &pictures[i], FALSE);
    check_identity (&h, &pictures[i], TRUE);
    /* Whether a texture can be borrowed is found out with a frame that is
     * computed. */
    assert_active (&h, format);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The operation itself on @input; the variant for CPUs, whose result is that of
 * all variants but for rounding. */
static void
compute (Picture * input, Picture * output, const OclColorimetry * colorimetry)
{
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = picture_create_frame (input, context, OCL_STORAGE_BUFFER);
  OclFrame out = picture_create_frame (output, context, OCL_STORAGE_BUFFER);
  OclBilateralParams params;
  const OclRun run = {.params = &params,.input = &in,.output = &out,
    .timer = timer
  };
  GError *error = NULL;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.radius = 3;
  params.window = OCL_BILATERAL_WINDOW_DISC;
  params.border.mode = OCL_BORDER_CONSTANT;
  params.border.color = BORDER_COLOR;
  in.colorimetry = out.colorimetry = *colorimetry;
  if (g_getenv ("GLOPENCL_TEST_VARIANT"))
    ocl_operation_force (operation,
        ocl_operation_class_find_variant (&ocl_bilateral_class, "rows"), NULL);
  g_autoptr (OclPlan) plan =
      ocl_operation_get_plan (operation, &in, &params, &error);
  g_assert_no_error (error);
  ocl_operation_enqueue (operation, plan, &run, &error);
  g_assert_no_error (error);
  fail_unless_equals_string (ocl_plan_get_variant (plan)->name, "rows");
  picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

/* Variants differ in how they round: GLOPENCL_TEST_VARIANT names one. */
static gint
get_tolerance (void)
{
  return g_getenv ("GLOPENCL_TEST_VARIANT") ? 1 : 0;
}

static void
check_real (FilterHarness * h, const Kind * picture, gboolean in_place,
    OclPlanes planes)
{
  Picture input, output, expected;

  g_object_set (h->filter, "in-place", in_place, "planes", planes, NULL);
  push (h, 2, picture->extra_stride, &input, &output);
  const OclFormat *format = input.frame.format;
  picture_init (&expected, format, picture->width, picture->height);
  compute (&input, &expected, &picture->known);
  if (planes == OCL_PLANES_LUMA && format->model == OCL_MODEL_YCBCR) {
    assert_channel (&output, &expected, OCL_CHANNEL_LUMA, get_tolerance (),
        "luma alone");
    assert_channel (&output, &input, 1, 0, "blue difference left alone");
    assert_channel (&output, &input, 2, 0, "red difference left alone");
  } else {
    assert_same (&output, &expected, get_tolerance (),
        in_place ? "filter in place" : "filter");
  }
  if (format->channels[OCL_CHANNEL_ALPHA].step)
    assert_channel (&output, &input, OCL_CHANNEL_ALPHA, 0, "alpha");
  picture_clear (&input);
  picture_clear (&output);
  picture_clear (&expected);
}

/* The element hands the frames on to the operation as they are. In place not
 * first: the frame that a texture cannot be borrowed for is lost then. */
GST_START_TEST (test_real)
{
  const OclFormat *format = g_ptr_array_index (formats, __i__);
  FilterHarness h;

  if (!is_offered (format))
    return;
  init (&h, format, REAL_SETTINGS);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    set_picture (&h, format, &pictures[i]);
    check_real (&h, &pictures[i], FALSE, OCL_PLANES_ALL);
    check_real (&h, &pictures[i], TRUE, OCL_PLANES_ALL);
    check_real (&h, &pictures[i], FALSE, OCL_PLANES_LUMA);
    assert_active (&h, format);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* What cannot be had is said, with what to do about it. */
static void
check_refused (const OclFormat * format, const Kind * picture)
{
  const gboolean is_odd = picture->width % (1 << format->texel_shift) != 0;
  FilterHarness h;

  filter_harness_init (&h, "");
  set_picture (&h, format, picture);
  GstFlowReturn flow = gst_harness_push (h.harness,
      filter_harness_create_frame (&h, 0, 0));
  fail_unless (flow != GST_FLOW_OK);
  g_autoptr (GError) error = filter_harness_pop_error (&h, NULL);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
  fail_unless (strstr (error->message, format->name)
      && strstr (error->message, "interop=auto")
      && is_odd == (strstr (error->message, "width is odd") != NULL), "%s",
      error->message);
  filter_harness_clear (&h);
}

GST_START_TEST (test_refused)
{
  const OclFormat *format = g_ptr_array_index (formats, __i__);

  if (!is_offered (format) || !is_wanted (format) || !filter_harness_shares ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    if (!is_shared (format, pictures[i].width))
      check_refused (format, &pictures[i]);
  }
}

GST_END_TEST;

/* One stream, frames of one format after the other. */
GST_START_TEST (test_renegotiation)
{
  static const gchar *const names[] = {
    "RGBA", "I420", "NV12", "GRAY8", "Y444", "RGBA"
  };
  gboolean fell_back = FALSE;
  FilterHarness h;

  filter_harness_init (&h, REAL_SETTINGS " interop=auto");
  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i / 2]);
    const Kind *picture = &pictures[i % 2];
    Picture input, output, expected;

    set_picture (&h, format, picture);
    push (&h, i, 0, &input, &output);
    picture_init (&expected, format, picture->width, picture->height);
    compute (&input, &expected, &picture->known);
    assert_same (&output, &expected, get_tolerance (), "renegotiation");
    picture_clear (&input);
    picture_clear (&output);
    picture_clear (&expected);
    /* A texture that could not be borrowed is the last that is tried. */
    fell_back |= picture_has_images (context, format)
        && !is_shared (format, picture->width);
    if (!fell_back)
      assert_active (&h, format);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

static void
assert_same_field (const GstStructure * wanted, const GstStructure * found,
    const gchar * name)
{
  const GValue *value = gst_structure_get_value (wanted, name);
  const GValue *other = gst_structure_get_value (found, name);

  fail_unless (other && gst_value_compare (value, other) == GST_VALUE_EQUAL,
      "%s of %" GST_PTR_FORMAT " is not that of %" GST_PTR_FORMAT, name,
      found, wanted);
}

/* Of the caps of that pad. */
static void
assert_fields (const GstStructure * wanted, GstPad * pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const GstStructure *found = gst_caps_get_structure (caps, 0);

  for (gint i = 0; i < gst_structure_n_fields (wanted); i++)
    assert_same_field (wanted, found, gst_structure_nth_field_name (wanted, i));
}

/* All that caps say about the picture goes through. */
GST_START_TEST (test_fields)
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

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) {
    g_autofree gchar *all = g_strconcat ("format=I420,width=64,height=48,",
        fields[i], NULL);
    g_autofree gchar *name = g_strconcat ("video/x-raw,", all, NULL);
    g_autoptr (GstStructure) wanted = gst_structure_from_string (name, NULL);
    FilterHarness h;

    init (&h, ocl_format_find ("I420"), "");
    filter_harness_set_fields (&h, all);
    gst_buffer_unref (filter_harness_run (&h,
            filter_harness_create_frame (&h, 0, 0)));
    g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "src");
    assert_fields (wanted, pad);
    assert_fields (wanted, h.harness->sinkpad);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* The formats that @pad says it could take, as a list in braces; free it. */
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

static gboolean
has_format (const gchar * list, const gchar * name)
{
  g_auto (GStrv) names = g_strsplit_set (list, "{}, ", -1);

  return g_strv_contains ((const gchar * const *) names, name);
}

/* L*a*b* is of red, green and blue; before and while frames flow. */
GST_START_TEST (test_lab_caps)
{
  FilterHarness h;

  filter_harness_init (&h, "color-mode=lab");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "sink");
  for (guint n = 0; n < 2; n++) {
    g_autofree gchar *offered = query_formats (pad, NULL);

    for (guint i = 0; i < formats->len; i++) {
      const OclFormat *format = g_ptr_array_index (formats, i);

      if (is_offered (format))
        fail_unless (has_format (offered, format->name)
            == (format->model == OCL_MODEL_RGB && is_wanted (format)),
            "%s: %s", format->name, offered);
    }
    filter_harness_set_size (&h, 32, 32);
    gst_buffer_unref (filter_harness_run (&h,
            filter_harness_create_frame (&h, 0, 0)));
  }
  gst_util_set_object_arg (G_OBJECT (h.filter), "color-mode", "intensity");
  g_autofree gchar *more = query_formats (pad, NULL);
  fail_unless (has_format (more, "I420"));
  for (guint i = 0; i < formats->len; i++) {
    const OclFormat *format = g_ptr_array_index (formats, i);

    fail_unless_equals_int (has_format (more, format->name),
        is_offered (format) && is_wanted (format));
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

static void
assert_order (const gchar * list, const gchar * const *names)
{
  const gchar *at = list;

  for (guint i = 0; names[i]; i++) {
    at = strstr (at, names[i]);
    fail_unless (at != NULL, "%s is out of order in %s", names[i], list);
  }
}

/* What upstream likes best comes first, asked from either side. */
GST_START_TEST (test_preference)
{
  static const struct
  {
    const gchar *formats, *names[4];
  } orders[] = {
    {"{RGBA,I420,GRAY8}", {"RGBA", "I420", "GRAY8", NULL}},
    {"{GRAY8,YV12,BGRA}", {"GRAY8", "YV12", "BGRA", NULL}},
    {"{I420,RGBA,GRAY8}", {"I420", "RGBA", "GRAY8", NULL}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++) {
    g_autofree gchar *launch = g_strdup_printf ("capsfilter caps="
        "\"video/x-raw(memory:GLMemory),format=%s\" ! glopenclfilter name=f",
        orders[i].formats);
    g_autoptr (GstElement) bin =
        gst_parse_bin_from_description (launch, FALSE, NULL);
    g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (bin), "f");
    g_autoptr (GstPad) src = gst_element_get_static_pad (filter, "src");
    g_autoptr (GstPad) sink = gst_element_get_static_pad (filter, "sink");
    g_autofree gchar *downstream = query_formats (src, NULL);
    g_autofree gchar *upstream = query_formats (sink, orders[i].formats);

    assert_order (downstream, orders[i].names);
    assert_order (upstream, orders[i].names);
  }
}

GST_END_TEST;

static void
set_lab (FilterHarness * h, const gchar * expected)
{
  gst_util_set_object_arg (G_OBJECT (h->filter), "color-mode", "lab");
  g_autofree gchar *mode = filter_harness_get_value (h, "color-mode");
  fail_unless_equals_string (mode, expected);
}

/* What frames cannot be filtered with is refused in mid-stream. */
GST_START_TEST (test_lab_live)
{
  const OclFormat *i420 = ocl_format_find ("I420");
  Picture input, output, expected;
  FilterHarness h;

  init (&h, i420, REAL_SETTINGS);
  set_picture (&h, i420, &pictures[0]);
  push (&h, 0, 0, &input, &expected);
  picture_clear (&input);
  picture_clear (&expected);
  set_lab (&h, "intensity");
  g_autoptr (GError) warning = filter_harness_pop_warning (&h);
  g_assert_error (warning, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS);
  fail_unless (strstr (warning->message, "glcolorconvert")
      && strstr (warning->message, "I420"), "%s", warning->message);

  push (&h, 1, 0, &input, &output);
  picture_init (&expected, i420, pictures[0].width, pictures[0].height);
  compute (&input, &expected, &pictures[0].known);
  assert_same (&output, &expected, get_tolerance (), "after the warning");
  picture_clear (&input);
  picture_clear (&output);
  picture_clear (&expected);

  filter_harness_set_size (&h, 32, 32);
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 0, 0)));
  set_lab (&h, "lab");
  fail_unless (filter_harness_pop_warning (&h) == NULL);
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 1, 0)));
  fail_unless (filter_harness_pop_error (&h, NULL) == NULL);
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
elementformats_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-formats");
  TCase *tests = tcase_create ("formats");
  GError *error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);

  g_assert_no_error (error);
  context = ocl_context_new (devices->pdata[0], NULL, &error);
  g_assert_no_error (error);
  find_formats ();
  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  tcase_add_test (tests, test_descriptions);
  tcase_add_loop_test (tests, test_identity, 0, formats->len);
  tcase_add_loop_test (tests, test_real, 0, formats->len);
  tcase_add_loop_test (tests, test_refused, 0, formats->len);
  tcase_add_test (tests, test_renegotiation);
  tcase_add_test (tests, test_fields);
  tcase_add_test (tests, test_lab_caps);
  tcase_add_test (tests, test_preference);
  tcase_add_test (tests, test_lab_live);
  return suite;
}

/* The test layer counts what is not released. */
int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  int result = filter_harness_run_suite (elementformats_suite (),
      "elementformats", __FILE__);
  g_ptr_array_unref (formats);
  ocl_context_unref (context);
  return result;
}
