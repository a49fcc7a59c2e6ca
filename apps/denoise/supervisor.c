/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For renameat2(). */
#define _GNU_SOURCE

#include "supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <glib-unix.h>
#include <glib/gstdio.h>

#define N_LINES 4
/* Number of alternative names that are tried. */
#define MAX_NAMES 99
#define LINE_BYTES 512
/* Bytes of the target's name in the name of the unfinished file. */
#define NAME_BYTES 100
/* Exit status of the child. Any other status is from a library, except 0, which
 * is also reported for a child that could not be waited for. */
#define STATUS_DONE 42
#define STATUS_FAILED 43

typedef struct
{
  const gchar *program;
  const gchar *name;
  GMainLoop *loop;
  pid_t parent;
  pid_t child;
  sigset_t signals;             /* signals unblocked while the child runs */
  int status;                   /* of the child, once it has ended */
  int signal;                   /* signal that interrupted, or 0 */

  const gchar *target;          /* NULL: standard output */
  gboolean replaces;            /* descriptor of a file with the name of the
                                 * target */
  gchar *part_name;
  int part;                     /* its descriptor */
  const gchar *part_error;      /* why it is not the target, or NULL */
  gchar *other_name;            /* of the complete file, or NULL: the target */

  /* Ring of the last lines that libraries wrote. */
  gchar lines[N_LINES][LINE_BYTES];
  guint n_lines;
  gsize line_length;
} Supervisor;

static void
end_line (Supervisor * self)
{
  self->lines[self->n_lines++ % N_LINES][self->line_length] = '\0';
  self->line_length = 0;
}

static gboolean
read_output (gint fd, GIOCondition condition, gpointer user_data)
{
  Supervisor *self = user_data;
  gchar text[4096];
  ssize_t n = read (fd, text, sizeof text);

  (void) condition;
  for (ssize_t i = 0; i < n; i++) {
    gchar *line = self->lines[self->n_lines % N_LINES];

    if (text[i] != '\n') {
      if (self->line_length < LINE_BYTES - 1)
        line[self->line_length++] = text[i];
    } else if (self->line_length > 0) {
      end_line (self);
    }
  }
  return n > 0 || (n < 0 && errno == EINTR);
}

static void
child_ended (GPid pid, gint status, gpointer user_data)
{
  Supervisor *self = user_data;

  (void) pid;
  self->status = status;
  g_main_loop_quit (self->loop);
}

/* A driver may be slow, but a killed process is not. */
static gboolean
read_signal (gint fd, GIOCondition condition, gpointer user_data)
{
  Supervisor *self = user_data;
  guint8 number;

  (void) condition;
  if (read (fd, &number, 1) == 1) {
    self->signal = number;
    kill (self->child, SIGKILL);
  }
  return G_SOURCE_CONTINUE;
}

static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* The only supervisor of the process. */
static int signal_output = -1;

static void
pass_signal (int number)
{
  const int saved = errno;
  const guint8 byte = number;

  (void) !write (signal_output, &byte, 1);
  errno = saved;
}

/* Signals are blocked until the child runs, because from now on there is a file
 * to remove. Ignored signals, as under nohup, stay ignored. */
static void
hold_signals (Supervisor * self)
{
  const struct sigaction action = {.sa_handler = pass_signal };
  sigset_t set;

  sigemptyset (&set);
  for (guint i = 0; i < G_N_ELEMENTS (interrupts); i++) {
    struct sigaction old;
    if (sigaction (interrupts[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
      sigaddset (&set, interrupts[i]);
      sigaction (interrupts[i], &action, NULL);
    }
  }
  sigprocmask (SIG_BLOCK, &set, &self->signals);
  /* Closing the reader of the messages must not end the program. */
  signal (SIGPIPE, SIG_IGN);
}

static void
release_signals_of_child (Supervisor * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (interrupts); i++) {
    struct sigaction old;
    if (sigaction (interrupts[i], NULL, &old) == 0
        && old.sa_handler == pass_signal)
      signal (interrupts[i], SIG_DFL);
  }
  sigprocmask (SIG_SETMASK, &self->signals, NULL);
}

static G_GNUC_NORETURN void
run_child (Supervisor * self, int output, SupervisorWork work,
    gpointer user_data)
{
  int terminal_fd = dup (STDERR_FILENO);
  FILE *terminal = fdopen (terminal_fd, "w");

#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
  release_signals_of_child (self);
  if (!terminal || getppid () != self->parent)
    exit (EXIT_FAILURE);
  setvbuf (terminal, NULL, _IOLBF, 0);
  if (!g_getenv ("GST_DEBUG"))
    dup2 (output, STDERR_FILENO);
  /* A driver that prints must not write into the video. */
  if (!self->target)
    dup2 (output, STDOUT_FILENO);
  gboolean done = work (self->part, terminal, user_data);
  fflush (terminal);
  /* Drivers that fail in their exit handlers must not change the result. */
  _exit (done ? STATUS_DONE : STATUS_FAILED);
}

static void
watch (Supervisor * self, int output, int signals)
{
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_fd_add (signals, G_IO_IN, read_signal, self);
  sigprocmask (SIG_SETMASK, &self->signals, NULL);
  g_child_watch_add (self->child, child_ended, self);
  g_unix_fd_add (output, G_IO_IN | G_IO_HUP, read_output, self);
  g_main_loop_run (self->loop);
  g_main_loop_unref (self->loop);
  /* Reads the remaining output of the child. Its own children may still run. */
  g_unix_set_fd_nonblocking (output, TRUE, NULL);
  while (read_output (output, G_IO_IN, self)) {
  }
  if (self->line_length > 0)
    end_line (self);
}

static gboolean
create_part (Supervisor * self)
{
  if (!self->target) {
    self->part = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return self->part >= 0;
  }
  g_autofree gchar *folder = g_path_get_dirname (self->target);
  g_autofree gchar *name = g_path_get_basename (self->target);
  gsize length = strlen (name);

  /* A name has at most 255 bytes. Some file systems reject an incomplete
   * character. */
  if (length > NAME_BYTES) {
    length = NAME_BYTES;
    while (length > NAME_BYTES - 3 && (name[length] & 0xc0) == 0x80)
      length--;
  }
  g_autofree gchar *hidden = g_strdup_printf (".%.*s-XXXXXX.part", (int) length,
      name);

  self->part_name = g_build_filename (folder, hidden, NULL);
  self->part = g_mkstemp_full (self->part_name, O_RDWR | O_CLOEXEC, 0600);
  /* glopencl-archive removes files without a lock. Some file systems do not
   * support locks. */
  if (self->part >= 0)
    (void) flock (self->part, LOCK_EX | LOCK_NB);
  return self->part >= 0;
}

/* Returns whether the name of the part still refers to the created file. */
static gboolean
is_part (const Supervisor * self)
{
  struct stat made, named;

  return fstat (self->part, &made) == 0
      && g_lstat (self->part_name, &named) == 0
      && made.st_dev == named.st_dev && made.st_ino == named.st_ino;
}

/* Renames @from to @to unless there is a file @to. Returns FALSE and sets errno
 * on failure. */
static gboolean
rename_without_replacement (const gchar * from, const gchar * to)
{
#ifdef RENAME_NOREPLACE
  if (renameat2 (AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
    return TRUE;
  if (errno != EINVAL && errno != ENOSYS)
    return FALSE;
#endif
  /* Some file systems lack this call. An empty file reserves the name. */
  const int fd = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0)
    return FALSE;
  close (fd);
  if (g_rename (from, to) == 0)
    return TRUE;

  const int saved = errno;
  g_unlink (to);
  errno = saved;
  return FALSE;
}

/* Gives the complete file the name of the target. If a file has appeared under
 * this name, it is kept and the complete file is named NAME-2, or with the next
 * free number, so that the work of hours is not lost. */
static gboolean
name_part (Supervisor * self)
{
  if (self->replaces)
    return g_rename (self->part_name, self->target) == 0;
  if (rename_without_replacement (self->part_name, self->target))
    return TRUE;

  const gchar *suffix = strrchr (self->target, '.');

  if (!suffix || strchr (suffix, '/'))
    suffix = self->target + strlen (self->target);
  for (guint i = 2; errno == EEXIST && i <= MAX_NAMES; i++) {
    g_autofree gchar *name = g_strdup_printf ("%.*s-%u%s",
        (int) (suffix - self->target), self->target, i, suffix);

    if (rename_without_replacement (self->part_name, name)) {
      self->other_name = g_steal_pointer (&name);
      return TRUE;
    }
  }
  return FALSE;
}

static void
make_target (Supervisor * self)
{
  struct stat status;

  if (!is_part (self)) {
    self->part_error = "the unfinished output was removed or replaced by "
        "another file";
    return;
  }
  /* A full disk may be detected only now. Some files do not support fsync(). */
  if (fsync (self->part) != 0 && errno != EINVAL && errno != ENOTSUP) {
    self->part_error = g_strerror (errno);
    return;
  }
  /* The mode of the target, or of a new file. Some file systems have none. */
  const mode_t mask = umask (0);

  umask (mask);
  (void) !fchmod (self->part, stat (self->target, &status) == 0
      ? status.st_mode & 0777 : 0666 & ~mask);
  if (!name_part (self))
    self->part_error = g_strerror (errno);
}

static gboolean
is_done (const Supervisor * self)
{
  return self->signal == 0 && WIFEXITED (self->status)
      && WEXITSTATUS (self->status) == STATUS_DONE;
}

/* Explains the last message of a driver that aborts. */
static const gchar *
explain (const gchar * line)
{
  static const struct
  {
    const gchar *words, *meaning;
  } known[] = {
    {"Not enough memory to run on this device",
        " (PoCL reads the memory size in /sys and /proc. Mount them)"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (strstr (line, known[i].words))
      return known[i].meaning;
  }
  return "";
}

/* Prints the result. Returns the exit status. */
static int
print_result (const Supervisor * self)
{
  const gchar *state = self->target ? "was not written" : "is incomplete";

  if (self->signal != 0) {
    fprintf (stderr, "%s: interrupted (%s %s)\n", self->program, self->name,
        state);
    return 128 + self->signal;
  }
  if (WIFEXITED (self->status) && WEXITSTATUS (self->status) == STATUS_FAILED)
    return EXIT_FAILURE;
  if (!is_done (self)) {
    const gchar *last =
        self->n_lines > 0 ? self->lines[(self->n_lines - 1) % N_LINES] : "";

    fprintf (stderr, "%s: GStreamer ended%s%s%s%s%s (%s %s)\n",
        self->program, WIFSIGNALED (self->status) ? ", " : "",
        WIFSIGNALED (self->status) ? g_strsignal (WTERMSIG (self->status)) : "",
        *last ? ": " : "", last, explain (last), self->name, state);
    return EXIT_FAILURE;
  }
  if (self->part_error) {
    fprintf (stderr, "%s: %s: %s\n", self->program, self->name,
        self->part_error);
    return EXIT_FAILURE;
  }
  if (self->other_name) {
    fprintf (stderr, "%s: %s: a file of this name appeared during filtering "
        "and was kept. The result is in %s\n", self->program, self->name,
        self->other_name);
    return EXIT_FAILURE;
  }
  fprintf (stderr, "Wrote %s\n", self->name);
  return EXIT_SUCCESS;
}

/* In a process whose signals are blocked. */
static int
supervise (Supervisor * self, const int output[2], int signals,
    SupervisorWork work, gpointer user_data)
{
  if (!create_part (self)) {
    fprintf (stderr, "%s: %s: %s\n", self->program, self->name,
        g_strerror (errno));
    return EXIT_FAILURE;
  }
  self->parent = getpid ();
  self->child = fork ();
  if (self->child == 0) {
    close (output[0]);
    run_child (self, output[1], work, user_data);
  }
  close (output[1]);
  if (self->child > 0)
    watch (self, output[0], signals);
  else
    fprintf (stderr, "%s: %s\n", self->program, g_strerror (errno));
  if (self->child > 0 && self->target && is_done (self))
    make_target (self);
  /* Before any message is printed, which may block or fail. */
  if (self->target && (!is_done (self) || self->part_error) && is_part (self))
    g_unlink (self->part_name);
  close (self->part);
  g_free (self->part_name);

  const int status = self->child > 0 ? print_result (self) : EXIT_FAILURE;
  g_free (self->other_name);
  return status;
}

/* Prevents that the pipe gets the descriptor of a closed standard stream. */
static void
open_standard_files (void)
{
  int fd;

  while ((fd = open ("/dev/null", O_RDWR)) >= 0 && fd <= STDERR_FILENO) {
  }
  if (fd >= 0)
    close (fd);
}

int
supervisor_run (const gchar * program, const gchar * target,
    const gchar * name, gboolean replaces, SupervisorWork work,
    gpointer user_data)
{
  Supervisor self = {.program = program,.target = target,.name = name,
    .replaces = replaces
  };
  int output[2];
  int signals[2];

  open_standard_files ();
  if (pipe (output) != 0 || pipe (signals) != 0) {
    fprintf (stderr, "%s: %s\n", program, g_strerror (errno));
    return EXIT_FAILURE;
  }
  signal_output = signals[1];
  hold_signals (&self);
  return supervise (&self, output, signals[0], work, user_data);
}
