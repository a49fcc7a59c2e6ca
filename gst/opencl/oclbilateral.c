/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateral.h"

#include <math.h>

#include "oclbilateralfast.h"
#include "oclbilateralplain.h"
#include "oclbilateralrows.h"
#include "oclbilateraltiled.h"

/* Taps of the exact filter that cost what a wave of the approximation costs, as
 * measured where nodes are densest: on a CPU, and on a GPU for frames of
 * 3840x2160 (250 for 1280x720). */
#define TAPS_OF_WAVE_ON_CPU 50
#define TAPS_OF_WAVE 400

/* One that every variant can serve. */
#define WARM_UP_RADIUS 10

typedef struct
{
  const OclBilateralImplementation *implementation;
  gpointer object;              /* NULL until prepared */
} Chosen;

struct _OclBilateral
{
  OclContext *context;
  OclBilateralVariant variant;  /* as asked for */
  Chosen chosen[2];             /* by OclStorage */
  Chosen fast[2];               /* by OclStorage */
  gboolean fast_fails[2];       /* the driver cannot build it */
  OclFrame input_copy;          /* for variants that take buffers only */
  OclFrame output_copy;
  const gchar *served[2];       /* names of what took the last frames */
};

gboolean
ocl_bilateral_is_neutral (const OclBilateralParams * params)
{
  return params->spatial_sigma <= 0.0 || params->intensity_sigma <= 0.0
      || params->radius == 0
      || (params->radius < 0 && params->spatial_sigma < 0.5);
}

static gint
ocl_bilateral_get_radius (const OclBilateralParams * params)
{
  gint radius = params->radius < 0
      ? (gint) floor (2.0 * params->spatial_sigma) : params->radius;

  return MIN (radius, OCL_BILATERAL_MAX_RADIUS);
}

OclBilateral *
ocl_bilateral_new (OclContext * context, OclBilateralVariant variant)
{
  OclBilateral *self = g_new0 (OclBilateral, 1);

  self->context = ocl_context_ref (context);
  self->variant = variant;
  return self;
}

/* Whether the approximation with @waves is known to be faster than the exact
 * filter, whose cost is that of its taps. */
static gboolean
ocl_bilateral_is_fast_cheaper (OclBilateral * self,
    const OclBilateralParams * params, gint waves)
{
  const gdouble radius = ocl_bilateral_get_radius (params);
  gdouble taps = params->window == OCL_BILATERAL_WINDOW_DISC
      ? G_PI * radius * radius : (2.0 * radius + 1.0) * (2.0 * radius + 1.0);

  return taps >= waves * (self->context->device->type & CL_DEVICE_TYPE_CPU
      ? TAPS_OF_WAVE_ON_CPU : TAPS_OF_WAVE);
}

OclBilateralMethod
ocl_bilateral_choose_method (OclBilateral * self,
    const OclBilateralParams * params)
{
  gint waves = ocl_bilateral_fast_count_waves (params,
      ocl_bilateral_get_radius (params));

  if (params->method == OCL_BILATERAL_METHOD_EXACT || waves == 0)
    return OCL_BILATERAL_METHOD_EXACT;
  if (params->method == OCL_BILATERAL_METHOD_AUTO
      && (params->max_error > OCL_BILATERAL_FAST_PSNR
          || !ocl_bilateral_is_fast_cheaper (self, params, waves)))
    return OCL_BILATERAL_METHOD_EXACT;
  return OCL_BILATERAL_METHOD_FAST;
}

static void
ocl_bilateral_clear (Chosen * chosen)
{
  if (chosen->object)
    chosen->implementation->free (chosen->object);
  chosen->object = NULL;
}

void
ocl_bilateral_free (OclBilateral * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->chosen); i++) {
    ocl_bilateral_clear (&self->chosen[i]);
    ocl_bilateral_clear (&self->fast[i]);
  }
  ocl_frame_clear (&self->input_copy);
  ocl_frame_clear (&self->output_copy);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_bilateral_enqueue_chosen (OclBilateral * self, const Chosen * chosen,
    const OclBilateralParams * params, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error)
{
  const gint radius = ocl_bilateral_get_radius (params);

  if (input->storage == OCL_STORAGE_BUFFER
      || !chosen->implementation->buffers_only)
    return chosen->implementation->enqueue (chosen->object, params, radius,
        input, output, timer, error);

  return ocl_frame_ensure (&self->input_copy, self->context,
      OCL_STORAGE_BUFFER, input, error)
      && ocl_frame_ensure (&self->output_copy, self->context,
      OCL_STORAGE_BUFFER, output, error)
      && ocl_frame_enqueue_copy (self->context, input, &self->input_copy,
      timer, error)
      && chosen->implementation->enqueue (chosen->object, params, radius,
      &self->input_copy, &self->output_copy, timer, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy, output,
      timer, error);
}

/* Many drivers compile at the first enqueue, not in clBuildProgram; a variant
 * may have a kernel for each of the colour modes up to @last_mode. */
static gboolean
ocl_bilateral_warm_up (OclBilateral * self, const Chosen * chosen,
    OclStorage storage, OclBilateralColorMode last_mode, GError ** error)
{
  const OclFrame like = {.width = 16,.height = 1 };
  OclBilateralParams params = {.spatial_sigma = WARM_UP_RADIUS / 2.0,
    .intensity_sigma = 1.0,.radius = WARM_UP_RADIUS
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame input = { 0, };
  OclFrame output = { 0, };

  gboolean ok = ocl_frame_ensure (&input, self->context, storage, &like, error)
      && ocl_frame_ensure (&output, self->context, storage, &like, error)
      && ocl_frame_enqueue_blank (self->context, &input, error);
  for (gint mode = 0; ok && mode <= (gint) last_mode; mode++) {
    params.color_mode = mode;
    ok = ocl_bilateral_enqueue_chosen (self, chosen, &params, &input, &output,
        timer, error);
  }
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  return ok;
}

static gboolean
ocl_bilateral_prepare_variant (OclBilateral * self, Chosen * chosen,
    const OclBilateralImplementation * implementation, OclStorage storage,
    OclBilateralColorMode last_mode, GError ** error)
{
  chosen->implementation = implementation;
  chosen->object = implementation->new (self->context, storage, error);
  if (!chosen->object)
    return FALSE;
  if (!ocl_bilateral_warm_up (self, chosen, storage, last_mode, error)) {
    ocl_bilateral_clear (chosen);
    return FALSE;
  }
  return TRUE;
}

/* Not every device has what the tiled variant needs; all have what the plain
 * one does. */
static gboolean
ocl_bilateral_prepare_first_that_runs (OclBilateral * self, OclStorage storage,
    GError ** error)
{
  g_autoptr (GError) tiled_error = NULL;
  Chosen *chosen = &self->chosen[storage];

  if (ocl_bilateral_prepare_variant (self, chosen, &ocl_bilateral_tiled,
          storage, OCL_BILATERAL_COLOR_LAB, &tiled_error))
    return TRUE;
  return ocl_bilateral_prepare_variant (self, chosen, &ocl_bilateral_plain,
      storage, OCL_BILATERAL_COLOR_LAB, error);
}

static gboolean
ocl_bilateral_prepare_exact (OclBilateral * self, OclStorage storage,
    GError ** error)
{
  static const OclBilateralImplementation *const implementations[] = {
    [OCL_BILATERAL_VARIANT_PLAIN] = &ocl_bilateral_plain,
    [OCL_BILATERAL_VARIANT_ROWS] = &ocl_bilateral_rows,
    [OCL_BILATERAL_VARIANT_TILED] = &ocl_bilateral_tiled,
  };
  OclBilateralVariant variant = self->variant;

  if (variant == OCL_BILATERAL_VARIANT_AUTO) {
    if (!(self->context->device->type & CL_DEVICE_TYPE_CPU))
      return ocl_bilateral_prepare_first_that_runs (self, storage, error);
    variant = OCL_BILATERAL_VARIANT_ROWS;
  }
  return ocl_bilateral_prepare_variant (self, &self->chosen[storage],
      implementations[variant], storage, OCL_BILATERAL_COLOR_LAB, error);
}

/* Where a driver cannot build the approximation, the exact variant serves. */
static void
ocl_bilateral_prepare_fast (OclBilateral * self, OclStorage storage)
{
  g_autoptr (GError) error = NULL;

  self->fast_fails[storage] = !ocl_bilateral_prepare_variant (self,
      &self->fast[storage], &ocl_bilateral_fast, storage,
      OCL_BILATERAL_COLOR_INTENSITY, &error);
}

gboolean
ocl_bilateral_prepare (OclBilateral * self, OclStorage storage,
    OclBilateralMethod method, GError ** error)
{
  if (!self->chosen[storage].object
      && !ocl_bilateral_prepare_exact (self, storage, error))
    return FALSE;
  if (method != OCL_BILATERAL_METHOD_EXACT && !self->fast[storage].object
      && !self->fast_fails[storage])
    ocl_bilateral_prepare_fast (self, storage);
  return TRUE;
}

gboolean
ocl_bilateral_enqueue (OclBilateral * self, const OclBilateralParams * params,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  g_assert (!ocl_bilateral_is_neutral (params));
  g_assert (input->width == output->width && input->height == output->height
      && input->storage == output->storage);

  const Chosen *chosen = &self->chosen[input->storage];
  if (self->fast[input->storage].object
      && ocl_bilateral_choose_method (self, params)
      == OCL_BILATERAL_METHOD_FAST)
    chosen = &self->fast[input->storage];
  self->served[input->storage] = chosen->implementation->names[input->storage];
  return ocl_bilateral_enqueue_chosen (self, chosen, params, input, output,
      timer, error);
}

const gchar *
ocl_bilateral_get_variant_name (OclBilateral * self, OclStorage storage)
{
  return self->served[storage] ? self->served[storage]
      : self->chosen[storage].implementation->names[storage];
}
