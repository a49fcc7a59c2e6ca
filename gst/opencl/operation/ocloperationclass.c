/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocloperationclass.h"

static const OclValue planes[] = {
  {OCL_PLANES_LUMA, "luma", "Brightness"},
  {OCL_PLANES_CHROMA, "chroma", "Colour differences"},
  {0, NULL, NULL},
};

const OclValues ocl_planes_values = { "planes", planes };

gboolean
ocl_pass_equals (const OclPass * a, const OclPass * b)
{
  return a->first_channel == b->first_channel
      && a->n_channels == b->n_channels && a->guided == b->guided
      && a->x_shift == b->x_shift && a->y_shift == b->y_shift;
}

guint
ocl_passes_init (OclPass passes[OCL_MAX_PASSES], const OclFormat * format,
    OclPlanes which, gboolean guided)
{
  const OclPass rgb = {.n_channels = 3 };
  const OclPass luma = {.n_channels = 1 };
  const OclPass differences = {
    .first_channel = 1,.n_channels = 2,.guided = guided,
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift,
  };
  guint n = 0;

  if (format->model == OCL_MODEL_RGB) {
    passes[n++] = rgb;
    return n;
  }
  if (which & OCL_PLANES_LUMA || format->model == OCL_MODEL_GREY)
    passes[n++] = luma;
  if (which & OCL_PLANES_CHROMA && format->model == OCL_MODEL_YCBCR)
    passes[n++] = differences;
  return n;
}

gint
ocl_pass_get_width (const OclPass * pass, const OclFrameInfo * info)
{
  return ocl_format_count_samples (info->width, pass->x_shift);
}

gint
ocl_pass_get_height (const OclPass * pass, const OclFrameInfo * info)
{
  return ocl_frame_info_count_rows (info, pass->y_shift);
}

OclPass
ocl_pass_get_channel (const OclPass * pass, guint n)
{
  OclPass channel = *pass;

  channel.first_channel += n;
  channel.n_channels = 1;
  channel.guided = FALSE;
  return channel;
}

gboolean
ocl_pass_is_planar (const OclPass * pass, const OclFormat * format)
{
  for (guint i = 0; i < pass->n_channels; i++) {
    if (format->channels[pass->first_channel + i].step != 1)
      return FALSE;
  }
  return TRUE;
}

cl_float4
ocl_pass_get_color (const OclPass * pass, const OclFrameInfo * info, guint argb)
{
  const cl_float4 color = ocl_format_convert_color (info->format,
      &info->colorimetry, argb);
  cl_float4 channels = { {0.0f,} };

  for (guint i = 0; i < pass->n_channels; i++)
    channels.s[i] = color.s[pass->first_channel + i];
  return channels;
}

gboolean
ocl_pass_has_plane (const OclPass * pass, const OclFormat * format, guint plane)
{
  for (guint i = 0; i < pass->n_channels; i++) {
    if (format->channels[pass->first_channel + i].plane == plane)
      return TRUE;
  }
  return FALSE;
}

/* Appends the representation of a level in memory, unless it is an integer. */
static void
append_floats (GString * options, const OclFormat * format, const gchar * way)
{
  if (format->is_float)
    g_string_append_printf (options, " -D FLOATS_%s", way);
  if (format->steps > 0)
    g_string_append_printf (options, " -D STEPS_%s=%u", way, format->steps);
}

gchar *
ocl_pass_get_options (const OclPass * pass, const OclFormat * format,
    const OclFormat * output)
{
  GString *options = g_string_new (NULL);
  guint n_planes = 0;

  g_string_printf (options, "-D MAX_LEVEL=%u -D SHIFT=%u -D X_SHIFT=%u"
      " -D Y_SHIFT=%u -D CHANNELS=%u%s%s", ocl_format_get_max_level (format),
      format->shift, pass->x_shift, pass->y_shift, pass->n_channels,
      format->depth > 8 ? " -D WIDE" : "",
      format->is_pyramid_level ? " -D NO_COLORS" : "");
  append_floats (options, format, "IN");
  append_floats (options, output, "OUT");
  /* The position of each channel in the planes of a kernel's arguments. */
  for (guint i = 0; i < pass->n_channels; i++) {
    const OclChannel *channel = &format->channels[pass->first_channel + i];
    guint index = 0;

    for (guint plane = 0; plane < channel->plane; plane++)
      index += ocl_pass_has_plane (pass, format, plane);
    n_planes = MAX (n_planes, index + 1);
    g_string_append_printf (options,
        " -D PLANE_%u=%u -D OFFSET_%u=%u -D STEP_%u=%u", i, index, i,
        channel->offset, i, channel->step);
  }
  g_string_append_printf (options, " -D PLANES=%u", n_planes);
  if (format->model == OCL_MODEL_YCBCR && pass->n_channels == 3)
    g_string_append_printf (options, " -D CHROMA_X_SHIFT=%u"
        " -D CHROMA_Y_SHIFT=%u", format->chroma_x_shift,
        format->chroma_y_shift);
  if (pass->guided)
    g_string_append_printf (options,
        " -D GUIDED -D GUIDE_STEP=%u -D GUIDE_OFFSET=%u"
        " -D GUIDE_X_SHIFT=%u -D GUIDE_Y_SHIFT=%u",
        format->channels[OCL_CHANNEL_LUMA].step,
        format->channels[OCL_CHANNEL_LUMA].offset,
        pass->x_shift - format->luma_x_shift,
        pass->y_shift - format->luma_y_shift);
  return g_string_free (options, FALSE);
}

gboolean
ocl_variant_supports (const OclVariant * variant, gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return !variant->supports || variant->supports (params, format, pass);
}

guint
ocl_variant_get_specializations (const OclVariant * variant,
    gconstpointer params, const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  if (variant->get_specializations)
    return variant->get_specializations (params, format, specializations);
  specializations[0] = 0;
  return 1;
}

gint
ocl_run_get_width (const OclRun * run)
{
  return ocl_pass_get_width (run->pass,
      &(run->input ? run->input : run->output)->info);
}

gint
ocl_run_get_height (const OclRun * run)
{
  return ocl_pass_get_height (run->pass,
      &(run->input ? run->input : run->output)->info);
}

gchar *
ocl_variant_get_label (const OclVariant * variant, OclStorage storage)
{
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY)
    return g_strdup (variant->name);
  return g_strdup_printf ("%s-%s", variant->name, ocl_storage_names[storage]);
}

const OclVariant *
ocl_operation_class_find_variant (const OclOperationClass * klass,
    const gchar * name)
{
  for (guint i = 0; klass->variants[i]; i++) {
    if (g_str_equal (klass->variants[i]->name, name))
      return klass->variants[i];
  }
  return NULL;
}

gboolean
ocl_operation_class_changed (const OclOperationClass * klass, gpointer params,
    const OclParam * param, GError ** error)
{
  return !klass->changed || klass->changed (params, param, error);
}

gboolean
ocl_operation_class_parse (const OclOperationClass * klass,
    const OclParam * param, const gchar * text, gpointer params)
{
  g_autoptr (OclParams) changed =
      ocl_operation_class_copy_params (klass, params);

  if (!ocl_param_parse (param, text, changed)
      || !ocl_operation_class_changed (klass, changed, param, NULL))
    return FALSE;
  ocl_params_copy (klass->params, klass->params_size, params, changed);
  return TRUE;
}

gboolean
ocl_operation_class_filters (const OclOperationClass * self)
{
  return (self->flags & OCL_OPERATION_FILTERS) == OCL_OPERATION_FILTERS;
}

gboolean
ocl_operation_class_is_neutral (const OclOperationClass * klass,
    gconstpointer params)
{
  return klass->is_neutral && klass->is_neutral (params);
}

gboolean
ocl_operation_class_check (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format, GError ** error)
{
  return !klass->check || klass->check (params, format, error);
}

gboolean
ocl_operation_class_takes_wide (const OclOperationClass * klass,
    gconstpointer params)
{
  return !klass->takes_wide || klass->takes_wide (params);
}

guint
ocl_operation_class_get_passes (const OclOperationClass * klass,
    gconstpointer params, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  guint planes = OCL_PLANES_ALL;

  if (klass->get_passes)
    return klass->get_passes (params, format, passes);
  for (const OclParam * param = klass->params; param && param->name; param++) {
    if (param->values == &ocl_planes_values)
      planes = ocl_param_get_integer (param, params);
  }
  return ocl_passes_init (passes, format, planes, FALSE);
}

OclNeighbours
ocl_operation_class_get_neighbours (const OclOperationClass * self,
    gconstpointer params)
{
  const OclNeighbours none = { 0, 0 };

  return self->get_neighbours ? self->get_neighbours (params) : none;
}

guint
ocl_operation_class_get_lead (const OclOperationClass * self,
    gconstpointer params)
{
  return self->get_lead ? self->get_lead (params)
      : ocl_operation_class_get_neighbours (self, params).n_earlier;
}

gboolean
ocl_operation_class_keeps_frames (const OclOperationClass * self,
    gconstpointer params)
{
  const OclNeighbours neighbours =
      ocl_operation_class_get_neighbours (self, params);

  return neighbours.n_earlier + neighbours.n_later > 0
      || (self->get_neighbours && self->needs);
}

gsize
ocl_operation_class_get_result_size (const OclOperationClass * klass,
    const OclFrameInfo * info)
{
  return klass->get_result_size ? klass->get_result_size (info)
      : klass->result_size;
}

OclParams *
ocl_operation_class_create_params (const OclOperationClass * klass)
{
  return ocl_params_new (klass->params, klass->params_size);
}

OclParams *
ocl_operation_class_copy_params (const OclOperationClass * klass,
    gconstpointer params)
{
  OclParams *copy = ocl_operation_class_create_params (klass);

  if (copy && params)
    ocl_params_copy (klass->params, klass->params_size, copy, params);
  return copy;
}

void
ocl_need_init_params (const OclNeed * need, gconstpointer params,
    OclNeedParams * needed)
{
  g_assert (need->klass->params_size <= sizeof (*needed));
  memset (needed, 0, sizeof (*needed));
  ocl_params_init (need->klass->params, needed);
  need->set_params (needed, params);
}

OclLiteral *
ocl_operation_class_get_text (const OclOperationClass * klass,
    gconstpointer params)
{
  for (const OclParam * param = klass->params;
      klass->flags & OCL_OPERATION_IS_TEXT && param->name; param++) {
    if (param->type == OCL_PARAM_TEXT)
      return G_STRUCT_MEMBER (OclLiteral *, params, param->offset);
  }
  return NULL;
}

gboolean
ocl_operation_class_get_warm_up (const OclOperationClass * klass, guint n,
    gpointer params)
{
  return klass->get_warm_up ? klass->get_warm_up (n, params) : n == 0;
}

OclDatabaseKey
ocl_operation_class_get_database_key (const OclOperationClass * klass,
    const OclVariant * variant, guint specialization, const OclFrameInfo * info,
    const OclPass * pass, gconstpointer params)
{
  const OclDatabaseKey key = {
    .operation = klass->name,.variant = variant->name,.specialization =
        specialization,
    .format = info->format->name,
    .storage = ocl_storage_names[info->storage],
    .channel = pass->first_channel,
    .width = info->width,.height = info->height,
    .reach = klass->get_reach ? klass->get_reach (params) : 0,
    .source = variant->shared_source ? variant->shared_source : variant->source,
  };

  return key;
}

gboolean
ocl_operation_class_decide_alike (const OclOperationClass * klass,
    gconstpointer a, gconstpointer b)
{
  gboolean is_marked = FALSE;

  for (const OclParam * param = klass->params; param && param->name; param++) {
    is_marked |= param->decides;
    if (param->decides && !ocl_param_equals (param, a, b))
      return FALSE;
  }
  return is_marked || ocl_params_equal (klass->params, klass->params_size, a,
      b);
}

gpointer
ocl_operation_class_derive (const OclOperationClass * klass,
    gconstpointer params, const OclPass * pass)
{
  if (klass->derived_size == 0)
    return NULL;

  gpointer derived = g_malloc0 (klass->derived_size);
  klass->derive (derived, params, pass);
  return derived;
}
