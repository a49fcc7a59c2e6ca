/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel on CPUs, 16 pixels at a time. */
#include "ocluservariants.h"

#include "operation/oclstrips.h"

static gboolean
ocl_user_rows_can_serve (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  const OclUserSource *source = ocl_user_get_source (params);

  return !source->native && !source->scalar;
}

static void
ocl_user_rows_clear (gpointer state)
{
  ocl_strips_clear (state);
}

/* Number of planes of a row, as in the kernel. */
static gint
count_planes (const OclUserSource * source, const OclRun * run)
{
  const guint n_channels = run->pass->n_channels;
  const gboolean has_alpha = n_channels == OCL_MAX_PASS_CHANNELS
      && run->input->info.format->channels[run->pass->first_channel].step == 4;

  return n_channels + (source->guided && n_channels > 1)
      + (source->alpha && has_alpha);
}

static gboolean
ocl_user_rows_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (run->params);
  const gint copies = source->radius_y == 0 ? 1 : 2;
  OclStrips *strips = self->state;
  const OclStripsNeeds needs = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .reach_x = source->radius_x,.reach_y = source->radius_y,
    .n_planes = count_planes (source, run),
    .n_rows = copies * (2 * source->radius_y + 1) * (1 + source->history),
  };

  return ocl_strips_ensure (strips, self->context, &needs, error)
      && OCL_LAUNCH (self, run, OCL_STRIPS_GRID (0, strips), error,
      OCL_USER_ARGUMENTS (run, source), OCL_STRIPS (strips));
}

static gchar *
ocl_user_rows_get_options (G_GNUC_UNUSED const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup ("-cl-no-signed-zeros");
}

const OclVariant ocl_user_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY
      | OCL_VARIANT_CHECKS_TEXT,
  .source = "user-rows.cl",
  .kernels = OCL_NAMES ("user"),
  .group_width = 1,
  .state_size = sizeof (OclStrips),
  .can_serve = ocl_user_rows_can_serve,
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_rows_get_options,
  .clear = ocl_user_rows_clear,
  .enqueue = ocl_user_rows_enqueue,
};
