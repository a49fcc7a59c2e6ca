/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that the graph is decided once for each kind of frames and for each set of
 * the parameters on which it depends. The operation is made up: it counts
 * the calls of its functions and computes nothing. */

#include <string.h>

#include "opencl/graph/oclfilter.h"
#include "opencl/ocloperations.h"
#include "testcase.h"

#define N_FRAMES 10

typedef struct
{
  gint window;                  /* decides */
  gint strength;                /* does not */
} Params;

TEST_CONTEXT ();
static guint n_asked;           /* of everything that decides */
static guint n_derived;
static guint n_enqueued;

static gboolean
supports (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  n_asked++;
  return TRUE;
}

static guint
get_forms (gconstpointer params, G_GNUC_UNUSED const OclFormat * format,
    guint forms[OCL_MAX_SPECIALIZATIONS])
{
  n_asked++;
  forms[0] = ((const Params *) params)->window;
  return 1;
}

static const OclVariant *
choose (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    G_GNUC_UNUSED const OclPass * pass, G_GNUC_UNUSED const OclDevice * device)
{
  n_asked++;
  return NULL;
}

static guint
get_passes (G_GNUC_UNUSED gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  n_asked++;
  return ocl_passes_init (passes, format, OCL_PLANES_ALL, FALSE);
}

static void
derive (gpointer derived, gconstpointer params, const OclPass * pass)
{
  n_derived++;
  *(gint *) derived = ((const Params *) params)->window
      + 100 * pass->first_channel;
}

/* Gets the chosen program, and the parameters derived for the pass. */
static gboolean
enqueue (OclKernels * kernels, const OclRun * run,
    G_GNUC_UNUSED GError ** error)
{
  const Params *params = run->params;

  g_assert_cmpint (kernels->build.specialization, ==, params->window);
  g_assert_cmpint (*(const gint *) run->derived, ==,
      params->window + 100 * run->pass->first_channel);
  g_assert_cmpint (ocl_pass_get_height (run->pass, &run->input->info), >, 0);
  n_enqueued++;
  return TRUE;
}

static const OclVariant plain = {
  .name = "plain",.get_specializations = get_forms,.enqueue = enqueue,
};

static const OclVariant suitable = {
  .name = "suitable",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU,
  .supports = supports,.get_specializations = get_forms,.enqueue = enqueue,
};

static const OclVariant *const variants[] = { &plain, &suitable, NULL };

static const OclParam params_table[] = {
  {"window", "Decides", OCL_PARAM_INT, G_STRUCT_OFFSET (Params, window),
      .maximum = 1000,.decides = TRUE},
  {"strength", "Does not", OCL_PARAM_INT, G_STRUCT_OFFSET (Params, strength),
      .maximum = 1000},
  {NULL},
};

static const OclOperationClass fake = {
  .name = "fake",.flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (Params),.params = params_table,
  .variants = variants,.get_passes = get_passes,.choose = choose,
  .derived_size = sizeof (gint),.derive = derive,
};

/* Threads that build kernels for GPUs would cause more decisions than the cases
 * count. */
void
test_set_up (void)
{
  context->device->type = CL_DEVICE_TYPE_CPU;
}

/* Of I420, in buffers: luma, and both differences. */
static OclFrame
make_frame (gint height, gboolean interlaced)
{
  const OclFrameInfo info = {.format = ocl_format_find ("I420"),.width = 8,
    .height = height,.interlaced = interlaced
  };
  OclFrame frame = { 0, };

  ASSERT_OK (ocl_frame_ensure (&frame, context, &info, &error));
  return frame;
}

static OclGraph *
get_plan (OclFilter * operation, const OclFrameInfo * info,
    const Params * params)
{
  GError *error = NULL;
  OclGraph *plan = get_graph (operation, info, params, &error);

  assert_ok (plan != NULL, error);
  return plan;
}

static void
run_frame (OclFilter * operation, const OclFrame * frame, const Params * params)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_autoptr (OclGraph) plan = get_plan (operation, &frame->info, params);
  const OclRun run = {.params = params,.input = frame,.output = frame,
    .timer = timer
  };

  ASSERT_OK (enqueue_graph (operation, plan, &run, &error));
}

/* Runs frames, the first of which has been run, without new plans. */
static void
check_steady (OclFilter * operation, const OclFrame * frame,
    const Params * params, guint enqueued_each)
{
  n_asked = 0;
  n_derived = 0;
  n_enqueued = 0;
  for (guint i = 0; i < N_FRAMES; i++)
    run_frame (operation, frame, params);
  g_assert_cmpuint (n_asked, ==, 0);
  g_assert_cmpuint (n_derived, ==, 0);
  g_assert_cmpuint (n_enqueued, ==, N_FRAMES * enqueued_each);
}

TEST (test_steady)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  g_auto (OclFrame) frame = make_frame (6, FALSE);
  g_auto (OclFrame) interlaced = make_frame (6, TRUE);
  const Params params = { 1, 1 };

  run_frame (operation, &frame, &params);
  g_assert_cmpuint (n_asked, >, 0);
  check_steady (operation, &frame, &params, 2);
  /* A mixed stream has two kinds of frames. */
  run_frame (operation, &interlaced, &params);
  check_steady (operation, &interlaced, &params, 4);
  check_steady (operation, &frame, &params, 2);
}

/* The second picture of a frame of one row has none, of two rows no chroma. */
TEST (test_few_rows)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  const Params params = { 1, 1 };
  const guint enqueued[] = { 2, 3, 4 };

  for (gint height = 1; height <= 3; height++) {
    g_auto (OclFrame) frame = make_frame (height, TRUE);

    run_frame (operation, &frame, &params);
    check_steady (operation, &frame, &params, enqueued[height - 1]);
  }
}

/* Only the key determines the plan. A recently used plan is still cached. */
TEST (test_key)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  g_auto (OclFrame) frame = make_frame (6, FALSE);
  const Params params = { 1, 1 }, stronger = { 1, 2 }, wider = { 2, 1 };
  g_autoptr (OclGraph) plan = get_plan (operation, &frame.info, &params);
  g_autoptr (OclGraph) same = get_plan (operation, &frame.info, &stronger);

  g_assert_true (same == plan);
  n_asked = 0;
  n_derived = 0;
  g_autoptr (OclGraph) other = get_plan (operation, &frame.info, &wider);
  g_assert_true (other != plan);
  g_assert_cmpuint (n_asked, >, 0);
  /* A plan of two passes, each warmed up as requested. */
  g_assert_cmpuint (n_derived, >=, 2);
  g_assert_cmpuint (n_derived, <=, 4);
  check_steady (operation, &frame, &wider, 2);
  check_steady (operation, &frame, &stronger, 2);
  g_autoptr (OclGraph) again = get_plan (operation, &frame.info, &params);
  g_assert_true (again == plan);
}

/**
 * Change:
 * @name: a parameter
 * @value: its next value
 * @other: whether another graph is decided for it
 */
typedef struct
{
  const gchar *name;
  const gchar *value;
  gboolean other;
} Change;

/* Makes the changes of the parameters of an operation one after the other. */
static void
check_changes (const gchar * name, const Change * changes, guint n_changes)
{
  const OclOperationClass *klass = ocl_operations_find (name);
  g_autoptr (OclFilter) operation = create_forced (context, klass, NULL, NULL);
  const OclFrame kind = {.info = {.format = OCL_FORMAT_RGBA,.width =
          64,.height = 48,.storage = OCL_STORAGE_BUFFER}
  };
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  g_autoptr (OclGraph) plan = NULL;

  for (guint i = 0; i < n_changes + 1; i++) {
    GError *error = NULL;
    g_autoptr (OclGraph) next =
        get_graph (operation, &kind.info, params, &error);

    assert_ok (next != NULL, error);
    if (i > 0)
      g_assert_cmpint (next != plan, ==, changes[i - 1].other);
    ocl_graph_set (&plan, next);
    if (i < n_changes)
      g_assert_true (ocl_operation_class_parse (klass,
              ocl_params_find (klass->params, changes[i].name),
              changes[i].value, params));
  }
}

/* Parameters of a result that is needed make another graph where they decide
 * something for it, although they do not for the operation. */
TEST (test_needs)
{
  static const Change changes[] = {
    {"strength", "2", FALSE},
    {"motion", "false", TRUE},
    {"grain", "0.5", FALSE},
    {"noise", "5", FALSE},
  };

  check_changes ("denoise", changes, G_N_ELEMENTS (changes));
}

/* Whatever differs about frames makes another plan. */
TEST (test_kinds)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  const OclFrameInfo kind = {.format = OCL_FORMAT_RGBA,.width = 8,.height = 6,
    .storage = OCL_STORAGE_BUFFER
  };
  const Params params = { 1, 1 };
  OclFrameInfo kinds[] = { kind, kind, kind, kind, kind };
  g_autoptr (OclGraph) plan = get_plan (operation, &kind, &params);

  kinds[0].format = ocl_format_find ("GRAY8");
  kinds[1].storage = OCL_STORAGE_IMAGE;
  kinds[2].width = 9;
  kinds[3].height = 7;
  kinds[4].interlaced = TRUE;
  g_assert_true (ocl_graph_is_for (plan, &kind));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (OclGraph) other = get_plan (operation, &kinds[i], &params);

    g_assert_true (other != plan);
    g_assert_false (ocl_graph_is_for (plan, &kinds[i]));
    g_assert_true (ocl_graph_is_for (other, &kinds[i]));
  }
}

/* The bytes of an interlaced image are copied, and their order counts then. */
TEST (test_order_of_bytes)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  OclFrame kind = {.info = {.format = OCL_FORMAT_RGBA,.width = 8,.height =
          6,.storage = OCL_STORAGE_IMAGE}
  };
  const Params params = { 1, 1 };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclGraph) plan = get_plan (operation, &kind.info, &params);

    g_assert_cmpint (plan->copied, ==, kind.info.interlaced);
    g_assert_cmpint (ocl_graph_takes (plan, TRUE), ==, !kind.info.interlaced);
    kind.info.bytes_swapped = TRUE;
    g_autoptr (OclGraph) swapped = get_plan (operation, &kind.info, &params);
    g_assert_true (swapped != plan);
    g_assert_true (ocl_graph_takes (swapped, TRUE));
    kind.info.bytes_swapped = FALSE;
    kind.info.interlaced = TRUE;
  }
}

/* A plan that is in use stays, however many come after it. */
TEST (test_many)
{
  g_autoptr (OclFilter) operation = create_forced (context, &fake, NULL, NULL);
  g_auto (OclFrame) frame = make_frame (6, FALSE);
  const Params first = { 1, 1 };
  g_autoptr (OclGraph) plan = get_plan (operation, &frame.info, &first);

  for (gint i = 2; i < 20; i++) {
    const Params params = { i, 1 };

    run_frame (operation, &frame, &params);
  }
  g_assert_cmpint (*(const gint *) get_pass (plan, 0)->derived, ==, 1);
  g_assert_cmpuint (get_pass (plan, 1)->kernels->build.specialization, ==, 1);
}

/* Everything that an operation answers when it is asked about frames. */
static gchar *
describe_answers (const OclOperationClass * klass, gconstpointer params,
    const OclFormat * format)
{
  GString *text = g_string_new (format->name);
  OclPass passes[OCL_MAX_PASSES];
  const guint n_passes =
      ocl_operation_class_get_passes (klass, params, format, passes);

  for (guint i = 0; i < n_passes; i++) {
    g_autofree gchar *options = ocl_pass_get_options (&passes[i], format,
        format);

    g_string_append_printf (text, "; %s: %p", options, klass->choose
        ? klass->choose (params, format, &passes[i], context->device) : NULL);
    for (guint j = 0; klass->variants[j]; j++) {
      guint forms[OCL_MAX_SPECIALIZATIONS] = { 0, };
      const guint n_forms =
          ocl_variant_get_specializations (klass->variants[j], params,
          format, forms);

      g_string_append_printf (text, " %d %u %u %u",
          ocl_variant_supports (klass->variants[j], params, format,
              &passes[i]), n_forms, forms[0], forms[n_forms - 1]);
    }
  }
  return g_string_free (text, FALSE);
}

/* Parameters with other answers do not decide alike. */
static void
check_key (const OclOperationClass * klass, gconstpointer a, gconstpointer b)
{
  static const gchar *const formats[] = { "RGBA", "I420", "GRAY16_LE" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    const OclFormat *format = ocl_format_find (formats[i]);
    g_autofree gchar *answers_a = describe_answers (klass, a, format);
    g_autofree gchar *answers_b = describe_answers (klass, b, format);

    if (!g_str_equal (answers_a, answers_b)
        && ocl_operation_class_decide_alike (klass, a, b))
      g_error ("%s: one graph for %s and %s", klass->name, answers_a,
          answers_b);
  }
}

/* Values of @param that may make a difference, as texts. */
static gchar **
list_values (const OclParam * param)
{
  GStrvBuilder *texts = g_strv_builder_new ();
  const gdouble numbers[] = { param->minimum, param->maximum, 1, 3, 0.02, 12 };

  if (param->type == OCL_PARAM_ENUM || param->type == OCL_PARAM_FLAGS) {
    for (const OclValue * value = param->values->values; value->nick; value++)
      g_strv_builder_add (texts, value->nick);
  } else if (param->type == OCL_PARAM_MATRIX) {
    g_strv_builder_add (texts, "<<1,2,1>,<2,4,2>,<1,2,1>>");
    g_strv_builder_add (texts, "<<1,2,1>,<2,5,2>,<1,2,1>>");
    g_strv_builder_add (texts, "<<9e8>>");
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];

    g_strv_builder_add (texts, g_ascii_dtostr (text, sizeof (text),
            numbers[i]));
  }
  gchar **list = g_strv_builder_end (texts);
  g_strv_builder_unref (texts);
  return list;
}

/* @params with each value of each parameter, against @params. */
static void
check_keys_from (const OclOperationClass * klass, gconstpointer params)
{
  for (const OclParam * param = klass->params; param->name; param++) {
    g_auto (GStrv) values = list_values (param);

    for (guint i = 0; values[i]; i++) {
      g_autoptr (OclParams) changed =
          ocl_operation_class_copy_params (klass, params);

      if (ocl_operation_class_parse (klass, param, values[i], changed))
        check_key (klass, params, changed);
    }
  }
}

TEST (test_keys)
{
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

    if (!klass->params)
      continue;
    check_keys_from (klass, params);
    for (guint n = 0; ocl_operation_class_get_warm_up (klass, n, params); n++)
      check_keys_from (klass, params);
  }
}

/* Where no parameter is marked, each of them may decide. */
TEST (test_unmarked)
{
  static const OclParam unmarked[] = {
    {"window", "Is not marked", OCL_PARAM_INT,
        G_STRUCT_OFFSET (Params, window),.maximum = 1000},
    {NULL},
  };
  const Params params = { 3, 4 }, stronger = { 3, 5 }, wider = { 4, 4 };
  OclOperationClass klass = fake;

  g_assert_true (ocl_operation_class_decide_alike (&klass, &params, &stronger));
  g_assert_false (ocl_operation_class_decide_alike (&klass, &params, &wider));
  klass.params = unmarked;
  g_assert_true (ocl_operation_class_decide_alike (&klass, &params, &params));
  g_assert_false (ocl_operation_class_decide_alike (&klass, &params,
          &stronger));
}

/* Returns how many passes I420 takes with planes=@planes. @first becomes the
 * first channel of the first pass. */
static guint
count_passes (const OclOperationClass * klass, const gchar * planes,
    guint * first)
{
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  OclPass passes[OCL_MAX_PASSES];

  g_assert_true (ocl_operation_class_parse (klass,
          ocl_params_find (klass->params, "planes"), planes, params));
  const guint n = ocl_operation_class_get_passes (klass, params,
      ocl_format_find ("I420"), passes);
  *first = passes[0].first_channel;
  return n;
}

/* The planes that the parameter names, and no others, have a pass. */
TEST (test_planes)
{
  guint n_tested = 0, first;

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];

    if (!klass->params || !ocl_params_find (klass->params, "planes"))
      continue;
    g_assert_cmpuint (count_passes (klass, "luma", &first), ==, 1);
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (count_passes (klass, "chroma", &first), ==, 1);
    g_assert_cmpuint (first, ==, 1);
    g_assert_cmpuint (count_passes (klass, "luma+chroma", &first), ==, 2);
    n_tested++;
  }
  g_assert_cmpuint (n_tested, >=, 5);
}

/* A variant that is slow in images is used for frames in buffers, and for
 * frames in images if it is forced. */
TEST (test_storage)
{
  static const OclVariant blocks = {
    .name = "blocks",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU
        | OCL_VARIANT_SLOW_IN_IMAGES,
    .get_specializations = get_forms,.enqueue = enqueue,
  };
  static const OclVariant *const all[] = { &plain, &blocks, &suitable, NULL };
  static const struct
  {
    OclStorage storage;
    const OclVariant *forced;
    const OclVariant *expected;
  } cases[] = {
    {OCL_STORAGE_BUFFER, NULL, &blocks},
    {OCL_STORAGE_IMAGE, NULL, &suitable},
    {OCL_STORAGE_IMAGE, &blocks, &blocks},
  };
  const Params params = { 3, 4 };
  OclOperationClass klass = fake;

  klass.variants = all;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (OclFilter) operation =
        create_forced (context, &klass, NULL, NULL);
    const OclFrame kind = {.info = {.format = OCL_FORMAT_RGBA,.width =
            8,.height = 6,.storage = cases[i].storage}
    };

    if (cases[i].forced)
      ocl_filter_force (operation, 0, cases[i].forced, NULL);
    g_autoptr (OclGraph) plan = get_plan (operation, &kind.info, &params);
    g_assert_true (get_pass (plan, 0)->kernels->variant == cases[i].expected);
  }
}

/* A matrix is separated when it changes, and not with its bias. */
TEST (test_matrix)
{
  static const Change changes[] = {
    {"bias", "0.25", FALSE},
    {"border", "wrap", FALSE},
    {"matrix", "<<1,2,1>,<2,4,2>,<1,2,1>>", TRUE},
    {"divisor", "8", TRUE},
  };

  check_changes ("convolution", changes, G_N_ELEMENTS (changes));
}
