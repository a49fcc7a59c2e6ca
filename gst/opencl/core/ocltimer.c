/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltimer.h"

#include <string.h>

/* Time between two polls of commands, in microseconds. */
#define POLL_INTERVAL 500

typedef struct
{
  cl_event event;
  OclTimerKind kind;
  guint section;
} Entry;

struct _OclTimer
{
  GArray *entries;
  gboolean measures;
  cl_command_queue queue;       /* of the frame, or NULL (not owned) */
  guint section;                /* of the next entry */
  guint64 sections[OCL_TIMER_N_SECTIONS];
};

OclTimer *
ocl_timer_new (void)
{
  OclTimer *timer = g_new0 (OclTimer, 1);

  timer->measures = TRUE;
  timer->section = OCL_TIMER_OTHERS;
  timer->entries = g_array_sized_new (FALSE, TRUE, sizeof (Entry), 8);
  return timer;
}

void
ocl_timer_free (OclTimer * timer)
{
  ocl_timer_reset (timer);
  g_array_unref (timer->entries);
  g_free (timer);
}

void
ocl_timer_set_measures (OclTimer * timer, gboolean measures)
{
  timer->measures = measures;
}

cl_event *
ocl_timer_add (OclTimer * timer, OclTimerKind kind)
{
  return timer->measures ? ocl_timer_add_event (timer, kind) : NULL;
}

cl_event *
ocl_timer_add_event (OclTimer * timer, OclTimerKind kind)
{
  Entry entry = { NULL, kind, timer->section };

  g_array_append_val (timer->entries, entry);
  return &g_array_index (timer->entries, Entry, timer->entries->len - 1).event;
}

/* Makes the next commands in queue @to wait for those in queue @from. */
static gboolean
switch_queue (cl_command_queue from, cl_command_queue to, GError ** error)
{
  cl_event reached = NULL;
  const gboolean ok = ocl_check (clEnqueueMarkerWithWaitList (from, 0, NULL,
          &reached), "clEnqueueMarkerWithWaitList", error)
      && ocl_check (clFlush (from), "clFlush", error)
      && ocl_check (clEnqueueBarrierWithWaitList (to, 1, &reached, NULL),
      "clEnqueueBarrierWithWaitList", error);

  g_clear_pointer (&reached, clReleaseEvent);
  return ok;
}

gboolean
ocl_timer_begin (OclTimer * timer, OclContext * context, GError ** error)
{
  if (!ocl_context_check (context, error))
    return FALSE;
  if (!timer->measures || !context->timed_queue)
    return TRUE;
  if (!switch_queue (context->queue, context->timed_queue, error))
    return FALSE;
  timer->queue = context->timed_queue;
  return TRUE;
}

gboolean
ocl_timer_end (OclTimer * timer, OclContext * context, GError ** error)
{
  cl_command_queue queue = g_steal_pointer (&timer->queue);

  if (!queue || switch_queue (queue, context->queue, error))
    return TRUE;
  ocl_context_finish (context, NULL);
  return FALSE;
}

gboolean
ocl_timer_enqueue_marker (OclTimer * timer, OclContext * context,
    GError ** error)
{
  return ocl_check (clEnqueueMarkerWithWaitList (context->queue, 0, NULL,
          ocl_timer_add_event (timer, OCL_TIMER_TRANSFER)),
      "clEnqueueMarkerWithWaitList", error);
}

cl_command_queue
ocl_timer_get_queue (OclTimer * timer, OclContext * context)
{
  return timer->queue ? timer->queue : context->queue;
}

void
ocl_timer_begin_section (OclTimer * timer, guint section)
{
  g_return_if_fail (section < OCL_TIMER_N_SECTIONS);
  timer->section = section;
}

guint64
ocl_timer_get_section (OclTimer * timer, guint section)
{
  return timer->sections[section];
}

gboolean
ocl_timer_wait (OclTimer * timer, GError ** error)
{
  for (guint i = 0; i < timer->entries->len; i++) {
    Entry *entry = &g_array_index (timer->entries, Entry, i);

    if (entry->event && !ocl_check (clWaitForEvents (1, &entry->event),
            "clWaitForEvents", error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_timer_wait_for (OclTimer * timer, OclContext * context, guint seconds,
    GError ** error)
{
  gint64 last = g_get_monotonic_time ();
  gint64 spent[2] = { 0, 0 };   /* before commands are started, and then */

  if (!ocl_context_check (context, error)
      || !ocl_check (clFlush (context->queue), "clFlush", error))
    return FALSE;
  for (;;) {
    const gint64 now = g_get_monotonic_time ();
    gboolean ended = TRUE;
    gboolean runs = FALSE;      /* one of the remaining commands is started */

    for (guint i = 0; i < timer->entries->len; i++) {
      Entry *entry = &g_array_index (timer->entries, Entry, i);
      cl_int status = CL_COMPLETE;

      if (entry->event && !ocl_check (clGetEventInfo (entry->event,
                  CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status,
                  NULL), "clGetEventInfo", error))
        return FALSE;
      ended &= status <= CL_COMPLETE;
      runs |= status == CL_RUNNING;
    }
    if (ended)
      return ocl_timer_wait (timer, error);
    spent[runs] += now - last;
    last = now;
    if (spent[TRUE] > seconds * G_TIME_SPAN_SECOND
        || spent[FALSE] > ocl_program_get_limit () * G_TIME_SPAN_SECOND) {
      ocl_context_give_up (context);
      return ocl_context_check (context, error);
    }
    g_usleep (POLL_INTERVAL);
  }
}

gboolean
ocl_timer_read (OclTimer * timer, guint64 nanoseconds[OCL_TIMER_N_KINDS],
    GError ** error)
{
  gboolean ok = TRUE;

  memset (timer->sections, 0, sizeof (timer->sections));
  for (guint i = 0; ok && i < timer->entries->len; i++) {
    Entry *entry = &g_array_index (timer->entries, Entry, i);
    cl_int status = CL_COMPLETE;
    cl_ulong start = 0;
    cl_ulong end = 0;

    if (!entry->event)
      continue;
    ok = ocl_check (clGetEventInfo (entry->event,
            CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof (status), &status, NULL),
        "clGetEventInfo", error)
        && (status >= 0 || ocl_check (status, "a command on the device",
            error));
    if (ok && clGetEventProfilingInfo (entry->event,
            CL_PROFILING_COMMAND_START, sizeof (start), &start, NULL)
        == CL_SUCCESS
        && clGetEventProfilingInfo (entry->event, CL_PROFILING_COMMAND_END,
            sizeof (end), &end, NULL) == CL_SUCCESS && end > start) {
      nanoseconds[entry->kind] += end - start;
      timer->sections[entry->section] += end - start;
    }
  }
  ocl_timer_reset (timer);
  return ok;
}

void
ocl_timer_reset (OclTimer * timer)
{
  for (guint i = 0; i < timer->entries->len; i++) {
    Entry *entry = &g_array_index (timer->entries, Entry, i);

    if (entry->event)
      clReleaseEvent (entry->event);
  }
  g_array_set_size (timer->entries, 0);
  timer->section = OCL_TIMER_OTHERS;
}
