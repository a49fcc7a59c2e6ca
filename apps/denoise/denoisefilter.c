/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisefilter.h"

/* Frames needed by deinterlacing on each side. */
#define N_FIELDS 4

/* Returns the elements in a bin, which the array owns. */
static GPtrArray *
list_elements (GstElement * filter)
{
  GPtrArray *elements = g_ptr_array_new_with_free_func (gst_object_unref);
  g_autoptr (GstIterator) iterator = gst_bin_iterate_recurse (GST_BIN (filter));
  GValue item = G_VALUE_INIT;

  while (gst_iterator_next (iterator, &item) == GST_ITERATOR_OK) {
    g_ptr_array_add (elements, g_value_dup_object (&item));
    g_value_reset (&item);
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  return elements;
}

/* Returns the names of the presets of all elements, in one line. */
static gchar *
list_presets (const GPtrArray * elements)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < elements->len; i++) {
    g_auto (GStrv) own = GST_IS_PRESET (elements->pdata[i])
        ? gst_preset_get_preset_names (elements->pdata[i]) : NULL;

    for (guint j = 0; own && own[j]; j++)
      g_ptr_array_add (names, g_strdup (own[j]));
  }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (gchar **) names->pdata);
}

/* Loads a preset into the first element that has it. */
static gboolean
load_preset (GstElement * filter, const gchar * name, GError ** error)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  /* The last one in the bin is the first one in the text. */
  for (guint i = 0; i < elements->len; i++) {
    if (GST_IS_PRESET (elements->pdata[i])
        && gst_preset_load_preset (elements->pdata[i], name))
      return TRUE;
  }
  g_autofree gchar *names = list_presets (elements);
  g_set_error (error, DENOISE_ERROR, 0, "--preset: no preset %s. Available: "
      "%s. For a preset of the encoder use --speed", name,
      names[0] ? names : "none");
  return FALSE;
}

/* Sets the device of the elements of this plugin that have none. */
static void
set_device (GstElement * filter, const gchar * device)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    GObjectClass *class = G_OBJECT_GET_CLASS (elements->pdata[i]);
    g_autofree gchar *own = NULL;

    if (!g_object_class_find_property (class, "active-device"))
      continue;
    g_object_get (elements->pdata[i], "device", &own, NULL);
    if (!own || !*own)
      g_object_set (elements->pdata[i], "device", device, NULL);
  }
}

/* GObject's warning about an invalid property value, which it ignores. */
static void
take_refusal (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer user_data)
{
  gchar **refusal = user_data;

  (void) domain;
  (void) level;
  if (!*refusal)
    *refusal = g_strdup (message);
}

GstElement *
denoise_filter_create (const DenoiseOptions * options, GError ** error)
{
  g_autoptr (GError) parsing = NULL;
  g_autofree gchar *refusal = NULL;
  const guint handler = g_log_set_handler ("GLib-GObject",
      G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL, take_refusal, &refusal);
  GstElement *filter =
      gst_parse_bin_from_description (options->filter, TRUE, &parsing);

  g_log_remove_handler ("GLib-GObject", handler);
  if (refusal && !parsing)
    parsing = g_error_new_literal (DENOISE_ERROR, 0, refusal);
  if (parsing) {
    g_set_error (error, DENOISE_ERROR, 0, "--filter: %s", parsing->message);
    gst_clear_object (&filter);
    return NULL;
  }
  if (options->preset && !load_preset (filter, options->preset, error))
    gst_clear_object (&filter);
  if (filter && options->device)
    set_device (filter, options->device);
  return filter;
}

gboolean
denoise_filter_is_own (GstElement * filter)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);
  gboolean is_own = TRUE;

  for (guint i = 0; i < elements->len; i++)
    is_own &= g_object_class_find_property
        (G_OBJECT_GET_CLASS (elements->pdata[i]), "active-device") != NULL;
  return is_own;
}

/* Adds the value of a property, if there is one. */
static void
add_value (GObject * object, const gchar * property, guint * sum)
{
  GParamSpec *pspec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (object), property);
  GValue value = G_VALUE_INIT;

  if (!pspec || (pspec->value_type != G_TYPE_INT
          && pspec->value_type != G_TYPE_UINT))
    return;
  g_value_init (&value, G_TYPE_INT);
  g_object_get_property (object, property, &value);
  *sum += MAX (g_value_get_int (&value), 0);
}

void
denoise_filter_get_reach (GstElement * filter, guint * n_before,
    guint * n_behind)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  *n_before = *n_behind = N_FIELDS;
  for (guint i = 0; i < elements->len; i++) {
    GstElement *element = elements->pdata[i];

    add_value (G_OBJECT (element), "lead", n_before);
    add_value (G_OBJECT (element), "lag", n_behind);
  }
}

/* Returns the statistics of an element of this plugin, or NULL. */
static GstStructure *
get_stats (GstElement * element)
{
  GObjectClass *class = G_OBJECT_GET_CLASS (element);
  GstStructure *stats = NULL;

  if (g_object_class_find_property (class, "stats")
      && g_object_class_find_property (class, "active-device"))
    g_object_get (element, "stats", &stats, NULL);
  return stats;
}

/* Returns the mean noise of the channels, or of luma for Y'CbCr. */
static gdouble
get_mean_noise (const GstStructure * noise)
{
  static const gchar *const names[] = { "luma", "red", "green", "blue" };
  gdouble sum = 0.0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gdouble sigma;

    if (gst_structure_get_double (noise, names[i], &sigma)) {
      sum += sigma;
      n++;
    }
  }
  return n > 0 ? sum / n : -1.0;
}

gdouble
denoise_filter_get_noise (GstElement * filter)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    g_autoptr (GstStructure) stats = get_stats (elements->pdata[i]);
    g_autoptr (GstStructure) noise = NULL;

    if (stats && gst_structure_get (stats, "noise", GST_TYPE_STRUCTURE, &noise,
            NULL))
      return get_mean_noise (noise);
    if (stats && g_object_class_find_property (G_OBJECT_GET_CLASS
            (elements->pdata[i]), "noise")) {
      gdouble given;

      g_object_get (elements->pdata[i], "noise", &given, NULL);
      if (given >= 0.0)
        return given;
    }
  }
  return -1.0;
}

static void
note_element (GstElement * element, const GstStructure * stats,
    DenoiseReport * report)
{
  g_autofree gchar *device = NULL;
  g_autofree gchar *interop = NULL;
  GValue value = G_VALUE_INIT;
  guint64 frames = 0;
  guint64 kernel_time = 0;

  g_object_get (element, "active-device", &device, NULL);
  g_object_get_property (G_OBJECT (element), "active-interop", &value);
  interop = gst_value_serialize (&value);
  g_value_unset (&value);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_get_uint64 (stats, "kernel-time", &kernel_time);
  if (frames > 0)
    denoise_report_note (report, "%s: %s on %s, %s, %.2f ms of kernels a frame",
        GST_OBJECT_NAME (gst_element_get_factory (element)),
        gst_structure_get_string (stats, "variant"), device, interop,
        kernel_time / 1e6 / frames);
}

void
denoise_filter_note_stats (GstElement * filter, DenoiseReport * report)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    g_autoptr (GstStructure) stats = get_stats (elements->pdata[i]);

    if (stats)
      note_element (elements->pdata[i], stats, report);
  }
}
