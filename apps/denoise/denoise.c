/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters the video of a file and keeps everything else. See --help.
 * pipelines/denoise.sh installs the dependencies, and builds and runs this
 * program.
 * Read the headers in this order: denoiseoptions.h, supervisor.h (safe output
 * files), denoisefilm.h, denoiseinput.h, denoisetrack.h (one track from input
 * to output), denoiseoutput.h, denoisevideo.h (decodes), denoiseframes.h
 * (filters and encodes), denoiseparts.h (parts of a video and their
 * concatenation), denoisepipeline.h, denoisecodec.h and denoiseformat.h (depth
 * and colours). */
#include "denoisefilm.h"
#include "denoiseoptions.h"
#include "denoiseparts.h"
#include "supervisor.h"

#include <locale.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <gst/gst.h>

#define PROGRAM "glopencl-denoise"
/* This much more quantization about halves the size. */
#define QUALITY_STEP 5
#define MAX_QUALITY 51

static gboolean
write_film (gint part, FILE * terminal, gpointer user_data)
{
  const DenoiseOptions *options = user_data;
  g_autoptr (GError) error = NULL;

  /* OpenGL can render without a display. There are no other threads yet. */
  if (!g_getenv ("DISPLAY") && !g_getenv ("WAYLAND_DISPLAY"))
    g_setenv ("GST_GL_WINDOW", "egl-device", FALSE);
  if (!gst_init_check (NULL, NULL, &error)) {
    fprintf (terminal, PROGRAM ": %s\n", error->message);
    return FALSE;
  }
  fprintf (terminal, "Filtering %s with %s\n",
      denoise_options_name_input (options), options->filter);
  return denoise_film_write (options, part, terminal);
}

static gchar *
format_size (gint64 bytes)
{
  return bytes >= 1000 * 1000 ? g_strdup_printf ("%.1f MB", bytes / 1e6)
      : g_strdup_printf ("%.1f kB", bytes / 1e3);
}

/* Compares the sizes of the input and of the complete output. */
static void
print_sizes (const DenoiseOptions * options)
{
  struct stat input, output;

  if (options->container == DENOISE_CONTAINER_Y4M
      || options->container == DENOISE_CONTAINER_PART
      || stat (options->target, &output) != 0)
    return;
  g_autofree gchar *size = format_size (output.st_size);

  fprintf (stderr, "%s", size);
  if (!denoise_options_have_range (options)
      && stat (options->input, &input) == 0 && S_ISREG (input.st_mode)) {
    g_autofree gchar *before = format_size (input.st_size);

    fprintf (stderr, ", input %s", before);
    if (output.st_size > input.st_size
        && g_strcmp0 (options->codec, "ffv1") != 0
        && options->quality + QUALITY_STEP <= MAX_QUALITY)
      fprintf (stderr, ". Use --quality %d for a smaller file",
          options->quality + QUALITY_STEP);
  }
  fputc ('\n', stderr);
}

/* Prints the parts of a long video that was not completed. */
static void
print_parts (const DenoiseOptions * options)
{
  g_autofree gchar *folder = denoise_parts_name_folder (options);
  gint64 bytes;
  const guint n = denoise_parts_measure (folder, &bytes);
  g_autofree gchar *size = format_size (bytes);

  if (n > 0)
    fprintf (stderr, "%u parts (%s) are kept in %s. Run the same command to "
        "resume, or add --restart to start again\n", n, size, folder);
  else
    denoise_parts_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  DenoiseOptions options;
  g_autoptr (GError) error = NULL;
  int status = EXIT_FAILURE;

  setlocale (LC_ALL, "");
  if (denoise_options_parse (&options, argc, argv, &error)) {
    const gboolean is_pipe = options.container == DENOISE_CONTAINER_Y4M;

    status = supervisor_run (PROGRAM, is_pipe ? NULL : options.target,
        is_pipe ? "standard output" : options.output, options.force,
        write_film, &options);
    if (!is_pipe && status == EXIT_SUCCESS)
      denoise_parts_remove (&options);
    else if (!is_pipe)
      print_parts (&options);
    if (status == EXIT_SUCCESS)
      print_sizes (&options);
  } else {
    fprintf (stderr, PROGRAM ": %s\n", error->message);
  }
  denoise_options_clear (&options);
  return status;
}
