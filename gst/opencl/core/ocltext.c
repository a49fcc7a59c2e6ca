/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltext.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of characters of a text in a message. */
#define MAX_SHOWN 40

gchar *
ocl_text_shorten (const gchar * text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1),
          MAX_SHOWN));
}

gchar *
ocl_number_print (gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof (text), "%g", number);
  if (g_ascii_strtod (text, NULL) != number)
    g_ascii_dtostr (text, sizeof (text), number);
  return g_strdup (text);
}

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

gchar *
ocl_text_file_load (const gchar * filename, const gchar * what,
    const gchar * rule, gsize max_size, GError ** error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree gchar *name = g_filename_display_name (filename);
  const gint descriptor = open_file (filename, max_size);
  const gint code = errno;
  gchar bytes[4096];
  gssize n = -1;

  if (descriptor < 0 && code != 0) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s cannot be read: %s: %s.", what, name, g_strerror (code));
    return NULL;
  }
  if (descriptor >= 0) {
    do {
      n = read (descriptor, bytes, sizeof (bytes));
      if (n > 0)
        g_string_append_len (text, bytes, n);
    } while ((n > 0 && text->len <= max_size) || (n < 0 && errno == EINTR));
    close (descriptor);
  }
  if (n >= 0 && text->len <= max_size
      && g_utf8_validate (text->str, text->len, NULL))
    return g_string_free (g_steal_pointer (&text), FALSE);
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s is not a text file %s.", name, rule);
  return NULL;
}
