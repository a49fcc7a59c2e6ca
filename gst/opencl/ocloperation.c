/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperation.h"

#include "oclinstances.h"

/* What a class chooses, what suits the device, the plain one. */
#define N_CHOICES 3

struct _OclOperation
{
  const OclOperationClass *klass;
  OclContext *context;
  const OclVariant *forced;     /* or NULL */
  OclInstances *instances;      /* owned */
  OclFrame input_copy;          /* of images, for variants that take none */
  OclFrame output_copy;
};

OclOperation *
ocl_operation_new (const OclOperationClass * klass, OclContext * context)
{
  OclOperation *self = g_new0 (OclOperation, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->instances = ocl_instances_new (klass, context);
  return self;
}

void
ocl_operation_free (OclOperation * self)
{
  ocl_instances_free (self->instances);
  ocl_frame_clear (&self->input_copy);
  ocl_frame_clear (&self->output_copy);
  ocl_context_unref (self->context);
  g_free (self);
}

const OclOperationClass *
ocl_operation_get_class (OclOperation * self)
{
  return self->klass;
}

OclContext *
ocl_operation_get_context (OclOperation * self)
{
  return self->context;
}

void
ocl_operation_force (OclOperation * self, const OclVariant * variant,
    const OclTuning * tuning)
{
  self->forced = variant;
  if (tuning)
    ocl_instances_set_tuning (self->instances, tuning);
}

/* The flag of variants that the device is to have. */
static OclVariantFlags
ocl_operation_get_suiting (OclOperation * self)
{
  return self->context->device->type & CL_DEVICE_TYPE_CPU
      ? OCL_VARIANT_FOR_CPU : OCL_VARIANT_FOR_GPU;
}

static const OclVariant *
ocl_operation_find_suitable (OclOperation * self, gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (variant->flags & ocl_operation_get_suiting (self)
        && !(variant->flags & OCL_VARIANT_APPROXIMATE)
        && ocl_variant_can_serve (variant, params, format, pass))
      return variant;
  }
  return self->klass->variants[0];
}

/* What may serve frames with @params, the best first. Some may be the same. */
static void
ocl_operation_get_choices (OclOperation * self, const OclFormat * format,
    const OclPass * pass, gconstpointer params,
    const OclVariant * choices[N_CHOICES])
{
  const OclVariant *suitable =
      ocl_operation_find_suitable (self, params, format, pass);
  const OclVariant *chosen = self->klass->choose
      ? self->klass->choose (params, format, pass, self->context->device)
      : NULL;

  choices[0] = chosen ? chosen : suitable;
  choices[1] = suitable;
  choices[2] = self->klass->variants[0];
  for (guint i = 0; self->forced && i < N_CHOICES; i++)
    choices[i] = self->forced;
}

/* What variants get in place of @frame: buffers with its bytes. */
static OclFrame
describe_copy (const OclFrame * frame)
{
  OclFrame copy = *frame;

  copy.format = ocl_frame_get_bytes_format (frame);
  copy.storage = OCL_STORAGE_BUFFER;
  copy.bytes_swapped = FALSE;
  return copy;
}

/* The best variant that is not known to fail. */
static const OclVariant *
ocl_operation_find_best (OclOperation * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params)
{
  const OclFrame copy = describe_copy (frame);
  const OclVariant *choices[N_CHOICES];

  ocl_operation_get_choices (self, frame->format, pass, params, choices);
  for (guint i = 0; i < N_CHOICES - 1; i++) {
    const OclInstance *instance = ocl_instances_find (self->instances,
        choices[i], choices[i]->flags & OCL_VARIANT_BUFFERS_ONLY
        ? &copy : frame, pass, params);

    if (!instance || instance->object)
      return choices[i];
  }
  return choices[N_CHOICES - 1];
}

/* Whether images have to be copied to buffers for any of the passes: then all
 * are. What only changes a part of its output copies no more than that. */
static gboolean
ocl_operation_takes_buffers (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes = ocl_operation_class_get_passes (self->klass, params,
      frame->format, passes);

  if (frame->storage == OCL_STORAGE_BUFFER
      || !(self->klass->flags & OCL_OPERATION_READS))
    return FALSE;
  if (frame->format->buffers_only || (frame->interlaced
          && self->klass->flags == OCL_OPERATION_FILTERS))
    return TRUE;
  for (guint i = 0; i < n_passes; i++) {
    if (ocl_operation_find_best (self, frame, &passes[i], params)->flags
        & OCL_VARIANT_BUFFERS_ONLY)
      return TRUE;
  }
  return FALSE;
}

/* Compilers of CPUs work in the threads that run kernels, so that what is built
 * while frames flow would hold them up. */
static gboolean
ocl_operation_builds_later (OclOperation * self)
{
  return !(self->context->device->type & CL_DEVICE_TYPE_CPU);
}

/* Whether @variant may be used for frames like @frame, if it is no other
 * device's. */
static gboolean
ocl_operation_suits (OclOperation * self, const OclVariant * variant,
    const OclFrame * frame)
{
  return variant->flags & ocl_operation_get_suiting (self)
      && (frame->storage == OCL_STORAGE_BUFFER
      || !(variant->flags & OCL_VARIANT_BUFFERS_ONLY));
}

/* What suits the device, for a pass of parameters that frames may get. */
static void
ocl_operation_prepare_other_pass (OclOperation * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params)
{
  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (!ocl_operation_suits (self, variant, frame)
        || !ocl_variant_can_serve (variant, params, frame->format, pass))
      continue;
    if (ocl_operation_builds_later (self))
      ocl_instances_build_later (self->instances, variant, frame, pass, params);
    else
      ocl_instances_build (self->instances, variant, frame, pass, params, FALSE,
          NULL);
  }
}

static gboolean
has_pass (const OclPass * passes, guint n_passes, const OclPass * pass)
{
  for (guint i = 0; i < n_passes; i++) {
    if (ocl_pass_equals (&passes[i], pass))
      return TRUE;
  }
  return FALSE;
}

/* The same for all parameters that the class warms up with: frames do not wait
 * for a compiler when parameters change. What is built before the first frame
 * is no more than its own @passes. */
static void
ocl_operation_prepare_others (OclOperation * self, const OclFrame * frame,
    const OclPass * passes, guint n_passes)
{
  g_autofree gpointer params = ocl_operation_class_create_params (self->klass);

  for (guint n = 0;
      ocl_operation_class_get_warm_up (self->klass, n, params); n++) {
    OclPass others[OCL_MAX_PASSES];
    guint n_others = ocl_operation_class_get_passes (self->klass, params,
        frame->format, others);

    for (guint i = 0; i < n_others; i++) {
      if (ocl_operation_builds_later (self)
          || has_pass (passes, n_passes, &others[i]))
        ocl_operation_prepare_other_pass (self, frame, &others[i], params);
    }
  }
}

/* What is faster with @params than what serves them. */
static void
ocl_operation_specialize (OclOperation * self, const OclVariant * variant,
    const OclFrame * frame, const OclPass * pass, gconstpointer params)
{
  if (self->forced || ocl_operation_builds_later (self))
    ocl_instances_specialize (self->instances, variant, frame, pass, params,
        self->forced != NULL);
}

/* For frames that variants get as they are; sets @is_new where anything had to
 * be built. */
static gboolean
ocl_operation_prepare_pass (OclOperation * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params, gboolean * is_new,
    GError ** error)
{
  const OclVariant *choices[N_CHOICES];
  gboolean is_last = FALSE;
  const OclInstance *instance = NULL;

  ocl_operation_get_choices (self, frame->format, pass, params, choices);
  for (guint i = 0; !(instance && instance->object) && !is_last; i++) {
    is_last = choices[i] == choices[N_CHOICES - 1];
    instance = ocl_instances_find (self->instances, choices[i], frame, pass,
        params);
    if (instance && (instance->object || !is_last))
      continue;
    *is_new = TRUE;
    instance = ocl_instances_build (self->instances, choices[i], frame, pass,
        params, is_last, is_last ? error : NULL);
  }
  if (!instance->object)
    return FALSE;
  ocl_operation_specialize (self, instance->variant, frame, pass, params);
  return TRUE;
}

static gboolean
ocl_operation_prepare_passes (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes = ocl_operation_class_get_passes (self->klass, params,
      frame->format, passes);
  gboolean is_new = FALSE;

  for (guint i = 0; i < n_passes; i++) {
    if (!ocl_operation_prepare_pass (self, frame, &passes[i], params, &is_new,
            error))
      return FALSE;
  }
  if (is_new && !self->forced)
    ocl_operation_prepare_others (self, frame, passes, n_passes);
  return TRUE;
}

gboolean
ocl_operation_prepare (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  const OclFrame copy = describe_copy (frame);

  /* Where a variant for buffers fails, one for images may serve. */
  while (ocl_operation_takes_buffers (self, frame, params)) {
    if (!ocl_operation_prepare_passes (self, &copy, params, error))
      return FALSE;
    if (ocl_operation_takes_buffers (self, frame, params))
      return TRUE;
  }
  return ocl_operation_prepare_passes (self, frame, params, error);
}

/* For a frame that variants get as it is; NULL where it was not prepared. */
static const OclInstance *
ocl_operation_choose (OclOperation * self, const OclFrame * frame,
    const OclPass * pass, gconstpointer params)
{
  const OclVariant *choices[N_CHOICES];

  ocl_operation_get_choices (self, frame->format, pass, params, choices);
  for (guint i = 0; i < N_CHOICES; i++) {
    const OclInstance *instance = ocl_instances_find (self->instances,
        choices[i], frame, pass, params);

    if (instance && instance->object)
      return instance;
  }
  return NULL;
}

const OclVariant *
ocl_operation_get_variant (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  const OclFrame copy = describe_copy (frame);
  OclPass passes[OCL_MAX_PASSES];

  if (ocl_operation_class_get_passes (self->klass, params, frame->format,
          passes) == 0)
    return self->klass->variants[0];
  return ocl_operation_choose (self,
      ocl_operation_takes_buffers (self, frame, params) ? &copy : frame,
      &passes[0], params)->variant;
}

/* Whether one of the passes writes all of a plane. A pass over red, green and
 * blue writes alpha, too. */
static gboolean
is_written (const OclFormat * format, guint plane, const OclPass * passes,
    guint n_passes)
{
  for (guint i = 0; i < n_passes; i++) {
    guint n = 0;

    for (guint j = 0; j < passes[i].n_channels; j++)
      n += format->channels[passes[i].first_channel + j].plane == plane;
    if (n == OCL_MAX_PASS_CHANNELS || n == format->planes[plane].n_components)
      return TRUE;
  }
  return FALSE;
}

/* What no pass writes stays as it is. */
static gboolean
ocl_operation_enqueue_unwritten (OclOperation * self, const OclRun * run,
    const OclPass * passes, guint n_passes, GError ** error)
{
  const OclFormat *format = run->output->format;

  for (guint plane = 0; plane < format->n_planes; plane++) {
    if (!is_written (format, plane, passes, n_passes)
        && !ocl_frame_enqueue_plane_copy (self->context, run->input,
            run->output, plane, run->timer, error))
      return FALSE;
  }
  return TRUE;
}

/* On one picture. The second one of an interlaced frame of few rows may have
 * no samples of a pass. */
static gboolean
ocl_operation_enqueue_picture (OclOperation * self, const OclRun * run,
    const OclPass * passes, guint n_passes, GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;
  OclRun pass_run = *run;

  for (guint i = 0; i < n_passes; i++) {
    if (ocl_pass_get_height (&passes[i], frame) == 0)
      continue;

    const OclInstance *instance =
        ocl_operation_choose (self, frame, &passes[i], run->params);

    pass_run.pass = &passes[i];
    if (!instance->variant->enqueue (instance->object, &pass_run, error))
      return FALSE;
  }
  return TRUE;
}

/* On frames that variants get as they are. */
static gboolean
ocl_operation_enqueue_passes (OclOperation * self, const OclRun * run,
    GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes = ocl_operation_class_get_passes (self->klass, run->params,
      frame->format, passes);

  if (!run->input || !run->output)
    return ocl_operation_enqueue_picture (self, run, passes, n_passes, error);
  if (!ocl_operation_enqueue_unwritten (self, run, passes, n_passes, error))
    return FALSE;
  if (!ocl_frame_has_fields (frame))
    return ocl_operation_enqueue_picture (self, run, passes, n_passes, error);

  for (guint field = 0; field < 2; field++) {
    const OclFrame input = ocl_frame_get_field (run->input, field);
    const OclFrame output = ocl_frame_get_field (run->output, field);
    OclRun picture = *run;

    picture.input = &input;
    picture.output = &output;
    if (!ocl_operation_enqueue_picture (self, &picture, passes, n_passes,
            error))
      return FALSE;
  }
  return TRUE;
}

/* On buffers in place of images. */
static gboolean
ocl_operation_enqueue_copied (OclOperation * self, const OclRun * run,
    GError ** error)
{
  OclRun copied = *run;

  copied.input = &self->input_copy;
  if (!ocl_frame_ensure (&self->input_copy, self->context, OCL_STORAGE_BUFFER,
          run->input, error)
      || !ocl_frame_enqueue_copy (self->context, run->input,
          &self->input_copy, run->timer, error))
    return FALSE;
  if (!run->output)
    return ocl_operation_enqueue_passes (self, &copied, error);

  copied.output = &self->output_copy;
  return ocl_frame_ensure (&self->output_copy, self->context,
      OCL_STORAGE_BUFFER, run->output, error)
      && ocl_operation_enqueue_passes (self, &copied, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy,
      run->output, run->timer, error);
}

gboolean
ocl_operation_enqueue (OclOperation * self, const OclRun * run, GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;

  g_assert (!ocl_operation_class_is_neutral (self->klass, run->params));
  g_assert (!run->input || !run->output
      || (run->input->width == run->output->width
          && run->input->height == run->output->height
          && run->input->storage == run->output->storage));
  /* Nothing is left to be done, unless the driver shares a texture unlike the
   * one that was prepared for. */
  if (!ocl_operation_prepare (self, frame, run->params, error))
    return FALSE;
  return ocl_operation_takes_buffers (self, frame, run->params)
      ? ocl_operation_enqueue_copied (self, run, error)
      : ocl_operation_enqueue_passes (self, run, error);
}
