/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclprograms.h"

#include <string.h>

#include "oclbuildlog.h"

/* The line of a source that is replaced by an inserted text. */
#define PLACE "\nINSERTED_TEXT\n"

struct _OclProgram
{
  OclPrograms *programs;        /* of the context; not owned */
  gchar *key;                   /* owned */
  cl_program program;           /* owned; NULL while it is being built */
  guint n_users;
};

struct _OclPrograms
{
  cl_context context;           /* not owned */
  const OclDevice *device;      /* not owned */
  GMutex mutex;                 /* guards table and its programs */
  GCond changed;
  GHashTable *table;            /* OclProgram, not owned, by its key */
};

OclPrograms *
ocl_programs_new (cl_context context, const OclDevice * device)
{
  OclPrograms *self = g_new0 (OclPrograms, 1);

  self->context = context;
  self->device = device;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->table = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
ocl_programs_free (OclPrograms * self)
{
  g_assert (g_hash_table_size (self->table) == 0);
  g_hash_table_unref (self->table);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

const gchar *
ocl_kernel_source_find (const gchar * name)
{
  for (const OclKernelSource * source = ocl_kernel_sources; source->name;
      source++) {
    if (g_str_equal (source->name, name))
      return source->text;
  }
  g_assert_not_reached ();
}

static gchar *
ocl_program_get_log (cl_program program, cl_device_id device)
{
  size_t size = 0;

  if (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
          &size) != CL_SUCCESS)
    return NULL;

  gchar *log = g_malloc0 (size + 1);
  if (clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, size, log,
          NULL) != CL_SUCCESS)
    g_clear_pointer (&log, g_free);
  return log;
}

static guint
count_lines (const gchar * text, gsize length)
{
  guint n = 0;

  for (gsize i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

/* Returns what is wrong with the inserted text, or NULL. A line directive comes
 * before the lines of the user. */
static gchar *
find_mistake (const gchar * source_name, const OclInsert * insert,
    const gchar * log)
{
  const gchar *source = ocl_kernel_source_find (source_name);
  const gchar *place = strstr (source, PLACE);
  const gchar *text = strstr (insert->text, "#line 1 ");
  const guint n_before = count_lines (insert->definitions,
      strlen (insert->definitions)) + count_lines (source, place - source) + 1
      + count_lines (insert->text, text - insert->text);

  return ocl_build_log_find (log, insert->name, n_before + 2,
      count_lines (text, strlen (text)));
}

/* Sets @error to OCL_ERROR_BUILD or OCL_ERROR_KERNEL. */
static void
ocl_program_fail (OclPrograms * self, const gchar * source_name,
    const gchar * options, const OclInsert * insert, cl_int status,
    const gchar * log, GError ** error)
{
  g_autofree gchar *mistake = insert && log
      ? find_mistake (source_name, insert, log) : NULL;

  if (mistake)
    g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
        "The kernel %s cannot be built for %s: %s\nProgram: %s\nOptions: %s"
        "\n%s", insert->name, self->device->name, mistake, source_name,
        options, log);
  else
    g_set_error (error, OCL_ERROR, OCL_ERROR_BUILD,
        "The OpenCL driver of %s cannot build the kernel %s: %s (%d).\n"
        "Options: %s\n%s", self->device->name, source_name,
        ocl_status_to_string (status), status, options,
        log ? log : "(no build log)");
}

/* Returns a source with what is inserted into it. The caller frees the text. */
static gchar *
ocl_program_compose (const gchar * source_name, const OclInsert * insert)
{
  const gchar *source = ocl_kernel_source_find (source_name);
  const gchar *place = insert ? strstr (source, PLACE) : NULL;

  if (!insert)
    return g_strdup (source);
  g_assert (place);
  return g_strdup_printf ("%s%.*s\n%s%s", insert->definitions,
      (int) (place - source), source, insert->text, place + strlen (PLACE));
}

/* Returns a program, which the caller owns, or NULL with @error. */
static cl_program
ocl_program_build (OclPrograms * self, const gchar * source_name,
    const gchar * options, const OclInsert * insert, GError ** error)
{
  g_autofree gchar *composed = ocl_program_compose (source_name, insert);
  const gchar *text = composed;
  cl_int status = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource (self->context, 1, &text,
      NULL, &status);
  if (!ocl_check (status, "clCreateProgramWithSource", error))
    return NULL;

  g_debug ("build %s: %s", source_name, options);
  const gint64 start = g_get_monotonic_time ();
  status = clBuildProgram (program, 1, &self->device->id, options, NULL, NULL);
  g_debug ("%s took %" G_GINT64_FORMAT " ms", source_name,
      (g_get_monotonic_time () - start) / 1000);
  if (status != CL_SUCCESS) {
    g_autofree gchar *log = ocl_program_get_log (program, self->device->id);

    ocl_program_fail (self, source_name, options, insert, status, log, error);
    clReleaseProgram (program);
    return NULL;
  }
  return program;
}

static void
ocl_program_free (OclProgram * self)
{
  g_clear_pointer (&self->program, clReleaseProgram);
  g_free (self->key);
  g_free (self);
}

/* Returns the program if it is built or another thread builds it successfully,
 * and NULL otherwise. The caller holds the mutex, which is released while this
 * function waits for another thread. */
static OclProgram *
ocl_programs_find (OclPrograms * self, const gchar * key)
{
  OclProgram *program = g_hash_table_lookup (self->table, key);

  while (program && !program->program) {
    g_cond_wait (&self->changed, &self->mutex);
    program = g_hash_table_lookup (self->table, key);
  }
  return program;
}

/* Adds a program that is not built yet. Other threads that ask for it wait from
 * now on. The caller holds the mutex. */
static OclProgram *
ocl_programs_add (OclPrograms * self, const gchar * key)
{
  OclProgram *program = g_new0 (OclProgram, 1);

  program->programs = self;
  program->key = g_strdup (key);
  g_hash_table_insert (self->table, program->key, program);
  return program;
}

OclProgram *
ocl_program_get (OclPrograms * programs, const gchar * source_name,
    const gchar * options, const OclInsert * insert, GError ** error)
{
  g_autofree gchar *key = g_strconcat (source_name, " ", options,
      insert ? "\n" : NULL, insert ? insert->definitions : NULL,
      insert ? insert->text : NULL, NULL);

  g_mutex_lock (&programs->mutex);
  OclProgram *self = ocl_programs_find (programs, key);

  if (!self) {
    self = ocl_programs_add (programs, key);
    g_mutex_unlock (&programs->mutex);
    cl_program built =
        ocl_program_build (programs, source_name, options, insert, error);
    g_mutex_lock (&programs->mutex);
    self->program = built;
    g_cond_broadcast (&programs->changed);
    if (!built) {
      g_hash_table_remove (programs->table, key);
      g_clear_pointer (&self, ocl_program_free);
    }
  }
  if (self)
    self->n_users++;
  g_mutex_unlock (&programs->mutex);
  return self;
}

void
ocl_program_unref (OclProgram * self)
{
  OclPrograms *programs = self->programs;

  g_mutex_lock (&programs->mutex);
  gboolean is_last = --self->n_users == 0;

  if (is_last)
    g_hash_table_remove (programs->table, self->key);
  g_mutex_unlock (&programs->mutex);
  if (is_last)
    ocl_program_free (self);
}

cl_kernel
ocl_program_create_kernel (OclProgram * self, const gchar * name,
    GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_kernel kernel = clCreateKernel (self->program, name, &status);

  return ocl_check (status, "clCreateKernel", error) ? kernel : NULL;
}
