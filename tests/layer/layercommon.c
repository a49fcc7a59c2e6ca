/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The configuration of the layer, its reports, and the one thing that half of
 * the wrappers need: answering a query.
 */

#include "layercommon.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testlayer.h"

cl_icd_dispatch layer_target;
LayerConfig layer_config = {.abort_on_violation = TRUE,.sharing = TRUE };

GMutex layer_mutex;

static gint violations;

static void
G_GNUC_PRINTF (1, 0)
layer_print (const char *prefix, const char *format, va_list arguments)
{
  char *message = g_strdup_vprintf (format, arguments);

  /* One write, so that lines of several threads do not mix. */
  fprintf (stderr, "gl-sharing layer: %s: %s\n", prefix, message);
  g_free (message);
}

void
layer_misuse (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  layer_print ("wrong use of the layer", format, arguments);
  va_end (arguments);
  abort ();
}

void
layer_violation_note (const char *function, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  layer_print (function, format, arguments);
  va_end (arguments);
  g_atomic_int_inc (&violations);
}

void
layer_violation (const char *function, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  layer_print (function, format, arguments);
  va_end (arguments);
  g_atomic_int_inc (&violations);
  if (layer_config.abort_on_violation)
    abort ();
}

unsigned
glopencl_layer_violations (void)
{
  return g_atomic_int_get (&violations);
}

static gboolean
layer_config_flag (const char *name, gboolean otherwise)
{
  const char *value = g_getenv (name);

  if (value == NULL || *value == '\0')
    return otherwise;
  if (strcmp (value, "0") == 0)
    return FALSE;
  if (strcmp (value, "1") == 0)
    return TRUE;
  layer_misuse ("%s is \"%s\", neither 0 nor 1", name, value);
}

static size_t
layer_config_max_image (void)
{
  const char *value = g_getenv ("GLOPENCL_LAYER_MAX_IMAGE");
  guint64 number;

  if (value == NULL || *value == '\0')
    return 0;
  if (!g_ascii_string_to_unsigned (value, 10, 1, G_MAXINT, &number, NULL))
    layer_misuse ("GLOPENCL_LAYER_MAX_IMAGE is \"%s\", not a size", value);
  return number;
}

static gboolean
layer_config_all_gpus (void)
{
  const char *value = g_getenv ("GLOPENCL_LAYER_TYPE");

  if (value == NULL || *value == '\0')
    return FALSE;
  if (strcmp (value, "gpu") != 0)
    layer_misuse ("GLOPENCL_LAYER_TYPE is \"%s\", not gpu", value);
  return TRUE;
}

/* Bytes of a pixel, or all. */
static guint
layer_config_corrupt (void)
{
  const char *value = g_getenv ("GLOPENCL_LAYER_CORRUPT");
  guint64 bytes = 0;

  if (value == NULL || *value == '\0')
    return 0;
  if (strcmp (value, "all") == 0)
    return G_MAXUINT;
  if (!g_ascii_string_to_unsigned (value, 10, 1, 16, &bytes, NULL))
    layer_misuse ("GLOPENCL_LAYER_CORRUPT is \"%s\", not all or bytes", value);
  return bytes;
}

static void
layer_config_fault (void)
{
  const char *value = g_getenv ("GLOPENCL_LAYER_FAULT");
  guint64 nth;
  gint64 error;
  char **parts;

  if (value == NULL || *value == '\0')
    return;
  parts = g_strsplit (value, ":", -1);
  if (g_strv_length (parts) != 3
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT, &nth, NULL)
      || !g_ascii_string_to_signed (parts[2], 10, G_MININT, -1, &error, NULL))
    layer_misuse ("GLOPENCL_LAYER_FAULT is \"%s\", not FUNCTION:NTH:ERROR",
        value);
  glopencl_layer_set_fault (parts[0], nth, error);
  g_strfreev (parts);
}

void
layer_config_read (void)
{
  layer_config.abort_on_violation =
      layer_config_flag ("GLOPENCL_LAYER_ABORT", TRUE);
  layer_config.sharing = layer_config_flag ("GLOPENCL_LAYER_SHARING", TRUE);
  layer_config.break_sharing =
      layer_config_flag ("GLOPENCL_LAYER_BREAK_SHARING", FALSE);
  layer_config.corrupt_bytes = layer_config_corrupt ();
  layer_config.bgra = layer_config_flag ("GLOPENCL_LAYER_BGRA", FALSE);
  layer_config.discrete = layer_config_flag ("GLOPENCL_LAYER_DISCRETE", FALSE);
  layer_config.all_gpus = layer_config_all_gpus ();
  layer_config.max_image = layer_config_max_image ();
  layer_config_fault ();
}

cl_int
layer_answer (const void *value, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret)
{
  if (param_value != NULL) {
    if (param_value_size < size)
      return CL_INVALID_VALUE;
    memcpy (param_value, value, size);
  }
  if (param_value_size_ret != NULL)
    *param_value_size_ret = size;
  return CL_SUCCESS;
}
