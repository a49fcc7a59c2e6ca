/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests which kernels the calling thread builds, which ones another thread
 * builds, and when. */

#include "opencl/operation/oclinstances.h"
#include "opencl/operation/oclplanner.h"
#include "harness.h"

#define N_FORMS 3
#define GENERAL_FORM 1          /* which has a special one */
#define SPECIAL_FORM 2

typedef struct
{
  guint form;
} Params;

static OclContext *context;

static GMutex mutex;            /* guards what follows */
static GCond changed;
static gboolean is_held;        /* nobody builds */
static guint held_form = N_FORMS;       /* nobody builds this one */
static guint n_begun;
static guint n_tries[N_FORMS];
static guint n_objects;

static guint
get_form (gconstpointer params, G_GNUC_UNUSED const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  forms[0] = ((const Params *) params)->form;
  return 1;
}

static guint
get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  guint n = 0;

  if (((const Params *) params)->form == GENERAL_FORM)
    forms[n++] = SPECIAL_FORM;
  return n + get_form (params, format, forms + n);
}

/* The state is the form. */
static gboolean
create (OclKernels * kernels, GError ** error)
{
  const guint form = kernels->build.form;

  (void) error;
  *(guint *) kernels->state = form;
  g_mutex_lock (&mutex);
  n_tries[form]++;
  n_begun++;
  g_cond_broadcast (&changed);
  while (is_held || held_form == form)
    g_cond_wait (&changed, &mutex);
  n_objects++;
  g_mutex_unlock (&mutex);
  return TRUE;
}

static void
end (gpointer state)
{
  (void) state;
  g_mutex_lock (&mutex);
  n_objects--;
  g_mutex_unlock (&mutex);
}

static gboolean
fail (OclKernels * kernels, GError ** error)
{
  create (kernels, error);
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_BUILD, "no compiler");
  return FALSE;
}

/* Only what it was built for. */
static gboolean
enqueue (OclKernels * kernels, const OclRun * run, GError ** error)
{
  (void) error;
  g_assert_cmpuint (((const Params *) run->params)->form, ==,
      *(const guint *) kernels->state);
  return TRUE;
}

static gboolean
fail_special (OclKernels * kernels, GError ** error)
{
  return kernels->build.form == SPECIAL_FORM ? fail (kernels, error)
      : create (kernels, error);
}

/* The special form serves what the general one does. */
static gboolean
enqueue_special (OclKernels * kernels, const OclRun * run, GError ** error)
{
  const guint form = ((const Params *) run->params)->form;

  if (*(const guint *) kernels->state != SPECIAL_FORM || form == SPECIAL_FORM)
    return enqueue (kernels, run, error);
  g_assert_cmpuint (form, ==, GENERAL_FORM);
  return TRUE;
}

/* What all variants have. */
#define VARIANT .state_size = sizeof (guint), .clear = end

static const OclVariant good = {
  .name = "good",.get_forms = get_form,.init = create,.enqueue = enqueue,
  VARIANT,
};

static const OclVariant bad = {
  .name = "bad",.get_forms = get_form,.init = fail,.enqueue = enqueue,
  VARIANT,
};

static const OclVariant special = {
  .name = "special",.get_forms = get_forms,.init = create,
  .enqueue = enqueue_special,
  VARIANT,
};

static const OclVariant bad_special = {
  .name = "bad-special",.get_forms = get_forms,.init = fail_special,
  .enqueue = enqueue_special,
  VARIANT,
};

static const OclVariant *const variants[] = { &good, &bad, &special,
  &bad_special, NULL
};

static gboolean
get_warm_up (guint n, gpointer params)
{
  ((Params *) params)->form = n;
  return n < N_FORMS;
}

static const OclParam params_table[] = { {NULL} };

static const OclOperationClass fake = {
  .name = "fake",.flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (Params),.params = params_table,
  .variants = variants,.get_warm_up = get_warm_up,
};

static gboolean
get_general_warm_up (guint n, gpointer params)
{
  return get_warm_up (n, params) && n < SPECIAL_FORM;
}

static const OclVariant special_for_all = {
  .name = "special",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU,
  .get_forms = get_forms,.init = create,.enqueue = enqueue_special,
  VARIANT,
};

static const OclVariant *const special_variants[] = { &good, &special_for_all,
  NULL
};

static const OclOperationClass special_class = {
  .name = "special",.flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (Params),.params = params_table,
  .variants = special_variants,.get_warm_up = get_general_warm_up,
};

static const OclFrame *
get_kind (void)
{
  static OclFrame kind;

  kind.format = OCL_FORMAT_RGBA;
  kind.storage = OCL_STORAGE_BUFFER;
  return &kind;
}

static OclBuild
get_build (guint form)
{
  const OclFrame *kind = get_kind ();
  OclPass passes[OCL_MAX_PASSES];

  ocl_passes_init (passes, kind->format, OCL_PLANES_ALL, FALSE);
  const OclBuild what = {.format = kind->format,.storage = kind->storage,
    .pass = passes[0],.form = form
  };
  return what;
}

static const OclInstance *
build (OclInstances * instances, const OclVariant * variant, guint form,
    gboolean needed, GError ** error)
{
  const Params params = { form };

  const OclBuild what = get_build (form);

  return ocl_instances_build (instances, variant, &what, get_kind (), &params,
      needed, error);
}

static void
build_later (OclInstances * instances, const OclVariant * variant, guint form)
{
  const Params params = { form };

  const OclBuild what = get_build (form);

  ocl_instances_build_later (instances, variant, &what, get_kind (), &params);
}

static const OclInstance *
find (OclInstances * instances, const OclVariant * variant, guint form)
{
  const OclBuild what = get_build (form);

  return ocl_instances_find (instances, variant, &what);
}

static OclInstances *
start (gboolean held)
{
  g_mutex_lock (&mutex);
  is_held = held;
  n_begun = 0;
  for (guint i = 0; i < N_FORMS; i++)
    n_tries[i] = 0;
  g_mutex_unlock (&mutex);
  return ocl_instances_new (&fake, context);
}

/* Waits until @n have been begun. */
static void
await_begun (guint n)
{
  g_mutex_lock (&mutex);
  while (n_begun < n)
    g_cond_wait (&changed, &mutex);
  g_mutex_unlock (&mutex);
}

static gpointer
let_go (gpointer data)
{
  g_usleep (GPOINTER_TO_UINT (data));
  g_mutex_lock (&mutex);
  is_held = FALSE;
  held_form = N_FORMS;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&mutex);
  return NULL;
}

static void
finish (OclInstances * instances)
{
  ocl_instances_free (instances);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* Each form is a program of its own, built once. */
static void
test_forms (void)
{
  OclInstances *instances = start (FALSE);

  g_assert_null (find (instances, &good, 0));
  for (guint i = 0; i < 2 * N_FORMS; i++) {
    const OclInstance *made = build (instances, &good, i % N_FORMS, FALSE,
        NULL);

    g_assert_cmpuint (*(guint *) made->kernels->state, ==, i % N_FORMS);
    g_assert_true (find (instances, &good, i % N_FORMS) == made);
    g_assert_cmpuint (n_tries[i % N_FORMS], ==, 1);
  }
  finish (instances);
}

/* What failed is tried again where it is needed. */
static void
test_failure (void)
{
  OclInstances *instances = start (FALSE);

  for (guint i = 0; i < 2; i++) {
    g_assert_null (build (instances, &bad, 0, FALSE, NULL)->kernels);
    g_assert_null (find (instances, &bad, 0)->kernels);
    g_assert_cmpuint (n_tries[0], ==, 1);
  }
  for (guint i = 2; i < 4; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (build (instances, &bad, 0, TRUE, &error)->kernels);
    g_assert_error (error, OCL_ERROR, OCL_ERROR_BUILD);
    g_assert_cmpuint (n_tries[0], ==, i);
  }
  finish (instances);
}

/* Nobody waits for what is built later; it is not there until it is built, and
 * not begun before the builder may start. */
static void
test_later (void)
{
  OclInstances *instances = start (TRUE);

  build_later (instances, &good, 0);
  build_later (instances, &bad, 1);
  build_later (instances, &good, 0);
  g_usleep (20000);
  g_assert_cmpuint (n_begun, ==, 0);
  ocl_instances_start_builder (instances);
  await_begun (1);
  g_assert_null (find (instances, &good, 0));
  let_go (NULL);
  while (!find (instances, &good, 0) || !find (instances, &bad, 1))
    g_usleep (1000);
  g_assert_nonnull (find (instances, &good, 0)->kernels);
  g_assert_null (find (instances, &bad, 1)->kernels);
  g_assert_cmpuint (n_tries[0], ==, 1);
  g_assert_cmpuint (n_tries[1], ==, 1);
  finish (instances);
}

/* Who needs what the other thread is at waits for it, and takes what the other
 * has not begun. */
static void
test_both (void)
{
  OclInstances *instances = start (TRUE);

  build_later (instances, &good, 0);
  build_later (instances, &good, 1);
  ocl_instances_start_builder (instances);
  await_begun (1);
  GThread *thread = g_thread_new (NULL, let_go, GUINT_TO_POINTER (50000));
  g_assert_nonnull (build (instances, &good, 0, FALSE, NULL)->kernels);
  g_assert_nonnull (build (instances, &good, 1, FALSE, NULL)->kernels);
  g_thread_join (thread);
  g_assert_cmpuint (n_tries[0], ==, 1);
  g_assert_cmpuint (n_tries[1], ==, 1);
  finish (instances);
}

/* What was built later makes another generation, what was waited for does
 * not. */
static void
test_generation (void)
{
  OclInstances *instances = start (FALSE);
  const guint first = ocl_instances_get_generation (instances);

  build (instances, &good, 0, FALSE, NULL);
  g_assert_cmpuint (ocl_instances_get_generation (instances), ==, first);
  build_later (instances, &good, 1);
  ocl_instances_start_builder (instances);
  while (ocl_instances_get_generation (instances) == first)
    g_usleep (1000);
  g_assert_nonnull (find (instances, &good, 1)->kernels);
  finish (instances);
}

static const OclFrame *
get_frame (void)
{
  static OclFrame frame;

  frame = *get_kind ();
  frame.width = 20;
  frame.height = 10;
  return &frame;
}

/* A planner of which @variant is forced, or, where that is NULL, the class with
 * the special form is all. */
static OclPlanner *
start_planner (gboolean held, const OclVariant * variant)
{
  OclInstances *instances = start (held);

  ocl_instances_free (instances);
  OclPlanner *planner = ocl_planner_new (variant ? &fake : &special_class,
      context);
  if (variant)
    ocl_planner_force (planner, variant, NULL);
  return planner;
}

static OclPlan *
plan (OclPlanner * planner, guint form)
{
  const Params params = { form };
  GError *error = NULL;

  OclPlan *found =
      ocl_planner_get_plan (planner, get_frame (), &params, &error);
  assert_ok (found != NULL, error);
  return found;
}

/* The form of the kernels that a plan has. */
static guint
get_planned_form (OclPlanner * planner, guint form)
{
  g_autoptr (OclPlan) found = plan (planner, form);

  return *(const guint *) found->steps[0].kernels->state;
}

/* The general form serves until the special one is there, which plans have from
 * then on. */
static void
test_special (void)
{
  const cl_device_type type = context->device->type;

  context->device->type = CL_DEVICE_TYPE_GPU;
  OclPlanner *planner = start_planner (FALSE, NULL);
  g_mutex_lock (&mutex);
  held_form = SPECIAL_FORM;
  g_mutex_unlock (&mutex);
  OclPlan *general = plan (planner, GENERAL_FORM);
  g_assert_cmpuint (n_begun, ==, 1);
  ocl_planner_start_builder (planner);
  /* The other thread is at the special form. */
  await_begun (2);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (get_planned_form (planner, GENERAL_FORM), ==,
        GENERAL_FORM);
  let_go (NULL);
  while (get_planned_form (planner, GENERAL_FORM) == GENERAL_FORM)
    g_usleep (1000);
  g_assert_cmpuint (get_planned_form (planner, GENERAL_FORM), ==, SPECIAL_FORM);
  /* Plans do not change. */
  g_assert_cmpuint (*(const guint *) general->steps[0].kernels->state, ==,
      GENERAL_FORM);
  g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 1);
  ocl_planner_free (planner);
  /* A plan keeps its kernels. */
  g_assert_cmpuint (n_objects, ==, 1);
  ocl_plan_unref (general);
  g_assert_cmpuint (n_objects, ==, 0);
  context->device->type = type;
}

/* CPUs build none while frames flow. */
static void
test_special_not_on_cpu (void)
{
  const cl_device_type type = context->device->type;

  context->device->type = CL_DEVICE_TYPE_CPU;
  OclPlanner *planner = start_planner (FALSE, NULL);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (get_planned_form (planner, GENERAL_FORM), ==,
        GENERAL_FORM);
  ocl_planner_free (planner);
  g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 0);
  context->device->type = type;
}

/* The special form is there at once for those who force a variant. */
static void
test_special_waits (void)
{
  OclPlanner *planner = start_planner (FALSE, &special);

  g_assert_cmpuint (get_planned_form (planner, GENERAL_FORM), ==, SPECIAL_FORM);
  g_assert_cmpuint (get_planned_form (planner, 0), ==, 0);
  ocl_planner_free (planner);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* Where the special form cannot be built, the general one goes on. */
static void
test_special_failure (void)
{
  OclPlanner *planner = start_planner (FALSE, &bad_special);

  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (get_planned_form (planner, GENERAL_FORM), ==,
        GENERAL_FORM);
    g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 1);
    g_assert_cmpuint (get_planned_form (planner, 0), ==, 0);
  }
  ocl_planner_free (planner);
}

/* Frames of ever other formats leave no more than some kernels; those that were
 * used last are not built again. */
static void
test_bounded (void)
{
  OclPlanner *planner = start_planner (FALSE, &good);
  guint n_formats = 0;

  while (ocl_formats[n_formats])
    n_formats++;
  for (guint i = 0; i < 3 * n_formats; i++) {
    const Params params = { i % N_FORMS };
    GError *error = NULL;
    OclFrame frame = *get_frame ();

    frame.format = ocl_formats[i / 3 * 7 % n_formats];
    g_autoptr (OclPlan) found =
        ocl_planner_get_plan (planner, &frame, &params, &error);
    assert_ok (found != NULL, error);
    /* Those of a plan, of four that are remembered, and 60 more. */
    g_assert_cmpuint (n_objects, <=, (1 + 4) * OCL_MAX_PASSES + 60);

    const guint n = n_begun;
    g_autoptr (OclPlan) again =
        ocl_planner_get_plan (planner, &frame, &params, &error);
    assert_ok (again != NULL, error);
    g_assert_cmpuint (n_begun, ==, n);
  }
  ocl_planner_free (planner);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* What was built and never used stays while frames have its format, which the
 * next parameters may need. */
static void
test_drop (void)
{
  OclInstances *instances = start (FALSE);
  const OclFormat *format = get_kind ()->format;
  OclKernels *used = build (instances, &good, 0, FALSE, NULL)->kernels;

  ocl_kernels_ref (used);
  build (instances, &good, 1, FALSE, NULL);
  build (instances, &good, 2, FALSE, NULL);
  ocl_instances_drop_unused (instances, format, 0);
  g_assert_cmpuint (n_objects, ==, 3);
  ocl_kernels_unref (used);
  ocl_instances_drop_unused (instances, format, 1);
  g_assert_nonnull (find (instances, &good, 0));
  ocl_instances_drop_unused (instances, format, 0);
  g_assert_null (find (instances, &good, 0));
  g_assert_cmpuint (n_objects, ==, 2);
  ocl_instances_drop_unused (instances, ocl_format_find ("I420"), 0);
  g_assert_cmpuint (n_objects, ==, 0);
  finish (instances);
}

/* Those that were used last stay. */
static void
test_drop_oldest (void)
{
  OclInstances *instances = start (FALSE);

  for (guint i = 0; i < N_FORMS; i++)
    build (instances, &good, i, FALSE, NULL);
  for (guint i = N_FORMS; i > 0; i--) {
    OclKernels *used = find (instances, &good, i - 1)->kernels;

    ocl_kernels_ref (used);
    ocl_instances_drop_unused (instances, NULL, N_FORMS);
    ocl_kernels_unref (used);
  }
  for (guint i = N_FORMS; i > 0; i--) {
    g_assert_cmpuint (n_objects, ==, i);
    g_assert_nonnull (find (instances, &good, i - 1));
    ocl_instances_drop_unused (instances, NULL, i - 1);
    g_assert_null (find (instances, &good, i - 1));
  }
  finish (instances);
}

/* What is being built is waited for, what has not been begun is not. */
static void
test_free (void)
{
  OclInstances *instances = start (TRUE);

  for (guint i = 0; i < N_FORMS; i++)
    build_later (instances, &good, i);
  ocl_instances_start_builder (instances);
  await_begun (1);
  GThread *thread = g_thread_new (NULL, let_go, GUINT_TO_POINTER (50000));
  finish (instances);
  g_thread_join (thread);
  g_assert_cmpuint (n_begun, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/instances/forms", test_forms);
  g_test_add_func ("/instances/failure", test_failure);
  g_test_add_func ("/instances/later", test_later);
  g_test_add_func ("/instances/both", test_both);
  g_test_add_func ("/instances/generation", test_generation);
  g_test_add_func ("/instances/special", test_special);
  g_test_add_func ("/instances/special-not-on-cpu", test_special_not_on_cpu);
  g_test_add_func ("/instances/special-waits", test_special_waits);
  g_test_add_func ("/instances/special-failure", test_special_failure);
  g_test_add_func ("/instances/bounded", test_bounded);
  g_test_add_func ("/instances/drop", test_drop);
  g_test_add_func ("/instances/drop-oldest", test_drop_oldest);
  g_test_add_func ("/instances/free", test_free);
  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
