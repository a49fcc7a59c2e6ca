/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclchainplan.h"

OclChainPlan *
ocl_chain_plan_new (const OclChainPlan * plan)
{
  OclChainPlan *self = g_atomic_rc_box_new (OclChainPlan);

  *self = *plan;
  for (guint i = 0; i < self->n_steps; i++) {
    ocl_plan_ref (self->steps[i].plan);
    if (self->steps[i].conversion)
      ocl_plan_ref (self->steps[i].conversion);
  }
  return self;
}

OclChainPlan *
ocl_chain_plan_ref (OclChainPlan * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
ocl_chain_plan_clear (OclChainPlan * self)
{
  for (guint i = 0; i < self->n_steps; i++) {
    ocl_plan_set (&self->steps[i].plan, NULL);
    ocl_plan_set (&self->steps[i].conversion, NULL);
  }
  self->n_steps = 0;
}

void
ocl_chain_plan_unref (OclChainPlan * self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) ocl_chain_plan_clear);
}

void
ocl_chain_plan_set (OclChainPlan ** plan, OclChainPlan * other)
{
  if (*plan == other)
    return;
  g_clear_pointer (plan, ocl_chain_plan_unref);
  *plan = other ? ocl_chain_plan_ref (other) : NULL;
}

gboolean
ocl_chain_plan_equals (const OclChainPlan * a, const OclChainPlan * b)
{
  gboolean ok = a->copied == b->copied && a->n_steps == b->n_steps;

  for (guint i = 0; ok && i < a->n_steps; i++)
    ok = a->steps[i].link == b->steps[i].link
        && a->steps[i].fused == b->steps[i].fused
        && a->steps[i].plan == b->steps[i].plan
        && a->steps[i].conversion == b->steps[i].conversion;
  return ok;
}

gboolean
ocl_chain_plan_takes (const OclChainPlan * self, gboolean bytes_swapped)
{
  if (self->n_steps == 1)
    return ocl_plan_takes (self->steps[0].plan, bytes_swapped);
  return !self->copied || self->frame.bytes_swapped == bytes_swapped;
}

/* Returns the planes of Y'CbCr whose channels @pass writes. Red, green and blue
 * count as luma. */
static OclPlanes
get_written (const OclPass * pass)
{
  return pass->first_channel == OCL_CHANNEL_LUMA ? OCL_PLANES_LUMA
      : OCL_PLANES_CHROMA;
}

/* Returns the planes that step @n writes or, if @reads is TRUE, reads. */
static OclPlanes
ocl_chain_plan_get_planes (const OclChainPlan * self, guint n, gboolean reads)
{
  const OclPlan *plan = self->steps[n].plan;
  OclPlanes planes = 0;

  for (guint i = 0; i < plan->n_steps; i++) {
    planes |= get_written (&plan->steps[i].pass);
    if (reads && plan->steps[i].pass.guided)
      planes |= OCL_PLANES_LUMA;
  }
  return planes;
}

/* Returns the planes that count behind step @n: those that are read there, and
 * those that were written up to there. */
static OclPlanes
ocl_chain_plan_get_live (const OclChainPlan * self, guint n)
{
  OclPlanes planes = 0;

  for (guint i = 0; i < self->n_steps; i++)
    planes |= ocl_chain_plan_get_planes (self, i, i > n);
  return planes;
}

OclPlanes
ocl_chain_plan_get_conversion (const OclChainPlan * self, guint n)
{
  const OclFormat *format = self->steps[n].plan->frame.format;

  if (format->is_float == ocl_format_get_result (format)->is_float)
    return 0;
  return ocl_chain_plan_get_live (self, n)
      & ~ocl_chain_plan_get_planes (self, n, FALSE);
}

/* Returns how many components of a group of @plane are channels of @planes. A
 * pixel of red, green and blue counts with its alpha. */
static guint
count_components (const OclFormat * format, guint plane, OclPlanes planes)
{
  guint n = 0;

  if (format->model == OCL_MODEL_RGB)
    return planes ? format->planes[plane].n_components : 0;
  for (guint i = 0; i < OCL_CHANNEL_ALPHA; i++) {
    const OclChannel *channel = &format->channels[i];
    const OclPlanes own = i == OCL_CHANNEL_LUMA ? OCL_PLANES_LUMA
        : OCL_PLANES_CHROMA;

    if (channel->step > 0 && channel->plane == plane && planes & own)
      n += format->planes[plane].n_components / channel->step;
  }
  return n;
}

/* Returns whether one pass writes every component of @plane, also that of a
 * group which is partly outside the frame. */
static gboolean
is_whole (const OclFormat * format, guint plane, OclPlanes planes)
{
  const guint n = format->planes[plane].n_components;

  return count_components (format, plane, planes & OCL_PLANES_LUMA) == n
      || count_components (format, plane, planes & OCL_PLANES_CHROMA) == n;
}

void
ocl_chain_plan_set_sources (OclChainPlan * self, guint n, OclPlanes converted)
{
  OclChainStep *step = &self->steps[n];
  const OclFormat *format = step->plan->frame.format;
  const gboolean writes_floats = ocl_format_get_result (format)->is_float;
  const gboolean is_last = n == self->n_steps - 1;
  const OclPlanes made = converted | ocl_chain_plan_get_planes (self, n, FALSE);

  for (guint i = 0; i < format->n_planes; i++) {
    const gboolean is_made = count_components (format, i, made) > 0;
    OclPlaneSource source = OCL_PLANE_SOURCE_OWN;

    if (format->is_float && !writes_floats) {
      if (!is_whole (format, i, made))
        source = is_made || is_last ? OCL_PLANE_SOURCE_COPY
            : OCL_PLANE_SOURCE_CHAIN;
    } else if (format->is_float == writes_floats && !is_made && !is_last
        && !step->keeps_frames) {
      source = OCL_PLANE_SOURCE_SHARED;
    }
    step->sources[i] = source;
  }
}
