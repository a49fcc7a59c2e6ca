/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltextfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a regular file. Neither opening nor reading waits for another process,
 * unlike pipes and some system files. Returns -1 with errno. */
static gint
open_file (const gchar * filename, gsize max_size)
{
  const gint descriptor =
      g_open (filename, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);
  struct stat status;

  if (descriptor < 0 || (fstat (descriptor, &status) == 0
          && S_ISREG (status.st_mode)
          && (guint64) status.st_size <= max_size))
    return descriptor;
  close (descriptor);
  errno = 0;
  return -1;
}

/* Appends the contents of @descriptor to @text. Stops when @text is longer than
 * a file may be. */
static gboolean
read_all (gint descriptor, gsize max_size, GString * text)
{
  gchar bytes[4096];
  gssize n;

  do {
    n = read (descriptor, bytes, sizeof (bytes));
    if (n > 0)
      g_string_append_len (text, bytes, n);
  } while ((n > 0 && text->len <= max_size) || (n < 0 && errno == EINTR));
  return n >= 0;
}

gchar *
ocl_text_file_load (const gchar * filename, const gchar * what,
    const gchar * rule, gsize max_size, GError ** error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree gchar *name = g_filename_display_name (filename);
  const gint descriptor = open_file (filename, max_size);
  const gint code = errno;
  gboolean ok = FALSE;

  if (descriptor < 0 && code != 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s cannot be read: %s: %s.", what, name, g_strerror (code));
    return NULL;
  }
  if (descriptor >= 0) {
    ok = read_all (descriptor, max_size, text);
    close (descriptor);
  }
  if (ok && text->len <= max_size
      && g_utf8_validate (text->str, text->len, NULL))
    return g_string_free (g_steal_pointer (&text), FALSE);
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s is not a text file %s.", name, rule);
  return NULL;
}
