/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the const tables on which all other code relies: operations, their
 * parameters, variants and tunables, and formats. The test needs no device. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "opencl/core/ocltext.h"
#include "opencl/ocloperations.h"
#include "references.h"
#include "testrandom.h"
#include "testcase.h"

#define N_RANDOM_DOUBLES 100
#define MAX_WARM_UPS 100

#define HEXADECIMAL "0x%" G_GINT64_MODIFIER "x"

/* A parameter of each type, as the operations need not have them. */
typedef struct
{
  gboolean boolean;
  gint integer;
  guint natural;
  guint64 large;
  gdouble real;
  gint choice;
  guint flags;
  OclLiteral *matrix;
  OclLiteral *numbers;
  OclLiteral *named;
  OclLiteral *file;
  OclLiteral *text;
} EachType;

#define OFFSET(member) G_STRUCT_OFFSET (EachType, member)

static const OclValue few_values[] = {
  {0, "none", "Nothing"}, {1, "one", "The first"}, {2, "two", "The second"},
  {0, NULL},
};

static const OclValues few = { "TestFew", few_values };

static const OclParam each_type_params[] = {
  {"boolean", "Yes or no", OCL_PARAM_BOOLEAN, OFFSET (boolean),
      .default_value = TRUE,.bench = "false,true"},
  {"integer", "Of any sign", OCL_PARAM_INT, OFFSET (integer),
      .minimum = G_MININT,.maximum = G_MAXINT,.default_value = -7},
  {"natural", "Of no sign", OCL_PARAM_UINT, OFFSET (natural),
      .minimum = 3,.maximum = 0xabcdef,.default_value = 5,.bench = "3,0x1f"},
  {"large", "Of 64 bits", OCL_PARAM_UINT64, OFFSET (large),
      .default_value = 9},
  {"real", "Of all magnitudes", OCL_PARAM_DOUBLE, OFFSET (real),
      .minimum = -G_MAXDOUBLE,.maximum = G_MAXDOUBLE,.default_value = 0.1},
  {"choice", "One of few", OCL_PARAM_ENUM, OFFSET (choice),.values = &few,
      .default_value = 2},
  {"flags", "Some of few", OCL_PARAM_FLAGS, OFFSET (flags),.values = &few,
      .default_value = 3,.bench = "none,one+two"},
  {"matrix", "Rows of numbers", OCL_PARAM_MATRIX, OFFSET (matrix),
      .default_text = "<<1>,<-2>,<3e-7>>",.bench = "<<1>>,<<1,2,3>>"},
  {"numbers", "A few", OCL_PARAM_NUMBERS, OFFSET (numbers),
      .minimum = -2.0,.maximum = 1e9,.bench = "<>,<1,-2,3e-7>"},
  {"named", "A few with names", OCL_PARAM_NAMED_NUMBERS, OFFSET (named),
      .bench = "<>,<a=1,b=-3e-7>"},
  {"file", "A name", OCL_PARAM_FILE, OFFSET (file)},
  {"text", "Any text", OCL_PARAM_TEXT, OFFSET (text),.bench = "a,b"},
  {NULL},
};

static const OclOperationClass each_type_class = {
  .name = "each-type",
  .params_size = sizeof (EachType),
  .params = each_type_params,
};

static void
assert_text (const gchar * text)
{
  g_assert_nonnull (text);
  g_assert_cmpstr (text, !=, "");
}

static void
assert_refused (const OclParam * param, const gchar * text, gpointer params,
    gsize params_size)
{
  g_autofree gpointer before = g_memdup2 (params, params_size);

  if (ocl_param_parse (param, text, params))
    g_error ("%s may be \"%s\"", param->name, text);
  g_assert_cmpmem (params, params_size, before, params_size);
}

/* @params, whose parameter is in range, come back equal from text. */
static void
check_round_trip (const OclParam * param, gpointer params, gsize params_size)
{
  const OclParam table[] = { *param, {NULL} };
  g_autoptr (OclParams) parsed = ocl_params_new (table, params_size);
  g_autofree gchar *text = ocl_param_print (param, params);

  g_assert_nonnull (text);
  if (!ocl_param_parse (param, text, parsed))
    g_error ("%s may not be \"%s\"", param->name, text);
  g_autofree gchar *again = ocl_param_print (param, parsed);
  g_assert_cmpstr (again, ==, text);
  g_assert_true (ocl_param_equals (param, parsed, params));
}

/* Doubles of all their digits, and those next to the limits. */
static void
check_digits (const OclParam * param, gpointer params, gsize params_size)
{
  g_autoptr (GRand) random = test_random_new (1);

  for (guint i = 0; i < N_RANDOM_DOUBLES; i++) {
    gdouble part = g_rand_double (random);
    gdouble number = i == 0 ? nextafter (param->minimum, param->maximum)
        : i == 1 ? nextafter (param->maximum, param->minimum)
        : param->minimum * (1.0 - part) + param->maximum * part;

    set_number (param, params, CLAMP (number, param->minimum, param->maximum));
    check_round_trip (param, params, params_size);
  }
}

static void
check_values (const OclParam * param)
{
  g_assert_nonnull (param->values);
  assert_text (param->values->name);
  g_assert_nonnull (param->values->values[0].nick);
  for (const OclValue * value = param->values->values; value->nick; value++) {
    assert_text (value->nick);
    assert_text (value->blurb);
    g_assert_null (strchr (value->nick, '+'));
    g_assert_true (ocl_values_find (param->values, value->nick) == value);
  }
  g_assert_null (ocl_values_find (param->values, "nowhere"));
}

static void
assert_parsed (const OclParam * param, const gchar * text, gpointer params,
    guint64 number)
{
  g_autofree gchar *decimal = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  if (!ocl_param_parse (param, text, params))
    g_error ("%s may not be \"%s\"", param->name, text);
  g_autofree gchar *printed = ocl_param_print (param, params);
  g_assert_cmpstr (printed, ==, decimal);
}

/* Texts that parameters of a type may not have. test_matrices() tests positions
 * of errors in a matrix. */
static const gchar *const refused_numbers[] = { "", "nowhere", "nan", "1x", "+",
  "1 2", "true+", "1e999", NULL
};

static const gchar *const refused_naturals[] = { "0x", "0xg", "0x1g", "-0x1",
  "0x-1", "0x+1", "0x 1", " 0x1", "0x1 ", "0x0x1", "x1", "ff",
  "0x10000000000000000", NULL
};

static const gchar *const refused_larges[] = { "-1", "18446744073709551616",
  NULL
};

static const gchar *const refused_matrices[] = { "", "1", "<1,2,3>", "<<1>",
  "<1>>", "<<1><1><1>>", "<<1>,>", "<<1,,1>>", "<<1>>>", "<<1>>,<<1>>", NULL
};

static const gchar *const refused_lists[] = { "", "<", ">", "1", "<1", "1>",
  "<1,>", "<,1>", "<1,,1>", "<1 1>", "<x>", "<<1>>", "<nan>", "<1>,<1>",
  "<1,1,1,1,1,1,1,1,1,1>", "<inf>", NULL
};

static void
check_refused (const OclParam * param, const gchar * const *words,
    gpointer params, gsize params_size)
{
  for (; *words; words++)
    assert_refused (param, *words, params, params_size);
}

/* Of natural numbers, from 0x and the least to 0x and the largest. */
static void
check_hexadecimal (const OclParam * param, gpointer params, gsize params_size)
{
  const gboolean is_uint = param->type == OCL_PARAM_UINT;
  const guint64 minimum = is_uint ? (guint64) param->minimum : 0;
  const guint64 maximum = is_uint ? (guint64) param->maximum : G_MAXUINT64;
  g_autofree gchar *least = g_strdup_printf (HEXADECIMAL, minimum);
  g_autofree gchar *largest = g_strdup_printf (HEXADECIMAL, maximum);
  g_autofree gchar *capitals = g_ascii_strup (largest + 2, -1);
  g_autofree gchar *in_capitals = g_strconcat ("0x", capitals, NULL);
  g_autofree gchar *below = g_strdup_printf (HEXADECIMAL, minimum - 1);
  g_autofree gchar *above = g_strdup_printf (HEXADECIMAL, maximum + 1);

  assert_parsed (param, least, params, minimum);
  assert_parsed (param, largest, params, maximum);
  check_round_trip (param, params, params_size);
  assert_parsed (param, least, params, minimum);
  assert_parsed (param, in_capitals, params, maximum);
  check_refused (param, refused_naturals, params, params_size);
  if (minimum > 0)
    assert_refused (param, below, params, params_size);
  if (maximum < G_MAXUINT64)
    assert_refused (param, above, params, params_size);
}

/* Numbers out of range, or more than a name. */
static void
check_limits (const OclParam * param, gpointer params, gsize params_size)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  const gboolean is_real = param->type == OCL_PARAM_DOUBLE;
  const gdouble step = is_real ? 1e-3 * MAX (1.0, fabs (param->maximum)) : 1.0;

  check_refused (param, refused_numbers, params, params_size);
  if (param->values) {
    g_autofree gchar *twice = g_strdup_printf ("%s+x",
        param->values->values[0].nick);

    assert_refused (param, twice, params, params_size);
  } else if (param->type == OCL_PARAM_BOOLEAN
      || param->type == OCL_PARAM_UINT64) {
    check_refused (param, refused_larges, params, params_size);
  } else {
    assert_refused (param, g_ascii_formatd (number, sizeof (number), "%.0f",
            floor (param->minimum - step)), params, params_size);
    assert_refused (param, g_ascii_formatd (number, sizeof (number),
            is_real ? "%.17g" : "%.0f", param->maximum + step), params,
        params_size);
  }
}

static void
check_lists (const OclParam * param, gpointer params, gsize params_size)
{
  g_autofree gchar *below = ocl_number_print (param->minimum - 0.5);
  g_autofree gchar *list = g_strdup_printf ("<1,%s>", below);

  check_refused (param, refused_lists, params, params_size);
  assert_refused (param, list, params, params_size);
  g_assert_true (ocl_param_parse (param, " < 1 , 0.1,1> ", params));
  check_round_trip (param, params, params_size);
}

/* The values in the table. */
static void
check_entry (const OclOperationClass * klass, const OclParam * param)
{
  assert_text (param->name);
  assert_text (param->blurb);
  g_assert_true (ocl_params_find (klass->params, param->name) == param);
  g_assert_cmpuint (param->offset + ocl_param_get_size (param), <=,
      klass->params_size);
  for (const OclParam * other = klass->params; other != param; other++)
    g_assert_true (other->offset + ocl_param_get_size (other) <= param->offset
        || param->offset + ocl_param_get_size (param) <= other->offset);
  if (param->type == OCL_PARAM_ENUM || param->type == OCL_PARAM_FLAGS)
    check_values (param);
  else
    g_assert_null (param->values);
  if (param->type == OCL_PARAM_INT || param->type == OCL_PARAM_UINT
      || param->type == OCL_PARAM_DOUBLE) {
    g_assert_cmpfloat (param->minimum, <, param->maximum);
    g_assert_cmpfloat (param->default_value, >=, param->minimum);
    g_assert_cmpfloat (param->default_value, <=, param->maximum);
  }
}

/* The entry, and the derived values. */
static void
check_param (const OclOperationClass * klass, const OclParam * param)
{
  const gsize size = klass->params_size;
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

  g_auto (GStrv) values = param->bench ? ocl_param_split (param->bench) : NULL;
  g_autoptr (GArray) numbers = get_numbers (param);

  check_entry (klass, param);
  /* The comma-separated values for benchmarks. */
  for (guint i = 0; values && values[i]; i++)
    g_assert_true (ocl_param_parse (param, values[i], params));
  ocl_params_clear (klass->params, params);
  ocl_params_init (klass->params, params);
  check_round_trip (param, params, size);
  if (param->type == OCL_PARAM_MATRIX)
    check_refused (param, refused_matrices, params, size);
  if (param->type == OCL_PARAM_NUMBERS)
    check_lists (param, params, size);
  if (param->type == OCL_PARAM_FILE) {
    g_autofree gchar *name = g_strnfill (OCL_MAX_FILE_NAME, 'x');

    assert_refused (param, name, params, size);
    name[OCL_MAX_FILE_NAME - 1] = '\0';
    g_assert_true (ocl_param_parse (param, name, params));
    check_round_trip (param, params, size);
  }
  if (!is_number (param))
    return;
  g_assert_cmpfloat (get_number (param, params), ==, param->default_value);
  for (guint i = 0; i < numbers->len; i++) {
    set_number (param, params, g_array_index (numbers, gdouble, i));
    check_round_trip (param, params, size);
  }
  if (param->type == OCL_PARAM_DOUBLE)
    check_digits (param, params, size);
  if (param->type == OCL_PARAM_UINT || param->type == OCL_PARAM_UINT64)
    check_hexadecimal (param, params, size);
  check_limits (param, params, size);
}

static void
check_tunables (const OclTunable * tunables)
{
  for (guint i = 0; tunables && tunables[i].macro; i++) {
    /* The kernel decides. */
    gboolean found = tunables[i].default_value == 0;

    g_assert_cmpuint (i, <, OCL_MAX_TUNABLES);
    assert_text (tunables[i].macro);
    for (guint j = 0; tunables[i].values[j]; j++)
      found |= tunables[i].values[j] == tunables[i].default_value;
    g_assert_true (found);
    for (guint j = 0; j < i; j++)
      g_assert_cmpstr (tunables[i].macro, !=, tunables[j].macro);
  }
}

static void
check_variant (const OclOperationClass * klass, const OclVariant * variant)
{
  assert_text (variant->name);
  g_assert_true (ocl_operation_class_find_variant (klass, variant->name)
      == variant);
  g_assert_nonnull (variant->enqueue);
  /* Kernels have a source, and state is freed. */
  g_assert_true ((variant->source == NULL) == (variant->kernels == NULL));
  g_assert_true (variant->kernels || !variant->rgb_kernels);
  g_assert_true ((variant->state_size == 0) == (variant->clear == NULL));
  g_assert_true (klass->flags & OCL_OPERATION_READS
      || !(variant->flags & OCL_VARIANT_BUFFERS_ONLY));
  check_tunables (variant->tunables);
}

/* It ends, and all variants can be run with parameters of it. */
static void
check_warm_up (const OclOperationClass * klass)
{
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

  /* An operation that is neutral by default is not warmed up by default. */
  g_assert_true (ocl_operation_class_get_warm_up (klass, 0, params)
      != ocl_operation_class_is_neutral (klass, params));
  ocl_params_clear (klass->params, params);
  ocl_params_init (klass->params, params);
  for (guint n = 0; klass->get_warm_up && klass->get_warm_up (n, params); n++) {
    g_assert_cmpuint (n, <, MAX_WARM_UPS);
    g_assert_false (ocl_operation_class_is_neutral (klass, params));
    for (const OclParam * param = klass->params; param && param->name; param++)
      check_round_trip (param, params, klass->params_size);
  }
}

TEST (test_each_type)
{
  for (const OclParam * param = each_type_params; param->name; param++)
    check_param (&each_type_class, param);
}

/* Errors have the row and the column. */
TEST (test_matrices)
{
  static const gchar *const wrong[][2] = {
    {"<>", "row 1, column 1"},
    {"<<>>", "row 1, column 1"},
    {"<<1,2>>", "row 1, column 2"},
    {"<<1>,<2>>", "row 2, column 1"},
    {"<<1,2,3>,<4,5>,<6,7,8>>", "2 columns in row 2"},
    {"<<1,2,3>,<4,5,x>,<6,7,8>>", "\"x\" in row 2, column 3"},
    {"<<1,2,3>,<4,,6>,<6,7,8>>", "\"\" in row 2, column 2"},
    {"<<1,2,3>,<4,5,6>,<nan,7,8>>", "nan in row 3, column 1"},
    {"<<1,2,3>,<4,inf,6>,<6,7,8>>", "inf in row 2, column 2"},
    {"<<1,2,1.1e9>>", "1.1e+09 in row 1, column 3"},
    {"<<>,<1>>", "row 1, column 1"},
    {"<<0,0,0>>", "row 1, column 1 to row 1, column 3"},
    {"<<1,2,3>,4>", "<> as row 2"},
    {"1,2,3", "<> as row 1"},
  };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_assert_null (ocl_matrix_parse (wrong[i][0], &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
    if (!strstr (error->message, wrong[i][1]))
      g_error ("%s: \"%s\" does not say %s", wrong[i][0], error->message,
          wrong[i][1]);
    g_clear_error (&error);
  }
}

/* Of the largest size there is, and one larger. */
TEST (test_matrix_sizes)
{
  for (gint side = 61; side <= 65; side += 2) {
    GString *text = g_string_new ("<");

    for (gint n = 0; n < side * side; n++)
      g_string_append_printf (text, "%s%d", n % side ? "," : n ? ">,<" : "<",
          n);
    g_string_append (text, ">>");
    g_autoptr (OclLiteral) matrix = ocl_matrix_parse (text->str, NULL);
    g_assert_true ((matrix != NULL) == (side <= OCL_MATRIX_MAX_SIDE));
    if (matrix) {
      g_assert_cmpstr (matrix->text, ==, text->str);
      g_assert_cmpint (matrix->width, ==, side);
      g_assert_cmpint (matrix->height, ==, side);
    }
    g_string_free (text, TRUE);
  }
}

static void
write_file (const gchar * name, const gchar * text)
{
  g_assert_true (g_file_set_contents (name, text, -1, NULL));
}

/* A file has 1 MiB at most, of which most may be blank. */
static void
check_matrix_file_size (const gchar * name)
{
  GString *text = g_string_new ("1 2 3\n");

  while (text->len < 1 << 20)
    g_string_append_c (text, ' ');
  write_file (name, text->str);
  g_autoptr (OclLiteral) matrix = ocl_matrix_load (name, NULL);
  g_assert_nonnull (matrix);
  g_string_append_c (text, ' ');
  write_file (name, text->str);
  g_assert_null (ocl_matrix_load (name, NULL));
  g_string_free (text, TRUE);
}

TEST (test_matrix_files)
{
  static const gchar *const wrong[] = { "", "1 2\n", "1 2 3\n4 5\n", "x\n",
    "0\n", "1 2 3\n1 nan 3\n1 2 3\n"
  };
  g_autofree gchar *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree gchar *name = g_build_filename (folder, "matrix.txt", NULL);
  GError *error = NULL;

  write_file (name, "  1, 2\t3\r\n\n-4 5e0 ,6\n7 8 9");
  g_autoptr (OclLiteral) matrix = ocl_matrix_load (name, NULL);
  g_assert_nonnull (matrix);
  g_assert_cmpstr (matrix->text, ==, "<<1,2,3>,<-4,5,6>,<7,8,9>>");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    write_file (name, wrong[i]);
    g_assert_null (ocl_matrix_load (name, &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
    g_assert_nonnull (strstr (error->message, name));
    g_assert_nonnull (strstr (error->message, "row"));
    g_clear_error (&error);
  }
  g_assert_true (g_file_set_contents (name, "1 2 3\0 4", 8, NULL));
  g_assert_null (ocl_matrix_load (name, NULL));
  g_assert_null (ocl_matrix_load (folder, NULL));
  g_assert_null (ocl_matrix_load ("/dev/zero", NULL));
  /* A file whose end is waited for, where the test may read it. */
  g_assert_null (ocl_matrix_load ("/proc/kmsg", NULL));
  check_matrix_file_size (name);
  g_remove (name);
  g_assert_null (ocl_matrix_load (name, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  g_assert_cmpint (mkfifo (name, 0600), ==, 0);
  g_assert_null (ocl_matrix_load (name, NULL));
  g_remove (name);
  g_clear_error (&error);
  g_rmdir (folder);
}

/* A variant, as used by the planner: whether it supports the parameters, and
 * the specializations of its programs. */
typedef struct
{
  gboolean supports[OCL_MAX_PASSES];
  guint forms[OCL_MAX_SPECIALIZATIONS];
} Decision;

static Decision
decide (const OclOperationClass * klass, const OclVariant * variant,
    gconstpointer params, const OclFormat * format)
{
  Decision decision = { {0,}, {0,} };
  OclPass passes[OCL_MAX_PASSES];
  const guint n =
      ocl_operation_class_get_passes (klass, params, format, passes);

  for (guint i = 0; i < n; i++)
    decision.supports[i] =
        ocl_variant_supports (variant, params, format, &passes[i]);
  ocl_variant_get_specializations (variant, params, format, decision.forms);
  return decision;
}

/* Parameters that are not marked to decide something decide nothing: a plan
 * that is remembered must fit. */
static void
check_decisions (const OclOperationClass * klass, const OclVariant * variant,
    const OclFormat * format)
{
  g_autoptr (OclParams) base = ocl_operation_class_create_params (klass);
  const Decision expected = decide (klass, variant, base, format);

  for (const OclParam * param = klass->params; param && param->name; param++) {
    g_autoptr (GArray) numbers = get_numbers (param);

    for (guint i = 0; !param->decides && i < numbers->len; i++) {
      g_autoptr (OclParams) params =
          ocl_operation_class_copy_params (klass, base);

      set_number (param, params, g_array_index (numbers, gdouble, i));
      const Decision decision = decide (klass, variant, params, format);
      if (memcmp (&decision, &expected, sizeof (decision)) != 0)
        g_error ("%s, %s: %s decides and is not marked to", klass->name,
            variant->name, param->name);
    }
  }
}

static void
test_decisions (gconstpointer data)
{
  static const gchar *const names[] = { "RGBA", "GRAY16_LE", "I420" };
  const OclOperationClass *klass = data;

  for (guint i = 0; klass->variants[i]; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (names); j++)
      check_decisions (klass, klass->variants[i], ocl_format_find (names[j]));
  }
}

static void
test_tables (gconstpointer data)
{
  const OclOperationClass *klass = data;
  const OclVariant *plain = klass->variants[0];

  assert_text (klass->name);
  g_assert_true (ocl_operations_find (klass->name) == klass);
  g_assert_cmpuint (klass->flags & OCL_OPERATION_FILTERS, !=, 0);
  g_assert_true ((klass->params != NULL) == (klass->params_size != 0));
  for (const OclParam * param = klass->params; param && param->name; param++)
    check_param (klass, param);

  g_assert_nonnull (plain);
  g_assert_null (plain->supports);
  g_assert_cmpuint (plain->flags & OCL_VARIANT_APPROXIMATE, ==, 0);
  /* The operation copies frames with a history to buffers. */
  g_assert_true (klass->get_neighbours
      || !(plain->flags & OCL_VARIANT_BUFFERS_ONLY));
  for (guint i = 0; klass->variants[i]; i++)
    check_variant (klass, klass->variants[i]);
  check_warm_up (klass);
  g_assert_nonnull (reference_find (klass->name));
  for (const OclNeed * need = klass->needs; need && need->klass; need++) {
    g_assert_cmpuint (need->klass->flags, ==, OCL_OPERATION_READS);
    g_assert_nonnull (need->is_needed);
    g_assert_cmpint (need - klass->needs, <, OCL_MAX_NEEDS);
  }
}

TEST (test_formats)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];

    assert_text (format->name);
    g_assert_true (ocl_format_find (format->name) == format);
    g_assert_cmpuint (format->n_planes, <=, OCL_MAX_PLANES);
    g_assert_true (!format->swapped || format->swapped->swapped == format);
  }
  g_assert_null (ocl_format_find ("x"));
  g_assert_null (ocl_operations_find ("x"));
}

void
test_set_up (void)
{
  const OclOperationClass *klass;

  for (guint i = 0; (klass = ocl_operations[i]); i++) {
    testcase_add_data (test_tables, klass, "operations/%s", klass->name);
    testcase_add_data (test_decisions, klass, "operations/%s/decisions",
        klass->name);
  }
}
