/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts numbers to and from GStreamer arrays: a few numbers as a property,
 * and the numbers of a matrix. All functions may be called from any thread. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Sets @numbers, the value of the parameter @param, from @value, a
 * GstValueArray. On failure sets @error to OCL_ERROR_SETTINGS and leaves
 * @numbers unchanged. */
gboolean gst_gl_opencl_numbers_set (OclNumbers * numbers,
    const OclParam * param, const GValue * value, GError ** error);

/* Adds @numbers to @value, an empty GstValueArray. */
void gst_gl_opencl_numbers_get (const OclNumbers * numbers, GValue * value);

/* Sets @number to the number that @value holds. Returns FALSE if @value holds
 * no number. */
gboolean gst_gl_opencl_numbers_get_number (const GValue * value,
    gdouble * number);

/* Returns the content of @value as text, for messages. The caller frees the
 * text. */
gchar *gst_gl_opencl_numbers_describe (const GValue * value);

/* Adds @number to @array, a GstValueArray. */
void gst_gl_opencl_numbers_append (GValue * array, gdouble number);

G_END_DECLS
