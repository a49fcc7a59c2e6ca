/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses and checks the command line of glopencl-denoise. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DENOISE_ERROR (g_quark_from_static_string ("denoise"))

/* A part of a video that is filtered separately: the frames to write, and the
 * other frames that the filter needs, so that each written frame is identical
 * to that of a run over the complete video. Times are in the time base of the
 * first video. */
typedef struct
{
  gint64 first;                 /* time of the first frame to write */
  gint64 end;                   /* time of the frame after the last one, or
                                 * G_MAXINT64 */
  /* denoise_input_seek() sets these. */
  gint64 key;                   /* where decoding begins, or AV_NOPTS_VALUE for
                                 * the start of the video */
  gint64 lead;                  /* time of the first frame that the filter
                                 * needs */
} DenoiseSegment;

/* Parses "FIRST:END", two integers of which either may be omitted. Returns
 * FALSE if @text is invalid, or if END is not after FIRST. */
gboolean denoise_segment_parse (const gchar * text, DenoiseSegment * self);

/* The values of --codec: as a text for the help and as an array that ends with
 * NULL. They are the names in denoisecodec.c. */
#define DENOISE_CODEC_NAMES "h264, h265, vp9, av1 or ffv1"
extern const gchar *const denoise_codec_names[];

typedef enum
{
  DENOISE_CONTAINER_MATROSKA,
  DENOISE_CONTAINER_MP4,
  DENOISE_CONTAINER_WEBM,
  DENOISE_CONTAINER_MOV,
  DENOISE_CONTAINER_Y4M,        /* a pipe: one video, not encoded */
  DENOISE_CONTAINER_PART        /* NUT, which has exact times */
} DenoiseContainer;

/* Name of standard input as INPUT and of standard output as OUTPUT. */
#define DENOISE_PIPE "-"

typedef struct
{
  gchar *input;                 /* DENOISE_PIPE: y4m on standard input */
  gchar *output;                /* as given by the user */
  gchar *target;                /* the output, symbolic links resolved */
  DenoiseContainer container;
  DenoiseContainer film_container;      /* container of the complete video of a
                                         * part */
  gboolean restart;             /* removes the parts of an interrupted run */

  gchar *device;                /* of the elements, or NULL */
  gchar **parts;                /* parts to read the first video from, or
                                 * NULL */
  DenoiseSegment segment;       /* for DENOISE_CONTAINER_PART */

  /* A preview: writes only this range. */
  gint64 start;                 /* in microseconds from the first timestamp */
  gint64 duration;              /* in microseconds, G_MAXINT64: to the end */
  gboolean compare;             /* the left half of each frame is unfiltered */

  gchar *filter;                /* elements, in gst-launch syntax */
  gboolean measures_noise;      /* the default filter, without --noise */
  gchar *preset;                /* of one of the elements, or NULL */
  gchar *codec;                 /* one of the names, or NULL */
  gchar *speed;                 /* preset of the encoder, or NULL */
  gint quality;                 /* constant rate factor, 0 to 51 */
  gint bits;                    /* output bit depth, 0: as the input */
  gboolean lossless;
  gboolean deinterlace;
  gboolean scale_to_first;      /* scales frames of other sizes to the first
                                 * one */
  gboolean partial;             /* accepts a truncated or damaged file */
  gboolean force;               /* replaces an existing output */
} DenoiseOptions;

/* Fills @options, which the caller must clear in any case. With --help or
 * --version this function ends the program. Asks on the terminal, if there is
 * one, whether an existing output may be replaced. Returns FALSE and sets
 * @error, one line, if the input does not exist or is empty, the output cannot
 * be written, or a value is out of range. */
gboolean denoise_options_parse (DenoiseOptions * options, int argc,
    char **argv, GError ** error);

void denoise_options_clear (DenoiseOptions * options);

/* Returns the name of the input for messages. */
const gchar *denoise_options_name_input (const DenoiseOptions * options);

/* Returns whether @options select a range of the video. */
gboolean denoise_options_have_range (const DenoiseOptions * options);

/* Returns the suffix, such as ".mkv", or "y4m". */
const gchar *denoise_container_get_suffix (DenoiseContainer container);

G_END_DECLS
