/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "operations.h"

#include <stdlib.h>

#include "opencl/ocloperations.h"
#include "paramlists.h"
#include "runnervariant.h"
#include "tool.h"

#define LINE_WIDTH 79

/* Prints @text in lines that start in column @indent, but the first in @first.
 */
static void
print_wrapped (gint first, gint indent, const gchar * text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  glong column = first;

  printf ("%*s%s", first, "", words[0]);
  column += g_utf8_strlen (words[0], -1);
  for (guint i = 1; words[i]; i++) {
    const glong length = g_utf8_strlen (words[i], -1);
    const gboolean fits = column + 1 + length <= LINE_WIDTH;

    printf ("%s%*s%s", fits ? "" : "\n", fits ? 1 : indent, "", words[i]);
    column = (fits ? column + 1 : indent) + length;
  }
  printf ("\n");
}

static void
print_param (const OclOperationClass * klass, const OclParam * param)
{
  g_autofree gpointer defaults = ocl_operation_class_create_params (klass);
  g_autofree gchar *value = ocl_param_print (param, defaults);
  g_autofree gchar *legal = param_describe_values (param);
  g_autofree gchar *heading = g_strdup_printf ("%s: %s; default %s",
      param->name, legal, value);
  const OclValue *values = param->values ? param->values->values : NULL;

  print_wrapped (4, 6, heading);
  print_wrapped (6, 6, param->blurb);
  for (; values && values->nick; values++) {
    g_autofree gchar *line =
        g_strdup_printf ("%s: %s", values->nick, values->blurb);

    print_wrapped (6, 8, line);
  }
}

/* Its name, and what it is for. */
static gchar *
describe_variant (const OclVariant * variant, gboolean is_plain)
{
  const struct
  {
    gboolean applies;
    const gchar *text;
  } facts[] = {
    {is_plain, "runs on any device"},
    {variant->flags & OCL_VARIANT_FOR_CPU, "what CPUs take"},
    {variant->flags & OCL_VARIANT_FOR_GPU, "what GPUs take"},
    {variant->flags & OCL_VARIANT_BUFFERS_ONLY, "images are copied to buffers"},
    {variant->flags & OCL_VARIANT_SLOW_IN_IMAGES, "in buffers"},
    {variant->flags & OCL_VARIANT_APPROXIMATE, "an approximation"},
    {variant->can_serve != NULL, "does not serve all parameters"},
  };
  GString *text = g_string_new (variant->name);
  guint n_facts = 0;

  for (guint i = 0; i < G_N_ELEMENTS (facts); i++) {
    if (facts[i].applies)
      g_string_append_printf (text, "%s%s", n_facts++ ? ", " : ": ",
          facts[i].text);
  }
  return g_string_free (text, FALSE);
}

static void
print_variant (const OclVariant * variant, gboolean is_plain)
{
  const OclTunable *tunable = variant->tunables;
  g_autofree gchar *line = describe_variant (variant, is_plain);

  print_wrapped (4, 6, line);
  for (; tunable && tunable->macro; tunable++) {
    printf ("      %s: one of ", tunable->macro);
    for (guint i = 0; tunable->values[i]; i++)
      printf ("%s%d", i ? ", " : "", tunable->values[i]);
    if (tunable->default_value)
      printf ("; default %d\n", tunable->default_value);
    else
      printf ("; by default the kernel decides\n");
  }
}

static void
print_operation (const OclOperationClass * klass)
{
  const gboolean reads = klass->flags & OCL_OPERATION_READS;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  const OclParam *param = klass->params;

  printf ("%s: %s\n", klass->name, reads && writes ? "filters frames"
      : reads ? "reads frames, has a result" : "draws on frames");
  printf ("  parameters%s\n", param && param->name ? "" : ": none");
  for (; param && param->name; param++)
    print_param (klass, param);
  printf ("  variants\n");
  for (guint i = 0; klass->variants[i]; i++)
    print_variant (klass->variants[i], i == 0);
}

static void
print_formats (void)
{
  g_autofree const gchar **names = runner_format_get_names ();
  g_autofree gchar *list = g_strjoinv (", ", (gchar **) names);
  g_autofree gchar *line = g_strdup_printf ("formats: %s", list);

  print_wrapped (0, 2, line);
}

int
operations_main (int argc, char **argv)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  int status;

  if (!tool_parse_options ("Lists the operations, with the parameters that "
          "glopencl bench has options for,\nand the variants that its "
          "--variants and --tuning choose from; then the formats for its "
          "--format.",
          "Parameters are properties of the elements, too. What is below a "
          "variant are\nmacros of its kernels that change how fast it is, "
          "and not its results.", entries, argc, argv, &status))
    return status;
  for (guint i = 0; ocl_operations[i]; i++) {
    print_operation (ocl_operations[i]);
    printf ("\n");
  }
  print_formats ();
  return EXIT_SUCCESS;
}
