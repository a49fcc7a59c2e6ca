/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclkernels.h"

#include <string.h>

/* A GPU is reset when one launch takes seconds, so larger work is split into
 * several launches. Maximum number of taps of a launch for each compute unit.
 * The slowest units take about a tenth of a second for these taps, and a launch
 * still has work for all units. */
#define MAX_TAPS_OF_UNIT G_GUINT64_CONSTANT (100000000)

/* Option for programs that are needed before the optimized ones are built. */
#define QUICK " -cl-opt-disable"

#define COUNT_GROUP 64

/* Both values are as in the kernels for slices: a vector has VECTOR samples,
 * and a step of a loop processes STEP floats. */
#define VECTOR 16
#define STEP 64

/* A compute unit processes up to SLICES_OF_UNIT slices, so that a busy unit
 * does not delay the frame. A slice should have at least MIN_SLICE_HEIGHT rows
 * and WINDOWS_OF_SLICE times the rows of a window, because each slice loads the
 * rows of a window first. */
#define SLICES_OF_UNIT 4
#define MIN_SLICE_HEIGHT 16
#define WINDOWS_OF_SLICE 2

/* Returns whether the kernels of @variant process one plane at a time. */
static gboolean
is_by_plane (const OclVariant * variant, const OclBuild * build)
{
  return variant->flags & OCL_VARIANT_BY_PLANE && !build->fused
      && ocl_pass_is_planar (&build->pass, build->format);
}

static gchar *
get_options (const OclVariant * variant, const OclBuild * build,
    const OclDevice * device)
{
  static const gchar *const storages[] = {
    [OCL_STORAGE_BUFFER] = "",
    [OCL_STORAGE_IMAGE] = " -D PIXELS_IN_IMAGES=IMAGE",
    [OCL_STORAGE_IMAGE_ARRAY] = " -D PIXELS_IN_IMAGES=LAYER",
    [OCL_STORAGE_IMAGE_BUFFER] = " -D PIXELS_IN_IMAGES=TEXELS",
  };
  OclPass pass = build->pass;
  if (is_by_plane (variant, build)) {
    pass = ocl_pass_get_channel (&pass, 0);
    pass.x_shift = pass.y_shift = 0;
  }
  g_autofree gchar *frame = build->format
      ? ocl_pass_get_options (&pass, build->format,
      build->output ? build->output : build->format) : NULL;
  g_autofree gchar *tuning = variant->shared_source ? NULL
      : ocl_tuning_get_options (&build->tuning, variant->tunables);
  g_autofree gchar *own =
      variant->get_options ? variant->get_options (build, device) : NULL;

  return g_strconcat (frame ? frame : "", frame ? storages[build->storage] : "",
      build->fused ? " -D FUSED" : "", tuning ? tuning : "", own ? " " : "",
      own ? own : "", build->quick ? QUICK : "", NULL);
}

/* Creates the kernels of @names and stores them from index @first on. */
static gboolean
ocl_kernels_create (OclKernels * self, OclProgram * program,
    const gchar * const *names, guint first, GError ** error)
{
  for (guint i = 0; names && names[i]; i++) {
    g_assert (first + i < OCL_MAX_KERNELS);
    self->kernels[first + i] =
        ocl_program_create_kernel (program, names[i], error);
    if (!self->kernels[first + i]
        || !ocl_check (clGetKernelInfo (self->kernels[first + i],
                CL_KERNEL_NUM_ARGS, sizeof (cl_uint),
                &self->n_arguments[first + i], NULL), "clGetKernelInfo", error))
      return FALSE;
  }
  return TRUE;
}

/* Returns the options of the shared program. The caller frees them. */
static gchar *
get_shared_options (const OclVariant * variant, const OclBuild * build,
    const OclDevice * device)
{
  g_autofree gchar *tuning =
      ocl_tuning_get_options (&build->tuning, variant->tunables);
  g_autofree gchar *own = variant->get_shared_options (build, device);

  return g_strconcat (own, tuning, build->quick ? QUICK : "", NULL);
}

void
ocl_kernels_announce (OclContext * context, const OclVariant * variant,
    const OclBuild * build, const gchar * pass)
{
  g_autofree gchar *options = NULL;
  g_autofree gchar *shared = NULL;

  if (variant->source && !variant->get_insert && !build->fused) {
    options = get_options (variant, build, context->device);
    ocl_programs_announce (context->programs, variant->source,
        ocl_database_get_checksum (variant->source), options, pass);
  }
  if (variant->shared_source) {
    shared = get_shared_options (variant, build, context->device);
    ocl_programs_announce (context->programs, variant->shared_source,
        ocl_database_get_checksum (variant->shared_source), shared, pass);
  }
}

/* A build of the shared program, in a thread of its own. */
typedef struct
{
  OclKernels *kernels;
  GError *error;
} SharedBuild;

static gpointer
build_shared_program (gpointer data)
{
  SharedBuild *self = data;
  OclKernels *kernels = self->kernels;
  const OclVariant *variant = kernels->variant;
  g_autofree gchar *options = get_shared_options (variant, &kernels->build,
      kernels->context->device);

  kernels->shared_program = ocl_program_get (kernels->context->programs,
      variant->shared_source, options, NULL, &self->error);
  return NULL;
}

/* Most GPU drivers build several programs at a time, so both programs of a
 * variant are built at the same time on GPUs. */
static gboolean
ocl_kernels_build (OclKernels * self, GError ** error)
{
  const OclVariant *variant = self->variant;
  const OclDevice *device = self->context->device;
  const OclFormat *format = self->build.format;
  const gboolean is_rgb = self->build.pass.n_channels == OCL_MAX_PASS_CHANNELS
      && !(format && format->model == OCL_MODEL_YCBCR);
  const guint n = g_strv_length ((gchar **) variant->kernels);
  g_autofree gchar *options = get_options (variant, &self->build, device);
  const OclInsert *insert = variant->get_insert
      ? variant->get_insert (&self->build)
      : self->build.fused ? self->build.fused->insert : NULL;

  SharedBuild shared = { self, NULL };
  GThread *thread = variant->shared_source && !(device->type
      & CL_DEVICE_TYPE_CPU) ? g_thread_try_new ("glopencl-build",
      build_shared_program, &shared, NULL) : NULL;

  self->program = ocl_program_get (self->context->programs, variant->source,
      options, insert, error);
  if (thread)
    g_thread_join (thread);
  else if (self->program && variant->shared_source)
    build_shared_program (&shared);
  if (shared.error && self->program) {
    g_propagate_error (error, shared.error);
    return FALSE;
  }
  g_clear_error (&shared.error);
  g_assert (!variant->shared_source || !variant->rgb_kernels);
  if (!self->program
      || !ocl_kernels_create (self, self->program, variant->kernels, 0, error)
      || (is_rgb && !ocl_kernels_create (self, self->program,
              variant->rgb_kernels, n, error)))
    return FALSE;
  return !variant->shared_source || ocl_kernels_create (self,
      self->shared_program, variant->shared_kernels, n, error);
}

/* Sets the size of the work-groups. A size that the kernels are built for must
 * fit. Any other size is halved until the device and every kernel support
 * it. */
static gboolean
ocl_kernels_set_group (OclKernels * self, GError ** error)
{
  const OclDevice *device = self->context->device;
  const OclVariant *variant = self->variant;
  const gint width = ocl_tunables_find (variant->tunables, "GROUP_WIDTH");
  const gint height = ocl_tunables_find (variant->tunables, "GROUP_HEIGHT");
  size_t largest = G_MAXSIZE;   /* that every kernel supports */

  if (width >= 0 && height >= 0) {
    self->group_width = self->build.tuning.values[width];
    self->group_height = self->build.tuning.values[height];
    for (guint i = 0; i < OCL_MAX_KERNELS; i++) {
      if (self->kernels[i] && !ocl_kernels_check_group (self, i,
              self->group_width, self->group_height, error))
        return FALSE;
    }
    return TRUE;
  }
  for (guint i = 0; i < OCL_MAX_KERNELS; i++) {
    size_t size = G_MAXSIZE;

    if (self->kernels[i]
        && !ocl_check (clGetKernelWorkGroupInfo (self->kernels[i], device->id,
                CL_KERNEL_WORK_GROUP_SIZE, sizeof (size), &size, NULL),
            "clGetKernelWorkGroupInfo", error))
      return FALSE;
    largest = MIN (largest, size);
  }
  self->group_width = MAX (variant->group_width, 1);
  self->group_height = MAX (variant->group_height, 1);
  while (self->group_width > MAX (device->max_group_width, 1))
    self->group_width /= 2;
  while (self->group_height > MAX (device->max_group_height, 1))
    self->group_height /= 2;
  while (self->group_width * self->group_height > MAX (largest, 1)) {
    if (self->group_height >= self->group_width)
      self->group_height /= 2;
    else
      self->group_width /= 2;
  }
  return TRUE;
}

OclKernels *
ocl_kernels_new (OclContext * context, const OclVariant * variant,
    const OclBuild * build, GError ** error)
{
  OclKernels *self = g_new0 (OclKernels, 1);

  self->n_references = 1;
  self->variant = variant;
  self->context = ocl_context_ref (context);
  self->build = *build;
  ocl_literal_ref (build->text);
  ocl_literal_ref (build->fused);
  self->state = g_malloc0 (variant->state_size);
  if ((variant->source && (!ocl_context_check (context, error)
              || !ocl_kernels_build (self, error)
              || !ocl_kernels_set_group (self, error)))
      || (variant->init && !variant->init (self, error)))
    g_clear_pointer (&self, ocl_kernels_unref);
  return self;
}

OclKernels *
ocl_kernels_ref (OclKernels * self)
{
  g_atomic_int_inc (&self->n_references);
  return self;
}

gboolean
ocl_kernels_has_one_owner (const OclKernels * self)
{
  return g_atomic_int_get (&self->n_references) == 1;
}

void
ocl_kernels_unref (OclKernels * self)
{
  if (!self || !g_atomic_int_dec_and_test (&self->n_references))
    return;
  if (self->variant->clear)
    self->variant->clear (self->state);
  g_free (self->state);
  /* The driver would wait for a command that does not end. */
  if (ocl_context_check (self->context, NULL)) {
    for (guint i = 0; i < OCL_MAX_KERNELS; i++)
      g_clear_pointer (&self->kernels[i], clReleaseKernel);
    g_clear_pointer (&self->program, ocl_program_unref);
    g_clear_pointer (&self->shared_program, ocl_program_unref);
  }
  ocl_literal_unref (self->build.text);
  ocl_literal_unref (self->build.fused);
  ocl_context_unref (self->context);
  g_free (self);
}

gint
ocl_kernels_get_tuning (const OclKernels * self, guint place)
{
  return self->build.tuning.values[place];
}

gboolean
ocl_kernels_is_by_plane (const OclKernels * self)
{
  return is_by_plane (self->variant, &self->build);
}

guint
ocl_kernels_get_count_group (const OclDevice * device)
{
  const cl_device_type type = device->type;

  /* Interpreters such as oclgrind are both, and run the groups of a GPU. */
  return type & CL_DEVICE_TYPE_CPU && !(type & CL_DEVICE_TYPE_GPU) ? 1
      : COUNT_GROUP;
}

gchar *
ocl_kernels_get_count_options (G_GNUC_UNUSED const OclBuild * build,
    const OclDevice * device)
{
  return g_strdup_printf ("-D COUNT_GROUP=%u",
      ocl_kernels_get_count_group (device));
}

gboolean
ocl_kernels_check_group (OclKernels * self, guint n, gsize width,
    gsize height, GError ** error)
{
  const OclDevice *device = self->context->device;
  cl_ulong memory = 0;
  size_t largest = 0;

  if (!ocl_check (clGetKernelWorkGroupInfo (self->kernels[n], device->id,
              CL_KERNEL_LOCAL_MEM_SIZE, sizeof (memory), &memory, NULL),
          "clGetKernelWorkGroupInfo", error)
      || !ocl_check (clGetKernelWorkGroupInfo (self->kernels[n], device->id,
              CL_KERNEL_WORK_GROUP_SIZE, sizeof (largest), &largest, NULL),
          "clGetKernelWorkGroupInfo", error))
    return FALSE;
  if (memory <= device->local_size && width * height <= largest
      && width <= device->max_group_width && height <= device->max_group_height)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "A tile takes %" G_GUINT64_FORMAT
      " bytes of local memory and a group of %" G_GSIZE_FORMAT " x %"
      G_GSIZE_FORMAT " work-items. %s has %" G_GUINT64_FORMAT
      " bytes, and groups of up to %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
      ", and %" G_GSIZE_FORMAT " work-items.", (guint64) memory, width, height,
      device->name, device->local_size, device->max_group_width,
      device->max_group_height, (gsize) largest);
  return FALSE;
}

gboolean
ocl_kernels_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  return ocl_context_check (self->context, error)
      && self->variant->enqueue (self, run, error);
}

/* A kernel whose arguments are being set. */
typedef struct
{
  cl_kernel kernel;
  cl_uint n;                    /* arguments that are set */
  gboolean is_fused;            /* whether it has a user's function */
  GError **error;
} Setter;

static gboolean
set_value (Setter * self, size_t size, gconstpointer value)
{
  return ocl_check (clSetKernelArg (self->kernel, self->n++, size, value),
      "clSetKernelArg", self->error);
}

static gboolean
set_plane (Setter * self, const OclFrame * frame, guint n)
{
  const OclPlane *plane = &frame->planes[n];
  const cl_int2 place = { {plane->offset, plane->stride} };

  return set_value (self, sizeof (plane->memory), &plane->memory)
      && (frame->info.storage == OCL_STORAGE_IMAGE
      || set_value (self, sizeof (place), &place));
}

static gboolean
set_planes (Setter * self, const OclFrame * frame, const OclPass * pass)
{
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    if (ocl_pass_has_plane (pass, frame->info.format, i)
        && !set_plane (self, frame, i))
      return FALSE;
  }
  return TRUE;
}

static gboolean
set_guide (Setter * self, const OclFrame * frame, const OclPass * pass)
{
  const OclFormat *format = frame->info.format;
  const cl_int width =
      ocl_format_count_samples (frame->info.width, format->luma_x_shift);
  const cl_int height =
      ocl_format_count_samples (frame->info.height, format->luma_y_shift);

  return !pass->guided
      || (set_plane (self, frame, format->channels[OCL_CHANNEL_LUMA].plane)
      && set_value (self, sizeof (width), &width)
      && set_value (self, sizeof (height), &height));
}

/* Sets the arguments of a user's function that runs on the output, if there is
 * one. */
static gboolean
set_fused (Setter * self, const OclRun * run)
{
  const cl_int2 size = { {ocl_run_get_width (run), ocl_run_get_height (run)} };
  const cl_float time = run->time;
  const cl_int number = run->number;
  cl_float16 values = { {0.0f,} };

  if (!self->is_fused)
    return TRUE;
  if (run->fused_values)
    memcpy (values.s, run->fused_values, sizeof (values.s));
  return set_value (self, sizeof (time), &time)
      && set_value (self, sizeof (number), &number)
      && set_value (self, sizeof (values), &values)
      && set_value (self, sizeof (size), &size);
}

static gboolean
set_argument (Setter * self, const OclArgument * argument, const OclRun * run)
{
  switch (argument->kind) {
    case OCL_ARGUMENT_VALUE:
      return set_value (self, argument->size, &argument->value);
    case OCL_ARGUMENT_LOCAL:
      return set_value (self, argument->size, NULL);
    case OCL_ARGUMENT_INPUT_PLANES:
      return set_planes (self, run->input, run->pass);
    case OCL_ARGUMENT_INPUT:
      return set_planes (self, run->input, run->pass)
          && set_guide (self, run->input, run->pass);
    case OCL_ARGUMENT_FRAME:
      return set_planes (self, argument->value.frame, run->pass);
    case OCL_ARGUMENT_OUTPUT:
      return set_planes (self, run->output, run->pass)
          && set_fused (self, run);
    case OCL_ARGUMENT_NONE:
      return TRUE;
  }
  g_assert_not_reached ();
}

static gsize
round_up (gsize value, gsize multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

gboolean
ocl_kernels_launch (OclKernels * self, const OclRun * run,
    const OclGrid * grid, const OclArgument * arguments, guint n,
    GError ** error)
{
  Setter setter = {.kernel = self->kernels[grid->kernel],.error = error,
    .is_fused = self->build.fused != NULL
  };
  const size_t group[2] = {
    grid->group_width ? grid->group_width : self->group_width,
    grid->group_width ? grid->group_height : self->group_height
  };

  const cl_command_queue queue =
      ocl_timer_get_queue (run->timer, self->context);
  gsize rows = grid->height;    /* of one launch: whole work-groups */

  /* OpenCL 1.2 has no commands without work-items. */
  g_assert (grid->width > 0 && grid->height > 0);
  if (grid->n_taps > 0)
    rows = CLAMP (self->context->device->n_units * MAX_TAPS_OF_UNIT
        / (grid->width * grid->n_taps), group[1], grid->height + group[1])
        / group[1] * group[1];
  for (guint i = 0; i < n; i++) {
    if (!set_argument (&setter, &arguments[i], run))
      return FALSE;
  }
  g_assert (setter.n == self->n_arguments[grid->kernel]);
  for (gsize y = 0; y < grid->height; y += rows) {
    const gsize height = MIN (rows, grid->height - y);
    const size_t offset[2] = { 0, y };
    const size_t global[2] = {
      grid->exact ? grid->width : round_up (grid->width, group[0]),
      grid->exact ? height : round_up (height, group[1])
    };

    const cl_int status = clEnqueueNDRangeKernel (queue,
        self->kernels[grid->kernel], 2, offset, global,
        grid->exact ? NULL : group, 0, NULL,
        ocl_timer_add (run->timer, OCL_TIMER_KERNEL));
    if (!ocl_check (status, "clEnqueueNDRangeKernel", error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ocl_slices_ensure (OclSlices * self, OclContext * context,
    const OclSlicesNeeds * needs, GError ** error)
{
  const gint n_units = context->device->n_units;
  const gint least = MAX (MIN_SLICE_HEIGHT,
      WINDOWS_OF_SLICE * (2 * needs->reach_y + 1));
  const gint n = CLAMP (needs->height / least / n_units, 1, SLICES_OF_UNIT)
      * n_units;

  self->pad = round_up (needs->reach_x + 1, VECTOR);
  self->pitch = round_up (2 * self->pad + round_up (needs->width, STEP), STEP);
  self->scratch_floats = needs->n_rows * needs->n_planes * self->pitch
      + round_up (needs->n_words, STEP);
  self->height = (needs->height + n - 1) / n;
  self->n = (needs->height + self->height - 1) / self->height;
  return ocl_memory_ensure (&self->scratch, context,
      self->n * self->scratch_floats * sizeof (cl_float), error);
}

void
ocl_slices_clear (OclSlices * self)
{
  ocl_memory_clear (&self->scratch);
}
