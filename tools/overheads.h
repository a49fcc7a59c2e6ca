/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What it takes to start a kernel, and to move bytes between the host and a
 * device, by the clock. Not thread-safe: one thread at a time. */

#pragma once

#include "opencl/core/oclcontext.h"

G_BEGIN_DECLS

/**
 * Overhead:
 * @OVERHEAD_LAUNCH: launches of a kernel that does nothing, one after the other
 * @OVERHEAD_UPLOAD: bytes to the device from pageable memory
 * @OVERHEAD_DOWNLOAD: bytes from the device to pageable memory
 * @OVERHEAD_UPLOAD_PINNED: bytes to the device from pinned memory
 * @OVERHEAD_DOWNLOAD_PINNED: bytes from the device to pinned memory
 */
typedef enum
{
  OVERHEAD_LAUNCH,
  OVERHEAD_UPLOAD,
  OVERHEAD_DOWNLOAD,
  OVERHEAD_UPLOAD_PINNED,
  OVERHEAD_DOWNLOAD_PINNED,
  N_OVERHEADS,
} Overhead;

/* The names: short ones for columns, and titles in words. */
extern const gchar *const overhead_names[N_OVERHEADS];
extern const gchar *const overhead_titles[N_OVERHEADS];

/* Sets @rates to the best of some runs: launches or bytes a second. A frame
 * that is moved has @frame_bytes. */
gboolean overheads_measure (OclContext * context, gsize frame_bytes,
    gdouble rates[N_OVERHEADS], GError ** error);

G_END_DECLS
