/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclconvolution.h"

#include <math.h>
#include <string.h>

#include "oclstencil.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclConvolutionParams, member)

/* A sum is treated as 0 if it is at most this part of the sum of its absolute
 * numbers, because 0.1, 0.2 and -0.3 are not exact. */
#define TOLERANCE_OF_SUM 1e-12

/* Maximum sum of the absolute divided numbers of the matrix. Up to this value,
 * pairs of floats hold sums of whole numbers. They hold the remainder of other
 * sums to a hundredth of a level with 8 bits, and to some levels with 16
 * bits. */
#define MAX_GAIN 1e10

/* Maximum sum of a window in levels if it is computed in floats (in two passes
 * if it is separable). A sum is then rounded to half a level. */
#define MAX_SUM (1 << 22)

static const OclParam params_table[] = {
  {"matrix",
        "Rows of the matrix from top to bottom, not mirrored. The "
        "number of rows and their length are odd, at most 63",
        OCL_PARAM_MATRIX, OFFSET (matrix),
        .default_text = "<<0,-1,0>,<-1,5,-1>,<0,-1,0>>",.fixed = TRUE,
      .bench =
        "<<1,2,1>,<2,4,2>,<1,2,1>>,<<0,-1,0>,<-1,5,-1>,<0,-1,0>>",.decides =
        TRUE},
  {"matrix-file",
        "Text file with the matrix, one row per line. Setting matrix "
        "unsets it", OCL_PARAM_FILE, OFFSET (matrix_file),.sets = "matrix",
      .fixed = TRUE},
  {"divisor",
        "Divisor of the weighted sum. 0 uses the sum of the matrix, or "
        "1 if that is 0. Slower if the absolute values of the matrix "
        "sum to more than 1000 times the divisor", OCL_PARAM_DOUBLE,
        OFFSET (divisor),
      .minimum = -OCL_MATRIX_MAX_NUMBER,.maximum =
        OCL_MATRIX_MAX_NUMBER,.decides = TRUE},
  {"bias", "Offset added to the result, where black to white is 1",
        OCL_PARAM_DOUBLE, OFFSET (bias),
      .minimum = -100.0,.maximum = 100.0},
  OCL_PLANES_PARAM (OclConvolutionParams, planes, OCL_PLANES_LUMA),
  OCL_BORDER_PARAMS (OclConvolutionParams, border),
  {NULL},
};

/* A matrix with this side uses other kernels on GPUs than small matrices. */
#define MEDIUM_SIDE 5
#define LARGE_SIDE 33

/* The warm-up runs the kernels with one matrix for each of these kinds. The
 * default matrix is small and dense. */
typedef enum
{
  WARM_UP_DENSE,
  WARM_UP_SEPARABLE,
  WARM_UP_BOX,
  WARM_UP_MEDIUM,
  WARM_UP_LARGE_DENSE,
  WARM_UP_LARGE_SEPARABLE,
  N_WARM_UPS,
} WarmUp;

gdouble
ocl_convolution_get_divisor (const OclConvolutionParams * params)
{
  const OclLiteral *matrix = params->matrix;
  gdouble sum = 0.0;
  gdouble size = 0.0;

  if (params->divisor != 0.0)
    return params->divisor;
  for (gint n = 0; n < matrix->width * matrix->height; n++) {
    sum += matrix->numbers[n];
    size += fabs (matrix->numbers[n]);
  }
  return fabs (sum) <= TOLERANCE_OF_SUM * size ? 1.0 : sum;
}

/* Returns the sum of the absolute divided numbers. Sets @largest to the index
 * of the largest absolute number, unless it is NULL. */
static gdouble
get_gain (const OclConvolutionParams * params, gint * largest)
{
  const OclLiteral *matrix = params->matrix;
  gdouble gain = 0.0;
  gint found = 0;

  for (gint n = 0; n < matrix->width * matrix->height; n++) {
    gain += fabs (matrix->numbers[n]);
    if (fabs (matrix->numbers[n]) > fabs (matrix->numbers[found]))
      found = n;
  }
  if (largest)
    *largest = found;
  return gain / fabs (ocl_convolution_get_divisor (params));
}

static gboolean
ocl_convolution_changed (gpointer data, const OclParam * param, GError ** error)
{
  OclConvolutionParams *params = data;
  gint largest;

  if (param->offset == OFFSET (matrix))
    ocl_literal_take (&params->matrix_file, NULL);
  if (param->offset == OFFSET (matrix_file) && params->matrix_file) {
    OclLiteral *loaded = ocl_matrix_load (params->matrix_file->text, error);

    if (!loaded)
      return FALSE;
    ocl_literal_take (&params->matrix, loaded);
  }
  if (get_gain (params, &largest) <= MAX_GAIN)
    return TRUE;
  const OclLiteral *matrix = params->matrix;
  return ocl_fail (error,
      "The matrix has %g in row %d, column %d, too much for the "
      "divisor %g: the numbers without their signs may sum to at "
      "most %g times the divisor. Set a larger divisor first, or "
      "smaller numbers.", matrix->numbers[largest],
      largest / matrix->width + 1, largest % matrix->width + 1,
      ocl_convolution_get_divisor (params), MAX_GAIN);
}

/* Returns the sample of @pixel. The sample may be left of the first sample. */
static gint
get_sample (gint pixel, guint shift)
{
  return ((pixel + (OCL_MATRIX_MAX_SIDE << shift)) >> shift) -
      OCL_MATRIX_MAX_SIDE;
}

/* Sets the radii and the taps of @stencil. A tap is the mean over the pixels of
 * a sample, divided by @divisor. */
static void
fill_taps (OclStencil * stencil, const OclLiteral * matrix,
    const OclPass * pass, gdouble divisor)
{
  const gdouble whole = divisor * (1 << pass->x_shift) * (1 << pass->y_shift);
  const gint pixels_x = 1 << pass->x_shift, pixels_y = 1 << pass->y_shift;
  const gint reach_x = matrix->width / 2, reach_y = matrix->height / 2;

  stencil->radius_x = (reach_x + pixels_x - 1) >> pass->x_shift;
  stencil->radius_y = (reach_y + pixels_y - 1) >> pass->y_shift;
  const gint width = 2 * stencil->radius_x + 1;

  memset (stencil->taps, 0, sizeof (gdouble)
      * ocl_stencil_get_n_taps (stencil));
  for (gint n = 0; n < matrix->width * matrix->height * pixels_x * pixels_y;
      n++) {
    const gint tap = n / (pixels_x * pixels_y);
    const gint x = n % pixels_x + tap % matrix->width - reach_x;
    const gint y = n / pixels_x % pixels_y + tap / matrix->width - reach_y;
    const gint column = get_sample (x, pass->x_shift) + stencil->radius_x;
    const gint row = get_sample (y, pass->y_shift) + stencil->radius_y;

    stencil->taps[row * width + column] += matrix->numbers[tap] / whole;
  }
}

/* A matrix is separable if it is the product of a column and a row. A filter
 * with a separable matrix can process one direction after the other. */

/* Maximum norm of the remainder, relative to the largest singular value. */
#define TOLERANCE 1e-6

/* Tolerance for the remainder of one number, to reject early a matrix that is
 * not separable. If the largest number is the pivot, the remainder of one
 * number can be larger than the norm of the remainder of the matrix, but not a
 * thousand times larger. */
#define COARSE_TOLERANCE 1e-3

static gdouble
normalize (gdouble * vector, gint n)
{
  gdouble sum = 0.0;

  for (gint i = 0; i < n; i++)
    sum += vector[i] * vector[i];
  for (gint i = 0; i < n; i++)
    vector[i] /= sqrt (sum);
  return sqrt (sum);
}

/* Computes one power iteration: improves @columns, sets @rows to the matching
 * rows times the singular value, and returns the singular value. If @columns
 * starts as the row of the largest number and the matrix is separable, both
 * vectors are then exact to one part in 10^12. */
static gdouble
iterate (const gdouble * numbers, gint width, gint height, gdouble * rows,
    gdouble * columns)
{
  for (gint j = 0; j < height; j++) {
    rows[j] = 0.0;
    for (gint i = 0; i < width; i++)
      rows[j] += numbers[j * width + i] * columns[i];
  }
  normalize (rows, height);
  for (gint i = 0; i < width; i++) {
    columns[i] = 0.0;
    for (gint j = 0; j < height; j++)
      columns[i] += numbers[j * width + i] * rows[j];
  }
  const gdouble value = normalize (columns, width);
  for (gint j = 0; j < height; j++)
    rows[j] *= value;
  return value;
}

/* Returns whether the matrix @numbers, @height rows of @width numbers, is
 * separable. The norm of the matrix less the product of @rows and @columns must
 * be at most a millionth of the largest singular value. If the matrix is
 * separable, sets @rows to one number per row, and @columns to one number per
 * column. Thread-safe. */
static gboolean
ocl_separate (const gdouble * numbers, gint width, gint height, gdouble * rows,
    gdouble * columns)
{
  gint pivot = 0;               /* the index of the largest absolute number */
  gdouble left = 0.0;

  for (gint n = 1; n < width * height; n++) {
    if (fabs (numbers[n]) > fabs (numbers[pivot]))
      pivot = n;
  }
  const gdouble largest = numbers[pivot];
  const gdouble *pivot_row = numbers + pivot / width * width;
  const gdouble *pivot_column = numbers + pivot % width;

  if (largest == 0.0)
    return FALSE;
  for (gint n = 0; n < width * height; n++) {
    const gdouble product =
        pivot_column[n / width * width] * pivot_row[n % width] / largest;

    if (fabs (numbers[n] - product) > COARSE_TOLERANCE * fabs (largest))
      return FALSE;
  }
  for (gint i = 0; i < width; i++)
    columns[i] = pivot_row[i];
  normalize (columns, width);
  const gdouble value = iterate (numbers, width, height, rows, columns);
  for (gint n = 0; n < width * height; n++) {
    const gdouble rest = numbers[n] - rows[n / width] * columns[n % width];
    left += rest * rest;
  }
  return sqrt (left) <= TOLERANCE * value;
}

/* Sets all members of the stencil except those that may change with each
 * frame. */
static void
ocl_convolution_derive (gpointer derived, gconstpointer data,
    const OclPass * pass)
{
  const OclConvolutionParams *params = data;
  OclStencil *stencil = derived;
  const gdouble divisor = ocl_convolution_get_divisor (params);

  stencil->centre = 0.0;
  stencil->scale = 1.0;
  fill_taps (stencil, params->matrix, pass, divisor);

  const gint n_taps = ocl_stencil_get_n_taps (stencil);
  gint n_equal = 1;
  while (n_equal < n_taps && stencil->taps[n_equal] == stencil->taps[0])
    n_equal++;
  if (n_equal == n_taps) {
    stencil->scale = stencil->taps[0];
    ocl_stencil_set_box (stencil);
  } else {
    stencil->kind = ocl_separate (stencil->taps, 2 * stencil->radius_x + 1,
        2 * stencil->radius_y + 1, stencil->rows, stencil->columns)
        ? OCL_STENCIL_SEPARABLE : OCL_STENCIL_DENSE;
  }
}

static gboolean
is_large (gconstpointer params, const OclFormat * format)
{
  return get_gain (params, NULL) * ocl_format_get_max_level (format)
      > MAX_SUM;
}

static guint
ocl_convolution_get_plain_specializations (gconstpointer params,
    const OclFormat * format, guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  specializations[0] =
      is_large (params, format) ? OCL_STENCIL_PAIRS : OCL_STENCIL_FLOATS;
  return 1;
}

static gboolean
ocl_convolution_is_separable (gconstpointer params, const OclFormat * format,
    const OclPass * pass)
{
  OclStencil stencil;

  if (is_large (params, format))
    return FALSE;
  ocl_convolution_derive (&stencil, params, pass);
  return stencil.kind != OCL_STENCIL_DENSE;
}

static guint
ocl_convolution_get_dense_specializations (gconstpointer data,
    const OclFormat * format, guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  specializations[0] =
      ocl_taps_get_specialization (get_gain (data, NULL), format);
  return 1;
}

static gboolean
ocl_convolution_is_dense (gconstpointer data, const OclFormat * format,
    G_GNUC_UNUSED const OclPass * pass)
{
  const OclConvolutionParams *params = data;
  gint largest;
  const gdouble gain = get_gain (params, &largest);

  return ocl_taps_supports (gain, fabs (params->matrix->numbers[largest]
          / ocl_convolution_get_divisor (params)), format);
}

/* Copies the derived stencil, because separating the matrix for each frame
 * takes too long. */
static void
ocl_convolution_init_stencil (OclStencil * stencil, const OclRun * run)
{
  const OclConvolutionParams *params = run->params;

  *stencil = *(const OclStencil *) run->derived;
  stencil->border = params->border;
  stencil->offset = params->bias;
}

static const OclStencilFamily family = { ocl_convolution_init_stencil };

static const OclVariant plain = {
  .name = "plain",
  .family = &family,
  .get_specializations = ocl_convolution_get_plain_specializations,
  OCL_STENCIL_PLAIN,
};

static const OclVariant separable_rows = {
  .name = "separable-rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .family = &family,
  .supports = ocl_convolution_is_separable,
  OCL_STENCIL_ROWS,
};

static const OclVariant dense_rows = {
  .name = "dense-rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .family = &family,
  .supports = ocl_convolution_is_dense,
  .get_specializations = ocl_convolution_get_dense_specializations,
  OCL_STENCIL_DENSE_ROWS,
};

static gint
ocl_convolution_get_reach (gconstpointer data)
{
  const OclConvolutionParams *params = data;

  return MAX (params->matrix->width, params->matrix->height) / 2;
}

/* Returns whether the blocked variant supports the stencil, which is DENSE or
 * not. */
static gboolean
is_small (gconstpointer params, const OclFormat * format, const OclPass * pass,
    gboolean is_dense)
{
  OclStencil stencil;

  if (is_large (params, format))
    return FALSE;
  ocl_convolution_derive (&stencil, params, pass);
  return (stencil.kind == OCL_STENCIL_DENSE) == is_dense
      && ocl_stencil_blocked_supports (&stencil, format, pass,
      ocl_convolution_get_reach (params));
}

static gboolean
ocl_convolution_is_small_dense (gconstpointer params, const OclFormat * format,
    const OclPass * pass)
{
  return is_small (params, format, pass, TRUE);
}

static gboolean
ocl_convolution_is_small_separable (gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return is_small (params, format, pass, FALSE);
}

static guint
ocl_convolution_get_block_specializations (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  return
      ocl_stencil_blocked_get_specializations (ocl_convolution_get_reach
      (params), specializations);
}

static guint
ocl_convolution_get_tile_specializations (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  return
      ocl_stencil_tiled_get_specializations (ocl_convolution_get_reach (params),
      specializations);
}

static const OclVariant separable_blocked = {
  .name = "separable-blocked",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_SLOW_IN_IMAGES,
  .family = &family,
  .supports = ocl_convolution_is_small_separable,
  .get_specializations = ocl_convolution_get_block_specializations,
  OCL_STENCIL_BLOCKED,
};

static const OclVariant dense_blocked = {
  .name = "dense-blocked",
  .flags = OCL_VARIANT_FOR_GPU,
  .family = &family,
  .supports = ocl_convolution_is_small_dense,
  .get_specializations = ocl_convolution_get_block_specializations,
  OCL_STENCIL_BLOCKED,
};

static const OclVariant separable_tiled = {
  .name = "separable-tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .family = &family,
  .supports = ocl_convolution_is_separable,
  .get_specializations = ocl_convolution_get_tile_specializations,
  OCL_STENCIL_TILED,
};

static const OclVariant dense_tiled = {
  .name = "dense-tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .family = &family,
  .supports = ocl_convolution_is_dense,
  .get_specializations = ocl_convolution_get_dense_specializations,
  OCL_STENCIL_DENSE_TILED,
};

/* Faster variants come first, so that they are chosen where they are
 * supported. */
static const OclVariant *const variants[] = {
  &plain, &separable_rows, &dense_rows, &separable_blocked, &separable_tiled,
  &dense_blocked, &dense_tiled, NULL,
};

static gboolean
ocl_convolution_is_neutral (gconstpointer data)
{
  const OclConvolutionParams *params = data;
  const OclLiteral *matrix = params->matrix;
  const gint middle = matrix->width * matrix->height / 2;

  for (gint n = 0; n < matrix->width * matrix->height; n++) {
    if (n != middle && matrix->numbers[n] != 0.0)
      return FALSE;
  }
  return params->bias == 0.0
      && matrix->numbers[middle] == ocl_convolution_get_divisor (params);
}

static gboolean
ocl_convolution_get_warm_up (guint n, gpointer data)
{
  OclConvolutionParams *params = data;
  gdouble numbers[LARGE_SIDE * LARGE_SIDE];
  const gint side = n < WARM_UP_MEDIUM ? 3
      : n == WARM_UP_MEDIUM ? MEDIUM_SIDE : LARGE_SIDE;

  if (n == WARM_UP_DENSE)
    return TRUE;
  if (n >= N_WARM_UPS)
    return FALSE;
  for (gint i = 0; i < side * side; i++)
    numbers[i] = n == WARM_UP_BOX ? 1.0 : 1 + i % side;
  if (n == WARM_UP_MEDIUM || n == WARM_UP_LARGE_DENSE)
    numbers[0] = 0.0;
  ocl_literal_take (&params->matrix, ocl_matrix_new (side, side, numbers));
  return TRUE;
}

const OclOperationClass ocl_convolution_class = {
  .name = "convolution",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_FUSES,
  .params_size = sizeof (OclConvolutionParams),
  .params = params_table,
  .variants = variants,
  .changed = ocl_convolution_changed,
  .is_neutral = ocl_convolution_is_neutral,
  .get_reach = ocl_convolution_get_reach,
  .get_warm_up = ocl_convolution_get_warm_up,
  .derived_size = sizeof (OclStencil),
  .derive = ocl_convolution_derive,
};
