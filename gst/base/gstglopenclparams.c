/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclparams.h"

#include "gstglopenclerror.h"
#include "gstglopenclproperties.h"

static guint
count_params (const OclOperationClass * operation)
{
  guint n = 0;

  while (operation->params && operation->params[n].name)
    n++;
  return n;
}

/* Returns the settings that elements of @operation have beside its parameters,
 * or NULL. */
static const OclParam *
get_settings (const OclOperationClass * operation)
{
  if (operation->flags & OCL_OPERATION_IS_TEXT)
    return gst_gl_opencl_watch_params;
  return operation->report ? operation->report->params : NULL;
}

/* Returns the setting at @index, or NULL if it is a parameter of the
 * operation. */
static const OclParam *
find_setting (const OclOperationClass * operation, guint index)
{
  const guint n = count_params (operation);

  return index < n ? NULL : &get_settings (operation)[index - n];
}

/* Returns the struct that has the settings. */
static gpointer
get_values_of_settings (GstGLOpenCLParams * self)
{
  return self->operation->flags & OCL_OPERATION_IS_TEXT
      ? (gpointer) & self->watch : &self->report;
}

void
gst_gl_opencl_params_install (GObjectClass * klass, guint first_id,
    const OclOperationClass * operation)
{
  gst_gl_opencl_properties_install (klass, first_id, operation->params);
  gst_gl_opencl_properties_install (klass,
      first_id + count_params (operation), get_settings (operation));
}

gchar **
gst_gl_opencl_params_list_names (const OclOperationClass * operation)
{
  const guint n = count_params (operation);
  gchar **names = g_new0 (gchar *, n + 1);
  guint n_names = 0;

  for (guint i = 0; i < n; i++) {
    if (!operation->params[i].sets)
      names[n_names++] = g_strdup (operation->params[i].name);
  }
  return names;
}

void
gst_gl_opencl_params_init (GstGLOpenCLParams * self, GObject * object,
    GstElement * element, const OclOperationClass * operation)
{
  self->object = object;
  self->element = element;
  self->operation = operation;
  self->values = ocl_operation_class_create_params (operation);
  if (operation->report)
    ocl_params_init (operation->report->params, &self->report);
  ocl_params_init (gst_gl_opencl_watch_params, &self->watch);
  self->format = NULL;
  self->started = FALSE;
  self->refused = g_new0 (GError *, count_params (operation) + 1);
  g_mutex_init (&self->setting);
}

void
gst_gl_opencl_params_clear (GstGLOpenCLParams * self)
{
  for (guint i = 0; i < count_params (self->operation); i++)
    g_clear_error (&self->refused[i]);
  g_clear_pointer (&self->refused, g_free);
  g_mutex_clear (&self->setting);
  ocl_literal_take (&self->watch.file, NULL);
  g_clear_pointer (&self->values, ocl_params_free);
}

/* Notifies of the other parameters that changed when parameter @index was
 * set. */
static void
notify_others (GstGLOpenCLParams * self, gconstpointer before,
    gconstpointer after, guint index)
{
  const OclParam *params = self->operation->params;

  for (guint i = 0; params[i].name; i++) {
    if (i != index && !ocl_param_equals (&params[i], before, after))
      g_object_notify (self->object, params[i].name);
  }
}

/* Returns whether setting @param sets @other as well: they are one parameter,
 * or one of them is the file of the other. */
static gboolean
is_set_with (const OclParam * param, const OclParam * other)
{
  return param == other || g_strcmp0 (param->sets, other->name) == 0
      || g_strcmp0 (other->sets, param->name) == 0;
}

/* Remembers that parameter @index has been set, or that it could not be set
 * because of @error. The caller holds the object lock. */
static void
gst_gl_opencl_params_remember (GstGLOpenCLParams * self, guint index,
    const GError * error)
{
  const OclParam *params = self->operation->params;

  for (guint i = 0; params[i].name && !error; i++) {
    if (is_set_with (&params[index], &params[i]))
      g_clear_error (&self->refused[i]);
  }
  if (error && !self->started) {
    g_clear_error (&self->refused[index]);
    self->refused[index] = g_error_copy (error);
  }
}

/* Returns whether frames can be computed with the parameters @changed. The
 * caller holds the object lock. */
static gboolean
gst_gl_opencl_params_check (GstGLOpenCLParams * self, gconstpointer changed,
    GError ** error)
{
  if (self->follows && ocl_operation_class_get_neighbours (self->operation,
          changed).n_later > 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "Only the first operation of a chain can read later frames: %s cannot.",
        GST_OBJECT_NAME (self->object));
    return FALSE;
  }
  return !self->format || ocl_operation_class_check (self->operation, changed,
      self->format, error);
}

/* Stores the parameters @changed, unless @error is set or the frames that flow
 * cannot be computed with these parameters. Another thread sees either all
 * changes or none. */
static void
gst_gl_opencl_params_take (GstGLOpenCLParams * self, guint index,
    gconstpointer changed, GError ** error)
{
  GST_OBJECT_LOCK (self->element);
  if (!*error && gst_gl_opencl_params_check (self, changed, error))
    ocl_params_copy (self->operation->params, self->operation->params_size,
        self->values, changed);
  gst_gl_opencl_params_remember (self, index, *error);
  GST_OBJECT_UNLOCK (self->element);
}

static void
gst_gl_opencl_params_set_param (GstGLOpenCLParams * self, guint index,
    const GValue * value)
{
  const OclParam *param = &self->operation->params[index];
  g_autoptr (GError) error = NULL;

  g_mutex_lock (&self->setting);
  /* Only setters write to @values, and only one setter runs at a time. */
  g_autoptr (OclParams) before =
      ocl_operation_class_copy_params (self->operation, self->values);
  g_autoptr (OclParams) changed =
      ocl_operation_class_copy_params (self->operation, before);
  if (gst_gl_opencl_properties_set (param, changed, self->object, value,
          &error))
    ocl_operation_class_changed (self->operation, changed, param, &error);
  gst_gl_opencl_params_take (self, index, changed, &error);
  g_mutex_unlock (&self->setting);

  if (!error && self->operation->changed)
    notify_others (self, before, changed, index);
  if (error)
    gst_gl_opencl_error_warn (self->element, error);
}

void
gst_gl_opencl_params_set (GstGLOpenCLParams * self, guint index,
    const GValue * value)
{
  const OclParam *setting = find_setting (self->operation, index);

  if (!setting) {
    gst_gl_opencl_params_set_param (self, index, value);
    return;
  }
  GST_OBJECT_LOCK (self->element);
  gst_gl_opencl_properties_set (setting, get_values_of_settings (self),
      self->object, value, NULL);
  GST_OBJECT_UNLOCK (self->element);
}

/* Returns the index of the parameter that is the name of a file with a text. */
static guint
find_file (const OclOperationClass * operation)
{
  guint n = 0;

  while (operation->params[n].type != OCL_PARAM_FILE)
    n++;
  return n;
}

/* Warns that the file is not there. */
static void
warn_of_loss (GstGLOpenCLParams * self, const OclLiteral * file)
{
  g_autofree gchar *name = g_filename_display_name (file->text);
  g_autoptr (GError) error = g_error_new (OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s is not there any more; what was read from it stays in use.", name);

  gst_gl_opencl_error_warn (self->element, error);
}

void
gst_gl_opencl_params_look (GstGLOpenCLParams * self)
{
  g_autoptr (OclLiteral) file = NULL;
  guint index;

  if (!(self->operation->flags & OCL_OPERATION_IS_TEXT))
    return;
  index = find_file (self->operation);
  GST_OBJECT_LOCK (self->element);
  if (self->watch.watch)
    file =
        ocl_literal_ref (ocl_param_get_literal (&self->operation->params[index],
            self->values));
  GST_OBJECT_UNLOCK (self->element);
  if (!file)
    return;
  switch (gst_gl_opencl_watch_look (&self->watch, file)) {
    case GST_GL_OPENCL_WATCH_CHANGED:{
      GValue value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_STRING);
      g_value_set_string (&value, file->text);
      gst_gl_opencl_params_set_param (self, index, &value);
      g_value_unset (&value);
      break;
    }
    case GST_GL_OPENCL_WATCH_LOST:
      warn_of_loss (self, file);
      break;
    case GST_GL_OPENCL_WATCH_SAME:
      break;
  }
}

gboolean
gst_gl_opencl_params_start (GstGLOpenCLParams * self, GError ** error)
{
  const GError *refused = NULL;

  for (guint i = 0; i < count_params (self->operation) && !refused; i++)
    refused = self->refused[i];
  self->started = refused == NULL;
  if (refused)
    g_propagate_error (error, g_error_copy (refused));
  return refused == NULL;
}

void
gst_gl_opencl_params_get (GstGLOpenCLParams * self, guint index, GValue * value)
{
  const OclParam *setting = find_setting (self->operation, index);

  GST_OBJECT_LOCK (self->element);
  if (setting)
    gst_gl_opencl_properties_get (setting, get_values_of_settings (self),
        value);
  else
    gst_gl_opencl_properties_get (&self->operation->params[index],
        self->values, value);
  GST_OBJECT_UNLOCK (self->element);
}
