/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that announced programs are compiled, and their kernels run, in other
 * processes if the driver does not have them, that this process waits for them,
 * and that a process that fails does no harm. */

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
#define FOURTH "d.cl", "-D\tE"

#define SECOND_ANNOUNCED "b.cl", CHECKSUM, ""

/* Passes of the first two programs, and of the others. */
#define FIRST_PASS "0 \"one\""
#define LAST_PASS "1 two"

/* Two checksums of a source. */
#define CHECKSUM "0123456789abcdef0123456789abcdef01234567"
#define NEW_CHECKSUM "fedcba9876543210fedcba9876543210fedcba98"

/* Commands of a process: a loop that writes down each task, before it runs more
 * commands. */
#define LOOP(commands) "echo ready\nwhile IFS= read -r line; do\n" \
    "  printf '%s\\n' \"$line\" >>$tasks\n  " commands "\ndone\n"
#define WAIT_UNTIL_DONE "while ! [ -e $folder/done ]; do sleep 0.01; done\n"
#define WORK LOOP ("echo done")
#define WAIT_AT(start) LOOP ("case $line in " start "*) sleep 0.3; " \
    "touch $folder/done;; esac\n  echo done")

/* A driver that compiles in clBuildProgram (), and one that compiles kernels
 * when they first run. */
#define NVIDIA "NVIDIA CUDA"
#define POCL "Portable Computing Language"

/* The sorted tasks for processes with NVIDIA if this process begins with the
 * first program, and waits. */
#define OTHER_TASKS "b.cl |c.cl -D C -D D|d.cl -D\\tE|"

static const gchar *const programs[][2] =
    { {FIRST}, {SECOND}, {THIRD}, {FOURTH} };

static gchar *folder;           /* of the files below */
static gchar *script;           /* is run instead of the compiler */
static gchar *tasks;            /* of the processes of a compiler */
static gchar *list;             /* of the programs that the driver has */
static guint n_threads;         /* without processes */
static gint n_built;            /* by another thread (atomic) */

/* Creates a compiler for a device of @platform that runs @commands. They write
 * a line to the standard output for each task. Returns NULL if this machine has
 * one processor. */
static OclCompiler *
create (const gchar * platform, const gchar * commands)
{
  const OclDevice device = {
    .platform_name = (gchar *) platform,
    .name = (gchar *) "device",.driver = (gchar *) "1",
    .platform_index = 1,.device_index = 2
  };
  static guint n = 0;

  /* Processes of the compiler before may still run. */
  if (tasks)
    g_unlink (tasks);
  g_free (tasks);
  tasks = g_strdup_printf ("%s/tasks-%u", folder, n++);
  g_autofree gchar *text = g_strdup_printf ("#!/bin/sh\n"
      "[ \"$*\" = 1:2 ] || exit 1\nfolder='%s'\ntasks='%s'\n%s", folder, tasks,
      commands);

  if (g_get_num_processors () < 2) {
    g_test_skip ("This machine has one processor.");
    return NULL;
  }
  g_assert_true (g_file_set_contents (script, text, -1, NULL));
  g_assert_cmpint (g_chmod (script, 0700), ==, 0);
  return ocl_compiler_new (&device);
}

/* Announces @n programs with @checksum. */
static void
announce (OclCompiler * compiler, guint n, const gchar * checksum)
{
  for (guint i = 0; i < n; i++)
    ocl_compiler_announce (compiler, programs[i][0], checksum, programs[i][1],
        i < 2 ? FIRST_PASS : LAST_PASS);
}

/* Creates a compiler with an empty list and four announced programs. */
static OclCompiler *
create_empty (const gchar * platform, const gchar * commands)
{
  g_unlink (list);
  OclCompiler *compiler = create (platform, commands);

  if (compiler)
    announce (compiler, 4, CHECKSUM);
  return compiler;
}

static void
end (OclCompiler * compiler, const gchar * source_name, const gchar * options,
    gboolean ok, gint64 time)
{
  g_free (ocl_compiler_end (compiler, source_name, options, ok, time));
}

/* Builds the programs of @compiler from number @first to @last in @time each. */
static void
build (OclCompiler * compiler, guint first, guint last, gint64 time)
{
  for (guint i = first; i <= last; i++) {
    ocl_compiler_begin (compiler, programs[i][0], programs[i][1]);
    end (compiler, programs[i][0], programs[i][1], TRUE, time);
  }
}

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

/* Returns the sorted tasks of the processes without checksums, each followed by
 * a bar. The caller frees the text. */
static gchar *
get_tasks (void)
{
  g_autofree gchar *text = NULL;
  g_autoptr (GRegex) checksum = g_regex_new ("\t[0-9a-f]{40}\t", 0, 0, NULL);

  /* A shell opens the file before it writes. */
  if (!g_file_get_contents (tasks, &text, NULL, NULL) || !text[0])
    return g_strdup ("");
  g_autofree gchar *plain =
      g_regex_replace (checksum, text, -1, 0, " ", 0, NULL);
  g_auto (GStrv) lines = g_strsplit (plain, "\n", 0);
  qsort (lines, g_strv_length (lines), sizeof (*lines), compare_lines);
  g_autofree gchar *sorted = g_strjoinv ("|", lines);
  return g_strconcat (sorted + 1, "|", NULL);
}

static void
assert_tasks (const gchar * expected)
{
  g_autofree gchar *text = get_tasks ();

  g_assert_cmpstr (text, ==, expected);
}

/* Waits until the processes have got @expected. */
static void
wait_for_tasks (const gchar * expected)
{
  for (;;) {
    g_autofree gchar *text = get_tasks ();

    if (g_str_equal (text, expected))
      return;
    g_usleep (1000);
  }
}

/* Builds the first program, until the processes have got @expected, and then
 * the others. */
static void
build_slowly (OclCompiler * compiler, const gchar * expected)
{
  ocl_compiler_begin (compiler, FIRST);
  wait_for_tasks (expected);
  end (compiler, FIRST, TRUE, FAST);
  build (compiler, 1, 3, FAST);
  assert_tasks (expected);
}

/* Builds the programs that @compiler still lacks, and then also those that other
 * processes compile. If @waits is set, waits until another process runs the
 * kernels of a pass, whose task comes first. */
static void
build_missing (OclCompiler * compiler, gboolean waits)
{
  const gchar *source_name;
  gchar *options;

  while (ocl_compiler_take (compiler, &source_name, &options)) {
    ocl_compiler_begin (compiler, source_name, options);
    end (compiler, source_name, options, TRUE, FAST);
    g_free (options);
  }
  build (compiler, 0, 3, FAST);
  for (gboolean runs = FALSE; waits && !runs; g_usleep (1000)) {
    g_autofree gchar *text = get_tasks ();

    runs = g_ascii_isdigit (text[0]);
  }
  ocl_compiler_begin_pass (compiler, FIRST_PASS);
  ocl_compiler_begin_pass (compiler, LAST_PASS);
}

/* Returns how many threads run processes, or have the name of this one still,
 * which a new thread has at first. */
static guint
count_threads (void)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  g_autofree gchar *own = NULL;
  const gchar *thread;
  guint n = 0;

  g_assert_true (g_file_get_contents ("/proc/self/comm", &own, NULL, NULL));
  while (threads && (thread = g_dir_read_name (threads))) {
    g_autofree gchar *name =
        g_build_filename ("/proc/self/task", thread, "comm", NULL);
    g_autofree gchar *text = NULL;

    n += g_file_get_contents (name, &text, NULL, NULL)
        && (g_str_has_prefix (text, "glopencl-tasks")
        || g_str_equal (text, own));
  }
  return n;
}

static gpointer
start_nothing (gpointer data)
{
  return data;
}

/* Frees @compiler, and waits for the threads of its processes, because there is
 * a limit for all compilers. */
static void
release (OclCompiler * compiler)
{
  ocl_compiler_free (compiler);
  while (count_threads () > n_threads)
    g_usleep (1000);
}

/* Programs that the driver does not have, then the same again, then with
 * other sources. */
TEST (test_process)
{
  OclCompiler *compiler = create_empty (NVIDIA, WORK);

  if (!compiler)
    return;
  announce (compiler, 2, CHECKSUM);
  ocl_compiler_begin (compiler, "not-announced.cl", "");
  end (compiler, "not-announced.cl", "", TRUE, SLOW);
  assert_tasks ("");
  build_slowly (compiler, OTHER_TASKS);
  release (compiler);

  compiler = create (NVIDIA, WORK);
  announce (compiler, 4, CHECKSUM);
  build (compiler, 0, 3, FAST);
  assert_tasks ("");
  ocl_compiler_withdraw (compiler);
  announce (compiler, 4, NEW_CHECKSUM);
  build_slowly (compiler, OTHER_TASKS);
  release (compiler);
}

/* Another process runs the kernels of a pass while this one builds programs, and
 * then the same again. */
TEST (test_kernels)
{
  OclCompiler *compiler = create_empty (POCL, WORK);

  if (!compiler)
    return;
  build_missing (compiler, TRUE);
  release (compiler);

  compiler = create (POCL, WORK);
  announce (compiler, 4, CHECKSUM);
  build_missing (compiler, FALSE);
  assert_tasks ("");
  release (compiler);
}

/* This process waits for programs and kernels that another one compiles. */
TEST (test_wait)
{
  g_autofree gchar *done = g_build_filename (folder, "done", NULL);
  OclCompiler *compiler = create_empty (NVIDIA, WAIT_AT ("d"));

  if (!compiler)
    return;
  ocl_compiler_begin (compiler, FIRST);
  wait_for_tasks (OTHER_TASKS);
  build (compiler, 3, 3, FAST);
  g_assert_true (g_file_test (done, G_FILE_TEST_EXISTS));
  end (compiler, FIRST, TRUE, FAST);
  release (compiler);
  g_unlink (done);

  compiler = create_empty (POCL, WAIT_AT ("[01]"));
  build_missing (compiler, TRUE);
  g_assert_true (g_file_test (done, G_FILE_TEST_EXISTS));
  release (compiler);
  g_unlink (done);
}

/* This process compiles what no other process has begun with. Each of them
 * begins with one program, and this one needs two. */
TEST (test_own)
{
  OclCompiler *compiler =
      create_empty (NVIDIA, LOOP (WAIT_UNTIL_DONE "echo done"));
  g_autofree gchar *done = g_build_filename (folder, "done", NULL);
  const guint n_processes = MIN (2, g_get_num_processors () - 1);
  static const gchar *const expected[] =
      { "d.cl -D\\tE|", "c.cl -D C -D D|d.cl -D\\tE|" };

  if (!compiler)
    return;
  ocl_compiler_begin (compiler, FIRST);
  wait_for_tasks (expected[n_processes - 1]);
  end (compiler, FIRST, TRUE, SLOW);
  build (compiler, 1, 3 - n_processes, SLOW);
  assert_tasks (expected[n_processes - 1]);
  g_assert_true (g_file_set_contents (done, "", 0, NULL));
  build (compiler, 4 - n_processes, 3, FAST);
  release (compiler);
  g_unlink (done);
}

/* This process does not wait for processes that are not ready. */
TEST (test_not_ready)
{
  static const gchar *const platforms[] = { NVIDIA, POCL };
  g_autofree gchar *done = g_build_filename (folder, "done", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (platforms); i++) {
    OclCompiler *compiler = create_empty (platforms[i], WAIT_UNTIL_DONE WORK);

    if (!compiler)
      return;
    build_missing (compiler, FALSE);
    g_assert_true (g_file_set_contents (done, "", 0, NULL));
    release (compiler);
    assert_tasks ("");
    g_unlink (done);
  }
}

static gpointer
build_second (gpointer data)
{
  build (data, 1, 1, FAST);
  g_atomic_int_set (&n_built, 1);
  return NULL;
}

/* This process compiles one program at a time, also after programs were
 * withdrawn, but takes any number from the cache of the driver. */
TEST (test_one_at_a_time)
{
  for (guint i = 0; i < 2; i++) {
    OclCompiler *compiler =
        i == 0 ? create_empty (NVIDIA, "exit 1") : create (NVIDIA, "exit 1");

    if (!compiler)
      return;
    announce (compiler, 4, CHECKSUM);
    n_built = 0;
    ocl_compiler_begin (compiler, FIRST);
    GThread *thread = g_thread_new ("second", build_second, compiler);
    if (i == 0) {
      g_usleep (G_USEC_PER_SEC / 20);
      ocl_compiler_withdraw (compiler);
      g_usleep (G_USEC_PER_SEC / 20);
      g_assert_cmpint (g_atomic_int_get (&n_built), ==, 0);
      end (compiler, FIRST, TRUE, SLOW);
    }
    g_thread_join (thread);
    if (i == 1)
      end (compiler, FIRST, TRUE, FAST);
    build (compiler, 2, 3, FAST);
    release (compiler);
  }
}

/* A pass is left to this process if it has a program in common with another
 * one, or if this process has begun to run it. */
TEST (test_left)
{
  for (guint i = 0; i < 2; i++) {
    g_unlink (list);
    OclCompiler *compiler = create (POCL, WORK);
    if (!compiler)
      return;
    announce (compiler, 4, CHECKSUM);
    if (i == 0)
      ocl_compiler_announce (compiler, SECOND_ANNOUNCED, LAST_PASS);
    else
      ocl_compiler_begin_pass (compiler, LAST_PASS);
    build_missing (compiler, FALSE);
    release (compiler);
    g_autofree gchar *text = get_tasks ();
    g_assert_null (strstr (text, LAST_PASS));
  }
}

/* Programs are added to the list after their kernels ran. */
TEST (test_interrupted)
{
  OclCompiler *compiler = create_empty (POCL, WORK);
  g_autofree gchar *before = NULL;
  g_autofree gchar *after = NULL;

  if (!compiler)
    return;
  build (compiler, 0, 3, FAST);
  g_assert_true (g_file_get_contents (list, &before, NULL, NULL));
  g_assert_cmpstr (before, ==, "");
  release (compiler);
  g_assert_true (g_file_get_contents (list, &after, NULL, NULL));
  g_assert_cmpuint (strlen (after), ==, 4 * 65);
}

/* No process is started for what this process does until it would be ready. */
TEST (test_few)
{
  static const gchar *const platforms[] = { NVIDIA, POCL };

  for (guint i = 0; i < G_N_ELEMENTS (platforms); i++) {
    g_unlink (list);
    OclCompiler *compiler = create (platforms[i], WORK);

    if (!compiler)
      return;
    announce (compiler, i == 0 ? 2 : 1, CHECKSUM);
    ocl_compiler_begin (compiler, FIRST);
    g_assert_cmpuint (count_threads (), ==, n_threads);
    end (compiler, FIRST, TRUE, SLOW);
    build (compiler, 1, 3, SLOW);
    release (compiler);
  }
}

/* The driver's cache was emptied. The first program is built in this process. */
TEST (test_emptied)
{
  OclCompiler *compiler = create_empty (POCL, WORK);

  if (!compiler)
    return;
  build (compiler, 0, 3, FAST);
  release (compiler);
  compiler = create (POCL, WORK);
  announce (compiler, 4, CHECKSUM);
  build (compiler, 0, 0, SLOW);
  build_missing (compiler, TRUE);
  release (compiler);
}

/* Withdrawn programs are not compiled. Programs that cannot be built are not
 * added to the list. */
TEST (test_withdrawn)
{
  OclCompiler *compiler = create_empty (NVIDIA, WORK);

  if (!compiler)
    return;
  ocl_compiler_withdraw (compiler);
  build (compiler, 0, 3, FAST);
  assert_tasks ("");
  for (guint i = 0; i < 2; i++) {
    g_unlink (tasks);
    ocl_compiler_withdraw (compiler);
    announce (compiler, 3, CHECKSUM);
    ocl_compiler_begin (compiler, FIRST);
    wait_for_tasks ("b.cl |c.cl -D C -D D|");
    end (compiler, FIRST, FALSE, SLOW);
    ocl_compiler_begin (compiler, SECOND);
    end (compiler, SECOND, FALSE, SLOW);
    ocl_compiler_begin (compiler, THIRD);
    end (compiler, THIRD, FALSE, SLOW);
    assert_tasks ("b.cl |c.cl -D C -D D|");
  }
  release (compiler);
}

/* Builds do not wait for a process that exits early, or does not read. A
 * process may print too many lines. */
TEST (test_bad_process)
{
  static const gchar *const commands[] = { "exit 1", "kill -9 $$",
    "exec <&-; echo ready; sleep 0.1", LOOP ("exit 1"), LOOP ("kill -9 $$"),
    LOOP ("echo; echo; echo; echo; echo; echo"),
    LOOP ("printf no-line; exit 1"), LOOP ("echo failed; exit 1"),
    "exec >&-; sleep 0.1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    OclCompiler *compiler = create_empty (NVIDIA, commands[i]);

    if (!compiler)
      return;
    build (compiler, 0, 3, SLOW);
    release (compiler);
    compiler = create_empty (POCL, commands[i]);
    build_missing (compiler, FALSE);
    release (compiler);
  }
}

/* A process that ends before it is ready is not started again. */
TEST (test_no_start)
{
  g_autofree gchar *starts = g_build_filename (folder, "starts", NULL);
  g_autofree gchar *text = NULL;
  OclCompiler *compiler =
      create_empty (NVIDIA, "echo >>$folder/starts\nexit 1\n");

  if (!compiler)
    return;
  ocl_compiler_begin (compiler, FIRST);
  while (count_threads () > n_threads)
    g_usleep (1000);
  end (compiler, FIRST, TRUE, SLOW);
  build (compiler, 1, 3, SLOW);
  release (compiler);
  g_assert_true (g_file_get_contents (starts, &text, NULL, NULL));
  g_assert_cmpuint (strlen (text), <=, 2);
  g_unlink (starts);
}

/* If the list cannot be written, the driver may have the programs. */
TEST (test_no_list)
{
  OclCompiler *compiler;

  g_unlink (list);
  g_assert_cmpint (g_mkdir_with_parents (list, 0700), ==, 0);
  compiler = create (POCL, WORK);
  if (compiler) {
    announce (compiler, 4, CHECKSUM);
    build (compiler, 0, 3, FAST);
    assert_tasks ("");
    ocl_compiler_withdraw (compiler);
    announce (compiler, 4, CHECKSUM);
    build (compiler, 0, 0, SLOW);
    build_missing (compiler, TRUE);
    release (compiler);
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
    gboolean has_processes;
  } cases[] = {
    {POCL, "POCL_KERNEL_CACHE", "1", TRUE},
    {POCL, "POCL_KERNEL_CACHE", "0", FALSE},
    {NVIDIA, "CUDA_CACHE_DISABLE", "0", TRUE},
    {NVIDIA, "CUDA_CACHE_DISABLE", "1", FALSE},
    {"Oclgrind", "CUDA_CACHE_DISABLE", "0", FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_true (g_setenv (cases[i].variable, cases[i].value, TRUE));
    OclCompiler *compiler = create_empty (cases[i].platform, WORK);
    g_unsetenv (cases[i].variable);

    if (!compiler)
      return;
    if (cases[i].has_processes && g_str_equal (cases[i].platform, POCL))
      build_missing (compiler, TRUE);
    else
      build_slowly (compiler, cases[i].has_processes ? OTHER_TASKS : "");
    release (compiler);
  }
}

/* A program that cannot be started, and a compiler that is freed while a
 * process runs. */
TEST (test_no_process)
{
  OclCompiler *compiler = create_empty (NVIDIA, WORK);

  if (!compiler)
    return;
  g_unlink (script);
  build (compiler, 0, 3, SLOW);
  release (compiler);
  compiler = create_empty (NVIDIA, WORK);
  build (compiler, 0, 3, FAST);
  release (compiler);
  compiler = create_empty (NVIDIA, LOOP ("sleep 0.1; echo done"));
  ocl_compiler_begin (compiler, FIRST);
  while (!g_file_test (tasks, G_FILE_TEST_EXISTS))
    g_usleep (1000);
  release (compiler);
}

void
test_set_up (void)
{
  /* ThreadSanitizer starts a thread beside the first one. */
  g_thread_join (g_thread_new ("first", start_nothing, NULL));
  n_threads = count_threads ();
  folder = g_dir_make_tmp ("glopencl-compiler-XXXXXX", NULL);
  g_assert_nonnull (folder);
  script = g_build_filename (folder, "compiler", NULL);
  list = g_build_filename (folder, "gst-glopencl", "compiled", NULL);
  g_assert_true (g_setenv ("GLOPENCL_COMPILER", script, TRUE));
  g_assert_true (g_setenv ("XDG_CACHE_HOME", folder, TRUE));
}

void
test_tear_down (void)
{
  g_autofree gchar *lists = g_path_get_dirname (list);

  g_unlink (script);
  if (tasks)
    g_unlink (tasks);
  g_unlink (list);
  g_rmdir (lists);
  g_rmdir (folder);
  g_free (folder);
  g_free (script);
  g_free (tasks);
  g_free (list);
}
