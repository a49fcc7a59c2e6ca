/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclchain.h"

#include <string.h>

/* Frames between operations: of integers and of floats, two of each, so that a
 * plane can be read and written. */
#define N_KINDS 2
#define N_FRAMES 2

/* Mixed streams have two kinds of frames. */
#define N_LAST 2

struct _OclChain
{
  gint n_references;            /* atomic */
  guint id;
  OclContext *context;
  guint n;
  OclOperation *operations[OCL_MAX_LINKS];      /* owned */
  OclOperation *converter;      /* owned */
  OclFrame between[N_KINDS][N_FRAMES];
  OclFrame input_copy;          /* of images, for operations without them */
  OclFrame output_copy;
  OclChainPlan *last[N_LAST];   /* owned, or NULL; the last one first */
  const OclInsert *unfusable[OCL_MAX_LINKS];    /* that cannot be fused there */
  const OclFormat *asked;       /* the last format of floats, or NULL */
  gboolean has_images;          /* whether the device has images of @asked */
};

OclChain *
ocl_chain_new (const OclLinks * links, OclContext * context)
{
  OclChain *self = g_new0 (OclChain, 1);

  self->n_references = 1;
  self->id = links->id;
  self->context = ocl_context_ref (context);
  self->n = links->n;
  for (guint i = 0; i < self->n; i++)
    self->operations[i] = ocl_operation_new (links->items[i].klass, context);
  self->converter = ocl_operation_new (&ocl_convert_class, context);
  return self;
}

void
ocl_chain_set_uses_database (OclChain * self, gboolean uses)
{
  for (guint i = 0; i < self->n; i++)
    ocl_operation_set_uses_database (self->operations[i], uses);
  ocl_operation_set_uses_database (self->converter, uses);
}

OclChain *
ocl_chain_ref (OclChain * self)
{
  g_atomic_int_inc (&self->n_references);
  return self;
}

void
ocl_chain_unref (OclChain * self)
{
  if (!g_atomic_int_dec_and_test (&self->n_references))
    return;
  for (guint i = 0; i < N_LAST; i++)
    ocl_chain_plan_set (&self->last[i], NULL);
  for (guint i = 0; i < self->n; i++)
    ocl_operation_free (self->operations[i]);
  ocl_operation_free (self->converter);
  for (guint i = 0; i < N_KINDS * N_FRAMES; i++)
    ocl_frame_clear (&self->between[i / N_FRAMES][i % N_FRAMES]);
  ocl_frame_clear (&self->input_copy);
  ocl_frame_clear (&self->output_copy);
  ocl_context_unref (self->context);
  g_free (self);
}

void
ocl_chain_set (OclChain ** chain, OclChain * other)
{
  if (*chain == other)
    return;
  g_clear_pointer (chain, ocl_chain_unref);
  *chain = other ? ocl_chain_ref (other) : NULL;
}

guint
ocl_chain_get_id (OclChain * self)
{
  return self->id;
}

OclOperation *
ocl_chain_get_operation (OclChain * self, guint n)
{
  g_return_val_if_fail (n < self->n, NULL);
  return self->operations[n];
}

GError *
ocl_chain_take_warning (OclChain * self)
{
  GError *warning = NULL;

  for (guint i = 0; i < self->n && !warning; i++)
    warning = ocl_operation_take_warning (self->operations[i]);
  return warning;
}

void
ocl_chain_forget (OclChain * self)
{
  for (guint i = 0; i < self->n; i++)
    ocl_operation_forget (self->operations[i]);
}

/* The operations that frames need, each with a frame like those that it gets,
 * and with the operation that runs inside its kernels, or -1. */
typedef struct
{
  guint n;
  guint links[OCL_MAX_LINKS];
  gint fused[OCL_MAX_LINKS];
  OclFrame frames[OCL_MAX_LINKS];
} Outline;

/* Returns whether @b can run on what @a writes: in the same passes. */
static gboolean
have_same_passes (const OclLink * a, const OclLink * b,
    const OclFormat * format, gboolean reads_luma)
{
  OclPass passes[OCL_MAX_PASSES], others[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (a->klass, a->params, format,
      passes);
  gboolean ok = ocl_operation_class_get_passes (b->klass, b->params, format,
      others) == n;

  for (guint i = 0; ok && i < n; i++)
    ok = passes[i].first_channel == others[i].first_channel
        && passes[i].n_channels == others[i].n_channels
        && !(reads_luma && format->model == OCL_MODEL_YCBCR);
  return ok;
}

/* Returns whether operation @n can run inside the kernels of the last operation
 * of the outline. Its levels are not rounded then. */
static gboolean
ocl_chain_fuses (OclChain * self, const Outline * outline,
    const OclLinks * links, guint n, const OclFormat * format)
{
  const OclLink *link = &links->items[n];
  const guint last = outline->n - 1;
  OclFusion fusion;

  if (links->exact || outline->n == 0 || outline->fused[last] >= 0
      || !link->klass->get_fusion
      || !link->klass->get_fusion (link->params, &fusion)
      || fusion.insert == self->unfusable[n])
    return FALSE;
  const OclLink *before = &links->items[outline->links[last]];
  return before->klass->flags & OCL_OPERATION_FUSES
      && have_same_passes (before, link, format, fusion.reads_luma);
}

/* Takes the operations that are not neutral, or all if all are neutral. */
static void
ocl_chain_init_outline (OclChain * self, const OclLinks * links,
    const OclFormat * format, Outline * outline)
{
  const gboolean takes_all = ocl_links_are_neutral (links);

  outline->n = 0;
  for (guint i = 0; i < links->n; i++) {
    const OclLink *link = &links->items[i];

    if (!takes_all && ocl_operation_class_is_neutral (link->klass,
            link->params))
      continue;
    if (!takes_all && ocl_chain_fuses (self, outline, links, i, format)) {
      outline->fused[outline->n - 1] = i;
      continue;
    }
    outline->fused[outline->n] = -1;
    outline->links[outline->n++] = i;
  }
}

/* Returns whether levels are floats between operations @n and @n + 1. */
static gboolean
outline_has_floats (const Outline * self, const OclLinks * links, gint n)
{
  gboolean has_floats = !links->exact && n >= 0 && n + 1 < (gint) self->n;

  for (gint i = n; has_floats && i <= n + 1; i++) {
    const OclLink *link = &links->items[self->links[i]];

    has_floats = ocl_operation_class_takes_floats (link->klass, link->params);
  }
  return has_floats;
}

static OclFusion
get_fusion (const OclLink * link)
{
  OclFusion fusion = { NULL, };

  link->klass->get_fusion (link->params, &fusion);
  return fusion;
}

/* Sets what frames are like. The chain gets frames like @frame. */
static void
outline_set_frames (Outline * self, const OclLinks * links,
    const OclFrame * frame)
{
  for (guint i = 0; i < self->n; i++) {
    self->frames[i] = *frame;
    self->frames[i].format = ocl_format_get_between (frame->format,
        outline_has_floats (self, links, (gint) i - 1),
        outline_has_floats (self, links, i),
        frame->storage == OCL_STORAGE_BUFFER);
    self->frames[i].bytes_swapped =
        frame->bytes_swapped && !self->frames[i].format->is_float;
    if (self->fused[i] >= 0)
      self->frames[i].format = ocl_format_get_fused (self->frames[i].format,
          get_fusion (&links->items[self->fused[i]]).insert);
  }
}

/* Returns whether the device has images for all planes of a format. Frames of
 * integers are those of the chain. */
static gboolean
ocl_chain_has_images (OclChain * self, const OclFormat * format)
{
  gboolean has_images = TRUE;

  if (!format->is_float)
    return TRUE;
  format = ocl_format_get_memory (format);
  if (format == self->asked)
    return self->has_images;
  for (guint i = 0; has_images && i < format->n_planes; i++) {
    if (!ocl_context_supports_image (self->context,
            ocl_format_get_image_format (format, i), &has_images, NULL))
      has_images = FALSE;
  }
  self->asked = format;
  self->has_images = has_images;
  return has_images;
}

/* Returns whether all operations take the frames, which are images. */
static gboolean
ocl_chain_takes_images (OclChain * self, const Outline * outline,
    const OclLinks * links)
{
  for (guint i = 0; i < outline->n; i++) {
    const guint n = outline->links[i];

    if (!ocl_chain_has_images (self, outline->frames[i].format)
        || !ocl_operation_takes_images (self->operations[n],
            &outline->frames[i], links->items[n].params))
      return FALSE;
  }
  return TRUE;
}

/* Sets @outline for frames like @frame. Returns whether they are copied to
 * buffers. A single operation copies images itself. */
static gboolean
ocl_chain_outline (OclChain * self, const OclFrame * frame,
    const OclLinks * links, Outline * outline)
{
  const OclFrame copy = ocl_frame_describe_copy (frame);

  ocl_chain_init_outline (self, links, frame->format, outline);
  outline_set_frames (outline, links, frame);
  if (outline->n == 0 || (outline->n == 1 && outline->fused[0] < 0)
      || frame->storage == OCL_STORAGE_BUFFER
      || ocl_chain_takes_images (self, outline, links))
    return FALSE;
  outline_set_frames (outline, links, &copy);
  return TRUE;
}

/* Plans the operation of step @i with the one that is fused to it, which is
 * planned by itself before: a text is checked then. Returns NULL if this is
 * impossible, or if only the plain variant can do it: names of the text may be
 * names of the kernels. */
static OclPlan *
ocl_chain_plan_fused (OclChain * self, const Outline * outline,
    const OclLinks * links, guint i, GError ** error)
{
  const guint n = outline->links[i];
  const guint fused = outline->fused[i];
  const OclLink *link = &links->items[fused];
  OclFrame frame = outline->frames[i];

  frame.format = ocl_format_get_memory (frame.format);
  g_autoptr (OclPlan) plan = ocl_operation_get_plan (self->operations[fused],
      &frame, link->params, error);
  if (!plan)
    return NULL;
  ocl_plan_unref (plan);
  plan = ocl_operation_get_plan (self->operations[n], &outline->frames[i],
      links->items[n].params, error);
  for (guint k = 0; plan && k < plan->n_steps; k++) {
    if (plan->steps[k].kernels->variant != plan->plain)
      continue;
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A text does not run inside the kernels of %s.",
        links->items[n].klass->name);
    return NULL;
  }
  return g_steal_pointer (&plan);
}

/* Makes the plans of the operations. The caller owns them. */
static gboolean
ocl_chain_plan_steps (OclChain * self, const Outline * outline,
    const OclLinks * links, OclChainPlan * plan, GError ** error)
{
  for (guint i = 0; i < outline->n; i++) {
    OclChainStep *step = &plan->steps[i];
    const guint n = outline->links[i];
    const OclLink *link = &links->items[n];

    step->link = n;
    step->fused = outline->fused[i];
    step->keeps_frames = ocl_operation_class_keeps_frames (link->klass,
        link->params);
    step->plan = step->fused >= 0
        ? ocl_chain_plan_fused (self, outline, links, i, error)
        : ocl_operation_get_plan (self->operations[n], &outline->frames[i],
        link->params, error);
    if (!step->plan) {
      if (step->fused >= 0) {
        g_debug ("operation %d is not fused to %u: %s", step->fused, n,
            error && *error ? (*error)->message : "");
        self->unfusable[step->fused] =
            get_fusion (&links->items[step->fused]).insert;
      }
      if (links->n > 1)
        g_prefix_error (error, "Operation %u, %s: ", n + 1, link->klass->name);
      return FALSE;
    }
    plan->n_steps = i + 1;
  }
  return TRUE;
}

/* Makes the plans of the conversions, and says where planes come from. */
static gboolean
ocl_chain_plan_planes (OclChain * self, const Outline * outline,
    OclChainPlan * plan, GError ** error)
{
  for (guint i = 0; i < plan->n_steps; i++) {
    const OclConvertParams params = {
      .planes = ocl_chain_plan_get_conversion (plan, i)
    };

    if (params.planes) {
      plan->steps[i].conversion = ocl_operation_get_plan (self->converter,
          &outline->frames[i], &params, error);
      if (!plan->steps[i].conversion)
        return FALSE;
    }
    ocl_chain_plan_set_sources (plan, i, params.planes);
  }
  return TRUE;
}

/* Decides @plan for its frame. After a failure it has no steps. */
static gboolean
ocl_chain_decide (OclChain * self, const OclLinks * links, OclChainPlan * plan,
    GError ** error)
{
  Outline outline;

  plan->copied = ocl_chain_outline (self, &plan->frame, links, &outline);
  if (ocl_chain_plan_steps (self, &outline, links, plan, error)
      && ocl_chain_plan_planes (self, &outline, plan, error))
    return TRUE;
  ocl_chain_plan_clear (plan);
  return FALSE;
}

/* Makes a plan that is equal to @plan the last one. */
static void
ocl_chain_remember (OclChain * self, const OclChainPlan * plan)
{
  OclChainPlan *first = self->last[0];

  if (first && ocl_chain_plan_equals (first, plan))
    return;
  if (self->last[1] && ocl_chain_plan_equals (self->last[1], plan)) {
    self->last[0] = self->last[1];
  } else {
    g_clear_pointer (&self->last[1], ocl_chain_plan_unref);
    self->last[0] = ocl_chain_plan_new (plan);
  }
  self->last[1] = first;
}

OclChainPlan *
ocl_chain_get_plan (OclChain * self, const OclFrame * frame,
    const OclLinks * links, GError ** error)
{
  OclChainPlan plan = {.frame = *frame };
  const OclInsert *unfusable[OCL_MAX_LINKS];
  gboolean ok;

  /* What cannot be fused is planned again without. */
  do {
    memcpy (unfusable, self->unfusable, sizeof (unfusable));
    g_clear_error (error);
    ok = ocl_chain_decide (self, links, &plan, error);
  } while (!ok && memcmp (unfusable, self->unfusable, sizeof (unfusable)) != 0);
  if (ok)
    ocl_chain_remember (self, &plan);
  ocl_chain_plan_clear (&plan);
  return ok ? ocl_chain_plan_ref (self->last[0]) : NULL;
}

gboolean
ocl_chain_is_ready (OclChain * self, const OclFrame * frame,
    const OclLinks * links)
{
  gboolean is_ready = TRUE;
  Outline outline;

  ocl_chain_outline (self, frame, links, &outline);
  for (guint i = 0; i < outline.n; i++) {
    const guint n = outline.links[i];

    is_ready &= ocl_operation_is_ready (self->operations[n],
        &outline.frames[i], links->items[n].params);
  }
  return is_ready;
}

/* A frame on its way through the chain. */
typedef struct
{
  const OclChainPlan *plan;
  const OclLinks *links;
  const OclRun *run;
  OclFrame input;               /* of the present step */
  OclFrame first;               /* the frame of the chain that is filtered */
  OclFrame output;              /* of the last step */
} Trip;

/* Sets @plane to plane @n of a frame between operations that is not in use. */
static void
ocl_chain_take_plane (OclChain * self, gboolean is_float, guint n,
    const OclFrame * input, OclPlane * plane)
{
  const OclFrame *frames = self->between[is_float ? 1 : 0];

  *plane = frames[frames[0].planes[n].memory == input->planes[n].memory ? 1
      : 0].planes[n];
}

/* Sets @output to the frame that step @n writes. */
static gboolean
ocl_chain_make_output (OclChain * self, const Trip * trip, guint n,
    OclFrame * output, GError ** error)
{
  const OclChainStep *step = &trip->plan->steps[n];
  const gboolean is_last = n == trip->plan->n_steps - 1;
  OclFrame like = ocl_frame_describe_result (&step->plan->frame);
  OclFrame *frames = self->between[like.format->is_float ? 1 : 0];

  like.colorimetry = trip->output.colorimetry;
  *output = is_last ? trip->output : like;
  for (guint i = 0; !is_last && i < N_FRAMES; i++) {
    if (!ocl_frame_ensure (&frames[i], self->context, like.storage, &like,
            error))
      return FALSE;
  }
  for (guint i = 0; i < like.format->n_planes; i++) {
    if (step->sources[i] == OCL_PLANE_SOURCE_SHARED)
      output->planes[i] = trip->input.planes[i];
    else if (step->sources[i] == OCL_PLANE_SOURCE_CHAIN)
      output->planes[i] = trip->first.planes[i];
    else if (!is_last)
      ocl_chain_take_plane (self, like.format->is_float, i, &trip->input,
          &output->planes[i]);
    if (step->sources[i] == OCL_PLANE_SOURCE_COPY
        && !ocl_frame_enqueue_plane_copy (self->context, &trip->first, output,
            i, trip->run->timer, error))
      return FALSE;
  }
  return TRUE;
}

/* Converts the channels that the operation of @step does not write. */
static gboolean
ocl_chain_enqueue_conversion (OclChain * self, const OclChainStep * step,
    const OclRun * run, const OclFrame * input, GError ** error)
{
  const OclConvertParams params = { 0 };
  OclRun own = *run;
  OclFrame frame = *input;

  if (!step->conversion)
    return TRUE;
  frame.format = step->conversion->frame.format;
  own.params = &params;
  own.input = &frame;
  own.age = 0;
  return ocl_operation_enqueue (self->converter, step->conversion, &own, error);
}

/* Enqueues step @n; its output is the input of the next step. */
static gboolean
ocl_chain_enqueue_step (OclChain * self, Trip * trip, guint n, GError ** error)
{
  const OclChainStep *step = &trip->plan->steps[n];
  OclOperation *operation = self->operations[step->link];
  OclFrame output;
  OclRun run = *trip->run;

  ocl_timer_begin_section (run.timer, step->link);
  trip->input.format = step->plan->frame.format;
  run.params = trip->links->items[step->link].params;
  if (step->fused >= 0)
    run.fused_values = get_fusion (&trip->links->items[step->fused]).values;
  run.input = n > 0 || trip->run->input ? &trip->input : NULL;
  run.output = &output;
  run.age = n > 0 ? 0 : trip->run->age;
  if (!ocl_chain_make_output (self, trip, n, &output, error)
      || !ocl_operation_enqueue (operation, step->plan, &run, error))
    return FALSE;
  /* An operation that looks ahead has filtered an earlier frame. */
  if (n == 0 && step->keeps_frames)
    trip->first = ocl_operation_get_kept (operation, run.age,
        step->plan->frame.interlaced);
  if (!ocl_chain_enqueue_conversion (self, step, &run, n == 0 ? &trip->first
          : &trip->input, error))
    return FALSE;
  trip->input = output;
  return TRUE;
}

/* Enqueues all steps on frames that the operations take without a copy. */
static gboolean
ocl_chain_enqueue_steps (OclChain * self, const OclChainPlan * plan,
    const OclLinks * links, const OclRun * run, GError ** error)
{
  Trip trip = {.plan = plan,.links = links,.run = run,
    .output = *run->output
  };

  if (run->input)
    trip.input = trip.first = *run->input;
  for (guint i = 0; i < plan->n_steps; i++) {
    if (!ocl_chain_enqueue_step (self, &trip, i, error))
      return FALSE;
  }
  return TRUE;
}

/* Enqueues all steps on buffers, and copies images to them and back. */
static gboolean
ocl_chain_enqueue_copied (OclChain * self, const OclChainPlan * plan,
    const OclLinks * links, const OclRun * run, GError ** error)
{
  const OclFrame *output = run->output;
  OclRun copied = *run;

  if (!ocl_frame_ensure (&self->output_copy, self->context,
          OCL_STORAGE_BUFFER, output, error))
    return FALSE;
  copied.output = &self->output_copy;
  if (run->input) {
    copied.input = &self->input_copy;
    if (!ocl_frame_ensure (&self->input_copy, self->context,
            OCL_STORAGE_BUFFER, run->input, error)
        || !ocl_frame_enqueue_copy (self->context, run->input,
            &self->input_copy, run->timer, error))
      return FALSE;
  }
  return ocl_chain_enqueue_steps (self, plan, links, &copied, error)
      && ocl_frame_enqueue_copy (self->context, &self->output_copy, output,
      run->timer, error);
}

/* Gives the first operation a frame, or enqueues a single operation. */
static gboolean
ocl_chain_enqueue_first (OclChain * self, const OclChainPlan * plan,
    const OclLinks * links, const OclRun * run, GError ** error)
{
  const OclChainStep *step = &plan->steps[0];
  OclRun own = *run;
  OclFrame input;

  own.params = links->items[step->link].params;
  if (step->fused >= 0)
    own.fused_values = get_fusion (&links->items[step->fused]).values;
  if (run->input) {
    input = *run->input;
    if (input.storage == step->plan->frame.storage)
      input.format = step->plan->frame.format;
    own.input = &input;
  }
  ocl_timer_begin_section (run->timer, step->link);
  return ocl_operation_enqueue (self->operations[step->link], step->plan, &own,
      error);
}

/* Makes operations that the frame does not need forget the frames before. */
static void
ocl_chain_forget_others (OclChain * self, const OclChainPlan * plan)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++) {
    if (n > 0 && plan->steps[n - 1].fused == (gint) i)
      continue;
    if (n < plan->n_steps && plan->steps[n].link == i)
      n++;
    else
      ocl_operation_forget (self->operations[i]);
  }
}

G_STATIC_ASSERT (OCL_MAX_LINKS <= OCL_TIMER_OTHERS);

gboolean
ocl_chain_enqueue (OclChain * self, const OclChainPlan * plan,
    const OclLinks * links, const OclRun * run, GError ** error)
{
  gboolean ok;

  ocl_chain_forget_others (self, plan);
  if ((plan->n_steps == 1 && !plan->copied) || !run->output)
    ok = ocl_chain_enqueue_first (self, plan, links, run, error);
  else if (plan->copied)
    ok = ocl_chain_enqueue_copied (self, plan, links, run, error);
  else
    ok = ocl_chain_enqueue_steps (self, plan, links, run, error);
  ocl_timer_begin_section (run->timer, OCL_TIMER_OTHERS);
  /* A part of the commands may be missing. */
  if (!ok)
    ocl_chain_forget (self);
  return ok;
}
