/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogramoverlay.h"

#include "oclhistogram.h"

/* What the panel's height stands for at most, as a part of the frame. */
#define MOST_OF_FRAME 32

#define PANEL_WIDTH 256
#define PANEL_HEIGHT 100
#define MARGIN 8
#define FRAME_HEIGHT_OF_SCALE 480

#define MAX_GROUP_SIDE 16

/* Where the panel is, in pixels of the frame; its corner is one of a sample of
 * each channel. */
typedef struct
{
  cl_int scale;
  cl_int x;
  cl_int y;
  cl_int width;
  cl_int height;
} Panel;

/* What becomes of the channels of a pass, see the header. */
typedef struct
{
  cl_int line;
  cl_int base;
  cl_int rise;
} Levels;

/* The channels of a pass that a plane has: a kernel's arguments. */
typedef struct
{
  cl_int first;
  cl_int step;
  cl_int4 offsets;
} PlaneChannels;

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  gsize group_side;
  OclFrame copy;                /* the panel of frames that are images */
} OclHistogramOverlay;

static void
ocl_histogram_overlay_free (gpointer object)
{
  OclHistogramOverlay *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_frame_clear (&self->copy);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_histogram_overlay_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclHistogramOverlay *self = g_new0 (OclHistogramOverlay, 1);

  self->context = ocl_context_ref (context);
  self->kernel = ocl_program_build_kernel (context, "histogram-overlay.cl",
      build, "", "histogram_overlay", error);
  if (!self->kernel || !ocl_kernel_get_group_side (context, self->kernel,
          MAX_GROUP_SIDE, &self->group_side, error)) {
    ocl_histogram_overlay_free (self);
    return NULL;
  }
  return self;
}

static Panel
get_panel (const OclFrame * frame)
{
  const OclFormat *format = frame->format;
  Panel panel;

  panel.scale = MAX (1, frame->height / FRAME_HEIGHT_OF_SCALE);
  panel.width = MIN (PANEL_WIDTH * panel.scale, frame->width);
  panel.height = MIN (PANEL_HEIGHT * panel.scale, frame->height);
  panel.x = MAX (0, frame->width - panel.width - MARGIN * panel.scale);
  panel.x &= ~((1 << format->chroma_x_shift) - 1);
  panel.y = MIN (MARGIN * panel.scale, frame->height - panel.height);
  panel.y &= ~((1 << format->chroma_y_shift) - 1);
  return panel;
}

static Levels
get_levels (const OclFrame * frame, const OclPass * pass)
{
  const OclFormat *format = frame->format;
  const gboolean full_range = frame->colorimetry.full_range
      || format->model == OCL_MODEL_RGB;
  const cl_int unit = 1 << (format->depth - 8);
  const cl_int neutral = 128 * unit;
  const cl_int black = full_range ? 0 : 16 * unit;
  const cl_int white =
      full_range ? (cl_int) ocl_format_get_max_level (format) : 235 * unit;
  const Levels luma = {
    .line = white,.base = black,.rise = (white - black + 1) / 2,
  };
  const Levels differences = {
    .line = neutral,.base = neutral,.rise = (full_range ? 64 : 56) * unit,
  };

  return pass->first_channel == OCL_CHANNEL_LUMA ? luma : differences;
}

static PlaneChannels
get_channels (const OclFormat * format, const OclPass * pass, guint plane)
{
  PlaneChannels channels = {.offsets = {{-1, -1, -1, -1}} };
  guint n = 0;

  for (guint i = 0; i < pass->n_channels; i++) {
    const OclChannel *channel = &format->channels[pass->first_channel + i];

    if (channel->plane != plane)
      continue;
    if (n == 0)
      channels.first = pass->first_channel + i;
    channels.step = channel->step;
    channels.offsets.s[n++] = channel->offset;
  }
  return channels;
}

/* Draws on a plane of a buffer in which the panel starts at byte @offset. */
static gboolean
ocl_histogram_overlay_draw (OclHistogramOverlay * self, const OclRun * run,
    const OclFrame * frame, guint plane, const Panel * panel, cl_int offset,
    GError ** error)
{
  const PlaneChannels channels = get_channels (frame->format, run->pass, plane);
  const Levels levels = get_levels (frame, run->pass);
  const cl_int n_channels = ocl_histogram_get_n_channels (frame->format);
  const cl_int2 rows = { {offset, frame->planes[plane].stride} };
  const guint64 n_pixels = (guint64) run->output->width * run->output->height;
  const cl_uint most = MAX (n_pixels / MOST_OF_FRAME, 1);
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, frame->planes[plane].memory);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, channels.step);
  OCL_ARGUMENTS_ADD (&arguments, channels.offsets);
  OCL_ARGUMENTS_ADD (&arguments, channels.first);
  OCL_ARGUMENTS_ADD (&arguments, panel->width);
  OCL_ARGUMENTS_ADD (&arguments, panel->height);
  OCL_ARGUMENTS_ADD (&arguments, panel->scale);
  OCL_ARGUMENTS_ADD (&arguments, levels.line);
  OCL_ARGUMENTS_ADD (&arguments, levels.base);
  OCL_ARGUMENTS_ADD (&arguments, levels.rise);
  OCL_ARGUMENTS_ADD (&arguments, n_channels);
  OCL_ARGUMENTS_ADD (&arguments, run->result->device.memory);
  OCL_ARGUMENTS_ADD (&arguments, most);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0,
      ocl_format_count_samples (panel->width, run->pass->x_shift),
      ocl_format_count_samples (panel->height, run->pass->y_shift),
      self->group_side, self->group_side,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

/* No kernel can read and write one image: its panel goes through a buffer. */
static gboolean
ocl_histogram_overlay_draw_on_image (OclHistogramOverlay * self,
    const OclRun * run, guint plane, const Panel * panel, GError ** error)
{
  const OclFrame *copy = &self->copy;
  const OclPlaneFormat *format = &run->output->format->planes[plane];
  const cl_mem image = run->output->planes[plane].memory;
  const size_t origin[3] = { panel->x >> format->x_shift,
    panel->y >> format->y_shift, 0
  };
  const size_t region[3] = { ocl_frame_get_plane_width (copy, plane),
    ocl_frame_get_plane_height (copy, plane), 1
  };
  cl_command_queue queue = self->context->queue;

  return ocl_check (clEnqueueCopyImageToBuffer (queue, image,
          copy->planes[plane].memory, origin, region, 0, 0, NULL,
          ocl_timer_add (run->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueCopyImageToBuffer", error)
      && ocl_histogram_overlay_draw (self, run, copy, plane, panel, 0, error)
      && ocl_check (clEnqueueCopyBufferToImage (queue,
          copy->planes[plane].memory, image, 0, origin, region, 0, NULL,
          ocl_timer_add (run->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueCopyBufferToImage", error);
}

static gboolean
ocl_histogram_overlay_draw_plane (OclHistogramOverlay * self,
    const OclRun * run, guint plane, const Panel * panel, GError ** error)
{
  const OclFrame *frame = run->output;
  const OclPlaneFormat *format = &frame->format->planes[plane];
  const OclPlane *where = &frame->planes[plane];

  if (frame->storage == OCL_STORAGE_IMAGE)
    return ocl_histogram_overlay_draw_on_image (self, run, plane, panel, error);
  return ocl_histogram_overlay_draw (self, run, frame, plane, panel,
      where->offset + (panel->y >> format->y_shift) * where->stride
      + (panel->x >> format->x_shift)
      * ocl_format_get_group_bytes (frame->format, plane), error);
}

static gboolean
ocl_histogram_overlay_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclHistogramOverlay *self = object;
  const OclFrame *frame = run->output;
  const Panel panel = get_panel (frame);
  OclFrame like = *frame;

  like.width = panel.width;
  like.height = panel.height;
  if (frame->storage == OCL_STORAGE_IMAGE
      && !ocl_frame_ensure (&self->copy, self->context, OCL_STORAGE_BUFFER,
          &like, error))
    return FALSE;
  for (guint plane = 0; plane < frame->format->n_planes; plane++) {
    if (ocl_pass_has_plane (run->pass, frame->format, plane)
        && !ocl_histogram_overlay_draw_plane (self, run, plane, &panel, error))
      return FALSE;
  }
  return TRUE;
}

static const OclVariant ocl_histogram_overlay_plain = {
  .name = "plain",
  .new = ocl_histogram_overlay_new,
  .enqueue = ocl_histogram_overlay_enqueue,
  .free = ocl_histogram_overlay_free,
};

static const OclVariant *const variants[] = {
  &ocl_histogram_overlay_plain, NULL
};

const OclOperationClass ocl_histogram_overlay_class = {
  .name = "histogram-overlay",
  .flags = OCL_OPERATION_WRITES,
  .variants = variants,
  .result_size = sizeof (OclHistogramCounts),
};
