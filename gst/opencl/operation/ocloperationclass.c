/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperationclass.h"

const OclVariant *
ocl_operation_class_find_variant (const OclOperationClass * klass,
    const gchar * name)
{
  for (guint i = 0; klass->variants[i]; i++) {
    if (g_str_equal (klass->variants[i]->name, name))
      return klass->variants[i];
  }
  return NULL;
}

gboolean
ocl_operation_class_changed (const OclOperationClass * klass, gpointer params,
    const OclParam * param, GError ** error)
{
  return !klass->changed || klass->changed (params, param, error);
}

gboolean
ocl_operation_class_parse (const OclOperationClass * klass,
    const OclParam * param, const gchar * text, gpointer params)
{
  g_autoptr (OclParams) changed =
      ocl_operation_class_copy_params (klass, params);

  if (!ocl_param_parse (param, text, changed)
      || !ocl_operation_class_changed (klass, changed, param, NULL))
    return FALSE;
  ocl_params_copy (klass->params, klass->params_size, params, changed);
  return TRUE;
}

gboolean
ocl_operation_class_filters (const OclOperationClass * self)
{
  return (self->flags & OCL_OPERATION_FILTERS) == OCL_OPERATION_FILTERS;
}

gboolean
ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params)
{
  return klass->is_neutral && klass->is_neutral (params);
}

gboolean
ocl_operation_class_check (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format, GError ** error)
{
  return !klass->check || klass->check (params, format, error);
}

gboolean
ocl_operation_class_takes_wide (const OclOperationClass * klass,
    gconstpointer params)
{
  return !klass->takes_wide || klass->takes_wide (params);
}

guint
ocl_operation_class_get_passes (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  guint planes = OCL_PLANES_ALL;

  if (klass->get_passes)
    return klass->get_passes (params, format, passes);
  for (const OclParam * param = klass->params; param && param->name; param++) {
    if (param->values == &ocl_planes_values)
      planes = ocl_param_get_integer (param, params);
  }
  return ocl_passes_init (passes, format, planes, FALSE);
}

OclNeighbours
ocl_operation_class_get_neighbours (const OclOperationClass * self,
    gconstpointer params)
{
  const OclNeighbours none = { 0, 0 };

  return self->get_neighbours ? self->get_neighbours (params) : none;
}

guint
ocl_operation_class_get_lead (const OclOperationClass * self,
    gconstpointer params)
{
  return self->get_lead ? self->get_lead (params)
      : ocl_operation_class_get_neighbours (self, params).n_earlier;
}

gboolean
ocl_operation_class_keeps_frames (const OclOperationClass * self,
    gconstpointer params)
{
  const OclNeighbours neighbours =
      ocl_operation_class_get_neighbours (self, params);

  return neighbours.n_earlier + neighbours.n_later > 0
      || (self->get_neighbours && self->needs);
}

gsize
ocl_operation_class_get_result_size (const OclOperationClass * klass,
    const OclFrameInfo * info)
{
  return klass->get_result_size ? klass->get_result_size (info)
      : klass->result_size;
}

OclParams *
ocl_operation_class_create_params (const OclOperationClass * klass)
{
  return ocl_params_new (klass->params, klass->params_size);
}

OclParams *
ocl_operation_class_copy_params (const OclOperationClass * klass,
    gconstpointer params)
{
  OclParams *copy = ocl_operation_class_create_params (klass);

  if (copy && params)
    ocl_params_copy (klass->params, klass->params_size, copy, params);
  return copy;
}

OclParams *
ocl_need_create_params (const OclNeed * need, gconstpointer params)
{
  OclParams *needed = ocl_operation_class_create_params (need->klass);

  need->set_params (needed, params);
  return needed;
}

OclLiteral *
ocl_operation_class_get_text (const OclOperationClass * klass,
    gconstpointer params)
{
  for (const OclParam * param = klass->params;
      klass->flags & OCL_OPERATION_IS_TEXT && param->name; param++) {
    if (param->type == OCL_PARAM_TEXT)
      return G_STRUCT_MEMBER (OclLiteral *, params, param->offset);
  }
  return NULL;
}

gboolean
ocl_operation_class_get_warm_up (const OclOperationClass * klass, guint n,
    gpointer params)
{
  return klass->get_warm_up ? klass->get_warm_up (n, params) : n == 0;
}

OclDatabaseKey
ocl_operation_class_get_database_key (const OclOperationClass * klass,
    const OclVariant * variant, guint form, const OclFrameInfo * info,
    const OclPass * pass, gconstpointer params)
{
  const OclDatabaseKey key = {
    .operation = klass->name,.variant = variant->name,.form = form,
    .format = info->format->name,
    .storage = ocl_storage_names[info->storage],
    .channel = pass->first_channel,
    .width = info->width,.height = info->height,
    .reach = klass->get_reach ? klass->get_reach (params) : 0,
    .source = variant->source,
  };

  return key;
}

gboolean
ocl_operation_class_decide_alike (const OclOperationClass * klass,
    gconstpointer a, gconstpointer b)
{
  gboolean is_marked = FALSE;

  for (const OclParam * param = klass->params; param && param->name; param++) {
    is_marked |= param->decides;
    if (param->decides && !ocl_param_equals (param, a, b))
      return FALSE;
  }
  return is_marked || ocl_params_equal (klass->params, klass->params_size, a,
      b);
}

gpointer
ocl_operation_class_derive (const OclOperationClass * klass,
    gconstpointer params, const OclPass * pass)
{
  if (klass->derived_size == 0)
    return NULL;

  gpointer derived = g_malloc0 (klass->derived_size);
  klass->derive (derived, params, pass);
  return derived;
}
