/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every operation that there is, by its tables: knows none by name.
 *
 * Each variant, with the defaults and with each parameter at its limits and
 * each of its values, against the plain variant and the float64 reference; the
 * same to the byte in every format and storage, with every tuning, and after
 * whatever came before.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images and larger
 * frames are left out, for tools that interpret kernels on buffers only. */

#include <math.h>
#include <string.h>

#include "references.h"

/* Pixels beyond a pixel, at most: windows grow with the square. */
#define MAX_REACH 12

/* Of approximations, in dB. */
#define MIN_PSNR 40.0

/* How far from the reference exact variants may be, in levels: half a level,
 * and within this of a tie either neighbour is right. */
#define TIE 0.001

#define N_RANDOM_TUNINGS 2
#define N_FRESH 6
#define MAX_WARM_UPS 100

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

typedef struct
{
  const OclOperationClass *klass;
  const OclVariant *variant;
} Subject;

/* What a run gave: the output, or the input where none is written, and the
 * result. */
typedef struct
{
  Picture picture;              /* RGBA */
  guint8 *result;               /* owned; NULL where there is none */
} Outcome;

static OclContext *context;
static GArray *kinds;           /* OclFrame, without memory; [0] is a buffer */

static const gint sizes[][2] = { {1, 1}, {5, 3}, {17, 9}, {37, 21} };

static guint
count_sizes (void)
{
  return is_left_out (OCL_STORAGE_IMAGE) ? 2 : G_N_ELEMENTS (sizes);
}

static void
add_kind (const OclFormat * format, OclStorage storage, gboolean bytes_swapped)
{
  const OclFrame kind = {.format = format,.storage = storage,
    .bytes_swapped = bytes_swapped
  };

  if (!is_left_out (storage))
    g_array_append_val (kinds, kind);
}

static void
make_kinds (void)
{
  kinds = g_array_new (FALSE, FALSE, sizeof (OclFrame));
  for (guint i = 0; ocl_formats[i]; i++) {
    add_kind (ocl_formats[i], OCL_STORAGE_BUFFER, FALSE);
    add_kind (ocl_formats[i], OCL_STORAGE_IMAGE, FALSE);
    if (ocl_formats[i]->swapped)
      add_kind (ocl_formats[i], OCL_STORAGE_IMAGE, TRUE);
  }
}

static const OclFrame *
get_kind (guint i)
{
  return &g_array_index (kinds, OclFrame, i);
}

/* The first of that storage. */
static const OclFrame *
find_kind (OclStorage storage)
{
  for (guint i = 0; i < kinds->len; i++) {
    if (get_kind (i)->storage == storage)
      return get_kind (i);
  }
  return NULL;
}

static gdouble
get_number (const OclParam * param, gpointer params)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      return MEMBER (gint, params, param);
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      return MEMBER (guint, params, param);
    case OCL_PARAM_UINT64:
      return MEMBER (guint64, params, param);
    case OCL_PARAM_DOUBLE:
      return MEMBER (gdouble, params, param);
  }
  g_assert_not_reached ();
}

static void
set_number (const OclParam * param, gpointer params, gdouble number)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
    case OCL_PARAM_INT:
    case OCL_PARAM_ENUM:
      MEMBER (gint, params, param) = number;
      break;
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      MEMBER (guint, params, param) = number;
      break;
    case OCL_PARAM_UINT64:
      MEMBER (guint64, params, param) = number;
      break;
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = number;
      break;
  }
}

static gsize
get_member_size (const OclParam * param)
{
  switch (param->type) {
    case OCL_PARAM_UINT64:
      return sizeof (guint64);
    case OCL_PARAM_DOUBLE:
      return sizeof (gdouble);
    default:
      return sizeof (gint);
  }
}

/* What a parameter is tried with: its limits, or all its values. */
static GArray *
get_numbers (const OclParam * param)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble limits[] = { param->minimum, param->maximum };
  gdouble sum = 0.0;

  if (param->type == OCL_PARAM_BOOLEAN || param->type == OCL_PARAM_UINT64)
    limits[0] = 0.0;
  if (param->type == OCL_PARAM_BOOLEAN)
    limits[1] = 1.0;
  if (param->type == OCL_PARAM_UINT64)
    limits[1] = 0x1p63;
  if (!param->values)
    return g_array_append_vals (numbers, limits, G_N_ELEMENTS (limits));
  for (const OclValue * value = param->values->values; value->nick; value++) {
    gdouble number = value->value;

    g_array_append_val (numbers, number);
    sum = (guint) sum | (guint) value->value;
  }
  return param->type == OCL_PARAM_FLAGS ? g_array_append_val (numbers, sum)
      : numbers;
}

static gboolean
is_usable (const Subject * subject, gconstpointer params)
{
  const OclVariant *variant = subject->variant;

  if (ocl_operation_class_is_neutral (subject->klass, params))
    return FALSE;
  for (guint i = 0; variant->can_serve && ocl_formats[i]; i++) {
    if (!variant->can_serve (params, ocl_formats[i]))
      return FALSE;
  }
  return TRUE;
}

/* The defaults, or the first parameters of the warm-up that the variant can
 * serve: it needs some. */
static gpointer
create_base (const Subject * subject)
{
  gpointer params = ocl_operation_class_create_params (subject->klass);

  for (guint n = 0; !is_usable (subject, params); n++) {
    g_assert_nonnull (subject->klass->get_warm_up);
    g_assert_true (subject->klass->get_warm_up (n, params));
  }
  return params;
}

/* Takes the parameter towards @start until the window is small enough. */
static void
limit_reach (const OclOperationClass * klass, const OclParam * param,
    gpointer params, gdouble start)
{
  while (klass->get_reach && klass->get_reach (params) > MAX_REACH) {
    gdouble number = get_number (param, params);

    set_number (param, params, start + (number - start) / 2.0);
    g_assert_cmpfloat (get_number (param, params), !=, number);
  }
}

/* All that the variant is tried with, without what is neutral or that it cannot
 * serve: the base, and it with one parameter changed. Never NULL. */
static GPtrArray *
make_settings (const Subject * subject)
{
  const OclOperationClass *klass = subject->klass;
  GPtrArray *settings = g_ptr_array_new_with_free_func (g_free);
  gpointer base = create_base (subject);

  g_ptr_array_add (settings, base);
  for (const OclParam * param = klass->params; param && param->name; param++) {
    g_autoptr (GArray) numbers = get_numbers (param);

    for (guint i = 0; i < numbers->len; i++) {
      gpointer params = g_memdup2 (base, klass->params_size);

      set_number (param, params, g_array_index (numbers, gdouble, i));
      limit_reach (klass, param, params, get_number (param, base));
      if (is_usable (subject, params)
          && memcmp (params, base, klass->params_size) != 0)
        g_ptr_array_add (settings, params);
      else
        g_free (params);
    }
  }
  return settings;
}

/* Of what failed, for people. */
static gchar *
describe (const Subject * subject, const OclFrame * kind, gpointer params,
    const Picture * picture)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s %s, %s%s %s, %dx%d", subject->klass->name,
      subject->variant->name, kind->format->name,
      kind->bytes_swapped ? " of swapped bytes" : "",
      kind->storage == OCL_STORAGE_IMAGE ? "image" : "buffer", picture->width,
      picture->height);
  for (const OclParam * param = subject->klass->params; param && param->name;
      param++) {
    g_autofree gchar *value = ocl_param_print (param, params);

    g_string_append_printf (text, " %s=%s", param->name, value);
  }
  return g_string_free (text, FALSE);
}

/* Bytes of every value, the same for the same size. */
static guint8 *
make_noise (gsize size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (size);
  guint8 *bytes = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = g_rand_int (random);
  return bytes;
}

static void
assert_same_picture (const Picture * actual, const Picture * expected,
    const gchar * what)
{
  const gsize size = picture_get_size (expected);

  for (gsize i = 0; i < size; i++) {
    if (actual->bytes[i] != expected->bytes[i])
      g_error ("%s: byte %" G_GSIZE_FORMAT " of row %" G_GSIZE_FORMAT
          " is %u, not %u", what, (i - MARGIN) % expected->stride,
          (i - MARGIN) / expected->stride, actual->bytes[i],
          expected->bytes[i]);
  }
}

static gboolean
is_same (const Subject * subject, const Outcome * a, const Outcome * b)
{
  const gsize size = subject->klass->result_size;

  return memcmp (a->picture.bytes, b->picture.bytes,
      picture_get_size (&a->picture)) == 0
      && (size == 0 || memcmp (a->result, b->result, size) == 0);
}

static void
assert_same (const Subject * subject, const Outcome * actual,
    const Outcome * expected, const gchar * what)
{
  assert_same_picture (&actual->picture, &expected->picture, what);
  if (!is_same (subject, actual, expected))
    g_error ("%s: another result", what);
}

static void
outcome_clear (Outcome * outcome)
{
  picture_clear (&outcome->picture);
  g_free (outcome->result);
}

static OclOperation *
create_operation (const Subject * subject, const OclTuning * tuning)
{
  OclOperation *operation = ocl_operation_new (subject->klass, context);

  ocl_operation_force (operation, subject->variant, tuning);
  return operation;
}

/* FALSE where the device cannot run it, which the plain variant must. */
static gboolean
prepare (OclOperation * operation, const Subject * subject,
    const OclFrame * kind, gconstpointer params)
{
  GError *error = NULL;

  if (ocl_operation_prepare (operation, kind, params, &error)) {
    g_assert_true (ocl_operation_get_variant (operation, kind, params)
        == subject->variant);
    return TRUE;
  }
  if (subject->variant == subject->klass->variants[0]
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    g_assert_no_error (error);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  return FALSE;
}

/* Makes room for the result, and there leaves what an operation that only
 * writes draws, and others have to overwrite. */
static void
fill_result (OclResult * result, gsize size)
{
  g_autofree guint8 *noise = make_noise (size);
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (result, context, size, &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteBuffer (context->queue,
          result->device.memory, CL_TRUE, 0, size, noise, 0, NULL, NULL), ==,
      CL_SUCCESS);
}

static guint8 *
read_result (OclResult * result, gsize size, OclTimer * timer)
{
  GError *error = NULL;

  gboolean ok = ocl_result_enqueue_read (result, context, size, timer, &error)
      && ocl_context_finish (context, &error);
  assert_ok (ok, error);
  return g_memdup2 (result->host.data, size);
}

/* Runs what was prepared on frames with these bytes. @output has those that are
 * there before. */
static guint8 *
run_on_device (OclOperation * operation, const OclFrame * kind,
    gconstpointer params, Picture * input, Picture * output)
{
  const OclOperationClass *klass = ocl_operation_get_class (operation);
  const gsize size = klass->result_size;
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = picture_create_frame (input, context, kind);
  OclFrame out = picture_create_frame (output, context, kind);
  OclResult result = { 0, };
  const OclRun run = {
    .params = params,
    .input = klass->flags & OCL_OPERATION_READS ? &in : NULL,
    .output = klass->flags & OCL_OPERATION_WRITES ? &out : NULL,
    .result = size ? &result : NULL,
    .timer = timer,
  };
  guint8 *bytes = NULL;
  GError *error = NULL;

  if (size)
    fill_result (&result, size);
  gboolean ok = ocl_operation_enqueue (operation, &run, &error);
  assert_ok (ok, error);
  if (size)
    bytes = read_result (&result, size, timer);
  picture_download (output, context, &out);
  picture_download (input, context, &in);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  ocl_result_clear (&result, context);
  return bytes;
}

/* FALSE where the device cannot run it; @outcome is not set then. */
static gboolean
run (OclOperation * operation, const Subject * subject, const OclFrame * kind,
    gpointer params, const Picture * source, Outcome * outcome)
{
  const OclFormat *bytes = ocl_frame_get_bytes_format (kind);
  const gboolean filters =
      (subject->klass->flags & OCL_OPERATION_FILTERS) == OCL_OPERATION_FILTERS;
  Picture input, before;

  if (!prepare (operation, subject, kind, params))
    return FALSE;
  picture_init_copy (&input, source);
  picture_convert (&input, OCL_FORMAT_RGBA, bytes);
  picture_init_copy (&before, &input);
  picture_init_copy (&outcome->picture, &input);
  if (filters) {
    picture_clear (&outcome->picture);
    picture_init (&outcome->picture, source->width, source->height);
  }

  outcome->result = run_on_device (operation, kind, params, &input,
      &outcome->picture);
  g_autofree gchar *what = describe (subject, kind, params, source);
  assert_same_picture (&input, &before, what);
  picture_assert_margins (&outcome->picture);
  picture_convert (&outcome->picture, bytes, OCL_FORMAT_RGBA);
  picture_clear (&input);
  picture_clear (&before);
  return TRUE;
}

/* Red, green and blue against @levels, three a pixel; alpha is to be that of
 * @like. */
static void
assert_near (const Subject * subject, const Picture * actual,
    const gdouble * levels, gdouble tolerance, const Picture * like,
    const gchar * what)
{
  const gboolean approximate =
      (subject->variant->flags & OCL_VARIANT_APPROXIMATE) != 0;
  gdouble sum = 0.0;

  for (gint y = 0; y < actual->height; y++) {
    for (gint x = 0; x < actual->width; x++) {
      const guint8 *pixel = picture_get_pixel (actual, x, y);

      for (gint c = 0; c < 3; c++) {
        gdouble difference =
            pixel[c] - levels[(y * actual->width + x) * 3 + c];

        sum += difference * difference;
        if (!approximate && !(fabs (difference) <= tolerance))
          g_error ("%s: pixel %d,%d channel %d is %d, not %.4f", what, x, y, c,
              pixel[c], pixel[c] - difference);
      }
      if (pixel[3] != picture_get_pixel (like, x, y)[3])
        g_error ("%s: pixel %d,%d has another alpha", what, x, y);
    }
  }

  gdouble psnr = 10.0 * log10 (255.0 * 255.0 * 3 * actual->width
      * actual->height / sum);
  if (approximate && !(psnr >= MIN_PSNR))
    g_error ("%s: a PSNR of %.1f dB", what, psnr);
}

static gdouble *
get_levels (const Picture * picture)
{
  gdouble *levels = g_new (gdouble, picture->width * picture->height * 3);

  for (gint i = 0; i < picture->width * picture->height * 3; i++)
    levels[i] = picture_get_pixel (picture, i / 3 % picture->width,
        i / 3 / picture->width)[i % 3];
  return levels;
}

static void
assert_near_plain (const Subject * subject, const Outcome * actual,
    const Outcome * plain, const gchar * what)
{
  g_autofree gdouble *levels = get_levels (&plain->picture);
  const gsize size = subject->klass->result_size;

  assert_near (subject, &actual->picture, levels, 1.0, &plain->picture, what);
  if (size && memcmp (actual->result, plain->result, size) != 0)
    g_error ("%s: not the result of the plain variant", what);
}

static void
assert_near_reference (const Subject * subject, const Outcome * actual,
    gconstpointer params, const Picture * source, const gchar * what)
{
  const Reference *reference = reference_find (subject->klass->name);
  const gsize size = subject->klass->result_size;
  g_autofree guint8 *result = make_noise (size);

  g_assert_true (reference->filter || reference->find || reference->draw);
  if (reference->filter) {
    g_autofree gdouble *levels =
        g_new (gdouble, source->width * source->height * 3);

    reference->filter (params, source, levels);
    assert_near (subject, &actual->picture, levels, 0.5 + TIE, source, what);
  }
  if (reference->find) {
    reference->find (params, source, result);
    if (memcmp (actual->result, result, size) != 0)
      g_error ("%s: not the result of the reference", what);
  }
  if (reference->draw) {
    Picture expected;

    picture_init_copy (&expected, source);
    reference->draw (params, result, &expected);
    assert_same_picture (&actual->picture, &expected, what);
    picture_clear (&expected);
  }
}

/* Against the plain variant and the reference. */
static void
check_accuracy (const Subject * subject, const Outcome * outcome,
    OclOperation * plain, gpointer params, const Picture * source)
{
  const Subject plain_subject = { subject->klass,
    subject->klass->variants[0]
  };
  g_autofree gchar *what = describe (subject, get_kind (0), params, source);
  Outcome expected;

  run (plain, &plain_subject, get_kind (0), params, source, &expected);
  assert_near_plain (subject, outcome, &expected, what);
  assert_near_reference (subject, outcome, params, source, what);
  outcome_clear (&expected);
}

/* Parameters on a frame of that size: as they should be, and in each kind of
 * frame the same. FALSE where the device cannot run the variant. */
static gboolean
check_parameters (const Subject * subject, OclOperation * operation,
    OclOperation * plain, gpointer params, const gint size[2])
{
  Outcome first;
  Picture source;
  gboolean ok;

  picture_init (&source, size[0], size[1]);
  picture_fill (&source, size[0]);
  ok = run (operation, subject, get_kind (0), params, &source, &first);
  if (ok)
    check_accuracy (subject, &first, plain, params, &source);
  for (guint i = 1; ok && i < kinds->len; i++) {
    g_autofree gchar *what = describe (subject, get_kind (i), params, &source);
    Outcome outcome;

    g_assert_true (run (operation, subject, get_kind (i), params, &source,
            &outcome));
    assert_same (subject, &outcome, &first, what);
    outcome_clear (&outcome);
  }
  if (ok)
    outcome_clear (&first);
  picture_clear (&source);
  return ok;
}

static void
test_parameters (gconstpointer data)
{
  const Subject *subject = data;
  const Subject plain_subject = { subject->klass,
    subject->klass->variants[0]
  };
  g_autoptr (GPtrArray) settings = make_settings (subject);
  g_autoptr (OclOperation) operation = create_operation (subject, NULL);
  g_autoptr (OclOperation) plain = create_operation (&plain_subject, NULL);

  for (guint i = 0; i < settings->len; i++) {
    for (guint size = 0; size < count_sizes (); size++) {
      if (!check_parameters (subject, operation, plain, settings->pdata[i],
              sizes[size])) {
        g_test_skip ("the device cannot run it");
        return;
      }
    }
  }
}

/* Tunings: all of one value, the least and the largest of all, and some at
 * random. */

static guint
count_values (const OclTunable * tunable)
{
  guint n = 0;

  while (tunable->values[n])
    n++;
  return n;
}

static void
add_extreme_tunings (GArray * tunings, const OclTunable * tunables)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (gint i = 0; i < 2 + N_RANDOM_TUNINGS; i++) {
    OclTuning tuning = { {0,} };

    for (guint j = 0; tunables[j].macro; j++) {
      gint n = count_values (&tunables[j]);

      tuning.values[j] = tunables[j].values[i == 0 ? 0 : i == 1 ? n - 1
          : g_rand_int_range (random, 0, n)];
    }
    g_array_append_val (tunings, tuning);
  }
}

/* Single values in buffers only: a build takes seconds. */
static GArray *
make_tunings (const OclTunable * tunables, OclStorage storage)
{
  GArray *tunings = g_array_new (FALSE, FALSE, sizeof (OclTuning));

  add_extreme_tunings (tunings, tunables);
  for (guint i = 0; storage == OCL_STORAGE_BUFFER && tunables[i].macro; i++) {
    for (guint j = 0; j < count_values (&tunables[i]); j++) {
      OclTuning tuning;

      ocl_tuning_init (&tuning, tunables);
      tuning.values[i] = tunables[i].values[j];
      if (tuning.values[i] != tunables[i].default_value)
        g_array_append_val (tunings, tuning);
    }
  }
  return tunings;
}

/* All settings, one after the other; FALSE where the device cannot run it. */
static gboolean
run_settings (const Subject * subject, const OclTuning * tuning,
    const OclFrame * kind, GPtrArray * settings, const Picture * source,
    Outcome * outcomes)
{
  g_autoptr (OclOperation) operation = create_operation (subject, tuning);

  for (guint i = 0; i < settings->len; i++) {
    if (!run (operation, subject, kind, settings->pdata[i], source,
            &outcomes[i])) {
      g_assert_cmpuint (i, ==, 0);
      return FALSE;
    }
  }
  return TRUE;
}

static void
check_tuning (const Subject * subject, const OclTuning * tuning,
    const OclFrame * kind, GPtrArray * settings, const Picture * source,
    const Outcome * expected)
{
  const OclTunable *tunables = subject->variant->tunables;
  g_autofree gchar *options = ocl_tuning_get_options (tuning, tunables);
  g_autofree Outcome *outcomes = g_new0 (Outcome, settings->len);

  if (!run_settings (subject, tuning, kind, settings, source, outcomes)) {
    g_test_message ("not with%s", options);
    return;
  }
  for (guint i = 0; i < settings->len; i++) {
    g_autofree gchar *what = describe (subject, kind, settings->pdata[i],
        source);
    g_autofree gchar *with = g_strconcat (what, " with", options, NULL);

    /* Sums in another order may fall on the other side of a tie. */
    if (!is_same (subject, &outcomes[i], &expected[i]))
      assert_near_reference (subject, &outcomes[i], settings->pdata[i], source,
          with);
    outcome_clear (&outcomes[i]);
  }
}

static void
check_tunings (const Subject * subject, const OclFrame * kind,
    GPtrArray * settings)
{
  const gint *size = sizes[count_sizes () - 1];
  g_autoptr (GArray) tunings = make_tunings (subject->variant->tunables,
      kind->storage);
  g_autofree Outcome *expected = g_new0 (Outcome, settings->len);
  Picture source;

  picture_init (&source, size[0], size[1]);
  picture_fill (&source, 5);
  if (run_settings (subject, NULL, kind, settings, &source, expected)) {
    for (guint i = 0; i < tunings->len; i++)
      check_tuning (subject, &g_array_index (tunings, OclTuning, i), kind,
          settings, &source, expected);
    for (guint i = 0; i < settings->len; i++)
      outcome_clear (&expected[i]);
  } else {
    g_test_skip ("the device cannot run it");
  }
  picture_clear (&source);
}

static void
test_tunables (gconstpointer data)
{
  const Subject *subject = data;
  g_autoptr (GPtrArray) settings = make_settings (subject);

  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    const OclFrame *kind = find_kind (storage);

    if (kind && !(storage == OCL_STORAGE_IMAGE
            && subject->variant->flags & OCL_VARIANT_BUFFERS_ONLY))
      check_tunings (subject, kind, settings);
  }
}

/* Frames of other sizes, kinds and parameters leave nothing behind: what comes
 * after them is what comes first of a new object. */
static void
test_changes (gconstpointer data)
{
  const Subject *subject = data;
  g_autoptr (GPtrArray) settings = make_settings (subject);
  g_autoptr (OclOperation) operation = create_operation (subject, NULL);
  const guint distance = MAX (1, settings->len / N_FRESH);

  for (guint i = 0; i < MAX (settings->len, N_FRESH); i++) {
    gpointer params = settings->pdata[i % settings->len];
    const gint *size = sizes[(i * 3 + 1) % count_sizes ()];
    const OclFrame *kind = get_kind (i % kinds->len);
    Outcome outcome, fresh_outcome;
    Picture source;

    picture_init (&source, size[0], size[1]);
    picture_fill (&source, i);
    g_autofree gchar *what = describe (subject, kind, params, &source);
    gboolean ok = run (operation, subject, kind, params, &source, &outcome);
    if (ok && i % distance == 0) {
      g_autoptr (OclOperation) fresh = create_operation (subject, NULL);

      run (fresh, subject, kind, params, &source, &fresh_outcome);
      assert_same (subject, &outcome, &fresh_outcome, what);
      outcome_clear (&fresh_outcome);
    }
    picture_clear (&source);
    if (!ok) {
      g_test_skip ("the device cannot run it");
      return;
    }
    outcome_clear (&outcome);
  }
}

/* The tables themselves. */

static void
assert_text (const gchar * text)
{
  g_assert_nonnull (text);
  g_assert_cmpstr (text, !=, "");
}

static void
assert_refused (const OclParam * param, const gchar * text, gpointer params,
    gsize params_size)
{
  g_autofree gpointer before = g_memdup2 (params, params_size);

  if (ocl_param_parse (param, text, params))
    g_error ("%s may be \"%s\"", param->name, text);
  g_assert_cmpmem (params, params_size, before, params_size);
}

/* Prints @params, whose parameter is in range, and parses that. Text has six
 * digits, and the next time it is the same. */
static void
check_round_trip (const OclParam * param, gpointer params, gsize params_size)
{
  g_autofree gpointer parsed = g_malloc0 (params_size);
  g_autofree gchar *text = ocl_param_print (param, params);
  gdouble number = get_number (param, params);

  assert_text (text);
  if (!ocl_param_parse (param, text, parsed))
    g_error ("%s may not be \"%s\"", param->name, text);
  g_autofree gchar *again = ocl_param_print (param, parsed);
  g_assert_cmpstr (again, ==, text);
  if (param->type == OCL_PARAM_DOUBLE)
    g_assert_cmpfloat (fabs (get_number (param, parsed) - number), <=,
        1e-5 * fabs (number));
  else
    g_assert_cmpfloat (get_number (param, parsed), ==, number);
}

static void
check_values (const OclParam * param)
{
  g_assert_nonnull (param->values);
  assert_text (param->values->type_name);
  g_assert_nonnull (param->values->values[0].nick);
  for (const OclValue * value = param->values->values; value->nick; value++) {
    assert_text (value->nick);
    assert_text (value->blurb);
    g_assert_null (strchr (value->nick, '+'));
    g_assert_true (ocl_values_find (param->values, value->nick) == value);
  }
  g_assert_null (ocl_values_find (param->values, "x"));
}

static void
check_refused (const OclParam * param, gpointer params, gsize params_size)
{
  static const gchar *const words[] = { "", "x", "nan", "1x", "+", "1 2",
    "true+", "1e999"
  };
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    assert_refused (param, words[i], params, params_size);
  if (param->values) {
    g_autofree gchar *twice = g_strdup_printf ("%s+x",
        param->values->values[0].nick);

    assert_refused (param, twice, params, params_size);
    return;
  }
  if (param->type == OCL_PARAM_BOOLEAN || param->type == OCL_PARAM_UINT64) {
    assert_refused (param, "-1", params, params_size);
    assert_refused (param, "18446744073709551616", params, params_size);
    return;
  }

  gdouble step = param->type == OCL_PARAM_DOUBLE
      ? 1e-3 * MAX (1.0, fabs (param->maximum)) : 1.0;
  assert_refused (param, g_ascii_formatd (number, sizeof (number), "%.0f",
          floor (param->minimum - step)), params, params_size);
  assert_refused (param, g_ascii_formatd (number, sizeof (number),
          param->type == OCL_PARAM_DOUBLE ? "%.17g" : "%.0f",
          param->maximum + step), params, params_size);
}

/* The comma-separated values for benchmarks. */
static void
check_bench (const OclParam * param, gpointer params)
{
  g_auto (GStrv) values = g_strsplit (param->bench ? param->bench : "", ",",
      -1);

  g_assert_true (!param->bench || values[0]);
  for (guint i = 0; values[i]; i++)
    g_assert_true (ocl_param_parse (param, values[i], params));
}

static void
check_param (const OclOperationClass * klass, const OclParam * param)
{
  const gsize size = klass->params_size;
  g_autofree gpointer params = ocl_operation_class_create_params (klass);
  g_autoptr (GArray) numbers = get_numbers (param);

  assert_text (param->name);
  assert_text (param->blurb);
  g_assert_true (ocl_params_find (klass->params, param->name) == param);
  g_assert_cmpuint (param->offset + get_member_size (param), <=, size);
  for (const OclParam * other = klass->params; other != param; other++)
    g_assert_true (other->offset + get_member_size (other) <= param->offset
        || param->offset + get_member_size (param) <= other->offset);
  if (param->type == OCL_PARAM_ENUM || param->type == OCL_PARAM_FLAGS)
    check_values (param);
  else
    g_assert_null (param->values);
  if (param->type == OCL_PARAM_INT || param->type == OCL_PARAM_UINT
      || param->type == OCL_PARAM_DOUBLE) {
    g_assert_cmpfloat (param->minimum, <, param->maximum);
    g_assert_cmpfloat (param->default_value, >=, param->minimum);
    g_assert_cmpfloat (param->default_value, <=, param->maximum);
  }

  g_assert_cmpfloat (get_number (param, params), ==, param->default_value);
  check_round_trip (param, params, size);
  for (guint i = 0; i < numbers->len; i++) {
    set_number (param, params, g_array_index (numbers, gdouble, i));
    check_round_trip (param, params, size);
  }
  check_refused (param, params, size);
  check_bench (param, params);
}

static void
check_tunables (const OclTunable * tunables)
{
  for (guint i = 0; tunables && tunables[i].macro; i++) {
    gboolean found = FALSE;

    g_assert_cmpuint (i, <, OCL_MAX_TUNABLES);
    assert_text (tunables[i].macro);
    for (guint j = 0; j < count_values (&tunables[i]); j++)
      found |= tunables[i].values[j] == tunables[i].default_value;
    g_assert_true (found);
    for (guint j = 0; j < i; j++)
      g_assert_cmpstr (tunables[i].macro, !=, tunables[j].macro);
  }
}

static void
check_variant (const OclOperationClass * klass, const OclVariant * variant)
{
  assert_text (variant->name);
  g_assert_true (ocl_operation_class_find_variant (klass, variant->name)
      == variant);
  g_assert_nonnull (variant->new);
  g_assert_nonnull (variant->enqueue);
  g_assert_nonnull (variant->free);
  g_assert_true (klass->flags & OCL_OPERATION_READS
      || !(variant->flags & OCL_VARIANT_BUFFERS_ONLY));
  check_tunables (variant->tunables);
}

/* It ends, and all variants can be run with parameters of it. */
static void
check_warm_up (const OclOperationClass * klass)
{
  g_autofree gpointer params = ocl_operation_class_create_params (klass);

  g_assert_false (ocl_operation_class_is_neutral (klass, params));
  for (guint n = 0; klass->get_warm_up && klass->get_warm_up (n, params); n++) {
    g_assert_cmpuint (n, <, MAX_WARM_UPS);
    g_assert_false (ocl_operation_class_is_neutral (klass, params));
    for (const OclParam * param = klass->params; param && param->name; param++)
      check_round_trip (param, params, klass->params_size);
  }
}

/* What is chosen is a variant of the class that can serve. */
static void
check_choice (const Subject * plain)
{
  const OclOperationClass *klass = plain->klass;
  g_autoptr (GPtrArray) settings = make_settings (plain);

  for (guint i = 0; klass->choose && i < settings->len; i++) {
    for (guint j = 0; ocl_formats[j]; j++) {
      const OclVariant *variant = klass->choose (settings->pdata[i],
          ocl_formats[j], context->device);

      if (!variant)
        continue;
      g_assert_true (ocl_operation_class_find_variant (klass, variant->name)
          == variant);
      g_assert_true (!variant->can_serve
          || variant->can_serve (settings->pdata[i], ocl_formats[j]));
    }
  }
}

static void
test_tables (gconstpointer data)
{
  const OclOperationClass *klass = data;
  const OclVariant *plain = klass->variants[0];
  const Subject plain_subject = { klass, plain };

  assert_text (klass->name);
  g_assert_true (ocl_operation_class_find (klass->name) == klass);
  g_assert_cmpuint (klass->flags & OCL_OPERATION_FILTERS, !=, 0);
  g_assert_true ((klass->params != NULL) == (klass->params_size != 0));
  for (const OclParam * param = klass->params; param && param->name; param++)
    check_param (klass, param);

  g_assert_nonnull (plain);
  g_assert_null (plain->can_serve);
  g_assert_cmpuint (plain->flags & (OCL_VARIANT_APPROXIMATE
          | OCL_VARIANT_BUFFERS_ONLY), ==, 0);
  for (guint i = 0; klass->variants[i]; i++)
    check_variant (klass, klass->variants[i]);
  check_warm_up (klass);
  check_choice (&plain_subject);
  g_assert_nonnull (reference_find (klass->name));
}

static void
test_formats (void)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];

    assert_text (format->name);
    g_assert_true (ocl_format_find (format->name) == format);
    g_assert_cmpuint (format->n_planes, <=, OCL_MAX_PLANES);
    g_assert_true (!format->swapped || format->swapped->swapped == format);
  }
  g_assert_null (ocl_format_find ("x"));
  g_assert_null (ocl_operation_class_find ("x"));
}

static void
add_variant_tests (const Subject * subject)
{
  const gchar *operation = subject->klass->name;
  const gchar *variant = subject->variant->name;
  g_autofree gchar *parameters = g_strdup_printf (
      "/operations/%s/%s/parameters", operation, variant);
  g_autofree gchar *tunables = g_strdup_printf ("/operations/%s/%s/tunables",
      operation, variant);
  g_autofree gchar *changes = g_strdup_printf ("/operations/%s/%s/changes",
      operation, variant);

  g_test_add_data_func (parameters, subject, test_parameters);
  if (subject->variant->tunables)
    g_test_add_data_func (tunables, subject, test_tunables);
  g_test_add_data_func (changes, subject, test_changes);
}

/* Returns the subjects, which tests keep pointers to. */
static GPtrArray *
add_tests (void)
{
  GPtrArray *subjects = g_ptr_array_new_with_free_func (g_free);

  g_test_add_func ("/operations/formats", test_formats);
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    g_autofree gchar *tables = g_strdup_printf ("/operations/%s/tables",
        klass->name);

    g_test_add_data_func (tables, klass, test_tables);
    for (guint j = 0; klass->variants[j]; j++) {
      Subject *subject = g_new (Subject, 1);

      *subject = (Subject) { klass, klass->variants[j] };
      g_ptr_array_add (subjects, subject);
      add_variant_tests (subject);
    }
  }
  return subjects;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GPtrArray) subjects = add_tests ();

  context = open_context ();
  make_kinds ();
  int result = g_test_run ();
  g_array_unref (kinds);
  ocl_context_unref (context);
  return result;
}
