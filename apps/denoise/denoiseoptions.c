/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseoptions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/parseutils.h>

#define DEFAULT_FILTER "glopencldenoise lookahead=2"
#define MAX_STRENGTH 10.0
#define MAX_NOISE 255.0
#define NOT_GIVEN (-G_MAXDOUBLE)
#define NO_QUALITY (-1)
#define DEFAULT_QUALITY 18
#define MAX_QUALITY 51
/* The kernel's limit of symbolic links. */
#define MAX_LINKS 40

const gchar *const denoise_codec_names[] = {
  "h264", "h265", "vp9", "av1", "ffv1", NULL
};

static const gchar *const suffixes[] = {
  [DENOISE_CONTAINER_MATROSKA] = ".mkv",
  [DENOISE_CONTAINER_MP4] = ".mp4",
  [DENOISE_CONTAINER_WEBM] = ".webm",
  [DENOISE_CONTAINER_MOV] = ".mov",
  [DENOISE_CONTAINER_Y4M] = "y4m",
  [DENOISE_CONTAINER_PART] = ".nut"
};

const gchar *
denoise_container_get_suffix (DenoiseContainer container)
{
  return suffixes[container];
}

const gchar *
denoise_options_name_input (const DenoiseOptions * options)
{
  return g_str_equal (options->input, DENOISE_PIPE) ? "standard input"
      : options->input;
}

gboolean
denoise_options_have_range (const DenoiseOptions * options)
{
  return options->start > 0 || options->duration != G_MAXINT64;
}

static gboolean
find_container (const gchar * name, DenoiseContainer * container)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    if (suffixes[i][0] == '.' && g_str_has_suffix (lower, suffixes[i])) {
      *container = i;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
fail (GError ** error, const gchar * name, const gchar * reason)
{
  g_set_error (error, DENOISE_ERROR, 0, "%s: %s", name, reason);
  return FALSE;
}

/* Reports the command for an input that is not a file: a URI, a device, or a
 * file name pattern. */
static gboolean
refuse_input (const gchar * name, const gchar * what, const gchar * command,
    GError ** error)
{
  g_autofree gchar *reason = g_strdup_printf ("%s. Pass a file, or y4m on "
      "standard input: %s", what, command);

  return fail (error, name, reason);
}

/* Reports why a file cannot be read. @code is the error of stat(). */
static gboolean
explain_missing (const gchar * name, gint code, GError ** error)
{
  g_autofree gchar *command = NULL;

  if (strstr (name, "://")) {
    command = g_strdup_printf ("ffmpeg -i %s -f yuv4mpegpipe -strict -1 - | "
        "glopencl-denoise - OUTPUT", name);
    return refuse_input (name, "URIs are not supported", command, error);
  }
  if (code == ENOENT && strpbrk (name, "%*?[")) {
    command = g_strdup_printf ("ffmpeg %s-i '%s' -f yuv4mpegpipe -strict -1 - |"
        " glopencl-denoise - OUTPUT", strchr (name, '%') ? ""
        : "-pattern_type glob ", name);
    return refuse_input (name, "no such file, and file name patterns are "
        "not supported", command, error);
  }
  return fail (error, name, code == ENOENT ? "no such file"
      : g_strerror (code));
}

static gboolean
check_input (const gchar * name, struct stat *status, GError ** error)
{
  memset (status, 0, sizeof (*status));
  if (g_str_equal (name, DENOISE_PIPE))
    return !isatty (STDIN_FILENO) || fail (error, "standard input", "is a "
        "terminal. Pipe y4m into it");
  if (stat (name, status) != 0)
    return explain_missing (name, errno, error);
  if (S_ISDIR (status->st_mode))
    return fail (error, name, "is a folder");
  if (S_ISFIFO (status->st_mode))
    return refuse_input (name, "is a pipe, and seeking in it is not "
        "possible", "glopencl-denoise - OUTPUT <PIPE", error);
  if (S_ISCHR (status->st_mode))
    return refuse_input (name, "devices are not supported", "ffmpeg -i DEVICE "
        "-f yuv4mpegpipe - | glopencl-denoise - OUTPUT. To show a camera: "
        "gst-launch-1.0 v4l2src ! glupload ! glopencldenoise ! glimagesink",
        error);
  if (!S_ISREG (status->st_mode))
    return fail (error, name, "the input must be a file");
  if (status->st_size == 0)
    return fail (error, name, "the file is empty");
  if (access (name, R_OK) != 0)
    return fail (error, name, g_strerror (errno));
  return TRUE;
}

/* The target of a chain of links need not exist. */
static gchar *
follow_links (const gchar * name)
{
  gchar *target = g_strdup (name);

  for (guint i = 0; i < MAX_LINKS; i++) {
    g_autofree gchar *link = g_file_read_link (target, NULL);
    if (!link)
      break;
    g_autofree gchar *folder = g_path_get_dirname (target);
    g_free (target);
    target = g_path_is_absolute (link) ? g_steal_pointer (&link)
        : g_build_filename (folder, link, NULL);
  }
  return target;
}

static gboolean
find_output (DenoiseOptions * options, const gchar * part, GError ** error)
{
  if (g_str_equal (options->output, DENOISE_PIPE)) {
    options->container = options->film_container = DENOISE_CONTAINER_Y4M;
    options->target = g_strdup (DENOISE_PIPE);
    if (isatty (STDOUT_FILENO))
      return fail (error, "standard output", "is a terminal. Pipe it into a "
          "program that reads y4m, or pass a file name");
    return !part || fail (error, "--part", "a part must be a .nut file");
  }
  if (!find_container (options->output, &options->container)
      || (!part && options->container == DENOISE_CONTAINER_PART))
    return fail (error, options->output, "the output must be .mkv, .mp4, "
        ".webm or .mov, or - for y4m on standard output");
  options->film_container = part ? DENOISE_CONTAINER_MATROSKA
      : options->container;
  if (part && options->container != DENOISE_CONTAINER_PART)
    return fail (error, options->output, "a part must be a .nut file");
  if (part && options->parts)
    return fail (error, "--part", "cannot be combined with --join");
  if (part && !denoise_segment_parse (part, &options->segment))
    return fail (error, "--part", "expects two timestamps in the time base "
        "of the video, FIRST:END");
  options->target = follow_links (options->output);
  return TRUE;
}

/* Parses --start and --duration. */
static gboolean
find_range (DenoiseOptions * options, const gchar * start,
    const gchar * duration, const gchar * part, GError ** error)
{
  static const gchar form[] = "expects seconds or HH:MM:SS, optionally with "
      "a fraction";

  options->duration = G_MAXINT64;
  if (start && (av_parse_time (&options->start, start, TRUE) < 0
          || options->start < 0))
    return fail (error, "--start", form);
  if (duration && (av_parse_time (&options->duration, duration, TRUE) < 0
          || options->duration <= 0))
    return fail (error, "--duration", form);
  if ((start || duration || options->compare) && (part || options->parts))
    return fail (error, "--start, --duration and --compare",
        "not available for parts, only for previews");
  return TRUE;
}

/* Returns whether an existing output may be replaced. Sets the option if the
 * user agrees. */
static gboolean
may_replace (DenoiseOptions * options, GError ** error)
{
  gchar answer[16] = "";

  if (options->force)
    return TRUE;
  if (!isatty (STDIN_FILENO) || !isatty (STDERR_FILENO))
    return fail (error, options->output, "already exists. Use --force to "
        "replace it");
  fprintf (stderr, "%s already exists. Replace it? [y/N] ", options->output);
  options->force = fgets (answer, sizeof (answer), stdin)
      && g_ascii_tolower (*answer) == 'y';
  return options->force || fail (error, options->output, "not replaced");
}

static gboolean
check_output (DenoiseOptions * options, const struct stat *input,
    GError ** error)
{
  struct stat status;

  if (options->container == DENOISE_CONTAINER_Y4M)
    return TRUE;
  if (stat (options->target, &status) == 0) {
    if (status.st_dev == input->st_dev && status.st_ino == input->st_ino)
      return fail (error, options->output,
          "the output must be a different file than the input");
    if (S_ISDIR (status.st_mode))
      return fail (error, options->output, "is a folder");
    if (!S_ISREG (status.st_mode))
      return fail (error, options->output, "is not a regular file");
    if (access (options->target, W_OK) != 0)
      return fail (error, options->output, g_strerror (errno));
    if (!may_replace (options, error))
      return FALSE;
  }

  g_autofree gchar *folder = g_path_get_dirname (options->target);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return fail (error, options->output, "no such folder");
  if (access (folder, W_OK | X_OK) != 0)
    return fail (error, options->output, "the folder is not writable");
  return TRUE;
}

/* Checks that the container supports the given codec. */
static gboolean
check_codec (DenoiseOptions * options, GError ** error)
{
  const gchar *codec = options->codec;

  if (codec && !g_strv_contains (denoise_codec_names, codec))
    return fail (error, "--codec", DENOISE_CODEC_NAMES);
  if (options->lossless && g_strcmp0 (codec, "ffv1") != 0) {
    if (codec)
      return fail (error, "--lossless", "requires the codec ffv1");
    codec = options->codec = g_strdup ("ffv1");
  }
  if (g_strcmp0 (codec, "ffv1") == 0
      && options->container == DENOISE_CONTAINER_MP4)
    return fail (error, options->output, "FFV1 requires .mkv or .mov");
  if (options->container == DENOISE_CONTAINER_WEBM && codec
      && !g_str_equal (codec, "vp9") && !g_str_equal (codec, "av1"))
    return fail (error, options->output, ".webm supports vp9 and av1 only");
  if (options->container == DENOISE_CONTAINER_MOV && codec
      && (g_str_equal (codec, "vp9") || g_str_equal (codec, "av1")))
    return fail (error, options->output, ".mov supports h264, h265 and ffv1 "
        "only. Use .mp4 for this codec");
  if (g_strcmp0 (codec, "ffv1") == 0 && options->speed)
    return fail (error, "--speed", "ffv1 has a single speed");
  return TRUE;
}

static gboolean
check_values (DenoiseOptions * options, GError ** error)
{
  if (options->container == DENOISE_CONTAINER_Y4M && (options->codec
          || options->lossless || options->speed
          || options->quality != NO_QUALITY))
    return fail (error, "standard output", "y4m is not encoded. Use "
        "--codec, --quality, --speed and --lossless with a file");
  if (options->quality == NO_QUALITY)
    options->quality = DEFAULT_QUALITY;
  if (options->quality < 0 || options->quality > MAX_QUALITY)
    return fail (error, "--quality", "expects a number from 0 (best) to 51");
  if (options->bits != 0 && options->bits != 8 && options->bits != 10
      && options->bits != 12)
    return fail (error, "--bits", "8, 10 or 12");
  return check_codec (options, error);
}

/* Avoids that a file name is parsed as an option. */
static gchar **
copy_arguments (int argc, char **argv)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();

  for (int i = 0; i < argc; i++)
    g_ptr_array_add (arguments,
        i > 0 && argv[i][0] == '-' && argv[i][1] != '\0'
        && g_file_test (argv[i], G_FILE_TEST_EXISTS)
        ? g_strconcat ("./", argv[i], NULL) : g_strdup (argv[i]));
  g_ptr_array_add (arguments, NULL);
  return (gchar **) g_ptr_array_free (g_steal_pointer (&arguments), FALSE);
}

static gboolean
print_version (const gchar * name, const gchar * value, gpointer user_data,
    GError ** error)
{
  (void) name;
  (void) value;
  (void) user_data;
  (void) error;
  printf ("glopencl-denoise %s\n", GLOPENCL_VERSION);
  exit (EXIT_SUCCESS);
}

/* Arguments that are converted to options. */
typedef struct
{
  gchar **files;
  gchar *part;
  gchar *start;
  gchar *duration;
  gdouble strength;
  gdouble noise;
} Arguments;

static gboolean
parse_arguments (DenoiseOptions * options, Arguments * given, int argc,
    char **argv, GError ** error)
{
  const GOptionEntry entries[] = {
    {"filter", 'f', 0, G_OPTION_ARG_STRING, &options->filter,
        "Filter elements, in gst-launch syntax (default: \"" DEFAULT_FILTER
          "\")", "ELEMENTS"},
    {"strength", 's', 0, G_OPTION_ARG_DOUBLE, &given->strength,
        "Strength of the filter (default: 1). Less keeps more noise", "NUMBER"},
    {"noise", 'n', 0, G_OPTION_ARG_DOUBLE, &given->noise,
        "Standard deviation of the noise in levels of 8 bits (default: "
          "measured)", "NUMBER"},
    {"preset", 'P', 0, G_OPTION_ARG_STRING, &options->preset,
          "Preset of the filter: fast, normal, best, light, strong or grain "
          "of glopencldenoise",
        "NAME"},
    {"start", 0, 0, G_OPTION_ARG_STRING, &given->start,
          "Write a preview that starts here, in seconds or HH:MM:SS, to the "
          "end unless --duration is given",
        "TIME"},
    {"duration", 0, 0, G_OPTION_ARG_STRING, &given->duration,
        "Duration of the preview, including audio and subtitles", "TIME"},
    {"compare", 0, 0, G_OPTION_ARG_NONE, &options->compare,
        "Leave the left half of each frame unfiltered", NULL},
    {"quality", 'q', 0, G_OPTION_ARG_INT, &options->quality,
        "Quality, 0 (best) to 51 (default: 18)", "NUMBER"},
    {"codec", 'c', 0, G_OPTION_ARG_STRING, &options->codec,
          DENOISE_CODEC_NAMES " (default: by bit depth and size)",
        "NAME"},
    {"speed", 0, 0, G_OPTION_ARG_STRING, &options->speed,
          "Preset of the encoder: ultrafast to placebo for h264 and h265, 0 "
          "(best) to 8 for vp9, 0 to 13 for av1",
        "NAME"},
    {"bits", 'b', 0, G_OPTION_ARG_INT, &options->bits,
          "Output bit depth: 8, 10 or 12 (default: as input)",
        "BITS"},
    {"lossless", 'l', 0, G_OPTION_ARG_NONE, &options->lossless,
        "Write the output losslessly, including alpha (FFV1)", NULL},
    {"deinterlace", 'd', 0, G_OPTION_ARG_NONE, &options->deinterlace,
        "Make a frame of each field of interlaced frames", NULL},
    {"scale-to-first", 0, 0, G_OPTION_ARG_NONE, &options->scale_to_first,
        "Scale all frames to the size of the first frame", NULL},
    {"partial", 'p', 0, G_OPTION_ARG_NONE, &options->partial,
        "Keep the readable frames of a truncated or damaged file", NULL},
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
          "OpenCL device of the filter, see glopencl devices",
        "SELECTOR"},
    {"part", 0, 0, G_OPTION_ARG_STRING, &given->part,
          "Write a part (.nut): the frames of the first video from "
          "timestamp FIRST to before END, in its time base",
        "FIRST:END"},
    {"join", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->parts,
        "Read the first video from a part instead of filtering it. Repeat "
          "for each part, in order", "PART"},
    {"restart", 0, 0, G_OPTION_ARG_NONE, &options->restart,
          "Remove the parts of an interrupted run and start again",
        NULL},
    {"version", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, print_version,
        "Print the version", NULL},
    {"force", 0, 0, G_OPTION_ARG_NONE, &options->force,
        "Replace OUTPUT if it exists", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &given->files,
        NULL, NULL},
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("INPUT [OUTPUT]");
  gchar **arguments = copy_arguments (argc, argv);

  g_option_context_set_summary (context,
      "Filters the video of a file and keeps everything else: audio, "
      "subtitles, chapters,\n"
      "tags, bit depth, colours. OUTPUT is a .mkv, .mp4, .webm or .mov "
      "file (default:\n"
      "INPUT-denoised.mkv in this folder, or INPUT-preview with the "
      "suffix of INPUT for a\n"
      "preview). - is y4m on standard input or standard output.");
  g_option_context_set_description (context,
      "glopencl-play prints the glopencl-denoise command for its current "
      "settings. Try it on\n"
      "ten seconds, with --start 1:00 --duration 10 --compare, then run "
      "it without these\n" "options for the complete video.");
  g_option_context_add_main_entries (context, entries, NULL);
  gboolean parsed = g_option_context_parse_strv (context, &arguments, error);
  if (!parsed && (*error)->code == G_OPTION_ERROR_UNKNOWN_OPTION) {
    gchar *message = (*error)->message;

    (*error)->message =
        g_strdup_printf ("%s. See --help. If a file name begins "
        "with a dash, pass ./-name", message);
    g_free (message);
  }
  g_strfreev (arguments);
  return parsed;
}

/* A preview has the container of the input, if it can be written. */
static gchar *
name_output (const gchar * input, gboolean is_preview)
{
  g_autofree gchar *name = g_str_equal (input, DENOISE_PIPE)
      ? g_strdup ("standard-input") : g_path_get_basename (input);
  DenoiseContainer container = DENOISE_CONTAINER_MATROSKA;
  gchar *dot = strrchr (name, '.');

  if (is_preview && (!find_container (name, &container)
          || container == DENOISE_CONTAINER_PART))
    container = DENOISE_CONTAINER_MATROSKA;
  if (dot && dot != name)
    *dot = '\0';
  return g_strconcat (name[0] == '-' ? "./" : "", name,
      is_preview ? "-preview" : "-denoised", suffixes[container], NULL);
}

/* Adds a property to the text of the default filter, if it is given. */
static gboolean
add_property (DenoiseOptions * options, GString * text, const gchar * name,
    gdouble value, gdouble maximum, GError ** error)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *option = g_strconcat ("--", name, NULL);
  g_autofree gchar *range = g_strdup_printf ("expects a number from 0 to "
      "%.0f",
      maximum);

  if (value == NOT_GIVEN)
    return TRUE;
  if (options->filter || options->preset)
    return fail (error, option, "applies to the default filter only, and "
        "not with --filter or --preset");
  if (!(value >= 0.0 && value <= maximum))
    return fail (error, option, range);
  g_string_append_printf (text, " %s=%s", name, g_ascii_dtostr (number,
          sizeof (number), value));
  return TRUE;
}

/* Sets the filter, unless the user has set one. */
static gboolean
set_filter (DenoiseOptions * options, gdouble strength, gdouble noise,
    GError ** error)
{
  g_autoptr (GString) text = g_string_new (DEFAULT_FILTER);

  if (!add_property (options, text, "strength", strength, MAX_STRENGTH, error)
      || !add_property (options, text, "noise", noise, MAX_NOISE, error))
    return FALSE;
  options->measures_noise = !options->filter && !options->preset
      && noise == NOT_GIVEN && strength != 0.0;
  if (!options->filter)
    options->filter = g_strdup (text->str);
  return TRUE;
}

static gboolean
take_arguments (DenoiseOptions * options, const Arguments * given,
    GError ** error)
{
  const guint n_files = given->files ? g_strv_length (given->files) : 0;
  struct stat status;

  if (n_files < 1 || n_files > 2)
    return fail (error, "usage", "glopencl-denoise [OPTION...] INPUT [OUTPUT]");
  if (!set_filter (options, given->strength, given->noise, error)
      || !find_range (options, given->start, given->duration, given->part,
          error))
    return FALSE;
  options->input = g_strdup (given->files[0]);
  options->output = n_files == 2 ? g_strdup (given->files[1])
      : name_output (options->input, denoise_options_have_range (options));
  if (options->parts && g_str_equal (options->input, DENOISE_PIPE))
    return fail (error, "--join", "the video must be a file");
  /* The output is checked last, because it may ask a question. */
  return find_output (options, given->part, error)
      && check_values (options, error)
      && check_input (options->input, &status, error)
      && check_output (options, &status, error);
}

gboolean
denoise_options_parse (DenoiseOptions * options, int argc, char **argv,
    GError ** error)
{
  Arguments given = {.strength = NOT_GIVEN,.noise = NOT_GIVEN };

  memset (options, 0, sizeof (*options));
  options->quality = NO_QUALITY;
  const gboolean parsed = parse_arguments (options, &given, argc, argv, error)
      && take_arguments (options, &given, error);

  g_strfreev (given.files);
  g_free (given.part);
  g_free (given.start);
  g_free (given.duration);
  return parsed;
}

void
denoise_options_clear (DenoiseOptions * options)
{
  g_free (options->input);
  g_free (options->output);
  g_free (options->target);
  g_free (options->filter);
  g_free (options->device);
  g_strfreev (options->parts);
  g_free (options->preset);
  g_free (options->codec);
  g_free (options->speed);
}

static gboolean
parse_time (const gchar * text, gint64 if_empty, gint64 * time)
{
  *time = if_empty;
  return *text == '\0' || g_ascii_string_to_signed (text, 10, -G_MAXINT64,
      G_MAXINT64, time, NULL);
}

gboolean
denoise_segment_parse (const gchar * text, DenoiseSegment * self)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 3);

  return g_strv_length (parts) == 2
      && parse_time (parts[0], -G_MAXINT64, &self->first)
      && parse_time (parts[1], G_MAXINT64, &self->end)
      && self->first < self->end;
}
