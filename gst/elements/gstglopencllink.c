/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencllink.h"

#include "base/gstglopenclbasefilter.h"
#include "gstglopenclarguments.h"

#define FIRST_PROPERTY 1

typedef struct
{
  GstGLOpenCLParams params;
  GstGLOpenCLArguments arguments;       /* of an operation with a text */
} GstGLOpenCLLinkPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstGLOpenCLLink, gst_gl_opencl_link,
    GST_TYPE_OBJECT);

#define GET_PRIVATE(link) ((GstGLOpenCLLinkPrivate *) \
    gst_gl_opencl_link_get_instance_private (GST_GL_OPENCL_LINK (link)))

/* The parameters are guarded by the lock of the element, which may be gone. */
static void
gst_gl_opencl_link_set_property (GObject * object, guint id,
    const GValue * value, G_GNUC_UNUSED GParamSpec * pspec)
{
  g_autoptr (GstObject) element = gst_object_get_parent (GST_OBJECT (object));

  if (!element)
    return;
  gst_gl_opencl_params_set (&GET_PRIVATE (object)->params, id - FIRST_PROPERTY,
      value);
  gst_gl_opencl_base_filter_update_depth (GST_GL_OPENCL_BASE_FILTER (element));
}

static void
gst_gl_opencl_link_get_property (GObject * object, guint id, GValue * value,
    G_GNUC_UNUSED GParamSpec * pspec)
{
  g_autoptr (GstObject) element = gst_object_get_parent (GST_OBJECT (object));

  if (element)
    gst_gl_opencl_params_get (&GET_PRIVATE (object)->params,
        id - FIRST_PROPERTY, value);
}

static void
gst_gl_opencl_link_dispose (GObject * object)
{
  gst_gl_opencl_arguments_dispose (&GET_PRIVATE (object)->arguments);
  G_OBJECT_CLASS (gst_gl_opencl_link_parent_class)->dispose (object);
}

static void
gst_gl_opencl_link_finalize (GObject * object)
{
  GstGLOpenCLLinkPrivate *priv = GET_PRIVATE (object);

  gst_gl_opencl_arguments_clear (&priv->arguments);
  gst_gl_opencl_params_clear (&priv->params);
  G_OBJECT_CLASS (gst_gl_opencl_link_parent_class)->finalize (object);
}

static void
gst_gl_opencl_link_class_init (GstGLOpenCLLinkClass * klass)
{
  G_OBJECT_CLASS (klass)->dispose = gst_gl_opencl_link_dispose;
  G_OBJECT_CLASS (klass)->finalize = gst_gl_opencl_link_finalize;
}

static void
gst_gl_opencl_link_init (GstGLOpenCLLink * self)
{
  gst_gl_opencl_arguments_init (&GET_PRIVATE (self)->arguments,
      GST_OBJECT (self));
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

static guint
gst_gl_opencl_link_get_children_count (GstChildProxy * proxy)
{
  return gst_gl_opencl_arguments_count (&GET_PRIVATE (proxy)->arguments);
}

static GObject *
gst_gl_opencl_link_get_child_by_index (GstChildProxy * proxy, guint index)
{
  return gst_gl_opencl_arguments_get (&GET_PRIVATE (proxy)->arguments, index);
}

static void
gst_gl_opencl_link_child_proxy_init (gpointer interface,
    G_GNUC_UNUSED gpointer data)
{
  GstChildProxyInterface *proxy = interface;

  proxy->get_children_count = gst_gl_opencl_link_get_children_count;
  proxy->get_child_by_index = gst_gl_opencl_link_get_child_by_index;
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
    .interface_init = gst_gl_opencl_link_child_proxy_init
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

GstGLOpenCLLink *
gst_gl_opencl_link_new (GstElement * element, const gchar * name,
    const OclOperationClass * operation, gconstpointer params, gboolean follows)
{
  GstGLOpenCLLink *self = g_object_new (get_type (operation), "name", name,
      NULL);
  GstGLOpenCLParams *own = &GET_PRIVATE (self)->params;

  gst_gl_opencl_params_init (own, G_OBJECT (self), element, operation);
  own->follows = follows;
  if (params)
    ocl_params_copy (operation->params, operation->params_size, own->values,
        params);
  gst_object_set_parent (GST_OBJECT (self), GST_OBJECT (element));
  return self;
}

GstGLOpenCLParams *
gst_gl_opencl_link_get_params (GstGLOpenCLLink * self)
{
  return &GET_PRIVATE (self)->params;
}

void
gst_gl_opencl_link_sync (GstGLOpenCLLink * self, GstClockTime stream_time)
{
  GstGLOpenCLLinkPrivate *priv = GET_PRIVATE (self);

  if (GST_CLOCK_TIME_IS_VALID (stream_time)) {
    gst_object_sync_values (GST_OBJECT (self), stream_time);
    gst_gl_opencl_arguments_sync (&priv->arguments, stream_time);
  }
  gst_gl_opencl_params_look (&priv->params);
}
