/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralfast.h"

#include "oclbilateralwaves.h"
#include "oclmemory.h"

/* Pixels a work-item, and work-items a group. A group's size is fixed, because
 * some drivers compile a kernel anew for each. */
#define VECTOR 16
#define GROUP_WIDTH 32

/* Floats of a wave at a node; see kernels/bilateral-fast.cl. */
#define NODE_FLOATS 8

/* What the planes and nodes of one band may take: less than a large cache. */
#define BAND_BYTES (12 * 1024 * 1024)

/* How the planes and nodes of a band are laid out; see
 * kernels/bilateral-fast.cl. */
typedef struct
{
  cl_int spans;
  cl_int pitch;                 /* in floats; all of a row is used */
  cl_int pad;
  cl_int columns;               /* of nodes, after the blur; a multiple of 4 */
  gint band_height;             /* a multiple of the step */
} Layout;

enum
{
  KERNEL_PLANES,
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_PLANES] = "planes",
  [KERNEL_SPLAT] = "splat",
  [KERNEL_BLUR] = "blur",
  [KERNEL_SLICE] = "slice",
};

typedef struct
{
  OclContext *context;
  guint n_planes;               /* of floats */
  cl_kernel kernels[N_KERNELS];
  OclBilateralWaves waves;
  OclMemory planes;
  OclMemory nodes;
  OclMemory carries;
  OclMemory blurred;
} OclBilateralFast;

static void
ocl_bilateral_fast_free (gpointer object)
{
  OclBilateralFast *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_bilateral_waves_clear (&self->waves);
  ocl_memory_clear (&self->planes);
  ocl_memory_clear (&self->nodes);
  ocl_memory_clear (&self->carries);
  ocl_memory_clear (&self->blurred);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_fast_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralFast *self = g_new0 (OclBilateralFast, 1);

  self->context = ocl_context_ref (context);
  self->n_planes = build->pass.n_channels > 1 ? build->pass.n_channels + 1 : 1;
  if (!ocl_program_build_kernels (context, "bilateral-fast.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_bilateral_waves_init (&self->waves, context, build->format,
          error)) {
    ocl_bilateral_fast_free (self);
    return NULL;
  }
  return self;
}

static gint
round_up (gint value, gint multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

/* Bands as high as the budget allows, and at least one step. */
static gint
ocl_bilateral_fast_get_band_height (OclBilateralFast * self,
    const Layout * layout, gint height)
{
  const gint step = self->waves.step;
  const gsize floats_of_step = (gsize) layout->pitch * step * self->n_planes
      + (gsize) NODE_FLOATS * self->waves.n_waves * (layout->columns
      + layout->spans * (MAX (VECTOR / step, 1) + 1));
  gsize budget = MIN ((guint64) BAND_BYTES,
      self->context->device->max_alloc_size);
  gssize steps = (gssize) (budget / (floats_of_step * sizeof (cl_float)))
      - 2 * (self->waves.reach + 1);

  return CLAMP (steps, 1, (height + step - 1) / step) * step;
}

static Layout
ocl_bilateral_fast_get_layout (OclBilateralFast * self, gint width, gint height)
{
  const gint intervals = MAX (VECTOR / self->waves.step, 1);
  Layout layout;

  layout.columns =
      round_up (ocl_bilateral_waves_count_nodes (&self->waves, width, VECTOR),
      OCL_BILATERAL_BLURRED_NODES);
  layout.spans = (layout.columns + 2 * self->waves.reach + intervals)
      / intervals;
  layout.pitch = layout.spans * MAX (VECTOR, self->waves.step);
  layout.pad = (self->waves.reach + 1) * self->waves.step;
  layout.band_height = ocl_bilateral_fast_get_band_height (self, &layout,
      height);
  return layout;
}

/* Rows of nodes that the pixels of a band lie between. */
static gint
ocl_bilateral_fast_count_rows (OclBilateralFast * self, gint band_height)
{
  return ocl_bilateral_waves_count_nodes (&self->waves, band_height, 1);
}

static gint
ocl_bilateral_fast_count_padded_rows (OclBilateralFast * self, gint band_height)
{
  return ocl_bilateral_fast_count_rows (self, band_height)
      + 2 * self->waves.reach;
}

static gboolean
ocl_bilateral_fast_ensure_memory (OclBilateralFast * self,
    const Layout * layout, GError ** error)
{
  const gsize wave_bytes =
      self->waves.n_waves * NODE_FLOATS * sizeof (cl_float);
  const gsize rows = ocl_bilateral_fast_count_padded_rows (self,
      layout->band_height);
  const gint intervals = MAX (VECTOR / self->waves.step, 1);

  OclContext *context = self->context;

  return ocl_memory_ensure (&self->planes, context,
      (rows + 1) * self->waves.step * layout->pitch * self->n_planes
      * sizeof (cl_float), error)
      && ocl_memory_ensure (&self->carries, context,
      rows * layout->spans * wave_bytes, error)
      && ocl_memory_ensure (&self->nodes, context,
      rows * layout->spans * intervals * wave_bytes, error)
      && ocl_memory_ensure (&self->blurred, context,
      rows * layout->columns * wave_bytes, error);
}

/* Enqueues @kernel for @width x @height work-items. */
static gboolean
ocl_bilateral_fast_enqueue_kernel (OclBilateralFast * self, guint kernel,
    const OclArguments * arguments, gsize width, gsize height,
    OclTimer * timer, GError ** error)
{
  return ocl_kernel_set_arguments (self->kernels[kernel], arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernels[kernel], 0, width,
      height, GROUP_WIDTH, 1, ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_fast_enqueue_planes (OclBilateralFast * self,
    const OclRun * run, const Layout * layout, cl_int plane_size, cl_int rows,
    cl_int band_y, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_PLANES,
      &arguments, layout->pitch / VECTOR, rows, run->timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_splat (OclBilateralFast * self,
    const Layout * layout, cl_int plane_size, cl_int rows, OclTimer * timer,
    GError ** error)
{
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.step);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.n_waves);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.frequency);
  OCL_ARGUMENTS_ADD (&arguments, layout->spans);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->carries.memory);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_SPLAT,
      &arguments, (gsize) layout->spans * self->waves.n_waves, rows, timer,
      error);
}

static gboolean
ocl_bilateral_fast_enqueue_blur (OclBilateralFast * self,
    const Layout * layout, cl_int rows, OclTimer * timer, GError ** error)
{
  const cl_int intervals = MAX (VECTOR / self->waves.step, 1);
  const cl_int taps = self->waves.n_waves;
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->carries.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->spans);
  OCL_ARGUMENTS_ADD (&arguments, intervals);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.n_waves);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, taps);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.reach);
  OCL_ARGUMENTS_ADD (&arguments, layout->columns);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_BLUR,
      &arguments, (gsize) layout->columns / OCL_BILATERAL_BLURRED_NODES
      * self->waves.n_waves, rows, timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_slice (OclBilateralFast * self, const OclRun * run,
    const Layout * layout, cl_int plane_size, cl_int band_y,
    cl_int band_height, GError ** error)
{
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.step);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.n_waves);
  OCL_ARGUMENTS_ADD (&arguments, self->waves.frequency);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->columns);
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, band_height);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_SLICE,
      &arguments, (width + VECTOR - 1) / VECTOR, band_height,
      run->timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_band (OclBilateralFast * self, const OclRun * run,
    const Layout * layout, gint band_y, GError ** error)
{
  gint height = ocl_pass_get_height (run->pass, run->input);
  gint band_height = MIN (layout->band_height, height - band_y);
  gint rows = ocl_bilateral_fast_count_rows (self, band_height);
  gint padded_rows = ocl_bilateral_fast_count_padded_rows (self, band_height);
  gint plane_rows = (padded_rows + 1) * self->waves.step;
  cl_int plane_size = plane_rows * layout->pitch;

  return ocl_bilateral_fast_enqueue_planes (self, run, layout, plane_size,
      plane_rows, band_y, error)
      && ocl_bilateral_fast_enqueue_splat (self, layout, plane_size,
      padded_rows, run->timer, error)
      && ocl_bilateral_fast_enqueue_blur (self, layout, rows, run->timer, error)
      && ocl_bilateral_fast_enqueue_slice (self, run, layout, plane_size,
      band_y, band_height, error);
}

static gboolean
ocl_bilateral_fast_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralFast *self = object;
  const gint height = ocl_pass_get_height (run->pass, run->input);

  if (!ocl_bilateral_waves_update (&self->waves, self->context, run, error))
    return FALSE;

  const Layout layout = ocl_bilateral_fast_get_layout (self,
      ocl_pass_get_width (run->pass, run->input), height);
  if (!ocl_bilateral_fast_ensure_memory (self, &layout, error))
    return FALSE;
  for (gint y = 0; y < height; y += layout.band_height) {
    if (!ocl_bilateral_fast_enqueue_band (self, run, &layout, y, error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_fast = {
  .name = "fast",
  .flags = OCL_VARIANT_BUFFERS_ONLY | OCL_VARIANT_APPROXIMATE,
  .can_serve = ocl_bilateral_waves_can_serve,
  .new = ocl_bilateral_fast_new,
  .enqueue = ocl_bilateral_fast_enqueue,
  .free = ocl_bilateral_fast_free,
};
