/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts frames and draws counts on a device, for the tests of histograms: what
 * these share. One thread; what fails ends the test.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images are left
 * out, for tools that run kernels on buffers only, and so are frames that such
 * tools take minutes for. */

#pragma once

#include "formatpicture.h"
#include "opencl/histogram/oclhistogram.h"
#include "picture.h"
#include "reference.h"

G_BEGIN_DECLS

#define HISTOGRAM_MAX_COUNTERS 8

/**
 * HistogramDevice:
 * @context: on the first device that there is; owned
 * @counters: an operation for each variant that counts, which it is forced to;
 *    owned
 * @n_counters: of those
 * @overlay: the operation that draws; owned
 */
typedef struct
{
  OclContext *context;
  OclOperation *counters[HISTOGRAM_MAX_COUNTERS];
  guint n_counters;
  OclOperation *overlay;
} HistogramDevice;

/* Start with the first, end with the second. */
void histogram_device_init (HistogramDevice * device);
void histogram_device_clear (HistogramDevice * device);

/* Prepares and enqueues @operation; its result has room for counts. Does not
 * wait. */
void histogram_device_enqueue (const HistogramDevice * device,
    OclOperation * operation, const OclRun * run);

/* Waits for what is enqueued, and reads the counts in @result. */
void histogram_device_read (const HistogramDevice * device,
    OclResult * result, OclTimer * timer, OclHistogramCounts * counts);

/* The counts of @frame, whatever was in their memory before: those that are
 * read, which must be those on the device. */
void histogram_device_count (const HistogramDevice * device,
    OclOperation * counter, const OclFrame * frame,
    OclHistogramCounts * counts);

/* Draws @counts on @frame, and waits for it. */
void histogram_device_draw (const HistogramDevice * device,
    const OclFrame * frame, const OclHistogramCounts * counts);

/* Any counts; those of all bins of a value sum to 32 bits at most. Always the
 * same for the same @n_bins. */
void histogram_make_random (OclHistogramCounts * counts, guint n_bins);

void histogram_assert_equal_counts (const OclHistogramCounts * actual,
    const OclHistogramCounts * expected);

/* Skips the test, where it is TRUE, as too large for tools. */
gboolean histogram_skip_for_tools (void);

/* Frames of 8 bits with red, green, blue and alpha: Picture. */

/**
 * HistogramKind:
 * @bytes: the name of the format of a picture's bytes: RGBA or BGRA
 * @format: the name of that of the frame. It differs for an image that is
 *    shared as one of RGBA.
 * @storage: of the frame
 * @bytes_swapped: of the frame
 */
typedef struct
{
  const gchar *bytes;
  const gchar *format;
  OclStorage storage;
  gboolean bytes_swapped;
} HistogramKind;

#define HISTOGRAM_N_KINDS 5

/* All there are; [0] is a buffer of RGBA. */
extern const HistogramKind histogram_kinds[HISTOGRAM_N_KINDS];

/* See picture_create_frame(). */
OclFrame histogram_kind_create_frame (const HistogramKind * kind,
    const HistogramDevice * device, Picture * picture);

void histogram_set_pixel (guint8 * pixel, guint32 rgba);

/* Any bytes, always the same for the same width. */
void histogram_fill_noise (Picture * picture);

/* Gradients, edges and noise, and parts that are too bright or too dark; always
 * the same for the same size. */
void histogram_fill_scene (Picture * picture);

/* The counts of RGBA as the reference finds them. */
void histogram_get_expected (const Picture * picture,
    OclHistogramCounts * expected);

/* All bytes, also those that are no pixel's. */
void histogram_assert_equal_pictures (const Picture * actual,
    const Picture * expected);

/* Frames of every format: FormatPicture. */

/* Whether the device has all memory for such frames, and no tool is in the
 * way. */
gboolean histogram_device_can_store (const HistogramDevice * device,
    const OclFormat * format, OclStorage storage);

/* Any bytes, also in the bits that mean nothing; @n_equal groups are the same
 * in a row, in which the next row begins anew. */
void histogram_fill_runs (FormatPicture * picture, guint n_equal);

/* What the reference takes; end with histogram_reference_clear(). */
void histogram_reference_init (ReferenceFrame * reference,
    const FormatPicture * picture);
void histogram_reference_clear (ReferenceFrame * reference);

G_END_DECLS
