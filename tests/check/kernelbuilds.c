/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints which kernel sources the operations build and with which options, one
 * build per line, for kernels-compile.sh. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "exhaustive.h"
#include "opencl/ocloperations.h"
#include "opencl/operation/oclkernels.h"
#include "opencl/operation/ocloperationclass.h"
#include "opencl/user/oclusersource.h"

/* The g_debug() messages of oclprograms.c. */
#define PREFIX "build "

static GHashTable *builds;      /* text after the prefix */

/* Protects the variables of this file: both programs of a variant may be built
 * at the same time. */
static GMutex mutex;

static GLogWriterOutput
collect (GLogLevelFlags level, const GLogField * fields, gsize n_fields,
    G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  for (gsize i = 0; i < n_fields; i++) {
    const gchar *text = fields[i].value;

    if (level == G_LOG_LEVEL_DEBUG && strcmp (fields[i].key, "MESSAGE") == 0
        && g_str_has_prefix (text, PREFIX))
      g_hash_table_add (builds, g_strdup (text + strlen (PREFIX)));
  }
  return level == G_LOG_LEVEL_DEBUG ? G_LOG_WRITER_HANDLED
      : g_log_writer_default (level, fields, n_fields, NULL);
}

/* Replaces the loader's function: builds are only recorded, not compiled, which
 * would take minutes. All programs are the same one. */

static cl_program only_program;

static gpointer
get_real (const gchar * name)
{
  gpointer function = dlsym (RTLD_NEXT, name);

  g_assert_nonnull (function);
  return function;
}

CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithSource (cl_context context, cl_uint count,
    const char **strings, const size_t *lengths, cl_int * status)
{
  const char *text = "kernel void only (void) { }";
  cl_program (*real) (cl_context, cl_uint, const char **, const size_t *,
      cl_int *) = get_real ("clCreateProgramWithSource");

  (void) count;
  (void) strings;
  (void) lengths;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  if (!only_program)
    only_program = real (context, 1, &text, NULL, status);
  *status = clRetainProgram (only_program);
  return only_program;
}

CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program, void *), void *user_data)
{
  static gboolean is_built = FALSE;
  cl_int (*real) (cl_program, cl_uint, const cl_device_id *, const char *,
      void (CL_CALLBACK *) (cl_program, void *), void *) =
      get_real ("clBuildProgram");

  (void) options;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  if (is_built)
    return CL_SUCCESS;
  is_built = TRUE;
  return real (program, n_devices, devices, "", notify, user_data);
}

CL_API_ENTRY cl_kernel CL_API_CALL
clCreateKernel (cl_program program, const char *name, cl_int * status)
{
  cl_kernel (*real) (cl_program, const char *, cl_int *) =
      get_real ("clCreateKernel");

  (void) name;
  return real (program, "only", status);
}

/* A program that the device cannot run was logged as built. */
static void
build_form (OclContext * context, const OclVariant * variant, guint form,
    const OclFormat * format, OclStorage storage, const OclPass * pass,
    OclLiteral * fused)
{
  OclBuild build = {.format = format,.fused = fused,.storage = storage,
    .pass = *pass,.specialization = form
  };
  g_autoptr (GError) error = NULL;

  if (storage == OCL_STORAGE_IMAGE && (format->buffers_only
          || variant->flags & OCL_VARIANT_BUFFERS_ONLY))
    return;
  ocl_tuning_init (&build.tuning, variant->tunables);
  OclKernels *kernels = ocl_kernels_new (context, variant, &build, &error);
  ocl_kernels_unref (kernels);
  if (!kernels)
    fprintf (stderr, "%s: %s\n", variant->name, error->message);
}

static void
build (OclContext * context, const OclVariant * variant,
    const OclFormat * format, OclStorage storage, const OclPass * pass,
    gconstpointer params, OclLiteral * fused)
{
  guint forms[OCL_MAX_SPECIALIZATIONS];
  const guint n =
      ocl_variant_get_specializations (variant, params, format, forms);

  for (guint i = 0; i < n; i++)
    build_form (context, variant, forms[i], format, storage, pass, fused);
}

/* The passes of the warm-up parameters, for images only with usual formats. */
static void
build_format (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant, const OclFormat * format, OclLiteral * fused)
{
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  const gint n_storages = is_format_usual (format->name) ? OCL_N_STORAGES
      : OCL_STORAGE_BUFFER + 1;
  guint n = 0;

  do {
    OclPass passes[OCL_MAX_PASSES];
    guint n_passes =
        ocl_operation_class_get_passes (klass, params, format, passes);

    for (guint i = 0; i < n_passes; i++) {
      for (gint storage = 0; storage < n_storages; storage++)
        build (context, variant, format, storage, &passes[i], params, fused);
    }
  } while (klass->get_warm_up && klass->get_warm_up (n++, params));
}

/* The inputs and outputs of operations in a chain. */
static void
build_between (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant, const OclFormat * format)
{
  g_autoptr (OclLiteral) text = ocl_user_source_create_text ("identity",
      "Pixel filter (FRAME)\n{\n  return pixel (frame, 0, 0);\n}\n", NULL);

  build_format (context, klass, variant, ocl_format_get_wide (format), NULL);
  if (klass->flags & OCL_OPERATION_FUSES)
    build_format (context, klass, variant, format, text);
}

static void
build_class (OclContext * context, const OclOperationClass * klass)
{
  static const gchar *const few[] = { "RGBA", "I420", "YUY2", NULL };

  for (guint j = 0; klass->variants[j]; j++) {
    for (guint k = 0; ocl_formats[k]; k++) {
      build_format (context, klass, klass->variants[j], ocl_formats[k], NULL);
      if (ocl_operation_class_filters (klass)
          && g_strv_contains (few, ocl_formats[k]->name))
        build_between (context, klass, klass->variants[j], ocl_formats[k]);
    }
  }
  for (const OclNeed * need = klass->needs; need && need->klass; need++)
    build_class (context, need->klass);
}

static void
build_all (OclContext * context)
{
  for (guint i = 0; ocl_operations[i]; i++)
    build_class (context, ocl_operations[i]);
}

/* "SOURCE: OPTIONS" as SOURCE OPTIONS, or as SOURCE. */
static void
print_build (const gchar * text)
{
  const gchar *colon = strstr (text, ": ");
  const gchar *options = colon + strspn (colon, ": ");

  printf ("%.*s%s%s\n", (int) (colon - text), text, *options ? " " : "",
      options);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;

  builds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_log_set_writer_func (collect, NULL, NULL);

  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclContext) context = devices
      ? ocl_context_new (devices->pdata[0], NULL, &error) : NULL;
  if (!context) {
    fprintf (stderr, "kernelbuilds: %s\n", error->message);
    return 1;
  }
  build_all (context);

  g_autoptr (GList) texts =
      g_list_sort (g_hash_table_get_keys (builds), (GCompareFunc) strcmp);
  for (GList * text = texts; text; text = text->next)
    print_build (text->data);
  g_hash_table_unref (builds);
  return 0;
}
