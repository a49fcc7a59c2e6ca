/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclarguments.h"

#include "base/gstglopenclbasefilter.h"
#include "opencl/user/oclusersource.h"

struct _GstGLOpenCLArgument
{
  GstObject parent;
};

enum
{
  PROP_VALUE = 1,
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLArgument, gst_gl_opencl_argument,
    GST_TYPE_OBJECT);

/* Sets @text to a reference to the kernel of @owner. Returns FALSE if an
 * operation of a chain has been replaced. */
static gboolean
get_text (GObject * owner, OclLiteral ** text)
{
  g_autoptr (GstObject) element = GST_IS_ELEMENT (owner)
      ? gst_object_ref (owner) : gst_object_get_parent (GST_OBJECT (owner));

  return element && gst_gl_opencl_params_get_text
      (gst_gl_opencl_base_filter_get_params (GST_GL_OPENCL_BASE_FILTER
          (element)), owner, text);
}

/* The owner changes its arguments in the common setter. */
static void
gst_gl_opencl_argument_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  g_autoptr (GstObject) owner = gst_object_get_parent (GST_OBJECT (object));
  g_autoptr (GstStructure) change =
      gst_structure_new_empty (GST_GL_OPENCL_NAMED_NUMBERS_CHANGE);

  if (id != PROP_VALUE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  /* The argument may no longer belong to an object. */
  if (!owner)
    return;
  gst_structure_set_value (change, GST_OBJECT_NAME (object), value);
  g_object_set (owner, "arguments", change, NULL);
}

static void
gst_gl_opencl_argument_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  g_autoptr (GstObject) owner = gst_object_get_parent (GST_OBJECT (object));
  g_autoptr (OclLiteral) text = NULL;
  g_autoptr (GstStructure) arguments = NULL;
  gdouble number = 0.0;

  if (id != PROP_VALUE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (owner && get_text (G_OBJECT (owner), &text)) {
    const OclUserSource *source = ocl_user_source_of (text);
    const gint place = ocl_user_source_find (source, GST_OBJECT_NAME (object));

    if (place >= 0)
      number = source->arguments[place].default_value;
    g_object_get (owner, "arguments", &arguments, NULL);
  }
  if (arguments)
    gst_structure_get_double (arguments, GST_OBJECT_NAME (object), &number);
  g_value_set_double (value, number);
}

static void
gst_gl_opencl_argument_class_init (GstGLOpenCLArgumentClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = gst_gl_opencl_argument_set_property;
  object_class->get_property = gst_gl_opencl_argument_get_property;
  /**
   * GstGLOpenCLArgument:value:
   *
   * The value of the argument, in the range that the kernel declares.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_VALUE,
      g_param_spec_double ("value", "Value", "The value of the argument",
          -G_MAXFLOAT, G_MAXFLOAT, 0.0, G_PARAM_READWRITE
          | G_PARAM_STATIC_STRINGS | GST_PARAM_CONTROLLABLE
          | GST_PARAM_MUTABLE_PLAYING));
}

static void
gst_gl_opencl_argument_init (G_GNUC_UNUSED GstGLOpenCLArgument * self)
{
}

/* The children of an object, stored as its data. */
typedef struct
{
  OclLiteral *text;             /* the kernel with the arguments (owned) */
  GPtrArray *list;              /* owned, never changes */
} Children;

/* Guards the children of all objects. */
static GMutex mutex;

static void
children_free (gpointer data)
{
  Children *self = data;

  for (guint i = 0; i < self->list->len; i++)
    gst_object_unparent (self->list->pdata[i]);
  g_ptr_array_unref (self->list);
  ocl_literal_unref (self->text);
  g_free (self);
}

static GstObject *
find_child (const GPtrArray * list, const gchar * name)
{
  for (guint i = 0; i < list->len; i++) {
    if (g_str_equal (GST_OBJECT_NAME (list->pdata[i]), name))
      return list->pdata[i];
  }
  return NULL;
}

/* Updates the children for the current kernel of @owner. Arguments in both
 * kernels keep their children. The caller holds the mutex. */
static void
children_set_text (Children * self, GObject * owner, OclLiteral * text)
{
  const OclUserSource *source = ocl_user_source_of (text);
  g_autoptr (GPtrArray) before = self->list;

  self->list = g_ptr_array_new_with_free_func (gst_object_unref);
  for (guint i = 0; i < source->n_arguments; i++) {
    const gchar *name = source->arguments[i].name;
    GstObject *child = find_child (before, name);

    if (!child) {
      child = g_object_new (GST_TYPE_GL_OPENCL_ARGUMENT, "name", name, NULL);
      gst_object_set_parent (child, GST_OBJECT (owner));
    }
    g_ptr_array_add (self->list, gst_object_ref (child));
  }
  for (guint i = 0; i < before->len; i++) {
    if (!find_child (self->list, GST_OBJECT_NAME (before->pdata[i])))
      gst_object_unparent (before->pdata[i]);
  }
  ocl_literal_take (&self->text, ocl_literal_ref (text));
}

/* Returns the children of the current kernel. The caller releases them with
 * g_ptr_array_unref(). */
static GPtrArray *
get_children (GObject * owner)
{
  const GQuark quark = g_quark_from_static_string ("glopencl-arguments");
  g_autoptr (OclLiteral) text = NULL;
  const gboolean has_text = get_text (owner, &text);

  g_mutex_lock (&mutex);
  Children *children = g_object_get_qdata (owner, quark);
  if (!children) {
    children = g_new0 (Children, 1);
    children->list = g_ptr_array_new ();
    g_object_set_qdata_full (owner, quark, children, children_free);
  }
  if (has_text && children->text != text)
    children_set_text (children, owner, text);
  GPtrArray *list = g_ptr_array_ref (children->list);
  g_mutex_unlock (&mutex);
  return list;
}

static guint
gst_gl_opencl_arguments_count (GstChildProxy * proxy)
{
  g_autoptr (GPtrArray) children = get_children (G_OBJECT (proxy));

  return children->len;
}

static GObject *
gst_gl_opencl_arguments_get (GstChildProxy * proxy, guint index)
{
  g_autoptr (GPtrArray) children = get_children (G_OBJECT (proxy));

  return index < children->len ? g_object_ref (children->pdata[index]) : NULL;
}

void
gst_gl_opencl_arguments_init_proxy (gpointer interface,
    G_GNUC_UNUSED gpointer data)
{
  GstChildProxyInterface *proxy = interface;

  proxy->get_children_count = gst_gl_opencl_arguments_count;
  proxy->get_child_by_index = gst_gl_opencl_arguments_get;
}
