/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes GObject properties from a table of parameters. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* Returns the GType of an enumeration with @values. The first call for @values
 * registers the type. Call it only from class_init. */
GType gst_gl_opencl_properties_get_enum_type (const OclValues * values);

/* Installs a property for every entry of @table, with ids from @first_id on.
 * @table may be NULL. Call it only from class_init. */
void gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table);

/* These functions copy the value of one parameter to and from the struct
 * @params. The caller holds the lock that protects @params. Setting a matrix or
 * a file may fail with OCL_ERROR_SETTINGS; then @params must not be used. */
gboolean gst_gl_opencl_properties_set (const OclParam * param,
    gpointer params, const GValue * value, GError ** error);
void gst_gl_opencl_properties_get (const OclParam * param,
    gconstpointer params, GValue * value);

/* Returns the names of the properties that the class of @object itself has
 * installed. The caller frees the list. */
gchar **gst_gl_opencl_properties_list_own (GObject * object);

G_END_DECLS
