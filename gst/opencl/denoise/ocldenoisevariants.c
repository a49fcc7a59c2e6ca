/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldenoisevariants.h"

#include <math.h>
#include <string.h>

static gint
round_up (gint value, gint multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

OclDenoiseLayout
ocl_denoise_get_layout (const OclRun * run)
{
  OclDenoiseLayout layout;

  /* Kernels for CPUs load 16 samples of a part. */
  layout.step = ocl_denoise_params_get_step (run->params);
  layout.pitch = round_up (ocl_run_get_width (run)
      + 2 * OCL_DENOISE_PAD_X (layout.step), 16 * layout.step);
  layout.plane_size = layout.pitch
      * (ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y);
  layout.n_floats = (gsize) layout.plane_size * run->pass->n_channels;
  return layout;
}

/* The digits of a form, from the lowest one: whether there is a curve, whether
 * blocks start at every fourth sample, the number of later frames, the number
 * of earlier frames. */
#define N_LATER (OCL_MAX_LOOKAHEAD + 1)
#define FORM_OF(neighbours, step, curve) \
    ((((neighbours).n_earlier * N_LATER + (neighbours).n_later) * 2 \
            + ((step) == 4)) * 2 + (curve))
#define EARLIER_OF(form) ((form) / 4 / N_LATER)
#define LATER_OF(form) ((form) / 4 % N_LATER)
#define STEP_OF(form) ((form) & 2 ? 4 : 2)
#define CURVE_OF(form) ((form) % 2)

static OclNeighbours
get_neighbours (const OclKernels * self)
{
  const OclNeighbours neighbours = {
    EARLIER_OF (self->build.form), LATER_OF (self->build.form)
  };

  return neighbours;
}

guint
ocl_denoise_get_n_frames (const OclKernels * self)
{
  return EARLIER_OF (self->build.form) + 1 + LATER_OF (self->build.form);
}

guint
ocl_denoise_get_forms (gconstpointer data, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  const OclDenoiseParams *params = data;

  (void) format;
  forms[0] = FORM_OF (ocl_denoise_params_get_neighbours (params),
      ocl_denoise_params_get_step (params), params->curve);
  return 1;
}

guint
ocl_denoise_count_frames (guint form)
{
  return EARLIER_OF (form) + 1 + LATER_OF (form);
}

guint
ocl_denoise_get_step (guint form)
{
  return STEP_OF (form);
}

gchar *
ocl_denoise_get_options (const OclBuild * build, const OclDevice * device)
{
  const gboolean is_chroma = build->format->model == OCL_MODEL_YCBCR
      && build->pass.first_channel > 0;

  (void) device;
  return g_strdup_printf ("-D EARLIER=%u -D LATER=%u -D BLOCK_STEP=%d "
      "-D CURVE=%d", EARLIER_OF (build->form), LATER_OF (build->form),
      STEP_OF (build->form), CURVE_OF (build->form) && !is_chroma);
}

/* Sets @order to the frames in @mask and the current frame, in the order of
 * time. The current frame is 0, and its neighbours follow, the nearest one
 * first. Returns the number of frames. */
static guint
get_order (OclNeighbours neighbours, guint mask,
    guint order[OCL_MAX_NEIGHBOURS + 1])
{
  guint n = 0;

  for (guint frame = neighbours.n_earlier; frame > 0; frame--) {
    if (mask & 1 << (frame - 1))
      order[n++] = frame;
  }
  order[n++] = 0;
  for (guint i = 1; i <= neighbours.n_later; i++) {
    const guint frame = neighbours.n_earlier + i;

    if (mask & 1 << (frame - 1))
      order[n++] = frame;
  }
  return n;
}

/* Sets @basis to E for the frames in @mask and the current frame. The row is q,
 * the column is the frame, where 0 is the current frame. */
static void
fill_basis (cl_float * basis, OclNeighbours neighbours, guint mask)
{
  const guint n_frames = 1 + neighbours.n_earlier + neighbours.n_later;
  guint order[OCL_MAX_NEIGHBOURS + 1];
  const guint n = get_order (neighbours, mask, order);

  for (guint q = 0; q < n; q++) {
    for (guint i = 0; i < n; i++)
      basis[q * n_frames + order[i]] = sqrt ((q > 0 ? 2.0 : 1.0) / n)
          * cos (G_PI * (2 * i + 1) * q / (2.0 * n));
  }
}

gboolean
ocl_denoise_init (OclKernels * self, GError ** error)
{
  OclDenoiseState *state = self->state;
  const guint n_frames = ocl_denoise_get_n_frames (self);
  const guint n_masks = 1 << (n_frames - 1);
  const guint n_entries = n_frames * n_frames;
  g_autofree cl_float *bases = g_new0 (cl_float, n_masks * n_entries);
  cl_int status = CL_SUCCESS;

  for (guint mask = 0; mask < n_masks; mask++)
    fill_basis (bases + mask * n_entries, get_neighbours (self), mask);
  state->bases = clCreateBuffer (self->context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      n_masks * n_entries * sizeof (cl_float), bases, &status);
  return ocl_check (status, "clCreateBuffer", error);
}

void
ocl_denoise_clear (gpointer data)
{
  OclDenoiseState *state = data;

  ocl_pictures_clear (&state->pictures);
  g_clear_pointer (&state->bases, clReleaseMemObject);
  ocl_memory_clear (&state->scratch);
}

gboolean
ocl_denoise_ensure_pictures (OclKernels * self, const OclRun * run,
    OclPicturesFill fill, OclPicturesOffsets * offsets, GError ** error)
{
  const OclDenoiseParams *params = run->params;
  OclDenoiseState *state = self->state;
  const cl_float4 color =
      ocl_pass_get_color (run->pass, &run->input->info, params->border.color);

  if (state->border != params->border.mode
      || memcmp (&state->color, &color, sizeof (color)) != 0)
    ocl_pictures_forget (&state->pictures);
  state->border = params->border.mode;
  state->color = color;
  return ocl_pictures_ensure (&state->pictures, self, run,
      ocl_denoise_get_n_frames (self) - 1,
      ocl_denoise_get_layout (run).n_floats, fill, offsets, error);
}

gboolean
ocl_denoise_take_apart (OclKernels * self, const OclRun * run, OclGrid grid,
    cl_mem memory, cl_int offset, GError ** error)
{
  const OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT_PLANES,
      OCL_INT (ocl_run_get_width (run)), OCL_INT (ocl_run_get_height (run)),
      OCL_MEMORY (memory), OCL_INT (offset), OCL_INT (layout.pitch),
      OCL_INT (layout.plane_size), OCL_INT (state->border),
      OCL_FLOAT4 (state->color));
}

gboolean
ocl_denoise_take_samples_apart (OclKernels * self, const OclRun * run,
    cl_mem memory, cl_int offset, GError ** error)
{
  const OclGrid grid = OCL_GRID (0, ocl_denoise_get_layout (run).pitch,
      ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y);

  return ocl_denoise_take_apart (self, run, grid, memory, offset, error);
}

gdouble
ocl_denoise_get_factor (const OclRun * run)
{
  const OclDenoiseParams *params = run->params;
  const gboolean is_chroma = run->pass->first_channel > 0;

  return OCL_DENOISE_THRESHOLD * (is_chroma && params->chroma_strength >= 0.0
      ? params->chroma_strength : params->strength);
}

cl_mem
ocl_denoise_get_noise (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[0] ? run->needed[0]->device.memory : state->bases;
}

cl_mem
ocl_denoise_get_motion (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[1] ? run->needed[1]->device.memory : state->bases;
}

cl_mem
ocl_denoise_get_spectrum (OclKernels * self, const OclRun * run)
{
  const OclDenoiseState *state = self->state;

  return run->needed[2] ? run->needed[2]->device.memory : state->bases;
}
