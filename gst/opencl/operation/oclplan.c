/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclplan.h"

OclPlan *
ocl_plan_new (const OclPlan * plan)
{
  OclPlan *self = g_atomic_rc_box_new (OclPlan);

  *self = *plan;
  for (guint i = 0; i < self->n_steps; i++)
    ocl_kernels_ref (self->steps[i].kernels);
  return self;
}

OclPlan *
ocl_plan_ref (OclPlan * self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
ocl_plan_clear (gpointer data)
{
  OclPlan *self = data;

  for (guint i = 0; i < self->n_steps; i++) {
    g_free (self->steps[i].derived);
    ocl_kernels_unref (self->steps[i].kernels);
  }
}

void
ocl_plan_unref (OclPlan * self)
{
  g_atomic_rc_box_release_full (self, ocl_plan_clear);
}

void
ocl_plan_set (OclPlan ** plan, OclPlan * other)
{
  if (*plan == other)
    return;
  g_clear_pointer (plan, ocl_plan_unref);
  *plan = other ? ocl_plan_ref (other) : NULL;
}

gboolean
ocl_plan_is_for (const OclPlan * self, const OclFrame * frame)
{
  return self->frame.format == frame->format
      && self->frame.storage == frame->storage
      && self->frame.width == frame->width
      && self->frame.height == frame->height
      && self->frame.interlaced == frame->interlaced
      && ocl_plan_takes (self, frame->bytes_swapped);
}

gboolean
ocl_plan_makes (const OclPlan * self, const OclFrame * frame)
{
  const OclFrame result = ocl_frame_describe_result (&self->frame);

  return result.format == frame->format && result.storage == frame->storage
      && result.width == frame->width && result.height == frame->height
      && result.interlaced == frame->interlaced
      && (!self->copied || result.bytes_swapped == frame->bytes_swapped);
}

gboolean
ocl_plan_takes (const OclPlan * self, gboolean bytes_swapped)
{
  return !self->copied || self->frame.bytes_swapped == bytes_swapped;
}

gboolean
ocl_plan_equals (const OclPlan * a, const OclPlan * b)
{
  gboolean ok = a->copied == b->copied && a->n_steps == b->n_steps;

  for (guint i = 0; ok && i < a->n_steps; i++)
    ok = a->steps[i].kernels == b->steps[i].kernels
        && a->steps[i].is_stored == b->steps[i].is_stored
        && ocl_pass_equals (&a->steps[i].pass, &b->steps[i].pass);
  return ok;
}

const OclVariant *
ocl_plan_get_variant (const OclPlan * self)
{
  return self->n_steps > 0 ? self->steps[0].kernels->variant : self->plain;
}

gboolean
ocl_plan_is_tuned (const OclPlan * self)
{
  for (guint i = 0; i < self->n_steps; i++) {
    if (self->steps[i].is_stored)
      return TRUE;
  }
  return FALSE;
}
