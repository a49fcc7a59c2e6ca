/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares what settings of a variant compute with what the plain variant, or
 * an approximation with its default settings, computes, on small frames: a
 * drawn picture, noise, black and white; with every border, if the operation
 * has borders. Not thread-safe: one thread at a time. */

#pragma once

#include "runner.h"

G_BEGIN_DECLS

/* Returns whether no sample that @item computes differs by more than one
 * level. The size of @item does not count. Builds what is needed, and waits
 * for the device. Fails with OCL_ERROR_KERNEL if a sample differs, or with the
 * errors of runner_run(). */
gboolean tuning_check (OclContext * context, const RunnerCase * item,
    GError ** error);

G_END_DECLS
