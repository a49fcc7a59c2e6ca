/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocluser.h"

#include <string.h>

#include "ocluservariants.h"
#include "core/ocltextfile.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclUserParams, member)

static const OclParam params_table[] = {
  {"location",
        "A text file with the kernel, which is code that runs with the "
        "rights of the application; unset when source is set",
        OCL_PARAM_FILE, OFFSET (location),.sets = "source",.fixed = TRUE,
      .decides = TRUE},
  {"source",
        "The text of the kernel: a function Pixel filter (FRAME), or a "
        "kernel in the form of FFmpeg's program_opencl",
      OCL_PARAM_TEXT, OFFSET (source),.fixed = TRUE,.decides = TRUE},
  {"arguments",
        "Arguments of the kernel as fields, such as "
        "arguments,strength=0.5; those that are left out have the defaults "
        "that the kernel states",
      OCL_PARAM_NAMED_NUMBERS, OFFSET (arguments),.fixed = TRUE},
  OCL_BORDER_PARAMS (OclUserParams, border),
  {NULL},
};

static const OclVariant *const variants[] = {
  &ocl_user_plain, &ocl_user_rows, &ocl_user_tiled, NULL,
};

/* Sets the source to @text, which may be empty. Removes arguments of the
 * previous text that the new one lacks. */
static gboolean
take_text (OclUserParams * params, const gchar * name, const gchar * text,
    GError ** error)
{
  g_autoptr (OclLiteral) before = ocl_literal_ref (params->arguments);
  OclLiteral *source = ocl_user_source_create_text (name, text, error);

  if (*text && !source)
    return FALSE;
  ocl_literal_take (&params->source, source);
  for (gint i = 0; params->has_arguments && before && i < before->n; i++) {
    if (ocl_user_source_find (ocl_user_get_source (params), before->names[i])
        < 0)
      ocl_param_set_named (ocl_params_find (params_table, "arguments"),
          before->names[i], NULL, params, NULL);
  }
  return TRUE;
}

static gboolean
take_file (OclUserParams * params, GError ** error)
{
  const gchar *location = ocl_literal_get_text (params->location);
  g_autofree gchar *base = g_path_get_basename (location);
  g_autofree gchar *name = g_filename_display_name (base);
  g_autofree gchar *text = NULL;

  if (!*location)
    return take_text (params, "", "", error);
  text = ocl_text_file_load (location, "The kernel",
      "of at most 256 KiB, so it is no kernel", OCL_USER_MAX_TEXT, error);
  if (!text)
    return FALSE;
  return *text ? take_text (params, name, text, error)
      : ocl_fail (error, "%s is empty.", name);
}

static gchar *
list_arguments (const OclUserSource * source)
{
  GString *text = g_string_new (source->n_arguments ? NULL : "none");

  for (guint i = 0; i < source->n_arguments; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
        source->arguments[i].name);
  return g_string_free (text, FALSE);
}

/* Sets the value of the argument at index @n of the set arguments. */
static gboolean
take_argument (OclUserParams * params, guint n, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (params);
  const gchar *name = params->arguments->names[n];
  const gdouble number = params->arguments->numbers[n];
  const gint place = ocl_user_source_find (source, name);

  if (place < 0) {
    g_autofree gchar *list = list_arguments (source);

    return ocl_fail (error,
        "The kernel %s has no argument %s. Its arguments: %s.",
        source->insert.name, name, list);
  }
  const OclUserArgument *argument = &source->arguments[place];
  if (number < argument->minimum || number > argument->maximum)
    return ocl_fail (error,
        "The argument %s of the kernel %s cannot be %g: it is from %g to %g.",
        name, source->insert.name, number, argument->minimum,
        argument->maximum);
  params->values[place] = number;
  return TRUE;
}

/* Sets the values of all arguments. Before there is a kernel, any argument may
 * be set. */
static gboolean
take_arguments (OclUserParams * params, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (params);

  params->has_arguments = params->source != NULL;
  memset (params->values, 0, sizeof (params->values));
  for (guint i = 0; i < source->n_arguments; i++)
    params->values[i] = source->arguments[i].default_value;
  for (gint i = 0; params->source && params->arguments
      && i < params->arguments->n; i++) {
    if (!take_argument (params, i, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
ocl_user_changed (gpointer data, const OclParam * param, GError ** error)
{
  OclUserParams *params = data;

  if (param->offset == OFFSET (location) && !take_file (params, error))
    return FALSE;
  if (param->offset == OFFSET (source)) {
    ocl_literal_take (&params->location, NULL);
    if (!take_text (params, "source", ocl_literal_get_text (params->source),
            error))
      return FALSE;
  }
  return take_arguments (params, error);
}

static gboolean
ocl_user_is_neutral (gconstpointer data)
{
  const OclUserParams *params = data;

  return params->source == NULL;
}

static gboolean
ocl_user_check (gconstpointer params, const OclFormat * format, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (params);

  if (source->native && format->buffers_only) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
        "The kernel %s takes images, which OpenCL does not have for %s.",
        source->insert.name, format->name);
    return FALSE;
  }
  if (source->planes || format->model == OCL_MODEL_RGB
      || ocl_user_is_neutral (params))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
      "The kernel %s is for red, green and blue: it has no #pragma glopencl "
      "planes.", source->insert.name);
  return FALSE;
}

/* A kernel in FFmpeg's form uses values in [0, 1]. */
static gboolean
ocl_user_takes_wide (gconstpointer params)
{
  return !ocl_user_get_source (params)->native;
}

/* A function for one pixel at a time cannot run where 16 are computed. */
static gboolean
ocl_user_get_fusion (gconstpointer data, OclFusion * fusion)
{
  const OclUserParams *params = data;
  const OclUserSource *source = ocl_user_get_source (params);

  fusion->values = params->values;
  fusion->reads_luma = source->guided;
  return !source->native && !source->scalar && !source->alpha
      && source->history == 0 && source->radius_x == 0 && source->radius_y == 0;
}

static guint
ocl_user_get_passes (gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  const OclUserSource *source = ocl_user_get_source (params);

  return ocl_passes_init (passes, format, source->planes, source->guided);
}

static gint
ocl_user_get_reach (gconstpointer params)
{
  const OclUserSource *source = ocl_user_get_source (params);

  return MAX (source->radius_x, source->radius_y);
}

static OclNeighbours
ocl_user_get_neighbours (gconstpointer params)
{
  const OclNeighbours neighbours = {
    .n_earlier = ocl_user_get_source (params)->history
  };

  return neighbours;
}

/* Kernels built before the first frame match its parameters. */
static gboolean
ocl_user_get_warm_up (G_GNUC_UNUSED guint n, G_GNUC_UNUSED gpointer params)
{
  return FALSE;
}

const OclOperationClass ocl_user_class = {
  .name = "kernel",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_IS_TEXT,
  .params_size = sizeof (OclUserParams),
  .params = params_table,
  .variants = variants,
  .changed = ocl_user_changed,
  .is_neutral = ocl_user_is_neutral,
  .check = ocl_user_check,
  .takes_wide = ocl_user_takes_wide,
  .get_fusion = ocl_user_get_fusion,
  .get_passes = ocl_user_get_passes,
  .get_reach = ocl_user_get_reach,
  .get_warm_up = ocl_user_get_warm_up,
  .get_neighbours = ocl_user_get_neighbours,
};
