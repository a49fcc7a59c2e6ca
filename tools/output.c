/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

static void
complain_of_file (const gchar * path, int code)
{
  tool_complain ("%s cannot be written: %s", path,
      g_strerror (code ? code : EIO));
}

void
output_add_options (Output * self, GArray * entries)
{
  const GOptionEntry own[] = {
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
        "Write CSV instead of tables, - for standard output", "FILE"},
    {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
        "Write JSON instead of tables, - for standard output", "FILE"},
  };

  g_array_append_vals (entries, own, G_N_ELEMENTS (own));
}

void
output_clear (Output * self)
{
  g_free (self->csv);
  g_free (self->json);
}

gboolean
output_is_table (const Output * self)
{
  return !self->csv && !self->json;
}

static gboolean
is_standard_output (const gchar * path)
{
  return g_str_equal (path, "-");
}

/* Opens a file beside @path, which is not there yet or is a file, with the mode
 * that @path has or would have; sets @temporary to its name. */
static FILE *
open_beside (const gchar * path, gchar ** temporary)
{
  struct stat info;
  int fd;

  *temporary = g_strconcat (path, ".XXXXXX", NULL);
  fd = g_mkstemp_full (*temporary, O_WRONLY | O_CLOEXEC, 0666);
  if (fd >= 0 && stat (path, &info) == 0
      && fchmod (fd, info.st_mode & 07777) != 0) {
    g_unlink (*temporary);
    close (fd);
    fd = -1;
  }
  return fd >= 0 ? fdopen (fd, "w") : NULL;
}

/* Opens what is to become @path. Sets @temporary to the name it has until then,
 * or to NULL where @path is no file, such as a pipe. */
static FILE *
open_file (const gchar * path, gchar ** temporary)
{
  struct stat info;

  *temporary = NULL;
  if (stat (path, &info) == 0) {
    if (!S_ISREG (info.st_mode))
      return fopen (path, "w");
    if (access (path, W_OK) != 0)
      return NULL;
  }
  return open_beside (path, temporary);
}

/* What @path is a link to, or itself; free it. */
static gchar *
follow_links (const gchar * path)
{
  char *real = realpath (path, NULL);
  gchar *copy = g_strdup (real ? real : path);

  free (real);
  return copy;
}

static gboolean
check_path (const gchar * given)
{
  g_autofree gchar *temporary = NULL;
  struct stat info;

  if (!given || is_standard_output (given))
    return TRUE;

  g_autofree gchar *path = follow_links (given);
  /* Opening a pipe waits for its reader. */
  if (stat (path, &info) == 0 && !S_ISREG (info.st_mode)
      && !S_ISDIR (info.st_mode) && access (path, W_OK) == 0)
    return TRUE;

  FILE *file = open_file (path, &temporary);
  if (!file) {
    complain_of_file (given, errno);
    return FALSE;
  }
  fclose (file);
  if (temporary)
    g_unlink (temporary);
  return TRUE;
}

gboolean
output_check (const Output * self)
{
  return check_path (self->csv) && check_path (self->json);
}

/* How a report is written. */
typedef void (*Writer) (const Report * report, FILE * file);

static gboolean
write_file (const Report * report, const gchar * given, Writer writer)
{
  g_autofree gchar *path = follow_links (given);
  g_autofree gchar *temporary = NULL;
  FILE *file = open_file (path, &temporary);
  gboolean ok = file != NULL;

  if (file) {
    writer (report, file);
    ok = !ferror (file);
    ok = fclose (file) == 0 && ok;
    ok = ok && (!temporary || g_rename (temporary, path) == 0);
  }
  if (!ok) {
    complain_of_file (given, errno);
    if (file && temporary)
      g_unlink (temporary);
  }
  return ok;
}

static gboolean
write_to (const Report * report, const gchar * path, Writer writer)
{
  if (!path)
    return TRUE;
  if (!is_standard_output (path))
    return write_file (report, path, writer);
  writer (report, stdout);
  return TRUE;
}

gboolean
output_write (const Report * report, const Output * self)
{
  if (output_is_table (self))
    report_write_table (report, stdout);
  return write_to (report, self->csv, report_write_csv)
      && write_to (report, self->json, report_write_json);
}

void
output_begin (void)
{
  int fd;

  do {
    /* What is written to it fails, as with a closed stream. */
    fd = open ("/dev/null", O_RDONLY);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO)
    close (fd);
}

gboolean
output_end (void)
{
  errno = 0;
  gboolean ok = !ferror (stdout);
  ok = fclose (stdout) == 0 && ok;
  if (!ok)
    complain_of_file ("standard output", errno);
  return ok;
}
