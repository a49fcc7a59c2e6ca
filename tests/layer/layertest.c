/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The test of the test layer.  Runs each case in a separate process, and checks
 * the exit status and the output of this process.
 */

#include <glib.h>
#include <string.h>
#include <sys/wait.h>

#include "layertestcases.h"

static const char case_option[] = "--case";
static const char *program;

static const TestCase *const groups[] = {
  rule_cases, fault_cases
};

/* The environment of this process, with the layer set up as the case asks. */
static char **
case_environment (const TestCase * test)
{
  char **environment = g_get_environ ();
  g_auto (GStrv) names = g_listenv ();
  g_auto (GStrv) assignments =
      g_strsplit (test->environment ? test->environment : "", " ", -1);

  for (guint i = 0; names[i] != NULL; i++) {
    if (g_str_has_prefix (names[i], "GLOPENCL_LAYER_"))
      environment = g_environ_unsetenv (environment, names[i]);
  }
  if (test->broken > 0)
    environment = g_environ_setenv (environment, "GLOPENCL_LAYER_ABORT", "0",
        TRUE);
  for (guint i = 0; assignments[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (assignments[i], "=", 2);

    environment = g_environ_setenv (environment, parts[0], parts[1], TRUE);
  }
  return environment;
}

static int
exit_status (int wait_status)
{
  return WIFSIGNALED (wait_status) ? 128 + WTERMSIG (wait_status) :
      WEXITSTATUS (wait_status);
}

static void
check_messages (const TestCase * test, const char *errors)
{
  g_auto (GStrv) messages = g_strsplit (test->messages ? test->messages : "",
      "|", -1);

  for (guint i = 0; messages[i] != NULL; i++) {
    if (strstr (errors, messages[i]) == NULL) {
      g_test_message ("\"%s\" is missing in: %s", messages[i], errors);
      g_test_fail ();
    }
  }
}

static void
run_case (gconstpointer data)
{
  const TestCase *test = data;
  const char *arguments[] = { program, case_option, test->name, NULL };
  g_auto (GStrv) environment = case_environment (test);
  g_autofree char *output = NULL;
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) arguments, environment, 0, NULL, NULL, &output,
      &errors, &status, &error);
  g_assert_no_error (error);
  status = exit_status (status);
  if (status == SKIP_STATUS) {
    g_test_skip (errors);
    return;
  }
  if (status != test->status) {
    g_test_message ("ended with %d, not %d: %s", status, test->status, errors);
    g_test_fail ();
  }
  check_messages (test, errors);
}

static void
run_steps (const TestCase * test)
{
  Fixture fixture;

  fixture_set_up (&fixture, test->fixture);
  for (guint i = 0; i < MAX_STEPS && test->steps[i] != NULL; i++)
    test->steps[i] (&fixture);
  fixture_tear_down (&fixture, test->broken);
}

static int
run_child (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++) {
    for (const TestCase * test = groups[i]; test->name != NULL; test++) {
      if (strcmp (test->name, name) == 0) {
        run_steps (test);
        return 0;
      }
    }
  }
  g_error ("there is no case %s", name);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && strcmp (argv[1], case_option) == 0)
    return run_child (argv[2]);

  g_test_init (&argc, &argv, NULL);
  program = argv[0];
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++) {
    for (const TestCase * test = groups[i]; test->name != NULL; test++) {
      g_autofree char *path = g_strconcat ("/layer/", test->name, NULL);

      g_test_add_data_func (path, test, run_case);
    }
  }
  return g_test_run ();
}
