/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclformat.h"

#include <math.h>

/* Levels between operations are not bounded by a formula. This is larger, in
 * units of the range from black to white, than what pictures can have. */
#define LARGEST_DIFFERENCE 65536.0

/* Red, green, blue and alpha are in one plane, at positions @a, @b, @c and
 * @d. */
#define PACKED(name_, depth_, bytes_, a, b, c, d, swapped_) { \
  .name = name_,.model = OCL_MODEL_RGB,.depth = depth_, \
  .component_bytes = bytes_,.image_component_bytes = bytes_,.n_planes = 1, \
  .planes = {{4, 0, 0}}, \
  .channels = {{0, a, 4}, {0, b, 4}, {0, c, 4}, {0, d, 4}}, \
  .swapped = swapped_ }

/* Each channel has its own plane. @u and @v are the planes of Cb and Cr. */
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

/* No image has three components. */
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

/* Luma and chroma take one pass each, and no kernel can write to a part of an
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

const OclFormat *
ocl_format_get_result (const OclFormat * format)
{
  return format->result ? format->result : format;
}

const OclFormat *
ocl_format_get_memory (const OclFormat * format)
{
  return format->memory ? format->memory : format;
}

#define N_FORMATS (G_N_ELEMENTS (ocl_formats) - 1)

/* log2 of the number of samples of a channel in a block. */
#define BLOCK_SHIFT 4

/* The formats beside each of ocl_formats[]. Their index has these bits. */
enum
{
  READS_FLOATS = 1 << 0,
  WRITES_FLOATS = 1 << 1,
  HAS_BLOCKS = 1 << 2,
};
typedef OclFormat Between[8];

/* Puts the channels of planes that have several into blocks, unless pixels
 * share a group. */
static void
set_blocks (OclFormat * format)
{
  if (format->planes[0].x_shift > 0)
    return;
  format->has_blocks = TRUE;
  for (guint i = 0; i < format->n_planes; i++) {
    OclPlaneFormat *plane = &format->planes[i];

    if (plane->n_components > 1) {
      plane->n_components <<= BLOCK_SHIFT;
      plane->x_shift += BLOCK_SHIFT;
    }
  }
}

/* Makes the components of @format, which are integers, floats. */
static void
set_floats (OclFormat * format)
{
  format->is_float = TRUE;
  format->component_bytes = format->image_component_bytes =
      format->depth == 8 ? sizeof (cl_half) : sizeof (cl_float);
  format->largest_difference = LARGEST_DIFFERENCE
      * ocl_format_get_max_level (format);
  format->swapped = NULL;
}

static gpointer
create_between (G_GNUC_UNUSED gpointer data)
{
  Between *all = g_new0 (Between, N_FORMATS);

  for (guint i = 0; i < N_FORMATS; i++) {
    for (guint n = 1; n < G_N_ELEMENTS (all[i]); n++) {
      OclFormat *format = &all[i][n];
      const OclFormat *floats =
          &all[i][READS_FLOATS | WRITES_FLOATS | (n & HAS_BLOCKS)];

      *format = *ocl_formats[i];
      format->memory = n & READS_FLOATS ? floats : ocl_formats[i];
      format->result = n & WRITES_FLOATS ? floats : ocl_formats[i];
      if (n & READS_FLOATS)
        set_floats (format);
      if (n & READS_FLOATS && n & HAS_BLOCKS)
        set_blocks (format);
    }
  }
  return all;
}

const OclFormat *
ocl_format_get_between (const OclFormat * format, gboolean reads_floats,
    gboolean writes_floats, gboolean has_blocks)
{
  static GOnce once = G_ONCE_INIT;
  const guint n = (reads_floats ? READS_FLOATS : 0)
      | (writes_floats ? WRITES_FLOATS : 0) | (has_blocks ? HAS_BLOCKS : 0);
  guint i = 0;

  if (!reads_floats && !writes_floats)
    return format;
  while (ocl_formats[i] != format)
    i++;
  return &((Between *) g_once (&once, create_between, NULL))[i][n];
}

const OclFormat *
ocl_format_get_fused (const OclFormat * format, const OclInsert * insert)
{
  static GMutex mutex;
  static GPtrArray *all;        /* of OclFormat; kept */
  OclFormat *fused = NULL;

  g_mutex_lock (&mutex);
  if (!all)
    all = g_ptr_array_new ();
  for (guint i = 0; i < all->len && !fused; i++) {
    OclFormat *other = all->pdata[i];

    if (other->fused == insert && other->result == ocl_format_get_result
        (format) && other->memory == ocl_format_get_memory (format))
      fused = other;
  }
  if (!fused) {
    fused = g_new (OclFormat, 1);
    *fused = *format;
    fused->memory = ocl_format_get_memory (format);
    fused->result = ocl_format_get_result (format);
    fused->fused = insert;
    g_ptr_array_add (all, fused);
  }
  g_mutex_unlock (&mutex);
  return fused;
}

gint
ocl_format_count_samples (gint size, guint shift)
{
  return (size + (1 << shift) - 1) >> shift;
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
ocl_format_get_block (const OclFormat * format, guint plane)
{
  return format->has_blocks && format->planes[plane].n_components > 1
      ? 1 << BLOCK_SHIFT : 1;
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

  if (format->is_float)
    image_format.image_channel_data_type =
        format->component_bytes == 2 ? CL_HALF_FLOAT : CL_FLOAT;
  else if (format->image_component_bytes == 2)
    image_format.image_channel_data_type = CL_UNORM_INT16;
  return image_format;
}

/* ITU-R BT.601, BT.709 and BT.2020 agree on the ranges. */
static gdouble
get_luma_level (const OclFormat * format, gboolean full_range, gdouble luma)
{
  const gdouble unit = 1 << (format->depth - 8);

  return full_range ? luma * ocl_format_get_max_level (format)
      : (16.0 + 219.0 * luma) * unit;
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
  color.s[0] = rint (get_luma_level (format, full_range, luma));
  color.s[1] = rint (get_difference_level (format, full_range,
          0.5 * (blue - luma) / (1.0 - kb)));
  color.s[2] = rint (get_difference_level (format, full_range,
          0.5 * (red - luma) / (1.0 - kr)));
  return color;
}
