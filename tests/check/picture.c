/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "picture.h"

#include <string.h>

void
picture_init (Picture * picture, gint width, gint height)
{
  picture->width = width;
  picture->height = height;
  picture->stride = width * 4 + MARGIN;
  picture->bytes = g_malloc (picture_get_size (picture));
  memset (picture->bytes, CANARY, picture_get_size (picture));
  picture->pixels = picture->bytes + MARGIN;
}

void
picture_init_copy (Picture * picture, const Picture * source)
{
  *picture = *source;
  picture->bytes = g_memdup2 (source->bytes, picture_get_size (source));
  picture->pixels = picture->bytes + MARGIN;
}

void
picture_clear (Picture * picture)
{
  g_free (picture->bytes);
}

gsize
picture_get_size (const Picture * picture)
{
  return MARGIN + (gsize) picture->stride * picture->height;
}

guint8 *
picture_get_pixel (const Picture * picture, gint x, gint y)
{
  return picture->pixels + (gsize) y * picture->stride + 4 * x;
}

void
picture_fill (Picture * picture, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture_get_pixel (picture, x, y);
      gint edge = (x / 9 + y / 7) % 2 ? 90 : 0;

      for (gint c = 0; c < 3; c++)
        pixel[c] = CLAMP (x * (c + 1) % 160 + edge
            + g_rand_int_range (random, -20, 21), 0, 255);
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
}

void
picture_swap_red_and_blue (Picture * picture)
{
  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture_get_pixel (picture, x, y);
      guint8 red = pixel[0];

      pixel[0] = pixel[2];
      pixel[2] = red;
    }
  }
}

OclFrame
picture_create_frame (Picture * picture, OclContext * context,
    OclStorage storage, gboolean bgra)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { picture->width, picture->height, 1 };
  OclFrame frame = {.storage = storage,.width = picture->width,
    .height = picture->height,.stride = picture->stride,.bgra = bgra
  };
  OclFrame image = { 0, };
  cl_int status = CL_SUCCESS;
  GError *error = NULL;

  if (storage == OCL_STORAGE_BUFFER) {
    frame.memory = clCreateBuffer (context->context,
        CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, ocl_frame_get_size (&frame),
        picture->pixels, &status);
    g_assert_cmpint (status, ==, CL_SUCCESS);
    return frame;
  }
  gboolean ok = ocl_frame_ensure (&image, context, storage, &frame, &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteImage (context->queue, image.memory, CL_TRUE,
          origin, region, picture->stride, 0, picture->pixels, 0, NULL, NULL),
      ==, CL_SUCCESS);
  return image;
}

void
picture_download (Picture * picture, OclContext * context,
    const OclFrame * frame)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { frame->width, frame->height, 1 };
  cl_int status = CL_SUCCESS;

  if (frame->storage == OCL_STORAGE_IMAGE) {
    g_assert_cmpint (clEnqueueReadImage (context->queue, frame->memory,
            CL_TRUE, origin, region, picture->stride, 0, picture->pixels, 0,
            NULL, NULL), ==, CL_SUCCESS);
    return;
  }
  void *data = clEnqueueMapBuffer (context->queue, frame->memory, CL_TRUE,
      CL_MAP_READ, 0, ocl_frame_get_size (frame), 0, NULL, NULL, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);
  g_assert_true (data == picture->pixels);
  clEnqueueUnmapMemObject (context->queue, frame->memory, data, 0, NULL, NULL);
  clFinish (context->queue);
}

void
assert_ok (gboolean ok, GError * error)
{
  g_assert_no_error (error);
  g_assert_true (ok);
}
