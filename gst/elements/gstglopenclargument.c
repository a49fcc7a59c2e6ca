/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclargument.h"

#include "base/gstglopenclproperties.h"

struct _GstGLOpenCLArgument
{
  GstObject parent;

  gdouble default_value;        /* protected by the object lock */
};

enum
{
  PROP_VALUE = 1,
};

G_DEFINE_FINAL_TYPE (GstGLOpenCLArgument, gst_gl_opencl_argument,
    GST_TYPE_OBJECT);

/* The owner changes its arguments with the lock that all setters take. */
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
  /* The argument may belong to no object any more. */
  if (!owner)
    return;
  gst_structure_set_value (change, GST_OBJECT_NAME (object), value);
  g_object_set (owner, "arguments", change, NULL);
}

static void
gst_gl_opencl_argument_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLArgument *self = GST_GL_OPENCL_ARGUMENT (object);
  g_autoptr (GstObject) owner = gst_object_get_parent (GST_OBJECT (self));
  g_autoptr (GstStructure) arguments = NULL;
  gdouble number;

  if (id != PROP_VALUE) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  GST_OBJECT_LOCK (self);
  number = self->default_value;
  GST_OBJECT_UNLOCK (self);
  if (owner)
    g_object_get (owner, "arguments", &arguments, NULL);
  if (arguments)
    gst_structure_get_double (arguments, GST_OBJECT_NAME (self), &number);
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
   * The value of the argument. The kernel says which values are possible.
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
gst_gl_opencl_argument_init (GstGLOpenCLArgument * self)
{
  (void) self;
}

GstGLOpenCLArgument *
gst_gl_opencl_argument_new (GstObject * owner, const OclUserArgument * argument)
{
  GstGLOpenCLArgument *self = g_object_new (GST_TYPE_GL_OPENCL_ARGUMENT,
      "name", argument->name, NULL);

  gst_gl_opencl_argument_set_default (self, argument->default_value);
  gst_object_set_parent (GST_OBJECT (self), owner);
  return self;
}

void
gst_gl_opencl_argument_set_default (GstGLOpenCLArgument * self, gdouble value)
{
  GST_OBJECT_LOCK (self);
  self->default_value = value;
  GST_OBJECT_UNLOCK (self);
}
