/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the buffers that go through a pad. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 n_buffers;
  guint64 n_shown;              /* buffers that the segment does not hide */
  guint64 n_headers;            /* buffers that containers keep elsewhere */
  GstClockTime first;           /* running time of the first begin, or NONE */
  GstClockTime last;            /* running time of the last begin, or NONE */
  GstClockTime end;             /* running time of the last end, or NONE */
} DenoiseCount;

typedef struct
{
  GMutex mutex;                 /* guards the rest */
  GstSegment segment;
  DenoiseCount count;
} DenoiseMeter;

/* Returns the running time of the last end or, if unknown, of the last
 * begin. */
GstClockTime denoise_count_get_end (const DenoiseCount * count);

/* @meter must outlive the pads to which it is attached. */
void denoise_meter_init (DenoiseMeter * meter);
void denoise_meter_clear (DenoiseMeter * meter);
void denoise_meter_attach (DenoiseMeter * meter, GstPad * pad);

/* Returns the count so far. May be called from any thread. */
DenoiseCount denoise_meter_get (DenoiseMeter * meter);

G_END_DECLS
