/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel on GPUs. */
#include "ocluservariants.h"

enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
};

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4, 8)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  {NULL},
};

static gboolean
ocl_user_tiled_can_serve (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  return !ocl_user_get_source (params)->native;
}

/* With exact denormals, exp2 () takes several instructions instead of one. */
static gchar *
ocl_user_tiled_get_options (G_GNUC_UNUSED const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup ("-cl-denorms-are-zero -cl-mad-enable");
}

static gboolean
ocl_user_tiled_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (run->params);
  const gint rows = ocl_kernels_get_tuning (self, ROWS);

  /* The kernel uses get_group_id (). */
  return OCL_LAUNCH (self, run, OCL_GRID (0, ocl_run_get_width (run),
          (ocl_run_get_height (run) + rows - 1) / rows), error,
      OCL_USER_ARGUMENTS (run, source));
}

const OclVariant ocl_user_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .source = "user-tiled.cl",
  .kernels = OCL_NAMES ("user"),
  .can_serve = ocl_user_tiled_can_serve,
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_tiled_get_options,
  .enqueue = ocl_user_tiled_enqueue,
};
