/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GObject properties made of a table of parameters. */

#pragma once

#include <gst/gst.h>

#include "opencl/params/oclparam.h"

G_BEGIN_DECLS

/* The type that stands for @values of an enumeration; registered when it is
 * first asked for. From class_init only. */
GType gst_gl_opencl_properties_get_enum_type (const OclValues * values);

/* Installs a property for every entry of @table (which may be NULL), with ids
 * from @first_id on. From class_init only. */
void gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table);

/* Copy the value of one parameter to and from the struct @params. The caller
 * holds the lock that guards it. Setting a matrix or a file may fail, with
 * OCL_ERROR_SETTINGS; @params are not to be used then. */
gboolean gst_gl_opencl_properties_set (const OclParam * param,
    gpointer params, const GValue * value, GError ** error);
void gst_gl_opencl_properties_get (const OclParam * param,
    gconstpointer params, GValue * value);

G_END_DECLS
