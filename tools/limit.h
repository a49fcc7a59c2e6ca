/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limits of a device, measured with the kernels of kernels/limits.cl. Not
 * thread-safe: one thread at a time. */

#pragma once

#include "opencl/core/oclcontext.h"

G_BEGIN_DECLS

/**
 * Limit:
 * @LIMIT_FMA: multiply-adds of floats, fused if the device supports it
 * @LIMIT_ARITHMETIC: multiply-adds of floats, or multiply-adds that alternate
 *    with additions if these are faster, as some devices have separate units
 *    for additions
 * @LIMIT_EXP: exp() of floats
 * @LIMIT_EXP2: exp2() of floats; denormal results may be 0
 * @LIMIT_NATIVE_EXP: native_exp() of floats
 * @LIMIT_NATIVE_EXP2: native_exp2() of floats
 * @LIMIT_LOCAL: bytes read from local memory
 * @LIMIT_CACHE: bytes read from global memory that stay in the nearest cache
 * @LIMIT_FRAME: bytes read and written by a copy of a frame, which stays in
 *    any cache that is large enough
 * @LIMIT_GLOBAL: bytes read and written by a copy that is too large for every
 *    cache
 * @LIMIT_COPY_1: bytes read and written by a copy of a frame, a float at a time
 * @LIMIT_COPY_4: the copy with 4 floats at a time
 * @LIMIT_COPY_16: the copy with 16 floats at a time
 * @LIMIT_IMAGE: bytes read and written by a copy of a frame in an image; 0 if
 *    the device has no images
 * @LIMIT_ATOMIC: atomic additions in local memory
 * @LIMIT_COUNTER: additions to counters in private memory
 */
typedef enum
{
  LIMIT_FMA,
  LIMIT_ARITHMETIC,
  LIMIT_EXP,
  LIMIT_EXP2,
  LIMIT_NATIVE_EXP,
  LIMIT_NATIVE_EXP2,
  LIMIT_LOCAL,
  LIMIT_CACHE,
  LIMIT_FRAME,
  LIMIT_GLOBAL,
  LIMIT_COPY_1,
  LIMIT_COPY_4,
  LIMIT_COPY_16,
  LIMIT_IMAGE,
  LIMIT_ATOMIC,
  LIMIT_COUNTER,
  N_LIMITS,
} Limit;

/* The names of the limits: short ones for columns, and titles in words. */
extern const gchar *const limit_names[N_LIMITS];
extern const gchar *const limit_titles[N_LIMITS];

typedef struct _Limits Limits;

/* Builds the kernels and finds out how long they have to run. A frame has
 * @width x @height pixels of 4 bytes. Keeps a reference to @context. */
Limits *limits_new (OclContext * context, gint width, gint height,
    GError ** error);
void limits_free (Limits * limits);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Limits, limits_free)

/* Measures every limit a few times. */
gboolean limits_measure (Limits * limits, GError ** error);

/* Returns the best rate of all measurements of @limit, in operations or bytes
 * per second. */
gdouble limits_get_rate (const Limits * limits, Limit limit);

G_END_DECLS
