/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclverifier.h"

#include <math.h>
#include <string.h>

/* Size of the frame: several work-groups, and a part of one. */
#define WIDTH 75
#define HEIGHT 41

/* One sample in this many may differ by more than a level. */
#define SAMPLES_OF_CHOICE 200

#define SEED 7

/* Sets @frame to a frame of noise like @info. */
static gboolean
write_noise (OclContext * context, OclFrame * frame, const OclFrameInfo * info,
    GRand * random, OclTimer * timer, GError ** error)
{
  const OclFrameInfo copy = ocl_frame_info_get_copy (info);
  const OclFormat *format = copy.format;
  OclFrame noise = { 0, };
  gboolean ok = ocl_frame_ensure (&noise, context, &copy, error);

  for (guint i = 0; ok && i < format->n_planes; i++) {
    const gsize size = ocl_frame_get_size (&noise, i);
    g_autofree guint8 *bytes = g_malloc (size);

    for (gsize n = 0; format->steps == 0 && n < size; n++)
      bytes[n] = g_rand_int_range (random, 0, 256);
    for (gsize n = 0; format->steps > 0 && n < size / sizeof (guint16); n++)
      ((guint16 *) bytes)[n] = OCL_FORMAT_ZERO + g_rand_int_range (random, 0,
          ocl_format_get_max_level (format) * format->steps + 1);
    ok = ocl_check (clEnqueueWriteBuffer (context->queue,
            noise.planes[i].memory, CL_TRUE, 0, size, bytes, 0, NULL, NULL),
        "clEnqueueWriteBuffer", error);
  }
  ok = ok && ocl_frame_ensure (frame, context, info, error)
      && ocl_frame_enqueue_copy (context, &noise, frame, timer, error)
      && ocl_timer_wait_for (timer, context, OCL_VERIFY_SECONDS, error);
  ocl_frame_clear (&noise);
  return ok;
}

static gdouble
get_level (const OclFormat * format, const guint8 * component)
{
  const gint value = format->component_bytes == 2
      ? *(const guint16 *) component : *component;

  return format->steps > 0 ? (value - OCL_FORMAT_ZERO) / (gdouble) format->steps
      : value >> format->shift;
}

/* Compares the output of the plain variant in @outputs[0] with the output of
 * @variant. */
static gboolean
compare (OclContext * context, const OclFrame outputs[2],
    const OclVariant * variant, OclTimer * timer, GError ** error)
{
  const OclFormat *format = outputs[0].info.format;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize size = 0;
    g_autofree guint8 *plain = ocl_frame_read_plane (context, &outputs[0], i,
        &size, timer, error);
    g_autofree guint8 *other = plain ? ocl_frame_read_plane (context,
        &outputs[1], i, &size, timer, error) : NULL;

    if (!other)
      return FALSE;
    gsize n = 0;                /* components that differ by over a level */
    for (gsize k = 0; k < size; k += format->component_bytes)
      n += !(fabs (get_level (format, plain + k) - get_level (format,
                  other + k)) <= 1.0);
    if (n * SAMPLES_OF_CHOICE * format->component_bytes > size) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
          "The variant %s gives another picture than the plain one, in %"
          G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes: a comparison is no "
          "number.", variant->name, n, size);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
ocl_verify (const OclOperationClass * klass, OclKernels * kernels,
    const OclFrameInfo * info, gconstpointer params, GError ** error)
{
  OclContext *context = kernels->context;
  OclBuild build = kernels->build;
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  OclFrame input = { 0, };
  OclFrame outputs[2] = { {{0}} };
  OclPicture neighbours[OCL_MAX_NEIGHBOURS] = { {{{0}}} };
  OclRun run = {.params = params,.pass = &build.pass,.input = &input,
    .neighbours = neighbours,.n_earlier = ocl_operation_class_get_neighbours
        (klass, params).n_earlier,.is_first = TRUE,.timer = timer
  };
  OclFrameInfo small = *info;

  small.width = WIDTH;
  small.height = HEIGHT;
  small.interlaced = FALSE;
  OclFrameInfo written = small;
  if (build.output)
    written.format = build.output;
  written.bytes_swapped &= written.format->swapped != NULL;
  const OclFrameInfo earlier = ocl_frame_info_get_copy (&small);

  ocl_tuning_init (&build.tuning, klass->variants[0]->tunables);
  OclKernels *plain =
      ocl_kernels_new (context, klass->variants[0], &build, error);
  gboolean ok = plain
      && write_noise (context, &input, &small, random, timer, error);
  for (guint i = 0; ok && i < run.n_earlier; i++) {
    neighbours[i].serial = ocl_picture_create_serial ();
    ok = write_noise (context, &neighbours[i].frame, &earlier, random, timer,
        error);
  }
  for (guint i = 0; ok && i < 2; i++) {
    run.output = &outputs[i];
    run.serial = ocl_picture_create_serial ();
    ok = ocl_frame_ensure (&outputs[i], context, &written, error)
        && ocl_frame_enqueue_blank (context, &outputs[i], error)
        && ocl_kernels_enqueue (i == 0 ? plain : kernels, &run, error)
        && ocl_timer_wait_for (timer, context, OCL_VERIFY_SECONDS, error);
  }
  ok = ok && compare (context, outputs, kernels->variant, timer, error);
  ocl_context_finish (context, NULL);
  ocl_frame_clear (&input);
  for (guint i = 0; i < OCL_MAX_NEIGHBOURS; i++)
    ocl_frame_clear (&neighbours[i].frame);
  for (guint i = 0; i < 2; i++)
    ocl_frame_clear (&outputs[i]);
  ocl_kernels_unref (plain);
  return ok;
}
