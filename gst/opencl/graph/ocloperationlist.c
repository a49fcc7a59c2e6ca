/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperationlist.h"

#include <string.h>

guint
ocl_operation_list_create_id (void)
{
  static gint last = 0;

  return g_atomic_int_add (&last, 1) + 1;
}

void
ocl_operation_list_copy (OclOperationList * self,
    const OclOperationList * source)
{
  if (self->id != source->id) {
    ocl_operation_list_clear (self);
    self->id = source->id;
    self->n = source->n;
    for (guint i = 0; i < self->n; i++) {
      self->items[i].klass = source->items[i].klass;
      self->items[i].params =
          ocl_operation_class_create_params (self->items[i].klass);
    }
  }
  self->exact = source->exact;
  for (guint i = 0; i < self->n; i++) {
    if (source->items[i].params)
      ocl_params_copy (self->items[i].klass->params,
          self->items[i].klass->params_size, self->items[i].params,
          source->items[i].params);
  }
}

void
ocl_operation_list_clear (OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++)
    ocl_params_free (self->items[i].params);
  memset (self, 0, sizeof (*self));
}

gboolean
ocl_operation_list_is_neutral (const OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++) {
    if (!ocl_operation_class_is_neutral (self->items[i].klass,
            self->items[i].params))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_operation_list_check (const OclOperationList * self,
    const OclFormat * format, GError ** error)
{
  for (guint i = 0; i < self->n; i++) {
    const OclOperation *operation = &self->items[i];

    if (ocl_operation_class_check (operation->klass, operation->params, format,
            error))
      continue;
    if (self->n > 1)
      g_prefix_error (error, "Operation %u, %s: ", i + 1,
          operation->klass->name);
    return FALSE;
  }
  return TRUE;
}

OclNeighbours
ocl_operation_list_get_neighbours (const OclOperationList * self)
{
  const OclNeighbours none = { 0, 0 };
  const OclOperation *first = &self->items[0];

  if (self->n == 0
      || ocl_operation_class_is_neutral (first->klass, first->params))
    return none;
  return ocl_operation_class_get_neighbours (first->klass, first->params);
}

gint
ocl_operation_list_find_report (const OclOperationList * self)
{
  for (guint i = 0; i < self->n; i++) {
    if (self->items[i].klass->report)
      return i;
  }
  return -1;
}

gboolean
ocl_operation_list_has_same_texts (const OclOperationList * a,
    const OclOperationList * b)
{
  if (a->id != b->id)
    return FALSE;
  for (guint i = 0; i < a->n; i++) {
    if (a->items[i].klass->flags & OCL_OPERATION_IS_TEXT
        && !ocl_operation_class_decide_alike (a->items[i].klass,
            a->items[i].params, b->items[i].params))
      return FALSE;
  }
  return TRUE;
}
