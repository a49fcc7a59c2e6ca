/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclchains.h"

#include "gstglopenclerror.h"

void
gst_gl_opencl_chains_clear (GstGLOpenCLChains * self)
{
  ocl_filter_set (&self->chain, NULL);
  ocl_filter_set (&self->next, NULL);
  ocl_links_clear (&self->good);
  ocl_links_clear (&self->refused);
}

/* Returns the chain for @flight, or creates it. A flight that waits for later
 * frames keeps its chain. */
static OclFilter *
gst_gl_opencl_chains_find (GstGLOpenCLChains * self,
    const GstGLOpenCLFlight * flight, OclContext * ocl)
{
  const OclLinks *links = &flight->links;

  if (flight->chain && ocl_filter_get_id (flight->chain) == links->id)
    return flight->chain;
  if (self->chain && ocl_filter_get_id (self->chain) == links->id)
    return self->chain;
  if (!self->next || ocl_filter_get_id (self->next) != links->id) {
    g_clear_pointer (&self->next, ocl_filter_unref);
    self->next = ocl_filter_new (links, ocl);
    ocl_filter_set_uses_database (self->next, self->uses_database);
  }
  return self->next;
}

/* Copies the texts of the last graph to @links or, if it has other operations,
 * its operations. */
static void
gst_gl_opencl_chains_go_back (GstGLOpenCLChains * self, OclLinks * links)
{
  if (links->id != self->good.id) {
    ocl_links_copy (links, &self->good);
    return;
  }
  for (guint i = 0; i < links->n; i++) {
    const OclLink *good = &self->good.items[i];

    if (good->klass->flags & OCL_OPERATION_IS_TEXT)
      ocl_params_copy (good->klass->params, good->klass->params_size,
          links->items[i].params, good->params);
  }
}

/* Sets the chain in use to @chain with @links. Frames in flight have references
 * to the previous chain. */
static void
gst_gl_opencl_chains_keep (GstGLOpenCLChains * self, OclFilter * chain,
    const OclLinks * links)
{
  ocl_filter_set (&self->chain, chain);
  if (self->next == chain)
    ocl_filter_set (&self->next, NULL);
  if (self->changes)
    ocl_links_copy (&self->good, links);
}

/* Returns whether the operations of @flight are built, or starts to build
 * them. */
static gboolean
gst_gl_opencl_chains_build (GstGLOpenCLChains * self,
    const GstGLOpenCLFlight * flight, OclContext * ocl,
    const OclFrameInfo * info)
{
  OclFilter *chain = gst_gl_opencl_chains_find (self, flight, ocl);
  g_autoptr (GError) error = NULL;

  if (!ocl_filter_is_ready (chain, info, &flight->links))
    return FALSE;
  g_autoptr (OclGraph) graph =
      ocl_filter_get_graph (chain, info, &flight->links, &error);
  if (graph) {
    gst_gl_opencl_chains_keep (self, chain, &flight->links);
    return TRUE;
  }
  /* The error replaces the warning. */
  GError *warning = ocl_filter_take_warning (chain);
  g_clear_error (&warning);
  ocl_links_copy (&self->refused, &flight->links);
  gst_gl_opencl_error_warn (self->element, error);
  return FALSE;
}

void
gst_gl_opencl_chains_settle (GstGLOpenCLChains * self,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info)
{
  if (self->good.id != 0
      && !ocl_links_have_same_texts (&self->good, &flight->links)
      && (ocl_links_have_same_texts (&self->refused, &flight->links)
          || !gst_gl_opencl_chains_build (self, flight, ocl, info)))
    gst_gl_opencl_chains_go_back (self, &flight->links);
  /* This chain may be replaced while the flight waits. */
  if (self->chain && ocl_filter_get_id (self->chain) == flight->links.id)
    ocl_filter_set (&flight->chain, self->chain);
}

void
gst_gl_opencl_chains_set_format (GstGLOpenCLChains * self,
    const OclFormat * format)
{
  ocl_links_clear (&self->refused);
  if (self->good.id != 0 && !ocl_links_check (&self->good, format, NULL))
    ocl_links_clear (&self->good);
}

OclGraph *
gst_gl_opencl_chains_get_graph (GstGLOpenCLChains * self,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info,
    GError ** error)
{
  OclFilter *chain = gst_gl_opencl_chains_find (self, flight, ocl);
  OclGraph *graph = ocl_filter_get_graph (chain, info, &flight->links, error);
  g_autoptr (GError) warning = NULL;

  if (!graph)
    return NULL;
  ocl_filter_set (&flight->chain, chain);
  /* A flight that has waited may have the previous chain. */
  if (!self->chain || self->next == chain || self->chain == chain)
    gst_gl_opencl_chains_keep (self, chain, &flight->links);
  warning = ocl_filter_take_warning (chain);
  if (warning)
    gst_gl_opencl_error_warn (self->element, warning);
  return graph;
}
