/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclparams.h"

#include "gstglopenclerror.h"
#include "gstglopenclproperties.h"

/* Maximum number of attempts to set a value without the lock. */
#define MAX_TRIES 3

static guint
count_params (const OclOperationClass * operation)
{
  guint n = 0;

  while (operation->params && operation->params[n].name)
    n++;
  return n;
}

/* Returns the settings of elements of @operation besides its parameters, or
 * NULL. */
static const OclParam *
get_settings (const OclOperationClass * operation)
{
  if (operation->flags & OCL_OPERATION_IS_TEXT)
    return gst_gl_opencl_watch_params;
  return operation->report ? operation->report->params : NULL;
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

static void
clear_items (GstGLOpenCLParams * self)
{
  for (guint i = 0; i < self->links.n; i++) {
    GstGLOpenCLItem *item = &self->items[i];

    for (guint n = 0; n < count_params (self->links.items[i].klass); n++)
      g_clear_error (&item->refused[n]);
    g_clear_pointer (&item->refused, g_free);
    ocl_literal_take (&item->watch.file, NULL);
  }
}

void
gst_gl_opencl_params_clear (GstGLOpenCLParams * self)
{
  clear_items (self);
  ocl_links_clear (&self->links);
  g_clear_pointer (&self->objects, g_ptr_array_unref);
  g_clear_error (&self->refused);
}

gboolean
gst_gl_opencl_params_use (GstGLOpenCLParams * self, OclLinks * links,
    GPtrArray ** objects, GError ** error)
{
  OclLinks before = *links;
  GPtrArray *objects_before = *objects;
  gboolean ok;

  GST_OBJECT_LOCK (self->element);
  ok = !self->format || ocl_links_check (links, self->format, error);
  if (ok) {
    clear_items (self);
    g_clear_error (&self->refused);
    before = self->links;
    objects_before = self->objects;
    self->links = *links;
    self->links.exact = before.exact;
    self->objects = *objects;
    self->serial++;
    for (guint i = 0; i < links->n; i++) {
      const OclOperationClass *klass = links->items[i].klass;
      GstGLOpenCLItem item = {
        .refused = g_new0 (GError *, count_params (klass) + 1)
      };

      if (klass->report)
        ocl_params_init (klass->report->params, &item.report);
      ocl_params_init (gst_gl_opencl_watch_params, &item.watch);
      self->items[i] = item;
    }
  }
  GST_OBJECT_UNLOCK (self->element);
  ocl_links_clear (&before);
  *objects = objects_before;
  return ok;
}

void
gst_gl_opencl_params_refuse (GstGLOpenCLParams * self, const GError * error)
{
  GST_OBJECT_LOCK (self->element);
  if (!self->started) {
    g_clear_error (&self->refused);
    self->refused = g_error_copy (error);
  }
  GST_OBJECT_UNLOCK (self->element);
  gst_gl_opencl_error_warn (self->element, error);
}

GPtrArray *
gst_gl_opencl_params_get_objects (GstGLOpenCLParams * self)
{
  GST_OBJECT_LOCK (self->element);
  GPtrArray *objects = g_ptr_array_ref (self->objects);
  GST_OBJECT_UNLOCK (self->element);
  return objects;
}

/* Returns the index of the operation of @object, or -1. The caller holds the
 * object lock. */
static gint
gst_gl_opencl_params_find (const GstGLOpenCLParams * self, GObject * object)
{
  for (guint i = 0; i < self->links.n; i++) {
    if (self->objects->pdata[i] == object)
      return i;
  }
  return -1;
}

/* Returns the struct that has the property @index of the operation at @place,
 * and sets @param to its entry. The caller holds the object lock. */
static gpointer
gst_gl_opencl_params_find_struct (GstGLOpenCLParams * self, gint place,
    guint index, const OclParam ** param)
{
  const OclLink *link = &self->links.items[place];
  const guint n = count_params (link->klass);

  *param = index < n ? &link->klass->params[index]
      : &get_settings (link->klass)[index - n];
  if (index < n)
    return link->params;
  return link->klass->flags & OCL_OPERATION_IS_TEXT
      ? (gpointer) & self->items[place].watch : &self->items[place].report;
}

/* Stores @error, with which parameter @index was rejected, or clears it if it
 * was set. A parameter and its file are set together. */
static void
item_remember (GstGLOpenCLItem * self, const OclParam * params, guint index,
    const GError * error, gboolean started)
{
  const OclParam *param = &params[index];

  for (guint i = 0; params[i].name && !error; i++) {
    if (i == index || g_strcmp0 (param->sets, params[i].name) == 0
        || g_strcmp0 (params[i].sets, param->name) == 0)
      g_clear_error (&self->refused[i]);
  }
  if (error && !started) {
    g_clear_error (&self->refused[index]);
    self->refused[index] = g_error_copy (error);
  }
}

/* Returns whether the parameters @changed at @place can be used for the current
 * frames. The caller holds the object lock. */
static gboolean
gst_gl_opencl_params_check (GstGLOpenCLParams * self, gint place,
    gconstpointer changed, GError ** error)
{
  const OclOperationClass *klass = self->links.items[place].klass;

  if (place > 0
      && ocl_operation_class_get_neighbours (klass, changed).n_later > 0)
    return ocl_fail (error, "Only the first operation of a chain can read "
        "later frames: %s cannot.",
        GST_OBJECT_NAME (self->objects->pdata[place]));
  return !self->format || ocl_operation_class_check (klass, changed,
      self->format, error);
}

/* Reading a file takes time. So the value is set in a copy without the lock,
 * and again if other values were set meanwhile. Other threads see either all
 * changes or none. */
void
gst_gl_opencl_params_set (GstGLOpenCLParams * self, GObject * object,
    guint index, const GValue * value)
{
  const OclOperationClass *klass = NULL;
  g_autoptr (OclParams) before = NULL;
  g_autoptr (OclParams) changed = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = FALSE;

  for (guint n = 0; !done; n++) {
    /* Reading a file may take longer than the interval of a controller. */
    const gboolean is_patient = n < MAX_TRIES;
    const OclParam *param = NULL;

    GST_OBJECT_LOCK (self->element);
    const guint serial = self->serial;
    const gint place = gst_gl_opencl_params_find (self, object);
    gpointer params = place < 0 ? NULL
        : gst_gl_opencl_params_find_struct (self, place, index, &param);
    const gboolean is_setting = params
        && params != self->links.items[place].params;
    g_clear_pointer (&before, ocl_params_free);
    g_clear_pointer (&changed, ocl_params_free);
    if (is_setting) {
      gst_gl_opencl_properties_set (param, params, object, value, NULL);
    } else if (params) {
      klass = self->links.items[place].klass;
      before = ocl_operation_class_copy_params (klass, params);
      changed = ocl_operation_class_copy_params (klass, params);
    }
    if (is_patient || !changed)
      GST_OBJECT_UNLOCK (self->element);
    if (!changed)
      return;

    g_clear_error (&error);
    if (gst_gl_opencl_properties_set (param, changed, object, value, &error))
      ocl_operation_class_changed (klass, changed, param, &error);
    if (is_patient)
      GST_OBJECT_LOCK (self->element);
    done = self->serial == serial;
    if (done) {
      if (!error && gst_gl_opencl_params_check (self, place, changed, &error)) {
        ocl_params_copy (klass->params, klass->params_size, params, changed);
        self->serial++;
      }
      item_remember (&self->items[place], klass->params, index, error,
          self->started);
    }
    GST_OBJECT_UNLOCK (self->element);
  }

  for (guint i = 0; !error && klass->changed && klass->params[i].name; i++) {
    if (i != index && !ocl_param_equals (&klass->params[i], before, changed))
      g_object_notify (object, klass->params[i].name);
  }
  if (error)
    gst_gl_opencl_error_warn (self->element, error);
}

void
gst_gl_opencl_params_get (GstGLOpenCLParams * self, GObject * object,
    guint index, GValue * value)
{
  const OclParam *param;

  GST_OBJECT_LOCK (self->element);
  const gint place = gst_gl_opencl_params_find (self, object);
  if (place >= 0) {
    gconstpointer params =
        gst_gl_opencl_params_find_struct (self, place, index, &param);

    gst_gl_opencl_properties_get (param, params, value);
  }
  GST_OBJECT_UNLOCK (self->element);
}

gboolean
gst_gl_opencl_params_get_text (GstGLOpenCLParams * self, GObject * object,
    OclLiteral ** text)
{
  GST_OBJECT_LOCK (self->element);
  const gint place = gst_gl_opencl_params_find (self, object);
  if (place >= 0)
    *text =
        ocl_literal_ref (ocl_operation_class_get_text (self->links.
            items[place].klass, self->links.items[place].params));
  GST_OBJECT_UNLOCK (self->element);
  return place >= 0;
}

gboolean
gst_gl_opencl_params_start (GstGLOpenCLParams * self, GError ** error)
{
  GST_OBJECT_LOCK (self->element);
  const GError *refused = self->refused;
  for (guint i = 0; i < self->links.n; i++) {
    for (guint n = 0; n < count_params (self->links.items[i].klass)
        && !refused; n++)
      refused = self->items[i].refused[n];
  }
  self->started = refused == NULL;
  if (refused)
    g_propagate_error (error, g_error_copy (refused));
  GST_OBJECT_UNLOCK (self->element);
  return refused == NULL;
}

void
gst_gl_opencl_params_stop (GstGLOpenCLParams * self)
{
  GST_OBJECT_LOCK (self->element);
  self->started = FALSE;
  self->format = NULL;
  GST_OBJECT_UNLOCK (self->element);
}

void
gst_gl_opencl_params_set_format (GstGLOpenCLParams * self,
    const OclFormat * format)
{
  GST_OBJECT_LOCK (self->element);
  self->format = format;
  GST_OBJECT_UNLOCK (self->element);
}

/* Reloads the text of the operation of @object if its file has changed. Polls
 * the file without the lock. */
static void
gst_gl_opencl_params_look_at (GstGLOpenCLParams * self, GObject * object)
{
  g_autoptr (OclLiteral) file = NULL;
  GstGLOpenCLWatch watch = { 0, };
  GstGLOpenCLWatchResult result;
  guint index = 0;

  GST_OBJECT_LOCK (self->element);
  gint place = gst_gl_opencl_params_find (self, object);
  if (place >= 0 && self->items[place].watch.watch) {
    const OclLink *link = &self->links.items[place];

    while (link->klass->params[index].type != OCL_PARAM_FILE)
      index++;
    file = ocl_literal_ref (ocl_param_get_literal
        (&link->klass->params[index], link->params));
    watch = self->items[place].watch;
    ocl_literal_ref (watch.file);
  }
  GST_OBJECT_UNLOCK (self->element);
  if (!file) {
    ocl_literal_unref (watch.file);
    return;
  }
  result = gst_gl_opencl_watch_look (&watch, file);
  GST_OBJECT_LOCK (self->element);
  place = gst_gl_opencl_params_find (self, object);
  if (place >= 0) {
    GstGLOpenCLWatch *kept = &self->items[place].watch;
    OclLiteral *before = kept->file;

    watch.watch = kept->watch;
    *kept = watch;
    watch.file = before;
  }
  ocl_literal_unref (watch.file);
  GST_OBJECT_UNLOCK (self->element);

  if (result == GST_GL_OPENCL_WATCH_CHANGED) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_STRING);
    g_value_set_string (&value, file->text);
    gst_gl_opencl_params_set (self, object, index, &value);
    g_value_unset (&value);
  } else if (result == GST_GL_OPENCL_WATCH_LOST) {
    g_autofree gchar *name = g_filename_display_name (file->text);
    g_autoptr (GError) error = g_error_new (OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s is not there any more; what was read from it stays in use.", name);

    gst_gl_opencl_error_warn (self->element, error);
  }
}

void
gst_gl_opencl_params_look (GstGLOpenCLParams * self)
{
  g_autoptr (GPtrArray) objects = gst_gl_opencl_params_get_objects (self);

  for (guint i = 0; i < objects->len; i++)
    gst_gl_opencl_params_look_at (self, objects->pdata[i]);
}

guint
gst_gl_opencl_params_get_lookahead (const GstGLOpenCLParams * self)
{
  const OclLink *first = &self->links.items[0];

  return self->links.n == 0 ? 0 : ocl_operation_class_get_neighbours
      (first->klass, first->params).n_later;
}

guint
gst_gl_opencl_params_get_lead (const GstGLOpenCLParams * self)
{
  guint lead = 0;

  for (guint i = 0; i < self->links.n; i++)
    lead += ocl_operation_class_get_lead (self->links.items[i].klass,
        self->links.items[i].params);
  return lead;
}

gboolean
gst_gl_opencl_params_have_messages (const GstGLOpenCLParams * self)
{
  const gint n = ocl_links_find_report (&self->links);

  return n >= 0 && self->items[n].report.messages;
}
