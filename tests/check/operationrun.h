/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a variant of an operation on frames of any kind, and holds what came of
 * it to what should have. What fails ends the test. */

#pragma once

#include "opencl/operation/ocloperation.h"
#include "picture.h"

G_BEGIN_DECLS

/* Pixels are bytes of RGBA in all pictures. A kind is a frame without memory:
 * its format, storage and bytes_swapped count. */

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
 * @picture: the output, or the input where none is written; owned
 * @result: the result, or NULL where there is none; owned
 *
 * What a run gave.
 */
typedef struct
{
  Picture picture;
  guint8 *result;
} Outcome;

void outcome_clear (Outcome * outcome);

/* An operation that takes the variant with @tuning, or with its defaults where
 * that is NULL. */
OclOperation *subject_create_operation (const Subject * subject,
    OclContext * context, const OclTuning * tuning);

/* A run, for people; free it. Of @picture the size counts. */
gchar *subject_describe (const Subject * subject, const OclFrame * kind,
    gconstpointer params, const Picture * picture);

/* Runs @operation, which was created for @subject, on a frame of that kind with
 * the pixels of @source. The frame that is read must stay as it is, and so must
 * the bytes around pixels. FALSE, and @outcome not set, where the device cannot
 * run the variant, which the plain one must. End with outcome_clear(). */
gboolean subject_run (const Subject * subject, OclOperation * operation,
    const OclFrame * kind, gconstpointer params, const Picture * source,
    Outcome * outcome);

/* To the byte. */
gboolean is_same (const Subject * subject, const Outcome * a,
    const Outcome * b);

/* In what follows @what names what was compared, for people. */

/* To the byte. */
void assert_same (const Subject * subject, const Outcome * actual,
    const Outcome * expected, const gchar * what);

/* Within a level, or for approximations 40 dB, of what the plain variant gave,
 * and with its result. */
void assert_near_plain (const Subject * subject, const Outcome * actual,
    const Outcome * plain, const gchar * what);

/* Like what the float64 reference gives for @source: rounded to nearest, either
 * way near a tie, or for approximations with 40 dB; and with its result. */
void assert_near_reference (const Subject * subject, const Outcome * actual,
    gconstpointer params, const Picture * source, const gchar * what);

G_END_DECLS
