/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Command-line options for the parameters of operations. Each option takes a
 * list of values; all combinations of the values are run. Main thread only. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

typedef struct _ParamLists ParamLists;

/* Creates a list for every parameter of all operations or, if @swept_only, only
 * for the parameters whose table has values to sweep over. Parameters of
 * several operations with one name share one list. */
ParamLists *param_lists_new (gboolean swept_only);
void param_lists_free (ParamLists * lists);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ParamLists, param_lists_free)

/* Adds an option for each list to @entries (of GOptionEntry). */
void param_lists_add_options (ParamLists * lists, GArray * entries);

/* Returns whether each option that was given is a parameter of at least one of
 * @classes (of OclOperationClass), and its values are legal for all @classes
 * that have this parameter. Returns FALSE after a complaint. */
gboolean param_lists_check (const ParamLists * lists, GPtrArray * classes);

/* Returns the parameters (OclParam) that have a list for any of @classes. */
GPtrArray *param_lists_get_listed (const ParamLists * lists,
    GPtrArray * classes);

/* Returns the parameters of @klass for all combinations of the lists; the array
 * owns them. The lists are the ones given on the command line or, if none was
 * given for any parameter of @klass, the ones in its table. Parameters without
 * a list have their defaults. */
GPtrArray *param_lists_combine (const ParamLists * lists,
    const OclOperationClass * klass);

/* Describes the legal values of @param, such as "an integer from 1 to 3". The
 * caller frees the text. */
gchar *param_describe_values (const OclParam * param);

G_END_DECLS
