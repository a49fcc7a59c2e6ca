/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that frames get equal bytes in buffers and in images, as all interop
 * backends promise. The test knows no operation by name.
 *
 * Devices of one type may use different variants in buffers and in images, and
 * each variant has several programs. All of them must give equal bytes: by
 * themselves, between two operations that exchange floats with them, and with a
 * user's function inside them. Parameters are the defaults, those of the
 * warm-up, and each parameter at its limits and at each of its values. */

#include <string.h>

#include "exhaustive.h"
#include "testcase.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/ocloperations.h"
#include "picture.h"

/* Windows may be larger than those of programs for one radius, and than half
 * of a frame. */
#define MAX_REACH 9

TEST_CONTEXT ();

/* The chains of a format, by the variant that they are forced to: a CPU's driver
 * takes seconds to build a kernel for GPUs. */
static GHashTable *chains;

/* The variants of get_general(), by the variants that they are made of. */
static GHashTable *generals;

/* Wider and higher than a tile, and than a block of rows. A smaller size that
 * still has two tiles is for windows that are slow without compiler
 * optimization. */
#define LARGE_REACH 5
static const gint sizes[2][2] = { {37, 21}, {131, 9} };
static const gint small_sizes[2][2] = { {21, 17}, {67, 5} };

/* Where an operation is: by itself, between operations with which it exchanges
 * floats, or with a user's function inside its kernels. */
typedef enum
{
  PLACE_ALONE,
  PLACE_BETWEEN,
  PLACE_FUSED,
  N_PLACES,
} Place;

static const gchar *const places[] = { "alone", "between", "fused" };

/* An operation on devices for which @suiting selects variants. */
typedef struct
{
  const OclOperationClass *klass;
  OclVariantFlags suiting;
  Place place;
} Case;

#define AROUND "gradient output=x planes=luma+chroma ! " \
    "gradient output=y planes=luma+chroma"
#define AFTER "gradient ! kernel 'source=#pragma glopencl planes each\n" \
    "Pixel filter (FRAME) { return plus (times (pixel (frame, 0, 0), 0.7f), " \
    "grey (falloff (info.x / info.width))); }'"

/* Returns the operations that run, with @params for the operation of the case.
 * The caller clears them. */
static OclOperationList
make_links (const Case * self, gconstpointer params)
{
  OclOperationList list = { 0, };

  ASSERT_OK (ocl_operation_list_parse (&list,
          self->place == PLACE_FUSED ? AFTER : AROUND, &error));
  if (self->place == PLACE_BETWEEN) {
    list.items[list.n++] = list.items[1];
  } else {
    ocl_params_free (list.items[0].params);
    if (self->place == PLACE_ALONE)
      ocl_params_free (list.items[--list.n].params);
  }
  OclOperation *operation = &list.items[self->place == PLACE_BETWEEN];
  operation->klass = self->klass;
  operation->params = ocl_operation_class_copy_params (self->klass, params);
  return list;
}

/* Returns the format of the frames of the operation. */
static const OclFormat *
get_format (const Case * self, const OclFormat * format)
{
  const OclFormat *wide = self->place == PLACE_BETWEEN
      ? ocl_format_get_wide (format) : NULL;

  return wide ? wide : format;
}

/* Returns the variant that devices of the type use for frames in @storage. */
static const OclVariant *
find_used (const Case * self, const OclFormat * format, const OclPass * pass,
    gconstpointer params, OclStorage storage)
{
  const OclOperationClass *klass = self->klass;
  OclDevice device = *context->device;
  const OclVariant *used = NULL;

  device.type = self->suiting == OCL_VARIANT_FOR_CPU ? CL_DEVICE_TYPE_CPU
      : CL_DEVICE_TYPE_GPU;
  if (klass->choose)
    used = klass->choose (params, format, pass, &device);
  for (guint i = 0; !used && klass->variants[i]; i++) {
    const OclVariant *variant = klass->variants[i];

    if (variant->flags & self->suiting
        && !(variant->flags & OCL_VARIANT_APPROXIMATE)
        && !(variant->flags & OCL_VARIANT_SLOW_IN_IMAGES
            && storage == OCL_STORAGE_IMAGE)
        && ocl_variant_supports (variant, params, format, pass))
      used = variant;
  }
  return used ? used : klass->variants[0];
}

static const OclVariant *whole;

static guint
get_last_form (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_SPECIALIZATIONS])
{
  const guint n =
      ocl_variant_get_specializations (whole, params, format, forms);

  forms[0] = forms[n - 1];
  return 1;
}

/* Returns @variant with its last form only, which is used until the others are
 * built. Its plans must be made before the next call. */
static const OclVariant *
get_general (const OclVariant * variant)
{
  OclVariant *general = g_hash_table_lookup (generals, variant);

  whole = variant;
  if (!general) {
    general = g_memdup2 (variant, sizeof (*variant));
    general->get_specializations = get_last_form;
    g_hash_table_insert (generals, (gpointer) variant, general);
  }
  return general;
}

/* Returns the chain that runs @list with @variant, and with plain variants
 * around it. */
static OclFilter *
get_chain (const Case * self, const OclVariant * variant,
    OclOperationList * list)
{
  OclFilter *chain = g_hash_table_lookup (chains, variant);

  if (!chain) {
    chain = ocl_filter_new (list, context);
    for (guint i = 0; i < list->n; i++)
      ocl_filter_force (chain, i, i == (self->place == PLACE_BETWEEN) ? variant
          : list->items[i].klass->variants[0], NULL);
    g_hash_table_insert (chains, (gpointer) variant, chain);
  }
  list->id = ocl_filter_get_id (chain);
  return chain;
}

/* Runs @variant on @input. The caller clears @output. Returns FALSE, and no
 * output, if the device cannot run it. */
static gboolean
run_variant (const Case * self, const OclVariant * variant,
    gconstpointer params, Picture * input, OclStorage storage, Picture * output)
{
  g_auto (OclOperationList) list = make_links (self, params);
  OclFilter *chain = get_chain (self, variant, &list);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_autoptr (GError) error = NULL;

  *output = picture_new_like (input);
  g_auto (OclFrame) in = picture_create_frame (input, context, storage);
  g_auto (OclFrame) out = picture_create_frame (output, context, storage);
  const OclRun run = {.input = &in,.output = &out,.timer = timer };
  g_autoptr (OclGraph) plan =
      ocl_filter_get_graph (chain, &in.info, &list, &error);
  const gboolean has_room = plan != NULL;

  if (has_room) {
    g_assert_cmpuint (count_active (plan), ==,
        self->place == PLACE_BETWEEN ? 3 : 1);
    ocl_filter_forget (chain);
    ASSERT_OK (ocl_filter_enqueue (chain, plan, &list, &run, &error)
        && ocl_timer_wait (timer, &error));
    picture_download (output, context, &out);
  } else {
    g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
    g_test_message ("left out: %s", error->message);
    picture_clear (output);
  }
  return has_room;
}

/* Compares the outcome of a variant with @expected, or sets @expected if it is
 * the first. */
static void
check_variant (const Case * self, const OclVariant * variant,
    const gchar * form, gconstpointer params, Picture * input,
    OclStorage storage, Picture * expected, GString * first)
{
  g_autofree gchar *values = describe_params (self->klass, params);
  g_autofree gchar *name = g_strdup_printf ("%s%s in %s", variant->name, form,
      ocl_storage_names[storage]);
  Picture output;

  if (!run_variant (self, variant, params, input, storage, &output))
    return;
  if (first->len == 0) {
    g_string_assign (first, name);
    *expected = output;
    return;
  }
  g_autofree gchar *what = g_strdup_printf ("%s %s against %s, %s, %s, %dx%d%s",
      self->klass->name, name, first->str, places[self->place],
      input->frame.info.format->name, input->frame.info.width,
      input->frame.info.height,
      values);
  picture_assert_equal (&output, expected, what);
  picture_clear (&output);
}

/* Compares all programs that frames of @format may use with @params. */
static void
check_params (const Case * self, const OclFormat * format,
    gconstpointer params, const gint size[2])
{
  const gboolean has_images = !is_left_out (OCL_STORAGE_IMAGE)
      && picture_has_images (context, format);
  const OclStorage storages[] = { OCL_STORAGE_BUFFER, OCL_STORAGE_IMAGE };
  g_autoptr (GString) first = g_string_new (NULL);
  g_auto (Picture) expected = { 0, };
  OclPass passes[OCL_MAX_PASSES];
  g_auto (Picture) input =
      picture_new_scene (format, size[0], size[1], size[0]);

  for (guint i = 0; i < (has_images ? 2 : 1); i++) {
    const OclStorage storage = storages[i];
    const OclFormat *memory = get_format (self, format);
    guint forms[OCL_MAX_SPECIALIZATIONS];

    g_assert_cmpuint (ocl_operation_class_get_passes (self->klass, params,
            memory, passes), ==, 1);
    const OclVariant *used = find_used (self, memory, &passes[0], params,
        storage);
    check_variant (self, used, "", params, &input, storage, &expected, first);
    if (ocl_variant_get_specializations (used, params, memory, forms) > 1)
      check_variant (self, get_general (used), " (general)", params, &input,
          storage, &expected, first);
  }
}

static gint
get_reach (const OclOperationClass * klass, gconstpointer params)
{
  return klass->get_reach ? klass->get_reach (params) : 0;
}

/* Takes the parameter towards that of @base until the window is small
 * enough. */
static void
limit_reach (const OclOperationClass * klass, const OclParam * param,
    gpointer params, gconstpointer base)
{
  const gint limit = MAX (MAX_REACH, get_reach (klass, base));
  const gdouble start = get_number (param, base);

  while (get_reach (klass, params) > limit)
    set_number (param, params, start + (get_number (param, params) - start)
        / 2.0);
}

/* Adds parameters, unless no frame is filtered with them, or not in one
 * pass. */
static void
add_setting (const Case * self, const OclFormat * format, GPtrArray * settings,
    gconstpointer params)
{
  OclPass passes[OCL_MAX_PASSES];

  if (!ocl_operation_class_is_neutral (self->klass, params)
      && ocl_operation_class_check (self->klass, params, format, NULL)
      && (self->place != PLACE_BETWEEN
          || ocl_operation_class_takes_wide (self->klass, params))
      && ocl_operation_class_get_passes (self->klass, params, format, passes)
      == 1)
    g_ptr_array_add (settings, ocl_operation_class_copy_params (self->klass,
            params));
}

/* Returns whether one format and few parameters are tried: a CPU's driver takes
 * minutes for the others. */
static gboolean
tries_few (void)
{
  return !is_exhaustive () && context->device->type & CL_DEVICE_TYPE_CPU;
}

/* Adds @base, and @base with each parameter changed, or only the border. */
static void
add_settings (const Case * self, const OclFormat * format, GPtrArray * settings,
    gconstpointer base, gboolean only_border)
{
  const OclOperationClass *klass = self->klass;

  add_setting (self, format, settings, base);
  for (const OclParam * param = klass->params; param && param->name; param++) {
    g_autoptr (GArray) numbers = get_numbers (param);

    for (guint i = 0; i < numbers->len; i++) {
      g_autoptr (OclParams) params =
          ocl_operation_class_copy_params (klass, base);

      if (only_border && !g_str_has_prefix (param->name, "border"))
        continue;
      set_number (param, params, g_array_index (numbers, gdouble, i));
      limit_reach (klass, param, params, base);
      add_setting (self, format, settings, params);
    }
  }
}

/* Returns the settings: the defaults with each parameter changed, and those of
 * the warm-up, each in the passes over luma and over chroma by itself. */
static GPtrArray *
make_settings (const Case * self, const OclFormat * format)
{
  const OclOperationClass *klass = self->klass;
  const OclParam *planes = ocl_params_find (klass->params, "planes");
  GPtrArray *settings = g_ptr_array_new_with_free_func (ocl_params_free);
  g_autoptr (OclParams) base = ocl_operation_class_create_params (klass);

  for (guint n = 0;; n++) {
    for (guint i = OCL_PLANES_LUMA; i <= OCL_PLANES_CHROMA; i++) {
      if (planes)
        set_number (planes, base, i);
      if (i == OCL_PLANES_LUMA || (planes && format->model == OCL_MODEL_YCBCR))
        add_settings (self, format, settings, base, n > 0 || tries_few ());
    }
    if (!ocl_operation_class_get_warm_up (klass, n, base))
      return settings;
  }
}

static void
test_format (const Case * self, const OclFormat * format)
{
  g_autoptr (GPtrArray) settings = make_settings (self, format);

  for (guint i = 0; i < settings->len; i++)
    check_params (self, format, settings->pdata[i],
        get_reach (self->klass, settings->pdata[i]) < LARGE_REACH
        ? sizes[i % 2] : small_sizes[i % 2]);
  g_hash_table_remove_all (chains);
}

/* PoCL 3.1 reads wrong levels from images of one half. */
static const gchar *const formats_of_cpus[N_PLACES][4] = {
  {"GRAY8", "I420", "RGBA"}, {"GRAY16_LE", "I420_10LE", "RGBA"},
  {"GRAY8", "RGBA"},
};

static const gchar *const formats_of_gpus[] = {
  "GRAY8", "GRAY16_LE", "I420", "NV12", "RGBA", "ARGB64", NULL
};

static void
test_storages (gconstpointer data)
{
  const Case *self = data;
  const gchar *const *names = context->device->type & CL_DEVICE_TYPE_CPU
      ? formats_of_cpus[self->place] : formats_of_gpus;

  for (guint i = 0; names[i] && !(i > 0 && tries_few ()); i++) {
    const OclFormat *format = ocl_format_find (names[i]);

    /* A setting for some planes is not fused to the text, which has all
     * planes. */
    if (self->place != PLACE_FUSED || format->model != OCL_MODEL_YCBCR)
      test_format (self, format);
  }
}

static void
add_test (const OclOperationClass * klass, OclVariantFlags device, Place place)
{
  const Case test = { klass, device, place };
  g_autofree gchar *path = g_strdup_printf ("/%s/%s/%s",
      device == OCL_VARIANT_FOR_GPU ? "gpu" : "cpu", klass->name,
      places[place]);

  g_test_add_data_func_full (path, g_memdup2 (&test, sizeof (test)),
      test_storages, g_free);
}

void
test_set_up (void)
{
  const OclOperationClass *klass;

  chains = g_hash_table_new_full (NULL, NULL, NULL,
      (GDestroyNotify) ocl_filter_unref);
  generals = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; (klass = ocl_operations[i]); i++) {
    for (Place place = 0; place < N_PLACES
        && ocl_operation_class_filters (klass); place++) {
      if (place == PLACE_FUSED && !(klass->flags & OCL_OPERATION_FUSES))
        continue;
      add_test (klass, OCL_VARIANT_FOR_GPU, place);
      add_test (klass, OCL_VARIANT_FOR_CPU, place);
    }
  }
}

void
test_tear_down (void)
{
  g_hash_table_unref (chains);
  g_hash_table_unref (generals);
}
