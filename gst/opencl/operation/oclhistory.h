/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Previous and next frames for a temporal operation.
 *
 * The history keeps copies in buffers, and the frames return to their pool. All
 * commands of a context run in order, see OclContext, so frames may be in
 * flight, be filtered in place, or be shared with OpenGL. */

#pragma once

#include "core/oclframe.h"

G_BEGIN_DECLS

/* Maximum numbers of earlier and later frames of an operation. */
#define OCL_MAX_HISTORY 4
#define OCL_MAX_LOOKAHEAD 4
#define OCL_MAX_NEIGHBOURS (OCL_MAX_HISTORY + OCL_MAX_LOOKAHEAD)

/**
 * OclNeighbours:
 * @n_earlier: number of earlier frames that an operation reads
 * @n_later: number of later frames that it reads
 */
typedef struct
{
  guint n_earlier;
  guint n_later;
} OclNeighbours;

/**
 * OclPicture:
 * @frame: a frame, or one of its fields
 * @serial: unique number of the picture in this process, the key of data
 *    computed from the picture, or 0 for a picture that is in no history
 */
typedef struct
{
  OclFrame frame;
  guint64 serial;
} OclPicture;

/**
 * OclHistory:
 * @pictures: a ring of copies, whose memory the history owns
 * @last: the index of the newest copy
 * @n_pushed: number of frames pushed since the history was empty
 * @neighbours: the capacity of the ring beside the current frame
 *
 * Start with a zeroed struct and end with ocl_history_clear(). Use the struct
 * from one thread at a time.
 */
typedef struct
{
  OclPicture pictures[OCL_MAX_NEIGHBOURS + 1];
  guint last;
  guint64 n_pushed;
  OclNeighbours neighbours;
} OclHistory;

/* Enqueues a copy of @frame as the newest frame. Keeps as many previous frames
 * as @neighbours has, at most OCL_MAX_NEIGHBOURS. Drops the previous frames if
 * the size, the format or @neighbours changes. Does not wait. */
gboolean ocl_history_push (OclHistory * history, OclContext * context,
    const OclFrame * frame, OclNeighbours neighbours, OclTimer * timer,
    GError ** error);

/* Empties the history, and keeps its memory. */
void ocl_history_forget (OclHistory * history);

/* Returns frame @age of the history, where 0 is the newest one. If the history
 * does not have the frame, the picture is missing: all its members are 0. The
 * frame is interlaced if @interlaced is TRUE, regardless of the frame that was
 * pushed. */
OclPicture ocl_history_get (const OclHistory * history, gint age,
    gboolean interlaced);

/* Returns field @field of @picture, which is interlaced or missing. */
OclPicture ocl_picture_get_field (const OclPicture * picture, guint field);

/* Returns whether @serial is the serial number of a field. */
gboolean ocl_picture_is_field (guint64 serial);

/* Returns a serial number for a picture that is in no history. May be called
 * from any thread. */
guint64 ocl_picture_create_serial (void);

/* Releases the memory. Commands may be in flight. */
void ocl_history_clear (OclHistory * history);

G_END_DECLS
