/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters the video of a file and keeps everything else; see its --help.
 * pipelines/denoise.sh installs the dependencies, and builds and runs this
 * program.
 *
 * Read the headers in this order: denoiseoptions.h, supervisor.h (safe files),
 * denoisefilm.h, denoiseinput.h, denoisetrack.h (the way of a track),
 * denoiseoutput.h, denoisevideo.h (decodes), denoiseframes.h (filters and
 * encodes), denoisesegment.h and denoiseparts.h (parts of a film, and a film
 * joined of them), denoisepipeline.h, denoisecodec.h and denoiseformat.h (depth
 * and colours). */
#include "denoisefilm.h"
#include "denoiseoptions.h"
#include "supervisor.h"

#include <locale.h>
#include <stdlib.h>

#include <gst/gst.h>

#define PROGRAM "glopencl-denoise"

/* Without a display OpenGL can still render. Before there are threads. */
static void
choose_window (void)
{
  if (!g_getenv ("DISPLAY") && !g_getenv ("WAYLAND_DISPLAY"))
    g_setenv ("GST_GL_WINDOW", "egl-device", FALSE);
}

static gboolean
write_film (gint part, FILE * terminal, gpointer user_data)
{
  const DenoiseOptions *options = user_data;
  g_autoptr (GError) error = NULL;

  choose_window ();
  if (!gst_init_check (NULL, NULL, &error)) {
    fprintf (terminal, PROGRAM ": %s\n", error->message);
    return FALSE;
  }
  fprintf (terminal, "Filtering %s with %s\n", options->input, options->filter);
  return denoise_film_write (options, part, terminal);
}

int
main (int argc, char **argv)
{
  DenoiseOptions options;
  g_autoptr (GError) error = NULL;
  int status = EXIT_FAILURE;

  setlocale (LC_ALL, "");
  if (denoise_options_parse (&options, argc, argv, &error))
    status =
        supervisor_run (PROGRAM, options.target, options.output, options.force,
        write_film, &options);
  else
    fprintf (stderr, PROGRAM ": %s\n", error->message);
  denoise_options_clear (&options);
  return status;
}
