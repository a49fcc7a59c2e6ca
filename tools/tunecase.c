/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tunecase.h"

#include "opencl/operation/ocloperation.h"
#include "tuningcheck.h"

/* The functions of a TunerBench get a Bench as their data. */
typedef struct
{
  TuneCase *tuned;
  OclContext *context;
  Runner *runner;
  const volatile gint *interrupted;
} Bench;

static gboolean
bench_measure (gpointer data, const OclTuning * tuning, gdouble * milliseconds,
    GError ** error)
{
  Bench *self = data;
  RunnerCase item = self->tuned->item;
  RunnerTimes times;

  item.tuning = *tuning;
  /* The first run builds, and brings the frame back into the caches. */
  if (!runner_run (self->runner, &item, &times, error)
      || !runner_run (self->runner, &item, &times, error))
    return FALSE;
  *milliseconds = times.kernel + times.transfer;
  return TRUE;
}

static gboolean
bench_verify (gpointer data, const OclTuning * tuning, GError ** error)
{
  Bench *self = data;
  RunnerCase item = self->tuned->item;

  item.tuning = *tuning;
  return tuning_check (self->context, &item, error);
}

static void
bench_forget (gpointer data, const OclTuning * tuning)
{
  Bench *self = data;
  RunnerCase item = self->tuned->item;

  item.tuning = *tuning;
  runner_forget (self->runner, &item);
}

static gdouble
bench_get_seconds (gpointer data)
{
  (void) data;
  return g_get_monotonic_time () / 1e6;
}

static gboolean
bench_is_interrupted (gpointer data)
{
  return *((Bench *) data)->interrupted;
}

static gboolean
refuse (const gchar * reason, GError ** error)
{
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED, reason);
  return FALSE;
}

/* Adds the key for a step of a plan: for the fastest form of its variant, which
 * is the one that is measured. */
static void
add_key (TuneCase * self, const OclFrame * frame, const OclStep * step)
{
  const RunnerCase *item = &self->item;
  const OclVariant *variant = step->kernels->variant;
  guint forms[OCL_MAX_FORMS];

  ocl_variant_get_forms (variant, item->params, item->format, forms);
  const OclDatabaseKey key =
      ocl_operation_class_get_database_key (item->variant.klass, variant,
      forms[0], frame, &step->pass, item->params);

  g_array_append_val (self->keys, key);
}

/* Returns whether all steps of @plan have one variant, which can be tuned. */
static gboolean
take_variant (TuneCase * self, const OclPlan * plan, GError ** error)
{
  const OclVariant *variant = ocl_plan_get_variant (plan);

  if (plan->copied)
    return refuse ("images are copied to buffers: tune buffers", error);
  self->has_nothing = !variant->tunables || !variant->source;
  if (self->has_nothing)
    return refuse ("nothing can be set", error);
  for (guint i = 0; i < plan->n_steps; i++) {
    if (plan->steps[i].kernels->variant != variant)
      return refuse ("planes have variants of their own: tune other formats",
          error);
    add_key (self, &plan->frame, &plan->steps[i]);
  }
  self->item.variant.variant = variant;
  self->item.variant.name = variant->name;
  self->space.table = variant->tunables;
  return TRUE;
}

/* Sets which groups may be tried. Groups of any size suit a CPU. */
static gboolean
take_group (TuneCase * self, const OclPlan * plan, OclContext * context,
    GError ** error)
{
  const OclDevice *device = context->device;
  cl_kernel kernel = plan->steps[0].kernels->kernels[0];
  size_t simd_width = 1;
  size_t max_group = 1;

  if (!ocl_check (clGetDeviceInfo (device->id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
              sizeof (max_group), &max_group, NULL), "clGetDeviceInfo", error)
      || (!(device->type & CL_DEVICE_TYPE_CPU)
          && !ocl_check (clGetKernelWorkGroupInfo (kernel, device->id,
                  CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                  sizeof (simd_width), &simd_width, NULL),
              "clGetKernelWorkGroupInfo", error)))
    return FALSE;
  self->space.simd_width = MAX (simd_width, 1);
  self->space.max_group = max_group;
  return TRUE;
}

gboolean
tune_case_init (TuneCase * self, OclContext * context, GError ** error)
{
  const RunnerCase *item = &self->item;
  const OclOperationClass *klass = item->variant.klass;
  const OclFrame like = {.format = item->format,.storage = item->storage,
    .width = item->width,.height = item->height
  };

  self->keys = g_array_new (FALSE, FALSE, sizeof (OclDatabaseKey));
  if ((klass->flags & OCL_OPERATION_FILTERS) != OCL_OPERATION_FILTERS)
    return refuse ("it is no filter", error);
  if (klass->flags & OCL_OPERATION_IS_TEXT)
    return refuse ("kernels of users are not in the database", error);
  if (ocl_operation_class_is_neutral (klass, item->params)
      || !ocl_operation_class_check (klass, item->params, item->format, error))
    return error && *error ? FALSE
        : refuse ("with these settings frames stay as they are", error);
  OclOperation *operation = ocl_operation_new (klass, context);
  ocl_operation_set_uses_database (operation, FALSE);
  OclPlan *plan = ocl_operation_get_plan (operation, &like, item->params,
      error);
  const gboolean ok = plan && take_variant (self, plan, error)
      && take_group (self, plan, context, error);

  g_clear_pointer (&plan, ocl_plan_unref);
  ocl_operation_free (operation);
  return ok;
}

gboolean
tune_case_run (TuneCase * self, OclContext * context, gdouble budget,
    const volatile gint * interrupted, GError ** error)
{
  g_autoptr (Runner) runner = runner_new (context, NULL);
  Bench data = {.tuned = self,.context = context,.runner = runner,
    .interrupted = interrupted
  };
  const TunerBench bench = {
    .measure = bench_measure,.verify = bench_verify,.forget = bench_forget,
    .get_seconds = bench_get_seconds,.is_interrupted = bench_is_interrupted,
    .data = &data,
  };
  g_autofree gchar *what = g_strdup_printf ("%s %s, %s in %s, %dx%d",
      self->item.variant.klass->name, self->item.variant.name,
      self->item.format->name, ocl_storage_names[self->item.storage],
      self->item.width, self->item.height);

  return tuner_run (&bench, &self->space, budget, what, &self->result, error);
}

void
tune_case_clear (TuneCase * self)
{
  g_clear_pointer (&self->keys, g_array_unref);
  tuner_result_clear (&self->result);
}
