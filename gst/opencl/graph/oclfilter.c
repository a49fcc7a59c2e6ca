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
} State;

struct _OclFilter
{
  guint id;
  OclContext *context;
  OclGraphRequest request;      /* owns the cache */
  guint n;
  State *states;
  OclFrame slots[OCL_N_SLOTS];  /* owns the memory of graph->temps */
  OclGraph *remembered[N_REMEMBERED];   /* the most recently used first */
  guint64 n_enqueued;           /* frames */
};

OclFilter *
ocl_filter_new (const OclOperationList * operations, OclContext * context)
{
  OclFilter *self = g_atomic_rc_box_new0 (OclFilter);

  self->id = operations->id;
  self->context = ocl_context_ref (context);
  self->request.context = context;
  self->request.cache = ocl_kernel_cache_new (context);
  self->n = operations->n;
  self->states = g_new0 (State, self->n);
  for (guint i = 0; i < self->n; i++)
    self->states[i].klass = operations->items[i].klass;
  return self;
}

OclFilter *
ocl_filter_ref (OclFilter * self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
filter_clear (gpointer data)
{
  OclFilter *self = data;

  ocl_kernel_cache_free (self->request.cache);
  for (guint i = 0; i < N_REMEMBERED; i++)
    ocl_graph_set (&self->remembered[i], NULL);
  for (guint i = 0; i < self->n; i++) {
    ocl_history_clear (&self->states[i].history);
    ocl_literal_unref (self->request.unfusable[i]);
    for (guint n = 0; n < OCL_MAX_NEEDS * N_PICTURES; n++)
      ocl_result_clear (&self->states[i].needs[n / N_PICTURES].results
          [n % N_PICTURES], self->context);
  }
  for (guint i = OCL_SLOT_INPUT_COPY; i < OCL_SLOT_HISTORY; i++)
    ocl_frame_clear (&self->slots[i]);
  g_free (self->states);
  ocl_context_unref (self->context);
}

void
ocl_filter_unref (OclFilter * self)
{
  g_atomic_rc_box_release_full (self, filter_clear);
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
  return self->states[place].klass;
}

void
ocl_filter_set_uses_database (OclFilter * self, gboolean uses)
{
  ocl_kernel_cache_set_uses_database (self->request.cache, uses);
}

void
ocl_filter_set_quick (OclFilter * self, gboolean quick)
{
  self->request.quick = quick;
}

void
ocl_filter_set_wait_func (OclFilter * self, void (*function) (gpointer data),
    gpointer data)
{
  ocl_kernel_cache_set_wait_func (self->request.cache, function, data);
}

void
ocl_filter_force (OclFilter * self, guint place, const OclVariant * variant,
    const OclTuning * tuning)
{
  self->request.forced[place] = variant;
  if (tuning)
    self->request.tunings[place] = *tuning;
  else if (variant)
    ocl_tuning_init (&self->request.tunings[place], variant->tunables);
}

GError *
ocl_filter_take_warning (OclFilter * self)
{
  return ocl_kernel_cache_take_warning (self->request.cache);
}

void
ocl_filter_forget (OclFilter * self)
{
  for (guint i = 0; i < self->n; i++)
    ocl_history_forget (&self->states[i].history);
}

OclResult *
ocl_filter_find_result (OclFilter * self, const OclOperationClass * klass)
{
  for (guint i = 0; i < self->n; i++) {
    State *state = &self->states[i];
    const OclNeed *needs = state->klass->needs;

    for (guint n = 0; state->is_active && needs && needs[n].klass; n++) {
      Need *need = &state->needs[n];

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

  while (ocl_history_get (&self->states[0].history, n, FALSE).serial)
    n++;
  return n;
}

OclFrame
ocl_filter_get_kept (OclFilter * self, guint age, gboolean interlaced)
{
  const OclPicture kept =
      ocl_history_get (&self->states[0].history, age, interlaced);

  g_assert (kept.serial != 0);
  return kept.frame;
}

/* Returns the number of the remembered graph for frames of the kind @info with
 * the parameters of @operations, or N_REMEMBERED. */
static guint
ocl_filter_find_graph (OclFilter * self, const OclFrameInfo * info,
    const OclOperationList * operations)
{
  guint n;

  for (n = 0; n < N_REMEMBERED; n++) {
    const OclGraph *graph = self->remembered[n];

    if (graph && ocl_graph_is_for (graph, info)
        && graph->info.bytes_swapped == info->bytes_swapped
        && ocl_graph_has_params (graph, operations))
      break;
  }
  return n;
}

gboolean
ocl_filter_has_graph (OclFilter * self, const OclFrameInfo * info,
    const OclOperationList * operations)
{
  return ocl_filter_find_graph (self, info, operations) < N_REMEMBERED;
}

OclGraph *
ocl_filter_get_graph (OclFilter * self, const OclFrameInfo * info,
    const OclOperationList * operations, GError ** error)
{
  OclKernelCache *cache = self->request.cache;
  OclGraph **first = &self->remembered[0];
  const guint n = ocl_filter_find_graph (self, info, operations);
  const gboolean is_known = n < N_REMEMBERED;
  const guint last = MIN (n, N_REMEMBERED - 1);
  OclGraph *used = self->remembered[last];
  memmove (first + 1, first, last * sizeof (*first));
  *first = used;
  if (is_known && used->generation == ocl_kernel_cache_get_generation (cache))
    return ocl_graph_ref (used);

  if (!is_known) {
    ocl_kernel_cache_drop_unused (cache, info->format);
    /* All programs are built at a time, except with texts, whose errors must be
     * reported only once. */
    if (!ocl_operation_list_has_texts (operations)
        && !ocl_graph_is_ready (&self->request, info, operations))
      ocl_kernel_cache_start_builders (cache);
  }
  g_autoptr (OclGraph) graph =
      ocl_graph_new (&self->request, info, operations, error);
  ocl_programs_withdraw (self->context->programs);
  if (!graph)
    return NULL;
  if (is_known && ocl_graph_equals (used, graph))
    used->generation = graph->generation;
  else
    ocl_graph_set (first, graph);
  return ocl_graph_ref (*first);
}

gboolean
ocl_filter_is_ready (OclFilter * self, const OclFrameInfo * info,
    const OclOperationList * operations)
{
  const gboolean is_ready =
      ocl_graph_is_ready (&self->request, info, operations);

  return !ocl_kernel_cache_start_builders (self->request.cache) || is_ready;
}

void
ocl_filter_finish_builds (OclFilter * self)
{
  ocl_kernel_cache_start_builders (self->request.cache);
  ocl_kernel_cache_finish (self->request.cache);
}

/* Returns whether @node adds a frame to the history of its operation. */
static gboolean
is_push (const OclNode * node)
{
  return !node->klass && node->output[0] >= OCL_SLOT_HISTORY;
}

/* Returns a frame for @node with the planes of @slots. */
static OclFrame
ocl_filter_get_frame (OclFilter * self, const OclNode * node,
    const guint8 * slots)
{
  OclFrame frame = self->slots[slots[0]];

  frame.info.format = node->format;
  for (guint i = 0; i < frame.info.format->n_planes; i++)
    frame.planes[i] = self->slots[slots[i]].planes[i];
  return frame;
}

/* Adds the input to the history of the operation of @node, unless there is no
 * frame. @age is the number of frames that the operation received after the
 * frame that it filters. */
static gboolean
ocl_filter_push (OclFilter * self, const OclGraph * graph,
    const OclOperationList * operations, const OclRun * run,
    const OclNode * node, guint age, GError ** error)
{
  State *state = &self->states[node->place];
  OclHistory *history = &state->history;
  const OclNeighbours neighbours = ocl_operation_class_get_neighbours
      (state->klass, operations->items[node->place].params);
  const gboolean is_first = node == graph->nodes;

  if (!is_first || run->input) {
    const OclFrame input = is_first ? self->slots[OCL_SLOT_INPUT]
        : ocl_filter_get_frame (self, node, node->input);

    if (!ocl_history_push (history, self->context, &input, neighbours,
            run->timer, error))
      return FALSE;
  }
  if (!run->output)
    return TRUE;
  const OclPicture kept =
      ocl_history_get (history, age, graph->info.interlaced);
  g_assert (kept.serial != 0);
  /* Results do not depend on results before a discontinuity. */
  for (guint i = 0; history->n_pushed == age + 1 && i < OCL_MAX_NEEDS; i++) {
    for (guint k = 0; k < N_PICTURES; k++) {
      state->needs[i].is_valid[k] = FALSE;
      state->needs[i].is_new[k] = TRUE;
    }
  }
  self->slots[node->output[0]] = kept.frame;
  return TRUE;
}

/* Sets the pictures of @run: the input, and its neighbours in @history. */
static void
set_pictures (const OclHistory * history, const OclNode * node,
    gboolean interlaced, guint age, OclPicture pictures[1 + OCL_MAX_NEIGHBOURS],
    OclRun * run)
{
  const OclNeighbours neighbours = history->neighbours;
  const guint n = 1 + neighbours.n_earlier + neighbours.n_later;

  for (guint i = 0; i < n; i++) {
    const gint n_after = (gint) i - (gint) neighbours.n_earlier;

    pictures[i] = ocl_history_get (history,
        n_after > 0 ? (gint) age - n_after : (gint) (age + i), interlaced);
    if (node->picture > 0)
      pictures[i] = ocl_picture_get_field (&pictures[i], node->picture - 1);
  }
  run->serial = pictures[0].serial;
  run->neighbours = pictures + 1;
  run->n_earlier = neighbours.n_earlier;
  run->n_later = neighbours.n_later;
  run->is_first = history->n_pushed == (guint64) age + 1;
}

/* Enqueues the kernels of @node, see ocl_filter_push(). */
static gboolean
ocl_filter_enqueue_pass (OclFilter * self, const OclGraph * graph,
    const OclOperationList * operations, const OclRun * frame_run,
    const OclNode * node, guint age, GError ** error)
{
  State *state = &self->states[node->place];
  Need *need = node->need < 0 ? NULL : &state->needs[node->need];
  gconstpointer params = operations->items[node->place].params;
  OclNeedParams need_params;
  OclFrame input = ocl_filter_get_frame (self, node, node->input);
  OclFrame output = ocl_filter_get_frame (self, node, node->output);
  OclPicture pictures[1 + OCL_MAX_NEIGHBOURS];
  OclResult *needed[OCL_MAX_NEEDS] = { NULL, };
  OclRun run = *frame_run;

  if (need)
    ocl_need_init_params (&state->klass->needs[node->need], params,
        &need_params);
  run.params = need ? &need_params : params;
  run.derived = node->derived;
  run.pass = &node->pass;
  run.needed = needed;
  output.info.format = node->output_format;
  if (graph->keeps[node->place])
    set_pictures (&state->history, node, graph->info.interlaced, age,
        pictures, &run);
  if (node->picture > 0) {
    input = ocl_frame_get_field (&input, node->picture - 1);
    output = ocl_frame_get_field (&output, node->picture - 1);
  }
  run.input = node->klass->flags & OCL_OPERATION_READS ? &input : NULL;
  run.output = node->klass->flags & OCL_OPERATION_WRITES ? &output : NULL;
  if (node->fused >= 0) {
    const OclOperation *inner = &operations->items[node->fused];
    gboolean reads_luma;

    run.fused_values =
        inner->klass->get_fused_values (inner->params, &reads_luma);
  }
  for (gint i = 0; i < (need ? node->need : OCL_MAX_NEEDS); i++) {
    if (state->needs[i].is_valid[node->picture])
      needed[i] = &state->needs[i].results[node->picture];
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
ocl_filter_prepare_operations (OclFilter * self, const OclGraph * graph)
{
  for (guint i = 0; i < self->n; i++) {
    State *state = &self->states[i];

    state->is_active = graph->active[i];
    if (!graph->keeps[i])
      ocl_history_forget (&state->history);
    for (guint n = 0; n < OCL_MAX_NEEDS; n++) {
      Need *need = &state->needs[n];

      for (guint k = 0; k < N_PICTURES; k++) {
        need->is_valid[k] &= graph->active[i] && graph->needs[i] >> n & 1;
        need->is_new[k] = !need->is_valid[k];
      }
    }
  }
}

G_STATIC_ASSERT (OCL_MAX_OPERATIONS <= OCL_TIMER_OTHERS);

gboolean
ocl_filter_enqueue (OclFilter * self, OclGraph * graph,
    const OclOperationList * operations, const OclRun * run, GError ** error)
{
  const OclFrame *frame = run->input ? run->input : run->output;
  const gboolean keeps = is_push (&graph->nodes[0]);
  /* A frame that is only added to the history waits for later frames. */
  const guint n_nodes = keeps && !run->output ? 1 : graph->n_nodes;
  gboolean ok = TRUE;

  g_assert (!ocl_operation_list_is_neutral (operations));
  g_assert (keeps || !run->input
      || ocl_graph_is_for (graph, &run->input->info));
  g_assert (!run->output || ocl_graph_is_for (graph, &run->output->info));
  ocl_filter_prepare_operations (self, graph);
  if (run->input)
    self->slots[OCL_SLOT_INPUT] = *run->input;
  if (run->output)
    self->slots[OCL_SLOT_OUTPUT] = *run->output;
  for (guint i = OCL_SLOT_INPUT_COPY; ok && i < OCL_SLOT_HISTORY; i++) {
    if (!graph->temps[i].format)
      continue;
    ok = ocl_frame_ensure (&self->slots[i], self->context, &graph->temps[i],
        error);
    self->slots[i].info.colorimetry = frame->info.colorimetry;
  }
  for (guint i = 0; ok && i < n_nodes; i++) {
    const OclNode *node = &graph->nodes[i];
    /* Only the first operation looks ahead. */
    const guint age = node->place == graph->nodes[0].place ? run->age : 0;

    ocl_timer_begin_section (run->timer, node->place);
    if (node->klass)
      ok = ocl_filter_enqueue_pass (self, graph, operations, run, node, age,
          error);
    else if (is_push (node))
      ok = ocl_filter_push (self, graph, operations, run, node, age, error);
    for (guint plane = 0; ok && node->planes >> plane; plane++) {
      const OclFrame *source = &self->slots[node->input[plane]];
      const OclFrame *target = &self->slots[node->output[plane]];

      /* Frames may share a plane that is not written. */
      if (node->planes >> plane & 1
          && source->planes[plane].memory != target->planes[plane].memory)
        ok = ocl_frame_enqueue_plane_copy (self->context, source, target, plane,
            run->timer, error);
    }
  }
  ocl_timer_begin_section (run->timer, OCL_TIMER_OTHERS);
  /* Some of the commands may be missing. */
  if (!ok)
    ocl_filter_forget (self);
  /* Nothing waits for the compiler now. A single frame may be the only one, and
   * a stop would wait for the builders. */
  if (self->n_enqueued++ > 0)
    ocl_kernel_cache_start_builders (self->request.cache);
  return ok;
}
