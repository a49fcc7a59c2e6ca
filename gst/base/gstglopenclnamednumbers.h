/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers with names as a property: a #GstStructure whose fields are
 * numbers. */

#pragma once

#include "gstglopenclnumbers.h"

G_BEGIN_DECLS

/* The name of a structure whose fields change numbers, or are added to them. A
 * structure with any other name replaces all numbers. A thread that would read
 * the property, change it and set it could lose what another thread sets
 * meanwhile. */
#define GST_GL_OPENCL_NAMED_NUMBERS_CHANGE "glopencl-change"

/* Sets @numbers to the fields of the structure in @value, or changes them; NULL
 * has none. Fails with OCL_ERROR_SETTINGS; @numbers does not change then. The
 * caller holds the lock that protects @numbers. */
gboolean gst_gl_opencl_named_numbers_set (OclNamedNumbers * numbers,
    const GValue * value, GError ** error);

/* Sets @value to a structure with @numbers. May be called from any thread. */
void gst_gl_opencl_named_numbers_get (const OclNamedNumbers * numbers,
    GValue * value);

G_END_DECLS
