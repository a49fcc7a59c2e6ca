/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What roofline finds out about a device, as a page for people: Markdown. Main
 * thread only. */

#pragma once

#include "limit.h"
#include "overheads.h"
#include "tool.h"

#include "opencl/core/ocldevice.h"

G_BEGIN_DECLS

/**
 * DevicePageKernel:
 * @what: the operation with its parameters; owned
 * @variant: the variant's name
 * @storage: where frames are
 * @milliseconds: of the kernels of a frame
 * @limit: what limits the operation
 * @fraction: which part of the limit is reached
 */
typedef struct
{
  gchar *what;
  const gchar *variant;
  const gchar *storage;
  gdouble milliseconds;
  const gchar *limit;
  gdouble fraction;
} DevicePageKernel;

/* Returns a new array of DevicePageKernel, which owns them. */
GArray *device_page_new_kernels (void);

/* Returns the page: what the device can do, what follows for kernels, and the
 * fastest of @kernels for each operation. Frames have @size. The caller frees
 * it. */
gchar *device_page_print (const OclDevice * device, const Limits * limits,
    const gdouble overheads[N_OVERHEADS], const ToolSize * size,
    GArray * kernels);

G_END_DECLS
