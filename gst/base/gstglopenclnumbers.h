/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers in arrays of GStreamer: a few of them as a property, and what a
 * matrix needs as well. Any thread. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Sets @numbers, of the parameter @param, to what @value, a GstValueArray,
 * holds. OCL_ERROR_SETTINGS, and @numbers as it was. */
gboolean gst_gl_opencl_numbers_set (OclNumbers * numbers,
    const OclParam * param, const GValue * value, GError ** error);

/* Adds the numbers to @value, an empty GstValueArray. */
void gst_gl_opencl_numbers_get (const OclNumbers * numbers, GValue * value);

/* Sets @number to what @value holds; FALSE where that is none. */
gboolean gst_gl_opencl_numbers_get_number (const GValue * value,
    gdouble * number);

/* What @value holds, for messages; free it. */
gchar *gst_gl_opencl_numbers_describe (const GValue * value);

/* Adds @number to @array, a GstValueArray. */
void gst_gl_opencl_numbers_append (GValue * array, gdouble number);

G_END_DECLS
