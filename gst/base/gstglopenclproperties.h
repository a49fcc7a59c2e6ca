/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes GObject properties from a table of parameters, and converts their
 * values. A matrix is an array of rows, and each row is an array of numbers. A
 * list is an array of numbers, and numbers with names are a structure whose
 * fields are numbers. Numbers may be integers, fractions and floating-point
 * numbers, in any mixture.
 *
 * The functions may be called from any thread, unless a function says
 * otherwise. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* The name of a structure whose fields change numbers with names, or are added
 * to them. A structure with any other name replaces all numbers. A thread that
 * would read the property, change it and set it could lose what another thread
 * sets meanwhile. */
#define GST_GL_OPENCL_NAMED_NUMBERS_CHANGE "glopencl-change"

/* Returns the GType of an enumeration or, if they @are_flags, of flags with
 * @values. The first call for @values registers the type. Call it only from
 * class_init. */
GType gst_gl_opencl_properties_get_type (const OclValues * values,
    gboolean are_flags);

/* Installs a property for every entry of @table, with ids from @first_id on.
 * @table may be NULL. Call it only from class_init. */
void gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table);

/* These functions copy the value of one parameter to and from the struct
 * @params. @object has the property. The caller holds the lock that protects
 * @params. Setting a literal may fail with OCL_ERROR_SETTINGS, and sets
 * nothing then. */
gboolean gst_gl_opencl_properties_set (const OclParam * param,
    gpointer params, gpointer object, const GValue * value, GError ** error);
void gst_gl_opencl_properties_get (const OclParam * param,
    gconstpointer params, GValue * value);

/* Returns the names of the properties that the class of @object itself has
 * installed. The caller frees the list. */
gchar **gst_gl_opencl_properties_list_own (GObject * object);

/* Makes @interface, which has GStreamer's functions, remember which object it
 * loads a preset for. */
void gst_gl_opencl_properties_init_preset (GstPresetInterface * interface);

/* Returns the text in @value, which a property of @object is set to, as it was
 * before a preset was saved: GStreamer escapes a text twice when it saves a
 * preset, and unescapes it once when it loads the preset. The caller frees the
 * text, which may be NULL. */
gchar *gst_gl_opencl_properties_get_text (gpointer object,
    const GValue * value);

G_END_DECLS
