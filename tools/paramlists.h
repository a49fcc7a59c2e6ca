/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options made of operations' parameters: a list of values for each, and all
 * combinations of them. The main thread only. */

#pragma once

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

typedef struct _ParamLists ParamLists;

/* For every parameter of all operations, or, where @swept_only, for those whose
 * table has values to sweep over. Parameters of one name are one. */
ParamLists *param_lists_new (gboolean swept_only);
void param_lists_free (ParamLists * lists);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ParamLists, param_lists_free)

/* Adds an option for each to @entries (of GOptionEntry). */
void param_lists_add_options (ParamLists * lists, GArray * entries);

/* Whether what was given is legal for all of @classes (of OclOperationClass)
 * that have it, and one has. FALSE after a complaint. */
gboolean param_lists_check (const ParamLists * lists, GPtrArray * classes);

/* The parameters (OclParam) that have a list for any of @classes. */
GPtrArray *param_lists_get_listed (const ParamLists * lists,
    GPtrArray * classes);

/* Parameters of @klass, owned by the array, for all combinations of their
 * lists: of what was given or, where nothing was given that @klass has, of its
 * table's. What has no list is at its default. */
GPtrArray *param_lists_combine (const ParamLists * lists,
    const OclOperationClass * klass);

/* What values @param may have, in words, such as "an integer from 1 to 3"; free
 * it. */
gchar *param_describe_values (const OclParam * param);

G_END_DECLS
