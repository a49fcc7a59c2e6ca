/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencllink.h"

#include "base/gstglopenclbasefilter.h"
#include "gstglopenclarguments.h"

#define FIRST_PROPERTY 1

G_DEFINE_ABSTRACT_TYPE (GstGLOpenCLLink, gst_gl_opencl_link, GST_TYPE_OBJECT);

/* The element has the parameters, and may be gone. */
static void
gst_gl_opencl_link_set_property (GObject * object, guint id,
    const GValue * value, G_GNUC_UNUSED GParamSpec * pspec)
{
  g_autoptr (GstObject) element = gst_object_get_parent (GST_OBJECT (object));

  if (element)
    gst_gl_opencl_base_filter_set_param (GST_GL_OPENCL_BASE_FILTER (element),
        object, id - FIRST_PROPERTY, value);
}

static void
gst_gl_opencl_link_get_property (GObject * object, guint id, GValue * value,
    G_GNUC_UNUSED GParamSpec * pspec)
{
  g_autoptr (GstObject) element = gst_object_get_parent (GST_OBJECT (object));

  if (element)
    gst_gl_opencl_params_get (gst_gl_opencl_base_filter_get_params
        (GST_GL_OPENCL_BASE_FILTER (element)), object, id - FIRST_PROPERTY,
        value);
}

static void
gst_gl_opencl_link_class_init (GstGLOpenCLLinkClass * klass)
{
  (void) klass;
}

static void
gst_gl_opencl_link_init (GstGLOpenCLLink * self)
{
  (void) self;
}

/* Initialises the class of an operation. GObject calls the setter and the
 * getter of the class that installed a property. */
static void
init_operation_class (gpointer klass, gpointer operation)
{
  G_OBJECT_CLASS (klass)->set_property = gst_gl_opencl_link_set_property;
  G_OBJECT_CLASS (klass)->get_property = gst_gl_opencl_link_get_property;
  gst_gl_opencl_params_install (klass, FIRST_PROPERTY, operation);
}

/* The operation "bilateral" has the type GstGLOpenCLLinkBilateral. */
static GType
get_type (const OclOperationClass * operation)
{
  static GMutex mutex;
  const GTypeInfo info = {
    .class_size = sizeof (GstGLOpenCLLinkClass),
    .class_init = init_operation_class,
    .class_data = operation,
    .instance_size = sizeof (GstGLOpenCLLink),
  };
  const GInterfaceInfo proxy = {
    .interface_init = gst_gl_opencl_arguments_init_proxy
  };
  g_autofree gchar *name = g_strdup_printf ("GstGLOpenCLLink%c%s",
      g_ascii_toupper (operation->name[0]), operation->name + 1);

  g_mutex_lock (&mutex);
  GType type = g_type_from_name (name);
  if (!type) {
    type = g_type_register_static (GST_TYPE_GL_OPENCL_LINK, name, &info, 0);
    if (operation->flags & OCL_OPERATION_IS_TEXT)
      g_type_add_interface_static (type, GST_TYPE_CHILD_PROXY, &proxy);
  }
  g_mutex_unlock (&mutex);
  return type;
}

GObject *
gst_gl_opencl_link_new (GstElement * element, const gchar * name,
    const OclOperationClass * operation)
{
  GObject *self = g_object_new (get_type (operation), "name", name, NULL);

  gst_object_set_parent (GST_OBJECT (self), GST_OBJECT (element));
  return self;
}
