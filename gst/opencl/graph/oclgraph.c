/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgraph.h"

#include <string.h>

/* Number of users of kernels: an operation and the results that it needs. */
#define USERS_OF_OPERATION (1 + OCL_MAX_NEEDS)

/* A version of a plane is a bit: OCL_MAX_PLANES bits for each step that may
 * write it. The last step writes the output, which is never wide, so one of its
 * bits stands for all versions that are not wide. */
#define NOT_WIDE (G_GUINT64_CONSTANT (1) << 63)

G_STATIC_ASSERT (OCL_MAX_OPERATIONS * OCL_MAX_PLANES <= 64);

/* An operation of the list that separate nodes run, while a graph is laid out.
 * @written, @whole and @covered have a bit for each plane. */
typedef struct
{
  guint place;
  gint fused;                   /* place of the fused operation, or -1 */
  const OclOperationClass *klass;
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes;
  gboolean keeps_frames;
  gboolean takes_wide;
  guint written;                /* planes that are written */
  guint whole;                  /* planes of which all channels are written */
  guint covered;                /* planes that one pass writes, with alpha */
  gint writers[OCL_MAX_PLANES]; /* steps whose versions are read, or -1 */
} Step;

typedef struct
{
  OclGraphRequest *request;
  OclGraph *graph;
  OclFrameInfo info;            /* of the frames that nodes read */
  Step steps[OCL_MAX_OPERATIONS];
  guint n_steps;
  gint writers[OCL_MAX_PLANES]; /* steps that write the output, or -1 */
  const OclFormat *wide_format; /* the intermediate format, or NULL */
  guint64 wide;                 /* versions in the intermediate format */
} Layout;

static OclLiteral *
get_text (const OclOperation * operation)
{
  return ocl_operation_class_get_text (operation->klass, operation->params);
}

/* Returns whether the operation at @place can run inside the kernels of @step.
 * The levels between them are then not rounded. */
static gboolean
layout_fuses (const Layout * self, const Step * step, guint place)
{
  const OclOperationList *operations = &self->graph->operations;
  const OclOperation *operation = &operations->items[place];
  const OclFormat *format = self->graph->info.format;
  OclPass passes[OCL_MAX_PASSES];
  gboolean reads_luma;
  gboolean ok;

  if (operations->exact || step->fused >= 0
      || !(step->klass->flags & OCL_OPERATION_FUSES)
      || !operation->klass->get_fused_values
      || !operation->klass->get_fused_values (operation->params, &reads_luma)
      || ocl_literal_equals (get_text (operation),
          self->request->unfusable[place])
      || (reads_luma && format->model == OCL_MODEL_YCBCR))
    return FALSE;
  ok = ocl_operation_class_get_passes (operation->klass, operation->params,
      format, passes) == step->n_passes;
  for (guint i = 0; ok && i < step->n_passes; i++)
    ok = passes[i].first_channel == step->passes[i].first_channel
        && passes[i].n_channels == step->passes[i].n_channels;
  return ok;
}

/* Sets the planes that the passes of @step write. A pass over red, green and
 * blue also writes alpha. */
static void
step_set_planes (Step * self, const OclFormat * format)
{
  self->written = self->whole = self->covered = 0;
  for (guint plane = 0; plane < format->n_planes; plane++) {
    guint channels = 0;         /* bits of the channels without alpha */
    guint written = 0;
    gboolean is_covered = FALSE;

    for (guint c = 0; c < OCL_CHANNEL_ALPHA; c++)
      channels |= (format->channels[c].step > 0
          && format->channels[c].plane == plane) << c;
    for (guint i = 0; i < self->n_passes; i++) {
      const OclPass *pass = &self->passes[i];
      const guint n = ((1 << pass->n_channels) - 1) << pass->first_channel;

      written |= n & channels;
      is_covered |= (n & channels) == channels;
    }
    if (written == 0 || !(self->klass->flags & OCL_OPERATION_WRITES))
      continue;
    self->written |= 1 << plane;
    self->whole |= (written == channels) << plane;
    self->covered |= is_covered << plane;
  }
}

/* Selects the operations that are not neutral, or all operations if all are
 * neutral. */
static void
layout_add_steps (Layout * self)
{
  const OclOperationList *operations = &self->graph->operations;
  const OclFormat *format = self->graph->info.format;
  const gboolean takes_all = ocl_operation_list_is_neutral (operations);

  for (guint plane = 0; plane < OCL_MAX_PLANES; plane++)
    self->writers[plane] = -1;
  for (guint i = 0; i < operations->n; i++) {
    const OclOperation *operation = &operations->items[i];
    Step *step = &self->steps[self->n_steps];

    if (!takes_all
        && ocl_operation_class_is_neutral (operation->klass, operation->params))
      continue;
    if (!takes_all && self->n_steps > 0 && layout_fuses (self, step - 1, i)) {
      step[-1].fused = i;
      self->graph->fused[i] = TRUE;
      continue;
    }
    step->place = i;
    step->fused = -1;
    step->klass = operation->klass;
    step->n_passes =
        ocl_operation_class_get_passes (operation->klass, operation->params,
        format, step->passes);
    step->keeps_frames =
        ocl_operation_class_keeps_frames (operation->klass, operation->params);
    step->takes_wide =
        ocl_operation_class_takes_wide (operation->klass, operation->params);
    step_set_planes (step, format);
    memcpy (step->writers, self->writers, sizeof (step->writers));
    for (guint plane = 0; plane < format->n_planes; plane++) {
      if (step->written >> plane & 1)
        self->writers[plane] = self->n_steps;
    }
    self->graph->active[i] = TRUE;
    self->graph->keeps[i] = step->keeps_frames;
    self->n_steps++;
  }
}

/* Returns the planes that @pass writes. */
static guint
get_planes (const OclPass * pass, const OclFormat * format)
{
  guint planes = 0;

  for (guint plane = 0; plane < format->n_planes; plane++)
    planes |= ocl_pass_has_plane (pass, format, plane) << plane;
  return planes;
}

/* Returns the versions of @planes that step @i writes. */
static guint64
layout_get_written (const Layout * self, guint i, guint planes)
{
  return (guint64) (planes & self->steps[i].written) << i * OCL_MAX_PLANES;
}

/* Returns the versions of @planes that step @i reads. */
static guint64
layout_get_read (const Layout * self, guint i, guint planes)
{
  guint64 versions = 0;

  for (guint plane = 0; plane < self->info.format->n_planes; plane++) {
    const gint writer = self->steps[i].writers[plane];

    if (planes >> plane & 1)
      versions |= writer < 0 ? NOT_WIDE
          : layout_get_written (self, writer, 1 << plane);
  }
  return versions;
}

/* Makes @versions, which must have one format, not wide if one of them is
 * not. */
static void
layout_unify (Layout * self, guint64 versions)
{
  if (versions & ~self->wide)
    self->wide &= ~versions;
}

/* Returns the intermediate format, or NULL if there is no other format, or if
 * the device has no images of it. */
static const OclFormat *
layout_get_wide_format (const Layout * self)
{
  const OclFormat *format = self->info.format;
  const gboolean is_image = self->info.storage == OCL_STORAGE_IMAGE;

  if (self->graph->operations.exact || self->n_steps < 2
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

/* Sets the intermediate format, and the versions of planes that have it: as
 * many as possible. */
static void
layout_set_wide (Layout * self)
{
  const OclFormat *format = self->info.format;
  guint64 last = 0;
  guint64 before;

  self->wide = 0;
  self->wide_format = layout_get_wide_format (self);
  for (guint i = 0; self->wide_format && i < self->n_steps; i++) {
    if (self->steps[i].takes_wide)
      self->wide |= layout_get_written (self, i, self->steps[i].written);
  }
  for (guint plane = 0; plane < format->n_planes; plane++) {
    if (self->writers[plane] >= 0)
      last |= layout_get_written (self, self->writers[plane], 1 << plane);
  }
  self->wide &= ~last;
  do {
    before = self->wide;
    for (guint i = 0; i < self->n_steps; i++) {
      const Step *step = &self->steps[i];
      const guint64 limit = step->takes_wide ? 0 : NOT_WIDE;

      /* A partially written plane is copied first. */
      for (guint plane = 0; plane < format->n_planes; plane++) {
        if ((step->written & ~step->whole) >> plane & 1)
          layout_unify (self, layout_get_read (self, i, 1 << plane)
              | layout_get_written (self, i, 1 << plane));
      }
      if (step->keeps_frames)
        layout_unify (self, limit
            | layout_get_read (self, i, (1 << format->n_planes) - 1));
      for (guint n = 0; n < step->n_passes; n++) {
        const guint planes = get_planes (&step->passes[n], format);
        const guint guide = step->passes[n].guided
            ? 1 << format->channels[OCL_CHANNEL_LUMA].plane : 0;

        layout_unify (self, limit | layout_get_read (self, i, planes | guide));
        layout_unify (self, layout_get_written (self, i, planes));
      }
    }
  } while (self->wide != before);
}

/* Returns the format in which the first or another pass of step @i reads
 * frames. */
static const OclFormat *
layout_get_format (const Layout * self, guint i, const OclPass * pass)
{
  const guint planes = get_planes (pass, self->info.format);

  return layout_get_read (self, i, planes) & self->wide ? self->wide_format
      : self->info.format;
}

/* Adds a node that reads the planes in @input and writes the planes in
 * @output. */
static OclNode *
layout_add_node (Layout * self, guint place, const guint8 * input,
    const guint8 * output)
{
  OclGraph *graph = self->graph;

  graph->nodes = g_renew (OclNode, graph->nodes, graph->n_nodes + 1);
  OclNode *node = &graph->nodes[graph->n_nodes++];
  memset (node, 0, sizeof (*node));
  node->place = place;
  node->need = node->fused = -1;
  node->format = node->output_format = self->info.format;
  memcpy (node->input, input, sizeof (node->input));
  memcpy (node->output, output, sizeof (node->output));
  for (guint n = 0; n < 2 * OCL_MAX_PLANES; n++) {
    const guint slot = n < OCL_MAX_PLANES ? input[n]
        : output[n - OCL_MAX_PLANES];

    if (slot >= OCL_SLOT_INPUT_COPY && slot < OCL_SLOT_HISTORY)
      graph->temps[slot] = self->info;
    if (slot >= OCL_SLOT_BETWEEN + 2 && slot < OCL_SLOT_HISTORY) {
      graph->temps[slot].format = self->wide_format;
      graph->temps[slot].bytes_swapped = FALSE;
    }
  }
  return node;
}

/* Adds a node that copies @planes. */
static void
layout_add_copy (Layout * self, guint place, guint planes,
    const guint8 * input, const guint8 * output)
{
  layout_add_node (self, place, input, output)->planes = planes;
}

/* Adds the passes of step @i, and of the results that it needs, for each
 * picture. */
static void
layout_add_passes (Layout * self, guint i, const guint8 * input,
    const guint8 * output)
{
  const Step *step = &self->steps[i];
  const OclOperationClass *klass = step->klass;
  const OclFormat *format = layout_get_format (self, i, &step->passes[0]);
  const gboolean has_fields = ocl_operation_class_filters (klass)
      && ocl_frame_info_has_fields (&self->info);

  for (guint picture = has_fields; picture <= 2u * has_fields; picture++) {
    const OclFrameInfo field = has_fields
        ? ocl_frame_info_get_field (&self->info, picture - 1) : self->info;

    /* A frame of one row has an empty second field. */
    if (field.height == 0)
      continue;
    for (guint k = 0; self->graph->needs[step->place] >> k; k++) {
      OclPass passes[OCL_MAX_PASSES];
      guint n_passes = 0;

      if (self->graph->needs[step->place] >> k & 1)
        n_passes = ocl_operation_class_get_passes (klass->needs[k].klass,
            &self->graph->need_params[step->place][k], format, passes);
      for (guint n = 0; n < n_passes; n++) {
        if (ocl_pass_get_height (&passes[n], &field) == 0)
          continue;
        OclNode *node = layout_add_node (self, step->place, input, input);
        node->klass = klass->needs[k].klass;
        node->format = node->output_format = format;
        node->need = k;
        node->picture = picture;
        node->pass = passes[n];
      }
    }
    for (guint n = 0; n < step->n_passes; n++) {
      const OclPass *pass = &step->passes[n];
      const guint planes = get_planes (pass, self->info.format);

      if (ocl_pass_get_height (pass, &field) == 0)
        continue;
      OclNode *node = layout_add_node (self, step->place, input, output);
      node->klass = klass;
      node->format = layout_get_format (self, i, pass);
      if (layout_get_written (self, i, planes) & self->wide)
        node->output_format = self->wide_format;
      node->fused = step->fused;
      node->picture = picture;
      node->pass = *pass;
    }
  }
}

/* Adds all nodes. @slots has the slot of the current version of each plane, and
 * @first the slot of the frame to filter. */
static void
layout_add_nodes (Layout * self)
{
  const OclFormat *format = self->info.format;
  const guint all = (1 << format->n_planes) - 1;
  const gboolean copied = self->graph->copied;
  const OclOperationClass *klass = self->steps[0].klass;
  const gboolean filters = ocl_operation_class_filters (klass);
  guint8 input[OCL_MAX_PLANES], outputs[OCL_MAX_PLANES], last[OCL_MAX_PLANES];
  guint8 slots[OCL_MAX_PLANES], first[OCL_MAX_PLANES];
  guint n_between[OCL_MAX_PLANES] = { 0, };
  guint place = self->steps[0].place;

  memset (input, OCL_SLOT_INPUT, sizeof (input));
  memset (outputs, OCL_SLOT_OUTPUT, sizeof (outputs));
  memset (slots, copied ? OCL_SLOT_INPUT_COPY : OCL_SLOT_INPUT, sizeof (slots));
  memset (last, copied ? OCL_SLOT_OUTPUT_COPY : OCL_SLOT_OUTPUT, sizeof (last));
  memcpy (first, slots, sizeof (first));
  if (copied && !self->steps[0].keeps_frames)
    layout_add_copy (self, place, all, input, slots);
  for (guint i = 0; i < self->n_steps; i++) {
    const Step *step = &self->steps[i];
    guint8 output[OCL_MAX_PLANES];

    place = step->place;
    if (i > 0 || !step->keeps_frames)
      memcpy (input, slots, sizeof (input));
    if (step->keeps_frames) {
      guint8 kept[OCL_MAX_PLANES];

      memset (kept, OCL_SLOT_HISTORY + place, sizeof (kept));
      layout_add_node (self, place, input, kept)->format =
          layout_get_format (self, i, &step->passes[0]);
      memcpy (input, kept, sizeof (input));
      /* An operation that looks ahead filters an earlier frame. */
      if (i == 0) {
        memcpy (first, input, sizeof (first));
        memcpy (slots, input, sizeof (slots));
      }
    }
    memcpy (output, slots, sizeof (output));
    for (guint plane = 0; plane < format->n_planes; plane++) {
      const guint bit = 1 << plane;
      const gboolean is_wide =
          (layout_get_written (self, i, bit) & self->wide) != 0;

      if (!(step->written & bit))
        continue;
      output[plane] = self->writers[plane] == (gint) i ? last[plane]
          : OCL_SLOT_BETWEEN + 2 * is_wide + (n_between[plane]++ & 1);
      const gboolean is_whole = step->whole >> plane & 1;
      if (filters && !(step->covered & bit) && !(is_wide && is_whole))
        layout_add_copy (self, place, bit, is_whole
            && layout_get_read (self, i, bit) & self->wide ? first : input,
            output);
    }
    layout_add_passes (self, i, input, output);
    memcpy (slots, output, sizeof (slots));
  }
  for (guint plane = 0; plane < format->n_planes; plane++) {
    if (filters && self->writers[plane] < 0)
      layout_add_copy (self, place, 1 << plane, first, last);
  }
  if (copied && klass->flags & OCL_OPERATION_WRITES)
    layout_add_copy (self, place, all, last, outputs);
}

/* Returns the request for the kernels of @node. */
static OclKernelRequest
graph_get_request (const OclGraph * self, const OclGraphRequest * request,
    const OclNode * node)
{
  const OclVariant *forced = request->forced[node->place];
  const gboolean is_need = node->need >= 0;
  OclKernelRequest kernels = {.klass = node->klass,.pass = &node->pass,
    .user = node->place * USERS_OF_OPERATION + 1 + node->need,
    .info = self->info,.params = self->operations.items[node->place].params,
    .forced = forced,.tuning = forced ? &request->tunings[node->place] : NULL,
    .quick = request->quick
  };

  if (is_need) {
    kernels.params = &self->need_params[node->place][node->need];
    kernels.forced = forced
        ? ocl_operation_class_find_variant (node->klass, forced->name) : NULL;
    kernels.tuning = NULL;
  }
  if (self->copied)
    kernels.info = ocl_frame_info_get_copy (&self->info);
  if (node->format != kernels.info.format) {
    kernels.info.format = node->format;
    kernels.info.bytes_swapped = FALSE;
  }
  if (node->output_format != node->format)
    kernels.output = node->output_format;
  if (node->fused >= 0)
    kernels.fused = get_text (&self->operations.items[node->fused]);
  return kernels;
}

/* Lays out the nodes for frames that are @copied to buffers or not. */
static void
layout_run (Layout * self, gboolean copied)
{
  OclGraph *graph = self->graph;

  graph->copied = copied;
  self->info = copied ? ocl_frame_info_get_copy (&graph->info) : graph->info;
  memset (graph->temps, 0, sizeof (graph->temps));
  graph->n_nodes = 0;
  layout_set_wide (self);
  layout_add_nodes (self);
}

/* Returns whether the images of @self, which is laid out for them, must be
 * copied to buffers: if one pass needs a copy, all passes use it. An operation
 * without an input changes only a part of its output, and copies only this
 * part. */
static gboolean
layout_needs_copy (const Layout * self)
{
  const OclFrameInfo *info = &self->info;
  const OclGraph *graph = self->graph;

  for (guint i = 0; i < self->n_steps; i++) {
    const OclOperationClass *klass = self->steps[i].klass;

    if (klass->flags & OCL_OPERATION_READS && (info->format->buffers_only
            || self->steps[i].keeps_frames
            || (info->interlaced && ocl_operation_class_filters (klass))))
      return TRUE;
  }
  for (guint i = 0; i < graph->n_nodes; i++) {
    const OclNode *node = &graph->nodes[i];

    if (!node->klass || !(node->klass->flags & OCL_OPERATION_READS))
      continue;
    const OclKernelRequest request =
        graph_get_request (graph, self->request, node);
    if (ocl_kernel_cache_get_best (self->request->cache, &request)->flags
        & OCL_VARIANT_BUFFERS_ONLY)
      return TRUE;
  }
  return FALSE;
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

/* Returns a graph without kernels. Does not compile anything. */
static OclGraph *
graph_lay_out (OclGraphRequest * request, const OclFrameInfo * info,
    const OclOperationList * operations)
{
  OclGraph *self = g_atomic_rc_box_new0 (OclGraph);
  Layout layout = {.request = request,.graph = self };

  self->info = *info;
  self->generation = ocl_kernel_cache_get_generation (request->cache);
  ocl_operation_list_copy (&self->operations, operations);
  for (guint i = 0; i < self->operations.n; i++) {
    const OclOperation *operation = &self->operations.items[i];

    self->needs[i] = get_needs (operation->klass, operation->params);
    for (guint n = 0; self->needs[i] >> n; n++)
      ocl_need_init_params (&operation->klass->needs[n], operation->params,
          &self->need_params[i][n]);
  }
  layout_add_steps (&layout);
  /* A list without operations is neutral. */
  if (layout.n_steps == 0)
    return self;
  layout_run (&layout, FALSE);
  if (self->info.storage != OCL_STORAGE_BUFFER && layout_needs_copy (&layout))
    layout_run (&layout, TRUE);
  return self;
}

/* Sets the kernels of @node. A text must build separately, and inside another
 * variant than the plain one, because names of the text may conflict with names
 * of its kernels. Otherwise it is set in @request. */
static gboolean
graph_set_kernels (const OclGraph * self, OclGraphRequest * request,
    OclNode * node, GError ** error)
{
  const OclKernelRequest fused = graph_get_request (self, request, node);
  OclKernels *kernels = NULL;

  if (node->fused >= 0) {
    OclNode inner = *node;

    inner.place = node->fused;
    inner.klass = self->operations.items[node->fused].klass;
    inner.output_format = inner.format;
    inner.fused = -1;
    const OclKernelRequest alone = graph_get_request (self, request, &inner);
    kernels = ocl_kernel_cache_get (request->cache, &alone, &node->is_stored,
        error);
  }
  if (node->fused < 0 || kernels)
    kernels = ocl_kernel_cache_get (request->cache, &fused, &node->is_stored,
        error);
  if (kernels && node->fused >= 0
      && kernels->variant == node->klass->variants[0]) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A text does not run inside the kernels of %s.", node->klass->name);
    kernels = NULL;
  }
  if (!kernels && node->fused >= 0) {
    g_debug ("operation %d is not fused: %s", node->fused,
        error && *error ? (*error)->message : "");
    ocl_literal_take (&request->unfusable[node->fused],
        ocl_literal_ref (fused.fused));
  }
  if (!kernels)
    return FALSE;
  node->kernels = ocl_kernels_ref (kernels);
  node->derived = ocl_operation_class_derive (node->klass, fused.params,
      &node->pass);
  return TRUE;
}

static void
graph_clear (gpointer data)
{
  OclGraph *self = data;

  for (guint i = 0; i < self->n_nodes; i++) {
    ocl_kernels_unref (self->nodes[i].kernels);
    g_free (self->nodes[i].derived);
  }
  g_free (self->nodes);
  ocl_operation_list_clear (&self->operations);
}

OclGraph *
ocl_graph_new (OclGraphRequest * request, const OclFrameInfo * info,
    const OclOperationList * operations, GError ** error)
{
  for (;;) {
    g_autoptr (OclGraph) self = graph_lay_out (request, info, operations);
    const OclNode *failed = NULL;
    guint n_active = 0;

    for (guint i = 0; i < self->n_nodes && !failed; i++) {
      OclNode *node = &self->nodes[i];

      if (node->klass && !graph_set_kernels (self, request, node, error))
        failed = node;
    }
    /* If a text cannot be fused, the graph is laid out again without. */
    if (failed && failed->fused >= 0) {
      g_clear_error (error);
      continue;
    }
    if (failed) {
      if (self->operations.n > 1)
        g_prefix_error (error, "Operation %u, %s: ", failed->place + 1,
            self->operations.items[failed->place].klass->name);
      return NULL;
    }
    /* If a variant for buffers fails, a variant for images replaces it. */
    if (self->copied) {
      g_autoptr (OclGraph) again = graph_lay_out (request, info, operations);

      if (!again->copied)
        continue;
    }
    for (guint i = 0; i < self->operations.n; i++)
      n_active += self->active[i];
    g_debug ("graph for %s %dx%d: %u operations, %u nodes%s",
        self->info.format->name, self->info.width, self->info.height,
        n_active, self->n_nodes, self->copied ? ", copied" : "");
    return g_steal_pointer (&self);
  }
}

gboolean
ocl_graph_is_ready (OclGraphRequest * request, const OclFrameInfo * info,
    const OclOperationList * operations)
{
  g_autoptr (OclGraph) graph = graph_lay_out (request, info, operations);
  /* Follows the number of the node in the names of the passes. */
  g_autofree gchar *common = NULL;
  gboolean is_ready = TRUE;

  if (!ocl_operation_list_has_texts (operations)) {
    g_autofree gchar *list = ocl_operation_list_print (operations);
    const OclColorimetry *colorimetry = &info->colorimetry;
    gchar kr[G_ASCII_DTOSTR_BUF_SIZE];
    gchar kb[G_ASCII_DTOSTR_BUF_SIZE];

    g_ascii_dtostr (kr, sizeof (kr), colorimetry->kr);
    g_ascii_dtostr (kb, sizeof (kb), colorimetry->kb);
    common = g_strdup_printf ("%d %d %s %d %d %d %s %s %d %d %d %d %s",
        request->quick, operations->exact, info->format->name, info->storage,
        info->width, info->height, kr, kb, colorimetry->full_range,
        info->interlaced, info->lacks_row, info->bytes_swapped, list);
  }
  for (guint i = 0; i < graph->n_nodes; i++) {
    if (!graph->nodes[i].klass)
      continue;
    g_autofree gchar *name =
        common ? g_strdup_printf ("%u %s", i, common) : NULL;
    OclKernelRequest pass =
        graph_get_request (graph, request, &graph->nodes[i]);
    pass.name = name;
    is_ready &= ocl_kernel_cache_is_ready (request->cache, &pass);
  }
  return is_ready;
}

gboolean
ocl_graph_compile (OclGraphRequest * request, const OclFrameInfo * info,
    const OclOperationList * operations, guint node, GError ** error)
{
  g_autoptr (OclGraph) graph = graph_lay_out (request, info, operations);

  if (node >= graph->n_nodes || !graph->nodes[node].klass)
    return ocl_fail (error, "The graph has no pass %u.", node);
  return graph_set_kernels (graph, request, &graph->nodes[node], error);
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

/* Returns whether @params decide the same about the results that the operation
 * at @place needs as the parameters of the graph. */
static gboolean
graph_has_needs (const OclGraph * self, guint place, gconstpointer params)
{
  const OclOperationClass *klass = self->operations.items[place].klass;
  const guint needs = get_needs (klass, params);

  if (needs != self->needs[place])
    return FALSE;
  for (guint n = 0; needs >> n; n++) {
    const OclNeed *need = &klass->needs[n];
    OclNeedParams needed;

    ocl_need_init_params (need, params, &needed);
    if (!ocl_operation_class_decide_alike (need->klass, &needed,
            &self->need_params[place][n]))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_graph_has_params (const OclGraph * self,
    const OclOperationList * operations)
{
  const gboolean takes_all = ocl_operation_list_is_neutral (operations);

  if (self->operations.id != operations->id
      || self->operations.exact != operations->exact)
    return FALSE;
  for (guint i = 0; i < operations->n; i++) {
    const OclOperation *operation = &operations->items[i];
    const gboolean is_run = takes_all
        || !ocl_operation_class_is_neutral (operation->klass,
        operation->params);

    if (is_run != (self->active[i] || self->fused[i])
        || (is_run && (!ocl_operation_class_decide_alike (operation->klass,
                    operation->params, self->operations.items[i].params)
                || !graph_has_needs (self, i, operation->params))))
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

    if (node->kernels && node->place == place && node->need < 0)
      return node->kernels->variant;
  }
  return self->operations.items[place].klass->variants[0];
}
