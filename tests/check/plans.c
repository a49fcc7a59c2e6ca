/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames need is decided once for each kind of them and for parameters that
 * it depends on. The operation is made up: it counts what it is asked, and
 * computes nothing. */

#include <string.h>

#include "opencl/ocloperation.h"
#include "picture.h"

#define N_FRAMES 10

typedef struct
{
  gint window;                  /* decides */
  gint strength;                /* does not */
} Params;

static OclContext *context;
static guint n_asked;           /* of everything that decides */
static guint n_derived;
static guint n_enqueued;

static gboolean
can_serve (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, G_GNUC_UNUSED const OclPass * pass)
{
  n_asked++;
  return TRUE;
}

static guint
get_forms (gconstpointer params, G_GNUC_UNUSED const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
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
get_plan_key (gconstpointer params, gpointer key)
{
  ((Params *) key)->window = ((const Params *) params)->window;
}

static void
derive (gpointer derived, gconstpointer params, const OclPass * pass)
{
  n_derived++;
  *(gint *) derived = ((const Params *) params)->window
      + 100 * pass->first_channel;
}

static gpointer
create (G_GNUC_UNUSED OclContext * opencl, const OclBuild * build,
    G_GNUC_UNUSED GError ** error)
{
  return g_memdup2 (&build->form, sizeof (build->form));
}

/* Gets the program that was chosen, and what was derived for the pass. */
static gboolean
enqueue (gpointer object, const OclRun * run, G_GNUC_UNUSED GError ** error)
{
  const Params *params = run->params;

  g_assert_cmpint (*(const guint *) object, ==, params->window);
  g_assert_cmpint (*(const gint *) run->derived, ==,
      params->window + 100 * run->pass->first_channel);
  g_assert_cmpint (ocl_pass_get_height (run->pass, run->input), >, 0);
  n_enqueued++;
  return TRUE;
}

static const OclVariant plain = {
  .name = "plain",.new = create,.enqueue = enqueue,.free = g_free,
  .get_forms = get_forms,
};

static const OclVariant suitable = {
  .name = "suitable",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU,
  .can_serve = can_serve,.get_forms = get_forms,.new = create,
  .enqueue = enqueue,.free = g_free,
};

static const OclVariant *const variants[] = { &plain, &suitable, NULL };

static const OclParam params_table[] = { {NULL} };

static const OclOperationClass fake = {
  .name = "fake",.flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (Params),.params = params_table,
  .variants = variants,.get_passes = get_passes,.choose = choose,
  .get_plan_key = get_plan_key,.derived_size = sizeof (gint),.derive = derive,
};

/* Of I420, in buffers: luma, and both differences. */
static OclFrame
make_frame (gint height, gboolean interlaced)
{
  OclFrame like = {.format = ocl_format_find ("I420"),.width = 8,
    .height = height,.interlaced = interlaced
  };
  OclFrame frame = { 0, };
  GError *error = NULL;

  gboolean ok =
      ocl_frame_ensure (&frame, context, OCL_STORAGE_BUFFER, &like, &error);
  assert_ok (ok, error);
  return frame;
}

static OclPlan *
get_plan (OclOperation * operation, const OclFrame * frame,
    const Params * params)
{
  GError *error = NULL;
  OclPlan *plan = ocl_operation_get_plan (operation, frame, params, &error);

  assert_ok (plan != NULL, error);
  return plan;
}

static void
run_frame (OclOperation * operation, const OclFrame * frame,
    const Params * params)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_autoptr (OclPlan) plan = get_plan (operation, frame, params);
  const OclRun run = {.params = params,.input = frame,.output = frame,
    .timer = timer
  };
  GError *error = NULL;

  gboolean ok = ocl_operation_enqueue (operation, plan, &run, &error);
  assert_ok (ok, error);
}

/* Runs frames, the first of which has been run; nothing is asked. */
static void
check_steady (OclOperation * operation, const OclFrame * frame,
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

static void
test_steady (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  OclFrame frame = make_frame (6, FALSE);
  OclFrame interlaced = make_frame (6, TRUE);
  const Params params = { 1, 1 };

  run_frame (operation, &frame, &params);
  g_assert_cmpuint (n_asked, >, 0);
  check_steady (operation, &frame, &params, 2);
  /* A mixed stream has two kinds of frames. */
  run_frame (operation, &interlaced, &params);
  check_steady (operation, &interlaced, &params, 4);
  check_steady (operation, &frame, &params, 2);
  ocl_frame_clear (&frame);
  ocl_frame_clear (&interlaced);
}

/* The second picture of a frame of one row has none, of two rows no chroma. */
static void
test_few_rows (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  const Params params = { 1, 1 };
  const guint enqueued[] = { 2, 3, 4 };

  for (gint height = 1; height <= 3; height++) {
    OclFrame frame = make_frame (height, TRUE);

    run_frame (operation, &frame, &params);
    check_steady (operation, &frame, &params, enqueued[height - 1]);
    ocl_frame_clear (&frame);
  }
}

/* Only what the key has makes another plan; one that was used lately is there
 * still. */
static void
test_key (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  OclFrame frame = make_frame (6, FALSE);
  const Params params = { 1, 1 }, stronger = { 1, 2 }, wider = { 2, 1 };
  g_autoptr (OclPlan) plan = get_plan (operation, &frame, &params);
  g_autoptr (OclPlan) same = get_plan (operation, &frame, &stronger);

  g_assert_true (same == plan);
  n_asked = 0;
  n_derived = 0;
  g_autoptr (OclPlan) other = get_plan (operation, &frame, &wider);
  g_assert_true (other != plan);
  g_assert_cmpuint (n_asked, >, 0);
  /* A plan of two passes, each warmed up with what was asked for. */
  g_assert_cmpuint (n_derived, >=, 2);
  g_assert_cmpuint (n_derived, <=, 4);
  check_steady (operation, &frame, &wider, 2);
  check_steady (operation, &frame, &stronger, 2);
  g_autoptr (OclPlan) again = get_plan (operation, &frame, &params);
  g_assert_true (again == plan);
  ocl_frame_clear (&frame);
}

/* Whatever differs about frames makes another plan. */
static void
test_kinds (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  const OclFrame kind = {.format = OCL_FORMAT_RGBA,.width = 8,.height = 6,
    .storage = OCL_STORAGE_BUFFER
  };
  const Params params = { 1, 1 };
  OclFrame kinds[] = { kind, kind, kind, kind, kind };
  g_autoptr (OclPlan) plan = get_plan (operation, &kind, &params);

  kinds[0].format = ocl_format_find ("GRAY8");
  kinds[1].storage = OCL_STORAGE_IMAGE;
  kinds[2].width = 9;
  kinds[3].height = 7;
  kinds[4].interlaced = TRUE;
  g_assert_true (ocl_plan_is_for (plan, &kind));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (OclPlan) other = get_plan (operation, &kinds[i], &params);

    g_assert_true (other != plan);
    g_assert_false (ocl_plan_is_for (plan, &kinds[i]));
    g_assert_true (ocl_plan_is_for (other, &kinds[i]));
  }
}

/* The bytes of an interlaced image are copied, and their order counts then. */
static void
test_order_of_bytes (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  OclFrame kind = {.format = OCL_FORMAT_RGBA,.width = 8,.height = 6,
    .storage = OCL_STORAGE_IMAGE
  };
  const Params params = { 1, 1 };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclPlan) plan = get_plan (operation, &kind, &params);

    g_assert_cmpint (plan->copied, ==, kind.interlaced);
    g_assert_cmpint (ocl_plan_takes (plan, TRUE), ==, !kind.interlaced);
    kind.bytes_swapped = TRUE;
    g_autoptr (OclPlan) swapped = get_plan (operation, &kind, &params);
    g_assert_true (swapped != plan);
    g_assert_true (ocl_plan_takes (swapped, TRUE));
    kind.bytes_swapped = FALSE;
    kind.interlaced = TRUE;
  }
}

/* A plan that is in use stays, however many come after it. */
static void
test_many (void)
{
  g_autoptr (OclOperation) operation = ocl_operation_new (&fake, context);
  OclFrame frame = make_frame (6, FALSE);
  const Params first = { 1, 1 };
  g_autoptr (OclPlan) plan = get_plan (operation, &frame, &first);

  for (gint i = 2; i < 20; i++) {
    const Params params = { i, 1 };

    run_frame (operation, &frame, &params);
  }
  g_assert_cmpint (*(const gint *) plan->steps[0].derived, ==, 1);
  g_assert_cmpint (*(const guint *) plan->steps[1].object, ==, 1);
  ocl_frame_clear (&frame);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plans/steady", test_steady);
  g_test_add_func ("/plans/few-rows", test_few_rows);
  g_test_add_func ("/plans/key", test_key);
  g_test_add_func ("/plans/kinds", test_kinds);
  g_test_add_func ("/plans/order-of-bytes", test_order_of_bytes);
  g_test_add_func ("/plans/many", test_many);
  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
