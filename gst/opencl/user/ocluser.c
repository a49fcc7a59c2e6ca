/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocluser.h"

#include <string.h>

#include "core/ocltext.h"
#include "oclusersource.h"
#include "operation/oclkernels.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclUserParams, member)

static const OclParam params_table[] = {
  {"location",
        "Text file with the kernel. It is code that runs with the "
        "rights of the application. Setting source unsets it",
        OCL_PARAM_FILE, OFFSET (location),.sets = "source",.fixed = TRUE,
      .decides = TRUE},
  {"source",
        "Source of the kernel: a function Pixel filter (FRAME), or a "
        "kernel for FFmpeg's program_opencl",
      OCL_PARAM_TEXT, OFFSET (source),.fixed = TRUE,.decides = TRUE},
  {"arguments",
        "Arguments of the kernel as fields, such as "
        "arguments,strength=0.5. Omitted arguments have the defaults "
        "of the kernel",
      OCL_PARAM_NAMED_NUMBERS, OFFSET (arguments),.fixed = TRUE},
  OCL_BORDER_PARAMS (OclUserParams, border),
  {NULL},
};

static const OclUserSource *
ocl_user_get_source (gconstpointer params)
{
  return ocl_user_source_of (((const OclUserParams *) params)->source);
}

static const OclInsert *
ocl_user_get_insert (const OclBuild * build)
{
  return &ocl_user_source_of (build->text)->insert;
}

/* Returns the frame @age frames before the input of @run, or the earliest
 * available frame. @age is at least 1. */
static const OclFrame *
ocl_user_get_earlier (const OclRun * run, guint age)
{
  const OclFrame *frame = run->input;

  for (guint i = 0; i < MIN (age, run->n_earlier); i++) {
    if (run->neighbours[i].serial == 0)
      break;
    frame = &run->neighbours[i].frame;
  }
  return frame;
}

/* Launches the kernel over @grid. @slices is NULL for a kernel that does not
 * work on slices. */
static gboolean
ocl_user_launch (OclKernels * self, const OclRun * run, const OclGrid * grid,
    const OclSlices * slices, GError ** error)
{
  const OclUserParams *params = run->params;
  const OclFrameInfo *info = &run->input->info;
  const guint history = ocl_user_get_source (params)->history;
  const guint argb = params->border.color;
  const OclPass luma = {.first_channel = OCL_CHANNEL_LUMA,.n_channels = 1 };
  cl_float4 outside = ocl_pass_get_color (run->pass, info, argb);
  cl_float16 values;

  if (run->pass->n_channels == OCL_MAX_PASS_CHANNELS)
    outside.s[3] = (argb >> 24) / 255.0f
        * ocl_format_get_max_level (info->format);
  memcpy (values.s, params->values, sizeof (params->values));
  return OCL_LAUNCH (self, run, *grid, error, OCL_INPUT,
      OCL_IF (history > 0, OCL_FRAME (ocl_user_get_earlier (run, 1))),
      OCL_IF (history > 1, OCL_FRAME (ocl_user_get_earlier (run, 2))),
      OCL_IF (history > 2, OCL_FRAME (ocl_user_get_earlier (run, 3))),
      OCL_OUTPUT, OCL_INT (ocl_run_get_width (run)),
      OCL_INT (ocl_run_get_height (run)), OCL_INT (params->border.mode),
      OCL_FLOAT4 (outside), OCL_FLOAT (run->pass->guided
          ? ocl_pass_get_color (&luma, info, argb).s[0] : 0.0f),
      OCL_FLOAT (run->time), OCL_INT (run->number), OCL_FLOAT16 (values),
      OCL_IF (slices, OCL_INT (slices->height)),
      OCL_IF (slices, OCL_MEMORY (slices->scratch.memory)),
      OCL_IF (slices, OCL_INT (slices->scratch_floats)),
      OCL_IF (slices, OCL_INT (slices->pitch)),
      OCL_IF (slices, OCL_INT (slices->pad)));
}

/* A user's kernel on any device, a pixel at a time, and kernels for FFmpeg's
 * program_opencl, a plane at a time. */
/* Cost of a tap in taps of the other variants. */
#define TAPS_OF_TAP 10

/* Kernels in FFmpeg's form use images. Unpacked buffers are copied to and from
 * images through other buffers. */
typedef struct
{
  OclFrame input;
  OclFrame output;
  OclFrame packed;
} State;

static void
ocl_user_plain_clear (gpointer data)
{
  State *state = data;

  ocl_frame_clear (&state->input);
  ocl_frame_clear (&state->output);
  ocl_frame_clear (&state->packed);
}

/* Keeps the argument information that ocl_user_plain_init() queries. */
static gchar *
ocl_user_plain_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return ocl_user_source_of (build->text)->native_name
      ? g_strdup ("-cl-kernel-arg-info") : NULL;
}

/* Rejects a kernel in FFmpeg's form with unsupported arguments. */
static gboolean
ocl_user_plain_init (OclKernels * self, GError ** error)
{
  /* Names of a type in drivers, with spaces around each. */
  static const struct
  {
    const gchar *types;
    cl_kernel_arg_access_qualifier access;
  } expected[] = {
    {" image2d_t ", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
    {" uint  unsigned int  int ", CL_KERNEL_ARG_ACCESS_NONE},
    {" image2d_t ", CL_KERNEL_ARG_ACCESS_READ_ONLY},
  };
  const OclUserSource *source = ocl_user_source_of (self->build.text);

  if (!source->native_name)
    return TRUE;
  gboolean is_right = self->n_arguments[0] == G_N_ELEMENTS (expected);

  for (guint i = 0; is_right && i < G_N_ELEMENTS (expected); i++) {
    cl_kernel_arg_access_qualifier access = 0;
    gchar type[64] = "?";
    cl_int status = clGetKernelArgInfo (self->kernels[0], i,
        CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof (access), &access, NULL);

    if (status == CL_SUCCESS) {
      status = clGetKernelArgInfo (self->kernels[0], i,
          CL_KERNEL_ARG_TYPE_NAME, sizeof (type), type, NULL);
      /* The name of another type may be longer. */
      if (status == CL_INVALID_VALUE)
        status = CL_SUCCESS;
    }
    /* Drivers may not support this query. */
    if (status == CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
      return TRUE;
    if (!ocl_check (status, "clGetKernelArgInfo", error))
      return FALSE;
    g_autofree gchar *word = g_strdup_printf (" %s ", type);
    is_right = access == expected[i].access && strstr (expected[i].types, word);
  }
  if (!is_right)
    g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
        "The kernel %s in %s has other arguments than it gets. %s",
        source->native_name, source->insert.name, source->insert.hint);
  return is_right;
}

/* Runs a kernel in FFmpeg's form on the planes of a pass, which are images. */
static gboolean
enqueue_planes (OclKernels * self, const OclRun * run, const OclFrame * input,
    const OclFrame * output, GError ** error)
{
  for (guint i = 0; i < input->info.format->n_planes; i++) {
    const OclGrid grid = {.width =
          ocl_frame_info_get_image_width (&input->info, i),
      .height = ocl_frame_info_get_plane_height (&input->info, i),.exact = TRUE
    };

    if (ocl_pass_has_plane (run->pass, input->info.format, i)
        && !OCL_LAUNCH (self, run, grid, error,
            OCL_MEMORY (output->planes[i].memory), OCL_UINT (run->number),
            OCL_MEMORY (input->planes[i].memory)))
      return FALSE;
  }
  return TRUE;
}

/* Copies the planes of the pass. */
static gboolean
copy_planes (OclKernels * self, const OclRun * run, const OclFrame * source,
    const OclFrame * target, GError ** error)
{
  for (guint i = 0; i < source->info.format->n_planes; i++) {
    if (ocl_pass_has_plane (run->pass, source->info.format, i)
        && !ocl_frame_enqueue_plane_copy (self->context, source, target, i,
            run->timer, error))
      return FALSE;
  }
  return TRUE;
}

/* Copies the planes of the pass between an image and a buffer. */
static gboolean
copy_frame (OclKernels * self, const OclRun * run, const OclFrame * source,
    const OclFrame * target, GError ** error)
{
  State *state = self->state;

  if (ocl_frame_is_packed (source->info.storage == OCL_STORAGE_BUFFER ? source
          : target))
    return copy_planes (self, run, source, target, error);
  const OclFrameInfo copy = ocl_frame_info_get_copy (&source->info);
  return ocl_frame_ensure (&state->packed, self->context, &copy, error)
      && copy_planes (self, run, source, &state->packed, error)
      && copy_planes (self, run, &state->packed, target, error);
}

static gboolean
ocl_user_plain_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  State *state = self->state;
  const OclUserSource *source = ocl_user_get_source (run->params);
  const gint n_taps = (2 * source->radius_x + 1) * (2 * source->radius_y + 1)
      * (1 + source->history);
  const OclGrid grid = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .n_taps = TAPS_OF_TAP * n_taps
  };
  OclFrameInfo image = run->input->info;

  if (!source->native_name)
    return ocl_user_launch (self, run, &grid, NULL, error);
  if (image.storage == OCL_STORAGE_IMAGE)
    return enqueue_planes (self, run, run->input, run->output, error);
  image.storage = OCL_STORAGE_IMAGE;
  return ocl_frame_ensure (&state->input, self->context, &image, error)
      && ocl_frame_ensure (&state->output, self->context, &image, error)
      && copy_frame (self, run, run->input, &state->input, error)
      && enqueue_planes (self, run, &state->input, &state->output, error)
      && copy_frame (self, run, &state->output, run->output, error);
}

static const OclVariant plain = {
  .name = "plain",
  .source = "user.cl",
  .kernels = OCL_NAMES ("user"),
  .group_width = 16,
  .group_height = 16,
  .state_size = sizeof (State),
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_plain_get_options,
  .init = ocl_user_plain_init,
  .clear = ocl_user_plain_clear,
  .enqueue = ocl_user_plain_enqueue,
};

/* A user's kernel on CPUs, 16 pixels at a time. */
static gboolean
ocl_user_rows_supports (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  const OclUserSource *source = ocl_user_get_source (params);

  return !source->native_name && !source->scalar;
}

static void
ocl_user_rows_clear (gpointer state)
{
  ocl_slices_clear (state);
}

static gboolean
ocl_user_rows_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (run->params);
  const OclPass *pass = run->pass;
  const gboolean has_alpha = pass->n_channels == OCL_MAX_PASS_CHANNELS
      && run->input->info.format->channels[pass->first_channel].step == 4;
  const gint copies = source->radius_y == 0 ? 1 : 2;
  OclSlices *slices = self->state;
  const OclSlicesNeeds needs = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .reach_x = source->radius_x,.reach_y = source->radius_y,
    .n_planes = pass->n_channels + (source->guided && pass->n_channels > 1)
        + (source->alpha && has_alpha), /* as in the kernel */
    .n_rows = copies * (2 * source->radius_y + 1) * (1 + source->history),
  };

  return ocl_slices_ensure (slices, self->context, &needs, error)
      && ocl_user_launch (self, run, &OCL_SLICES_GRID (0, slices), slices,
      error);
}

static gchar *
ocl_user_rows_get_options (G_GNUC_UNUSED const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup ("-cl-no-signed-zeros");
}

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY
      | OCL_VARIANT_CHECKS_TEXT,
  .source = "user-rows.cl",
  .kernels = OCL_NAMES ("user"),
  .group_width = 1,
  .state_size = sizeof (OclSlices),
  .supports = ocl_user_rows_supports,
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_rows_get_options,
  .clear = ocl_user_rows_clear,
  .enqueue = ocl_user_rows_enqueue,
};

/* A user's kernel on GPUs. */
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
ocl_user_tiled_supports (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  return !ocl_user_get_source (params)->native_name;
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
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
  /* The kernel uses get_group_id (). */
  const OclGrid grid = OCL_GRID (0, ocl_run_get_width (run),
      (ocl_run_get_height (run) + rows - 1) / rows);

  return ocl_user_launch (self, run, &grid, NULL, error);
}

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .source = "user-tiled.cl",
  .kernels = OCL_NAMES ("user"),
  .supports = ocl_user_tiled_supports,
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_tiled_get_options,
  .enqueue = ocl_user_tiled_enqueue,
};

static const OclVariant *const variants[] = {
  &plain, &rows, &tiled, NULL,
};

/* Sets the source to @text, which may be empty. Removes arguments of the
 * previous text that the new one lacks. */
static gboolean
take_text (OclUserParams * params, const gchar * name, const gchar * text,
    GError ** error)
{
  g_autoptr (OclLiteral) before = ocl_literal_ref (params->arguments);
  OclLiteral *source = ocl_user_source_create_text (name, text, error);

  if (*text && !source)
    return FALSE;
  ocl_literal_take (&params->source, source);
  for (gint i = 0; params->has_arguments && before && i < before->n; i++) {
    if (ocl_user_source_find (ocl_user_get_source (params), before->names[i])
        < 0)
      ocl_param_set_named (ocl_params_find (params_table, "arguments"),
          before->names[i], NULL, params, NULL);
  }
  return TRUE;
}

static gboolean
take_file (OclUserParams * params, GError ** error)
{
  const gchar *location = ocl_literal_get_text (params->location);
  g_autofree gchar *base = g_path_get_basename (location);
  g_autofree gchar *name = g_filename_display_name (base);
  g_autofree gchar *text = NULL;

  if (!*location)
    return take_text (params, "", "", error);
  text = ocl_text_file_load (location, "The kernel",
      "of at most 256 KiB, so it is no kernel", OCL_USER_MAX_TEXT, error);
  if (!text)
    return FALSE;
  return *text ? take_text (params, name, text, error)
      : ocl_fail (error, "%s is empty.", name);
}

/* Sets the values of all arguments. Before there is a kernel, any argument may
 * be set. */
static gboolean
take_arguments (OclUserParams * params, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (params);
  const OclLiteral *set = params->source ? params->arguments : NULL;

  params->has_arguments = params->source != NULL;
  memset (params->values, 0, sizeof (params->values));
  for (guint i = 0; i < source->n_arguments; i++)
    params->values[i] = source->arguments[i].default_value;
  for (gint i = 0; set && i < set->n; i++) {
    const gchar *name = set->names[i];
    const gdouble number = set->numbers[i];
    const gint place = ocl_user_source_find (source, name);

    if (place < 0) {
      g_autoptr (GString) list =
          g_string_new (source->n_arguments ? NULL : "none");

      for (guint n = 0; n < source->n_arguments; n++)
        g_string_append_printf (list, "%s%s", n > 0 ? ", " : "",
            source->arguments[n].name);
      return ocl_fail (error,
          "The kernel %s has no argument %s. Its arguments: %s.",
          source->insert.name, name, list->str);
    }
    const OclUserArgument *argument = &source->arguments[place];
    if (number < argument->minimum || number > argument->maximum)
      return ocl_fail (error, "The argument %s of the kernel %s cannot be %g: "
          "it is from %g to %g.", name, source->insert.name, number,
          argument->minimum, argument->maximum);
    params->values[place] = number;
  }
  return TRUE;
}

static gboolean
ocl_user_changed (gpointer data, const OclParam * param, GError ** error)
{
  OclUserParams *params = data;

  if (param->offset == OFFSET (location) && !take_file (params, error))
    return FALSE;
  if (param->offset == OFFSET (source)) {
    ocl_literal_take (&params->location, NULL);
    if (!take_text (params, "source", ocl_literal_get_text (params->source),
            error))
      return FALSE;
  }
  return take_arguments (params, error);
}

static gboolean
ocl_user_is_neutral (gconstpointer data)
{
  const OclUserParams *params = data;

  return params->source == NULL;
}

static gboolean
ocl_user_check (gconstpointer params, const OclFormat * format, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (params);

  if (source->native_name && format->buffers_only) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
        "The kernel %s takes images, which OpenCL does not have for %s.",
        source->insert.name, format->name);
    return FALSE;
  }
  if (source->planes || format->model == OCL_MODEL_RGB
      || ocl_user_is_neutral (params))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
      "The kernel %s is for red, green and blue: it has no #pragma glopencl "
      "planes.", source->insert.name);
  return FALSE;
}

/* A kernel in FFmpeg's form uses values in [0, 1]. */
static gboolean
ocl_user_takes_wide (gconstpointer params)
{
  return !ocl_user_get_source (params)->native_name;
}

/* A function for one pixel at a time cannot run where 16 are computed. */
static const gfloat *
ocl_user_get_fused_values (gconstpointer data, gboolean * reads_luma)
{
  const OclUserParams *params = data;
  const OclUserSource *source = ocl_user_get_source (params);
  const gboolean fuses = !source->native_name && !source->scalar
      && !source->alpha
      && source->history == 0 && source->radius_x == 0 && source->radius_y == 0;

  *reads_luma = source->guided;
  return fuses ? params->values : NULL;
}

static guint
ocl_user_get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  const OclUserSource *source = ocl_user_get_source (params);

  return ocl_passes_init (passes, format, source->planes, source->guided);
}

static gint
ocl_user_get_reach (gconstpointer params)
{
  const OclUserSource *source = ocl_user_get_source (params);

  return MAX (source->radius_x, source->radius_y);
}

static OclNeighbours
ocl_user_get_neighbours (gconstpointer params)
{
  const OclNeighbours neighbours = {
    .n_earlier = ocl_user_get_source (params)->history
  };

  return neighbours;
}

/* Kernels built before the first frame match its parameters. */
static gboolean
ocl_user_get_warm_up (G_GNUC_UNUSED guint n, G_GNUC_UNUSED gpointer params)
{
  return FALSE;
}

const OclOperationClass ocl_user_class = {
  .name = "kernel",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_IS_TEXT,
  .params_size = sizeof (OclUserParams),
  .params = params_table,
  .variants = variants,
  .changed = ocl_user_changed,
  .is_neutral = ocl_user_is_neutral,
  .check = ocl_user_check,
  .takes_wide = ocl_user_takes_wide,
  .get_fused_values = ocl_user_get_fused_values,
  .get_passes = ocl_user_get_passes,
  .get_reach = ocl_user_get_reach,
  .get_warm_up = ocl_user_get_warm_up,
  .get_neighbours = ocl_user_get_neighbours,
};
