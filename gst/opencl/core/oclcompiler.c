/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclcompiler.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Maximum processor time in microseconds in which PoCL builds a program that it
 * has in its cache: it preprocesses the program, which takes 30 ms. It takes
 * half a second to compile the first program in a process. */
#define CACHED_TIME 150000

/* Maximum time in microseconds to wait for another process. */
#define WAIT_TIME (60 * G_TIME_SPAN_SECOND)

/* Maximum size of the list in bytes. A program takes 65. */
#define LIST_BYTES (1 << 20)

/* The drivers that compile one program at a time in a process. */
static const struct
{
  const gchar *platform;
  const gchar *off;             /* the variable that turns off the cache, */
  const gchar *off_value;       /* with this value */
  const gchar *folder;          /* the variable with the folder of the cache */
  gint max_processes;           /* at the same time */
  gboolean runs_kernels;        /* kernels are compiled when they first run, by
                                 * one thread. So a long build shows that the
                                 * cache was emptied */
  gint min_processes;           /* with which other processes compile programs,
                                 * otherwise they only run kernels */
} drivers[] = {
  /* A process that compiles programs loads PoCL's functions for half a
   * second. */
  {"Portable Computing Language", "POCL_KERNEL_CACHE", "0", "POCL_CACHE_DIR", 3,
      TRUE, 2},
  /* A process has a context, which takes some 500 MiB on an H200. */
  {"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "1", "CUDA_CACHE_PATH", 6, FALSE, 1},
};

/* Running processes of all compilers (atomic). */
static gint n_busy;

typedef enum
{
  STATE_MISSING,                /* not in the list */
  STATE_LISTED,                 /* in the list */
  STATE_STARTED,                /* another process compiles it */
  STATE_READY,                  /* another process has finished it, or this
                                 * process runs the kernels */
  STATE_TAKEN,                  /* this process is going to build it */
  STATE_BUILDING,               /* is being built in this process */
  STATE_BUILT,                  /* will be in the list once its kernels ran */
} State;

/* An announced program, or the kernels of a pass. */
typedef struct
{
  const gchar *source_name;     /* of a program, otherwise NULL */
  gchar *options;               /* of a program (owned) */
  const gchar *checksum;        /* of the source of a program */
  gchar *line;                  /* of a program in the list (owned) */
  gchar *pass;                  /* whose kernels run (owned), or NULL */
  State state;
  gboolean is_late;             /* nothing waits for the process any longer */
  gboolean is_new;              /* the driver does not have it while it is being
                                 * built */
  guint n_waiting;              /* threads of this process */
} Task;

struct _OclCompiler
{
  gchar *path;                  /* of glopencl-compiler, or NULL (owned) */
  gchar *device;                /* as in a selector (owned) */
  gchar *identity;              /* of the device and its driver (owned) */
  gchar *list_name;             /* name of the file (owned) */
  guint driver;                 /* index */
  GMutex mutex;                 /* guards the members below */
  GCond changed;
  gchar *list;                  /* contents of the file, NULL if it cannot be
                                 * written (owned) */
  GPtrArray *tasks;             /* of Task, in their order (owned) */
  guint n_starting;             /* processes that are not ready yet */
  guint n_building;             /* programs that are new */
  gboolean cannot_start;        /* a process ended before it was ready */
};

/* Another process, to which a thread in this one gives one task after the
 * other. */
typedef struct
{
  OclCompiler *compiler;        /* owned */
  Task *task;                   /* that it does, or NULL before the first */
  gint input;                   /* owned, or -1 */
  gint output;                  /* owned, or -1 */
} Process;

static void
task_free (gpointer data)
{
  Task *self = data;

  g_free (self->options);
  g_free (self->line);
  g_free (self->pass);
  g_free (self);
}

OclCompiler *
ocl_compiler_new (const OclDevice * device)
{
  OclCompiler *self = g_atomic_rc_box_new0 (OclCompiler);
  const gchar *path = g_getenv ("GLOPENCL_COMPILER");

  if (!path)
    path = OCL_COMPILER;
  for (guint i = 0; i < G_N_ELEMENTS (drivers); i++) {
    const gchar *folder = g_getenv (drivers[i].folder);

    if (!g_str_equal (device->platform_name, drivers[i].platform)
        || g_strcmp0 (g_getenv (drivers[i].off), drivers[i].off_value) == 0
        || g_get_num_processors () < 2
        || !g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
      continue;
    self->path = g_strdup (path);
    self->device = g_strdup_printf ("%u:%u", device->platform_index,
        device->device_index);
    self->identity = g_strdup_printf ("%s\n%s\n%s\n%s\n",
        device->platform_name, device->name, device->driver,
        folder ? folder : "");
    self->list_name = g_build_filename (g_get_user_cache_dir (),
        "gst-glopencl", "compiled", NULL);
    self->driver = i;
  }
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->tasks = g_ptr_array_new_with_free_func (task_free);
  return self;
}

static void
ocl_compiler_clear (gpointer data)
{
  OclCompiler *self = data;

  g_free (self->path);
  g_free (self->device);
  g_free (self->identity);
  g_free (self->list_name);
  g_free (self->list);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_ptr_array_unref (self->tasks);
}

void
ocl_compiler_free (OclCompiler * self)
{
  ocl_compiler_withdraw (self);
  g_atomic_rc_box_release_full (self, ocl_compiler_clear);
}

/* Returns the announced program or, if @source_name is NULL, the kernels of
 * @pass, or NULL. The caller holds the mutex. */
static Task *
ocl_compiler_find (const OclCompiler * self, const gchar * source_name,
    const gchar * options, const gchar * pass)
{
  for (guint i = 0; i < self->tasks->len; i++) {
    Task *task = self->tasks->pdata[i];

    if (g_strcmp0 (task->source_name, source_name) == 0
        && (source_name ? g_str_equal (task->options, options)
            : g_strcmp0 (task->pass, pass) == 0))
      return task;
  }
  return NULL;
}

/* Appends @line to the list, or only creates the list if @line is "". Returns
 * whether this is possible. Several processes may append at the same time. The
 * caller holds the mutex. */
static gboolean
ocl_compiler_append (OclCompiler * self, const gchar * line)
{
  const gssize size = strlen (line);
  const gint file = g_open (self->list_name,
      O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const gboolean ok = file >= 0 && write (file, line, size) == size;

  if (!ok)
    g_debug ("%s: %s", self->list_name, g_strerror (errno));
  if (file >= 0)
    close (file);
  if (self->list) {
    gchar *longer = g_strconcat (self->list, line, NULL);

    g_free (self->list);
    self->list = longer;
  }
  return ok;
}

/* Adds a task, and returns it. The caller holds the mutex. */
static Task *
ocl_compiler_add (OclCompiler * self, const gchar * pass, State state)
{
  Task *task = g_new0 (Task, 1);

  task->state = state;
  task->pass = drivers[self->driver].runs_kernels ? g_strdup (pass) : NULL;
  g_ptr_array_add (self->tasks, task);
  return task;
}

void
ocl_compiler_announce (OclCompiler * self, const gchar * source_name,
    const gchar * checksum, const gchar * options, const gchar * pass)
{
  if (!self->path)
    return;
  g_mutex_lock (&self->mutex);
  if (self->tasks->len == 0) {
    g_autofree gchar *folder = g_path_get_dirname (self->list_name);
    gsize size = 0;

    g_clear_pointer (&self->list, g_free);
    if (g_mkdir_with_parents (folder, 0700) == 0
        && ocl_compiler_append (self, ""))
      g_file_get_contents (self->list_name, &self->list, &size, NULL);
    /* Most of the lines are of former versions. */
    if (size > LIST_BYTES) {
      g_unlink (self->list_name);
      self->list[0] = '\0';
    }
  }
  Task *program = ocl_compiler_find (self, source_name, options, NULL);
  if (!program) {
    g_autofree gchar *text =
        g_strconcat (self->identity, options, "\n", checksum, NULL);
    g_autofree gchar *sum =
        g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    g_autofree gchar *line = g_strconcat (sum, "\n", NULL);
    /* Without a list, the driver may have everything. */
    program = ocl_compiler_add (self, pass,
        !self->list || strstr (self->list, line) ? STATE_LISTED
        : STATE_MISSING);
    program->source_name = source_name;
    program->options = g_strdup (options);
    program->checksum = checksum;
    program->line = g_steal_pointer (&line);
  }
  if (program->pass && pass) {
    Task *kernels = ocl_compiler_find (self, NULL, NULL, pass);

    if (!kernels)
      kernels = ocl_compiler_add (self, pass, STATE_LISTED);
    /* Two processes would compile what two passes have in common. */
    if (kernels->state < STATE_STARTED && !g_str_equal (program->pass, pass))
      kernels->state = STATE_READY;
    else if (kernels->state == STATE_LISTED && program->state == STATE_MISSING)
      kernels->state = STATE_MISSING;
  }
  g_mutex_unlock (&self->mutex);
}

void
ocl_compiler_withdraw (OclCompiler * self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = self->tasks->len; i > 0; i--) {
    const Task *task = self->tasks->pdata[i - 1];

    if (task->state == STATE_BUILT)
      ocl_compiler_append (self, task->line);
    if (task->state != STATE_STARTED && task->state != STATE_BUILDING
        && task->n_waiting == 0)
      g_ptr_array_remove_index (self->tasks, i - 1);
  }
  self->cannot_start = FALSE;
  g_mutex_unlock (&self->mutex);
}

/* Returns how many processes of all compilers may run at the same time. */
static gint
ocl_compiler_get_most (const OclCompiler * self)
{
  return MIN (drivers[self->driver].max_processes,
      (gint) g_get_num_processors () - 1);
}

/* Returns the task for the next process, or NULL, and sets @n to the number of
 * such tasks: the last missing program, because this process needs the first
 * one first. If there is none, the kernels of the last pass that has all its
 * programs. The caller holds the mutex. */
static Task *
ocl_compiler_choose (const OclCompiler * self, guint * n)
{
  const gboolean takes_programs =
      ocl_compiler_get_most (self) >= drivers[self->driver].min_processes;
  Task *chosen = NULL;

  *n = 0;
  for (guint i = 0; i < self->tasks->len; i++) {
    Task *task = self->tasks->pdata[i];
    gboolean is_possible = task->state == STATE_MISSING
        && (takes_programs || !task->source_name);

    for (guint k = 0; is_possible && !task->source_name
        && k < self->tasks->len; k++) {
      const Task *program = self->tasks->pdata[k];

      is_possible = !program->source_name
          || g_strcmp0 (program->pass, task->pass) != 0
          || program->state == STATE_LISTED || program->state == STATE_READY
          || program->state == STATE_BUILT;
    }
    *n += is_possible;
    if (is_possible && (!chosen || task->source_name || !chosen->source_name))
      chosen = task;
  }
  return chosen;
}

static void
process_free (Process * self)
{
  if (self->input >= 0)
    close (self->input);
  if (self->output >= 0)
    close (self->output);
  g_atomic_rc_box_release_full (self->compiler, ocl_compiler_clear);
  g_free (self);
}

static void ocl_compiler_start (OclCompiler * self);

/* The thread of a process, which frees @data: gives the process a task whenever
 * it prints a line. Does not read a FILE, for which the exit of this process
 * would wait. */
static gpointer
process_run (gpointer data)
{
  Process *self = data;
  OclCompiler *compiler = self->compiler;
  sigset_t signals;
  gboolean is_given = TRUE;     /* the process has its task, if it has one */

  /* Signals would interrupt reading, and the process may exit. */
  sigfillset (&signals);
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  do {
    gchar c = '\0';
    guint n;

    while (is_given && c != '\n' && read (self->output, &c, 1) == 1);
    g_mutex_lock (&compiler->mutex);
    if (self->task) {
      self->task->state = STATE_READY;
    } else {
      compiler->n_starting--;
      compiler->cannot_start |= c != '\n';
    }
    self->task = c == '\n' ? ocl_compiler_choose (compiler, &n) : NULL;
    if (self->task) {
      self->task->state = STATE_STARTED;
      /* There may be tasks for more processes than before. */
      ocl_compiler_start (compiler);
    } else {
      g_atomic_int_add (&n_busy, -1);
    }
    g_cond_broadcast (&compiler->changed);
    g_mutex_unlock (&compiler->mutex);
    if (self->task) {
      const Task *task = self->task;
      g_autofree gchar *last =
          g_strescape (task->source_name ? task->options : task->pass, NULL);
      g_autofree gchar *line = task->source_name
          ? g_strdup_printf ("%s\t%s\t%s\n", task->source_name,
          task->checksum, last) : g_strconcat (last, "\n", NULL);
      const gssize length = strlen (line);

      is_given = write (self->input, line, length) == length;
    }
  } while (self->task);
  process_free (self);
  return NULL;
}

/* Starts processes if there are more tasks than this process and starting ones
 * do until they are ready: each of them one, and this process two. The caller
 * holds the mutex. */
static void
ocl_compiler_start (OclCompiler * self)
{
  const gint most = ocl_compiler_get_most (self);
  gchar *arguments[] = { self->path, self->device, NULL };
  g_autoptr (GError) error = NULL;
  guint n_left = 0;
  guint n_possible;
  guint n = 0;

  for (guint i = 0; i < self->tasks->len; i++) {
    const Task *task = self->tasks->pdata[i];

    n_left += task->state == STATE_MISSING || task->state == STATE_TAKEN
        || task->state == STATE_BUILDING;
  }
  ocl_compiler_choose (self, &n_possible);
  while (!self->cannot_start && self->n_starting < n_possible
      && self->n_starting + 2 < n_left) {
    Process *process = g_new0 (Process, 1);
    GThread *thread = NULL;

    process->compiler = g_atomic_rc_box_acquire (self);
    process->input = -1;
    process->output = -1;
    self->n_starting++;
    if (g_atomic_int_add (&n_busy, 1) < most
        && g_spawn_async_with_pipes (NULL, arguments, NULL,
            G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_CLOEXEC_PIPES, NULL, NULL,
            NULL, &process->input, &process->output, NULL, &error))
      thread = g_thread_try_new ("glopencl-tasks", process_run, process,
          &error);
    if (thread) {
      g_thread_unref (thread);
      n++;
      continue;
    }
    self->n_starting--;
    g_atomic_int_add (&n_busy, -1);
    process_free (process);
    break;
  }
  if (error)
    g_info ("no further process compiles programs: %s", error->message);
  if (n > 0)
    g_info ("other processes that compile: %u", n);
}

/* Waits while another process does a task, see ocl_compiler_find(), or may
 * begin with a program because this one builds another. Returns the task, or
 * NULL. The caller holds the mutex. */
static Task *
ocl_compiler_wait (OclCompiler * self, const gchar * source_name,
    const gchar * options, const gchar * pass)
{
  const gint64 end = g_get_monotonic_time () + WAIT_TIME;
  gboolean in_time = TRUE;
  Task *task;

  /* The task may be withdrawn meanwhile. */
  while ((task = ocl_compiler_find (self, source_name, options, pass))
      && !task->is_late && (task->state == STATE_STARTED
          || (task->state == STATE_MISSING && self->n_building > 0))) {
    task->is_late = !in_time;
    task->n_waiting++;
    if (in_time)
      in_time = g_cond_wait_until (&self->changed, &self->mutex, end);
    task->n_waiting--;
  }
  return task;
}

gboolean
ocl_compiler_take (OclCompiler * self, const gchar ** source_name,
    gchar ** options)
{
  Task *program = NULL;

  g_mutex_lock (&self->mutex);
  for (guint i = self->tasks->len; i > 0 && !program; i--) {
    Task *task = self->tasks->pdata[i - 1];

    if (task->source_name && task->pass && task->state == STATE_MISSING)
      program = task;
  }
  if (program) {
    program->state = STATE_TAKEN;
    *source_name = program->source_name;
    *options = g_strdup (program->options);
    ocl_compiler_start (self);
  }
  g_mutex_unlock (&self->mutex);
  return program != NULL;
}

void
ocl_compiler_begin (OclCompiler * self, const gchar * source_name,
    const gchar * options)
{
  g_mutex_lock (&self->mutex);
  Task *program = ocl_compiler_find (self, source_name, options, NULL);
  if (program && program->state == STATE_MISSING)
    ocl_compiler_start (self);
  program = ocl_compiler_wait (self, source_name, options, NULL);
  if (program && program->state != STATE_STARTED) {
    program->is_new = program->state == STATE_MISSING
        || program->state == STATE_TAKEN;
    self->n_building += program->is_new;
    program->state = STATE_BUILDING;
  }
  g_mutex_unlock (&self->mutex);
}

gchar *
ocl_compiler_end (OclCompiler * self, const gchar * source_name,
    const gchar * options, gboolean ok, gint64 time)
{
  g_mutex_lock (&self->mutex);
  Task *program = ocl_compiler_find (self, source_name, options, NULL);
  gchar *pass = program ? g_strdup (program->pass) : NULL;
  if (program && program->state == STATE_BUILDING) {
    const gboolean is_listed = !self->list
        || strstr (self->list, program->line);

    self->n_building -= program->is_new;
    if (ok && !is_listed && !drivers[self->driver].runs_kernels) {
      ocl_compiler_append (self, program->line);
    } else if (ok && !is_listed) {
      program->state = STATE_BUILT;
    } else if (ok && time > CACHED_TIME && drivers[self->driver].runs_kernels) {
      /* The cache of the driver was emptied. */
      for (guint i = 0; i < self->tasks->len; i++) {
        Task *other = self->tasks->pdata[i];

        if (other->state == STATE_LISTED)
          other->state = STATE_MISSING;
      }
    }
    if (program->state != STATE_BUILT)
      g_ptr_array_remove (self->tasks, program);
  }
  /* A pass may have all its programs now. */
  if (pass)
    ocl_compiler_start (self);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  return pass;
}

void
ocl_compiler_begin_pass (OclCompiler * self, const gchar * pass)
{
  g_mutex_lock (&self->mutex);
  Task *kernels = ocl_compiler_find (self, NULL, NULL, pass);
  if (kernels && kernels->state < STATE_STARTED)
    kernels->state = STATE_READY;
  ocl_compiler_wait (self, NULL, NULL, pass);
  g_mutex_unlock (&self->mutex);
}
