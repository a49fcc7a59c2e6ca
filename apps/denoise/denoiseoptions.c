/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseoptions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_FILTER "glopencldenoise lookahead=2"
#define MAX_STRENGTH 10.0
#define MAX_NOISE 255.0
#define NOT_GIVEN (-G_MAXDOUBLE)
#define DEFAULT_QUALITY 18
#define MAX_QUALITY 51
/* As many as the kernel follows. */
#define MAX_LINKS 40

const gchar *const denoise_codec_names[] = {
  "h264", "h265", "vp9", "ffv1", NULL
};

static const gchar *const suffixes[] = {
  [DENOISE_CONTAINER_MATROSKA] = ".mkv",
  [DENOISE_CONTAINER_MP4] = ".mp4",
  [DENOISE_CONTAINER_PART] = ".nut"
};

const gchar *
denoise_container_get_suffix (DenoiseContainer container)
{
  return suffixes[container];
}

static gboolean
find_container (const gchar * name, DenoiseContainer * container)
{
  g_autofree gchar *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++) {
    if (g_str_has_suffix (lower, suffixes[i])) {
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

static gboolean
check_input (const gchar * name, struct stat *status, GError ** error)
{
  if (stat (name, status) != 0)
    return fail (error, name, errno == ENOENT ? "no such file"
        : g_strerror (errno));
  if (S_ISDIR (status->st_mode))
    return fail (error, name, "it is a folder");
  if (!S_ISREG (status->st_mode))
    return fail (error, name, "the input has to be a file that can be read "
        "from any place; save it first");
  if (status->st_size == 0)
    return fail (error, name, "the file is empty");
  if (access (name, R_OK) != 0)
    return fail (error, name, g_strerror (errno));
  return TRUE;
}

/* What a chain of links ends in need not exist. */
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
  if (!find_container (options->output, &options->container)
      || (!part && options->container == DENOISE_CONTAINER_PART))
    return fail (error, options->output, "the output has to be a .mkv or .mp4");
  if (part && options->container != DENOISE_CONTAINER_PART)
    return fail (error, options->output, "a part has to be a .nut");
  if (part && options->parts)
    return fail (error, "--part", "it makes what --join takes");
  if (part && !denoise_segment_parse (part, &options->segment))
    return fail (error, "--part", "two times in the time base of the video, "
        "FIRST:END");
  options->target = follow_links (options->output);
  return TRUE;
}

/* Whether an output that is there may be replaced. Sets the option if the user
 * agrees. */
static gboolean
may_replace (DenoiseOptions * options, GError ** error)
{
  gchar answer[16] = "";

  if (options->force)
    return TRUE;
  if (!isatty (STDIN_FILENO) || !isatty (STDERR_FILENO))
    return fail (error, options->output, "it is there already; --force "
        "replaces it");
  fprintf (stderr, "%s is there already. Replace it? [y/N] ", options->output);
  options->force = fgets (answer, sizeof (answer), stdin)
      && g_ascii_tolower (*answer) == 'y';
  return options->force || fail (error, options->output, "it was kept");
}

static gboolean
check_output (DenoiseOptions * options, const struct stat *input,
    GError ** error)
{
  struct stat status;

  if (stat (options->target, &status) == 0) {
    if (status.st_dev == input->st_dev && status.st_ino == input->st_ino)
      return fail (error, options->output,
          "the output has to be another file than the input");
    if (S_ISDIR (status.st_mode))
      return fail (error, options->output, "it is a folder");
    if (!S_ISREG (status.st_mode))
      return fail (error, options->output, "it is not a file");
    if (access (options->target, W_OK) != 0)
      return fail (error, options->output, g_strerror (errno));
    if (!may_replace (options, error))
      return FALSE;
  }

  g_autofree gchar *folder = g_path_get_dirname (options->target);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    return fail (error, options->output, "there is no such folder");
  if (access (folder, W_OK | X_OK) != 0)
    return fail (error, options->output, "its folder cannot be written to");
  return TRUE;
}

static gboolean
check_values (DenoiseOptions * options, GError ** error)
{
  if (options->quality < 0 || options->quality > MAX_QUALITY)
    return fail (error, "--quality", "a number from 0 (best) to 51");
  if (options->bits != 0 && options->bits != 8 && options->bits != 10
      && options->bits != 12)
    return fail (error, "--bits", "8, 10 or 12");
  if (options->codec && !g_strv_contains (denoise_codec_names, options->codec))
    return fail (error, "--codec", DENOISE_CODEC_NAMES);
  if (options->lossless && g_strcmp0 (options->codec, "ffv1") != 0) {
    if (options->codec)
      return fail (error, "--lossless", "it is for the codec ffv1");
    options->codec = g_strdup ("ffv1");
  }
  if (g_strcmp0 (options->codec, "ffv1") == 0
      && options->container == DENOISE_CONTAINER_MP4)
    return fail (error, options->output, "only a .mkv can hold FFV1");
  return TRUE;
}

/* A file's name is no option, whatever it begins with. */
static gchar **
copy_arguments (int argc, char **argv)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();

  for (int i = 0; i < argc; i++)
    g_ptr_array_add (arguments,
        i > 0 && argv[i][0] == '-' && g_file_test (argv[i], G_FILE_TEST_EXISTS)
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

static gboolean
parse_arguments (DenoiseOptions * options, gchar *** files, gchar ** part,
    gdouble * strength, gdouble * noise, int argc, char **argv, GError ** error)
{
  const GOptionEntry entries[] = {
    {"filter", 'f', 0, G_OPTION_ARG_STRING, &options->filter,
        "What filters, as gst-launch-1.0 takes it; \"" DEFAULT_FILTER
          "\" if nothing is given", "ELEMENTS"},
    {"strength", 's', 0, G_OPTION_ARG_DOUBLE, strength,
        "How much of the noise is removed: 1 if nothing is given, less keeps "
          "more", "NUMBER"},
    {"noise", 'n', 0, G_OPTION_ARG_DOUBLE, noise,
        "Standard deviation of the noise in levels of 8 bits; it is measured "
          "if nothing is given", "NUMBER"},
    {"preset", 'P', 0, G_OPTION_ARG_STRING, &options->preset,
          "Of the filter: light, normal, strong or grain of glopencldenoise",
        "NAME"},
    {"quality", 'q', 0, G_OPTION_ARG_INT, &options->quality,
        "0 (best) to 51, 18 if nothing is given", "NUMBER"},
    {"codec", 'c', 0, G_OPTION_ARG_STRING, &options->codec,
          DENOISE_CODEC_NAMES "; by depth and size if nothing is given",
        "NAME"},
    {"bits", 'b', 0, G_OPTION_ARG_INT, &options->bits,
          "Of a sample of the result: 8, 10 or 12; as it is if nothing is "
          "given",
        "BITS"},
    {"lossless", 'l', 0, G_OPTION_ARG_NONE, &options->lossless,
        "Write what the filter gives, bit by bit, alpha too (FFV1)", NULL},
    {"deinterlace", 'd', 0, G_OPTION_ARG_NONE, &options->deinterlace,
        "Make each field of interlaced frames a frame", NULL},
    {"partial", 'p', 0, G_OPTION_ARG_NONE, &options->partial,
        "Take what there is of a file that is cut off or damaged", NULL},
    {"device", 0, 0, G_OPTION_ARG_STRING, &options->device,
          "OpenCL device of the filter's elements, see glopencl devices",
        "SELECTOR"},
    {"part", 0, 0, G_OPTION_ARG_STRING, part,
          "Write a .nut with the frames of the first video from one time on "
          "and before another, in its time base, as they are in the film",
        "FIRST:END"},
    {"join", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->parts,
        "Take the first video from parts in place of filtering it; once for "
          "each, in their order", "PART"},
    {"version", 0, G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK, print_version,
        "Print the version", NULL},
    {"force", 0, 0, G_OPTION_ARG_NONE, &options->force,
        "Replace OUTPUT if it is there already", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, files, NULL, NULL},
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("INPUT [OUTPUT]");
  gchar **arguments = copy_arguments (argc, argv);

  g_option_context_set_summary (context,
      "Filters the video of a file and keeps everything else: sound, "
      "subtitles, chapters,\ntags, depth, colours. OUTPUT is a .mkv or .mp4, "
      "INPUT-denoised.mkv in this\nfolder if nothing is given.");
  g_option_context_add_main_entries (context, entries, NULL);
  gboolean parsed = g_option_context_parse_strv (context, &arguments, error);
  if (!parsed && (*error)->code == G_OPTION_ERROR_UNKNOWN_OPTION)
    g_prefix_error (error, "--help lists the options; a file whose name begins "
        "with a dash is ./-name: ");
  g_strfreev (arguments);
  return parsed;
}

static gchar *
name_output (const gchar * input)
{
  g_autofree gchar *name = g_path_get_basename (input);
  gchar *dot = strrchr (name, '.');

  if (dot && dot != name)
    *dot = '\0';
  return g_strconcat (name[0] == '-' ? "./" : "", name, "-denoised.mkv", NULL);
}

/* Adds a property to the text of the default filter, if it is given. */
static gboolean
add_property (DenoiseOptions * options, GString * text, const gchar * name,
    gdouble value, gdouble maximum, GError ** error)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *option = g_strconcat ("--", name, NULL);
  g_autofree gchar *range = g_strdup_printf ("a number from 0 to %.0f",
      maximum);

  if (value == NOT_GIVEN)
    return TRUE;
  if (options->filter || options->preset)
    return fail (error, option, "it is for the filter that is used if "
        "neither --filter nor --preset is given");
  if (!(value >= 0.0 && value <= maximum))
    return fail (error, option, range);
  g_string_append_printf (text, " %s=%s", name, g_ascii_dtostr (number,
          sizeof (number), value));
  return TRUE;
}

/* Sets the filter, if the user has given none. */
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

gboolean
denoise_options_parse (DenoiseOptions * options, int argc, char **argv,
    GError ** error)
{
  g_auto (GStrv) files = NULL;
  g_autofree gchar *part = NULL;
  gdouble strength = NOT_GIVEN, noise = NOT_GIVEN;
  struct stat status;

  memset (options, 0, sizeof (*options));
  options->quality = DEFAULT_QUALITY;
  if (!parse_arguments (options, &files, &part, &strength, &noise, argc, argv,
          error))
    return FALSE;
  guint n_files = files ? g_strv_length (files) : 0;
  if (n_files < 1 || n_files > 2)
    return fail (error, "usage", "glopencl-denoise [OPTION...] INPUT [OUTPUT]");
  if (!set_filter (options, strength, noise, error))
    return FALSE;
  options->input = g_strdup (files[0]);
  options->output = n_files == 2 ? g_strdup (files[1])
      : name_output (files[0]);
  /* The output is last, since somebody may be asked. */
  return find_output (options, part, error) && check_values (options, error)
      && check_input (options->input, &status, error)
      && check_output (options, &status, error);
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
}
