/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogramoverlay.h"

#include "oclhistogram.h"

#define PANEL_WIDTH 256
#define PANEL_HEIGHT 100
#define MARGIN 8
#define FRAME_HEIGHT_OF_SCALE 480

#define MAX_GROUP_SIDE 16

/* Where the panel is, in pixels of the frame. */
typedef struct
{
  cl_int scale;
  cl_int x;
  cl_int y;
  cl_int width;
  cl_int height;
} Panel;

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
  Panel panel;

  panel.scale = MAX (1, frame->height / FRAME_HEIGHT_OF_SCALE);
  panel.width = MIN (PANEL_WIDTH * panel.scale, frame->width);
  panel.height = MIN (PANEL_HEIGHT * panel.scale, frame->height);
  panel.x = MAX (0, frame->width - panel.width - MARGIN * panel.scale);
  panel.y = MIN (MARGIN * panel.scale, frame->height - panel.height);
  return panel;
}

/* Draws on a buffer in which the panel starts at byte @offset. */
static gboolean
ocl_histogram_overlay_draw (OclHistogramOverlay * self, const OclRun * run,
    const OclFrame * frame, const Panel * panel, cl_int offset,
    GError ** error)
{
  const OclFormat *format = frame->format;
  const cl_int pixel_bytes = ocl_format_get_pixel_bytes (format, 0);
  const cl_int4 position = { {format->position[0], format->position[1],
          format->position[2], format->position[3]} };
  OclArguments arguments = { 0, };

  ocl_arguments_add_frame (&arguments, frame);
  OCL_ARGUMENTS_ADD (&arguments, offset);
  OCL_ARGUMENTS_ADD (&arguments, pixel_bytes);
  OCL_ARGUMENTS_ADD (&arguments, position);
  OCL_ARGUMENTS_ADD (&arguments, panel->width);
  OCL_ARGUMENTS_ADD (&arguments, panel->height);
  OCL_ARGUMENTS_ADD (&arguments, panel->scale);
  OCL_ARGUMENTS_ADD (&arguments, run->result->device.memory);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, panel->width,
      panel->height, self->group_side, self->group_side,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

/* No kernel can read and write one image: its panel goes through a buffer. */
static gboolean
ocl_histogram_overlay_draw_on_image (OclHistogramOverlay * self,
    const OclRun * run, const Panel * panel, GError ** error)
{
  const cl_mem image = run->output->planes[0].memory;
  const size_t origin[3] = { panel->x, panel->y, 0 };
  const size_t region[3] = { panel->width, panel->height, 1 };
  cl_command_queue queue = self->context->queue;
  OclFrame like = *run->output;

  like.width = panel->width;
  like.height = panel->height;
  return ocl_frame_ensure (&self->copy, self->context, OCL_STORAGE_BUFFER,
      &like, error)
      && ocl_check (clEnqueueCopyImageToBuffer (queue, image,
          self->copy.planes[0].memory, origin, region, 0, 0, NULL,
          ocl_timer_add (run->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueCopyImageToBuffer", error)
      && ocl_histogram_overlay_draw (self, run, &self->copy, panel, 0, error)
      && ocl_check (clEnqueueCopyBufferToImage (queue,
          self->copy.planes[0].memory, image, 0, origin, region, 0, NULL,
          ocl_timer_add (run->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueCopyBufferToImage", error);
}

static gboolean
ocl_histogram_overlay_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclHistogramOverlay *self = object;
  const OclFrame *frame = run->output;
  const Panel panel = get_panel (frame);

  if (frame->storage == OCL_STORAGE_IMAGE)
    return ocl_histogram_overlay_draw_on_image (self, run, &panel, error);
  return ocl_histogram_overlay_draw (self, run, frame, &panel,
      panel.y * frame->planes[0].stride
      + panel.x * ocl_format_get_pixel_bytes (frame->format, 0), error);
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
