/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reference filter as a program, for tests that are not written in C: one
 * RGBA frame on standard input, width * height * 3 doubles in the machine's
 * byte order on standard output. */

#include "reference.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* in the order of the enumerations */
static const char *const color_modes[] = {
  "intensity", "per-channel", "lab", NULL
};

static const char *const windows[] = { "square", "disc", NULL };

static const char *const borders[] = {
  "clamp-to-edge", "reflect", "reflect-101", "wrap", "constant", NULL
};

static _Noreturn void
usage (const char *complaint)
{
  fprintf (stderr, "referencetool: %s\n"
      "usage: referencetool WIDTH HEIGHT SPATIAL-SIGMA INTENSITY-SIGMA RADIUS\n"
      "           COLOR-MODE WINDOW BORDER [R,G,B,A] <RGBA >DOUBLES\n"
      "  COLOR-MODE  intensity, per-channel or lab\n"
      "  WINDOW      square or disc\n"
      "  BORDER      clamp-to-edge, reflect, reflect-101, wrap or constant\n"
      "  [R,G,B,A]   what constant reads, 0 to 255 each; black if not given\n",
      complaint);
  exit (2);
}

/* The upper limit is beyond any frame worth comparing, and keeps the sums of
 * sizes within an int. */
static int
parse_integer (const char *text, long minimum)
{
  char *end;
  long value;

  errno = 0;
  value = strtol (text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < minimum
      || value > SHRT_MAX)
    usage (text);
  return (int) value;
}

static double
parse_sigma (const char *text)
{
  char *end;
  double value = strtod (text, &end);

  if (end == text || *end != '\0' || !(value >= 0.0))
    usage (text);
  return value;
}

static int
parse_name (const char *text, const char *const *names)
{
  int index;

  for (index = 0; names[index] != NULL; index++)
    if (strcmp (text, names[index]) == 0)
      return index;
  usage (text);
}

static void
parse_colour (const char *text, uint8_t colour[4])
{
  unsigned int channels[4];
  int length = -1;
  int index;

  if (sscanf (text, "%3u,%3u,%3u,%3u%n", &channels[0], &channels[1],
          &channels[2], &channels[3], &length) != 4 || text[length] != '\0')
    usage (text);
  for (index = 0; index < 4; index++) {
    if (channels[index] > 255)
      usage (text);
    colour[index] = (uint8_t) channels[index];
  }
}

/* The arguments from SPATIAL-SIGMA on. */
static void
parse_parameters (char **arguments, ReferenceBilateral * params)
{
  static const uint8_t black[4] = { 0, 0, 0, 255 };

  params->spatial_sigma = parse_sigma (arguments[0]);
  params->intensity_sigma = parse_sigma (arguments[1]);
  params->radius = parse_integer (arguments[2], -1);
  params->color_mode = (ReferenceColorMode) parse_name (arguments[3],
      color_modes);
  params->window = (ReferenceWindow) parse_name (arguments[4], windows);
  params->border = (ReferenceBorder) parse_name (arguments[5], borders);
  memcpy (params->border_color, black, sizeof black);
  if (arguments[6] != NULL)
    parse_colour (arguments[6], params->border_color);
}

int
main (int argc, char **argv)
{
  ReferenceBilateral params;
  size_t pixels;
  uint8_t *rgba;
  double *output;
  int width, height;

  if (argc != 9 && argc != 10)
    usage ("wrong number of arguments");
  width = parse_integer (argv[1], 1);
  height = parse_integer (argv[2], 1);
  parse_parameters (argv + 3, &params);

  pixels = height * (size_t) width;
  rgba = malloc (pixels * 4);
  output = malloc (pixels * 3 * sizeof (double));
  if (rgba == NULL || output == NULL)
    usage ("out of memory");
  if (fread (rgba, 4, pixels, stdin) != pixels || getchar () != EOF)
    usage ("standard input is not one frame of that size");

  reference_bilateral (&params, rgba, width * 4, width, height, output);

  if (fwrite (output, 3 * sizeof (double), pixels, stdout) != pixels
      || fflush (stdout) != 0) {
    perror ("referencetool");
    return 1;
  }
  free (rgba);
  free (output);
  return 0;
}
