/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogramoverlay.h"

#include "oclhistogram.h"
#include "operation/oclkernels.h"

/* The height of the panel stands for at most one 32nd of the pixels of the
 * frame. */
#define MOST_OF_FRAME 32

#define PANEL_WIDTH 256
#define PANEL_HEIGHT 100
#define MARGIN 8
#define FRAME_HEIGHT_OF_SCALE 480

/* Position of the panel, in pixels of the frame. Its upper left corner is a
 * corner of a sample of each channel. */
typedef struct
{
  cl_int scale;
  cl_int x;
  cl_int y;
  cl_int width;
  cl_int height;
} Panel;

/* The levels line, base and rise for the channels of a pass, see the header. */
typedef struct
{
  cl_int line;
  cl_int base;
  cl_int rise;
} Levels;

static void
ocl_histogram_overlay_clear (gpointer state)
{
  ocl_frame_clear (state);
}

static Panel
get_panel (const OclFrame * frame)
{
  const OclFormat *format = frame->info.format;
  Panel panel;

  panel.scale = MAX (1, frame->info.height / FRAME_HEIGHT_OF_SCALE);
  panel.width = MIN (PANEL_WIDTH * panel.scale, frame->info.width);
  panel.height = MIN (PANEL_HEIGHT * panel.scale, frame->info.height);
  panel.x = MAX (0, frame->info.width - panel.width - MARGIN * panel.scale);
  panel.x &= ~((1 << format->chroma_x_shift) - 1);
  panel.y = MIN (MARGIN * panel.scale, frame->info.height - panel.height);
  panel.y &= ~((1 << format->chroma_y_shift) - 1);
  return panel;
}

static Levels
get_levels (const OclFrame * frame, const OclPass * pass)
{
  const OclFormat *format = frame->info.format;
  const gboolean full_range = frame->info.colorimetry.full_range
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

/* Draws on a plane in a buffer, where the panel starts at byte @offset. */
static gboolean
ocl_histogram_overlay_draw (OclKernels * self, const OclRun * run,
    const OclFrame * frame, guint plane, const Panel * panel, cl_int offset,
    GError ** error)
{
  const OclFormat *format = frame->info.format;
  const Levels levels = get_levels (frame, run->pass);
  const cl_int2 rows = { {offset, frame->planes[plane].stride} };
  const guint64 n_pixels =
      (guint64) run->output->info.width * run->output->info.height;
  /* The channels of the pass that are in the plane. */
  cl_int4 offsets = { {-1, -1, -1, -1} };
  cl_int first = 0, step = 0;
  guint n = 0;

  for (guint i = 0; i < run->pass->n_channels; i++) {
    const OclChannel *channel = &format->channels[run->pass->first_channel + i];

    if (channel->plane != plane)
      continue;
    if (n == 0)
      first = run->pass->first_channel + i;
    step = channel->step;
    offsets.s[n++] = channel->offset;
  }
  return OCL_LAUNCH (self, run, OCL_GRID (0,
          ocl_format_count_samples (panel->width, run->pass->x_shift),
          ocl_format_count_samples (panel->height, run->pass->y_shift)), error,
      OCL_MEMORY (frame->planes[plane].memory), OCL_INT2 (rows),
      OCL_INT (step), OCL_INT4 (offsets),
      OCL_INT (first), OCL_INT (panel->width),
      OCL_INT (panel->height), OCL_INT (panel->scale), OCL_INT (levels.line),
      OCL_INT (levels.base), OCL_INT (levels.rise),
      OCL_INT (ocl_histogram_get_n_channels (format)),
      OCL_MEMORY (run->result->device.memory),
      OCL_UINT (MAX (n_pixels / MOST_OF_FRAME, 1)));
}

/* Draws on a plane in an image. A kernel cannot read and write the same image,
 * so the panel is copied to a buffer, @copy, and back. */
static gboolean
ocl_histogram_overlay_draw_on_image (OclKernels * self, const OclRun * run,
    const OclFrame * copy, guint plane, const Panel * panel, GError ** error)
{
  const OclFormat *format = run->output->info.format;
  const cl_mem image = run->output->planes[plane].memory;
  const size_t origin[3] = {
    panel->x >> format->planes[plane].x_shift << format->texel_shift,
    panel->y >> format->planes[plane].y_shift, 0
  };
  const size_t region[3] =
      { ocl_frame_info_get_image_width (&copy->info, plane),
    ocl_frame_info_get_plane_height (&copy->info, plane), 1
  };
  const cl_command_queue queue =
      ocl_timer_get_queue (run->timer, self->context);

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
ocl_histogram_overlay_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclFrame *frame = run->output;
  const OclFormat *format = frame->info.format;
  const gboolean is_image = frame->info.storage == OCL_STORAGE_IMAGE;
  const Panel panel = get_panel (frame);
  OclFrameInfo copy = ocl_frame_info_get_copy (&frame->info);

  copy.width = panel.width;
  copy.height = panel.height;
  if (is_image && !ocl_frame_ensure (self->state, self->context, &copy, error))
    return FALSE;
  for (guint i = 0; i < format->n_planes; i++) {
    const OclPlane *plane = &frame->planes[i];
    const cl_int offset = plane->offset
        + (panel.y >> format->planes[i].y_shift) * plane->stride
        + (panel.x >> format->planes[i].x_shift)
        * ocl_format_get_group_bytes (format, i);

    if (!ocl_pass_has_plane (run->pass, format, i))
      continue;
    if (!(is_image ? ocl_histogram_overlay_draw_on_image (self, run,
                self->state, i, &panel, error)
            : ocl_histogram_overlay_draw (self, run, frame, i, &panel, offset,
                error)))
      return FALSE;
  }
  return TRUE;
}

/* The state is an OclFrame: the copy of the panel of a frame in images. */
static const OclVariant plain = {
  .name = "plain",
  .source = "histogram-overlay.cl",
  .kernels = OCL_NAMES ("histogram_overlay"),
  .group_width = 16,
  .group_height = 16,
  .state_size = sizeof (OclFrame),
  .clear = ocl_histogram_overlay_clear,
  .enqueue = ocl_histogram_overlay_enqueue,
};

static const OclVariant *const variants[] = { &plain, NULL };

const OclOperationClass ocl_histogram_overlay_class = {
  .name = "histogram-overlay",
  .flags = OCL_OPERATION_WRITES,
  .variants = variants,
  .result_size = sizeof (OclHistogramCounts),
};
