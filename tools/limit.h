/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limits of a device, measured with the kernels of kernels/limits.cl, and
 * the costs of launching a kernel and of transfers between the host and the
 * device. Not thread-safe: one thread at a time. */

#pragma once

#include "opencl/core/oclcontext.h"

G_BEGIN_DECLS

/* Those up to LIMIT_COUNTER are measured with the clock of the device, the
 * others with that of the host. */
typedef enum
{
  LIMIT_FMA,                    /* fused if the device supports it */
  LIMIT_ARITHMETIC,             /* multiply-adds alone if these are faster */
  LIMIT_EXP,
  LIMIT_EXP2,                   /* denormal results may be 0 */
  LIMIT_NATIVE_EXP,
  LIMIT_NATIVE_EXP2,
  LIMIT_LOCAL,
  LIMIT_CACHE,                  /* the nearest one */
  LIMIT_FRAME,                  /* stays in any cache that is large enough */
  LIMIT_GLOBAL,                 /* too large for every cache */
  LIMIT_COPY_1,
  LIMIT_COPY_4,
  LIMIT_COPY_16,
  LIMIT_IMAGE,                  /* 0 if the device has no images */
  LIMIT_ATOMIC,
  LIMIT_COUNTER,
  LIMIT_UPLOAD,
  LIMIT_DOWNLOAD,
  LIMIT_UPLOAD_PINNED,
  LIMIT_DOWNLOAD_PINNED,
  LIMIT_LAUNCH,                 /* consecutive launches */
  N_LIMITS,
} Limit;

/* Return a short name for columns, and the unit in words. Copied bytes are read
 * and written, and both count. */
const gchar *limit_get_name (Limit limit);
const gchar *limit_get_title (Limit limit);

typedef struct _Limits Limits;

/* Builds the kernels and finds the duration of their runs. A frame has @width x
 * @height pixels of 4 bytes. Keeps a reference to @context. */
Limits *limits_new (OclContext * context, gint width, gint height,
    GError ** error);
void limits_free (Limits * limits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Limits, limits_free)

/* Measures every limit a few times. */
gboolean limits_measure (Limits * limits, GError ** error);

/* Returns the best rate of all measurements of @limit, in operations, launches
 * or bytes per second. */
gdouble limits_get_rate (const Limits * limits, Limit limit);

G_END_DECLS
