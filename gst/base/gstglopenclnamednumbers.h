/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers with names as a property: a #GstStructure whose fields are
 * numbers. */

#pragma once

#include "gstglopenclnumbers.h"

G_BEGIN_DECLS

/* Sets @numbers to the fields of the structure in @value; NULL has none. Fails
 * with OCL_ERROR_SETTINGS; @numbers does not change then. May be called from
 * any thread. */
gboolean gst_gl_opencl_named_numbers_set (OclNamedNumbers * numbers,
    const GValue * value, GError ** error);

/* Sets @value to a structure with @numbers. May be called from any thread. */
void gst_gl_opencl_named_numbers_get (const OclNamedNumbers * numbers,
    GValue * value);

G_END_DECLS
