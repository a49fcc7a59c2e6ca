/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperation.h"

#include "bilateral/oclbilateral.h"
#include "histogram/oclhistogram.h"
#include "histogram/oclhistogramoverlay.h"

/* The frame that variants are warmed up with: 16 pixels fill a vector. */
#define WARM_UP_WIDTH 16
#define WARM_UP_HEIGHT 1

/* What a class chooses, what suits the device, the plain one. */
#define N_CHOICES 3

/* A variant built for frames of one kind. */
typedef struct
{
  const OclVariant *variant;
  const OclFormat *format;
  OclStorage storage;
  gpointer object;              /* owned; NULL where it cannot be used */
} Instance;

struct _OclOperation
{
  const OclOperationClass *klass;
  OclContext *context;
  const OclVariant *forced;     /* or NULL */
  OclTuning forced_tuning;
  GArray *instances;            /* Instance */
  OclFrame input_copy;          /* of images, for variants that take none */
  OclFrame output_copy;
};

const OclOperationClass *const ocl_operations[] = {
  &ocl_bilateral_class,
  &ocl_histogram_class,
  &ocl_histogram_overlay_class,
  NULL,
};

const OclOperationClass *
ocl_operation_class_find (const gchar * name)
{
  for (guint i = 0; ocl_operations[i]; i++) {
    if (g_str_equal (ocl_operations[i]->name, name))
      return ocl_operations[i];
  }
  return NULL;
}

const OclVariant *
ocl_operation_class_find_variant (const OclOperationClass * klass,
    const gchar * name)
{
  for (guint i = 0; klass->variants[i]; i++) {
    if (g_str_equal (klass->variants[i]->name, name))
      return klass->variants[i];
  }
  return NULL;
}

gboolean
ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params)
{
  return klass->is_neutral && klass->is_neutral (params);
}

gpointer
ocl_operation_class_create_params (const OclOperationClass * klass)
{
  gpointer params = g_malloc0 (klass->params_size);

  ocl_params_init (klass->params, params);
  return params;
}

gchar *
ocl_variant_get_label (const OclVariant * variant, OclStorage storage)
{
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY)
    return g_strdup (variant->name);
  return g_strdup_printf ("%s-%s", variant->name,
      storage == OCL_STORAGE_IMAGE ? "image" : "buffer");
}

OclOperation *
ocl_operation_new (const OclOperationClass * klass, OclContext * context)
{
  OclOperation *self = g_new0 (OclOperation, 1);

  self->klass = klass;
  self->context = ocl_context_ref (context);
  self->instances = g_array_new (FALSE, FALSE, sizeof (Instance));
  return self;
}

void
ocl_operation_free (OclOperation * self)
{
  for (guint i = 0; i < self->instances->len; i++) {
    Instance *instance = &g_array_index (self->instances, Instance, i);

    if (instance->object)
      instance->variant->free (instance->object);
  }
  g_array_unref (self->instances);
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
    self->forced_tuning = *tuning;
  else
    ocl_tuning_init (&self->forced_tuning, variant->tunables);
}

static gboolean
can_serve (const OclVariant * variant, gconstpointer params,
    const OclFormat * format)
{
  return !variant->can_serve || variant->can_serve (params, format);
}

static const OclVariant *
ocl_operation_find_suitable (OclOperation * self, gconstpointer params,
    const OclFormat * format)
{
  const OclVariantFlags suits =
      self->context->device->type & CL_DEVICE_TYPE_CPU
      ? OCL_VARIANT_FOR_CPU : OCL_VARIANT_FOR_GPU;

  for (guint i = 0; self->klass->variants[i]; i++) {
    const OclVariant *variant = self->klass->variants[i];

    if (variant->flags & suits && can_serve (variant, params, format))
      return variant;
  }
  return self->klass->variants[0];
}

/* What may serve frames with @params, the best first. Some may be the same. */
static void
ocl_operation_get_choices (OclOperation * self, const OclFrame * frame,
    gconstpointer params, const OclVariant * choices[N_CHOICES])
{
  const OclVariant *suitable =
      ocl_operation_find_suitable (self, params, frame->format);
  const OclVariant *chosen = self->klass->choose
      ? self->klass->choose (params, frame->format, self->context->device)
      : NULL;

  choices[0] = chosen ? chosen : suitable;
  choices[1] = suitable;
  choices[2] = self->klass->variants[0];
  for (guint i = 0; self->forced && i < N_CHOICES; i++)
    choices[i] = self->forced;
}

static gboolean
takes_buffers_of (const OclVariant * variant, const OclFrame * frame)
{
  return frame->storage == OCL_STORAGE_IMAGE
      && variant->flags & OCL_VARIANT_BUFFERS_ONLY;
}

/* NULL where none was tried for such frames. */
static Instance *
ocl_operation_find_instance (OclOperation * self, const OclVariant * variant,
    const OclFrame * frame)
{
  gboolean copied = takes_buffers_of (variant, frame);
  const OclFormat *format = copied ? ocl_frame_get_bytes_format (frame)
      : frame->format;
  const OclStorage storage = copied ? OCL_STORAGE_BUFFER : frame->storage;

  for (guint i = 0; i < self->instances->len; i++) {
    Instance *instance = &g_array_index (self->instances, Instance, i);

    if (instance->variant == variant && instance->format == format
        && instance->storage == storage)
      return instance;
  }
  return NULL;
}

/* Runs @instance where it has to take buffers in place of images. */
static gboolean
ocl_operation_enqueue_copied (OclOperation * self, const Instance * instance,
    const OclRun * run, GError ** error)
{
  OclRun copied = *run;

  copied.input = &self->input_copy;
  if (!ocl_frame_ensure (&self->input_copy, self->context, OCL_STORAGE_BUFFER,
          run->input, error)
      || !ocl_frame_enqueue_copy (self->context, run->input,
          &self->input_copy, run->timer, error))
    return FALSE;
  if (!run->output)
    return instance->variant->enqueue (instance->object, &copied, error);

  copied.output = &self->output_copy;
  return ocl_frame_ensure (&self->output_copy, self->context,
      OCL_STORAGE_BUFFER, run->output, error)
      && instance->variant->enqueue (instance->object, &copied, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy,
      run->output, run->timer, error);
}

static gboolean
ocl_operation_enqueue_instance (OclOperation * self, const Instance * instance,
    const OclRun * run, GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;

  if (takes_buffers_of (instance->variant, frame))
    return ocl_operation_enqueue_copied (self, instance, run, error);
  return instance->variant->enqueue (instance->object, run, error);
}

/* Runs @instance with everything that it can serve of what the class warms up
 * with. */
static gboolean
ocl_operation_enqueue_warm_up (OclOperation * self, const Instance * instance,
    OclRun * run, GError ** error)
{
  g_autofree gpointer params = ocl_operation_class_create_params (self->klass);
  gboolean ok = TRUE;

  run->params = params;
  for (guint n = 0; ok; n++) {
    if (self->klass->get_warm_up ? !self->klass->get_warm_up (n, params)
        : n > 0)
      break;
    if (can_serve (instance->variant, params, instance->format))
      ok = ocl_operation_enqueue_instance (self, instance, run, error);
  }
  return ok;
}

/* Many drivers compile at the first enqueue, not in clBuildProgram. */
static gboolean
ocl_operation_warm_up (OclOperation * self, const Instance * instance,
    const OclFrame * frame, GError ** error)
{
  const OclOperationFlags flags = self->klass->flags;
  OclFrame like = *frame;
  OclFrame input = { 0, };
  OclFrame output = { 0, };
  OclResult result = { 0, };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclRun run = {.timer = timer };

  like.width = WARM_UP_WIDTH;
  like.height = WARM_UP_HEIGHT;
  gboolean ok = ocl_frame_ensure (&input, self->context, frame->storage, &like,
      error)
      && ocl_frame_ensure (&output, self->context, frame->storage, &like,
      error)
      && ocl_frame_enqueue_blank (self->context, &input, error)
      && ocl_frame_enqueue_blank (self->context, &output, error)
      && (self->klass->result_size == 0
      || ocl_result_ensure (&result, self->context, self->klass->result_size,
          error));
  if (ok) {
    run.input = flags & OCL_OPERATION_READS ? &input : NULL;
    run.output = flags & OCL_OPERATION_WRITES ? &output : NULL;
    run.result = self->klass->result_size ? &result : NULL;
    ok = ocl_operation_enqueue_warm_up (self, instance, &run, error);
  }
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  ocl_result_clear (&result, self->context);
  return ok;
}

static gboolean
ocl_operation_build (OclOperation * self, Instance * instance,
    const OclFrame * frame, GError ** error)
{
  const OclVariant *variant = instance->variant;
  OclBuild build = {.format = instance->format,.storage = instance->storage,
    .tunables = variant->tunables
  };

  if (self->forced)
    build.tuning = self->forced_tuning;
  else
    ocl_tuning_init (&build.tuning, variant->tunables);
  instance->object = variant->new (self->context, &build, error);
  if (!instance->object)
    return FALSE;
  if (!ocl_operation_warm_up (self, instance, frame, error)) {
    variant->free (g_steal_pointer (&instance->object));
    return FALSE;
  }
  return TRUE;
}

/* Whether @variant can be used for frames like @frame; what cannot is not tried
 * again, unless it is all that there is. */
static gboolean
ocl_operation_prepare_variant (OclOperation * self, const OclVariant * variant,
    const OclFrame * frame, gboolean is_last, GError ** error)
{
  Instance *known = ocl_operation_find_instance (self, variant, frame);
  if (known && (known->object || !is_last))
    return known->object != NULL;

  gboolean copied = takes_buffers_of (variant, frame);
  Instance instance = {
    .variant = variant,
    .format = copied ? ocl_frame_get_bytes_format (frame) : frame->format,
    .storage = copied ? OCL_STORAGE_BUFFER : frame->storage,
  };
  g_autoptr (GError) reason = NULL;

  gboolean ok = ocl_operation_build (self, &instance, frame, &reason);
  if (known)
    *known = instance;
  else
    g_array_append_val (self->instances, instance);
  if (ok)
    return TRUE;
  if (is_last)
    g_propagate_error (error, g_steal_pointer (&reason));
  else
    g_info ("%s: %s is left out: %s", self->klass->name, variant->name,
        reason->message);
  return FALSE;
}

gboolean
ocl_operation_prepare (OclOperation * self, const OclFrame * frame,
    gconstpointer params, GError ** error)
{
  const OclVariant *choices[N_CHOICES];

  ocl_operation_get_choices (self, frame, params, choices);
  /* What suits the device comes first, and always: it is what frames fall back
   * to when parameters change. */
  if ((choices[1] == choices[2]
          || !ocl_operation_prepare_variant (self, choices[1], frame, FALSE,
              NULL))
      && !ocl_operation_prepare_variant (self, choices[2], frame, TRUE, error))
    return FALSE;
  if (choices[0] != choices[1])
    ocl_operation_prepare_variant (self, choices[0], frame, FALSE, NULL);
  return TRUE;
}

static const Instance *
ocl_operation_choose (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  const OclVariant *choices[N_CHOICES];

  ocl_operation_get_choices (self, frame, params, choices);
  for (guint i = 0; i < N_CHOICES; i++) {
    const Instance *instance =
        ocl_operation_find_instance (self, choices[i], frame);

    if (instance && instance->object)
      return instance;
  }
  return NULL;
}

const OclVariant *
ocl_operation_get_variant (OclOperation * self, const OclFrame * frame,
    gconstpointer params)
{
  return ocl_operation_choose (self, frame, params)->variant;
}

gboolean
ocl_operation_enqueue (OclOperation * self, const OclRun * run,
    GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;
  const Instance *instance = ocl_operation_choose (self, frame, run->params);

  g_assert (!ocl_operation_class_is_neutral (self->klass, run->params));
  g_assert (!run->input || !run->output
      || (run->input->width == run->output->width
          && run->input->height == run->output->height
          && run->input->storage == run->output->storage));
  /* A texture that the driver shares unlike the one that was prepared for. */
  if (!instance) {
    if (!ocl_operation_prepare (self, frame, run->params, error))
      return FALSE;
    instance = ocl_operation_choose (self, frame, run->params);
  }
  return ocl_operation_enqueue_instance (self, instance, run, error);
}
