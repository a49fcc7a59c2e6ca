/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs all variants of all operations on pictures of every kind, with parameters
 * drawn at random, and compares the results with the float64 references. The
 * sweep knows no operation by name. Not thread-safe: one thread at a time.
 *
 * Each variant runs with each parameter at its limits and at each of its values,
 * with parameters drawn at random in formats of each layout, and with the
 * special cases of its operation, in buffers and in images. Images must give
 * the bytes that buffers give, and so must each specialized program. */

#pragma once

#include "harness.h"

G_BEGIN_DECLS

/**
 * SweepResult:
 * @klass: the operation
 * @variant: the variant
 * @storage: the storage of the frames
 * @n_runs: the number of runs that were compared; 0 if the device cannot run
 *    the variant in @storage
 * @n_failed: the number of runs whose output or result is wrong
 * @n_unsupported: the number of runs that the device cannot do
 * @accuracy: the accuracy of all runs in this storage
 * @checksum: the start of the SHA-256 of the outputs and results of all runs, in
 *    hexadecimal. Equal code gives equal bytes on one
 *    device, with one seed
 * @seconds: the time of all runs, with the compiler's
 * @skipped: why the device cannot run the variant, or NULL; owned by the sweep
 */
typedef struct
{
  const OclOperationClass *klass;
  const OclVariant *variant;
  OclStorage storage;
  guint n_runs;
  guint n_failed;
  guint n_unsupported;
  Accuracy accuracy;
  gchar checksum[9];
  gdouble seconds;
  const gchar *skipped;
} SweepResult;

/**
 * Sweep:
 * @context: the device
 * @operations: the names of the operations to run, or NULL for all
 * @variants: the names of the variants to run, where "all" stands for all
 *    variants, or NULL for all that suit the device
 * @formats: the names of the formats, or NULL for one of each layout and some
 *    at random
 * @all: runs all variants, formats and extreme tunings
 * @n_random: the number of random parameters in each format
 * @only_small: leaves out images, and frames for which an interpreter of
 *    kernels takes minutes
 * @report: is called after each variant and storage
 * @complain: is called with each wrong run
 * @progress: is called before each format, with the name of the work
 * @user_data: the last argument of the three
 */
typedef struct
{
  OclContext *context;
  gchar **operations;
  gchar **variants;
  gchar **formats;
  gboolean all;
  gint n_random;
  gboolean only_small;
  void (*report) (const SweepResult * result, gpointer user_data);
  void (*complain) (const gchar * text, gpointer user_data);
  void (*progress) (const gchar * text, gpointer user_data);
  gpointer user_data;
} Sweep;

/* Runs the sweep. Random numbers follow from GLOPENCL_TEST_SEED, and are the
 * same for a variant and format whatever else is run. A run that fails is a wrong
 * run. Fails if the queue fails. */
gboolean sweep_run (const Sweep * sweep, GError ** error);

G_END_DECLS
