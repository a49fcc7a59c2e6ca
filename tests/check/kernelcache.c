/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests which kernels the calling thread builds, which ones another thread
 * builds, and when. */

#include <string.h>

#include "opencl/graph/oclfilter.h"
#include "testcase.h"

#define N_FORMS 70              /* more than are kept */
#define N_WARM 3                /* of the warm-up */
#define GENERAL_FORM 1          /* which has a special one */
#define SPECIAL_FORM 2

typedef struct
{
  guint form;
} Params;

TEST_CONTEXT ();

static GMutex mutex;            /* guards the following fields */
static GCond changed;
static gboolean is_held;        /* never built */
static guint held_form = N_FORMS;       /* not built by any caller */
static guint n_begun;
static guint n_tries[N_FORMS];
static guint n_objects;
static gint n_in_other_queue;   /* atomic: runs that frames do not wait for */

static guint
get_form (gconstpointer params, G_GNUC_UNUSED const OclFormat * format,
    guint forms[OCL_MAX_SPECIALIZATIONS])
{
  forms[0] = ((const Params *) params)->form;
  return 1;
}

static guint
get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_SPECIALIZATIONS])
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
  const guint form = kernels->build.specialization;

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

/* Only the parameters that it was built for. */
static gboolean
enqueue (OclKernels * kernels, const OclRun * run, GError ** error)
{
  (void) error;
  if (kernels->context->queue != context->queue)
    g_atomic_int_inc (&n_in_other_queue);
  g_assert_cmpuint (((const Params *) run->params)->form, ==,
      *(const guint *) kernels->state);
  return TRUE;
}

static gboolean
fail_special (OclKernels * kernels, GError ** error)
{
  return kernels->build.specialization == SPECIAL_FORM ? fail (kernels, error)
      : create (kernels, error);
}

/* The specialization accepts all parameters of the general program. */
static gboolean
enqueue_special (OclKernels * kernels, const OclRun * run, GError ** error)
{
  const guint form = ((const Params *) run->params)->form;

  if (*(const guint *) kernels->state != SPECIAL_FORM || form == SPECIAL_FORM)
    return enqueue (kernels, run, error);
  g_assert_cmpuint (form, ==, GENERAL_FORM);
  return TRUE;
}

/* Common fields of all variants. */
#define VARIANT .state_size = sizeof (guint), .clear = end

static const OclVariant good = {
  .name = "good",.get_specializations = get_form,.init = create,.enqueue =
      enqueue,
  VARIANT,
};

static const OclVariant bad = {
  .name = "bad",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU,
  .get_specializations = get_form,.init = fail,.enqueue = enqueue,
  VARIANT,
};

static const OclVariant special = {
  .name = "special",.get_specializations = get_forms,.init = create,
  .enqueue = enqueue_special,
  VARIANT,
};

static const OclVariant bad_special = {
  .name = "bad-special",.get_specializations = get_forms,.init = fail_special,
  .enqueue = enqueue_special,
  VARIANT,
};

static gboolean
get_warm_up (guint n, gpointer params)
{
  ((Params *) params)->form = n;
  return n < N_WARM;
}

static gboolean
get_no_warm_up (G_GNUC_UNUSED guint n, G_GNUC_UNUSED gpointer params)
{
  return FALSE;
}

static const OclParam params_table[] = { {NULL} };

/* An operation with up to four variants, the first of which, the plain one,
 * suits all devices. */
#define CLASS(warm_up, ...) \
  {.name = "fake",.flags = OCL_OPERATION_FILTERS, \
    .params_size = sizeof (Params),.params = params_table, \
    .variants = (const OclVariant *const[5]) {__VA_ARGS__}, \
    .get_warm_up = warm_up}

static const OclOperationClass fake =
CLASS (get_warm_up, &good, &bad, &special, &bad_special);

static gboolean
get_general_warm_up (guint n, gpointer params)
{
  return get_warm_up (n, params) && n < SPECIAL_FORM;
}

static const OclVariant special_for_all = {
  .name = "special",.flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU,
  .get_specializations = get_forms,.init = create,.enqueue = enqueue_special,
  VARIANT,
};

static const OclOperationClass special_class =
CLASS (get_general_warm_up, &good, &special_for_all);

/* Without a warm-up of others. */
static const OclOperationClass good_class = CLASS (get_no_warm_up, &good);

static OclFrameInfo
get_info (void)
{
  return (OclFrameInfo) {
  .format = OCL_FORMAT_RGBA,.width = 20,.height = 10};
}

/* Begins a test on a device of @type: builders of @held caches wait. */
static OclKernelCache *
start (cl_device_type type, gboolean held)
{
  context->device->type = type;
  g_mutex_lock (&mutex);
  is_held = held;
  held_form = N_FORMS;
  n_begun = 0;
  n_objects = 0;
  memset (n_tries, 0, sizeof (n_tries));
  g_mutex_unlock (&mutex);
  return ocl_kernel_cache_new (context);
}

static void
finish (OclKernelCache * cache)
{
  ocl_kernel_cache_free (cache);
  g_assert_cmpuint (n_objects, ==, 0);
}

static OclKernels *
get (OclKernelCache * cache, const OclOperationClass * klass,
    const OclVariant * forced, guint form, GError ** error)
{
  const Params params = { form };
  const OclPass pass = {.n_channels = 3 };
  const OclKernelRequest request = {.klass = klass,.forced = forced,
    .info = get_info (),.pass = &pass,.params = &params
  };
  gboolean is_stored = TRUE;
  OclKernels *kernels = ocl_kernel_cache_get (cache, &request, &is_stored,
      error);

  g_assert_true (!kernels || !is_stored);
  return kernels;
}

/* Requests kernels, and returns whether they are ready, or have failed. */
static gboolean
is_ready (OclKernelCache * cache, const OclOperationClass * klass, guint form)
{
  const Params params = { form };
  const OclPass pass = {.n_channels = 3 };
  const OclKernelRequest request = {.klass = klass,.info = get_info (),
    .pass = &pass,.params = &params
  };

  return ocl_kernel_cache_is_ready (cache, &request);
}

static void
await_begun (guint n)
{
  g_mutex_lock (&mutex);
  while (n_begun < n)
    g_cond_wait (&changed, &mutex);
  g_mutex_unlock (&mutex);
}

/* Lets builds go on, after as many microseconds as @data says. */
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

/* Each form is built once. */
TEST (test_forms)
{
  OclKernelCache *cache = start (CL_DEVICE_TYPE_CPU, FALSE);

  for (guint i = 0; i < 2 * N_WARM; i++) {
    OclKernels *kernels = get (cache, &fake, &good, i % N_WARM, NULL);

    g_assert_cmpuint (*(guint *) kernels->state, ==, i % N_WARM);
    g_assert_true (get (cache, &fake, &good, i % N_WARM, NULL) == kernels);
    g_assert_cmpuint (n_tries[i % N_WARM], ==, 1);
  }
  finish (cache);
}

/* A failed program is built again only if there is no other one. */
TEST (test_failure)
{
  static const cl_device_type types[] = {
    CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU
  };

  for (guint n = 0; n < G_N_ELEMENTS (types); n++) {
    OclKernelCache *cache = start (types[n], FALSE);

    for (guint i = 0; i < 2; i++) {
      g_assert_true (get (cache, &fake, NULL, 7, NULL)->variant == &good);
      g_assert_cmpuint (n_tries[7], ==, 2);
    }
    for (guint i = 3; i < 5; i++) {
      g_autoptr (GError) error = NULL;

      g_assert_null (get (cache, &fake, &bad, 7, &error));
      g_assert_error (error, OCL_ERROR, OCL_ERROR_BUILD);
      g_assert_cmpuint (n_tries[7], ==, i);
    }
    finish (cache);
  }
}

/* No caller waits for requested programs, and the builder does not begin before
 * it is started. */
TEST (test_later)
{
  OclKernelCache *cache = start (CL_DEVICE_TYPE_GPU, TRUE);

  g_assert_false (is_ready (cache, &good_class, 0));
  g_assert_false (is_ready (cache, &good_class, 1));
  g_assert_false (is_ready (cache, &good_class, 0));
  g_usleep (20000);
  g_assert_cmpuint (n_begun, ==, 0);
  ocl_kernel_cache_start_builders (cache);
  await_begun (1);
  g_assert_false (is_ready (cache, &good_class, 0));
  let_go (NULL);
  while (!is_ready (cache, &good_class, 0) || !is_ready (cache, &good_class, 1))
    g_usleep (1000);
  g_assert_nonnull (get (cache, &good_class, NULL, 0, NULL));
  g_assert_cmpuint (n_tries[0], ==, 1);
  g_assert_cmpuint (n_tries[1], ==, 1);
  finish (cache);
}

/* A caller waits for a program that the builder is building, and builds one
 * that it has not begun. */
TEST (test_both)
{
  OclKernelCache *cache = start (CL_DEVICE_TYPE_GPU, TRUE);

  is_ready (cache, &good_class, 0);
  is_ready (cache, &good_class, 1);
  ocl_kernel_cache_start_builders (cache);
  await_begun (1);
  GThread *thread = g_thread_new (NULL, let_go, GUINT_TO_POINTER (50000));
  g_assert_nonnull (get (cache, &good_class, NULL, 0, NULL));
  g_assert_nonnull (get (cache, &good_class, NULL, 1, NULL));
  g_thread_join (thread);
  g_assert_cmpuint (n_tries[0], ==, 1);
  g_assert_cmpuint (n_tries[1], ==, 1);
  finish (cache);
}

/* A program from the builder increments the generation, one from a caller does
 * not. */
TEST (test_generation)
{
  OclKernelCache *cache = start (CL_DEVICE_TYPE_GPU, FALSE);
  const guint first = ocl_kernel_cache_get_generation (cache);

  get (cache, &good_class, NULL, 0, NULL);
  g_assert_cmpuint (ocl_kernel_cache_get_generation (cache), ==, first);
  is_ready (cache, &good_class, 1);
  ocl_kernel_cache_start_builders (cache);
  while (ocl_kernel_cache_get_generation (cache) == first)
    g_usleep (1000);
  g_assert_true (is_ready (cache, &good_class, 1));
  finish (cache);
}

static OclFilter *
start_filter (cl_device_type type, const OclOperationClass * klass,
    const OclVariant * forced)
{
  ocl_kernel_cache_free (start (type, FALSE));
  return create_forced (context, klass, forced, NULL);
}

static OclGraph *
decide (OclFilter * filter, guint form)
{
  const Params params = { form };
  const OclFrameInfo info = get_info ();
  GError *error = NULL;
  OclGraph *graph = get_graph (filter, &info, &params, &error);

  assert_ok (graph != NULL, error);
  return graph;
}

/* Returns the form of the kernels of a graph. */
static guint
get_form_of (OclFilter * filter, guint form)
{
  g_autoptr (OclGraph) graph = decide (filter, form);

  return *(const guint *) get_pass (graph, 0)->kernels->state;
}

/* A quick filter uses kernels without optimization until a thread has built the
 * optimized ones, on each kind of device. Other filters never do. */
TEST (test_quick)
{
  static const cl_device_type types[] = {
    CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    OclFilter *filter = start_filter (types[i], &good_class, NULL);
    const Params other = { 1 };
    const OclOperationList list = OCL_SINGLE (&good_class, &other);
    const OclFrameInfo info = get_info ();

    g_atomic_int_set (&n_in_other_queue, 0);
    ocl_filter_set_quick (filter, TRUE);
    OclGraph *first = decide (filter, 0);
    g_assert_true (get_pass (first, 0)->kernels->build.quick);
    /* A thread builds the optimized kernels, perhaps also these, and on a CPU
     * creates them twice, because they are first run in another queue. */
    const guint n_created = i == 0 ? 2 : 1;
    const guint n_first = n_tries[0];
    g_assert_true (n_first == 1 || n_first == n_created);
    g_assert_false (ocl_filter_is_ready (filter, &info, &list));
    for (gboolean quick = TRUE; quick;) {
      g_autoptr (OclGraph) graph = decide (filter, 0);

      quick = get_pass (graph, 0)->kernels->build.quick;
      g_usleep (1000);
    }
    g_assert_cmpuint (n_tries[0], ==, n_first + n_created);
    g_assert_cmpint (g_atomic_int_get (&n_in_other_queue) > 0, ==, i == 0);
    g_assert_true (get_pass (first, 0)->kernels->context == context);
    /* The kernels for the other parameters are also quick at first. */
    while (!ocl_filter_is_ready (filter, &info, &list))
      g_usleep (1000);
    g_assert_cmpuint (n_tries[1], ==, n_created);
    g_autoptr (OclGraph) second = decide (filter, 1);
    g_assert_true (get_pass (second, 0)->kernels->build.quick);
    g_assert_cmpuint (n_tries[1], ==, n_created);
    g_clear_pointer (&second, ocl_graph_unref);
    ocl_filter_unref (filter);
    ocl_graph_unref (first);

    filter = start_filter (types[i], &good_class, NULL);
    OclGraph *graph = decide (filter, 0);
    g_assert_false (get_pass (graph, 0)->kernels->build.quick);
    ocl_filter_unref (filter);
    ocl_graph_unref (graph);
  }
}

/* Frames use the general form until the special one is ready, which graphs have
 * from then on. */
TEST (test_special)
{
  OclFilter *filter = start_filter (CL_DEVICE_TYPE_GPU, &special_class, NULL);
  const Params params = { GENERAL_FORM };

  g_mutex_lock (&mutex);
  held_form = SPECIAL_FORM;
  g_mutex_unlock (&mutex);
  OclGraph *general = decide (filter, GENERAL_FORM);
  g_assert_cmpuint (n_begun, ==, 1);
  const OclOperationList list = OCL_SINGLE (&special_class, &params);
  const OclFrameInfo info = get_info ();
  ocl_filter_is_ready (filter, &info, &list);
  /* The other thread builds the special form. */
  await_begun (2);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (get_form_of (filter, GENERAL_FORM), ==, GENERAL_FORM);
  let_go (NULL);
  while (get_form_of (filter, GENERAL_FORM) == GENERAL_FORM)
    g_usleep (1000);
  g_assert_cmpuint (get_form_of (filter, GENERAL_FORM), ==, SPECIAL_FORM);
  /* Graphs do not change. */
  g_assert_cmpuint (*(const guint *) get_pass (general, 0)->kernels->state, ==,
      GENERAL_FORM);
  g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 1);
  ocl_filter_unref (filter);
  /* A graph keeps its kernels. */
  g_assert_cmpuint (n_objects, ==, 1);
  ocl_graph_unref (general);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* CPUs build no special form while frames flow. */
TEST (test_special_not_on_cpu)
{
  OclFilter *filter = start_filter (CL_DEVICE_TYPE_CPU, &special_class, NULL);

  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (get_form_of (filter, GENERAL_FORM), ==, GENERAL_FORM);
  ocl_filter_unref (filter);
  g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 0);
}

/* A forced variant has its special form at once. */
TEST (test_special_waits)
{
  OclFilter *filter = start_filter (CL_DEVICE_TYPE_GPU, &fake, &special);

  g_assert_cmpuint (get_form_of (filter, GENERAL_FORM), ==, SPECIAL_FORM);
  g_assert_cmpuint (get_form_of (filter, 0), ==, 0);
  ocl_filter_unref (filter);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* Where the special form cannot be built, the general one is used. */
TEST (test_special_failure)
{
  OclFilter *filter = start_filter (CL_DEVICE_TYPE_GPU, &fake, &bad_special);

  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (get_form_of (filter, GENERAL_FORM), ==, GENERAL_FORM);
    g_assert_cmpuint (n_tries[SPECIAL_FORM], ==, 1);
    g_assert_cmpuint (get_form_of (filter, 0), ==, 0);
  }
  ocl_filter_unref (filter);
}

/* Frames of ever other formats leave no more than some kernels, and those that
 * were used last are not built again. */
TEST (test_bounded)
{
  OclFilter *filter = start_filter (CL_DEVICE_TYPE_CPU, &fake, &good);
  guint n_formats = 0;

  while (ocl_formats[n_formats])
    n_formats++;
  for (guint i = 0; i < 3 * n_formats; i++) {
    const Params params = { i % N_WARM };
    GError *error = NULL;
    OclFrameInfo info = get_info ();

    info.format = ocl_formats[i / 3 * 7 % n_formats];
    g_autoptr (OclGraph) graph = get_graph (filter, &info, &params, &error);
    assert_ok (graph != NULL, error);
    /* Those of a graph, of four that are remembered, and 60 more. */
    g_assert_cmpuint (n_objects, <=, (1 + 4) * OCL_MAX_PASSES + 60);

    const guint n = n_begun;
    g_autoptr (OclGraph) again = get_graph (filter, &info, &params, &error);
    assert_ok (again != NULL, error);
    g_assert_cmpuint (n_begun, ==, n);
  }
  ocl_filter_unref (filter);
  g_assert_cmpuint (n_objects, ==, 0);
}

/* Kernels that were built and never used stay while frames have their format,
 * which the next parameters may need. Of others, those that were used last
 * stay. */
TEST (test_drop)
{
  const OclFormat *other = ocl_format_find ("I420");
  OclKernelCache *cache = start (CL_DEVICE_TYPE_CPU, FALSE);

  for (guint i = 0; i < N_FORMS; i++)
    get (cache, &good_class, &good, i, NULL);
  ocl_kernel_cache_drop_unused (cache, OCL_FORMAT_RGBA);
  g_assert_cmpuint (n_objects, ==, N_FORMS);
  for (guint i = N_FORMS; i > 0; i--) {
    OclKernels *used = get (cache, &good_class, &good, i - 1, NULL);

    ocl_kernels_ref (used);
    ocl_kernel_cache_drop_unused (cache, OCL_FORMAT_RGBA);
    ocl_kernels_unref (used);
  }
  ocl_kernel_cache_drop_unused (cache, other);
  g_assert_cmpuint (n_objects, ==, 60);
  get (cache, &good_class, &good, 0, NULL);
  g_assert_cmpuint (n_tries[0], ==, 1);
  get (cache, &good_class, &good, N_FORMS - 1, NULL);
  g_assert_cmpuint (n_tries[N_FORMS - 1], ==, 2);
  finish (cache);
}

/* Kernels of a text are dropped when another one has taken its place, also if
 * no graph had them. */
TEST (test_drop_texts)
{
  OclOperationClass klass = good_class;
  OclKernelCache *cache = start (CL_DEVICE_TYPE_CPU, FALSE);

  klass.flags |= OCL_OPERATION_IS_TEXT;
  for (guint i = 0; i < N_FORMS; i++) {
    ocl_kernel_cache_drop_unused (cache, OCL_FORMAT_RGBA);
    get (cache, &klass, &good, i, NULL);
    g_assert_cmpuint (n_objects, <=, 2);
  }
  finish (cache);
}

/* Waits for builds in progress, of at most four threads, and drops the
 * others. */
TEST (test_free)
{
  OclKernelCache *cache = start (CL_DEVICE_TYPE_GPU, TRUE);

  for (guint i = 0; i < N_WARM + 4; i++)
    is_ready (cache, &good_class, i);
  ocl_kernel_cache_start_builders (cache);
  await_begun (1);
  GThread *thread = g_thread_new (NULL, let_go, GUINT_TO_POINTER (50000));
  finish (cache);
  g_thread_join (thread);
  g_assert_cmpuint (n_begun, <=, 4);
}
