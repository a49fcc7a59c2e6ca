/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that announced programs are compiled in other processes if the driver
 * does not have them, that builds wait for the processes, and that a process
 * that fails does no harm. */

#include <glib/gstdio.h>
#include <string.h>

#include "opencl/core/oclcompiler.h"
#include "testcase.h"

/* Of builds, in microseconds: with and without the driver's cache. */
#define FAST 1000
#define SLOW G_USEC_PER_SEC

#define FIRST "a.cl", "-D A"
#define SECOND "b.cl", ""
#define THIRD "c.cl", "-D C -D D"
#define FOURTH "d.cl", "-D E"

/* Two checksums of a source. */
#define CHECKSUM "0123456789abcdef0123456789abcdef01234567"
#define NEW_CHECKSUM "fedcba9876543210fedcba9876543210fedcba98"

/* The arguments of a process that compiles all programs, or two of them. */
#define ALL "1:2 a.cl -D A b.cl  c.cl -D C -D D d.cl -D E\n"
#define FIRST_TWO "1:2 a.cl -D A b.cl \n"
#define LAST "1:2 c.cl -D C -D D d.cl -D E\n"

/* The commands that print a line for each program. */
#define LINES "echo; echo; echo; echo"

static const gchar *const programs[][2] =
    { {FIRST}, {SECOND}, {THIRD}, {FOURTH} };

static gchar *folder;           /* of the files below */
static gchar *script;           /* is run instead of the compiler */
static gchar *arguments;        /* which it got */
static gchar *list;             /* of the programs that the driver has */

/* Creates a compiler that runs @commands. They write a line to the standard
 * output for each program. Returns NULL if this machine has one processor. */
static OclCompiler *
create (const gchar * commands)
{
  const OclDevice device = {
    .platform_name = (gchar *) "Portable Computing Language",
    .name = (gchar *) "device",.driver = (gchar *) "1",
    .platform_index = 1,.device_index = 2
  };
  /* Without the checksums. */
  g_autofree gchar *text = g_strdup_printf ("#!/bin/sh\n"
      "echo \"$*\" | sed 's/ [0-9a-f]\\{40\\}//g' >'%s.new'\n"
      "mv '%s.new' '%s'\n%s\n", arguments, arguments, arguments, commands);

  if (g_get_num_processors () < 2) {
    g_test_skip ("This machine has one processor.");
    return NULL;
  }
  g_unlink (arguments);
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_assert_cmpint (g_chmod (script, 0700), ==, 0);
  return ocl_compiler_new (&device);
}

/* Announces @n programs. */
static void
announce (OclCompiler * compiler, guint n)
{
  for (guint i = 0; i < n; i++)
    ocl_compiler_announce (compiler, programs[i][0], CHECKSUM, programs[i][1]);
}

/* Creates a compiler with an empty list and four announced programs. */
static OclCompiler *
create_empty (const gchar * commands)
{
  g_unlink (list);
  OclCompiler *compiler = create (commands);

  if (compiler)
    announce (compiler, 4);
  return compiler;
}

/* Builds all programs of @compiler in @time each. */
static void
build (OclCompiler * compiler, gint64 time)
{
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++) {
    ocl_compiler_begin (compiler, programs[i][0], programs[i][1]);
    ocl_compiler_end (compiler, programs[i][0], programs[i][1], TRUE, time);
  }
}

/* Fails unless a process got @expected, or no process was started. */
static void
assert_arguments (const gchar * expected)
{
  g_autofree gchar *text = NULL;

  g_file_get_contents (arguments, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
}

/* Programs that the driver does not have, then the same again, then with
 * other sources. */
TEST (test_process)
{
  OclCompiler *compiler = create_empty ("sleep 0.2; " LINES);

  if (!compiler)
    return;
  announce (compiler, 2);
  ocl_compiler_begin (compiler, "not-announced.cl", "");
  ocl_compiler_end (compiler, "not-announced.cl", "", TRUE, SLOW);
  assert_arguments (NULL);
  build (compiler, FAST);
  assert_arguments (ALL);
  ocl_compiler_free (compiler);

  compiler = create (LINES);
  announce (compiler, 4);
  build (compiler, FAST);
  assert_arguments (NULL);
  for (guint i = 0; i < 4; i++)
    ocl_compiler_announce (compiler, programs[i][0], NEW_CHECKSUM,
        programs[i][1]);
  build (compiler, FAST);
  assert_arguments (ALL);
  ocl_compiler_free (compiler);
}

/* No process is started for one program. */
TEST (test_one)
{
  g_unlink (list);
  OclCompiler *compiler = create (LINES);

  if (!compiler)
    return;
  announce (compiler, 1);
  build (compiler, SLOW);
  assert_arguments (NULL);
  ocl_compiler_free (compiler);
}

/* The driver's cache was emptied. The first two are built in this process. */
TEST (test_emptied)
{
  OclCompiler *compiler = create_empty (LINES);

  if (!compiler)
    return;
  build (compiler, FAST);
  ocl_compiler_free (compiler);
  compiler = create ("sleep 0.2; " LINES);
  announce (compiler, 4);
  build (compiler, SLOW);
  assert_arguments (LAST);
  ocl_compiler_free (compiler);
}

/* Withdrawn programs are not compiled. Programs that cannot be built are not
 * added to the list. */
TEST (test_withdrawn)
{
  OclCompiler *compiler = create_empty (LINES);

  if (!compiler)
    return;
  ocl_compiler_withdraw (compiler);
  build (compiler, FAST);
  assert_arguments (NULL);
  for (guint i = 0; i < 2; i++) {
    g_unlink (arguments);
    announce (compiler, 2);
    for (guint k = 0; k < 2; k++) {
      ocl_compiler_begin (compiler, programs[k][0], programs[k][1]);
      ocl_compiler_end (compiler, programs[k][0], programs[k][1], FALSE, SLOW);
    }
    assert_arguments (FIRST_TWO);
  }
  ocl_compiler_free (compiler);
}

/* Builds do not wait for a process that exits early. A process may print too
 * many lines. */
TEST (test_bad_process)
{
  static const gchar *const commands[] = { "exit 1", "kill -9 $$",
    "echo; echo; echo; echo; echo; echo", "printf no-line",
    "echo; exit 1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    OclCompiler *compiler = create_empty (commands[i]);

    if (!compiler)
      return;
    build (compiler, SLOW);
    ocl_compiler_free (compiler);
  }
}

/* If the list cannot be written, the driver may have the programs. */
TEST (test_no_list)
{
  OclCompiler *compiler;

  g_unlink (list);
  g_assert_cmpint (g_mkdir_with_parents (list, 0700), ==, 0);
  compiler = create (LINES);
  if (compiler) {
    announce (compiler, 4);
    build (compiler, FAST);
    assert_arguments (NULL);
    announce (compiler, 4);
    build (compiler, SLOW);
    assert_arguments (LAST);
    ocl_compiler_free (compiler);
  }
  g_assert_cmpint (g_rmdir (list), ==, 0);
}

/* Drivers that would gain nothing, or whose cache is off. */
TEST (test_drivers)
{
  static const struct
  {
    const gchar *platform;
    const gchar *variable;
    const gchar *value;
    gboolean is_used;
  } cases[] = {
    {"Portable Computing Language", "POCL_KERNEL_CACHE", "1", TRUE},
    {"Portable Computing Language", "POCL_KERNEL_CACHE", "0", FALSE},
    {"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "0", TRUE},
    {"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "1", FALSE},
    {"Oclgrind", "CUDA_CACHE_DISABLE", "0", FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OclDevice device = {.platform_name = (gchar *) cases[i].platform,
      .name = (gchar *) "device",.driver = (gchar *) "1"
    };

    OclCompiler *compiler = create ("echo");
    if (!compiler)
      return;
    ocl_compiler_free (compiler);
    g_unlink (list);
    g_assert_true (g_setenv (cases[i].variable, cases[i].value, TRUE));
    compiler = ocl_compiler_new (&device);
    g_unsetenv (cases[i].variable);
    announce (compiler, 4);
    build (compiler, FAST);
    g_assert_cmpint (g_file_test (arguments, G_FILE_TEST_EXISTS), ==,
        cases[i].is_used);
    ocl_compiler_free (compiler);
  }
}

/* A program that cannot be started, and a compiler that is freed while a
 * process runs. */
TEST (test_no_process)
{
  OclCompiler *compiler = create_empty (LINES);

  if (!compiler)
    return;
  g_unlink (script);
  build (compiler, SLOW);
  ocl_compiler_free (compiler);
  compiler = create_empty (LINES);
  build (compiler, FAST);
  ocl_compiler_free (compiler);
  compiler = create ("sleep 0.1; " LINES);
  announce (compiler, 4);
  ocl_compiler_begin (compiler, FIRST);
  ocl_compiler_end (compiler, FIRST, TRUE, SLOW);
  ocl_compiler_free (compiler);
  while (!g_file_test (arguments, G_FILE_TEST_EXISTS))
    g_usleep (1000);
}

void
test_set_up (void)
{
  folder = g_dir_make_tmp ("glopencl-compiler-XXXXXX", NULL);
  g_assert_nonnull (folder);
  script = g_build_filename (folder, "compiler", NULL);
  arguments = g_build_filename (folder, "arguments", NULL);
  list = g_build_filename (folder, "gst-glopencl", "compiled", NULL);
  g_assert_true (g_setenv ("GLOPENCL_COMPILER", script, TRUE));
  g_assert_true (g_setenv ("XDG_CACHE_HOME", folder, TRUE));
}

void
test_tear_down (void)
{
  g_autofree gchar *lists = g_path_get_dirname (list);

  g_unlink (script);
  g_unlink (arguments);
  g_unlink (list);
  g_rmdir (lists);
  g_rmdir (folder);
  g_free (folder);
  g_free (script);
  g_free (arguments);
  g_free (list);
}
