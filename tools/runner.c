/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "runner.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "opencl/ocloperations.h"
#include "opencl/operation/oclkernels.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/pyramid/oclpyramidlevels.h"
#include "tool.h"

/* Taps of the rows that are run to estimate the time of a frame: little for the
 * slowest kernel. */
#define PROBE_TAPS 2000000
#define PROBES 3

#ifdef _OPENMP
#define HAS_OPENMP TRUE
#else
#define HAS_OPENMP FALSE
#endif

/* OpenMP's threads spin for a while after their work. In microseconds. */
#define OPENMP_REST 20000

/* Every word of a result to draw. */
#define DRAWN_WORD 1

/* Of the noise in pyramids. */
#define SEED 1

/* The shapes in drawn frames, and the amplitude of the noise. */
#define N_DISCS 40
#define NOISE 12

/**
 * Frames:
 * @format: the format of the frames on the device
 * @width: in pixels
 * @height: in pixels
 * @pixels: the input on the host, packed RGBA
 * @written: the output of plain C, packed RGBA, or NULL, freed with the frames
 * @input: the input of kernels, in @format, indexed by OclStorage, valid after
 *    frames_upload()
 * @output: the output of kernels, in @format, indexed by OclStorage, valid
 *    after frames_upload()
 */
typedef struct
{
  const OclFormat *format;
  gint width;
  gint height;
  guint8 *pixels;
  guint8 *written;
  OclFrame input[OCL_N_STORAGES];
  OclFrame output[OCL_N_STORAGES];
} Frames;

/* A filter that is kept for the next run. */
typedef struct
{
  const OclVariant *variant;    /* forced, or NULL */
  OclTuning tuning;
  OclFilter *filter;
  OclGraph *graph;              /* of the last case, or NULL */
  OclResult result;
} Kept;

/* A pyramid, and the kernels for it. */
typedef struct
{
  RunnerCase item;              /* the case of the pyramid */
  OclPass pass;
  OclFormat format;
  OclPyramidLevels input;
  OclPyramidLevels output;
  OclKernels *kernels;          /* NULL if there is no pyramid */
} Pyramid;

struct _Runner
{
  OclContext *context;
  OclTimer *timer;
  guint8 *pixels;               /* NULL if frames are drawn */
  GPtrArray *frames;            /* Frames */
  GPtrArray *kept;              /* Kept */
  Pyramid pyramid;              /* of the last case. It takes gigabytes */
  gpointer host_result;         /* of plain C */
  gboolean openmp_is_awake;
  gboolean keeps_busy;
};

static const OclColorimetry colorimetry = {.kr = 0.2126,.kb = 0.0722 };

/* Draws shapes on a gradient, with noise. The result is deterministic for each
 * size. */
static guint8 *
draw_picture (gint width, gint height)
{
  struct
  {
    gint x, y, radius;
    guint8 color[3];
  } discs[N_DISCS];
  guint8 *pixels = g_malloc ((gsize) width * height * 4);
  guint8 *pixel = pixels;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (gint i = 0; i < N_DISCS; i++) {
    discs[i].x = g_rand_int_range (random, 0, width);
    discs[i].y = g_rand_int_range (random, 0, height);
    discs[i].radius = height / 40 + g_rand_int_range (random, 0,
        height / 12 + 1);
    for (gint c = 0; c < 3; c++)
      discs[i].color[c] = g_rand_int_range (random, 0, 256);
  }
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++, pixel += 4) {
      const gint gradient[3] = { x * 200 / width, y * 200 / height,
        (x + y) * 200 / (width + height)
      };
      gint disc = N_DISCS - 1;

      /* The uppermost one. */
      while (disc >= 0 && (x - discs[disc].x) * (x - discs[disc].x)
          + (y - discs[disc].y) * (y - discs[disc].y)
          >= discs[disc].radius * discs[disc].radius)
        disc--;
      for (gint c = 0; c < 3; c++) {
        gint level = disc >= 0 ? discs[disc].color[c] : gradient[c];
        gint noise = g_rand_int_range (random, -NOISE, NOISE + 1);

        pixel[c] = CLAMP (level + noise, 0, 255);
      }
      pixel[3] = 255;
    }
  }
  return pixels;
}

/* Creates frames. The input has the first rows of @pixels, whose width is
 * @width, or a test picture if @pixels is NULL. */
static Frames *
frames_new (const OclFormat * format, gint width, gint height,
    const guint8 * pixels)
{
  Frames *self = g_new0 (Frames, 1);

  self->format = format;
  self->width = width;
  self->height = height;
  self->pixels = pixels ? g_memdup2 (pixels, (gsize) width * height * 4)
      : draw_picture (width, height);
  return self;
}

static void
frames_free (Frames * self)
{
  for (guint i = 0; i < OCL_N_STORAGES; i++) {
    ocl_frame_clear (&self->input[i]);
    ocl_frame_clear (&self->output[i]);
  }
  g_free (self->pixels);
  g_free (self->written);
  g_free (self);
}

/* Returns the level of the sample at x, y of the only channel of @pass. */
static guint
get_level (const Frames * self, const OclPass * pass, gint x, gint y)
{
  const gint right = MIN ((x + 1) << pass->x_shift, self->width);
  const gint bottom = MIN ((y + 1) << pass->y_shift, self->height);
  gdouble sum = 0.0;
  gint n = 0;

  for (gint j = y << pass->y_shift; j < bottom; j++) {
    for (gint i = x << pass->x_shift; i < right; i++, n++) {
      const guint8 *pixel = self->pixels + ((gsize) j * self->width + i) * 4;

      if (pass->first_channel == OCL_CHANNEL_ALPHA)
        sum += pixel[3] * (ocl_format_get_max_level (self->format) / 255.0);
      else
        sum += ocl_format_convert_color (self->format, &colorimetry,
            (guint) pixel[0] << 16 | (guint) pixel[1] << 8
            | pixel[2]).s[pass->first_channel];
    }
  }
  return rint (sum / n);
}

/* Sets the samples of a channel in @bytes, which are a plane of @frame. */
static void
convert_channel (const Frames * self, const OclFrame * frame, guint channel,
    guint8 * bytes)
{
  const OclFormat *format = self->format;
  const OclChannel *where = &format->channels[channel];
  const gsize row_bytes =
      ocl_frame_info_get_row_bytes (&frame->info, where->plane);
  const gboolean is_difference = format->model == OCL_MODEL_YCBCR
      && channel != OCL_CHANNEL_LUMA && channel != OCL_CHANNEL_ALPHA;
  const OclPass pass = {.first_channel = channel,.n_channels = 1,
    .x_shift = is_difference ? format->chroma_x_shift : 0,
    .y_shift = is_difference ? format->chroma_y_shift : 0,
  };

  for (gint y = 0; y < ocl_pass_get_height (&pass, &frame->info); y++) {
    guint8 *row = bytes + y * row_bytes;

    for (gint x = 0; x < ocl_pass_get_width (&pass, &frame->info); x++) {
      const guint component = get_level (self, &pass, x, y) << format->shift;
      const gsize n = (gsize) x * where->step + where->offset;

      if (format->component_bytes == 1)
        row[n] = component;
      else
        ((guint16 *) row)[n] = component;
    }
  }
}

/* Creates the input in buffers, from which the input in images is copied. */
static gboolean
frames_ensure_buffer (Frames * self, OclContext * context,
    const OclFrameInfo * info, GError ** error)
{
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];

  if (buffer->planes[0].memory)
    return TRUE;
  if (!ocl_frame_ensure (buffer, context, info, error))
    return FALSE;
  for (guint i = 0; i < self->format->n_planes; i++) {
    const gsize size = ocl_frame_get_size (buffer, i);
    g_autofree guint8 *bytes =
        self->format == OCL_FORMAT_RGBA ? NULL : g_malloc0 (size);

    for (guint c = 0; bytes && c < OCL_N_CHANNELS; c++) {
      if (self->format->channels[c].step > 0
          && self->format->channels[c].plane == i)
        convert_channel (self, buffer, c, bytes);
    }
    if (!ocl_check (clEnqueueWriteBuffer (context->queue,
                buffer->planes[i].memory, CL_TRUE, 0, size,
                bytes ? bytes : self->pixels, 0, NULL, NULL),
            "clEnqueueWriteBuffer", error))
      return FALSE;
  }
  return TRUE;
}

/* Checks that the device supports images for all planes. */
static gboolean
frames_check_images (const Frames * self, OclContext * context, GError ** error)
{
  const OclDevice *device = context->device;
  gboolean supported = TRUE;

  if (device->image_max_width < (gsize) self->width
      || device->image_max_height < (gsize) self->height) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device does not support images of this size");
    return FALSE;
  }
  if (self->format->buffers_only) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "no kernel supports images of %s", self->format->name);
    return FALSE;
  }
  for (guint i = 0; supported && i < self->format->n_planes; i++) {
    if (!ocl_context_supports_image (context,
            ocl_format_get_image_format (self->format, i), &supported, error))
      return FALSE;
  }
  if (!supported)
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "the device does not support images of %s", self->format->name);
  return supported;
}

/* Creates the frames of @storage on the device, unless they exist, uploads the
 * input, and waits for the upload. The colorimetry is that of ITU-R BT.709,
 * limited range. A sample of a colour difference is the mean of the differences
 * of all pixels that it covers. Fails with OCL_ERROR_NOT_SUPPORTED if the
 * device has no such frames, or with OCL_ERROR_FAILED. */
static gboolean
frames_upload (Frames * self, OclContext * context, OclStorage storage,
    GError ** error)
{
  const OclFrameInfo info = {.format = self->format,.width = self->width,
    .height = self->height,.colorimetry = colorimetry
  };
  OclFrameInfo own = info;
  OclFrame *buffer = &self->input[OCL_STORAGE_BUFFER];
  OclFrame *input = &self->input[storage];
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  if (self->output[storage].planes[0].memory)
    return TRUE;
  own.storage = storage;
  const gboolean ok = (input == buffer
      || frames_check_images (self, context, error))
      && frames_ensure_buffer (self, context, &info, error)
      && ocl_frame_ensure (input, context, &own, error)
      && (input == buffer || ocl_frame_enqueue_copy (context, buffer, input,
          timer, error))
      && ocl_frame_ensure (&self->output[storage], context, &own, error);
  return ocl_context_finish (context, ok ? error : NULL) && ok;
}

GArray *
runner_variant_list (const OclOperationClass * klass)
{
  GArray *variants = g_array_new (FALSE, FALSE, sizeof (RunnerVariant));

  for (guint i = 0; ocl_operations[i]; i++) {
    RunnerVariant variant = {.klass = ocl_operations[i],
      .name = RUNNER_VARIANT_AUTO
    };

    if (klass && klass != variant.klass)
      continue;
    g_array_append_val (variants, variant);
    for (guint j = 0; variant.klass->variants[j]; j++) {
      variant.variant = variant.klass->variants[j];
      variant.name = variant.variant->name;
      g_array_append_val (variants, variant);
    }
    variant.variant = NULL;
    variant.plain_c = plain_c_find (variant.klass->name);
    for (guint j = 0; variant.plain_c && j < 2; j++) {
      variant.threads = j == 1;
      variant.name = variant.threads ? "openmp" : "serial";
      g_array_append_val (variants, variant);
    }
  }
  return variants;
}

gboolean
runner_variant_parse (const OclOperationClass * klass, const gchar * option,
    const gchar * text, RunnerVariant * variant)
{
  g_autoptr (GArray) variants = runner_variant_list (klass);
  g_autofree const gchar **names = g_new0 (const gchar *, variants->len + 1);

  for (guint i = 0; i < variants->len; i++)
    names[i] = g_array_index (variants, RunnerVariant, i).name;
  const gint n = tool_find_name (option, text, names);
  if (n >= 0)
    *variant = g_array_index (variants, RunnerVariant, n);
  return n >= 0;
}

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  ocl_graph_set (&kept->graph, NULL);
  ocl_result_clear (&kept->result, ocl_filter_get_context (kept->filter));
  ocl_filter_unref (kept->filter);
  g_free (kept);
}

static void
pyramid_clear (Pyramid * self)
{
  g_clear_pointer (&self->kernels, ocl_kernels_unref);
  ocl_pyramid_levels_clear (&self->input);
  ocl_pyramid_levels_clear (&self->output);
}

Runner *
runner_new (OclContext * context, guint8 * pixels)
{
  Runner *self = g_new0 (Runner, 1);

  self->context = ocl_context_ref (context);
  self->timer = ocl_timer_new ();
  self->pixels = pixels;
  self->frames = g_ptr_array_new_with_free_func ((GDestroyNotify) frames_free);
  self->kept = g_ptr_array_new_with_free_func (kept_free);
  return self;
}

void
runner_free (Runner * self)
{
  g_ptr_array_unref (self->kept);
  g_ptr_array_unref (self->frames);
  pyramid_clear (&self->pyramid);
  g_free (self->host_result);
  g_free (self->pixels);
  ocl_timer_free (self->timer);
  ocl_context_unref (self->context);
  g_free (self);
}

static Frames *
runner_get_frames (Runner * self, const RunnerCase * item)
{
  for (guint i = 0; i < self->frames->len; i++) {
    Frames *frames = self->frames->pdata[i];

    if (frames->format == item->format && frames->width == item->width
        && frames->height == item->height)
      return frames;
  }
  g_ptr_array_add (self->frames, frames_new (item->format, item->width,
          item->height, self->pixels));
  return self->frames->pdata[self->frames->len - 1];
}

static Kept *
runner_get_kept (Runner * self, const RunnerCase * item)
{
  const OclOperationList list = OCL_SINGLE (item->variant.klass, item->params);
  const OclVariant *variant = item->variant.variant;

  for (guint i = 0; i < self->kept->len; i++) {
    Kept *kept = self->kept->pdata[i];

    if (ocl_filter_get_class (kept->filter, 0) == item->variant.klass
        && kept->variant == variant && (!variant
            || memcmp (&kept->tuning, &item->tuning, sizeof (OclTuning)) == 0))
      return kept;
  }

  Kept *kept = g_new0 (Kept, 1);
  kept->variant = variant;
  kept->tuning = item->tuning;
  kept->filter = ocl_filter_new (&list, self->context);
  if (variant)
    ocl_filter_force (kept->filter, 0, variant, &item->tuning);
  g_ptr_array_add (self->kept, kept);
  return kept;
}

/* Creates the kernels and frames of @item, which is not for a pyramid. */
static gboolean
runner_prepare (Runner * self, const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const OclStorage storage = item->storage;
  Frames *frames = runner_get_frames (self, item);
  Kept *kept = runner_get_kept (self, item);
  const OclOperationList list = OCL_SINGLE (item->variant.klass, item->params);

  if (!frames_upload (frames, self->context, storage, error))
    return FALSE;
  g_autoptr (OclGraph) graph = ocl_filter_get_graph (kept->filter,
      &frames->input[storage].info, &list, error);
  ocl_graph_set (&kept->graph, graph);
  if (!graph)
    return FALSE;
  /* A result that is only drawn needs content. */
  if (klass->result_size > 0 && !kept->result.device.memory
      && (!ocl_result_ensure (&kept->result, self->context,
              klass->result_size, error)
          || (!(klass->flags & OCL_OPERATION_READS)
              && !ocl_memory_enqueue_fill (&kept->result.device, self->context,
                  DRAWN_WORD, 0, klass->result_size, self->timer, error))))
    return FALSE;
  /* Operations that only write change the existing frame. */
  return (klass->flags & OCL_OPERATION_FILTERS) != OCL_OPERATION_WRITES
      || ocl_frame_enqueue_copy (self->context, &frames->input[storage],
      &frames->output[storage], self->timer, error);
}

static gboolean
runner_enqueue (Runner * self, const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean reads = klass->flags & OCL_OPERATION_READS;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  const guint n_later =
      ocl_operation_class_get_neighbours (klass, item->params).n_later;
  Frames *frames = runner_get_frames (self, item);
  Kept *kept = runner_get_kept (self, item);
  const OclOperationList list = OCL_SINGLE (item->variant.klass, item->params);
  OclRun run = {
    .input = reads ? &frames->input[item->storage] : NULL,
    .output = writes ? &frames->output[item->storage] : NULL,
    .result = klass->result_size > 0 ? &kept->result : NULL,
    .timer = self->timer,
  };

  if (n_later > 0) {
    OclRun taking = run;

    taking.output = NULL;
    if (!ocl_filter_enqueue (kept->filter, kept->graph, &list, &taking, error))
      return FALSE;
    run.input = NULL;
    run.age = MIN (n_later, ocl_filter_count_kept (kept->filter) - 1);
  }
  return ocl_filter_enqueue (kept->filter, kept->graph, &list, &run, error)
      && (!reads || klass->result_size == 0
      || ocl_result_enqueue_read (&kept->result, self->context,
          klass->result_size, self->timer, error));
}

/* Waits until @noise has been read. */
static gboolean
pyramid_write (Pyramid * self, OclContext * context, guint octave, guint image,
    const cl_float * noise, GError ** error)
{
  const OclFrame *frame = ocl_pyramid_levels_get (&self->input, octave, image);
  const OclPlane *plane = &frame->planes[0];
  const gboolean is_buffer = self->item.storage == OCL_STORAGE_BUFFER;
  const size_t unit = is_buffer ? 1 : sizeof (cl_float);
  const size_t nowhere[3] = { 0, 0, 0 };
  const size_t start[3] = { plane->offset * unit, 0, 0 };
  const size_t bytes[3] =
      { frame->info.width * sizeof (cl_float), frame->info.height,
    1
  };
  /* For an array the offset is the layer. */
  const size_t origin[3] = { 0, 0, plane->offset };
  const size_t region[3] = { frame->info.width, frame->info.height, 1 };

  if (is_buffer || self->item.storage == OCL_STORAGE_IMAGE_BUFFER)
    return ocl_check (clEnqueueWriteBufferRect (context->queue,
            is_buffer ? plane->memory : self->input.buffers->pdata[octave],
            CL_TRUE, start, nowhere, bytes, plane->stride * unit, 0, 0, 0,
            noise, 0, NULL, NULL), "clEnqueueWriteBufferRect", error);
  return ocl_check (clEnqueueWriteImage (context->queue, plane->memory,
          CL_TRUE, origin, region, 0, 0, noise, 0, NULL, NULL),
      "clEnqueueWriteImage", error);
}

/* Creates the pyramid and the kernels of @item. */
static gboolean
runner_prepare_pyramid (Runner * self, const RunnerCase * item, GError ** error)
{
  Pyramid *pyramid = &self->pyramid;
  const RunnerCase *last = &pyramid->item;
  const OclVariant *variant = item->variant.variant;
  const OclStorage storage = item->storage;

  if (pyramid->kernels && last->variant.variant == variant
      && memcmp (&last->tuning, &item->tuning, sizeof (OclTuning)) == 0
      && last->storage == storage && last->width == item->width
      && last->height == item->height && last->n_octaves == item->n_octaves
      && last->n_images == item->n_images)
    return TRUE;
  pyramid_clear (pyramid);
  if (variant->flags & OCL_VARIANT_BUFFERS_ONLY
      && storage != OCL_STORAGE_BUFFER) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "this variant supports buffers only");
    return FALSE;
  }
  pyramid->item = *item;
  pyramid->pass = (OclPass) {
  .n_channels = 1};
  ocl_pyramid_levels_init_format (&pyramid->format, ocl_format_find ("GRAY8"),
      &pyramid->pass, storage, FALSE);
  for (guint i = 0; i < 2; i++) {
    if (!ocl_pyramid_levels_ensure (i == 0 ? &pyramid->input : &pyramid->output,
            self->context, storage, &pyramid->format, &pyramid->pass,
            item->width, item->height, item->n_octaves, item->n_images, error))
      return FALSE;
  }

  const gsize n = (gsize) item->width * item->height;
  g_autofree cl_float *noise = g_new (cl_float, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  for (gsize i = 0; i < n; i++)
    noise[i] = g_rand_int_range (random, 0, 256);
  for (guint i = 0; i < item->n_octaves * item->n_images; i++) {
    if (!pyramid_write (pyramid, self->context, i / item->n_images,
            i % item->n_images, noise, error))
      return FALSE;
  }
  const OclBuild build = {.format = &pyramid->format,.storage = storage,
    .pass = pyramid->pass,.tuning = item->tuning
  };
  pyramid->kernels = ocl_kernels_new (self->context, variant, &build, error);
  return pyramid->kernels != NULL;
}

/* Enqueues the operation on every image. */
static gboolean
runner_enqueue_pyramid (Runner * self, const RunnerCase * item, GError ** error)
{
  Pyramid *pyramid = &self->pyramid;
  g_autofree gpointer derived = ocl_operation_class_derive (item->variant.klass,
      item->params, &pyramid->pass);

  for (guint i = 0; i < item->n_octaves * item->n_images; i++) {
    const guint octave = i / item->n_images;
    const guint image = i % item->n_images;
    const OclRun run = {
      .params = item->params,.derived = derived,.pass = &pyramid->pass,
      .input = ocl_pyramid_levels_get (&pyramid->input, octave, image),
      .output = ocl_pyramid_levels_get (&pyramid->output, octave, image),
      .timer = self->timer,
    };

    if (!ocl_kernels_enqueue (pyramid->kernels, &run, error))
      return FALSE;
  }
  return TRUE;
}

/* From a monotonic clock. */
static gdouble
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static gboolean
runner_enqueue_case (Runner * self, const RunnerCase * item, GError ** error)
{
  return item->n_octaves > 0 ? runner_enqueue_pyramid (self, item, error)
      : runner_enqueue (self, item, error);
}

static gboolean
runner_run_on_device (Runner * self, const RunnerCase * item,
    RunnerTimes * times, GError ** error)
{
  guint64 nanoseconds[OCL_TIMER_N_KINDS] = { 0 };
  gboolean ok = item->n_octaves > 0 ? runner_prepare_pyramid (self, item, error)
      : runner_prepare (self, item, error);

  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_timer_reset (self->timer);
  if (!ok)
    return FALSE;

  if (self->openmp_is_awake)
    g_usleep (OPENMP_REST);
  self->openmp_is_awake = FALSE;
  if (self->keeps_busy) {
    ok = runner_enqueue_case (self, item, error);
    ocl_timer_reset (self->timer);
  }
  const gdouble start = get_milliseconds ();
  ok = ok && runner_enqueue_case (self, item, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  times->wall = get_milliseconds () - start;
  ok = ok && ocl_timer_read (self->timer, nanoseconds, error);
  ocl_timer_reset (self->timer);
  times->kernel = nanoseconds[OCL_TIMER_KERNEL] / 1e6;
  times->transfer = nanoseconds[OCL_TIMER_TRANSFER] / 1e6;
  return ok;
}

static void
runner_run_on_host (Runner * self, const RunnerCase * item, RunnerTimes * times)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean threads = item->variant.threads;
  const gboolean writes = klass->flags & OCL_OPERATION_WRITES;
  Frames *frames = runner_get_frames (self, item);

  if (!writes)
    self->host_result = g_realloc (self->host_result, klass->result_size);
  else if (!frames->written)
    frames->written = g_malloc0 ((gsize) item->width * item->height * 4);
  const gdouble start = get_milliseconds ();
  item->variant.plain_c->run (item->params, threads, frames->pixels,
      writes ? frames->written : self->host_result, item->width, item->height);
  times->wall = get_milliseconds () - start;
  self->openmp_is_awake = threads;
  times->kernel = times->wall;
  times->transfer = 0.0;
}

/* Returns whether the forced variant can compute all passes. */
static gboolean
supports (const RunnerCase * item)
{
  const OclVariant *variant = item->variant.variant;
  OclPass passes[OCL_MAX_PASSES];
  const guint n_passes = ocl_operation_class_get_passes (item->variant.klass,
      item->params, item->format, passes);

  for (guint i = 0; variant && variant->supports && i < n_passes; i++) {
    if (!variant->supports (item->params, item->format, &passes[i]))
      return FALSE;
  }
  return !item->variant.plain_c
      || plain_c_supports (item->variant.klass, item->params);
}

/* Checks that there is something to run. */
static gboolean
check_case (const RunnerCase * item, GError ** error)
{
  const OclOperationClass *klass = item->variant.klass;
  const gboolean is_legal =
      ocl_operation_class_check (klass, item->params, item->format, NULL);
  g_autofree gchar *illegal = g_strdup_printf
      ("these settings do not support %s", item->format->name);
  const struct
  {
    gboolean applies;
    const gchar *text;
  } reasons[] = {
    {ocl_operation_class_is_neutral (klass, item->params),
        "with these settings frames are unchanged"},
    {item->variant.plain_c && item->format != OCL_FORMAT_RGBA,
        "plain C supports RGBA only"},
    {!is_legal, illegal},
    {is_legal && !supports (item),
        "this variant does not support these settings"},
    {item->n_octaves == 0 && item->storage >= OCL_N_STORAGES,
        "this storage requires --octaves"},
    {item->n_octaves > 0 && (!item->variant.variant
              || !ocl_operation_class_filters (klass)
              || klass->result_size > 0),
        "--octaves requires variants of filters"},
    {item->variant.threads && !HAS_OPENMP,
        "this glopencl was built without OpenMP"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++) {
    if (reasons[i].applies) {
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          reasons[i].text);
      return FALSE;
    }
  }
  return TRUE;
}

gint
runner_case_get_diameter (const RunnerCase * item)
{
  const OclOperationClass *klass = item->variant.klass;

  return klass->get_reach ? 2 * klass->get_reach (item->params) + 1 : 1;
}

gboolean
runner_run (Runner * self, const RunnerCase * item, RunnerTimes * times,
    GError ** error)
{
  if (!check_case (item, error))
    return FALSE;
  if (!item->variant.plain_c)
    return runner_run_on_device (self, item, times, error);
  runner_run_on_host (self, item, times);
  return TRUE;
}

gboolean
runner_warm_up (Runner * self, const RunnerCase * item, gdouble max_seconds,
    GError ** error)
{
  const gint diameter = runner_case_get_diameter (item);
  RunnerCase probe = *item;
  RunnerTimes times;
  gdouble seconds = G_MAXDOUBLE;

  probe.height = CLAMP (PROBE_TAPS / item->width / diameter / diameter, 1,
      item->height);
  /* The first run warms up. */
  for (guint i = 0; i < PROBES && item->n_octaves == 0; i++) {
    if (!runner_run (self, &probe, &times, error))
      return FALSE;
    seconds = MIN (seconds, times.wall / 1e3 * item->height / probe.height);
  }
  if (item->n_octaves == 0 && seconds > max_seconds) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "a frame would take about %.3g s", seconds);
    return FALSE;
  }
  if (!runner_run (self, item, &times, error))
    return FALSE;
  if (item->variant.plain_c || item->variant.variant)
    return TRUE;
  /* Frames of a stream soon have the best kernels. Threads do not build forced
   * variants. */
  ocl_filter_finish_builds (runner_get_kept (self, item)->filter);
  return runner_run (self, item, &times, error);
}

void
runner_keep_busy (Runner * self)
{
  self->keeps_busy = (self->context->device->type & CL_DEVICE_TYPE_GPU) != 0;
}

guint8 *
runner_read (Runner * self, const RunnerCase * item, guint plane,
    gsize * size, GError ** error)
{
  guint8 *bytes = ocl_frame_read_plane (self->context,
      &runner_get_frames (self, item)->output[item->storage], plane, size,
      self->timer, error);

  ocl_timer_reset (self->timer);
  return bytes;
}

void
runner_forget (Runner * self, const RunnerCase * item)
{
  g_ptr_array_remove_fast (self->kept, runner_get_kept (self, item));
}
