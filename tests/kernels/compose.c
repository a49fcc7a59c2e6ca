/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes C files from kernels:
 *
 *   compose OUTPUT KERNEL FUNCTION     a kernel as a C function
 *   compose OUTPUT NAME...             the list of them, for
 *                                      reference_kernel_find () */

#include <string.h>

#include "opencl/user/oclusersource.h"

static gchar *
compose_kernel (const gchar * path, const gchar * function)
{
  g_autofree gchar *text = NULL;
  GError *error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  g_autoptr (OclUserSource) source = ocl_user_source_new (path, text, &error);
  if (!source)
    g_error ("%s", error->message);
  return g_strdup_printf ("#define FUNCTION %s\n%s#include \"language.h\"\n%s",
      function, source->insert.definitions, source->insert.text);
}

static gchar *
get_function (const gchar * name)
{
  g_autofree gchar *function = g_strdup (name);

  return g_strconcat ("reference_kernel_", g_strdelimit (function, "-", '_'),
      NULL);
}

static gchar *
compose_list (gchar ** names, gint n)
{
  GString *text = g_string_new ("#include <string.h>\n"
      "#include \"referencekernel.h\"\n");

  for (gint i = 0; i < n; i++) {
    g_autofree gchar *function = get_function (names[i]);

    g_string_append_printf (text,
        "void %s (const ReferenceKernelPoint *, double[4]);\n", function);
  }
  g_string_append (text, "ReferenceKernel\n"
      "reference_kernel_find (const char *name)\n{\n");
  for (gint i = 0; i < n; i++) {
    g_autofree gchar *function = get_function (names[i]);

    g_string_append_printf (text, "  if (!strcmp (name, \"%s\"))\n"
        "    return %s;\n", names[i], function);
  }
  g_string_append (text, "  return NULL;\n}\n");
  return g_string_free (text, FALSE);
}

int
main (int argc, char **argv)
{
  const gboolean is_kernel = argc == 4 && g_str_has_suffix (argv[2], ".cl");
  g_autofree gchar *function = is_kernel ? get_function (argv[3]) : NULL;
  g_autofree gchar *text = is_kernel ? compose_kernel (argv[2], function)
      : compose_list (argv + 2, argc - 2);

  g_assert (argc > 2);
  return g_file_set_contents (argv[1], text, -1, NULL) ? 0 : 1;
}
