/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogramoverlay.h"

#include "oclhistogram.h"
#include "oclprogram.h"

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

struct _OclHistogramOverlay
{
  OclContext *context;
  cl_kernel kernel;             /* when prepared */
  gsize group_side;
  OclFrame copy;                /* the panel of frames that are images */
};

OclHistogramOverlay *
ocl_histogram_overlay_new (OclContext * context)
{
  OclHistogramOverlay *self = g_new0 (OclHistogramOverlay, 1);

  self->context = ocl_context_ref (context);
  return self;
}

void
ocl_histogram_overlay_free (OclHistogramOverlay * self)
{
  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_frame_clear (&self->copy);
  ocl_context_unref (self->context);
  g_free (self);
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
ocl_histogram_overlay_draw (OclHistogramOverlay * self, cl_mem counts,
    const OclFrame * frame, const Panel * panel, cl_int offset,
    OclTimer * timer, GError ** error)
{
  const cl_int stride = frame->stride;
  const cl_int bgra = frame->bgra;
  const OclArgument arguments[] = {
    OCL_ARGUMENT (frame->memory), OCL_ARGUMENT (offset), OCL_ARGUMENT (stride),
    OCL_ARGUMENT (panel->width), OCL_ARGUMENT (panel->height),
    OCL_ARGUMENT (panel->scale), OCL_ARGUMENT (bgra), OCL_ARGUMENT (counts),
  };

  return ocl_kernel_set_arguments (self->kernel, arguments,
      G_N_ELEMENTS (arguments), error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, panel->width,
      panel->height, self->group_side, self->group_side,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

/* No kernel can read and write one image: its panel goes through a buffer. */
static gboolean
ocl_histogram_overlay_draw_on_image (OclHistogramOverlay * self, cl_mem counts,
    const OclFrame * frame, const Panel * panel, OclTimer * timer,
    GError ** error)
{
  const OclFrame like = {.width = panel->width,.height = panel->height,
    .bgra = frame->bgra
  };
  const size_t origin[3] = { panel->x, panel->y, 0 };
  const size_t region[3] = { panel->width, panel->height, 1 };
  cl_command_queue queue = self->context->queue;

  return ocl_frame_ensure (&self->copy, self->context, OCL_STORAGE_BUFFER,
      &like, error)
      && ocl_check (clEnqueueCopyImageToBuffer (queue, frame->memory,
          self->copy.memory, origin, region, 0, 0, NULL, ocl_timer_add (timer,
              OCL_TIMER_TRANSFER)), "clEnqueueCopyImageToBuffer", error)
      && ocl_histogram_overlay_draw (self, counts, &self->copy, panel, 0,
      timer, error)
      && ocl_check (clEnqueueCopyBufferToImage (queue, self->copy.memory,
          frame->memory, 0, origin, region, 0, NULL, ocl_timer_add (timer,
              OCL_TIMER_TRANSFER)), "clEnqueueCopyBufferToImage", error);
}

gboolean
ocl_histogram_overlay_enqueue (OclHistogramOverlay * self, cl_mem counts,
    const OclFrame * frame, OclTimer * timer, GError ** error)
{
  const Panel panel = get_panel (frame);

  if (frame->storage == OCL_STORAGE_IMAGE)
    return ocl_histogram_overlay_draw_on_image (self, counts, frame, &panel,
        timer, error);
  return ocl_histogram_overlay_draw (self, counts, frame, &panel,
      panel.y * frame->stride + panel.x * 4, timer, error);
}

/* Many drivers compile at the first enqueue. */
static gboolean
ocl_histogram_overlay_warm_up (OclHistogramOverlay * self, GError ** error)
{
  const OclFrame like = {.width = 16,.height = 1 };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame frame = { 0, };
  cl_int status = CL_SUCCESS;
  cl_mem counts = clCreateBuffer (self->context->context, CL_MEM_READ_WRITE,
      sizeof (OclHistogramCounts), NULL, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;

  gboolean ok = ocl_frame_ensure (&frame, self->context, OCL_STORAGE_BUFFER,
      &like, error)
      && ocl_histogram_overlay_enqueue (self, counts, &frame, timer, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_frame_clear (&frame);
  clReleaseMemObject (counts);
  return ok;
}

gboolean
ocl_histogram_overlay_prepare (OclHistogramOverlay * self, GError ** error)
{
  gsize group_size = 0;

  if (self->kernel)
    return TRUE;
  self->kernel = ocl_program_build_kernel (self->context,
      "histogram-overlay.cl", "", "histogram_overlay", error);
  if (!self->kernel)
    return FALSE;
  if (ocl_kernel_get_group_size (self->context, self->kernel,
          MAX_GROUP_SIDE * MAX_GROUP_SIDE, &group_size, error)) {
    self->group_side = MAX_GROUP_SIDE;
    while (self->group_side * self->group_side > group_size)
      self->group_side /= 2;
    if (ocl_histogram_overlay_warm_up (self, error))
      return TRUE;
  }
  g_clear_pointer (&self->kernel, clReleaseKernel);
  return FALSE;
}
