/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates GObject properties from a table of parameters, and converts their
 * values. A matrix is an array of rows, and each row is an array of numbers. A
 * list is an array of numbers, and numbers with names are a structure whose
 * fields are numbers. Numbers may be integers, fractions and floating-point
 * numbers, in any mixture.
 *
 * Unless noted otherwise, the functions may be called from any thread. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Name of a structure whose fields change or add numbers with names, without a
 * race between reading and setting the property. A structure with any other
 * name replaces all numbers. */
#define GST_GL_OPENCL_NAMED_NUMBERS_CHANGE "glopencl-change"

/* Returns the GType of an enumeration or, if they @are_flags, of flags with
 * @values. The first call for @values registers the type. Must be called from
 * class_init. */
GType gst_gl_opencl_properties_get_type (const OclValues * values,
    gboolean are_flags);

/* Installs a property for every entry of @table, with ids from @first_id on.
 * @table may be NULL. Must be called from class_init. */
void gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table);

/* Copy the value of one parameter to and from the struct @params. @object has
 * the property. The caller holds the lock that protects @params. Setting a
 * literal may fail with OCL_ERROR_SETTINGS, without setting anything. */
gboolean gst_gl_opencl_properties_set (const OclParam * param,
    gpointer params, gpointer object, const GValue * value, GError ** error);
void gst_gl_opencl_properties_get (const OclParam * param,
    gconstpointer params, GValue * value);

/* Returns the names of the properties that the class of @object itself
 * installed. The caller frees the list. */
gchar **gst_gl_opencl_properties_list_own (GObject * object);

/* Wraps GStreamer's functions in @interface, to store the object that a preset
 * is being loaded for. */
void gst_gl_opencl_properties_init_preset (GstPresetInterface * interface);

/* Returns the text in @value, a new value of a property of @object, without the
 * double escaping of presets: GStreamer escapes a text twice when it saves a
 * preset, and unescapes it once when it loads the preset. The caller frees the
 * text, which may be NULL. */
gchar *gst_gl_opencl_properties_get_text (gpointer object,
    const GValue * value);

G_END_DECLS
