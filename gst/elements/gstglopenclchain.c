/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclchain
 * @title: glopenclchain
 * @short_description: runs several operations on a frame on OpenCL
 *
 * Runs the operations of the other elements one after the other. OpenCL
 * acquires a frame only once, and levels between operations have fractions,
 * which are rounded once, at the end. So a chain is faster and more precise
 * than separate elements.
 *
 * #GstGLOpenCLChain:operations lists the operations with their parameters:
 * |[
 * bilateral spatial-sigma=2 ! sharpen radius=2 ! kernel location=warm.cl gain=2
 * ]|
 * The name of an operation is the name of its element without `glopencl`.
 * `bilateral` belongs to glopenclfilter. `glopencl operations` lists all
 * operations. Values are written as for gst-launch-1.0, and arguments of a
 * user's kernel like parameters.
 *
 * Operations are children of the element: `bilateral0` is the first bilateral
 * filter, `bilateral1` the second one. Their properties can be changed while
 * playing, with #GstChildProxy (`bilateral0::spatial-sigma`) or by a
 * #GstController. An operation whose parameters have no effect costs nothing.
 *
 * Only the first operation can read later frames (`denoise lookahead=1`).
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter. Messages are named `glopenclchain-histogram`.
 * Histograms are of the input of the first operation and the output of the last
 * one.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclchain operations="bilateral spatial-sigma=2 ! sharpen radius=2" ! gldownload ! fakesink
 * ]|
 * Smooths surfaces, and sharpens the edges that are left.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclchain operations="denoise lookahead=1 ! kernel location=kernels/examples/vignette.cl strength=0.8" ! gldownload ! fakesink
 * ]|
 * Denoises, and darkens the corners.
 */

#include "gstglopenclchain.h"

#include "gstglopenclarguments.h"
#include "opencl/ocloperations.h"

/* An operation of a chain as a child of the element. Its properties are the
 * parameters of the operation, for GstChildProxy and GstController. Each
 * operation has a type. */
typedef struct
{
  GstObject parent;
} GstGLOpenCLLink;

typedef struct
{
  GstObjectClass parent_class;
} GstGLOpenCLLinkClass;

#define FIRST_PROPERTY 1

/**
 * GstGLOpenCLLink:
 *
 * An operation of element-glopenclchain.
 */
GType gst_gl_opencl_link_get_type (void);
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
gst_gl_opencl_link_class_init (G_GNUC_UNUSED GstGLOpenCLLinkClass * klass)
{
}

static void
gst_gl_opencl_link_init (G_GNUC_UNUSED GstGLOpenCLLink * self)
{
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
get_link_type (const OclOperationClass * operation)
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
    type = g_type_register_static (gst_gl_opencl_link_get_type (), name,
        &info, 0);
    if (operation->flags & OCL_OPERATION_IS_TEXT)
      g_type_add_interface_static (type, GST_TYPE_CHILD_PROXY, &proxy);
  }
  g_mutex_unlock (&mutex);
  return type;
}

struct _GstGLOpenCLChain
{
  GstGLOpenCLBaseFilter parent;
};

enum
{
  PROP_OPERATIONS = 1,
  PROP_EXACT,
};

static void gst_gl_opencl_chain_child_proxy_init (gpointer, gpointer);

G_DEFINE_FINAL_TYPE_WITH_CODE (GstGLOpenCLChain, gst_gl_opencl_chain,
    GST_TYPE_GL_OPENCL_BASE_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_CHILD_PROXY,
        gst_gl_opencl_chain_child_proxy_init));

GST_ELEMENT_REGISTER_DEFINE (glopenclchain, "glopenclchain", GST_RANK_NONE,
    GST_TYPE_GL_OPENCL_CHAIN);

/**
 * GstGLOpenCLChain:operations:
 *
 * The operations, at most 16, as `NAME PARAMETER=VALUE …`, separated by `!`. If
 * the text is invalid, or cannot be used for the current frames, a warning
 * names the operation, and the previous operations stay in use. While playing,
 * frames use the previous operations until the new ones are built. On a CPU the
 * frames wait. The value read includes the current values of all parameters.
 *
 * Since: 0.2
 */

/**
 * GstGLOpenCLChain:exact:
 *
 * Whether to round levels after each operation. The frames are then
 * byte-identical to the output of separate elements.
 *
 * Since: 0.2
 */

static GstGLOpenCLParams *
get_params (gpointer self)
{
  return gst_gl_opencl_base_filter_get_params (GST_GL_OPENCL_BASE_FILTER
      (self));
}

static void
free_link (gpointer link)
{
  gst_object_unparent (link);
}

/* Returns a child for each of @operations, whose parameters the
 * element has. The first bilateral filter is called bilateral0. */
static GPtrArray *
gst_gl_opencl_chain_create_links (GstGLOpenCLChain * self,
    const OclOperationList * operations)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (free_link);

  for (guint i = 0; i < operations->n; i++) {
    const OclOperationClass *klass = operations->items[i].klass;
    guint number = 0;

    for (guint n = 0; n < i; n++)
      number += operations->items[n].klass == klass;
    g_autofree gchar *name = g_strdup_printf ("%s%u", klass->name, number);
    GstObject *link = g_object_new (get_link_type (klass), "name", name, NULL);
    gst_object_set_parent (link, GST_OBJECT (self));
    g_ptr_array_add (list, link);
  }
  return list;
}

/* Emits the signals of GstChildProxy for added and removed children. */
static void
announce (GstGLOpenCLChain * self, GPtrArray * list, gboolean are_added)
{
  GstChildProxy *proxy = GST_CHILD_PROXY (self);

  for (guint i = 0; list && i < list->len; i++) {
    if (are_added)
      gst_child_proxy_child_added (proxy, list->pdata[i],
          GST_OBJECT_NAME (list->pdata[i]));
    else
      gst_child_proxy_child_removed (proxy, list->pdata[i],
          GST_OBJECT_NAME (list->pdata[i]));
  }
}

/* If operations are rejected, the previous ones stay. */
static void
gst_gl_opencl_chain_set_operations (GstGLOpenCLChain * self, const gchar * text)
{
  g_autoptr (GError) error = NULL;
  OclOperationList operations = { 0, };

  if (ocl_operation_list_parse (&operations, text ? text : "", &error)) {
    g_autoptr (GPtrArray) list =
        gst_gl_opencl_chain_create_links (self, &operations);
    g_autoptr (GPtrArray) other = g_ptr_array_ref (list);

    if (gst_gl_opencl_params_use (get_params (self), &operations, &other,
            &error)) {
      gst_gl_opencl_base_filter_update_depth (GST_GL_OPENCL_BASE_FILTER (self));
      announce (self, other, FALSE);
      announce (self, list, TRUE);
    }
  }
  if (error)
    gst_gl_opencl_params_refuse (get_params (self), error);
}

static void
gst_gl_opencl_chain_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLChain *self = GST_GL_OPENCL_CHAIN (object);
  g_autofree gchar *text = NULL;

  switch (id) {
    case PROP_OPERATIONS:
      text = gst_gl_opencl_properties_get_text (object, value);
      gst_gl_opencl_chain_set_operations (self, text);
      break;
    case PROP_EXACT:
      GST_OBJECT_LOCK (self);
      get_params (self)->operations.exact = g_value_get_boolean (value);
      GST_OBJECT_UNLOCK (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
gst_gl_opencl_chain_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  const OclOperationList *operations = &get_params (object)->operations;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_OPERATIONS:
      g_value_take_string (value, ocl_operation_list_print (operations));
      break;
    case PROP_EXACT:
      g_value_set_boolean (value, operations->exact);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static guint
gst_gl_opencl_chain_get_children_count (GstChildProxy * proxy)
{
  g_autoptr (GPtrArray) list =
      gst_gl_opencl_params_get_objects (get_params (proxy));

  return list->len;
}

static GObject *
gst_gl_opencl_chain_get_child_by_index (GstChildProxy * proxy, guint index)
{
  g_autoptr (GPtrArray) list =
      gst_gl_opencl_params_get_objects (get_params (proxy));

  return index < list->len ? g_object_ref (list->pdata[index]) : NULL;
}

static void
gst_gl_opencl_chain_child_proxy_init (gpointer interface,
    G_GNUC_UNUSED gpointer data)
{
  GstChildProxyInterface *proxy = interface;

  proxy->get_children_count = gst_gl_opencl_chain_get_children_count;
  proxy->get_child_by_index = gst_gl_opencl_chain_get_child_by_index;
}

static void
gst_gl_opencl_chain_dispose (GObject * object)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  OclOperationList none = {.id = ocl_operation_list_create_id () };

  gst_gl_opencl_params_use (get_params (object), &none, &list, NULL);
  G_OBJECT_CLASS (gst_gl_opencl_chain_parent_class)->dispose (object);
}

static void
gst_gl_opencl_chain_class_init (GstGLOpenCLChainClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  g_autofree gchar *list = ocl_operations_get_names ();
  g_autofree gchar *blurb = g_strdup_printf ("Operations with their "
      "parameters, such as bilateral spatial-sigma=2 ! sharpen radius=2. "
      "Available: %s. glopencl operations lists their parameters", list);

  object_class->set_property = gst_gl_opencl_chain_set_property;
  object_class->get_property = gst_gl_opencl_chain_get_property;
  object_class->dispose = gst_gl_opencl_chain_dispose;
  g_object_class_install_property (object_class, PROP_OPERATIONS,
      g_param_spec_string ("operations", "Operations", blurb, "",
          G_PARAM_READWRITE | G_PARAM_STATIC_NAME | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (object_class, PROP_EXACT,
      g_param_spec_boolean ("exact", "Exact",
          "Round levels after each operation, for the same output as "
          "separate elements", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
  gst_type_mark_as_plugin_api (gst_gl_opencl_link_get_type (), 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL chain", "Filter/Effect/Video",
      "Runs several operations on OpenGL textures, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_chain_init (G_GNUC_UNUSED GstGLOpenCLChain * self)
{
}
