/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclfilter.h"

#include <string.h>

/* Number of graphs that the filter keeps: mixed streams need two, and a change
 * of settings may be reverted. */
#define N_REMEMBERED 4

/* A frame is one picture, or two fields. The results of both kinds of frames
 * are kept separately, because a result may depend on the previous one. */
#define N_PICTURES 3

/* A result that an operation needs, of whole frames and of each field. */
typedef struct
{
  gpointer params;              /* of the class of the result (owned) */
  OclResult results[N_PICTURES];
  gboolean is_valid[N_PICTURES];        /* the last picture also had it */
  gboolean is_new[N_PICTURES];  /* it was not valid before this frame */
  guint first;                  /* of the first picture of the last frame */
} Need;

typedef struct
{
  const OclOperationClass *klass;
  gboolean is_active;           /* the last graph runs it */
  OclHistory history;
  Need needs[OCL_MAX_NEEDS];
} Operation;

struct _OclFilter
{
  gint n_references;            /* atomic */
  guint id;
  OclContext *context;
  OclKernelCache *cache;        /* owned */
  OclGraphRequest request;      /* the list and the frame are set in calls */
  guint n;
  Operation *operations;
  OclFrame temps[OCL_SLOT_HISTORY];
  OclGraph *remembered[N_REMEMBERED];   /* the most recently used first */
  guint64 n_enqueued;           /* frames */
};

OclFilter *
ocl_filter_new (const OclLinks * links, OclContext * context)
{
  OclFilter *self = g_new0 (OclFilter, 1);

  self->n_references = 1;
  self->id = links->id;
  self->context = ocl_context_ref (context);
  self->cache = ocl_kernel_cache_new (context);
  self->request.context = context;
  self->request.cache = self->cache;
  self->n = links->n;
  self->operations = g_new0 (Operation, self->n);
  for (guint i = 0; i < self->n; i++) {
    const OclOperationClass *klass = links->items[i].klass;

    self->operations[i].klass = klass;
    for (guint n = 0; klass->needs && klass->needs[n].klass; n++)
      self->operations[i].needs[n].params =
          ocl_operation_class_create_params (klass->needs[n].klass);
  }
  return self;
}

OclFilter *
ocl_filter_ref (OclFilter * self)
{
  g_atomic_int_inc (&self->n_references);
  return self;
}

void
ocl_filter_unref (OclFilter * self)
{
  if (!g_atomic_int_dec_and_test (&self->n_references))
    return;
  ocl_kernel_cache_free (self->cache);
  for (guint i = 0; i < N_REMEMBERED; i++)
    ocl_graph_set (&self->remembered[i], NULL);
  for (guint i = 0; i < self->n; i++) {
    ocl_history_clear (&self->operations[i].history);
    ocl_literal_unref (self->request.unfusable[i]);
    for (guint n = 0; n < OCL_MAX_NEEDS; n++) {
      Need *need = &self->operations[i].needs[n];

      ocl_params_free (need->params);
      for (guint k = 0; k < N_PICTURES; k++)
        ocl_result_clear (&need->results[k], self->context);
    }
  }
  for (guint i = 0; i < OCL_SLOT_HISTORY; i++)
    ocl_frame_clear (&self->temps[i]);
  g_free (self->operations);
  ocl_context_unref (self->context);
  g_free (self);
}

void
ocl_filter_set (OclFilter ** filter, OclFilter * other)
{
  if (*filter == other)
    return;
  g_clear_pointer (filter, ocl_filter_unref);
  *filter = other ? ocl_filter_ref (other) : NULL;
}

guint
ocl_filter_get_id (OclFilter * self)
{
  return self->id;
}

OclContext *
ocl_filter_get_context (OclFilter * self)
{
  return self->context;
}

const OclOperationClass *
ocl_filter_get_class (OclFilter * self, guint place)
{
  return self->operations[place].klass;
}

void
ocl_filter_set_uses_database (OclFilter * self, gboolean uses)
{
  ocl_kernel_cache_set_uses_database (self->cache, uses);
}

void
ocl_filter_set_quick (OclFilter * self, gboolean quick)
{
  self->request.quick = quick;
}

void
ocl_filter_force (OclFilter * self, guint place, const OclVariant * variant,
    const OclTuning * tuning)
{
  self->request.forced[place] = variant;
  self->request.has_tuning[place] = tuning != NULL;
  if (tuning)
    self->request.tunings[place] = *tuning;
}

GError *
ocl_filter_take_warning (OclFilter * self)
{
  return ocl_kernel_cache_take_warning (self->cache);
}

void
ocl_filter_forget (OclFilter * self)
{
  for (guint i = 0; i < self->n; i++)
    ocl_history_forget (&self->operations[i].history);
}

OclResult *
ocl_filter_find_result (OclFilter * self, const OclOperationClass * klass)
{
  for (guint i = 0; i < self->n; i++) {
    Operation *operation = &self->operations[i];
    const OclNeed *needs = operation->klass->needs;

    for (guint n = 0; operation->is_active && needs && needs[n].klass; n++) {
      Need *need = &operation->needs[n];

      if (needs[n].klass == klass)
        return need->is_valid[need->first] ? &need->results[need->first] : NULL;
    }
  }
  return NULL;
}

guint
ocl_filter_count_kept (OclFilter * self)
{
  guint n = 0;

  while (ocl_history_find (&self->operations[0].history, n))
    n++;
  return n;
}

OclFrame
ocl_filter_get_kept (OclFilter * self, guint age, gboolean interlaced)
{
  const OclPicture kept =
      ocl_history_get (&self->operations[0].history, age, interlaced);

  g_assert (kept.serial != 0);
  return kept.frame;
}

/* Returns whether @graph is for frames like @info, the parameters of @links,
 * and the parameters of needed results. */
static gboolean
ocl_filter_can_use (OclFilter * self, const OclGraph * graph,
    const OclFrameInfo * info, const OclLinks * links)
{
  gboolean ok = graph && ocl_graph_is_for (graph, info)
      && graph->info.bytes_swapped == info->bytes_swapped
      && ocl_graph_has_params (graph, links);

  for (guint i = 0; ok && i < self->n; i++) {
    for (guint n = 0; ok && graph->needs[i] >> n; n++) {
      const OclNeed *need = &self->operations[i].klass->needs[n];
      gpointer params = self->operations[i].needs[n].params;

      if (need->set_params)
        need->set_params (params, links->items[i].params);
      ok = ocl_operation_class_decide_alike (need->klass, params,
          graph->need_params[i][n]);
    }
  }
  return ok;
}

gboolean
ocl_filter_has_graph (OclFilter * self, const OclFrameInfo * info,
    const OclLinks * links)
{
  for (guint n = 0; n < N_REMEMBERED; n++) {
    if (ocl_filter_can_use (self, self->remembered[n], info, links))
      return TRUE;
  }
  return FALSE;
}

OclGraph *
ocl_filter_get_graph (OclFilter * self, const OclFrameInfo * info,
    const OclLinks * links, GError ** error)
{
  OclGraph **first = &self->remembered[0];
  gboolean has_texts = FALSE;
  guint n;

  for (n = 0; n < N_REMEMBERED; n++) {
    if (ocl_filter_can_use (self, self->remembered[n], info, links))
      break;
  }
  const gboolean is_known = n < N_REMEMBERED;
  const guint last = MIN (n, N_REMEMBERED - 1);
  OclGraph *used = self->remembered[last];
  memmove (first + 1, first, last * sizeof (*first));
  *first = used;
  if (is_known && (*first)->generation
      == ocl_kernel_cache_get_generation (self->cache))
    return ocl_graph_ref (*first);

  self->request.info = info;
  self->request.links = links;
  if (!is_known) {
    ocl_kernel_cache_drop_unused (self->cache, info->format);
    for (guint i = 0; i < links->n; i++)
      has_texts |= (links->items[i].klass->flags & OCL_OPERATION_IS_TEXT) != 0;
    /* All programs are built at a time, except with texts, whose errors must be
     * reported only once. */
    if (!has_texts && !ocl_graph_is_ready (&self->request, TRUE))
      ocl_kernel_cache_start_builders (self->cache);
  }
  g_autoptr (OclGraph) graph = ocl_graph_new (&self->request, error);
  self->request.info = NULL;
  self->request.links = NULL;
  if (!graph)
    return NULL;
  if (is_known && ocl_graph_equals (*first, graph))
    (*first)->generation = graph->generation;
  else
    ocl_graph_set (first, graph);
  return ocl_graph_ref (*first);
}

gboolean
ocl_filter_is_ready (OclFilter * self, const OclFrameInfo * info,
    const OclLinks * links)
{
  self->request.info = info;
  self->request.links = links;
  const gboolean is_ready = ocl_graph_is_ready (&self->request, FALSE);
  self->request.info = NULL;
  self->request.links = NULL;
  ocl_kernel_cache_start_builders (self->cache);
  return is_ready;
}

/* State of a frame while the nodes of a graph are enqueued. */
typedef struct
{
  const OclGraph *graph;
  const OclLinks *links;
  const OclRun *run;
  OclFrame slots[OCL_N_SLOTS];
} Trip;

/* Returns a frame for kernels with the planes of @slots. */
static OclFrame
trip_get_frame (const Trip * self, const OclNode * node, const guint8 * slots)
{
  OclFrame frame = self->slots[slots[0]];

  frame.info.format = node->format;
  for (guint i = 0; i < frame.info.format->n_planes; i++)
    frame.planes[i] = self->slots[slots[i]].planes[i];
  return frame;
}

/* Returns the number of frames that the operation at @place received after the
 * frame that it filters. Only the first operation looks ahead. */
static guint
trip_get_age (const Trip * self, guint place)
{
  return self->graph->nodes[0].place == place ? self->run->age : 0;
}

/* Copies the input to the history of the operation of @node, unless there is no
 * frame. */
static gboolean
ocl_filter_take (OclFilter * self, Trip * trip, const OclNode * node,
    GError ** error)
{
  Operation *operation = &self->operations[node->place];
  OclHistory *history = &operation->history;
  const OclNeighbours neighbours = ocl_operation_class_get_neighbours
      (operation->klass, trip->links->items[node->place].params);
  const guint age = trip_get_age (trip, node->place);
  const gboolean is_first = node == trip->graph->nodes;

  if (!is_first || trip->run->input) {
    const OclFrame input = is_first ? trip->slots[OCL_SLOT_INPUT]
        : trip_get_frame (trip, node, node->input);

    if (!ocl_history_push (history, self->context, &input, neighbours,
            trip->run->timer, error))
      return FALSE;
  }
  if (!trip->run->output)
    return TRUE;
  const OclPicture kept =
      ocl_history_get (history, age, trip->graph->info.interlaced);
  g_assert (kept.serial != 0);
  /* Results do not depend on results before a discontinuity. */
  for (guint i = 0; history->n_pushed == age + 1 && i < OCL_MAX_NEEDS; i++) {
    for (guint k = 0; k < N_PICTURES; k++) {
      operation->needs[i].is_valid[k] = FALSE;
      operation->needs[i].is_new[k] = TRUE;
    }
  }
  trip->slots[OCL_SLOT_HISTORY + node->place] = kept.frame;
  return TRUE;
}

/* Sets the pictures of @run: the input, and its neighbours in the history of
 * the operation. */
static void
ocl_filter_set_pictures (OclFilter * self, const Trip * trip,
    const OclNode * node, OclPicture pictures[1 + OCL_MAX_NEIGHBOURS],
    OclRun * run)
{
  const Operation *operation = &self->operations[node->place];
  const gboolean interlaced = trip->graph->info.interlaced;
  const gint age = trip_get_age (trip, node->place);
  const OclNeighbours asked = ocl_operation_class_get_neighbours
      (operation->klass, trip->links->items[node->place].params);

  pictures[0] = ocl_history_get (&operation->history, age, interlaced);
  for (guint i = 0; i < asked.n_earlier; i++)
    pictures[1 + i] =
        ocl_history_get (&operation->history, age + 1 + i, interlaced);
  for (guint i = 0; i < asked.n_later; i++)
    pictures[1 + asked.n_earlier + i] = ocl_history_get (&operation->history,
        age - 1 - (gint) i, interlaced);
  for (guint i = 0; node->picture > 0
      && i <= asked.n_earlier + asked.n_later; i++)
    pictures[i] = ocl_picture_get_field (&pictures[i], node->picture - 1);
  run->serial = pictures[0].serial;
  run->neighbours = pictures + 1;
  run->n_earlier = asked.n_earlier;
  run->n_later = asked.n_later;
  run->is_first = operation->history.n_pushed == (guint64) age + 1;
}

/* Enqueues the kernels of @node. */
static gboolean
ocl_filter_enqueue_pass (OclFilter * self, const Trip * trip,
    const OclNode * node, GError ** error)
{
  Operation *operation = &self->operations[node->place];
  Need *need = node->need < 0 ? NULL : &operation->needs[node->need];
  const OclLink *link = &trip->links->items[node->place];
  OclFrame input = trip_get_frame (trip, node, node->input);
  OclFrame output = trip_get_frame (trip, node, node->output);
  OclPicture pictures[1 + OCL_MAX_NEIGHBOURS];
  OclResult *needed[OCL_MAX_NEEDS] = { NULL, };
  OclRun run = *trip->run;
  OclFusion fusion;

  run.params = need ? need->params : link->params;
  run.derived = node->derived;
  run.pass = &node->pass;
  run.needed = needed;
  run.output = &output;
  output.info.format = node->output_format;
  if (trip->graph->keeps[node->place])
    ocl_filter_set_pictures (self, trip, node, pictures, &run);
  if (node->picture > 0) {
    input = ocl_frame_get_field (&input, node->picture - 1);
    output = ocl_frame_get_field (&output, node->picture - 1);
  }
  run.input = node->klass->flags & OCL_OPERATION_READS ? &input : NULL;
  if (!(node->klass->flags & OCL_OPERATION_WRITES))
    run.output = NULL;
  if (node->fused >= 0) {
    const OclLink *inner = &trip->links->items[node->fused];

    inner->klass->get_fusion (inner->params, &fusion);
    run.fused_values = fusion.values;
  }
  for (guint i = 0; i < OCL_MAX_NEEDS; i++) {
    if (operation->needs[i].is_valid[node->picture]
        && (node->need < 0 || (gint) i < node->need))
      needed[i] = &operation->needs[i].results[node->picture];
  }
  if (!need)
    return ocl_kernels_enqueue (node->kernels, &run, error);

  run.result = &need->results[node->picture];
  run.is_first |= need->is_new[node->picture];
  need->first = MIN (node->picture, 1);
  need->is_valid[node->picture] =
      ocl_memory_ensure (&run.result->device, self->context,
      ocl_operation_class_get_result_size (node->klass, &input.info), error)
      && ocl_kernels_enqueue (node->kernels, &run, error);
  return need->is_valid[node->picture];
}

/* Prepares the state of operations for a frame: drops the frames of operations
 * that the graph does not run, and invalidates results that it does not
 * compute. */
static void
ocl_filter_prepare_operations (OclFilter * self, const OclGraph * graph,
    const OclLinks * links)
{
  for (guint i = 0; i < self->n; i++) {
    Operation *operation = &self->operations[i];
    const OclNeed *needs = operation->klass->needs;

    operation->is_active = graph->active[i];
    if (!graph->keeps[i])
      ocl_history_forget (&operation->history);
    for (guint n = 0; needs && needs[n].klass; n++) {
      Need *need = &operation->needs[n];
      const gboolean is_needed = graph->active[i] && graph->needs[i] >> n & 1;

      if (is_needed && needs[n].set_params)
        needs[n].set_params (need->params, links->items[i].params);
      for (guint k = 0; k < N_PICTURES; k++) {
        need->is_valid[k] &= is_needed;
        need->is_new[k] = !need->is_valid[k];
      }
    }
  }
}

G_STATIC_ASSERT (OCL_MAX_LINKS <= OCL_TIMER_OTHERS);

gboolean
ocl_filter_enqueue (OclFilter * self, OclGraph * graph, const OclLinks * links,
    const OclRun * run, GError ** error)
{
  Trip trip = {.graph = graph,.links = links,.run = run };
  gboolean ok = TRUE;

  g_assert (!ocl_links_are_neutral (links));
  g_assert (graph->nodes[0].kind == OCL_NODE_TAKE || !run->input
      || ocl_graph_is_for (graph, &run->input->info));
  g_assert (!run->output || ocl_graph_is_for (graph, &run->output->info));
  ocl_filter_prepare_operations (self, graph, links);
  if (run->input)
    trip.slots[OCL_SLOT_INPUT] = *run->input;
  if (run->output)
    trip.slots[OCL_SLOT_OUTPUT] = *run->output;
  for (guint i = OCL_SLOT_INPUT_COPY; ok && i < OCL_SLOT_HISTORY; i++) {
    if (!graph->temps[i].format)
      continue;
    ok = ocl_frame_ensure (&self->temps[i], self->context, &graph->temps[i],
        error);
    trip.slots[i] = self->temps[i];
    trip.slots[i].info.colorimetry = (run->input ? run->input
        : run->output)->info.colorimetry;
  }
  /* A frame that is only added to the history waits for later frames. */
  const gboolean only_takes = !run->output
      && graph->nodes[0].kind == OCL_NODE_TAKE;
  for (guint i = 0; ok && i < (only_takes ? 1 : graph->n_nodes); i++) {
    const OclNode *node = &graph->nodes[i];
    const OclFrame *source = &trip.slots[node->input[node->plane]];
    const OclFrame *target = &trip.slots[node->output[node->plane]];

    ocl_timer_begin_section (run->timer, node->place);
    switch (node->kind) {
      case OCL_NODE_TAKE:
        ok = ocl_filter_take (self, &trip, node, error);
        break;
      case OCL_NODE_COPY:
        ok = ocl_frame_enqueue_copy (self->context, source, target, run->timer,
            error);
        break;
      case OCL_NODE_COPY_PLANE:
        /* Frames may share a plane that is not written. */
        ok = source->planes[node->plane].memory
            == target->planes[node->plane].memory
            || ocl_frame_enqueue_plane_copy (self->context, source, target,
            node->plane, run->timer, error);
        break;
      case OCL_NODE_PASS:
        ok = ocl_filter_enqueue_pass (self, &trip, node, error);
        break;
    }
  }
  ocl_timer_begin_section (run->timer, OCL_TIMER_OTHERS);
  /* Some of the commands may be missing. */
  if (!ok)
    ocl_filter_forget (self);
  /* Nothing waits for the compiler now. A single frame may be the only one, and
   * a stop would wait for the builders. */
  if (self->n_enqueued++ > 0)
    ocl_kernel_cache_start_builders (self->cache);
  return ok;
}
