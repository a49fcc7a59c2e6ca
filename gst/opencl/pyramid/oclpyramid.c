/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramid.h"

/* Each octave has two places. One holds g(k) and later the changed l(k). The
 * other holds l(k) and later o(k). */
#define N_PLACES 2

#define MAX_BANDS (OCL_PYRAMID_MAX_OCTAVES + 1)

struct _OclPyramid
{
  OclContext *context;
  OclKernels *outer;            /* the fine octave is the frame */
  OclKernels *inner;            /* the fine octave is in the pyramid */
  OclPass pass;
  OclStorage storage;
  OclFormat octave_format;
  OclFormat difference_format;
  OclOctaves octaves[N_PLACES];
  guint n_octaves;
  OclFrame frames[N_PLACES][MAX_BANDS];
  guint places[MAX_BANDS];      /* the place of each band */
};

void
ocl_pyramid_free (OclPyramid * self)
{
  ocl_kernels_unref (self->outer);
  ocl_kernels_unref (self->inner);
  for (guint i = 0; i < N_PLACES; i++)
    ocl_octaves_clear (&self->octaves[i]);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Fails if the octaves are images and the device does not support such
 * images. */
static gboolean
ocl_pyramid_check_images (OclPyramid * self, GError ** error)
{
  gboolean supported = TRUE;

  if (self->storage == OCL_STORAGE_BUFFER)
    return TRUE;
  if (!ocl_context_supports_image (self->context,
          ocl_format_get_image_format (&self->octave_format, 0), &supported,
          error))
    return FALSE;
  if (!supported)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images of floats.", self->context->device->name);
  return supported;
}

static gboolean
ocl_pyramid_build (OclPyramid * self, const OclVariant * variant,
    const OclBuild * build, GError ** error)
{
  OclBuild own = *build;

  own.form = self->storage;
  self->outer = ocl_kernels_new (self->context, variant, &own, error);
  if (!self->outer)
    return FALSE;
  own.format = NULL;
  self->inner = ocl_kernels_new (self->context, variant, &own, error);
  return self->inner != NULL;
}

OclPyramid *
ocl_pyramid_new (OclContext * context, const OclVariant * variant,
    const OclBuild * build, OclStorage storage, GError ** error)
{
  OclPyramid *self = g_new0 (OclPyramid, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  self->storage = storage;
  ocl_octaves_init_format (&self->octave_format, build->format, &build->pass,
      storage, FALSE);
  ocl_octaves_init_format (&self->difference_format, build->format,
      &build->pass, storage, TRUE);
  if (!ocl_pyramid_check_images (self, error)
      || !ocl_pyramid_build (self, variant, build, error))
    g_clear_pointer (&self, ocl_pyramid_free);
  return self;
}

OclBuild
ocl_pyramid_get_build (OclPyramid * self)
{
  const OclBuild build = {
    .format = &self->difference_format,.storage = self->storage,
    .pass = self->pass,
  };

  return build;
}

guint
ocl_pyramid_count_octaves (gint width, gint height)
{
  guint n = 1;

  while (ocl_format_count_samples (MAX (width, height), n) > 1)
    n++;
  return n;
}

/* Describes the octaves: all of them hold differences, except the last. */
static void
ocl_pyramid_describe (OclPyramid * self, const OclFrame * like, guint n_octaves)
{
  self->n_octaves = n_octaves;
  for (guint place = 0; place < N_PLACES; place++) {
    for (guint k = 0; k <= n_octaves; k++) {
      OclFrame *frame = &self->frames[place][k];

      *frame = *ocl_octaves_get (&self->octaves[place], k, 0);
      frame->info.colorimetry = like->info.colorimetry;
      frame->info.format = k < n_octaves
          ? &self->difference_format : &self->octave_format;
    }
  }
}

static gboolean
ocl_pyramid_ensure (OclPyramid * self, const OclFrame * like, guint n_octaves,
    GError ** error)
{
  const gint width = ocl_pass_get_width (&self->pass, &like->info);
  const gint height = ocl_pass_get_height (&self->pass, &like->info);

  g_assert (n_octaves >= 1 && n_octaves <= OCL_PYRAMID_MAX_OCTAVES);
  for (guint i = 0; i < N_PLACES; i++) {
    if (!ocl_octaves_ensure (&self->octaves[i], self->context, self->storage,
            &self->difference_format, &self->pass, width, height, n_octaves + 1,
            1, error))
      return FALSE;
  }
  ocl_pyramid_describe (self, like, n_octaves);
  return TRUE;
}

/* Returns the colour of the constant border. Luma comes first if the pass is
 * guided. */
static cl_float4
ocl_pyramid_get_outside (OclPyramid * self, const OclFrame * frame,
    const OclBorder * border)
{
  cl_float4 outside =
      ocl_pass_get_color (&self->pass, &frame->info, border->color);

  if (self->pass.guided) {
    outside.s[2] = outside.s[1];
    outside.s[1] = outside.s[0];
    outside.s[0] = ocl_format_convert_color (frame->info.format,
        &frame->info.colorimetry, border->color).s[OCL_CHANNEL_LUMA];
  }
  return outside;
}

/* Returns the common values of all steps between octave @k and octave @k +
 * 1. */
static OclPyramidStep
ocl_pyramid_get_step (OclPyramid * self, OclPyramidKind kind,
    const OclFrame * frame, guint k, const OclBorder * border)
{
  const OclFrame *coarse = &self->frames[0][k + 1];
  const OclFrame *fine = &self->frames[0][k];
  const OclPyramidStep step = {
    .kind = kind,
    .width = ocl_pass_get_width (&self->pass, &fine->info),
    .height = ocl_pass_get_height (&self->pass, &fine->info),
    .coarse_width = ocl_pass_get_width (&self->pass, &coarse->info),
    .coarse_height = ocl_pass_get_height (&self->pass, &coarse->info),
    .border = border->mode,
    .outside = ocl_pyramid_get_outside (self, frame, border),
  };

  return step;
}

/* Enqueues @step. @fine is the fine octave, with index @k. */
static gboolean
ocl_pyramid_enqueue_step (OclPyramid * self, const OclPyramidStep * step,
    guint k, const OclFrame * fine, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  const OclRun run = {.params = step,.pass = &self->pass,.input = fine,
    .output = output,.timer = timer
  };

  return ocl_kernels_enqueue (k == 0 ? self->outer : self->inner, &run, error);
}

gboolean
ocl_pyramid_enqueue_decompose (OclPyramid * self, const OclFrame * input,
    guint n_octaves, const OclBorder * border, OclTimer * timer,
    GError ** error)
{
  if (!ocl_pyramid_ensure (self, input, n_octaves, error))
    return FALSE;
  for (guint k = 0; k < n_octaves; k++) {
    const OclFrame *fine = k == 0 ? input : &self->frames[0][k];
    OclPyramidStep step = ocl_pyramid_get_step (self, OCL_PYRAMID_REDUCE,
        input, k, border);

    step.coarse = &self->frames[0][k + 1];
    step.band = &self->frames[1][k];
    if (!ocl_pyramid_enqueue_step (self, &step, k, fine, NULL, timer, error))
      return FALSE;
    step.kind = OCL_PYRAMID_SUBTRACT;
    if (!ocl_pyramid_enqueue_step (self, &step, k, fine, NULL, timer, error))
      return FALSE;
    self->places[k] = 1;
  }
  self->places[n_octaves] = 0;
  return TRUE;
}

const OclFrame *
ocl_pyramid_get_band (OclPyramid * self, guint band)
{
  return &self->frames[self->places[band]][band];
}

const OclFrame *
ocl_pyramid_get_free (OclPyramid * self, guint band)
{
  return &self->frames[1 - self->places[band]][band];
}

void
ocl_pyramid_exchange (OclPyramid * self, guint band)
{
  self->places[band] = 1 - self->places[band];
}

gboolean
ocl_pyramid_enqueue_reconstruct (OclPyramid * self, const OclFrame * input,
    const OclFrame * output, const gdouble * gains, gdouble offset,
    const OclBorder * border, OclTimer * timer, GError ** error)
{
  const guint n = self->n_octaves;

  for (guint k = n; k-- > 0;) {
    const gboolean is_first = k == n - 1;
    const OclFrame *band = ocl_pyramid_get_band (self, k);
    OclPyramidStep step = ocl_pyramid_get_step (self, OCL_PYRAMID_ADD, input,
        k, border);

    step.band = band;
    /* o(k + 1) was written to the free place of octave k + 1. */
    step.coarse = is_first ? ocl_pyramid_get_band (self, n)
        : ocl_pyramid_get_free (self, k + 1);
    step.gain = gains[k];
    step.coarse_gain = is_first ? gains[n] : 1.0;
    step.offset = k == 0 ? offset : 0.0;
    for (guint i = 0; i < G_N_ELEMENTS (step.outside.s) && !is_first; i++)
      step.outside.s[i] *= gains[n];
    if (!ocl_pyramid_enqueue_step (self, &step, k, k == 0 ? input : band,
            k == 0 ? output : ocl_pyramid_get_free (self, k), timer, error))
      return FALSE;
  }
  return TRUE;
}
