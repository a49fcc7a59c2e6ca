/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests transfers of frames from host memory to a device and back, by both
 * routes, and copies by several threads. */

#include <string.h>

#include "elementharness.h"
#include "harness.h"
#include "interop/gstglopencltransfer.h"

#define CANARY 0xa5

static OclContext *context;

/* A frame in host memory, with rows that are longer by @padding where its
 * format has one plane. */
typedef struct
{
  GstVideoInfo info;
  GstBuffer *buffer;
  GstVideoFrame frame;
} Mapped;

static void
mapped_init (Mapped * self, const gchar * format, gint width, gint height,
    gint padding, guint seed)
{
  GstVideoFormat video_format = gst_video_format_from_string (format);

  gst_video_info_set_format (&self->info, video_format, width, height);
  if (padding > 0) {
    self->info.stride[0] += padding;
    self->info.size = (gsize) self->info.stride[0] * height;
  }
  self->buffer = gst_buffer_new_allocate (NULL, self->info.size, NULL);
  fail_unless (gst_video_frame_map (&self->frame, &self->info, self->buffer,
          GST_MAP_READWRITE));
  guint8 *bytes = GST_VIDEO_FRAME_PLANE_DATA (&self->frame, 0);
  for (gsize i = 0; i < self->info.size; i++)
    bytes[i] = seed ? (i * 2654435761u + seed) >> 13 : CANARY;
}

static void
mapped_clear (Mapped * self)
{
  gst_video_frame_unmap (&self->frame);
  gst_buffer_unref (self->buffer);
}

/* The pixels of @found are those of @wanted, and nothing else was written. */
static void
assert_same_pixels (Mapped * found, Mapped * wanted, const OclFrame * like)
{
  for (guint i = 0; i < like->info.format->n_planes; i++) {
    const gsize row_bytes = ocl_frame_info_get_row_bytes (&like->info, i);
    const gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (&found->frame, i);
    const guint8 *a = GST_VIDEO_FRAME_PLANE_DATA (&found->frame, i);
    const guint8 *b = GST_VIDEO_FRAME_PLANE_DATA (&wanted->frame, i);

    for (gint y = 0; y < ocl_frame_info_get_plane_height (&like->info, i); y++) {
      fail_unless (memcmp (a + y * stride, b
              + y * GST_VIDEO_FRAME_PLANE_STRIDE (&wanted->frame, i),
              row_bytes) == 0, "row %d of plane %u", y, i);
      for (gint x = row_bytes; like->info.format->n_planes == 1 && x < stride;
          x++)
        fail_unless_equals_int (a[y * stride + x], CANARY);
    }
  }
}

static void
check_transfer (const gchar * format, gint width, gint height, gint padding,
    gboolean direct)
{
  const OclFrame like = {.info = {.format = ocl_format_find (format),.storage =
          OCL_STORAGE_BUFFER,.width = width,.height = height}
  };
  GstGLOpenCLTransfer transfer = { 0, };
  GstGLOpenCLStaging staging = { 0, };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  Mapped input, output;
  GError *error = NULL;

  gst_gl_opencl_transfer_init (&transfer, context);
  mapped_init (&input, format, width, height, padding, 17);
  mapped_init (&output, format, width, height, padding, 0);
  fail_unless (gst_gl_opencl_transfer_prepare (&transfer, &transfer.upload,
          &staging, &like.info, &input.frame, &error));
  fail_unless (gst_gl_opencl_transfer_prepare (&transfer, &transfer.download,
          &staging, &like.info, &output.frame, &error));
  /* The measured routes were correct, too. */
  transfer.upload.direct = transfer.download.direct = direct;
  for (guint i = 0; i < 3; i++) {
    mapped_clear (&input);
    mapped_clear (&output);
    mapped_init (&input, format, width, height, padding, i + 1);
    mapped_init (&output, format, width, height, padding, 0);
    fail_unless (gst_gl_opencl_transfer_upload (&transfer, &staging,
            &input.frame, timer, &error));
    fail_unless (gst_gl_opencl_transfer_begin_download (&transfer, &staging,
            &output.frame, timer, &error));
    /* The route of a download is that with which it was begun. */
    transfer.download.direct = !direct;
    fail_unless (gst_gl_opencl_transfer_finish_download (&transfer, &staging,
            &output.frame, timer, &error));
    transfer.download.direct = direct;
    g_assert_no_error (error);
    ocl_timer_reset (timer);
    assert_same_pixels (&output, &input, &like);
  }
  mapped_clear (&input);
  mapped_clear (&output);
  gst_gl_opencl_staging_clear (&staging, context);
  gst_gl_opencl_transfer_clear (&transfer);
}

TEST_LOOP (test_routes, 2)
{
  static const struct
  {
    const gchar *format;
    gint width, height, padding;
  } cases[] = {
    {"RGBA", 64, 3, 0}, {"RGBA", 640, 481, 0}, {"RGBA", 1, 1, 20},
    {"RGBA", 333, 700, 12}, {"I420", 64, 48, 0}, {"I420", 33, 17, 0},
    {"NV12", 1280, 720, 0}, {"P010_10LE", 130, 66, 0}, {"RGB", 33, 9, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_transfer (cases[i].format, cases[i].width, cases[i].height,
        cases[i].padding, __i__);
}

static void
check_copy (GstGLOpenCLCopier * copier, gsize row_bytes, gint height,
    gsize source_stride, gsize target_stride)
{
  g_autofree guint8 *source = g_malloc (source_stride * height);
  g_autofree guint8 *target = g_malloc (target_stride * height);

  for (gsize i = 0; i < source_stride * height; i++)
    source[i] = i * 2654435761u >> 11;
  memset (target, CANARY, target_stride * height);
  gst_gl_opencl_copier_copy (copier, target, target_stride, source,
      source_stride, row_bytes, height);
  for (gint y = 0; y < height; y++) {
    fail_unless (memcmp (target + y * target_stride,
            source + y * source_stride, row_bytes) == 0, "row %d", y);
    for (gsize x = row_bytes; x < target_stride; x++)
      fail_unless_equals_int (target[y * target_stride + x], CANARY);
  }
}

TEST (test_copier)
{
  GstGLOpenCLCopier *copier = gst_gl_opencl_copier_new ();

  check_copy (copier, 1, 1, 1, 1);
  check_copy (copier, 100, 7, 100, 128);
  for (guint i = 0; i < 20; i++) {
    check_copy (copier, 7680, 1000 + i, 7680, 7696);
    check_copy (copier, 1000, 1 + 100 * i, 1024, 1000);
  }
  /* A row larger than a band. */
  check_copy (copier, 1 << 20, 3, 1 << 20, (1 << 20) + 4);
  gst_gl_opencl_copier_free (copier);
  gst_gl_opencl_copier_free (gst_gl_opencl_copier_new ());
}

void
test_set_up (void)
{
  context = open_context ();
}
