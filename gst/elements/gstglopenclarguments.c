/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclarguments.h"

static void
free_child (gpointer child)
{
  if (child)
    gst_object_unparent (child);
}

void
gst_gl_opencl_arguments_init (GstGLOpenCLArguments * self, GstObject * owner)
{
  self->owner = owner;
  g_mutex_init (&self->mutex);
  self->children = g_ptr_array_new_with_free_func (free_child);
}

void
gst_gl_opencl_arguments_dispose (GstGLOpenCLArguments * self)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_set_size (self->children, 0);
  g_clear_pointer (&self->text, g_free);
  g_mutex_unlock (&self->mutex);
}

void
gst_gl_opencl_arguments_clear (GstGLOpenCLArguments * self)
{
  g_ptr_array_unref (self->children);
  g_free (self->text);
  g_mutex_clear (&self->mutex);
}

/* Returns the child for an argument: the one that has its name, which is taken
 * out of the present children, or a new one. The caller holds the mutex, and
 * owns the child. */
static GstGLOpenCLArgument *
gst_gl_opencl_arguments_take_child (GstGLOpenCLArguments * self,
    const OclUserArgument * argument)
{
  for (guint i = 0; i < self->children->len; i++) {
    GstGLOpenCLArgument *child = self->children->pdata[i];

    if (!child || !g_str_equal (GST_OBJECT_NAME (child), argument->name))
      continue;
    self->children->pdata[i] = NULL;
    gst_gl_opencl_argument_set_default (child, argument->default_value);
    return child;
  }
  return gst_gl_opencl_argument_new (self->owner, argument);
}

/* Takes the mutex, and makes the children those of the present kernel. */
static void
gst_gl_opencl_arguments_lock (GstGLOpenCLArguments * self)
{
  g_autofree gchar *text = NULL;

  g_object_get (self->owner, "source", &text, NULL);
  g_mutex_lock (&self->mutex);
  /* A link that was replaced has no text any more. */
  if (!text || g_strcmp0 (text, self->text) == 0)
    return;
  g_autoptr (OclUserSource) source = ocl_user_source_new ("", text, NULL);
  GPtrArray *children = g_ptr_array_new_with_free_func (free_child);
  for (guint i = 0; source && i < source->n_arguments; i++)
    g_ptr_array_add (children, gst_gl_opencl_arguments_take_child (self,
            &source->arguments[i]));
  g_ptr_array_unref (self->children);
  self->children = children;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
}

guint
gst_gl_opencl_arguments_count (GstGLOpenCLArguments * self)
{
  gst_gl_opencl_arguments_lock (self);
  const guint n = self->children->len;
  g_mutex_unlock (&self->mutex);
  return n;
}

GObject *
gst_gl_opencl_arguments_get (GstGLOpenCLArguments * self, guint index)
{
  GObject *child = NULL;

  gst_gl_opencl_arguments_lock (self);
  if (index < self->children->len)
    child = g_object_ref (self->children->pdata[index]);
  g_mutex_unlock (&self->mutex);
  return child;
}

void
gst_gl_opencl_arguments_sync (GstGLOpenCLArguments * self,
    GstClockTime stream_time)
{
  GstObject *children[OCL_USER_MAX_ARGUMENTS];
  guint n;

  /* A value is set without the mutex. */
  g_mutex_lock (&self->mutex);
  n = self->children->len;
  for (guint i = 0; i < n; i++)
    children[i] = gst_object_ref (self->children->pdata[i]);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < n; i++) {
    gst_object_sync_values (children[i], stream_time);
    gst_object_unref (children[i]);
  }
}
