/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the text that users write for the operations of a chain. No device is
 * needed. */

#include <glib/gstdio.h>
#include <string.h>

#include "opencl/denoise/ocldenoise.h"
#include "opencl/ocloperations.h"
#include "opencl/user/ocluser.h"
#include "testcase.h"

#define SOURCE "#pragma glopencl argument gain 0 4 1\n" \
    "Pixel filter (FRAME) { return times (pixel (frame, 0, 0), info.gain); }"

/* A text, and how it is printed. */
static const struct
{
  const gchar *text;
  const gchar *printed;
} texts[] = {
  {"", ""},
  {"  ", ""},
  {"sharpen", "sharpen"},
  {"bilateral spatial-sigma=3 ! sharpen radius=2",
      "bilateral spatial-sigma=3 ! sharpen radius=2"},
  {"sharpen radius=2 radius=4 beta=-1.5",
      "sharpen radius=4 beta=-1.5"},
  {"sharpen 'radius=2' ! gradient \"output\"=x",
      "sharpen radius=2 ! gradient output=x"},
  {"convolution 'matrix=<<1,2,3>>'", NULL},
  {"denoise lookahead=1 ! bilateral color-mode=lab planes=luma",
      "denoise lookahead=1 ! bilateral color-mode=lab planes=luma"},
};

TEST (test_texts)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_auto (OclOperationList) list = { 0, }, again = { 0, };

    ASSERT_OK (ocl_operation_list_parse (&list, texts[i].text, &error));
    g_assert_cmpuint (list.id, !=, 0);
    g_autofree gchar *printed = ocl_operation_list_print (&list);
    if (texts[i].printed)
      g_assert_cmpstr (printed, ==, texts[i].printed);
    ASSERT_OK (ocl_operation_list_parse (&again, printed, &error));
    g_assert_cmpuint (again.id, !=, list.id);
    g_assert_cmpuint (again.n, ==, list.n);
    for (guint n = 0; n < list.n; n++)
      g_assert_true (ocl_params_equal (list.items[n].klass->params,
              list.items[n].klass->params_size, list.items[n].params,
              again.items[n].params));
  }
}

/* Arguments of a kernel are written like parameters. */
TEST (test_arguments)
{
  g_auto (OclOperationList) list = { 0, }, again = { 0, };

  ASSERT_OK (ocl_operation_list_parse (&list, "sharpen ! kernel 'source=" SOURCE
          "' gain=3", &error));
  const OclUserParams *params = list.items[1].params;
  g_assert_cmpfloat (params->values[0], ==, 3.0);
  g_autofree gchar *printed = ocl_operation_list_print (&list);
  ASSERT_OK (ocl_operation_list_parse (&again, printed, &error));
  params = again.items[1].params;
  g_assert_cmpfloat (params->values[0], ==, 3.0);
}

/* A wrong text, and words of its message. */
static const struct
{
  const gchar *text;
  const gchar *words;
} wrong[] = {
  {"bilatera", "Operation 1: there is no operation bilatera"},
  {"histogram", "Operation 1: there is no operation histogram"},
  {"sharpen ! ! gradient", "Operation 2 is missing"},
  {"! sharpen", "Operation 1 is missing"},
  {"sharpen !", "Operation 2 is missing"},
  {"sharpen radiu=2", "Operation 1, sharpen: there is no parameter radiu"},
  {"sharpen radius=2 gradient", "Operation 1, sharpen: gradient is no "
        "parameter: write NAME=VALUE, and a ! before"},
  {"sharpen ! bilateral radius=", "Operation 2, bilateral: radius cannot be"},
  {"sharpen radius=-1", "Operation 1, sharpen: radius cannot be -1"},
  {"sharpen ! denoise lookahead=1", "Operation 2, denoise: only the first"},
  {"kernel location=missing.cl", "Operation 1, kernel: The kernel cannot be "
        "read"},
  {"kernel 'source=" SOURCE "' gain=9", "gain of the kernel source cannot be "
        "9"},
  {"kernel 'source=" SOURCE "' bias=1", "has no argument bias"},
  {"kernel 'source=" SOURCE "' gain=x", "Operation 1, kernel: "},
  {"kernel 'source=no filter'", "Operation 1, kernel: "},
  {"sharpen 'radius=2", "cannot be read"},
};

TEST (test_wrong_texts)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_auto (OclOperationList) list = { 0, };
    g_autoptr (GError) error = NULL;

    g_assert_false (ocl_operation_list_parse (&list, wrong[i].text, &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
    if (!strstr (error->message, wrong[i].words))
      g_error ("%s: %s", wrong[i].text, error->message);
    g_assert_cmpuint (list.n, ==, 0);
  }
}

/* Wrong texts, with %s for a part that may be long. */
static const gchar *const long_texts[] = {
  "%s", "! %s", "'%s", "%s\\", "sharpen '%s", "sharpen %s", "sharpen %s=1",
  "sharpen radius=%s", "sharpen preset=%s", "convolution matrix=%s",
  "multiresolution gains=%s", "convolution matrix-location=%s",
  "kernel location=%s", "kernel source=%s", "kernel %s=1", "kernel a=%s",
  "sharpen ! sharpen ! sharpen ! sharpen ! sharpen ! sharpen ! sharpen "
      "! sharpen ! sharpen ! sharpen ! sharpen ! sharpen ! sharpen ! sharpen "
      "! sharpen ! sharpen ! %s",
};

/* A message is short, whatever users write. */
TEST (test_long_texts)
{
  g_autofree gchar *part = g_strnfill (1 << 20, 'x');

  for (guint i = 0; i < G_N_ELEMENTS (long_texts); i++) {
    g_auto (GStrv) parts = g_strsplit (long_texts[i], "%s", 2);
    g_autofree gchar *text = g_strjoinv (part, parts);
    g_auto (OclOperationList) list = { 0, };
    g_autoptr (GError) error = NULL;

    g_assert_false (ocl_operation_list_parse (&list, text, &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
    if (strlen (error->message) > 2000)
      g_error ("%s: %" G_GSIZE_FORMAT " bytes: %.100s", long_texts[i],
          strlen (error->message), error->message);
  }
}

TEST (test_too_many)
{
  g_auto (OclOperationList) list = { 0, };
  g_autoptr (GString) text = g_string_new ("sharpen");
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < OCL_MAX_OPERATIONS; i++)
    g_string_append (text, " ! sharpen");
  g_assert_true (ocl_operation_list_parse (&list, text->str, &error));
  g_assert_cmpuint (list.n, ==, OCL_MAX_OPERATIONS);
  ocl_operation_list_clear (&list);
  g_string_append (text, " ! gradient");
  g_assert_false (ocl_operation_list_parse (&list, text->str, &error));
  g_assert_nonnull (strstr (error->message, "Operation 17, gradient: "));
}

/* A copy owns its parameters, and keeps them for the same operations. */
TEST (test_copies)
{
  g_auto (OclOperationList) list = { 0, }, copy = { 0, };

  ASSERT_OK (ocl_operation_list_parse (&list, "denoise history=1 ! sharpen",
          &error));
  ocl_operation_list_copy (&copy, &list);
  gpointer params = copy.items[0].params;
  g_assert_true (params != list.items[0].params);
  ((OclDenoiseParams *) list.items[0].params)->history = 3;
  g_assert_cmpuint (ocl_operation_list_get_neighbours (&copy).n_earlier, !=, 3);
  ocl_operation_list_copy (&copy, &list);
  g_assert_true (copy.items[0].params == params);
  g_assert_cmpuint (ocl_operation_list_get_neighbours (&copy).n_earlier, ==, 3);
}

static gchar *folder;

/* Relative names are of files that are missing. */
void
test_set_up (void)
{
  folder = g_dir_make_tmp (NULL, NULL);
  g_assert_no_errno (g_chdir (folder));
}

void
test_tear_down (void)
{
  g_rmdir (folder);
  g_free (folder);
}
