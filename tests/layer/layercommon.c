/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The configuration of the layer, its reports, and a function that answers
 * queries, which half of the wrappers need.
 */

#include "layercommon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testlayer.h"

cl_icd_dispatch layer_target;
LayerConfig layer_config = {.abort_on_violation = TRUE,.sharing = TRUE };

GMutex layer_mutex;

static gint violations;

static void
G_GNUC_PRINTF (2, 0)
layer_print (const char *prefix, const char *format, va_list arguments)
{
  g_autofree char *message = g_strdup_vprintf (format, arguments);

  /* One write, so that lines of several threads do not mix. */
  fprintf (stderr, "gl-sharing layer: %s: %s\n", prefix, message);
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

unsigned
glopencl_layer_violations (void)
{
  return g_atomic_int_get (&violations);
}

/* NULL if the variable is not set, or empty. */
static const char *
layer_config_value (const char *name)
{
  const char *value = g_getenv (name);

  return value == NULL || *value == '\0' ? NULL : value;
}

static gboolean
layer_config_flag (const char *name, gboolean otherwise)
{
  const char *value = layer_config_value (name);

  if (value == NULL)
    return otherwise;
  if (strcmp (value, "0") != 0 && strcmp (value, "1") != 0)
    layer_misuse ("%s is \"%s\", neither 0 nor 1", name, value);
  return *value == '1';
}

/* From 1 to @maximum, 0 if the variable is not set. */
static guint64
layer_config_number (const char *name, guint64 maximum)
{
  const char *value = layer_config_value (name);
  guint64 number = 0;

  if (value != NULL
      && !g_ascii_string_to_unsigned (value, 10, 1, maximum, &number, NULL))
    layer_misuse ("%s is \"%s\", not a number from 1 on", name, value);
  return number;
}

static gboolean
layer_config_all_gpus (void)
{
  const char *value = layer_config_value ("GLOPENCL_LAYER_TYPE");

  if (value != NULL && strcmp (value, "gpu") != 0)
    layer_misuse ("GLOPENCL_LAYER_TYPE is \"%s\", not gpu", value);
  return value != NULL;
}

static void
layer_config_fault (void)
{
  const char *value = layer_config_value ("GLOPENCL_LAYER_FAULT");
  g_auto (GStrv) parts = g_strsplit (value != NULL ? value : "", ":", -1);
  guint64 nth;
  gint64 error;

  if (value == NULL)
    return;
  if (g_strv_length (parts) != 3
      || !g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT, &nth, NULL)
      || !g_ascii_string_to_signed (parts[2], 10, G_MININT, -1, &error, NULL))
    layer_misuse ("GLOPENCL_LAYER_FAULT is \"%s\", not FUNCTION:NTH:ERROR",
        value);
  glopencl_layer_set_fault (parts[0], nth, error);
}

void
layer_config_read (void)
{
  static const char corrupt[] = "GLOPENCL_LAYER_CORRUPT";
  LayerConfig *config = &layer_config;

  config->abort_on_violation = layer_config_flag ("GLOPENCL_LAYER_ABORT", TRUE);
  config->sharing = layer_config_flag ("GLOPENCL_LAYER_SHARING", TRUE);
  config->break_sharing =
      layer_config_flag ("GLOPENCL_LAYER_BREAK_SHARING", FALSE);
  config->external = layer_config_flag ("GLOPENCL_LAYER_EXTERNAL", FALSE);
  config->semaphores = layer_config_flag ("GLOPENCL_LAYER_SEMAPHORES", FALSE);
  config->corrupt_bytes = g_strcmp0 (g_getenv (corrupt), "all") == 0
      ? G_MAXUINT : layer_config_number (corrupt, 16);
  config->bgra = layer_config_flag ("GLOPENCL_LAYER_BGRA", FALSE);
  config->discrete = layer_config_flag ("GLOPENCL_LAYER_DISCRETE", FALSE);
  config->all_gpus = layer_config_all_gpus ();
  config->no_rg_images =
      layer_config_flag ("GLOPENCL_LAYER_NO_RG_IMAGES", FALSE);
  config->rgba_floats = layer_config_flag ("GLOPENCL_LAYER_RGBA_FLOATS", FALSE);
  config->flat_groups = layer_config_flag ("GLOPENCL_LAYER_FLAT_GROUPS", FALSE);
  config->local_size =
      layer_config_number ("GLOPENCL_LAYER_LOCAL_SIZE", G_MAXINT);
  config->max_image =
      layer_config_number ("GLOPENCL_LAYER_MAX_IMAGE", G_MAXINT);
  config->max_alloc =
      layer_config_number ("GLOPENCL_LAYER_MAX_ALLOC", G_MAXINT64);
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
