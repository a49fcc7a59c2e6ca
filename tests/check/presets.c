/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests presets: shipped presets load and set the values of their files,
 * regardless of previous values, and saved presets contain only the parameters
 * of the operation. GST_PRESET_PATH names the folder of the presets, a variable
 * for users' presets an empty one, see meson.build. */

#include "elementharness.h"

static const struct
{
  const gchar *element;
  const gchar *type;            /* of which the file has its name */
} shipped[] = {
  {"glopencldenoise", "GstGLOpenCLDenoise"},
  {"glopenclfilter", "GstGLOpenCLFilter"},
  {"glopenclmultiresolution", "GstGLOpenCLMultiresolution"},
};

static const gchar *const elements[] = {
  "glopencldenoise", "glopenclfilter", "glopenclmultiresolution",
  "glopenclsharpen", "glopenclgradient", "glopenclconvolution",
  "glopenclkernel"
};

static GKeyFile *
open_file (const gchar * type)
{
  GKeyFile *file = g_key_file_new ();
  g_autofree gchar *base = g_strconcat (type, ".prs", NULL);
  g_autofree gchar *path =
      g_build_filename (g_getenv ("GST_PRESET_PATH"), base, NULL);
  GError *error = NULL;

  g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error);
  g_assert_no_error (error);
  return file;
}

/* Asserts that a property has the value in @text. */
static void
assert_value (GstElement * element, const gchar * name, const gchar * text)
{
  GParamSpec *pspec =
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  GValue actual = G_VALUE_INIT;
  GValue wanted = G_VALUE_INIT;

  fail_unless (pspec != NULL, "%s", name);
  g_value_init (&actual, pspec->value_type);
  g_value_init (&wanted, pspec->value_type);
  fail_unless (gst_value_deserialize (&wanted, text), "%s=%s", name, text);
  g_object_get_property (G_OBJECT (element), name, &actual);
  g_autofree gchar *actual_text = gst_value_serialize (&actual);
  fail_unless (gst_value_compare (&actual, &wanted) == GST_VALUE_EQUAL,
      "%s is %s, not %s", name, actual_text, text);
  g_value_unset (&actual);
  g_value_unset (&wanted);
}

static void
assert_loaded (GstElement * element, GKeyFile * file, const gchar * preset)
{
  g_auto (GStrv) keys = g_key_file_get_keys (file, preset, NULL, NULL);

  fail_unless (gst_preset_load_preset (GST_PRESET (element), preset), "%s",
      preset);
  for (guint i = 0; keys[i]; i++) {
    g_autofree gchar *text = g_key_file_get_value (file, preset, keys[i], NULL);

    if (!g_str_has_prefix (keys[i], "_meta/"))
      assert_value (element, keys[i], text);
  }
}

TEST (test_shipped)
{
  for (guint i = 0; i < G_N_ELEMENTS (shipped); i++) {
    g_autoptr (GstElement) element = gst_object_ref_sink
        (gst_element_factory_make (shipped[i].element, NULL));
    g_auto (GStrv) names = gst_preset_get_preset_names (GST_PRESET (element));
    g_autoptr (GKeyFile) file = open_file (shipped[i].type);

    fail_unless (names && g_strv_length (names) > 1);
    /* Each after each: nothing of the one before stays. */
    for (guint j = 0; names[j]; j++) {
      gchar *comment = NULL;

      fail_unless (gst_preset_get_meta (GST_PRESET (element), names[j],
              "comment", &comment));
      g_free (comment);
      for (guint k = 0; names[k]; k++) {
        assert_loaded (element, file, names[j]);
        assert_loaded (element, file, names[k]);
      }
    }
  }
}

/* All presets of an element set the same properties. */
TEST (test_complete)
{
  for (guint i = 0; i < G_N_ELEMENTS (shipped); i++) {
    g_autoptr (GKeyFile) file = open_file (shipped[i].type);
    g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);
    g_auto (GStrv) keys = g_key_file_get_keys (file, groups[1], NULL, NULL);

    for (guint j = 1; groups[j]; j++) {
      gsize n = 0;
      g_auto (GStrv) own = g_key_file_get_keys (file, groups[j], &n, NULL);

      fail_unless_equals_int (n, g_strv_length (keys));
      for (guint k = 0; keys[k]; k++)
        fail_unless (g_strv_contains ((const gchar * const *) own, keys[k]),
            "%s of %s", keys[k], groups[j]);
    }
  }
}

TEST (test_saved)
{
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (GstElement) element =
        gst_object_ref_sink (gst_element_factory_make (elements[i], NULL));
    g_autoptr (GstElement) other =
        gst_object_ref_sink (gst_element_factory_make (elements[i], NULL));
    g_auto (GStrv) names = gst_preset_get_property_names (GST_PRESET (element));
    const gchar *const *list = (const gchar * const *) names;

    fail_unless (names && g_strv_contains (list, "border"));
    fail_if (g_strv_contains (list, "device"));
    fail_if (g_strv_contains (list, "interop"));
    fail_if (g_strv_contains (list, "matrix-file"));
    gst_util_set_object_arg (G_OBJECT (element), "border", "wrap");
    gst_util_set_object_arg (G_OBJECT (element), "pipeline-depth", "3");
    if (g_strv_contains (list, "source"))
      g_object_set (element, "source", "Pixel filter (FRAME)\n{\n  return "
          "pixel (frame, 0, 0); /* \\ */\n}\n", NULL);
    fail_unless (gst_preset_save_preset (GST_PRESET (element), "own"));
    fail_unless (gst_preset_load_preset (GST_PRESET (other), "own"));
    assert_value (other, "border", "wrap");
    assert_value (other, "pipeline-depth", "-1");
    for (guint j = 0; names[j]; j++) {
      GValue value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (element), names[j], &value);
      g_autofree gchar *text = gst_value_serialize (&value);
      assert_value (other, names[j], text);
      g_value_unset (&value);
    }
    fail_if (gst_preset_load_preset (GST_PRESET (other), "none"));
    fail_unless (gst_preset_delete_preset (GST_PRESET (element), "own"));
  }
}
