/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests how the text of a user's kernel is read: its pragmas, errors and their
 * positions, and the resulting text. */

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "opencl/core/oclprograms.h"
#include "opencl/user/ocluser.h"
#include "opencl/user/oclusersource.h"
#include "testcase.h"

#define FILTER "Pixel filter (FRAME) { return pixel (frame, 0, 0); }\n"

TEST (test_read)
{
  static const gchar text[] = "/* first */\n"
      "  #  pragma  glopencl  radius 3 1\n"
      "#pragma glopencl history 2\n#pragma glopencl planes luma\n"
      "#pragma glopencl guide luma\n#pragma glopencl alpha\n"
      "#pragma glopencl argument a -1 2.5 0 \"What it is\"\n"
      "#pragma glopencl argument b_2 0 1e3 7\n"
      "#pragma glopencl scalar\n#pragma unroll\n" FILTER;
  GError *error = NULL;
  g_autoptr (OclUserSource) source =
      ocl_user_source_new ("a \"b\".cl", text, &error);

  g_assert_no_error (error);
  g_assert_cmpint (source->radius_x, ==, 3);
  g_assert_cmpint (source->radius_y, ==, 1);
  g_assert_cmpuint (source->history, ==, 2);
  g_assert_cmpuint (source->planes, ==, OCL_PLANES_LUMA);
  g_assert_true (source->guided && source->alpha && source->scalar);
  g_assert_null (source->native_name);
  g_assert_cmpuint (source->n_arguments, ==, 2);
  g_assert_cmpint (ocl_user_source_find (source, "b_2"), ==, 1);
  g_assert_cmpint (ocl_user_source_find (source, "b"), ==, -1);
  g_assert_cmpstr (source->arguments[0].blurb, ==, "What it is");
  g_assert_cmpfloat (source->arguments[0].minimum, ==, -1.0);
  g_assert_cmpfloat (source->arguments[0].maximum, ==, 2.5);
  g_assert_cmpfloat (source->arguments[1].default_value, ==, 7.0);
  /* Lines keep their numbers, and a name cannot end its string. */
  g_assert_true (g_str_has_prefix (source->insert.text,
          "#line 1 \"a _b_.cl\"\n/* first */\n\n\n\n\n\n\n\n\n#pragma unroll\n"
          FILTER));
  g_assert_nonnull (strstr (source->insert.definitions,
          "#define ARGUMENTS float a; float b_2;\n"));
}

/* The error, and words of its message. */
static const gchar *const mistakes[][2] = {
  {"", "no function filter"},
  {"#pragma glopencl\n" FILTER, "k.cl:1: "},
  {"\n#pragma glopencl size 2\n" FILTER, "k.cl:2: There is no"},
  {"#pragma glopencl radius\n" FILTER, "k.cl:1: Write #pragma glopencl radius"},
  {"#pragma glopencl radius 1 2 3\n" FILTER, "Write #pragma"},
  {"#pragma glopencl radius 65\n" FILTER, "\"65\" is not an integer"},
  {"#pragma glopencl radius 1 -1\n" FILTER, "\"-1\""},
  {"#pragma glopencl radius 1.5\n" FILTER, "\"1.5\""},
  {"#pragma glopencl history 4\n" FILTER, "from 0 to 3"},
  {"#pragma glopencl planes chroma\n" FILTER, "luma or each"},
  {"#pragma glopencl guide red\n" FILTER, "\"red\" is not luma"},
  {"#pragma glopencl alpha 1\n" FILTER, "Write #pragma glopencl alpha."},
  {"#pragma glopencl argument a 0 1\n" FILTER, "Write #pragma"},
  {"#pragma glopencl argument a 0 1 2\n" FILTER, "not between 0 and 1"},
  {"#pragma glopencl argument a 1 0 0\n" FILTER, "not between"},
  {"#pragma glopencl argument a 0 x 0\n" FILTER, "\"x\" is not a number"},
  {"#pragma glopencl argument a 0 nan 0\n" FILTER, "\"nan\" is not a number"},
  {"#pragma glopencl argument a 0 1e10 0\n" FILTER, "\"1e10\""},
  {"#pragma glopencl argument a 0 1 0 \"open\n" FILTER, "quotation mark"},
  {"#pragma glopencl argument 1a 0 1 0\n" FILTER, "no name"},
  {"#pragma glopencl argument a-b 0 1 0\n" FILTER, "no name"},
  {"#pragma glopencl argument glo_a 0 1 0\n" FILTER, "no name"},
  {"#pragma glopencl argument time 0 1 0\n" FILTER, "no name"},
  {"#pragma glopencl argument a234567890123456789012345678901x 0 1 0\n"
        FILTER, "no name"},
  {"#pragma glopencl argument a 0 1 0\n#pragma glopencl argument a 0 1 0\n"
        FILTER, "k.cl:2: The argument a is there twice"},
  {"#pragma glopencl argument float 0 1 0\n" FILTER, "cannot be called float"},
  {"\n#pragma glopencl argument uchar16 0 1 0\n" FILTER, "k.cl:2: An argument"},
  {"#pragma glopencl argument FRAME 0 1 0\n" FILTER, "be called FRAME"},
  {"#pragma glopencl argument frame 0 1 0\n" FILTER, "be called frame"},
  {"#pragma glopencl argument MAX_LEVEL 0 1 0\n" FILTER, "called MAX_LEVEL"},
  {"#include \"other.cl\"\n" FILTER, "k.cl:1: A kernel cannot have"},
  {"/* x\n*/ # /* y */ inc\\\nlude <other.cl>\n" FILTER, "k.cl:2: A kernel"},
  {"\n%:import \"other.cl\"\n" FILTER, "k.cl:2: A kernel cannot have"},
  {"#line 7 \"other.cl\"\n" FILTER, "directive #line"},
  {"# 7 \"other.cl\"\n" FILTER, "directive #7"},
  {FILTER "\n/* open", "k.cl:3: The comment does not end"},
  {"#if 1\n" FILTER, "#if without #endif"},
  {FILTER "#endif\n", "k.cl:2: There is no #if"},
  {"#else\n" FILTER, "k.cl:1: There is no #if"},
  {"// ?" "?/\n" FILTER, "trigraphs"},
  {"// Pixel filter (FRAME)\n", "no function filter"},
};

/* Asserts that a text is refused, with @words. */
static void
assert_refused (const gchar * text, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ocl_user_source_new ("k.cl", text, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  if (!strstr (error->message, words))
    g_error ("%s\n\"%s\" does not have \"%s\"", text, error->message, words);
}

TEST (test_mistakes)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    assert_refused (mistakes[i][0], mistakes[i][1]);
}

/* Definitions, statements of a function after them, and the refused word, or
 * nothing. The driver would run the first ones, which is how they ended the
 * process. */
static const gchar *const macros[][3] = {
  {"", "barrier (CLK_LOCAL_MEM_FENCE);", "cannot use barrier"},
  {"", "printf (\"%d\", 1);", "cannot use printf"},
  {"", "__asm__ (\"nop\");", "cannot use __asm__"},
  {"", "asm (\"nop\");", "cannot use asm"},
  {"", "_cl_barrier (1);", "cannot use _cl_barrier"},
  {"", "work_group_barrier (1);", "cannot use work_group_barrier"},
  {"", "sub_group_reduce_add (1);", "cannot use sub_group_reduce_add"},
  {"", "bar\\\nrier (1);", "cannot use barrier"},
  {"#define SYNC() barrier (1)\n", "SYNC ();", "k.cl:1: A kernel cannot use"},
  {"#define NAME barrier\n#define SYNC(f) f (1)\n", "SYNC (NAME);",
      "cannot use barrier"},
  {"#define JOIN(a, b) a##b\n", "JOIN (bar, rier) (1);", "cannot use barrier"},
  {"#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_ (a, b)\n#define A bar\n"
        "#define B rier\n", "JOIN (A, B) (1);", "cannot use barrier"},
  {"#define JOIN(a, b, c) a##b##c\n", "JOIN (, barrier, ) (1);",
      "cannot use barrier"},
  {"#define JOIN(a, b) x a %:%: b\n", "JOIN (, barrier) (1);",
      "cannot use barrier"},
  {"#define JOIN(a, ...) a ## __VA_ARGS__\n", "JOIN (bar, rier) (1);",
      "cannot use barrier"},
  {"#define ALL(...) f (0, ## __VA_ARGS__)\n", "ALL (barrier (1));",
      "cannot use barrier"},
  {"#define ALL(list...) f (list)\n", "ALL (1, barrier (1));",
      "cannot use barrier"},
  {"#define JOIN(a, b) a##b\n", "JOIN (bar,\n#define X\nrier) (1);",
      "cannot use barrier"},
  {"#define F() G\n#define G() barrier (1)\n", "F () ();",
      "cannot use barrier"},
  {"#if X\n#define SYNC barrier (1)\n#else\n#define SYNC\n#endif\n", "SYNC;",
      "cannot use barrier"},
  {"#ifdef X\n#undef SYNC\n#endif\n#define SYNC barrier (1)\n#ifdef X\n"
        "#undef SYNC\n#endif\n", "SYNC;", "cannot use barrier"},
  {"/* barrier (1); */ // printf\n", "char c = '\"'; f (\"barrier\");"},
  {"#define SYNC barrier (1)\n", ""},
  {"#define SYNC barrier (1)\n#undef SYNC\n#define SYNC\n", "SYNC;"},
  {"#define barrier(x) wait (x)\n", "barrier (1);"},
  {"#define SYNC(x) #x\n", "f (SYNC (barrier));"},
  {"#define JOIN(a, b) a##b\n", "JOIN (barrier, s) (1);"},
  {"#define pixels pixels + 1\n#define A B\n#define B A\n", "pixels; A;"},
  {"#define F(x) (x)\n", "F; F (F (F (1)));"},
  {"#define EMPTY\n#define F(x, y) x##y##EMPTY\n", "F (, ); F (1, ); F (a);"},
  {"#\n#pragma unroll\n#if (1 > 0)\n#elif 0\n#else\n#error no\n#endif\n",
      ""},
};

TEST (test_macros)
{
  for (guint i = 0; i < G_N_ELEMENTS (macros); i++) {
    g_autofree gchar *text = g_strdup_printf ("%sPixel filter (FRAME) { %s }\n",
        macros[i][0], macros[i][1]);
    g_autoptr (OclUserSource) source = NULL;
    GError *error = NULL;

    if (macros[i][2]) {
      assert_refused (text, macros[i][2]);
      continue;
    }
    source = ocl_user_source_new ("k.cl", text, &error);
    g_assert_no_error (error);
    g_assert_nonnull (source);
  }
}

/* Returns the processor's time until @text is refused for its length, in
 * seconds. */
static gdouble
time_refusal (const gchar * text)
{
  const clock_t start = clock ();
  g_autoptr (GError) error = NULL;

  g_assert_null (ocl_user_source_new ("k.cl", text, &error));
  if (!strstr (error->message, "131072 words")
      && !strstr (error->message, "nested too deeply"))
    g_error ("%s", error->message);
  return (gdouble) (clock () - start) / CLOCKS_PER_SEC;
}

/* Texts that are short, and would be millions of words for the driver. */
TEST (test_macro_bombs)
{
  g_autoptr (GString) doubled = g_string_new ("#define A0 x\n");
  g_autoptr (GString) nested = g_string_new ("#define F(x) x x\n");
  g_autoptr (GString) branches = g_string_new (NULL);
  g_autoptr (GString) wide = g_string_new ("#define F(x) x x x x x x x x\n");

  for (guint i = 1; i < 64; i++)
    g_string_append_printf (doubled, "#define A%u A%u A%u\n", i, i - 1, i - 1);
  g_string_append (doubled, "Pixel filter (FRAME) { A63 }\n");
  g_assert_cmpfloat (time_refusal (doubled->str), <, 5.0);

  g_string_append (nested, "Pixel filter (FRAME) { ");
  for (guint i = 0; i < 5000; i++)
    g_string_append (nested, "F(");
  g_assert_cmpfloat (time_refusal (nested->str), <, 5.0);

  for (guint i = 1; i < 20; i++)
    g_string_append_printf (branches, "#if X\n#define A%u A%u A%u\n#else\n"
        "#define A%u A%u\n#endif\n", i, i - 1, i - 1, i, i - 1);
  g_string_append (branches, "Pixel filter (FRAME) { A19 }\n");
  g_assert_cmpfloat (time_refusal (branches->str), <, 5.0);

  g_string_append (wide, "Pixel filter (FRAME) { F(");
  for (guint i = 0; i < 60000; i++)
    g_string_append (wide, "1,");
  g_string_append (wide, ") }\n");
  g_assert_cmpfloat (time_refusal (wide->str), <, 5.0);
}

/* The program's macros with the same names are those of the text only there. */
TEST (test_isolation)
{
  g_autoptr (OclUserSource) source = ocl_user_source_new ("k.cl",
      "\xef\xbb\xbf#define return\n" FILTER, NULL);

  g_assert_nonnull (source);
  g_assert_cmpstr (source->insert.text, ==,
      "#pragma push_macro(\"return\")\n#line 1 \"k.cl\"\n#define return\n"
      FILTER "\n#pragma pop_macro(\"return\")\n#line 1 \"glopencl\"\n");
}

TEST (test_too_much)
{
  g_autoptr (GString) many = g_string_new (NULL);
  g_autofree gchar *large = g_strnfill (OCL_USER_MAX_TEXT + 1, ' ');
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < OCL_USER_MAX_ARGUMENTS; i++)
    g_string_append_printf (many, "#pragma glopencl argument a%u 0 1 0\n", i);
  g_string_append (many, FILTER);
  g_autoptr (OclUserSource) source =
      ocl_user_source_new ("k", many->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (source->n_arguments, ==, OCL_USER_MAX_ARGUMENTS);
  g_string_prepend (many, "#pragma glopencl argument b 0 1 0\n");
  g_assert_null (ocl_user_source_new ("k", many->str, &error));
  g_assert_nonnull (strstr (error->message, "more than 16"));
  g_clear_error (&error);
  g_assert_null (ocl_user_source_new ("k", large, &error));
  g_assert_nonnull (strstr (error->message, "262144 bytes"));
}

/* Driver messages for line 2 of a text that is at line 762 of a program, and
 * for other lines. */
TEST (test_log)
{
  static const struct
  {
    const gchar *log;
    const gchar *found;
  } cases[] = {
    {"warning: x\nerror: k.cl:2:10: no 'q'\n", "k.cl:2:10: no 'q'"},
    {"k.cl:2:10: error: no 'q'\n", "k.cl:2:10: error: no 'q'"},
    {"<kernel>:763:10: error: no 'q'\nmore", "k.cl:2:10: error: no 'q'"},
    {"3:763:10: error: no 'q'", "k.cl:2:10: error: no 'q'"},
    {"<kernel>:761:10: error: of ours\n", NULL},
    {"<kernel>:765:10: error: of ours\n", NULL},
    {"<kernel>:763:10: warning: no error", NULL},
    {"", NULL},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *found = ocl_build_log_find (cases[i].log, "k.cl", 762, 3);

    g_assert_cmpstr (found, ==, cases[i].found);
  }
}

TEST (test_native)
{
  g_autoptr (OclUserSource) source = ocl_user_source_new ("k",
      "__kernel void  blur(__write_only image2d_t dst, unsigned int index,\n"
      " __read_only image2d_t src)\n{\n}\n", NULL);

  g_assert_nonnull (source);
  g_assert_cmpstr (source->native_name, ==, "blur");
  g_assert_cmpuint (source->planes, ==, OCL_PLANES_ALL);
}

/* A name and a text are one literal, which has what was read. */
TEST (test_literals)
{
  static const gchar *const others[][2] = {
    {"l", FILTER}, {"k", "\n" FILTER}, {"k", ""},
  };
  g_autoptr (OclLiteral) text = ocl_user_source_create_text ("k", FILTER, NULL);
  g_autoptr (OclLiteral) same = ocl_user_source_create_text ("k", FILTER, NULL);

  g_assert_nonnull (text);
  g_assert_true (text != same && ocl_literal_equals (text, same));
  g_assert_true (ocl_user_source_of (text) != ocl_user_source_of (NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    g_autoptr (OclLiteral) other =
        ocl_user_source_create_text (others[i][0], others[i][1], NULL);

    g_assert_false (ocl_literal_equals (text, other));
  }
  g_assert_null (ocl_user_source_create_text ("k", "", NULL));
  g_assert_null (ocl_user_source_create_text ("k", "x", NULL));
}

static gboolean
set (OclUserParams * params, const gchar * name, const gchar * text)
{
  return ocl_operation_class_parse (&ocl_user_class,
      ocl_params_find (ocl_user_class.params, name), text, params);
}

/* Arguments before and after the text, and the effect of a new text on them. */
TEST (test_arguments)
{
  static const gchar first[] =
      "#pragma glopencl argument a 0 1 0.5\n#pragma glopencl argument b 0 9 3\n"
      FILTER;
  static const gchar second[] = "#pragma glopencl argument b 0 9 4\n" FILTER;
  OclUserParams params;

  memset (&params, 0, sizeof (params));
  ocl_params_init (ocl_user_class.params, &params);
  g_assert_true (set (&params, "arguments", "<b=5>"));
  g_assert_true (set (&params, "source", first));
  g_assert_cmpfloat (params.values[0], ==, 0.5f);
  g_assert_cmpfloat (params.values[1], ==, 5.0f);
  g_assert_false (set (&params, "arguments", "<c=5>"));
  g_assert_false (set (&params, "arguments", "<a=1.5>"));
  g_assert_true (set (&params, "arguments", "<a=1,b=6>"));
  /* The argument that the new text lacks is dropped, the other one stays. */
  g_assert_true (set (&params, "source", second));
  g_assert_cmpint (params.arguments->n, ==, 1);
  g_assert_cmpfloat (params.values[0], ==, 6.0f);
  g_assert_true (set (&params, "arguments", "<>"));
  g_assert_cmpfloat (params.values[0], ==, 4.0f);
  g_assert_true (set (&params, "source", ""));
  g_assert_true (ocl_operation_class_is_neutral (&ocl_user_class, &params));
  ocl_params_clear (ocl_user_class.params, &params);
}

/* GCC has no such macro, but defines __SANITIZE_ADDRESS__ and others. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif

static gsize
get_resident (void)
{
  g_autofree gchar *text = NULL;
  gsize total = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT, &total,
          &resident), ==, 2);
  return resident * getpagesize ();
}

/* Texts that were replaced are gone: 100 of 100 KiB leave nothing. */
TEST (test_replaced)
{
  g_autofree gchar *filler = g_strnfill (100 << 10, 'x');
  OclUserParams params;
  gsize before = 0;

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__) \
    || __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
  g_test_skip ("A sanitizer keeps memory that was freed");
  return;
#endif
  memset (&params, 0, sizeof (params));
  for (guint i = 0; i < 110; i++) {
    g_autofree gchar *text =
        g_strdup_printf ("/* %u %s */\n" FILTER, i, filler);

    if (i == 10)
      before = get_resident ();
    g_assert_true (set (&params, "source", text));
  }
  g_assert_cmpuint (get_resident (), <, before + (2 << 20));
  ocl_params_clear (ocl_user_class.params, &params);
}
