/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glopenclchain
 * @title: glopenclchain
 * @short_description: runs several operations on a frame on OpenCL
 *
 * Runs the operations of the other elements one after the other. OpenCL borrows
 * a frame once, whatever the number of operations, and levels between
 * operations have fractions, which are rounded once, at the end. So a chain is
 * faster than elements in a row, and more precise.
 *
 * #GstGLOpenCLChain:operations lists the operations with their parameters:
 * |[
 * bilateral spatial-sigma=2 ! sharpen radius=2 ! kernel location=warm.cl gain=2
 * ]|
 * An operation is called like its element without `glopencl`, and `bilateral`
 * is that of glopenclfilter. Values are written as for gst-launch-1.0, and
 * arguments of a user's kernel like parameters. `glopencl operations` lists
 * all of them.
 *
 * Operations are children of the element: `bilateral0` is the first bilateral
 * filter, `bilateral1` the second one. Their properties can be changed while
 * playing, with #GstChildProxy (`bilateral0::spatial-sigma`) or by a
 * #GstController. An operation whose parameters do nothing costs nothing.
 *
 * Only the first operation can read later frames (`denoise lookahead=1`).
 *
 * Formats, interop, histograms and errors are as described in
 * element-glopenclfilter; messages are called `glopenclchain-histogram`.
 * Histograms are those before the first and after the last operation.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclchain operations="bilateral spatial-sigma=2 ! sharpen radius=2" ! gldownload ! fakesink
 * ]|
 * Smooths surfaces, and sharpens the edges that are left.
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! glupload ! glopenclchain operations="denoise lookahead=1 ! kernel location=kernels/examples/vignette.cl strength=0.8" ! gldownload ! fakesink
 * ]|
 * Denoises, and makes the corners dark.
 */

#include "gstglopenclchain.h"

#include "base/gstglopenclerror.h"
#include "base/gstglopenclproperties.h"
#include "gstglopencllink.h"
#include "opencl/ocllinkstext.h"

struct _GstGLOpenCLChain
{
  GstGLOpenCLBaseFilter parent;

  GMutex setting;               /* held while operations are set */
  GMutex mutex;                 /* guards the members below */
  GPtrArray *links;             /* of GstGLOpenCLLink; owned */
  GError *refused;              /* of the last operations; owned, or NULL */

  gint exact;                   /* atomic */
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
 * The operations, at most 16, as `NAME PARAMETER=VALUE …`, with a `!` between
 * two of them. If the text is wrong, or the frames that flow cannot be
 * computed, a warning names the operation, and the operations before stay in
 * use. While playing, frames use the operations before until the new ones are
 * built; on a CPU the frames wait. The property is read with the present
 * values of all parameters.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLChain:exact:
 *
 * Whether levels are rounded after each operation. The frames are then, to
 * the byte, those of the elements in a row.
 *
 * Since: 0.1
 */

static void
free_link (gpointer link)
{
  gst_object_unparent (link);
}

static GPtrArray *
create_list (void)
{
  return g_ptr_array_new_with_free_func (free_link);
}

/* Returns how many operations before place @n are of the kind of operation
 * @n. */
static guint
count_before (const OclLinks * links, guint n)
{
  guint number = 0;

  for (guint i = 0; i < n; i++)
    number += links->items[i].klass == links->items[n].klass;
  return number;
}

/* Returns a child for each of the operations @links. */
static GPtrArray *
gst_gl_opencl_chain_create_links (GstGLOpenCLChain * self,
    const OclLinks * links)
{
  GPtrArray *list = create_list ();

  for (guint i = 0; i < links->n; i++) {
    const OclLink *link = &links->items[i];
    g_autofree gchar *name = g_strdup_printf ("%s%u", link->klass->name,
        count_before (links, i));

    g_ptr_array_add (list, gst_gl_opencl_link_new (GST_ELEMENT (self), name,
            link->klass, link->params, i > 0));
  }
  return list;
}

/* Makes the operations of @list those of the element. */
static gboolean
gst_gl_opencl_chain_use (GstGLOpenCLChain * self, const GPtrArray * list,
    GError ** error)
{
  GstGLOpenCLParams *items[OCL_MAX_LINKS];

  for (guint i = 0; i < list->len; i++)
    items[i] = gst_gl_opencl_link_get_params (list->pdata[i]);
  return gst_gl_opencl_base_filter_set_operations (GST_GL_OPENCL_BASE_FILTER
      (self), items, list->len, error);
}

/* Notifies users of GstChildProxy that children were added or removed. */
static void
announce (GstGLOpenCLChain * self, GPtrArray * list, gboolean are_added)
{
  GstChildProxy *proxy = GST_CHILD_PROXY (self);

  for (guint i = 0; i < list->len; i++) {
    if (are_added)
      gst_child_proxy_child_added (proxy, list->pdata[i],
          GST_OBJECT_NAME (list->pdata[i]));
    else
      gst_child_proxy_child_removed (proxy, list->pdata[i],
          GST_OBJECT_NAME (list->pdata[i]));
  }
}

/* Replaces the operations by those of @list, and returns those before. */
static GPtrArray *
gst_gl_opencl_chain_exchange (GstGLOpenCLChain * self, GPtrArray * list)
{
  GPtrArray *before;

  g_mutex_lock (&self->mutex);
  before = self->links;
  self->links = g_ptr_array_ref (list);
  g_clear_error (&self->refused);
  g_mutex_unlock (&self->mutex);
  return before;
}

/* Keeps the operations before. If they are refused before the element starts,
 * it does not start: users may not have seen the warning. */
static void
gst_gl_opencl_chain_refuse (GstGLOpenCLChain * self, const GError * error)
{
  if (GST_STATE (self) < GST_STATE_PAUSED) {
    g_mutex_lock (&self->mutex);
    g_clear_error (&self->refused);
    self->refused = g_error_copy (error);
    g_mutex_unlock (&self->mutex);
  }
  gst_gl_opencl_error_warn (GST_ELEMENT (self), error);
}

static void
gst_gl_opencl_chain_set_operations (GstGLOpenCLChain * self, const gchar * text)
{
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GError) error = NULL;
  OclLinks links = { 0, };

  g_mutex_lock (&self->setting);
  if (ocl_links_parse (&links, text ? text : "", &error)) {
    list = gst_gl_opencl_chain_create_links (self, &links);
    if (gst_gl_opencl_chain_use (self, list, &error))
      before = gst_gl_opencl_chain_exchange (self, list);
    ocl_links_clear (&links);
  }
  g_mutex_unlock (&self->setting);
  gst_gl_opencl_base_filter_update_depth (GST_GL_OPENCL_BASE_FILTER (self));
  if (before) {
    announce (self, before, FALSE);
    announce (self, list, TRUE);
  } else {
    gst_gl_opencl_chain_refuse (self, error);
  }
}

/* Returns the present operations. The caller ends with g_ptr_array_unref(). */
static GPtrArray *
gst_gl_opencl_chain_get_links (GstGLOpenCLChain * self)
{
  g_mutex_lock (&self->mutex);
  GPtrArray *list = g_ptr_array_ref (self->links);
  g_mutex_unlock (&self->mutex);
  return list;
}

static gchar *
gst_gl_opencl_chain_print (GstGLOpenCLChain * self)
{
  g_autoptr (GPtrArray) list = gst_gl_opencl_chain_get_links (self);
  OclLinks links = {.n = list->len };

  GST_OBJECT_LOCK (self);
  for (guint i = 0; i < list->len; i++) {
    const GstGLOpenCLParams *params =
        gst_gl_opencl_link_get_params (list->pdata[i]);

    links.items[i].klass = params->operation;
    links.items[i].params = params->values;
  }
  gchar *text = ocl_links_print (&links);
  GST_OBJECT_UNLOCK (self);
  return text;
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
      g_atomic_int_set (&self->exact, g_value_get_boolean (value));
      gst_gl_opencl_base_filter_set_exact (GST_GL_OPENCL_BASE_FILTER (self),
          g_value_get_boolean (value));
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
  GstGLOpenCLChain *self = GST_GL_OPENCL_CHAIN (object);

  switch (id) {
    case PROP_OPERATIONS:
      g_value_take_string (value, gst_gl_opencl_chain_print (self));
      break;
    case PROP_EXACT:
      g_value_set_boolean (value, g_atomic_int_get (&self->exact));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static guint
gst_gl_opencl_chain_get_children_count (GstChildProxy * proxy)
{
  g_autoptr (GPtrArray) list =
      gst_gl_opencl_chain_get_links (GST_GL_OPENCL_CHAIN (proxy));

  return list->len;
}

static GObject *
gst_gl_opencl_chain_get_child_by_index (GstChildProxy * proxy, guint index)
{
  g_autoptr (GPtrArray) list =
      gst_gl_opencl_chain_get_links (GST_GL_OPENCL_CHAIN (proxy));

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

static gboolean
gst_gl_opencl_chain_check (GstGLOpenCLBaseFilter * filter, GError ** error)
{
  GstGLOpenCLChain *self = GST_GL_OPENCL_CHAIN (filter);

  g_mutex_lock (&self->mutex);
  const gboolean ok = !self->refused;
  if (!ok)
    g_propagate_error (error, g_error_copy (self->refused));
  g_mutex_unlock (&self->mutex);
  return ok;
}

static void
gst_gl_opencl_chain_sync (GstGLOpenCLBaseFilter * filter,
    GstClockTime stream_time)
{
  g_autoptr (GPtrArray) list =
      gst_gl_opencl_chain_get_links (GST_GL_OPENCL_CHAIN (filter));

  for (guint i = 0; i < list->len; i++)
    gst_gl_opencl_link_sync (list->pdata[i], stream_time);
}

static void
gst_gl_opencl_chain_dispose (GObject * object)
{
  GstGLOpenCLChain *self = GST_GL_OPENCL_CHAIN (object);
  g_autoptr (GPtrArray) none = create_list ();

  gst_gl_opencl_chain_use (self, none, NULL);
  g_ptr_array_unref (gst_gl_opencl_chain_exchange (self, none));
  G_OBJECT_CLASS (gst_gl_opencl_chain_parent_class)->dispose (object);
}

static void
gst_gl_opencl_chain_finalize (GObject * object)
{
  GstGLOpenCLChain *self = GST_GL_OPENCL_CHAIN (object);

  g_ptr_array_unref (self->links);
  g_clear_error (&self->refused);
  g_mutex_clear (&self->mutex);
  g_mutex_clear (&self->setting);
  G_OBJECT_CLASS (gst_gl_opencl_chain_parent_class)->finalize (object);
}

static void
gst_gl_opencl_chain_install_properties (GObjectClass * klass)
{
  g_autofree gchar *list = ocl_links_list_operations ();
  g_autofree gchar *blurb = g_strdup_printf ("The operations with their "
      "parameters, such as bilateral spatial-sigma=2 ! sharpen radius=2. "
      "There are %s; glopencl operations lists their parameters", list);

  g_object_class_install_property (klass, PROP_OPERATIONS,
      g_param_spec_string ("operations", "Operations", blurb, "",
          G_PARAM_READWRITE | G_PARAM_STATIC_NAME | GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass, PROP_EXACT,
      g_param_spec_boolean ("exact", "Exact",
          "Round levels after each operation, for the frames that the "
          "elements in a row would make", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
          | GST_PARAM_MUTABLE_PLAYING));
}

static void
gst_gl_opencl_chain_class_init (GstGLOpenCLChainClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstGLOpenCLBaseFilterClass *filter_class =
      GST_GL_OPENCL_BASE_FILTER_CLASS (klass);

  object_class->set_property = gst_gl_opencl_chain_set_property;
  object_class->get_property = gst_gl_opencl_chain_get_property;
  object_class->dispose = gst_gl_opencl_chain_dispose;
  object_class->finalize = gst_gl_opencl_chain_finalize;
  filter_class->sync = gst_gl_opencl_chain_sync;
  filter_class->check = gst_gl_opencl_chain_check;
  gst_gl_opencl_chain_install_properties (object_class);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_LINK, 0);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL chain", "Filter/Effect/Video",
      "Runs several operations on OpenGL textures, with OpenCL",
      "The gst-glopencl developers");
}

static void
gst_gl_opencl_chain_init (GstGLOpenCLChain * self)
{
  g_mutex_init (&self->setting);
  g_mutex_init (&self->mutex);
  self->links = create_list ();
}
