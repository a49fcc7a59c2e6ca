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

/* The input, its neighbours, and the outputs of both variants. */
typedef struct
{
  OclContext *context;
  const OclOperationClass *klass;
  gconstpointer params;
  const OclPass *pass;
  OclFrame input;
  OclPicture neighbours[OCL_MAX_NEIGHBOURS];
  OclFrame outputs[2];
  OclTimer *timer;
} Trial;

static void
fill (guint8 * bytes, gsize size, const OclFormat * format, GRand * random)
{
  for (gsize n = 0; format->steps == 0 && n < size; n++)
    bytes[n] = g_rand_int_range (random, 0, 256);
  for (gsize n = 0; format->steps > 0 && n < size / sizeof (guint16); n++)
    ((guint16 *) bytes)[n] = OCL_FORMAT_ZERO + g_rand_int_range (random, 0,
        ocl_format_get_max_level (format) * format->steps + 1);
}

static gboolean
write_noise (OclContext * context, const OclFrame * frame, GRand * random,
    GError ** error)
{
  for (guint i = 0; i < frame->info.format->n_planes; i++) {
    const gsize size = ocl_frame_get_size (frame, i);
    g_autofree guint8 *bytes = g_malloc (size);

    fill (bytes, size, frame->info.format, random);
    if (!ocl_check (clEnqueueWriteBuffer (context->queue,
                frame->planes[i].memory, CL_TRUE, 0, size, bytes, 0, NULL,
                NULL), "clEnqueueWriteBuffer", error))
      return FALSE;
  }
  return TRUE;
}

/* Sets @frame to a frame of noise. */
static gboolean
trial_init_frame (Trial * self, OclFrame * frame, const OclFrameInfo * info,
    GRand * random, GError ** error)
{
  OclFrame bytes = { 0, };
  const OclFrameInfo copy = ocl_frame_info_get_copy (info);
  const gboolean ok = ocl_frame_ensure (&bytes, self->context, &copy, error)
      && write_noise (self->context, &bytes, random, error)
      && ocl_frame_ensure (frame, self->context, info, error)
      && ocl_frame_enqueue_copy (self->context, &bytes, frame, self->timer,
      error)
      && ocl_timer_wait_for (self->timer, self->context, OCL_VERIFY_SECONDS,
      error);

  ocl_frame_clear (&bytes);
  return ok;
}

static gboolean
trial_init (Trial * self, const OclFrameInfo * info, const OclFormat * output,
    GError ** error)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  OclFrameInfo small = *info;
  gboolean ok;

  small.width = WIDTH;
  small.height = HEIGHT;
  small.interlaced = FALSE;
  OclFrameInfo result = small;
  if (output)
    result.format = output;
  result.bytes_swapped &= result.format->swapped != NULL;
  const OclFrameInfo earlier = ocl_frame_info_get_copy (&small);
  ok = trial_init_frame (self, &self->input, &small, random, error);
  for (guint i = 0; ok && i < 2; i++)
    ok = ocl_frame_ensure (&self->outputs[i], self->context, &result, error)
        && ocl_frame_enqueue_blank (self->context, &self->outputs[i], error);
  for (guint i = 0; ok && i < ocl_operation_class_get_neighbours (self->klass,
          self->params).n_earlier; i++) {
    self->neighbours[i].serial = ocl_picture_create_serial ();
    ok = trial_init_frame (self, &self->neighbours[i].frame, &earlier, random,
        error);
  }
  return ok;
}

static void
trial_clear (Trial * self)
{
  ocl_context_finish (self->context, NULL);
  ocl_frame_clear (&self->input);
  for (guint i = 0; i < OCL_MAX_NEIGHBOURS; i++)
    ocl_frame_clear (&self->neighbours[i].frame);
  for (guint i = 0; i < 2; i++)
    ocl_frame_clear (&self->outputs[i]);
}

static gboolean
trial_run (Trial * self, OclKernels * kernels, guint n, GError ** error)
{
  const OclRun run = {.params = self->params,.pass = self->pass,
    .input = &self->input,.output = &self->outputs[n],
    .serial = ocl_picture_create_serial (),.neighbours = self->neighbours,
    .n_earlier = ocl_operation_class_get_neighbours (self->klass,
        self->params).n_earlier,.is_first = TRUE,.timer = self->timer
  };

  return ocl_kernels_enqueue (kernels, &run, error)
      && ocl_timer_wait_for (self->timer, self->context, OCL_VERIFY_SECONDS,
      error);
}

/* Returns the bytes of a plane of an output, which the caller frees. */
static guint8 *
trial_read (Trial * self, guint n, guint plane, gsize * size, GError ** error)
{
  return ocl_frame_read_plane (self->context, &self->outputs[n], plane, size,
      self->timer, error);
}

static gdouble
get_level (const OclFormat * format, const guint8 * component)
{
  const gint value = format->component_bytes == 2
      ? *(const guint16 *) component : *component;

  return format->steps > 0 ? (value - OCL_FORMAT_ZERO) / (gdouble) format->steps
      : value >> format->shift;
}

static gboolean
trial_compare (Trial * self, const OclVariant * variant, GError ** error)
{
  const OclFormat *format = self->outputs[0].info.format;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize size = 0;
    g_autofree guint8 *plain = trial_read (self, 0, i, &size, error);
    g_autofree guint8 *other =
        plain ? trial_read (self, 1, i, &size, error) : NULL;

    if (!plain || !other)
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
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  Trial trial = {.context = kernels->context,.klass = klass,.params = params,
    .pass = &kernels->build.pass,.timer = timer
  };
  OclBuild build = kernels->build;

  ocl_tuning_init (&build.tuning, klass->variants[0]->tunables);
  OclKernels *plain = ocl_kernels_new (kernels->context, klass->variants[0],
      &build, error);
  const gboolean ok = plain && trial_init (&trial, info, build.output, error)
      && trial_run (&trial, plain, 0, error)
      && trial_run (&trial, kernels, 1, error)
      && trial_compare (&trial, kernels->variant, error);
  trial_clear (&trial);
  ocl_kernels_unref (plain);
  return ok;
}
