/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Measures the time of the commands of one frame on the device.
 *
 * Pass an event of the timer to every enqueue call of a frame, and read the
 * timer when the commands have ended. The timer keeps its memory between
 * frames. Use the timer from one thread at a time.
 *
 * Events cost time, see benchmarks/GPU-NOTES.md. So a timer can be set not to
 * measure. Commands then have an event only where something waits for it. */

#pragma once

#include "oclcontext.h"

G_BEGIN_DECLS

typedef enum
{
  OCL_TIMER_KERNEL,
  OCL_TIMER_TRANSFER,
  OCL_TIMER_N_KINDS,
} OclTimerKind;

typedef struct _OclTimer OclTimer;

OclTimer *ocl_timer_new (void);

/* Releases the events that were never read. */
void ocl_timer_free (OclTimer * timer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclTimer, ocl_timer_free)

/* Sets whether commands that are added next are measured, which is the
 * default. */
void ocl_timer_set_measures (OclTimer * timer, gboolean measures);

/* Begins commands of a frame in @context. Commands that are measured go to its
 * timed queue, if it has one, after all commands in its queue. Commands of
 * other threads may then run at the same time. */
gboolean ocl_timer_begin (OclTimer * timer, OclContext * context,
    GError ** error);

/* Ends the commands of a frame. Must be called after every successful
 * ocl_timer_begin(), also after a failure. Commands that follow in the queue of
 * @context run after them. If that is impossible, waits for them. */
gboolean ocl_timer_end (OclTimer * timer, OclContext * context,
    GError ** error);

/* Enqueues a marker in the queue of @context, so that ocl_timer_wait() waits
 * for all commands before it. */
gboolean ocl_timer_enqueue_marker (OclTimer * timer, OclContext * context,
    GError ** error);

/* Returns the queue of @context for the next command. */
cl_command_queue ocl_timer_get_queue (OclTimer * timer, OclContext * context);

/* Returns a place for the event of the next enqueue call, or NULL if commands
 * are not measured. The timer owns the place, which is valid until the next
 * command is added. An enqueue call that fails leaves the place NULL. */
cl_event *ocl_timer_add (OclTimer * timer, OclTimerKind kind);

/* Like ocl_timer_add(), but always returns a place, for a command that
 * something waits for. */
cl_event *ocl_timer_add_event (OclTimer * timer, OclTimerKind kind);

/* Number of sections of the timer. OCL_TIMER_OTHERS is the last one. */
#define OCL_TIMER_N_SECTIONS 17
#define OCL_TIMER_OTHERS (OCL_TIMER_N_SECTIONS - 1)

/* Selects section @section for the commands that are added next. At first, and
 * after a reset, this is OCL_TIMER_OTHERS. */
void ocl_timer_begin_section (OclTimer * timer, guint section);

/* Returns the duration of all commands of @section in the last read, in
 * nanoseconds. */
guint64 ocl_timer_get_section (OclTimer * timer, guint section);

/* Waits until the commands that have an event have ended. Must not be called on
 * the GL thread. */
gboolean ocl_timer_wait (OclTimer * timer, GError ** error);

/* Waits like ocl_timer_wait(), at most @seconds while a command runs, and at
 * most ocl_program_get_limit() before it starts, because many drivers compile
 * at this time. If a command has not ended by then, gives up @context, see
 * ocl_context_give_up(), and fails. */
gboolean ocl_timer_wait_for (OclTimer * timer, OclContext * context,
    guint seconds, GError ** error);

/* Adds the times of the commands to @nanoseconds, one sum for each kind, and
 * empties the timer. The commands must have ended. Returns FALSE if a command
 * that has an event failed on the device. If the queue or the driver has no
 * times, nothing is added. */
gboolean ocl_timer_read (OclTimer * timer,
    guint64 nanoseconds[OCL_TIMER_N_KINDS], GError ** error);

/* Empties the timer without reading it. */
void ocl_timer_reset (OclTimer * timer);

G_END_DECLS
