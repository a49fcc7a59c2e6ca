/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclproperties.h"

#include "gstglopenclerror.h"
#include "opencl/core/ocltext.h"

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

/* GType uses the values until the process ends. Several elements may share a
 * type. class_init runs in one thread at a time. */
GType
gst_gl_opencl_properties_get_type (const OclValues * values, gboolean are_flags)
{
  g_autoptr (GString) name = g_string_new ("GstGLOpenCL");
  gboolean begins = TRUE;

  /* "filter-color-mode" becomes GstGLOpenCLFilterColorMode. */
  for (const gchar * c = values->name; *c; c++) {
    if (*c != '-')
      g_string_append_c (name, begins ? g_ascii_toupper (*c) : *c);
    begins = *c == '-';
  }
  GType type = g_type_from_name (name->str);
  if (type)
    return type;
  /* Values of flags and of enumerations have the same layout. */
  G_STATIC_ASSERT (sizeof (GEnumValue) == sizeof (GFlagsValue));
  GArray *copies = g_array_new (TRUE, FALSE, sizeof (GEnumValue));
  for (const OclValue * value = values->values; value->nick; value++) {
    const GEnumValue copy = { value->value, value->blurb, value->nick };

    g_array_append_val (copies, copy);
  }
  gpointer list = g_array_free (copies, FALSE);
  type = are_flags ? g_flags_register_static (name->str, list)
      : g_enum_register_static (name->str, list);
  gst_type_mark_as_plugin_api (type, 0);
  return type;
}

static GParamSpec *
create_spec (const OclParam * param)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_NAME
      | G_PARAM_STATIC_BLURB
      | (param->at_start ? GST_PARAM_MUTABLE_READY : GST_PARAM_MUTABLE_PLAYING)
      | (param->at_start || param->fixed ? 0 : GST_PARAM_CONTROLLABLE);
  const gchar *name = param->name;
  const gchar *blurb = param->blurb;
  g_autofree gchar *title = g_strdelimit (g_strdup (name), "-", ' ');

  /* "spatial-sigma" becomes "Spatial sigma". */
  title[0] = g_ascii_toupper (title[0]);
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      return g_param_spec_boolean (name, title, blurb, param->default_value,
          flags);
    case OCL_PARAM_INT:
      return g_param_spec_int (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_UINT:
      return g_param_spec_uint (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_UINT64:
      return g_param_spec_uint64 (name, title, blurb, 0, G_MAXUINT64,
          param->default_value, flags);
    case OCL_PARAM_DOUBLE:
      return g_param_spec_double (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_ENUM:
      return g_param_spec_enum (name, title, blurb,
          gst_gl_opencl_properties_get_type (param->values, FALSE),
          param->default_value, flags);
    case OCL_PARAM_FLAGS:
      return g_param_spec_flags (name, title, blurb,
          gst_gl_opencl_properties_get_type (param->values, TRUE),
          param->default_value, flags);
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
      /* The element checks the types of the values. */
      return gst_param_spec_array (name, title, blurb, NULL, flags);
    case OCL_PARAM_NAMED_NUMBERS:
      return g_param_spec_boxed (name, title, blurb, GST_TYPE_STRUCTURE, flags);
    case OCL_PARAM_FILE:
      return g_param_spec_string (name, title, blurb, NULL, flags);
    case OCL_PARAM_TEXT:
      return g_param_spec_string (name, title, blurb, "", flags);
  }
  g_return_val_if_reached (NULL);
}

void
gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table)
{
  for (guint i = 0; table && table[i].name; i++)
    g_object_class_install_property (klass, first_id + i,
        create_spec (&table[i]));
}

/* Returns the number in @value in the syntax of a literal. Other values are
 * quoted, so that they are rejected with their position. A boolean is not a
 * number, although GLib could convert it. */
static gchar *
print_number (const GValue * value)
{
  GValue number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (G_VALUE_HOLDS_BOOLEAN (value) || G_VALUE_HOLDS_STRING (value)
      || !g_value_transform (value, &number)) {
    g_autofree gchar *text = g_strdup_value_contents (value);

    if (*text == '"')
      return g_strdelimit (g_steal_pointer (&text), "<>,", '_');
    return g_strdelimit (g_strdup_printf ("\"%s\"", text), "<>,", '_');
  }
  return ocl_number_print (g_value_get_double (&number));
}

/* Returns the array @value of numbers, or of rows, in the syntax of a
 * literal. */
static gchar *
print_array (const GValue * value, gboolean has_rows)
{
  GString *text = g_string_new ("<");

  for (guint i = 0; i < gst_value_array_get_size (value); i++) {
    const GValue *item = gst_value_array_get_value (value, i);
    g_autofree gchar *printed = has_rows && GST_VALUE_HOLDS_ARRAY (item)
        ? print_array (item, FALSE) : print_number (item);

    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", printed);
  }
  return g_string_free (g_string_append_c (text, '>'), FALSE);
}

/* Sets numbers with names to the fields of the structure in @value, or changes
 * them. NULL has no fields. */
static gboolean
set_named_numbers (const OclParam * param, gpointer params,
    const GValue * value, GError ** error)
{
  const GstStructure *structure = gst_value_get_structure (value);

  if (!structure
      || !gst_structure_has_name (structure,
          GST_GL_OPENCL_NAMED_NUMBERS_CHANGE))
    ocl_param_parse_literal (param, "<>", params, NULL);
  for (gint i = 0; structure && i < gst_structure_n_fields (structure); i++) {
    const gchar *name = gst_structure_nth_field_name (structure, i);
    g_autofree gchar *number =
        print_number (gst_structure_get_value (structure, name));

    if (!ocl_param_set_named (param, name, number, params, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_opencl_properties_set (const OclParam * param, gpointer params,
    gpointer object, const GValue * value, GError ** error)
{
  GValue integer = G_VALUE_INIT;
  g_autofree gchar *text = NULL;

  switch (param->type) {
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
      text = print_array (value, param->type == OCL_PARAM_MATRIX);
      return ocl_param_parse_literal (param, text, params, error);
    case OCL_PARAM_NAMED_NUMBERS:
      return set_named_numbers (param, params, value, error);
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      text = gst_gl_opencl_properties_get_text (object, value);
      return ocl_param_parse_literal (param, text, params, error);
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = g_value_get_double (value);
      return TRUE;
    default:
      g_value_init (&integer, G_TYPE_INT64);
      g_value_transform (value, &integer);
      ocl_param_set_integer (param, params, g_value_get_int64 (&integer));
      return TRUE;
  }
}

/* Adds @n numbers to the array @value. */
static void
append_numbers (GValue * value, const gdouble * numbers, gint n)
{
  for (gint i = 0; i < n; i++) {
    GValue number = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_DOUBLE);
    g_value_set_double (&number, numbers[i]);
    gst_value_array_append_and_take_value (value, &number);
  }
}

void
gst_gl_opencl_properties_get (const OclParam * param, gconstpointer params,
    GValue * value)
{
  const OclLiteral *literal = ocl_param_get_literal (param, params);
  const gint n = literal ? literal->n : 0;
  GValue integer = G_VALUE_INIT;
  GstStructure *structure;

  switch (param->type) {
    case OCL_PARAM_MATRIX:
      for (gint j = 0; j < literal->height; j++) {
        GValue row = G_VALUE_INIT;

        g_value_init (&row, GST_TYPE_ARRAY);
        append_numbers (&row, literal->numbers + j * literal->width,
            literal->width);
        gst_value_array_append_and_take_value (value, &row);
      }
      break;
    case OCL_PARAM_NUMBERS:
      if (literal)
        append_numbers (value, literal->numbers, n);
      break;
    case OCL_PARAM_NAMED_NUMBERS:
      structure = gst_structure_new_empty (param->name);
      for (gint i = 0; i < n; i++)
        gst_structure_set (structure, literal->names[i], G_TYPE_DOUBLE,
            literal->numbers[i], NULL);
      g_value_take_boxed (value, structure);
      break;
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      g_value_set_string (value, literal ? literal->text
          : param->type == OCL_PARAM_FILE ? NULL : "");
      break;
    case OCL_PARAM_DOUBLE:
      g_value_set_double (value, MEMBER (gdouble, params, param));
      break;
    default:
      g_value_init (&integer, G_TYPE_INT64);
      g_value_set_int64 (&integer, ocl_param_get_integer (param, params));
      g_value_transform (&integer, value);
      break;
  }
}

static gboolean (*load_preset) (GstPreset * preset, const gchar * name);

/* The object for which this thread loads a preset. */
static GPrivate loading;

static gboolean
load_with_object (GstPreset * preset, const gchar * name)
{
  g_private_set (&loading, preset);
  const gboolean ok = load_preset (preset, name);
  g_private_set (&loading, NULL);
  return ok;
}

void
gst_gl_opencl_properties_init_preset (GstPresetInterface * interface)
{
  load_preset = interface->load_preset;
  interface->load_preset = load_with_object;
}

gchar *
gst_gl_opencl_properties_get_text (gpointer object, const GValue * value)
{
  const gchar *text = g_value_get_string (value);
  gboolean is_escaped = FALSE;

  if (!text || g_private_get (&loading) != object)
    return g_strdup (text);
  /* GStreamer escapes all blanks with a backslash. */
  for (gsize i = 0; text[i]; i++) {
    if (text[i] != ' ')
      continue;
    if (i == 0 || text[i - 1] != '\\')
      return g_strdup (text);
    is_escaped = TRUE;
  }
  return is_escaped ? g_strcompress (text) : g_strdup (text);
}

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

static void
clear_items (GstGLOpenCLParams * self)
{
  for (guint i = 0; i < self->operations.n; i++) {
    GstGLOpenCLItem *item = &self->items[i];

    for (guint n = 0; n < count_params (self->operations.items[i].klass); n++)
      g_clear_error (&item->refused[n]);
    g_clear_pointer (&item->refused, g_free);
    ocl_literal_take (&item->watch.file, NULL);
  }
}

void
gst_gl_opencl_params_clear (GstGLOpenCLParams * self)
{
  clear_items (self);
  ocl_operation_list_clear (&self->operations);
  g_clear_pointer (&self->objects, g_ptr_array_unref);
  g_clear_error (&self->refused);
}

gboolean
gst_gl_opencl_params_use (GstGLOpenCLParams * self,
    OclOperationList * operations, GPtrArray ** objects, GError ** error)
{
  OclOperationList before = *operations;
  GPtrArray *objects_before = *objects;
  gboolean ok;

  GST_OBJECT_LOCK (self->element);
  ok = !self->format
      || ocl_operation_list_check (operations, self->format, error);
  if (ok) {
    clear_items (self);
    g_clear_error (&self->refused);
    before = self->operations;
    objects_before = self->objects;
    self->operations = *operations;
    self->operations.exact = before.exact;
    self->objects = *objects;
    self->serial++;
    for (guint i = 0; i < operations->n; i++) {
      const OclOperationClass *klass = operations->items[i].klass;
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
  ocl_operation_list_clear (&before);
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
  for (guint i = 0; i < self->operations.n; i++) {
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
  const OclOperation *operation = &self->operations.items[place];
  const guint n = count_params (operation->klass);

  *param = index < n ? &operation->klass->params[index]
      : &get_settings (operation->klass)[index - n];
  if (index < n)
    return operation->params;
  return operation->klass->flags & OCL_OPERATION_IS_TEXT
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
  const OclOperationClass *klass = self->operations.items[place].klass;

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
        && params != self->operations.items[place].params;
    g_clear_pointer (&before, ocl_params_free);
    g_clear_pointer (&changed, ocl_params_free);
    if (is_setting) {
      gst_gl_opencl_properties_set (param, params, object, value, NULL);
    } else if (params) {
      klass = self->operations.items[place].klass;
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
        ocl_literal_ref (ocl_operation_class_get_text (self->operations.
            items[place].klass, self->operations.items[place].params));
  GST_OBJECT_UNLOCK (self->element);
  return place >= 0;
}

gboolean
gst_gl_opencl_params_start (GstGLOpenCLParams * self, GError ** error)
{
  GST_OBJECT_LOCK (self->element);
  const GError *refused = self->refused;
  for (guint i = 0; i < self->operations.n; i++) {
    for (guint n = 0; n < count_params (self->operations.items[i].klass)
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
    const OclOperation *operation = &self->operations.items[place];

    while (operation->klass->params[index].type != OCL_PARAM_FILE)
      index++;
    file = ocl_literal_ref (ocl_param_get_literal
        (&operation->klass->params[index], operation->params));
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
  const OclOperation *first = &self->operations.items[0];

  return self->operations.n == 0 ? 0 : ocl_operation_class_get_neighbours
      (first->klass, first->params).n_later;
}

guint
gst_gl_opencl_params_get_lead (const GstGLOpenCLParams * self)
{
  guint lead = 0;

  for (guint i = 0; i < self->operations.n; i++)
    lead += ocl_operation_class_get_lead (self->operations.items[i].klass,
        self->operations.items[i].params);
  return lead;
}

gboolean
gst_gl_opencl_params_have_messages (const GstGLOpenCLParams * self)
{
  const gint n = ocl_operation_list_find_report (&self->operations);

  return n >= 0 && self->items[n].report.messages;
}
