/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The command line of denoise, checked. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DENOISE_ERROR (g_quark_from_static_string ("denoise"))

/* What --codec takes, for people and, ended by NULL, for programs: the names of
 * denoisecodec.c. */
#define DENOISE_CODEC_NAMES "h264, h265, vp9 or ffv1"
extern const gchar *const denoise_codec_names[];

typedef enum
{
  DENOISE_CONTAINER_MATROSKA,
  DENOISE_CONTAINER_MP4
} DenoiseContainer;

typedef struct
{
  gchar *input;
  gchar *output;                /* as the user calls it */
  gchar *target;                /* the same behind symbolic links */
  DenoiseContainer container;

  gchar *filter;                /* elements, as gst-launch-1.0 takes them */
  gchar *codec;                 /* one of the names, or NULL */
  gint quality;                 /* constant rate factor, 0 to 51 */
  gint bits;                    /* of the result, 0: those of the input */
  gboolean lossless;
  gboolean deinterlace;
  gboolean partial;             /* takes what there is of a cut-off file */
} DenoiseOptions;

/* Fills @options, which the caller clears in any case. The program ends in here
 * where --help asks for nothing else. FALSE and @error, one line: no such file,
 * nothing in it, an output that cannot be written, a value out of range. */
gboolean denoise_options_parse (DenoiseOptions * options, int argc,
    char **argv, GError ** error);

void denoise_options_clear (DenoiseOptions * options);

/* ".mkv" or ".mp4". */
const gchar *denoise_container_get_suffix (DenoiseContainer container);

G_END_DECLS
