/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclformat.h"

#include <math.h>

/* Red, green, blue and alpha are in one plane, at positions @a, @b, @c and
 * @d. */
#define PACKED(name_, depth_, bytes_, a, b, c, d, swapped_) { \
  .name = name_,.model = OCL_MODEL_RGB,.depth = depth_, \
  .component_bytes = bytes_,.image_component_bytes = bytes_,.n_planes = 1, \
  .planes = {{4, 0, 0}}, \
  .channels = {{0, a, 4}, {0, b, 4}, {0, c, 4}, {0, d, 4}}, \
  .swapped = swapped_ }

/* Each channel has a separate plane. @u and @v are the planes of Cb and Cr. */
#define PLANAR(name_, depth_, bytes_, u, v, xs, ys) { \
  .name = name_,.model = OCL_MODEL_YCBCR,.depth = depth_, \
  .component_bytes = bytes_,.image_component_bytes = bytes_,.n_planes = 3, \
  .planes = {{1, 0, 0}, {1, xs, ys}, {1, xs, ys}}, \
  .channels = {{0, 0, 1}, {u, 0, 1}, {v, 0, 1}}, \
  .chroma_x_shift = xs,.chroma_y_shift = ys }

/* Cb and Cr are side by side in the second plane, 4:2:0. */
#define SEMIPLANAR(name_, depth_, shift_, bytes_, u, v) { \
  .name = name_,.model = OCL_MODEL_YCBCR,.depth = depth_,.shift = shift_, \
  .component_bytes = bytes_,.image_component_bytes = bytes_,.n_planes = 2, \
  .planes = {{1, 0, 0}, {2, 1, 1}}, \
  .channels = {{0, 0, 1}, {1, u, 2}, {1, v, 2}}, \
  .chroma_x_shift = 1,.chroma_y_shift = 1 }

static const OclFormat rgba, bgra, rgbx, bgrx;

static const OclFormat rgba = PACKED ("RGBA", 8, 1, 0, 1, 2, 3, &bgra);
static const OclFormat bgra = PACKED ("BGRA", 8, 1, 2, 1, 0, 3, &rgba);
static const OclFormat rgbx = PACKED ("RGBx", 8, 1, 0, 1, 2, 3, &bgrx);
static const OclFormat bgrx = PACKED ("BGRx", 8, 1, 2, 1, 0, 3, &rgbx);
static const OclFormat argb64 = PACKED ("ARGB64", 16, 2, 1, 2, 3, 0, NULL);

/* Images cannot have three components. */
#define THREE_BYTES(name_, r, g, b) { \
  .name = name_,.model = OCL_MODEL_RGB,.depth = 8,.component_bytes = 1, \
  .image_component_bytes = 1,.buffers_only = TRUE,.n_planes = 1, \
  .planes = {{3, 0, 0}},.channels = {{0, r, 3}, {0, g, 3}, {0, b, 3}} }

static const OclFormat rgb = THREE_BYTES ("RGB", 0, 1, 2);
static const OclFormat bgr = THREE_BYTES ("BGR", 2, 1, 0);

static const OclFormat gray8 = {
  .name = "GRAY8",.model = OCL_MODEL_GREY,.depth = 8,.component_bytes = 1,
  .image_component_bytes = 1,.n_planes = 1,.planes = {{1, 0, 0}},
  .channels = {{0, 0, 1}},
};

/* OpenGL holds a sample as two components of one byte. */
static const OclFormat gray16_le = {
  .name = "GRAY16_LE",.model = OCL_MODEL_GREY,.depth = 16,.component_bytes = 2,
  .image_component_bytes = 1,.buffers_only = TRUE,.n_planes = 1,
  .planes = {{1, 0, 0}},.channels = {{0, 0, 1}},
};

/* Luma and chroma take one pass each, and a kernel cannot write a part of an
 * image's pixel. */
static const OclFormat y412_le = {
  .name = "Y412_LE",.model = OCL_MODEL_YCBCR,.depth = 12,.shift = 4,
  .component_bytes = 2,.image_component_bytes = 2,.buffers_only = TRUE,
  .n_planes = 1,.planes = {{4, 0, 0}},
  .channels = {{0, 1, 4}, {0, 0, 4}, {0, 2, 4}, {0, 3, 4}},
};

/* A group has two pixels: two samples of luma, and Cb and Cr between them. @y,
 * @u and @v are the positions of the first luma, Cb and Cr. */
#define PACKED_422(name_, depth_, shift_, bytes_, y, u, v) { \
  .name = name_,.model = OCL_MODEL_YCBCR,.depth = depth_,.shift = shift_, \
  .component_bytes = bytes_,.image_component_bytes = bytes_, \
  .buffers_only = TRUE,.texel_shift = 1,.n_planes = 1, \
  .planes = {{4, 1, 0}},.channels = {{0, y, 2}, {0, u, 4}, {0, v, 4}}, \
  .chroma_x_shift = 1 }

static const OclFormat yuy2 = PACKED_422 ("YUY2", 8, 0, 1, 0, 1, 3);
static const OclFormat uyvy = PACKED_422 ("UYVY", 8, 0, 1, 1, 0, 2);
static const OclFormat y212_le = PACKED_422 ("Y212_LE", 12, 4, 2, 0, 1, 3);

static const OclFormat i420 = PLANAR ("I420", 8, 1, 1, 2, 1, 1);
static const OclFormat yv12 = PLANAR ("YV12", 8, 1, 2, 1, 1, 1);
static const OclFormat y42b = PLANAR ("Y42B", 8, 1, 1, 2, 1, 0);
static const OclFormat y444 = PLANAR ("Y444", 8, 1, 1, 2, 0, 0);
static const OclFormat i420_10le = PLANAR ("I420_10LE", 10, 2, 1, 2, 1, 1);
static const OclFormat i422_10le = PLANAR ("I422_10LE", 10, 2, 1, 2, 1, 0);
static const OclFormat y444_10le = PLANAR ("Y444_10LE", 10, 2, 1, 2, 0, 0);
static const OclFormat nv12 = SEMIPLANAR ("NV12", 8, 0, 1, 0, 1);
static const OclFormat nv21 = SEMIPLANAR ("NV21", 8, 0, 1, 1, 0);
static const OclFormat p010_10le = SEMIPLANAR ("P010_10LE", 10, 6, 2, 0, 1);
static const OclFormat p016_le = SEMIPLANAR ("P016_LE", 16, 0, 2, 0, 1);

static const OclFormat a420 = {
  .name = "A420",.model = OCL_MODEL_YCBCR,.depth = 8,.component_bytes = 1,
  .image_component_bytes = 1,.n_planes = 4,
  .planes = {{1, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 0, 0}},
  .channels = {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}},
  .chroma_x_shift = 1,.chroma_y_shift = 1,
};

const OclFormat *const ocl_formats[] = {
  &rgba, &bgra, &rgbx, &bgrx, &argb64, &y412_le, &gray8, &gray16_le, &i420,
  &yv12, &y42b, &y444, &i420_10le, &i422_10le, &y444_10le, &nv12, &nv21,
  &p010_10le, &p016_le, &a420, &yuy2, &uyvy, &y212_le, &rgb, &bgr, NULL
};

const OclFormat *
ocl_format_find (const gchar * name)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    if (g_str_equal (ocl_formats[i]->name, name))
      return ocl_formats[i];
  }
  return NULL;
}

#define N_FORMATS (G_N_ELEMENTS (ocl_formats) - 1)

static gpointer
create_wide (G_GNUC_UNUSED gpointer data)
{
  OclFormat *all = g_new (OclFormat, N_FORMATS);

  for (guint i = 0; i < N_FORMATS; i++) {
    all[i] = *ocl_formats[i];
    all[i].component_bytes = all[i].image_component_bytes = sizeof (guint16);
    all[i].is_float = TRUE;
    all[i].steps = (1 << 15) >> all[i].depth;
    all[i].largest_difference = 65535.0 / MAX (all[i].steps, 1);
    all[i].swapped = NULL;
  }
  return all;
}

const OclFormat *
ocl_format_get_wide (const OclFormat * format)
{
  static GOnce once = G_ONCE_INIT;
  const OclFormat *all = g_once (&once, create_wide, NULL);
  guint i = 0;

  while (ocl_formats[i] != format)
    i++;
  return all[i].steps > 0 ? &all[i] : NULL;
}

gint
ocl_format_count_samples (gint size, guint shift)
{
  return (size + (1 << shift) - 1) >> shift;
}

const gchar *
ocl_format_get_channel_name (const OclFormat * format, guint channel)
{
  static const gchar *const names[][OCL_CHANNEL_ALPHA + 1] = {
    [OCL_MODEL_RGB] = {"red", "green", "blue"},
    [OCL_MODEL_YCBCR] = {"luma", "cb", "cr"},
    [OCL_MODEL_GREY] = {"luma"},
  };

  return names[format->model][channel];
}

guint
ocl_format_get_max_level (const OclFormat * format)
{
  return (1u << format->depth) - 1;
}

gdouble
ocl_format_get_largest_difference (const OclFormat * format)
{
  if (format->is_float)
    return format->largest_difference;
  return ((1u << 8 * format->component_bytes) - 1) >> format->shift;
}

gboolean
ocl_format_has_images (const OclFormat * format)
{
  for (guint i = 0; i < format->n_planes; i++) {
    if (format->planes[i].n_components == 3)
      return FALSE;
  }
  return TRUE;
}

guint
ocl_format_get_group_bytes (const OclFormat * format, guint plane)
{
  return format->component_bytes * format->planes[plane].n_components;
}

guint
ocl_format_get_image_components (const OclFormat * format, guint plane)
{
  return ocl_format_get_group_bytes (format, plane)
      / format->image_component_bytes >> format->texel_shift;
}

cl_image_format
ocl_format_get_image_format (const OclFormat * format, guint plane)
{
  static const cl_channel_order orders[] = {
    [1] = CL_R,[2] = CL_RG,[4] = CL_RGBA,
  };
  cl_image_format image_format = {
    orders[ocl_format_get_image_components (format, plane)], CL_UNORM_INT8
  };

  if (format->image_component_bytes == 4)
    image_format.image_channel_data_type = CL_FLOAT;
  else if (format->image_component_bytes == 2)
    image_format.image_channel_data_type = CL_UNORM_INT16;
  return image_format;
}

/* @difference is in [-1/2, 1/2]. */
static gdouble
get_difference_level (const OclFormat * format, gboolean full_range,
    gdouble difference)
{
  const gdouble unit = 1 << (format->depth - 8);
  const gdouble level = 128.0 * unit + difference
      * (full_range ? ocl_format_get_max_level (format) : 224.0 * unit);

  return CLAMP (level, 0.0, ocl_format_get_max_level (format));
}

cl_float4
ocl_format_convert_color (const OclFormat * format,
    const OclColorimetry * colorimetry, guint argb)
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble kr = colorimetry->kr > 0.0 ? colorimetry->kr : 0.299;
  const gdouble kb = colorimetry->kb > 0.0 ? colorimetry->kb : 0.114;
  const gboolean full_range = colorimetry->full_range;
  const gdouble red = (argb >> 16 & 255) / 255.0;
  const gdouble green = (argb >> 8 & 255) / 255.0;
  const gdouble blue = (argb & 255) / 255.0;
  const gdouble luma = kr * red + (1.0 - kr - kb) * green + kb * blue;

  cl_float4 color = { {0.0f,} };

  if (format->is_difference)
    return color;
  color.s[OCL_CHANNEL_ALPHA] = max_level;
  if (format->model == OCL_MODEL_RGB) {
    color.s[0] = rint (red * max_level);
    color.s[1] = rint (green * max_level);
    color.s[2] = rint (blue * max_level);
    return color;
  }
  /* ITU-R BT.601, BT.709 and BT.2020 agree on the ranges. */
  color.s[0] = rint (full_range ? luma * max_level
      : (16.0 + 219.0 * luma) * (1 << (format->depth - 8)));
  color.s[1] = rint (get_difference_level (format, full_range,
          0.5 * (blue - luma) / (1.0 - kb)));
  color.s[2] = rint (get_difference_level (format, full_range,
          0.5 * (red - luma) / (1.0 - kr)));
  return color;
}
