/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a variant of an operation on frames of any kind, and compares the
 * outcome with the expected one. Every failure ends the test. */

#pragma once

#include "opencl/operation/ocloperation.h"
#include "picture.h"

G_BEGIN_DECLS

/* The pixels of all pictures are RGBA bytes. A kind is a frame without memory;
 * only its format, storage and bytes_swapped are used. */

/**
 * Subject:
 * @klass: an operation
 * @variant: one of its variants
 */
typedef struct
{
  const OclOperationClass *klass;
  const OclVariant *variant;
} Subject;

/**
 * Outcome:
 * @picture: the output, or the input if the operation writes no output; owned
 * @result: the result, or NULL if the operation has none; owned
 *
 * The outcome of a run.
 */
typedef struct
{
  Picture picture;
  guint8 *result;
} Outcome;

void outcome_clear (Outcome * outcome);

/* Creates an operation that is forced to the variant with @tuning, or with the
 * default tuning if @tuning is NULL. */
OclOperation *subject_create_operation (const Subject * subject,
    OclContext * context, const OclTuning * tuning);

/* Describes a run, for people. Only the size of @picture is used. The caller
 * frees the text. */
gchar *subject_describe (const Subject * subject, const OclFrame * kind,
    gconstpointer params, const Picture * picture);

/* Runs @operation, which was created for @subject, on a frame of @kind with the
 * pixels of @source. Checks that the input frame and the bytes around the
 * pixels stay unchanged. Returns FALSE, and does not set @outcome, if the
 * device cannot run the variant; every device must run the plain variant. The
 * caller ends with outcome_clear(). */
gboolean subject_run (const Subject * subject, OclOperation * operation,
    const OclFrame * kind, gconstpointer params, const Picture * source,
    Outcome * outcome);

/* Returns whether both outcomes are equal to the byte. */
gboolean is_same (const Subject * subject, const Outcome * a,
    const Outcome * b);

/* In the following functions @what names the compared outcome, for people. */

/* Asserts that both outcomes are equal to the byte. */
void assert_same (const Subject * subject, const Outcome * actual,
    const Outcome * expected, const gchar * what);

/* Asserts that the picture is within 1 level of the picture of the plain
 * variant, or for approximations has a PSNR of at least 40 dB against it, and
 * that the results are equal. */
void assert_near_plain (const Subject * subject, const Outcome * actual,
    const Outcome * plain, const gchar * what);

/* Asserts that the picture is the output of the float64 reference for @source,
 * rounded to nearest, or to either side near a tie; for approximations, that
 * the PSNR against the reference is at least 40 dB. Asserts that the result is
 * that of the reference. */
void assert_near_reference (const Subject * subject, const Outcome * actual,
    gconstpointer params, const Picture * source, const gchar * what);

G_END_DECLS
