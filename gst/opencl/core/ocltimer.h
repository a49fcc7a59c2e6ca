/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the commands of one frame cost on the device.
 *
 * Give every enqueue of a frame an event of the timer; read the timer when the
 * commands have ended. It keeps its memory between frames. One thread at a
 * time. */

#pragma once

#include "oclerror.h"

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

/* A place for the event of the next enqueue; owned by the timer, valid until
 * the next call. An enqueue that fails leaves it NULL. */
cl_event *ocl_timer_add (OclTimer * timer, OclTimerKind kind);

/* Waits for the commands. Not on the GL thread. */
gboolean ocl_timer_wait (OclTimer * timer, GError ** error);

/* Adds the time of the commands, which must have ended, to @nanoseconds, one
 * sum a kind, and empties the timer. FALSE where a command failed on the
 * device; a driver that has no times adds none. */
gboolean ocl_timer_read (OclTimer * timer,
    guint64 nanoseconds[OCL_TIMER_N_KINDS], GError ** error);

/* Empties the timer without reading it. */
void ocl_timer_reset (OclTimer * timer);

G_END_DECLS
