/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests all operations on a device. The test knows no operation by name.
 *
 * Each variant runs with the defaults, and with each parameter at its limits
 * and at each of its values. Its output is compared with the plain variant and
 * with the float64 reference. It must be equal to the byte in every format and
 * storage, with every tuning, and after any other runs.
 *
 * The environment variable GLOPENCL_TEST_STORAGE=buffer leaves out images and
 * larger frames, for tools that interpret kernels on buffers only. */

#include <string.h>

#include "exhaustive.h"
#include "opencl/ocloperations.h"
#include "operationrun.h"
#include "paramnumbers.h"
#include "testrandom.h"

/* Pixels beyond a pixel, at most: windows grow with the square. */
#define MAX_REACH 12

#define N_RANDOM_TUNINGS 1
#define N_FRESH 6

static OclContext *context;
static GArray *kinds;           /* OclFrame, without memory; [0] is a buffer */

static const gint sizes[][2] = { {1, 1}, {5, 3}, {17, 9}, {37, 21} };

/* Frames of this size, or of the largest that is tried, are tried in every kind;
 * formats.c tries larger images. */
#define SIZE_OF_KINDS 2

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
  /* The others are those of formats.c. */
  static const gchar *const names[] = { "RGBA", "BGRA" };

  kinds = g_array_new (FALSE, FALSE, sizeof (OclFrame));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i]);

    add_kind (format, OCL_STORAGE_BUFFER, FALSE);
    add_kind (format, OCL_STORAGE_IMAGE, FALSE);
    add_kind (format, OCL_STORAGE_IMAGE, TRUE);
  }
}

static const OclFrame *
get_kind (guint i)
{
  return &g_array_index (kinds, OclFrame, i);
}

/* A CPU's driver takes seconds to build a kernel for GPUs: it gets those of
 * RGBA. Unless all is to be tried, swapped bytes are left out, and images
 * of kernels that take seconds. */
static guint
count_kinds (const Subject * subject)
{
  const gboolean slow = subject->variant->flags & OCL_VARIANT_FOR_GPU
      && context->device->type & CL_DEVICE_TYPE_CPU;

  if (!is_exhaustive ())
    return slow ? 1 : 2;
  return slow ? MIN (kinds->len, 3) : kinds->len;
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

static gboolean
is_usable (const Subject * subject, gconstpointer params)
{
  return !ocl_operation_class_is_neutral (subject->klass, params)
      && serves_all_passes (subject->klass, subject->variant, params,
      OCL_FORMAT_RGBA);
}

/* The defaults, or the first parameters of the warm-up that the variant can
 * serve: it needs some. NULL where it serves no RGBA. */
static gpointer
create_base (const Subject * subject)
{
  g_autofree gpointer params =
      ocl_operation_class_create_params (subject->klass);

  for (guint n = 0; !is_usable (subject, params); n++) {
    if (!ocl_operation_class_get_warm_up (subject->klass, n, params))
      return NULL;
  }
  return g_steal_pointer (&params);
}

static gboolean
serves_rgba (const Subject * subject)
{
  g_autofree gpointer params = create_base (subject);

  return params != NULL || subject->klass->params_size == 0;
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

/* Against the plain variant and the reference. */
static void
check_accuracy (const Subject * subject, const Outcome * outcome,
    OclOperation * plain, gpointer params, const Picture * source)
{
  const Subject plain_subject = { subject->klass,
    subject->klass->variants[0]
  };
  g_autofree gchar *what = subject_describe (subject, get_kind (0), params,
      source);
  Outcome expected;

  subject_run (&plain_subject, plain, get_kind (0), params, source, &expected);
  assert_near_plain (subject, outcome, &expected, what);
  assert_near_reference (subject, outcome, params, source, what);
  outcome_clear (&expected);
}

/* Parameters on a frame of that size: as they should be, and the same in each of
 * the first @n_kinds kinds of frame. FALSE where the device cannot run the
 * variant. */
static gboolean
check_parameters (const Subject * subject, OclOperation * operation,
    OclOperation * plain, gpointer params, const gint size[2], guint n_kinds)
{
  Outcome first;
  Picture source;
  gboolean ok;

  picture_init (&source, size[0], size[1]);
  picture_fill (&source, size[0]);
  ok = subject_run (subject, operation, get_kind (0), params, &source, &first);
  /* Tools look at accesses; they run nothing twice. */
  if (ok && !is_left_out (OCL_STORAGE_IMAGE))
    check_accuracy (subject, &first, plain, params, &source);
  for (guint i = 1; ok && i < n_kinds; i++) {
    g_autofree gchar *what = subject_describe (subject, get_kind (i), params,
        &source);
    Outcome outcome;

    g_assert_true (subject_run (subject, operation, get_kind (i), params,
            &source, &outcome));
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
  g_autoptr (OclOperation) operation = subject_create_operation (subject,
      context, NULL);
  g_autoptr (OclOperation) plain = subject_create_operation (&plain_subject,
      context, NULL);
  const guint size_of_kinds = MIN (SIZE_OF_KINDS, count_sizes () - 1);

  for (guint i = 0; i < settings->len; i++) {
    for (guint size = 0; size < count_sizes (); size++) {
      if (!check_parameters (subject, operation, plain, settings->pdata[i],
              sizes[size], size == size_of_kinds ? count_kinds (subject) : 1)) {
        g_test_skip ("the device cannot run it");
        return;
      }
    }
  }
}

/* Tunings: all of one value, the least and the largest of all, and some at
 * random. A build takes seconds. */

#define N_EXTREME_TUNINGS 2

static guint
count_values (const OclTunable * tunable)
{
  guint n = 0;

  while (tunable->values[n])
    n++;
  return n;
}

static void
add_extreme_tunings (GArray * tunings, const OclTunable * tunables,
    guint n_random)
{
  g_autoptr (GRand) random = test_random_new (3);

  for (guint i = 0; i < N_EXTREME_TUNINGS + n_random; i++) {
    OclTuning tuning = { {0,}
    };

    for (guint j = 0; tunables[j].macro; j++) {
      gint n = count_values (&tunables[j]);

      tuning.values[j] = tunables[j].values[i == 0 ? 0 : i == 1 ? n - 1
          : g_rand_int_range (random, 0, n)];
    }
    g_array_append_val (tunings, tuning);
  }
}

/* The extreme ones come first. Others are for buffers. */
static GArray *
make_tunings (const OclTunable * tunables, OclStorage storage)
{
  GArray *tunings = g_array_new (FALSE, FALSE, sizeof (OclTuning));

  add_extreme_tunings (tunings, tunables,
      storage == OCL_STORAGE_BUFFER ? N_RANDOM_TUNINGS : 0);
  return tunings;
}

static guint
get_form (const Subject * subject, gconstpointer params)
{
  guint forms[OCL_MAX_FORMS];
  const guint n = ocl_variant_get_forms (subject->variant, params,
      OCL_FORMAT_RGBA, forms);

  return forms[n - 1];
}

/* Puts those first that need the same program as the first, and returns how
 * many they are. */
static guint
sort_by_form (const Subject * subject, GPtrArray * settings)
{
  guint n = 0;

  for (guint i = 0; i < settings->len; i++) {
    if (get_form (subject, settings->pdata[i])
        != get_form (subject, settings->pdata[0]))
      continue;
    gpointer params = settings->pdata[n];
    settings->pdata[n++] = settings->pdata[i];
    settings->pdata[i] = params;
  }
  return n;
}

/* The first @n settings, one after the other; FALSE where the device cannot run
 * it. */
static gboolean
run_settings (const Subject * subject, const OclTuning * tuning,
    const OclFrame * kind, GPtrArray * settings, guint n,
    const Picture * source, Outcome * outcomes)
{
  g_autoptr (OclOperation) operation = subject_create_operation (subject,
      context, tuning);

  for (guint i = 0; i < n; i++) {
    if (!subject_run (subject, operation, kind, settings->pdata[i], source,
            &outcomes[i])) {
      g_assert_cmpuint (i, ==, 0);
      return FALSE;
    }
  }
  return TRUE;
}

static void
check_tuning (const Subject * subject, const OclTuning * tuning,
    const OclFrame * kind, GPtrArray * settings, guint n,
    const Picture * source, const Outcome * expected)
{
  const OclTunable *tunables = subject->variant->tunables;
  g_autofree gchar *options = ocl_tuning_get_options (tuning, tunables);
  g_autofree Outcome *outcomes = g_new0 (Outcome, n);

  if (!run_settings (subject, tuning, kind, settings, n, source, outcomes)) {
    g_test_message ("not with%s", options);
    return;
  }
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *what = subject_describe (subject, kind,
        settings->pdata[i], source);
    g_autofree gchar *with = g_strconcat (what, " with", options, NULL);

    /* Sums in another order may fall on the other side of a tie. */
    if (!is_same (subject, &outcomes[i], &expected[i]))
      assert_near_reference (subject, &outcomes[i], settings->pdata[i], source,
          with);
    outcome_clear (&outcomes[i]);
  }
}

/* All settings with the extreme tunings, in buffers; else those of one
 * program. */
static void
check_tunings (const Subject * subject, const OclFrame * kind,
    GPtrArray * settings)
{
  const gboolean in_buffers = kind->storage == OCL_STORAGE_BUFFER;
  const guint n_alike = sort_by_form (subject, settings);
  const guint n = in_buffers ? settings->len : n_alike;
  const gint *size = sizes[count_sizes () - 1];
  g_autoptr (GArray) tunings = make_tunings (subject->variant->tunables,
      kind->storage);
  g_autofree Outcome *expected = g_new0 (Outcome, n);
  Picture source;

  picture_init (&source, size[0], size[1]);
  picture_fill (&source, 5);
  if (run_settings (subject, NULL, kind, settings, n, &source, expected)) {
    for (guint i = 0; i < tunings->len; i++)
      check_tuning (subject, &g_array_index (tunings, OclTuning, i), kind,
          settings, i < N_EXTREME_TUNINGS ? n : n_alike, &source, expected);
    for (guint i = 0; i < n; i++)
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

/* What a new object gives. */
static void
check_fresh (const Subject * subject, const OclFrame * kind, gpointer params,
    const Picture * source, const Outcome * outcome)
{
  g_autofree gchar *what = subject_describe (subject, kind, params, source);
  g_autoptr (OclOperation) fresh = subject_create_operation (subject, context,
      NULL);
  Outcome expected;

  g_assert_true (subject_run (subject, fresh, kind, params, source, &expected));
  assert_same (subject, outcome, &expected, what);
  outcome_clear (&expected);
}

/* Frames of other sizes, kinds and parameters leave nothing behind: what comes
 * after them is what comes first of a new object. */
static void
test_changes (gconstpointer data)
{
  const Subject *subject = data;
  g_autoptr (GPtrArray) settings = make_settings (subject);
  g_autoptr (OclOperation) operation = subject_create_operation (subject,
      context, NULL);
  const guint distance = MAX (1, settings->len / N_FRESH);

  for (guint i = 0; i < MAX (settings->len, N_FRESH); i++) {
    gpointer params = settings->pdata[i % settings->len];
    const gint *size = sizes[(i * 3 + 1) % count_sizes ()];
    const OclFrame *kind = get_kind (i % count_kinds (subject));
    Outcome outcome;
    Picture source;

    picture_init (&source, size[0], size[1]);
    picture_fill (&source, i);
    gboolean ok = subject_run (subject, operation, kind, params, &source,
        &outcome);
    if (ok && i % distance == 0)
      check_fresh (subject, kind, params, &source, &outcome);
    picture_clear (&source);
    if (!ok) {
      g_test_skip ("the device cannot run it");
      return;
    }
    outcome_clear (&outcome);
  }
}

static void
check_choice (const OclOperationClass * klass, gconstpointer params,
    const OclFormat * format)
{
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes =
      ocl_operation_class_get_passes (klass, params, format, passes);

  for (guint i = 0; i < n_passes; i++) {
    const OclVariant *variant = klass->choose (params, format, &passes[i],
        context->device);

    if (!variant)
      continue;
    g_assert_true (ocl_operation_class_find_variant (klass, variant->name)
        == variant);
    g_assert_true (!variant->can_serve
        || variant->can_serve (params, format, &passes[i]));
  }
}

/* What is chosen is a variant of the class that can serve. */
static void
test_choice (gconstpointer data)
{
  const OclOperationClass *klass = data;
  const Subject plain = { klass, klass->variants[0] };
  g_autoptr (GPtrArray) settings = make_settings (&plain);

  for (guint i = 0; i < settings->len; i++) {
    for (guint j = 0; ocl_formats[j]; j++)
      check_choice (klass, settings->pdata[i], ocl_formats[j]);
  }
}

/* Tools that interpret kernels take minutes for frames after frames and for
 * large windows. 'denoise' and 'bilateral-fast' have small cases for them. */
static gboolean
takes_long_in_tools (const Subject * subject)
{
  const gboolean is_for_gpu = subject->variant->flags & OCL_VARIANT_FOR_GPU;

  return is_for_gpu ? subject->variant->flags & OCL_VARIANT_APPROXIMATE
      : subject->klass->get_neighbours != NULL;
}

/* What changes and tunings do to a kernel, parameters and sizes do, too: tools
 * need not run these. Tunings take as many programs as all else, and are left out
 * unless all is to be tried. */
static void
add_variant_tests (const Subject * subject)
{
  const gboolean in_tool = is_left_out (OCL_STORAGE_IMAGE);
  const gchar *operation = subject->klass->name;
  const gchar *variant = subject->variant->name;
  g_autofree gchar *parameters =
      g_strdup_printf ("/operations/%s/%s/parameters", operation, variant);
  g_autofree gchar *tunables = g_strdup_printf ("/operations/%s/%s/tunables",
      operation, variant);
  g_autofree gchar *changes = g_strdup_printf ("/operations/%s/%s/changes",
      operation, variant);

  if (!in_tool || !takes_long_in_tools (subject))
    g_test_add_data_func (parameters, subject, test_parameters);
  if (subject->variant->tunables && is_exhaustive () && !in_tool)
    g_test_add_data_func (tunables, subject, test_tunables);
  if (!in_tool)
    g_test_add_data_func (changes, subject, test_changes);
}

/* Returns the subjects, which tests keep pointers to. */
static GPtrArray *
add_tests (void)
{
  GPtrArray *subjects = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    g_autofree gchar *choice = g_strdup_printf ("/operations/%s/choice",
        klass->name);

    if (klass->choose)
      g_test_add_data_func (choice, klass, test_choice);
    for (guint j = 0; klass->variants[j]; j++) {
      Subject *subject = g_new (Subject, 1);

      subject->klass = klass;
      subject->variant = klass->variants[j];
      g_ptr_array_add (subjects, subject);
      if (serves_rgba (subject))
        add_variant_tests (subject);
    }
  }
  return subjects;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  GPtrArray *subjects = add_tests ();

  context = open_context ();
  make_kinds ();
  int result = g_test_run ();
  g_array_unref (kinds);
  g_ptr_array_unref (subjects);
  ocl_context_unref (context);
  return result;
}
