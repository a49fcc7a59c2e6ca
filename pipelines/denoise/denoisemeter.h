/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts what goes through a pad. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 n_buffers;
  guint64 n_shown;              /* of them: what the segment does not hide */
  guint64 n_headers;            /* of them: what containers keep elsewhere */
  GstClockTime first;           /* running time of the first begin, or NONE */
  GstClockTime last;            /* of the last begin, or NONE */
  GstClockTime end;             /* of the last end, or NONE */
} DenoiseCount;

typedef struct
{
  GMutex mutex;                 /* guards the rest */
  GstSegment segment;
  DenoiseCount count;
} DenoiseMeter;

/* Where it ends, as far as that is known. */
GstClockTime denoise_count_get_end (const DenoiseCount * count);

/* @meter has to outlive the pads that it is attached to. */
void denoise_meter_init (DenoiseMeter * meter);
void denoise_meter_clear (DenoiseMeter * meter);
void denoise_meter_attach (DenoiseMeter * meter, GstPad * pad);

/* Any thread. */
DenoiseCount denoise_meter_get (DenoiseMeter * meter);

G_END_DECLS
