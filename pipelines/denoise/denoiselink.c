/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiselink.h"

#include "denoisecopy.h"
#include "denoisevideo.h"

/* What nobody takes has to go somewhere. */
static gboolean
drop (DenoiseTrack * track, GstPad * source)
{
  static const gchar *const names[] = { "fakesink" };
  g_autofree gchar *name = denoise_track_dup_name (track);
  GstElement *sink;

  denoise_report_loss (track->studio->report, "%s (%s holds none)", name,
      denoise_container_get_suffix (track->studio->options->container));
  if (!denoise_track_build (track, names, &sink, 1))
    return FALSE;
  g_object_set (sink, "async", FALSE, NULL);
  denoise_track_start (&sink, 1);
  g_autoptr (GstPad) sink_pad = gst_element_get_static_pad (sink, "sink");
  return gst_pad_link (source, sink_pad) == GST_PAD_LINK_OK;
}

void
denoise_link_track (DenoiseTrack * track, const GstCaps * caps)
{
  GstPad *source = track->source;
  gboolean built = TRUE;

  if (track->kind == DENOISE_TRACK_VIDEO)
    built = denoise_video_build (track, source);
  else if (track->kind != DENOISE_TRACK_OTHER)
    built = denoise_copy_build (track, source, caps);
  if (built && !gst_pad_is_linked (source))
    built = drop (track, source);
  if (!built) {
    g_autofree gchar *name = denoise_track_dup_name (track);
    denoise_report_error (track->studio->report, "%s cannot be linked", name);
  }
}
