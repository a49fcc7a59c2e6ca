/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramid.h"

#include "operation/oclkernels.h"

/* Steps of a pyramid, and the variants that compute the steps.
 *
 * Each run of a step has an OclPyramidStep as its parameters. The input and the
 * output of the run are fine levels. A variant is built twice: once for steps
 * whose fine level is the frame itself (the build has the format of the frame),
 * and once for steps whose fine level is a level of the pyramid (the build has
 * no format). The specialization of the build is the OclStorage of the pyramid
 * levels. */

/**
 * OclPyramidKind:
 * @OCL_PYRAMID_REDUCE: coarse = reduce (fine)
 * @OCL_PYRAMID_SUBTRACT: band = fine - expand (coarse)
 * @OCL_PYRAMID_ADD: output = gain band + coarse_gain expand (coarse) + offset,
 *    with the alpha of fine
 */
typedef enum
{
  OCL_PYRAMID_REDUCE,
  OCL_PYRAMID_SUBTRACT,
  OCL_PYRAMID_ADD,
} OclPyramidKind;

/**
 * OclPyramidStep:
 * @kind: the step to compute
 * @coarse: the pyramid level above the fine level, written by REDUCE
 * @band: the pyramid level of differences, written by SUBTRACT
 * @width: samples of the fine level, across
 * @height: samples of the fine level, down
 * @coarse_width: samples of the coarse level, across
 * @coarse_height: samples of the coarse level, down
 * @border: an OclBorderMode
 * @outside: the value outside the pyramid level that is reduced or expanded.
 *    Luma comes first if the pyramid levels have luma
 * @gain: the factor of @band in ADD
 * @coarse_gain: the factor of @coarse in ADD
 * @offset: the offset in ADD, in levels
 */
typedef struct
{
  OclPyramidKind kind;
  const OclFrame *coarse;
  const OclFrame *band;
  cl_int width;
  cl_int height;
  cl_int coarse_width;
  cl_int coarse_height;
  cl_int border;
  cl_float4 outside;
  cl_float gain;
  cl_float coarse_gain;
  cl_float offset;
} OclPyramidStep;

/* Returns the common compiler options of all variants, which describe the
 * pyramid levels and the fine level. */
static gchar *
ocl_pyramid_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  static const gchar *const storages[] = {
    [OCL_STORAGE_BUFFER] = "",
    [OCL_STORAGE_IMAGE] = " -D BANDS_IN_IMAGES=IMAGE",
    [OCL_STORAGE_IMAGE_ARRAY] = " -D BANDS_IN_IMAGES=LAYER",
    [OCL_STORAGE_IMAGE_BUFFER] = " -D BANDS_IN_IMAGES=TEXELS",
  };

  return g_strdup_printf ("-D BAND_CHANNELS=%u -D BAND_FIRST=%d%s%s",
      ocl_pyramid_levels_count_floats (&build->pass),
      build->pass.guided ? 1 : 0, storages[build->specialization],
      build->format ? "" : " -D INNER");
}

/* The arguments of a kernel for a pyramid level: its memory and, except for 2D
 * images, its place in the memory, see kernels/band.clh. */
#define OCL_PYRAMID_LEVEL(level) OCL_MEMORY ((level)->planes[0].memory), \
    ocl_pyramid_level_get_place (level)

static OclArgument
ocl_pyramid_level_get_place (const OclFrame * level)
{
  const OclPlane *planes = level->planes;
  const cl_int unit = sizeof (cl_float);
  /* The layer of an array, or the offset and stride of pixels. */
  const cl_int2 place = { {planes[0].offset, planes[0].stride} };
  const cl_int4 layout = { {
          planes[0].offset / unit, planes[0].stride / unit,
      level->info.format->n_planes > 1
          ? (planes[1].offset - planes[0].offset) / unit : 0, 0}
  };

  if (level->info.storage == OCL_STORAGE_BUFFER)
    return OCL_INT4 (layout);
  return level->info.storage == OCL_STORAGE_IMAGE ? OCL_NONE : OCL_INT2 (place);
}

/* The arguments of a kernel for the fine level @level that a step reads or
 * writes, as OCL_PYRAMID_LEVEL(). If the kernels are built for the frame itself
 * as the fine level, the argument is @frame. */
#define OCL_FINE_MEMORY(kernels, level, frame) ((kernels)->build.format \
    ? frame : OCL_MEMORY ((level)->planes[0].memory))
#define OCL_FINE_PLACE(kernels, level) \
    OCL_IF (!(kernels)->build.format, ocl_pyramid_level_get_place (level))
#define OCL_FINE(kernels, level, frame) \
    OCL_FINE_MEMORY (kernels, level, frame), OCL_FINE_PLACE (kernels, level)

/* Launches the kernel for the whole step. @slices is NULL for kernels that do
 * not work on slices. */
static gboolean
ocl_pyramid_launch (OclKernels * self, const OclRun * run,
    const OclGrid * grid, const OclSlices * slices, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gboolean adds = step->kind == OCL_PYRAMID_ADD;
  const gboolean subtracts = step->kind == OCL_PYRAMID_SUBTRACT;

  return OCL_LAUNCH (self, run, *grid, error,
      OCL_FINE (self, run->input, OCL_INPUT),
      OCL_IF (adds, OCL_FINE_MEMORY (self, run->output, OCL_OUTPUT)),
      OCL_IF (adds, OCL_FINE_PLACE (self, run->output)),
      OCL_IF (adds, OCL_MEMORY (step->band->planes[0].memory)),
      OCL_IF (adds, ocl_pyramid_level_get_place (step->band)),
      OCL_PYRAMID_LEVEL (step->coarse),
      OCL_IF (subtracts, OCL_MEMORY (step->band->planes[0].memory)),
      OCL_IF (subtracts, ocl_pyramid_level_get_place (step->band)),
      OCL_INT (step->width), OCL_INT (step->height),
      OCL_INT (step->coarse_width), OCL_INT (step->coarse_height),
      OCL_IF (slices, OCL_INT (slices->height)),
      OCL_IF (slices, OCL_MEMORY (slices->scratch.memory)),
      OCL_IF (slices, OCL_INT (slices->scratch_floats)),
      OCL_IF (slices, OCL_INT (slices->pitch)),
      OCL_IF (slices, OCL_INT (slices->pad)),
      OCL_INT (step->border), OCL_FLOAT4 (step->outside),
      OCL_IF (adds, OCL_FLOAT (step->gain)),
      OCL_IF (adds, OCL_FLOAT (step->coarse_gain)),
      OCL_IF (adds, OCL_FLOAT (step->offset)));
}

enum
{
  KERNEL_REDUCE,
  KERNEL_SPREAD,
  KERNEL_LOWPASS,
  KERNEL_SCALE,
  KERNEL_SUBTRACT,
  KERNEL_ADD,
};

/* Intermediate pyramid levels of a step: spread() and scale() write @wide,
 * lowpass() writes @smooth. They have the largest size so far. */
typedef struct
{
  OclPyramidLevels wide;
  OclPyramidLevels smooth;
} Between;

static void
ocl_pyramid_plain_clear (gpointer state)
{
  Between *between = state;

  ocl_pyramid_levels_clear (&between->wide);
  ocl_pyramid_levels_clear (&between->smooth);
}

/* Sets @levels to one pyramid level of the size of the fine level. Keeps a
 * pyramid level that is large enough. */
static gboolean
ensure_place (OclPyramidLevels * levels, OclContext * context,
    const OclRun * run, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const OclFrame *frame = levels->frames;

  return (frame && ocl_pass_get_width (run->pass, &frame->info) >= step->width
      && ocl_pass_get_height (run->pass, &frame->info) >= step->height)
      || ocl_pyramid_levels_ensure (levels, context, step->band->info.storage,
      step->band->info.format, run->pass, step->width, step->height, 1, 1,
      error);
}

/* Enqueues @kernel, which reads the level @from and writes the level @to.
 * Both have the size of the fine level. */
static gboolean
enqueue_between (OclKernels * self, const OclRun * run,
    guint kernel, const OclFrame * from, const OclFrame * to, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gboolean borders = kernel == KERNEL_LOWPASS;

  return OCL_LAUNCH (self, run, OCL_GRID (kernel, step->width, step->height),
      error, OCL_PYRAMID_LEVEL (from), OCL_PYRAMID_LEVEL (to),
      OCL_INT (step->width), OCL_INT (step->height), OCL_IF (borders,
          OCL_INT (step->coarse_width)), OCL_IF (borders,
          OCL_INT (step->coarse_height)), OCL_IF (borders,
          OCL_INT (step->border)), OCL_IF (borders,
          OCL_FLOAT4 (step->outside)));
}

static gboolean
ocl_pyramid_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  Between *between = self->state;
  const OclPyramidStep *step = run->params;
  const OclGrid reduce = OCL_GRID (KERNEL_REDUCE, step->coarse_width,
      step->coarse_height);

  if (step->kind == OCL_PYRAMID_REDUCE)
    return ocl_pyramid_launch (self, run, &reduce, NULL, error);
  if (!ensure_place (&between->wide, self->context, run, error)
      || !ensure_place (&between->smooth, self->context, run, error))
    return FALSE;

  /* Expands the coarse level into the level @wide. */
  const OclFrame *wide = ocl_pyramid_levels_get (&between->wide, 0, 0);
  const OclFrame *smooth = ocl_pyramid_levels_get (&between->smooth, 0, 0);
  if (!enqueue_between (self, run, KERNEL_SPREAD, step->coarse, wide, error)
      || !enqueue_between (self, run, KERNEL_LOWPASS, wide, smooth, error)
      || !enqueue_between (self, run, KERNEL_SCALE, smooth, wide, error))
    return FALSE;
  if (step->kind == OCL_PYRAMID_SUBTRACT)
    return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SUBTRACT, step->width,
            step->height), error, OCL_FINE (self, run->input, OCL_INPUT),
        OCL_PYRAMID_LEVEL (wide), OCL_PYRAMID_LEVEL (step->band),
        OCL_INT (step->width), OCL_INT (step->height));
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ADD, step->width,
          step->height), error, OCL_FINE (self, run->input, OCL_INPUT),
      OCL_FINE (self, run->output, OCL_OUTPUT), OCL_PYRAMID_LEVEL (step->band),
      OCL_PYRAMID_LEVEL (wide), OCL_INT (step->width), OCL_INT (step->height),
      OCL_FLOAT (step->gain), OCL_FLOAT (step->coarse_gain),
      OCL_FLOAT (step->offset));
}

const OclVariant ocl_pyramid_plain = {
  .name = "plain",
  .source = "pyramid.cl",
  .kernels = OCL_NAMES ("reduce", "spread", "lowpass", "scale", "subtract",
      "add"),
  .group_width = 16,
  .group_height = 16,
  .state_size = sizeof (Between),
  .get_options = ocl_pyramid_get_options,
  .clear = ocl_pyramid_plain_clear,
  .enqueue = ocl_pyramid_plain_enqueue,
};

/* The names of the kernels, by OclPyramidKind. */
static const gchar *const kernel_names[] = {
  [OCL_PYRAMID_REDUCE] = "reduce",
  [OCL_PYRAMID_SUBTRACT] = "subtract",
  [OCL_PYRAMID_ADD] = "add",
  NULL,
};

/* Number of rows in the scratch memory. REDUCE needs one row of the fine level
 * and a ring of five rows. The other steps need two rows of the fine level
 * before they are expanded horizontally. */
#define REDUCE_ROWS 6
#define EXPAND_ROWS 2

/* Number of columns that are read outside a pyramid level. */
#define REACH 2

/* Each work-item processes one slice of rows of the coarse level. */
static gboolean
ocl_pyramid_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclSlices *slices = self->state;
  const OclPyramidStep *step = run->params;
  const gboolean reduces = step->kind == OCL_PYRAMID_REDUCE;
  const OclSlicesNeeds needs = {
    .width = reduces ? step->width : step->coarse_width,
    .height = step->coarse_height,.reach_x = REACH,.reach_y = REACH,
    .n_planes = ocl_pyramid_levels_count_floats (run->pass),
    .n_rows = reduces ? REDUCE_ROWS : EXPAND_ROWS,
  };

  return ocl_slices_ensure (slices, self->context, &needs, error)
      && ocl_pyramid_launch (self, run,
      &OCL_SLICES_GRID (step->kind, slices), slices, error);
}

static void
ocl_pyramid_rows_clear (gpointer state)
{
  ocl_slices_clear (state);
}

const OclVariant ocl_pyramid_rows = {
  .name = "rows",
  .source = "pyramid-rows.cl",
  .kernels = kernel_names,
  .state_size = sizeof (OclSlices),
  .get_options = ocl_pyramid_get_options,
  .clear = ocl_pyramid_rows_clear,
  .enqueue = ocl_pyramid_rows_enqueue,
};

/* The tunables are the work-items per group, the pairs of rows of the fine
 * level that a work-item expands, and the storage of the pyramid levels, as
 * OclStorage + 1. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  STORAGE,
};

const OclTunable ocl_pyramid_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 8, OCL_CHOICES (4, 8)},
  [ROWS] = {"ROWS", 2, OCL_CHOICES (1, 2, 4)},
  [STORAGE] = {"STORAGE", 1, OCL_CHOICES (1, 2, 3, 4)},
  {NULL},
};

OclStorage
ocl_pyramid_tiled_get_storage (const OclTuning * tuning)
{
  return tuning->values[STORAGE] - 1;
}

/* For REDUCE, each work-item computes one sample of the coarse level. For the
 * other steps, each work-item computes one sample in each of its rows of the
 * fine level. */
static gboolean
ocl_pyramid_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gint n_rows = 2 * ocl_kernels_get_tuning (self, ROWS);
  const OclGrid reduce = OCL_GRID (OCL_PYRAMID_REDUCE, step->coarse_width,
      step->coarse_height);
  const OclGrid expand = OCL_GRID (step->kind, step->width,
      (step->height + n_rows - 1) / n_rows);

  return ocl_pyramid_launch (self, run,
      step->kind == OCL_PYRAMID_REDUCE ? &reduce : &expand, NULL, error);
}

const OclVariant ocl_pyramid_tiled = {
  .name = "tiled",
  .tunables = ocl_pyramid_tiled_tunables,
  .source = "pyramid-tiled.cl",
  .kernels = kernel_names,
  .get_options = ocl_pyramid_get_options,
  .enqueue = ocl_pyramid_tiled_enqueue,
};

/* Each pyramid level has two places. One holds g(k) and later the changed l(k).
 * The other holds l(k) and later o(k). */
#define N_PLACES 2

#define MAX_BANDS (OCL_PYRAMID_MAX_LEVELS + 1)

struct _OclPyramid
{
  OclContext *context;
  OclKernels *outer;            /* the fine level is the frame */
  OclKernels *inner;            /* the fine level is in the pyramid */
  OclPass pass;
  OclStorage storage;
  OclFormat level_format;
  OclFormat difference_format;
  /* The levels of two sizes: the fields of a frame may differ by a row. */
  OclPyramidLevels levels[2][N_PLACES];
  guint current;                /* the size that is in use */
  gint width;                   /* of level 0, in samples */
  gint height;
  guint n_levels;
  OclFrame frames[N_PLACES][MAX_BANDS];
  guint places[MAX_BANDS];      /* the place of each band */
};

void
ocl_pyramid_free (OclPyramid * self)
{
  ocl_kernels_unref (self->outer);
  ocl_kernels_unref (self->inner);
  for (guint i = 0; i < N_PLACES; i++) {
    ocl_pyramid_levels_clear (&self->levels[0][i]);
    ocl_pyramid_levels_clear (&self->levels[1][i]);
  }
  ocl_context_unref (self->context);
  g_free (self);
}

OclPyramid *
ocl_pyramid_new (OclContext * context, const OclVariant * variant,
    const OclBuild * build, OclStorage storage, GError ** error)
{
  g_autoptr (OclPyramid) self = g_new0 (OclPyramid, 1);
  OclBuild own = *build;
  gboolean supported = TRUE;

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  self->storage = storage;
  ocl_pyramid_levels_init_format (&self->level_format, build->format,
      &build->pass, storage, FALSE);
  ocl_pyramid_levels_init_format (&self->difference_format, build->format,
      &build->pass, storage, TRUE);
  if (storage != OCL_STORAGE_BUFFER
      && !ocl_context_supports_image (context,
          ocl_format_get_image_format (&self->level_format, 0), &supported,
          error))
    return NULL;
  if (!supported) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images of floats.", context->device->name);
    return NULL;
  }
  own.specialization = storage;
  self->outer = ocl_kernels_new (context, variant, &own, error);
  own.format = NULL;
  if (self->outer)
    self->inner = ocl_kernels_new (context, variant, &own, error);
  return self->inner ? g_steal_pointer (&self) : NULL;
}

OclBuild
ocl_pyramid_get_build (OclPyramid * self)
{
  const OclBuild build = {
    .format = &self->difference_format,.storage = self->storage,
    .pass = self->pass,
  };

  return build;
}

guint
ocl_pyramid_count_levels (gint width, gint height)
{
  guint n = 1;

  while (ocl_format_count_samples (MAX (width, height), n) > 1)
    n++;
  return n;
}

/* Allocates the pyramid levels and describes them: all of them hold
 * differences, except the last. */
static gboolean
ocl_pyramid_ensure (OclPyramid * self, const OclFrame * like, guint n_levels,
    GError ** error)
{
  const gint width = ocl_pass_get_width (&self->pass, &like->info);
  const gint height = ocl_pass_get_height (&self->pass, &like->info);

  g_assert (n_levels >= 1 && n_levels <= OCL_PYRAMID_MAX_LEVELS);
  /* The fields of a frame differ by up to a row. Each of them keeps its levels,
   * so that they allocate nothing. Memory for frames of another size is
   * released. */
  if (self->width != width || self->height != height) {
    const gboolean is_field = self->width == width
        && ABS (self->height - height) == 1;

    self->current ^= 1;
    for (guint place = 0; place < N_PLACES && !is_field; place++)
      ocl_pyramid_levels_clear (&self->levels[self->current ^ 1][place]);
  }
  self->width = width;
  self->height = height;
  for (guint place = 0; place < N_PLACES; place++) {
    OclPyramidLevels *levels = &self->levels[self->current][place];

    if (!ocl_pyramid_levels_ensure (levels, self->context, self->storage,
            &self->difference_format, &self->pass, width, height,
            n_levels + 1, 1, error))
      return FALSE;
    for (guint k = 0; k <= n_levels; k++) {
      OclFrame *frame = &self->frames[place][k];

      *frame = *ocl_pyramid_levels_get (levels, k, 0);
      frame->info.colorimetry = like->info.colorimetry;
      frame->info.format = k < n_levels
          ? &self->difference_format : &self->level_format;
    }
  }
  self->n_levels = n_levels;
  return TRUE;
}

/* Returns the common values of all steps between level @k and level @k +
 * 1. */
static OclPyramidStep
ocl_pyramid_get_step (OclPyramid * self, OclPyramidKind kind,
    const OclFrame * frame, guint k, const OclBorder * border)
{
  const OclFrame *coarse = &self->frames[0][k + 1];
  const OclFrame *fine = &self->frames[0][k];
  cl_float4 outside =
      ocl_pass_get_color (&self->pass, &frame->info, border->color);

  /* Luma comes first. */
  if (self->pass.guided) {
    outside.s[2] = outside.s[1];
    outside.s[1] = outside.s[0];
    outside.s[0] = ocl_format_convert_color (frame->info.format,
        &frame->info.colorimetry, border->color).s[OCL_CHANNEL_LUMA];
  }
  return (OclPyramidStep) {
  .kind = kind,.width =
        ocl_pass_get_width (&self->pass, &fine->info),.height =
        ocl_pass_get_height (&self->pass, &fine->info),.coarse_width =
        ocl_pass_get_width (&self->pass, &coarse->info),.coarse_height =
        ocl_pass_get_height (&self->pass, &coarse->info),.border =
        border->mode,.outside = outside,};
}

/* Enqueues @step. @fine is the fine level, with index @k. */
static gboolean
ocl_pyramid_enqueue_step (OclPyramid * self, const OclPyramidStep * step,
    guint k, const OclFrame * fine, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  const OclRun run = {.params = step,.pass = &self->pass,.input = fine,
    .output = output,.timer = timer
  };

  return ocl_kernels_enqueue (k == 0 ? self->outer : self->inner, &run, error);
}

gboolean
ocl_pyramid_enqueue_decompose (OclPyramid * self, const OclFrame * input,
    guint n_levels, const OclBorder * border, OclTimer * timer, GError ** error)
{
  if (!ocl_pyramid_ensure (self, input, n_levels, error))
    return FALSE;
  for (guint k = 0; k < n_levels; k++) {
    const OclFrame *fine = k == 0 ? input : &self->frames[0][k];
    OclPyramidStep step = ocl_pyramid_get_step (self, OCL_PYRAMID_REDUCE,
        input, k, border);

    step.coarse = &self->frames[0][k + 1];
    step.band = &self->frames[1][k];
    if (!ocl_pyramid_enqueue_step (self, &step, k, fine, NULL, timer, error))
      return FALSE;
    step.kind = OCL_PYRAMID_SUBTRACT;
    if (!ocl_pyramid_enqueue_step (self, &step, k, fine, NULL, timer, error))
      return FALSE;
    self->places[k] = 1;
  }
  self->places[n_levels] = 0;
  return TRUE;
}

const OclFrame *
ocl_pyramid_get_band (OclPyramid * self, guint band)
{
  return &self->frames[self->places[band]][band];
}

const OclFrame *
ocl_pyramid_get_free (OclPyramid * self, guint band)
{
  return &self->frames[1 - self->places[band]][band];
}

void
ocl_pyramid_exchange (OclPyramid * self, guint band)
{
  self->places[band] = 1 - self->places[band];
}

gboolean
ocl_pyramid_enqueue_reconstruct (OclPyramid * self, const OclFrame * input,
    const OclFrame * output, const gdouble * gains, gdouble offset,
    const OclBorder * border, OclTimer * timer, GError ** error)
{
  const guint n = self->n_levels;

  for (guint k = n; k-- > 0;) {
    const gboolean is_first = k == n - 1;
    const OclFrame *band = ocl_pyramid_get_band (self, k);
    OclPyramidStep step = ocl_pyramid_get_step (self, OCL_PYRAMID_ADD, input,
        k, border);

    step.band = band;
    /* o(k + 1) was written to the free place of level k + 1. */
    step.coarse = is_first ? ocl_pyramid_get_band (self, n)
        : ocl_pyramid_get_free (self, k + 1);
    step.gain = gains[k];
    step.coarse_gain = is_first ? gains[n] : 1.0;
    step.offset = k == 0 ? offset : 0.0;
    for (guint i = 0; i < G_N_ELEMENTS (step.outside.s) && !is_first; i++)
      step.outside.s[i] *= gains[n];
    if (!ocl_pyramid_enqueue_step (self, &step, k, k == 0 ? input : band,
            k == 0 ? output : ocl_pyramid_get_free (self, k), timer, error))
      return FALSE;
  }
  return TRUE;
}
