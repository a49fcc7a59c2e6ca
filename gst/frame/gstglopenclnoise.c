/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclnoise.h"

#include "opencl/histogram/oclhistogram.h"

/**
 * GstGLOpenCLDenoise:noise-messages:
 *
 * Posts an element message for every frame whose noise is estimated. It is
 * called `glopencldenoise-noise` and has the times of the frame, a number for
 * each channel, the standard deviation of the noise in levels of 8 bits, and
 * `kind`: `white`, `correlated` or `encoded`.
 *
 * Since: 0.1
 */
const OclParam gst_gl_opencl_noise_params[] = {
  {"noise-messages", "Post an element message with the estimated noise of "
        "every frame. While " G_STRINGIFY (GST_GL_OPENCL_MAX_MESSAGES)
        " messages are unread on the bus, further messages are dropped",
      OCL_PARAM_BOOLEAN, G_STRUCT_OFFSET (GstGLOpenCLNoiseSettings, messages)},
  {NULL},
};

struct _GstGLOpenCLNoise
{
  GstGLOpenCLMessages messages;
  GMutex lock;
  /* These members belong to the last frame; the lock protects them. */
  OclNoiseResult last;
  OclSpectrumResult spectrum;
  const OclFormat *format;      /* NULL if there is no noise */
};

GstGLOpenCLNoise *
gst_gl_opencl_noise_new (GstElement * element)
{
  GstGLOpenCLNoise *self = g_new0 (GstGLOpenCLNoise, 1);

  self->messages.element = element;
  self->messages.subject = "noise";
  self->messages.remedy = "noise-messages to false";
  g_mutex_init (&self->lock);
  return self;
}

void
gst_gl_opencl_noise_free (GstGLOpenCLNoise * self)
{
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
gst_gl_opencl_noise_frame_init (GstGLOpenCLNoiseFrame * frame,
    const GstGLOpenCLNoiseSettings * settings, const GstSegment * segment,
    GstBuffer * buffer)
{
  frame->settings = *settings;
  frame->times = gst_gl_opencl_times_get (segment, buffer);
  frame->found = FALSE;
}

gboolean
gst_gl_opencl_noise_frame_prepare (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl, GError ** error)
{
  return ocl_result_ensure (&frame->result, ocl, sizeof (OclNoiseResult), error)
      && ocl_result_ensure (&frame->spectrum, ocl, sizeof (OclSpectrumResult),
      error);
}

void
gst_gl_opencl_noise_frame_clear (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl)
{
  ocl_result_clear (&frame->result, ocl);
  ocl_result_clear (&frame->spectrum, ocl);
}

gboolean
gst_gl_opencl_noise_frame_enqueue (GstGLOpenCLNoiseFrame * frame,
    OclFilter * filter, const OclFormat * format, OclTimer * timer,
    GError ** error)
{
  OclContext *ocl = ocl_filter_get_context (filter);
  OclResult *noise = ocl_filter_find_result (filter, &ocl_noise_class);
  OclResult *spectrum = ocl_filter_find_result (filter, &ocl_spectrum_class);

  frame->found = noise != NULL;
  frame->has_spectrum = spectrum != NULL;
  frame->format = format;
  /* The next frame overwrites the noise, maybe before it is read. */
  return (!noise || ocl_result_enqueue_copy (noise, &frame->result, ocl,
          sizeof (OclNoiseResult), timer, error))
      && (!spectrum || ocl_result_enqueue_copy (spectrum, &frame->spectrum,
          ocl, sizeof (OclSpectrumResult), timer, error));
}

gboolean
gst_gl_opencl_noise_frame_enqueue_read (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl, OclTimer * timer, GError ** error)
{
  return (!frame->found || ocl_result_enqueue_read (&frame->result, ocl,
          sizeof (OclNoiseResult), timer, error))
      && (!frame->has_spectrum || ocl_result_enqueue_read (&frame->spectrum,
          ocl, sizeof (OclSpectrumResult), timer, error));
}

/* The kind of the noise of a channel. Noise that varies from block to block is
 * encoded. Correlated noise has a third to a half of its level in the high
 * frequencies, encoded noise that varies little has 0.7 to 0.9. */
static const gchar *
get_kind (const OclNoiseResult * noise, const OclSpectrumResult * spectrum,
    guint channel)
{
  const gfloat ratio = spectrum->ratio[channel];
  const gfloat slope = spectrum->slope[channel];

  if (spectrum->mean[channel] <= noise->sigma[channel]
      || (slope > 0.92f && ratio < 1.3f))
    return "white";
  return slope < 0.62f && ratio < 1.45f ? "correlated" : "encoded";
}

/* Adds a field for each channel of @format whose noise is estimated, and its
 * kind. Returns whether there is any. */
static gboolean
add_channels (const OclNoiseResult * noise, const OclSpectrumResult * spectrum,
    const OclFormat * format, GstStructure * structure)
{
  const guint n =
      MIN (OCL_NOISE_N_CHANNELS, ocl_histogram_get_n_channels (format));
  gboolean found = FALSE;

  for (guint i = 0; i < n; i++) {
    if (noise->n_estimates[i] == 0)
      continue;
    gst_structure_set (structure, ocl_histogram_get_channel_name (format, i),
        G_TYPE_DOUBLE, (gdouble) MAX (noise->sigma[i], spectrum->mean[i]),
        NULL);
    if (!found)
      gst_structure_set (structure, "kind", G_TYPE_STRING,
          get_kind (noise, spectrum, i), NULL);
    found = TRUE;
  }
  return found;
}

void
gst_gl_opencl_noise_emit (GstGLOpenCLNoise * self,
    const GstGLOpenCLNoiseFrame * frame, GstBuffer * buffer)
{
  const OclNoiseResult *noise = frame->result.host.data;
  OclSpectrumResult spectrum = { 0 };

  if (frame->has_spectrum)
    spectrum = *(const OclSpectrumResult *) frame->spectrum.host.data;
  g_mutex_lock (&self->lock);
  self->format = frame->found ? frame->format : NULL;
  if (frame->found) {
    self->last = *noise;
    self->spectrum = spectrum;
  }
  g_mutex_unlock (&self->lock);
  if (!frame->found || !frame->settings.messages)
    return;

  GstStructure *structure =
      gst_gl_opencl_messages_create (&self->messages, &frame->times, buffer);
  if (structure && !add_channels (noise, &spectrum, frame->format, structure))
    g_clear_pointer (&structure, gst_structure_free);
  if (structure)
    gst_gl_opencl_messages_post (&self->messages, structure);
}

void
gst_gl_opencl_noise_add_stats (GstGLOpenCLNoise * self, GstStructure * stats)
{
  GstStructure *noise = gst_structure_new_empty ("noise");

  g_mutex_lock (&self->lock);
  if (self->format
      && add_channels (&self->last, &self->spectrum, self->format, noise))
    gst_structure_set (stats, "noise", GST_TYPE_STRUCTURE, noise, NULL);
  g_mutex_unlock (&self->lock);
  gst_structure_free (noise);
}

void
gst_gl_opencl_noise_reset_stats (GstGLOpenCLNoise * self)
{
  g_mutex_lock (&self->lock);
  self->format = NULL;
  g_mutex_unlock (&self->lock);
  self->messages.dropped = FALSE;
}
