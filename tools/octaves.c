/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "octaves.h"

#include <string.h>

#include "opencl/operation/oclkernels.h"
#include "opencl/pyramid/ocloctaves.h"

#define SEED 1

struct _Octaves
{
  OclContext *context;
  const OclOperationClass *klass;
  const OclVariant *variant;
  OclTuning tuning;
  OctavesShape shape;
  OclPass pass;
  OclFormat format;
  OclOctaves input;
  OclOctaves output;
  OclKernels *kernels;
};

void
octaves_free (Octaves * self)
{
  ocl_kernels_unref (self->kernels);
  ocl_octaves_clear (&self->input);
  ocl_octaves_clear (&self->output);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
octaves_ensure (Octaves * self, OclOctaves * octaves, GError ** error)
{
  const OctavesShape *shape = &self->shape;

  return ocl_octaves_ensure (octaves, self->context, shape->storage,
      &self->format, &self->pass, shape->width, shape->height,
      shape->n_octaves, shape->n_images, error);
}

/* Waits until @noise has been read. */
static gboolean
octaves_write (Octaves * self, guint octave, guint image,
    const cl_float * noise, GError ** error)
{
  const OclFrame *frame = ocl_octaves_get (&self->input, octave, image);
  const OclPlane *plane = &frame->planes[0];
  const gboolean is_buffer = self->shape.storage == OCL_STORAGE_BUFFER;
  const size_t unit = is_buffer ? 1 : sizeof (cl_float);
  const size_t columns = frame->width;
  const size_t rows = frame->height;

  if (is_buffer || self->shape.storage == OCL_STORAGE_IMAGE_BUFFER) {
    cl_mem buffer = is_buffer ? plane->memory
        : self->input.buffers->pdata[octave];
    const size_t origin[3] = { plane->offset * unit, 0, 0 };
    const size_t region[3] = { columns * sizeof (cl_float), rows, 1 };
    const size_t nowhere[3] = { 0, 0, 0 };

    return ocl_check (clEnqueueWriteBufferRect (self->context->queue,
            buffer, CL_TRUE, origin, nowhere, region, plane->stride * unit, 0,
            0, 0, noise, 0, NULL, NULL), "clEnqueueWriteBufferRect", error);
  }

  /* Of an array the offset is the layer. */
  const size_t origin[3] = { 0, 0, plane->offset };
  const size_t region[3] = { columns, rows, 1 };
  return ocl_check (clEnqueueWriteImage (self->context->queue, plane->memory,
          CL_TRUE, origin, region, 0, 0, noise, 0, NULL, NULL),
      "clEnqueueWriteImage", error);
}

static gboolean
octaves_fill (Octaves * self, GError ** error)
{
  const OctavesShape *shape = &self->shape;
  const gsize n = (gsize) shape->width * shape->height;
  g_autofree cl_float *noise = g_new (cl_float, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);

  for (gsize i = 0; i < n; i++)
    noise[i] = g_rand_int_range (random, 0, 256);
  for (guint octave = 0; octave < shape->n_octaves; octave++) {
    for (guint image = 0; image < shape->n_images; image++) {
      if (!octaves_write (self, octave, image, noise, error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
octaves_build (Octaves * self, GError ** error)
{
  const OclBuild build = {
    .format = &self->format,.storage = self->shape.storage,.pass = self->pass,
    .tuning = self->tuning,
  };

  if (self->variant->flags & OCL_VARIANT_BUFFERS_ONLY
      && self->shape.storage != OCL_STORAGE_BUFFER) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this variant takes buffers only");
    return FALSE;
  }
  self->kernels = ocl_kernels_new (self->context, self->variant, &build, error);
  return self->kernels != NULL;
}

Octaves *
octaves_new (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant, const OclTuning * tuning,
    const OctavesShape * shape, GError ** error)
{
  const OclFormat *grey = ocl_format_find ("GRAY8");
  Octaves *self = g_new0 (Octaves, 1);

  self->context = ocl_context_ref (context);
  self->klass = klass;
  self->variant = variant;
  self->tuning = *tuning;
  self->shape = *shape;
  self->pass.n_channels = 1;
  ocl_octaves_init_format (&self->format, grey, &self->pass, shape->storage,
      FALSE);
  if (!octaves_build (self, error)
      || !octaves_ensure (self, &self->input, error)
      || !octaves_ensure (self, &self->output, error)
      || !octaves_fill (self, error))
    g_clear_pointer (&self, octaves_free);
  return self;
}

gboolean
octaves_are (const Octaves * self, const OclVariant * variant,
    const OclTuning * tuning, const OctavesShape * shape)
{
  return self->variant == variant
      && memcmp (&self->tuning, tuning, sizeof (*tuning)) == 0
      && memcmp (&self->shape, shape, sizeof (*shape)) == 0;
}

gboolean
octaves_enqueue (Octaves * self, gconstpointer params, OclTimer * timer,
    GError ** error)
{
  g_autofree gpointer derived =
      ocl_operation_class_derive (self->klass, params, &self->pass);

  for (guint octave = 0; octave < self->shape.n_octaves; octave++) {
    for (guint image = 0; image < self->shape.n_images; image++) {
      const OclRun run = {
        .params = params,.derived = derived,.pass = &self->pass,
        .input = ocl_octaves_get (&self->input, octave, image),
        .output = ocl_octaves_get (&self->output, octave, image),
        .timer = timer,
      };

      if (!ocl_kernels_enqueue (self->kernels, &run, error))
        return FALSE;
    }
  }
  return TRUE;
}
