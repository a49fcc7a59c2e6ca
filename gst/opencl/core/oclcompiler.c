/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclcompiler.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* Maximum time in microseconds in which PoCL builds a program that it has in
 * its cache: it preprocesses the program, which takes 30 ms. It takes half a
 * second to compile the first program in a process. */
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
  guint n_own;                  /* missing programs that this process builds */
  gboolean in_order;            /* programs are built one after the other, so
                                 * that a long build shows a missing one */
} drivers[] = {
  /* One process is faster than this one, in which PoCL compiles the kernels of
   * a program when they first run. A process loads PoCL's functions for half a
   * second before the first program, so this process builds none. */
  {"Portable Computing Language", "POCL_KERNEL_CACHE", "0", "POCL_CACHE_DIR", 1,
      0, TRUE},
  /* A process has a context, which takes some 500 MiB on an H200. */
  {"NVIDIA CUDA", "CUDA_CACHE_DISABLE", "1", "CUDA_CACHE_PATH", 6, 1, FALSE},
};

/* Processes of all compilers that have programs to compile (atomic). */
static gint n_busy;

typedef enum
{
  STATE_MISSING,                /* not in the list */
  STATE_LISTED,                 /* in the list */
  STATE_STARTED,                /* another process compiles it */
  STATE_READY,                  /* another process has ended with it, or this
                                 * process compiles it */
  STATE_BUILDING,               /* is being built in this process */
} State;

/* An announced program that is not built yet. */
typedef struct
{
  const gchar *source_name;
  gchar *options;               /* owned */
  const gchar *checksum;        /* of the source */
  gchar *line;                  /* in the list (owned) */
  State state;
} Program;

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
  GPtrArray *programs;          /* of Program, in their order (owned) */
};

/* Another process. A thread reads a line from it for each program that it has
 * compiled, and frees this struct at its end. */
typedef struct
{
  OclCompiler *compiler;        /* owned */
  GPtrArray *programs;          /* of Program, in their order */
  gint output;                  /* owned */
} Process;

static void
program_free (gpointer data)
{
  Program *self = data;

  g_free (self->options);
  g_free (self->line);
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
  self->programs = g_ptr_array_new_with_free_func (program_free);
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
  g_ptr_array_unref (self->programs);
}

void
ocl_compiler_free (OclCompiler * self)
{
  g_atomic_rc_box_release_full (self, ocl_compiler_clear);
}

/* Returns the announced program, or NULL. The caller holds the mutex. */
static Program *
ocl_compiler_find (const OclCompiler * self, const gchar * source_name,
    const gchar * options)
{
  for (guint i = 0; i < self->programs->len; i++) {
    Program *program = self->programs->pdata[i];

    if (g_str_equal (program->source_name, source_name)
        && g_str_equal (program->options, options))
      return program;
  }
  return NULL;
}

/* Appends @line to the list, or only creates the list if @line is "". Returns
 * whether this is possible. Several processes may append at the same time. */
static gboolean
ocl_compiler_append (const OclCompiler * self, const gchar * line)
{
  const gssize size = strlen (line);
  const gint file = g_open (self->list_name,
      O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const gboolean ok = file >= 0 && write (file, line, size) == size;

  if (!ok)
    g_debug ("%s: %s", self->list_name, g_strerror (errno));
  if (file >= 0)
    close (file);
  return ok;
}

void
ocl_compiler_announce (OclCompiler * self, const gchar * source_name,
    const gchar * checksum, const gchar * options)
{
  if (!self->path)
    return;
  g_mutex_lock (&self->mutex);
  if (self->programs->len == 0) {
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
  if (!ocl_compiler_find (self, source_name, options)) {
    g_autofree gchar *text =
        g_strconcat (self->identity, options, "\n", checksum, NULL);
    g_autofree gchar *sum =
        g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    Program *program = g_new0 (Program, 1);

    program->source_name = source_name;
    program->options = g_strdup (options);
    program->checksum = checksum;
    program->line = g_strconcat (sum, "\n", NULL);
    /* Without a list, the driver may have everything. */
    program->state = !self->list || strstr (self->list, program->line)
        ? STATE_LISTED : STATE_MISSING;
    g_ptr_array_add (self->programs, program);
  }
  g_mutex_unlock (&self->mutex);
}

void
ocl_compiler_withdraw (OclCompiler * self)
{
  g_mutex_lock (&self->mutex);
  for (guint i = self->programs->len; i > 0; i--) {
    const Program *program = self->programs->pdata[i - 1];

    if (program->state != STATE_STARTED && program->state != STATE_BUILDING)
      g_ptr_array_remove_index (self->programs, i - 1);
  }
  g_mutex_unlock (&self->mutex);
}

/* Marks the first @n programs of @self, or all, as compiled. */
static void
process_end (Process * self, guint n)
{
  OclCompiler *compiler = self->compiler;

  if (self->programs->len == 0)
    return;
  n = MIN (n, self->programs->len);
  g_mutex_lock (&compiler->mutex);
  for (guint i = 0; i < n; i++)
    ((Program *) self->programs->pdata[i])->state = STATE_READY;
  g_ptr_array_remove_range (self->programs, 0, n);
  if (self->programs->len == 0)
    g_atomic_int_add (&n_busy, -1);
  g_cond_broadcast (&compiler->changed);
  g_mutex_unlock (&compiler->mutex);
}

static void
process_free (Process * self)
{
  close (self->output);
  g_ptr_array_unref (self->programs);
  ocl_compiler_free (self->compiler);
  g_free (self);
}

static gpointer
process_read (gpointer data)
{
  Process *self = data;
  gchar text[16];
  gssize n;

  while ((n = read (self->output, text, sizeof (text))) > 0
      || (n < 0 && errno == EINTR)) {
    guint n_lines = 0;

    for (gssize i = 0; i < n; i++)
      n_lines += text[i] == '\n';
    process_end (self, n_lines);
  }
  /* The process has exited. */
  process_end (self, G_MAXUINT);
  process_free (self);
  return NULL;
}

/* Starts a process for every @step th of @programs from number @first on. The
 * caller holds the mutex. */
static gboolean
ocl_compiler_start (OclCompiler * self, const GPtrArray * programs, guint first,
    guint step)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autoptr (GPtrArray) own = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  gint output = -1;

  g_ptr_array_add (arguments, self->path);
  g_ptr_array_add (arguments, self->device);
  for (guint i = first; i < programs->len; i += step) {
    Program *program = programs->pdata[i];

    g_ptr_array_add (own, program);
    g_ptr_array_add (arguments, (gpointer) program->source_name);
    g_ptr_array_add (arguments, (gpointer) program->checksum);
    g_ptr_array_add (arguments, program->options);
  }
  g_ptr_array_add (arguments, NULL);
  if (!g_spawn_async_with_pipes (NULL, (gchar **) arguments->pdata, NULL,
          G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_CLOEXEC_PIPES, NULL, NULL, NULL,
          NULL, &output, NULL, &error)) {
    g_info ("programs are compiled one after the other: %s", error->message);
    return FALSE;
  }
  Process *process = g_new0 (Process, 1);
  process->compiler = g_atomic_rc_box_acquire (self);
  process->programs = g_ptr_array_ref (own);
  process->output = output;
  GThread *thread =
      g_thread_try_new ("glopencl-compile", process_read, process, NULL);
  if (!thread) {
    process_free (process);
    return FALSE;
  }
  g_thread_unref (thread);
  g_atomic_int_inc (&n_busy);
  for (guint i = 0; i < own->len; i++)
    ((Program *) own->pdata[i])->state = STATE_STARTED;
  return TRUE;
}

/* Starts processes for the missing programs but the first @n_own ones, and none
 * for only one program. The caller holds the mutex. */
static void
ocl_compiler_start_all (OclCompiler * self, guint n_own)
{
  const gint n_free = MIN (drivers[self->driver].max_processes,
      (gint) g_get_num_processors () - 1) - g_atomic_int_get (&n_busy);
  g_autoptr (GPtrArray) missing = g_ptr_array_new ();

  for (guint i = 0; i < self->programs->len; i++) {
    Program *program = self->programs->pdata[i];

    if (program->state == STATE_MISSING) {
      program->state = STATE_READY;
      g_ptr_array_add (missing, program);
    }
  }
  if (missing->len <= MAX (n_own, 1) || n_free <= 0)
    return;
  const guint n_programs = missing->len - n_own;
  const guint n = MIN (n_programs, (guint) n_free);
  g_info ("compiling %u programs in %u processes", n_programs, n);
  for (guint i = 0; i < n && ocl_compiler_start (self, missing, n_own + i, n);
      i++);
}

void
ocl_compiler_begin (OclCompiler * self, const gchar * source_name,
    const gchar * options)
{
  const gint64 end = g_get_monotonic_time () + WAIT_TIME;

  g_mutex_lock (&self->mutex);
  Program *program = ocl_compiler_find (self, source_name, options);
  if (program && program->state == STATE_MISSING)
    ocl_compiler_start_all (self, drivers[self->driver].n_own);
  while (program && program->state == STATE_STARTED) {
    if (!g_cond_wait_until (&self->changed, &self->mutex, end))
      break;
  }
  if (program && program->state != STATE_STARTED)
    program->state = STATE_BUILDING;
  g_mutex_unlock (&self->mutex);
}

void
ocl_compiler_end (OclCompiler * self, const gchar * source_name,
    const gchar * options, gboolean ok, gint64 time)
{
  g_mutex_lock (&self->mutex);
  Program *program = ocl_compiler_find (self, source_name, options);
  if (program && program->state == STATE_BUILDING) {
    const gboolean is_listed = !self->list
        || strstr (self->list, program->line);

    if (ok && !is_listed) {
      ocl_compiler_append (self, program->line);
    } else if (ok && time > CACHED_TIME && drivers[self->driver].in_order) {
      /* The cache of the driver was emptied. This process can build the next
       * program at once. */
      for (guint i = 0; i < self->programs->len; i++) {
        Program *other = self->programs->pdata[i];

        if (other->state == STATE_LISTED)
          other->state = STATE_MISSING;
      }
      ocl_compiler_start_all (self, 1);
    }
    g_ptr_array_remove (self->programs, program);
  }
  g_mutex_unlock (&self->mutex);
}
