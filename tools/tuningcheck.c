/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tuningcheck.h"

#include <string.h>

/* Several groups, and parts of some; with odd rows and columns. */
#define WIDTH 203
#define HEIGHT 117

#define SEED 5

typedef enum
{
  CONTENT_PICTURE,
  CONTENT_NOISE,
  CONTENT_BLACK,
  CONTENT_WHITE,
  N_CONTENTS,
} Content;

static const gchar *const content_names[N_CONTENTS] = {
  [CONTENT_PICTURE] = "a picture",
  [CONTENT_NOISE] = "noise",
  [CONTENT_BLACK] = "a black frame",
  [CONTENT_WHITE] = "a white frame",
};

/* Returns RGBA bytes, or NULL for the picture that a runner draws. */
static guint8 *
create_pixels (Content content)
{
  const gsize size = WIDTH * HEIGHT * 4;
  guint8 *pixels;

  if (content == CONTENT_PICTURE)
    return NULL;
  pixels = g_malloc (size);
  memset (pixels, content == CONTENT_WHITE ? 255 : 0, size);
  if (content == CONTENT_NOISE) {
    g_autoptr (GRand) random = g_rand_new_with_seed (SEED);

    for (gsize i = 0; i < size; i++)
      pixels[i] = g_rand_int_range (random, 0, 256);
  }
  return pixels;
}

static gint
get_level (const OclFormat * format, const guint8 * bytes, gsize n)
{
  return (format->component_bytes == 2 ? ((const guint16 *) bytes)[n]
      : bytes[n]) >> format->shift;
}

static gboolean
compare (Runner * runner, const RunnerCase * items, guint plane,
    const gchar * content, GError ** error)
{
  const OclFormat *format = items[0].format;
  gsize size;
  g_autofree guint8 *expected =
      runner_read (runner, &items[0], plane, &size, error);
  g_autofree guint8 *actual = NULL;
  RunnerTimes times;

  if (!expected || !runner_run (runner, &items[1], &times, error))
    return FALSE;
  actual = runner_read (runner, &items[1], plane, &size, error);
  for (gsize n = 0; actual && n < size / format->component_bytes; n++) {
    if (ABS (get_level (format, actual, n) - get_level (format, expected, n))
        > 1) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
          "%s of %s computes %d in place of %d", items[1].variant.name,
          content, get_level (format, actual, n),
          get_level (format, expected, n));
      return FALSE;
    }
  }
  return actual != NULL;
}

static gboolean
check_content (OclContext * context, const RunnerCase * item, Content content,
    GError ** error)
{
  g_autoptr (Runner) runner = runner_new (context, create_pixels (content));
  RunnerCase items[2] = { *item, *item };
  RunnerTimes times;

  if (!(item->variant.variant->flags & OCL_VARIANT_APPROXIMATE))
    items[0].variant.variant = item->variant.klass->variants[0];
  items[0].variant.name = items[0].variant.variant->name;
  ocl_tuning_init (&items[0].tuning, items[0].variant.variant->tunables);
  for (guint plane = 0; plane < item->format->n_planes; plane++) {
    if (!runner_run (runner, &items[0], &times, error)
        || !compare (runner, items, plane, content_names[content], error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_contents (OclContext * context, const RunnerCase * item, GError ** error)
{
  for (guint content = 0; content < N_CONTENTS; content++) {
    if (!check_content (context, item, content, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
tuning_check (OclContext * context, const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const OclParam *border = ocl_params_find (klass->params, "border");
  g_autofree gpointer params = g_memdup2 (item->params, klass->params_size);
  RunnerCase small = *item;

  small.width = WIDTH;
  small.height = HEIGHT;
  small.params = params;
  if (!border)
    return check_contents (context, &small, error);
  for (const OclValue * value = border->values->values; value->nick; value++) {
    *(gint *) ((gchar *) params + border->offset) = value->value;
    if (!check_contents (context, &small, error))
      return FALSE;
  }
  return TRUE;
}
