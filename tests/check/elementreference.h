/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares frames of elements with the float64 references of operations, from the
 * thread of the test. */

#pragma once

#include "elementharness.h"
#include "references.h"

G_BEGIN_DECLS

/* Returns whether the pad templates of glopenclfilter have a format. */
gboolean element_takes (const gchar * format);

/* Returns a copy of a frame of the selected caps. */
Picture harness_get_picture (const Harness * self, GstBuffer * frame);

/* Returns the parameters for settings as in a launch line, "name=value" with
 * spaces between them. Properties that are no parameters are left out. */
gpointer params_new (const OclOperationClass * klass, const gchar * settings);

/* Filters an RGBA frame, taking its reference, and asserts that the output is
 * that of the reference. @what is the text for a failure. */
void harness_check_frame (Harness * self, GstBuffer * frame,
    const OclOperationClass * klass, gconstpointer params, const gchar * what);

G_END_DECLS
