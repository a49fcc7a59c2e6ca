/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgraph.h"

#include <string.h>

/* Number of users of kernels: an operation and the results that it needs. */
#define USERS_OF_OPERATION (1 + OCL_MAX_NEEDS)

/* An operation of the list that separate nodes run, while a graph is built.
 * @written and @whole have a bit for each plane. */
typedef struct
{
  guint place;
  gint fused;                   /* place of the fused operation, or -1 */
  const OclOperationClass *klass;
  gconstpointer params;
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes;
  gboolean keeps_frames;
  gboolean takes_wide;
  guint written;                /* planes that are written */
  guint whole;                  /* planes of which all channels are written */
  guint covered;                /* planes that one pass writes, with alpha */
  guint wide;                   /* planes whose new version is wide */
} Step;

typedef struct
{
  OclGraphRequest *request;
  OclGraph *graph;
  OclFrameInfo info;            /* of the frames that nodes read */
  const OclFormat *wide;        /* the intermediate format, or NULL */
  Step steps[OCL_MAX_LINKS];
  guint n_steps;
  guint place;                  /* of the operation whose nodes are added */
  GArray *nodes;
  gint refused;                 /* place of a text that does not fuse, or -1 */
} Decision;

static OclLiteral *
get_text (const OclLink * link)
{
  return ocl_operation_class_get_text (link->klass, link->params);
}

/* Returns whether the operation at @place can run inside the kernels of @step.
 * The levels between them are then not rounded. */
static gboolean
fuses (const OclGraphRequest * request, const Step * step, guint place)
{
  const OclLink *link = &request->links->items[place];
  const OclFormat *format = request->info->format;
  OclPass passes[OCL_MAX_PASSES];
  OclFusion fusion;
  gboolean ok;

  if (request->links->exact || step->fused >= 0
      || !(step->klass->flags & OCL_OPERATION_FUSES)
      || !link->klass->get_fusion
      || !link->klass->get_fusion (link->params, &fusion)
      || ocl_literal_equals (get_text (link), request->unfusable[place])
      || (fusion.reads_luma && format->model == OCL_MODEL_YCBCR))
    return FALSE;
  ok = ocl_operation_class_get_passes (link->klass, link->params, format,
      passes) == step->n_passes;
  for (guint i = 0; ok && i < step->n_passes; i++)
    ok = passes[i].first_channel == step->passes[i].first_channel
        && passes[i].n_channels == step->passes[i].n_channels;
  return ok;
}

/* Sets the planes that the passes of @step write. */
static void
step_set_planes (Step * self, const OclFormat * format)
{
  self->written = self->whole = self->covered = 0;
  if (!(self->klass->flags & OCL_OPERATION_WRITES))
    return;
  for (guint plane = 0; plane < format->n_planes; plane++) {
    guint n_written = 0;        /* channels without alpha */
    guint n_channels = 0;

    for (guint c = 0; c < OCL_CHANNEL_ALPHA; c++)
      n_channels += format->channels[c].step > 0
          && format->channels[c].plane == plane;
    for (guint i = 0; i < self->n_passes; i++) {
      const OclPass *pass = &self->passes[i];
      guint n = 0;

      for (guint c = 0; c < pass->n_channels; c++)
        n += format->channels[pass->first_channel + c].plane == plane;
      n_written += n;
      /* A pass over red, green and blue also writes alpha. */
      if (n == OCL_MAX_PASS_CHANNELS
          || (n > 0 && n == format->planes[plane].n_components))
        self->covered |= 1 << plane;
    }
    if (n_written > 0)
      self->written |= 1 << plane;
    if (n_written > 0 && n_written == n_channels)
      self->whole |= 1 << plane;
  }
}

/* Selects the operations that are not neutral, or all operations if all are
 * neutral. */
static void
decision_init_steps (Decision * self)
{
  const OclLinks *links = self->request->links;
  const gboolean takes_all = ocl_links_are_neutral (links);

  self->n_steps = 0;
  memset (self->graph->active, 0, sizeof (self->graph->active));
  memset (self->graph->fused, 0, sizeof (self->graph->fused));
  for (guint i = 0; i < links->n; i++) {
    const OclLink *link = &links->items[i];
    Step *step = &self->steps[self->n_steps];

    if (!takes_all
        && ocl_operation_class_is_neutral (link->klass, link->params))
      continue;
    if (!takes_all && self->n_steps > 0 && fuses (self->request, step - 1, i)) {
      step[-1].fused = i;
      self->graph->fused[i] = TRUE;
      continue;
    }
    step->place = i;
    step->fused = -1;
    step->klass = link->klass;
    step->params = link->params;
    step->n_passes = ocl_operation_class_get_passes (link->klass, link->params,
        self->request->info->format, step->passes);
    step->keeps_frames =
        ocl_operation_class_keeps_frames (link->klass, link->params);
    step->takes_wide =
        ocl_operation_class_takes_wide (link->klass, link->params);
    step_set_planes (step, self->request->info->format);
    self->graph->active[i] = TRUE;
    self->graph->keeps[i] = step->keeps_frames;
    self->n_steps++;
  }
}

/* Returns the last step before step @i that writes @plane, or NULL. */
static Step *
decision_find_writer (Decision * self, guint i, guint plane)
{
  while (i-- > 0) {
    if (self->steps[i].written >> plane & 1)
      return &self->steps[i];
  }
  return NULL;
}

static gboolean
decision_is_last_writer (const Decision * self, guint i, guint plane)
{
  for (i++; i < self->n_steps; i++) {
    if (self->steps[i].written >> plane & 1)
      return FALSE;
  }
  return TRUE;
}

/* Returns the planes that step @i reads in the wide format. */
static guint
decision_get_wide_read (Decision * self, guint i)
{
  guint planes = 0;

  for (guint plane = 0; plane < self->info.format->n_planes; plane++) {
    const Step *writer = decision_find_writer (self, i, plane);

    planes |= writer ? writer->wide & 1 << plane : 0;
  }
  return planes;
}

/* Returns the planes that @pass writes, and with @reads the planes that it
 * reads. */
static guint
get_planes (const OclPass * pass, const OclFormat * format, gboolean reads)
{
  guint planes = 0;

  for (guint plane = 0; plane < format->n_planes; plane++) {
    if (ocl_pass_has_plane (pass, format, plane))
      planes |= 1 << plane;
  }
  if (reads && pass->guided)
    planes |= 1 << format->channels[OCL_CHANNEL_LUMA].plane;
  return planes;
}

/* Sets the versions of @planes that step @i reads to integers, if some are
 * already, or if @all is TRUE. Returns whether a version has changed. */
static gboolean
decision_unify (Decision * self, guint i, guint planes, gboolean all)
{
  const guint wide = decision_get_wide_read (self, i) & planes;

  if (wide == 0 || (wide == planes && !all))
    return FALSE;
  for (guint plane = 0; plane < self->info.format->n_planes; plane++) {
    if (wide >> plane & 1)
      decision_find_writer (self, i, plane)->wide &= ~(1 << plane);
  }
  return TRUE;
}

/* Returns the intermediate format, or NULL if there is no other format, or if
 * the device has no images of it. */
static const OclFormat *
decision_get_wide_format (const Decision * self)
{
  const OclFormat *format = self->info.format;
  const gboolean is_image = self->info.storage == OCL_STORAGE_IMAGE;

  if (self->request->links->exact || self->n_steps < 2
      || (is_image && format->buffers_only))
    return NULL;
  const OclFormat *wide = ocl_format_get_wide (format);
  for (guint i = 0; wide && is_image && i < wide->n_planes; i++) {
    gboolean has_images;

    if (!ocl_context_supports_image (self->request->context,
            ocl_format_get_image_format (wide, i), &has_images, NULL)
        || !has_images)
      return NULL;
  }
  return wide;
}

/* Sets the intermediate format, and the versions of planes that have it. */
static void
decision_set_wide (Decision * self)
{
  const OclFormat *format = self->info.format;

  self->wide = decision_get_wide_format (self);
  gboolean changed = self->wide != NULL;

  for (guint i = 0; i < self->n_steps; i++) {
    Step *step = &self->steps[i];

    step->wide = 0;
    for (guint plane = 0; self->wide && plane < format->n_planes; plane++) {
      if (step->takes_wide && step->written >> plane & 1
          && !decision_is_last_writer (self, i, plane))
        step->wide |= 1 << plane;
    }
  }
  while (changed) {
    changed = FALSE;
    for (guint i = 0; i < self->n_steps; i++) {
      Step *step = &self->steps[i];

      /* A partially written plane is copied first. */
      const guint partial = step->written & ~step->whole;
      changed |= decision_unify (self, i, partial & ~step->wide, TRUE);
      const guint kept = decision_get_wide_read (self, i) | ~partial;
      changed |= (step->wide & ~kept) != 0;
      step->wide &= kept;
      if (step->keeps_frames)
        changed |= decision_unify (self, i, (1 << format->n_planes) - 1,
            !step->takes_wide);
      for (guint n = 0; n < step->n_passes; n++) {
        const guint written = get_planes (&step->passes[n], format, FALSE);

        changed |= decision_unify (self, i,
            get_planes (&step->passes[n], format, TRUE), !step->takes_wide);
        if (step->wide & written && (step->wide & written) != written) {
          step->wide &= ~written;
          changed = TRUE;
        }
      }
    }
  }
}

/* Describes pass @n of step @i. */
static OclKernelRequest
decision_describe_pass (Decision * self, guint i, guint n)
{
  const OclGraphRequest *request = self->request;
  const Step *step = &self->steps[i];
  const guint place = step->place;
  const guint planes = get_planes (&step->passes[n], self->info.format, FALSE);
  const gboolean reads_wide = decision_get_wide_read (self, i) & planes;
  const gboolean writes_wide = step->wide & planes;
  OclKernelRequest pass = {.user = place * USERS_OF_OPERATION,
    .klass = step->klass,.forced = request->forced[place],.info = self->info,
    .pass = &step->passes[n],.params = step->params,.quick = request->quick
  };

  if (request->has_tuning[place])
    pass.tuning = &request->tunings[place];
  if (reads_wide) {
    pass.info.format = self->wide;
    pass.info.bytes_swapped = FALSE;
  }
  if (reads_wide != writes_wide)
    pass.output = writes_wide ? self->wide : self->info.format;
  if (step->fused >= 0)
    pass.fused = get_text (&request->links->items[step->fused]);
  return pass;
}

/* Returns whether images must be copied to buffers: if one pass needs a copy,
 * all passes use it. An operation without an input changes only a part of its
 * output, and copies only this part. */
static gboolean
decision_takes_buffers (const Decision * decision)
{
  const OclFrameInfo *info = decision->request->info;

  if (info->storage == OCL_STORAGE_BUFFER)
    return FALSE;
  Decision images = *decision;
  images.info = *info;
  decision_set_wide (&images);
  for (guint i = 0; i < images.n_steps; i++) {
    const Step *step = &images.steps[i];

    if (!(step->klass->flags & OCL_OPERATION_READS))
      continue;
    if (info->format->buffers_only || step->keeps_frames
        || (info->interlaced && ocl_operation_class_filters (step->klass)))
      return TRUE;
    for (guint n = 0; n < step->n_passes; n++) {
      const OclKernelRequest request = decision_describe_pass (&images, i, n);

      if (ocl_kernel_cache_get_best (images.request->cache, &request)->flags
          & OCL_VARIANT_BUFFERS_ONLY)
        return TRUE;
    }
  }
  return FALSE;
}

/* Sets the frame of the nodes, and the versions of planes that are wide. */
static void
decision_set_frame (Decision * self)
{
  const OclFrameInfo *info = self->request->info;

  self->graph->copied = decision_takes_buffers (self);
  self->info = self->graph->copied ? ocl_frame_info_get_copy (info) : *info;
  decision_set_wide (self);
}

static void
node_clear (gpointer data)
{
  OclNode *node = data;

  ocl_kernels_unref (node->kernels);
  g_free (node->derived);
}

/* Adds a node that reads the planes in @input and writes the planes in
 * @output. */
static OclNode *
decision_add_node (Decision * self, OclNodeKind kind, const guint8 * input,
    const guint8 * output)
{
  g_array_set_size (self->nodes, self->nodes->len + 1);
  OclNode *node = &g_array_index (self->nodes, OclNode, self->nodes->len - 1);

  node->kind = kind;
  node->place = self->place;
  node->need = node->fused = -1;
  node->format = node->output_format = self->info.format;
  memcpy (node->input, input, sizeof (node->input));
  memcpy (node->output, output, sizeof (node->output));
  return node;
}

static void
decision_add_copy (Decision * self, OclSlot input, OclSlot output)
{
  const guint8 inputs[OCL_MAX_PLANES] = { input, };
  const guint8 outputs[OCL_MAX_PLANES] = { output, };

  decision_add_node (self, OCL_NODE_COPY, inputs, outputs);
}

/* Adds the node of a pass that has kernels. */
static gboolean
decision_add_pass (Decision * self, const OclKernelRequest * request,
    guint picture, const guint8 * input, const guint8 * output, GError ** error)
{
  gboolean is_stored;
  OclKernels *kernels = ocl_kernel_cache_get (self->request->cache, request,
      &is_stored, error);

  if (!kernels)
    return FALSE;
  OclNode *node = decision_add_node (self, OCL_NODE_PASS, input, output);
  node->format = request->info.format;
  node->output_format = request->output ? request->output : node->format;
  node->klass = request->klass;
  node->picture = picture;
  node->pass = *request->pass;
  node->kernels = ocl_kernels_ref (kernels);
  node->derived = ocl_operation_class_derive (request->klass, request->params,
      request->pass);
  node->is_stored = is_stored;
  return TRUE;
}

/* Describes a pass of result @k that step @i needs. */
static OclKernelRequest
decision_describe_need (Decision * self, guint i, guint k, gconstpointer params,
    const OclPass * pass)
{
  const guint place = self->steps[i].place;
  const OclOperationClass *klass = self->steps[i].klass->needs[k].klass;
  const OclVariant *forced = self->request->forced[place];

  return (OclKernelRequest) {
  .user = place * USERS_OF_OPERATION + 1 + k,.klass = klass,.info =
        decision_describe_pass (self, i, 0).info,.pass = pass,.params =
        params,.quick = self->request->quick,.forced =
        forced ? ocl_operation_class_find_variant (klass, forced->name) : NULL};
}

/* Adds the passes of the results that step @i needs for a picture, which is
 * like @field. */
static gboolean
decision_add_needs (Decision * self, guint i, guint picture,
    const OclFrameInfo * field, const guint8 * input, GError ** error)
{
  const Step *step = &self->steps[i];
  const OclFormat *format = decision_describe_pass (self, i, 0).info.format;

  for (guint k = 0; self->graph->needs[step->place] >> k; k++) {
    const OclNeed *need = &step->klass->needs[k];
    gconstpointer params = self->graph->need_params[step->place][k];
    OclPass passes[OCL_MAX_PASSES];

    if (!(self->graph->needs[step->place] >> k & 1))
      continue;
    const guint n_passes = ocl_operation_class_get_passes (need->klass, params,
        format, passes);
    for (guint n = 0; n < n_passes; n++) {
      const OclKernelRequest request =
          decision_describe_need (self, i, k, params, &passes[n]);

      if (ocl_pass_get_height (&passes[n], field) == 0)
        continue;
      if (!decision_add_pass (self, &request, picture, input, input, error))
        return FALSE;
      g_array_index (self->nodes, OclNode, self->nodes->len - 1).need = k;
    }
  }
  return TRUE;
}

/* Checks that the text of the operation inside step @i builds separately, and
 * inside another variant of step @i than the plain one, because names of the
 * text may conflict with names of its kernels. */
static gboolean
decision_check_fused (Decision * self, guint i, GError ** error)
{
  const Step *step = &self->steps[i];
  const OclLink *link = &self->request->links->items[step->fused];
  gboolean ok = TRUE, is_stored;

  for (guint n = 0; ok && n < step->n_passes; n++) {
    const OclKernelRequest outer = decision_describe_pass (self, i, n);
    OclKernelRequest alone = outer;

    alone.user = step->fused * USERS_OF_OPERATION;
    alone.klass = link->klass;
    alone.params = link->params;
    alone.forced = self->request->forced[step->fused];
    alone.tuning = self->request->has_tuning[step->fused]
        ? &self->request->tunings[step->fused] : NULL;
    alone.output = NULL;
    alone.fused = NULL;
    const OclKernels *kernels = ocl_kernel_cache_get (self->request->cache,
        &alone, &is_stored, error) ? ocl_kernel_cache_get
        (self->request->cache, &outer, &is_stored, error) : NULL;
    ok = kernels && kernels->variant != step->klass->variants[0];
    if (kernels && !ok)
      g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "A text does not run inside the kernels of %s.", step->klass->name);
  }
  if (!ok) {
    self->refused = step->fused;
    g_debug ("operation %d is not fused: %s", step->fused,
        error && *error ? (*error)->message : "");
  }
  return ok;
}

/* Adds the passes of step @i for each picture. */
static gboolean
decision_add_passes (Decision * self, guint i, const guint8 * input,
    const guint8 * output, GError ** error)
{
  const Step *step = &self->steps[i];
  const gboolean has_fields = ocl_operation_class_filters (step->klass)
      && ocl_frame_info_has_fields (&self->info);
  const guint last = has_fields ? 2 : 0;

  if (step->fused >= 0 && !decision_check_fused (self, i, error))
    return FALSE;
  for (guint picture = MIN (last, 1); picture <= last; picture++) {
    const OclFrameInfo field = has_fields
        ? ocl_frame_info_get_field (&self->info, picture - 1) : self->info;

    /* A frame of one row has an empty second field. */
    if (field.height == 0)
      continue;
    if (!decision_add_needs (self, i, picture, &field, input, error))
      return FALSE;
    for (guint n = 0; n < step->n_passes; n++) {
      const OclKernelRequest request = decision_describe_pass (self, i, n);

      if (has_fields && ocl_pass_get_height (&step->passes[n], &field) == 0)
        continue;
      if (!decision_add_pass (self, &request, picture, input, output, error))
        return FALSE;
      g_array_index (self->nodes, OclNode, self->nodes->len - 1).fused =
          step->fused;
    }
  }
  return TRUE;
}

static void
decision_add_plane_copy (Decision * self, guint plane, const guint8 * input,
    const guint8 * output)
{
  decision_add_node (self, OCL_NODE_COPY_PLANE, input, output)->plane = plane;
}

/* Adds all nodes. @slots has the slot of the current version of each plane, and
 * @first the slot of the frame to filter. */
static gboolean
decision_add_nodes (Decision * self, GError ** error)
{
  const OclFormat *format = self->info.format;
  const gboolean copied = self->graph->copied;
  const OclSlot last = copied ? OCL_SLOT_OUTPUT_COPY : OCL_SLOT_OUTPUT;
  const OclOperationClass *klass = self->steps[0].klass;
  const gboolean filters = ocl_operation_class_filters (klass);
  guint8 slots[OCL_MAX_PLANES], first[OCL_MAX_PLANES];
  guint8 outputs[OCL_MAX_PLANES];
  guint n_between[OCL_MAX_PLANES] = { 0, };

  memset (slots, copied ? OCL_SLOT_INPUT_COPY : OCL_SLOT_INPUT, sizeof (slots));
  memset (outputs, last, sizeof (outputs));
  memcpy (first, slots, sizeof (first));
  self->place = self->steps[0].place;
  if (copied && !self->steps[0].keeps_frames)
    decision_add_copy (self, OCL_SLOT_INPUT, OCL_SLOT_INPUT_COPY);
  for (guint i = 0; i < self->n_steps; i++) {
    const Step *step = &self->steps[i];
    const guint wide_read = decision_get_wide_read (self, i);
    guint8 input[OCL_MAX_PLANES], output[OCL_MAX_PLANES];

    self->place = step->place;
    memcpy (input, slots, sizeof (input));
    if (step->keeps_frames) {
      if (i == 0)
        memset (input, OCL_SLOT_INPUT, sizeof (input));
      OclNode *take = decision_add_node (self, OCL_NODE_TAKE, input, input);
      take->format = decision_describe_pass (self, i, 0).info.format;
      memset (input, OCL_SLOT_HISTORY + step->place, sizeof (input));
      /* An operation that looks ahead filters an earlier frame. */
      if (i == 0) {
        memcpy (first, input, sizeof (first));
        memcpy (slots, input, sizeof (slots));
      }
    }
    memcpy (output, slots, sizeof (output));
    for (guint plane = 0; plane < format->n_planes; plane++) {
      const gboolean is_wide = step->wide >> plane & 1;

      if (!(step->written >> plane & 1))
        continue;
      output[plane] = decision_is_last_writer (self, i, plane) ? last
          : OCL_SLOT_BETWEEN + 2 * is_wide + (n_between[plane]++ & 1);
      const gboolean is_whole = step->whole >> plane & 1;
      if (filters && !(step->covered >> plane & 1) && !(is_wide && is_whole))
        decision_add_plane_copy (self, plane,
            is_whole && wide_read >> plane & 1 ? first : input, output);
    }
    if (!decision_add_passes (self, i, input, output, error)) {
      if (self->request->links->n > 1)
        g_prefix_error (error, "Operation %u, %s: ", step->place + 1,
            step->klass->name);
      return FALSE;
    }
    memcpy (slots, output, sizeof (slots));
  }
  for (guint plane = 0; plane < format->n_planes; plane++) {
    if (filters && !decision_find_writer (self, self->n_steps, plane))
      decision_add_plane_copy (self, plane, first, outputs);
  }
  if (copied && klass->flags & OCL_OPERATION_WRITES)
    decision_add_copy (self, OCL_SLOT_OUTPUT_COPY, OCL_SLOT_OUTPUT);
  return TRUE;
}

/* Sets the frames for which the filter must allocate memory. */
static void
decision_set_temps (Decision * self)
{
  OclGraph *graph = self->graph;

  memset (graph->temps, 0, sizeof (graph->temps));
  for (guint i = 0; i < self->nodes->len; i++) {
    const OclNode *node = &g_array_index (self->nodes, OclNode, i);

    for (guint n = 0; n < 2 * OCL_MAX_PLANES; n++) {
      const guint slot = n < OCL_MAX_PLANES ? node->input[n]
          : node->output[n - OCL_MAX_PLANES];

      if (slot >= OCL_SLOT_INPUT_COPY && slot < OCL_SLOT_HISTORY)
        graph->temps[slot] = self->info;
      if (slot >= OCL_SLOT_BETWEEN + 2 && slot < OCL_SLOT_HISTORY) {
        graph->temps[slot].format = self->wide;
        graph->temps[slot].bytes_swapped = FALSE;
      }
    }
  }
}

static gboolean
decision_run (Decision * self, GError ** error)
{
  OclGraph *graph = self->graph;

  decision_init_steps (self);
  /* A list without operations is neutral. */
  if (self->n_steps == 0)
    return TRUE;
  /* If a variant for buffers fails, a variant for images replaces it. */
  do {
    decision_set_frame (self);
    g_array_set_size (self->nodes, 0);
    if (!decision_add_nodes (self, error))
      return FALSE;
  } while (graph->copied && !decision_takes_buffers (self));
  decision_set_temps (self);
  return TRUE;
}

/* Returns bits of the results that an operation with @params needs. */
static guint
get_needs (const OclOperationClass * klass, gconstpointer params)
{
  guint needs = 0;

  for (guint i = 0; klass->needs && klass->needs[i].klass; i++)
    needs |= klass->needs[i].is_needed (params) ? 1 << i : 0;
  return needs;
}

/* Returns the parameters of the result @need of an operation with @params. The
 * caller frees them. */
static OclParams *
create_need_params (const OclNeed * need, gconstpointer params)
{
  OclParams *needed = ocl_operation_class_create_params (need->klass);

  if (need->set_params)
    need->set_params (needed, params);
  return needed;
}

static void
graph_clear (gpointer data)
{
  OclGraph *self = data;

  for (guint i = 0; i < self->n_nodes; i++)
    node_clear (&self->nodes[i]);
  g_free (self->nodes);
  for (guint i = 0; i < OCL_MAX_LINKS * OCL_MAX_NEEDS; i++)
    ocl_params_free (self->need_params[i / OCL_MAX_NEEDS][i % OCL_MAX_NEEDS]);
  ocl_links_clear (&self->links);
}

OclGraph *
ocl_graph_new (OclGraphRequest * request, GError ** error)
{
  g_autoptr (OclGraph) self = g_atomic_rc_box_new0 (OclGraph);
  Decision decision = {.request = request,.graph = self };
  gboolean ok;

  self->info = *request->info;
  self->generation = ocl_kernel_cache_get_generation (request->cache);
  ocl_links_copy (&self->links, request->links);
  for (guint i = 0; i < request->links->n; i++) {
    const OclLink *link = &request->links->items[i];

    self->needs[i] = get_needs (link->klass, link->params);
    for (guint n = 0; self->needs[i] >> n; n++)
      self->need_params[i][n] =
          create_need_params (&link->klass->needs[n], link->params);
  }
  decision.nodes = g_array_new (FALSE, TRUE, sizeof (OclNode));
  g_array_set_clear_func (decision.nodes, node_clear);
  /* If a text cannot be fused, the graph is built again without. */
  do {
    decision.refused = -1;
    g_clear_error (error);
    ok = decision_run (&decision, error);
    if (decision.refused >= 0)
      ocl_literal_take (&request->unfusable[decision.refused], ocl_literal_ref
          (get_text (&request->links->items[decision.refused])));
  } while (decision.refused >= 0);
  if (ok) {
    g_debug ("graph for %s %dx%d: %u operations, %u nodes%s",
        self->info.format->name, self->info.width, self->info.height,
        decision.n_steps, decision.nodes->len, self->copied ? ", copied" : "");
    self->n_nodes = decision.nodes->len;
    self->nodes = g_memdup2 (decision.nodes->data,
        self->n_nodes * sizeof (OclNode));
    g_array_set_clear_func (decision.nodes, NULL);
  }
  g_array_unref (decision.nodes);
  return ok ? g_steal_pointer (&self) : NULL;
}

gboolean
ocl_graph_is_ready (OclGraphRequest * request, gboolean accepts_quick)
{
  OclGraph graph = {.copied = FALSE };
  Decision decision = {.request = request,.graph = &graph };
  gboolean is_ready = TRUE;

  decision_init_steps (&decision);
  decision_set_frame (&decision);
  for (guint i = 0; i < decision.n_steps; i++) {
    const Step *step = &decision.steps[i];
    const guint needs = get_needs (step->klass, step->params);

    for (guint n = 0; n < step->n_passes; n++) {
      const OclKernelRequest pass = decision_describe_pass (&decision, i, n);

      is_ready &= ocl_kernel_cache_is_ready (request->cache, &pass,
          accepts_quick);
    }
    for (guint k = 0; needs >> k; k++) {
      const OclNeed *need = &step->klass->needs[k];
      OclPass passes[OCL_MAX_PASSES];

      if (!(needs >> k & 1))
        continue;
      g_autoptr (OclParams) params = create_need_params (need, step->params);
      const guint n_passes = ocl_operation_class_get_passes (need->klass,
          params, decision.info.format, passes);
      for (guint n = 0; n < n_passes; n++) {
        const OclKernelRequest pass =
            decision_describe_need (&decision, i, k, params, &passes[n]);

        is_ready &= ocl_kernel_cache_is_ready (request->cache, &pass,
            accepts_quick);
      }
    }
  }
  return is_ready;
}

OclGraph *
ocl_graph_ref (OclGraph * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
ocl_graph_unref (OclGraph * self)
{
  g_atomic_rc_box_release_full (self, graph_clear);
}

void
ocl_graph_set (OclGraph ** graph, OclGraph * other)
{
  if (*graph == other)
    return;
  g_clear_pointer (graph, ocl_graph_unref);
  *graph = other ? ocl_graph_ref (other) : NULL;
}

gboolean
ocl_graph_is_for (const OclGraph * self, const OclFrameInfo * info)
{
  return self->info.format == info->format
      && self->info.storage == info->storage
      && self->info.width == info->width
      && self->info.height == info->height
      && self->info.interlaced == info->interlaced
      && ocl_graph_takes (self, info->bytes_swapped);
}

gboolean
ocl_graph_has_params (const OclGraph * self, const OclLinks * links)
{
  const gboolean takes_all = ocl_links_are_neutral (links);

  if (self->links.id != links->id || self->links.exact != links->exact)
    return FALSE;
  for (guint i = 0; i < links->n; i++) {
    const OclLink *link = &links->items[i];
    const gboolean is_run = takes_all
        || !ocl_operation_class_is_neutral (link->klass, link->params);

    if (is_run != (self->active[i] || self->fused[i])
        || (is_run && (self->needs[i] != get_needs (link->klass, link->params)
                || !ocl_operation_class_decide_alike (link->klass,
                    link->params, self->links.items[i].params))))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_graph_takes (const OclGraph * self, gboolean bytes_swapped)
{
  return !self->copied || self->info.bytes_swapped == bytes_swapped;
}

gboolean
ocl_graph_equals (const OclGraph * a, const OclGraph * b)
{
  gboolean ok = a->copied == b->copied && a->n_nodes == b->n_nodes;

  for (guint i = 0; ok && i < a->n_nodes; i++)
    ok = a->nodes[i].kernels == b->nodes[i].kernels
        && a->nodes[i].is_stored == b->nodes[i].is_stored
        && memcmp (a->nodes[i].output, b->nodes[i].output,
        sizeof (a->nodes[i].output)) == 0;
  return ok;
}

gboolean
ocl_graph_is_tuned (const OclGraph * self, guint place)
{
  for (guint i = 0; i < self->n_nodes; i++) {
    const OclNode *node = &self->nodes[i];

    if (node->place == place && node->need < 0 && node->is_stored)
      return TRUE;
  }
  return FALSE;
}

const OclVariant *
ocl_graph_get_variant (const OclGraph * self, guint place)
{
  for (guint i = 0; i < self->n_nodes; i++) {
    const OclNode *node = &self->nodes[i];

    if (node->kind == OCL_NODE_PASS && node->place == place && node->need < 0)
      return node->kernels->variant;
  }
  return self->links.items[place].klass->variants[0];
}
