/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code that the tests of histograms share: counts frames and draws counts on a
 * device. For one thread. Every failure ends the test.
 *
 * The environment variable GLOPENCL_TEST_STORAGE=buffer is for tools that run
 * kernels on buffers only. The tests then leave out images, and frames for
 * which these tools take minutes. */

#pragma once

#include "formatpicture.h"
#include "opencl/histogram/oclhistogram.h"
#include "picture.h"
#include "reference.h"

G_BEGIN_DECLS

#define HISTOGRAM_MAX_COUNTERS 8

/**
 * HistogramDevice:
 * @context: a context on the first device; owned
 * @counters: for each variant that counts, an operation that is forced to this
 *    variant; owned
 * @n_counters: number of @counters
 * @overlay: the operation that draws; owned
 */
typedef struct
{
  OclContext *context;
  OclOperation *counters[HISTOGRAM_MAX_COUNTERS];
  guint n_counters;
  OclOperation *overlay;
} HistogramDevice;

/* histogram_device_init() must come first, histogram_device_clear() last. */
void histogram_device_init (HistogramDevice * device);
void histogram_device_clear (HistogramDevice * device);

/* Prepares and enqueues @operation, and makes room for counts in its result.
 * Does not wait. */
void histogram_device_enqueue (const HistogramDevice * device,
    OclOperation * operation, const OclRun * run);

/* Reads the counts in @result, and waits for all enqueued commands. */
void histogram_device_read (const HistogramDevice * device,
    OclResult * result, OclTimer * timer, OclHistogramCounts * counts);

/* Counts @frame. Fills the result with random counts before, and checks that
 * the counts read to the host are equal to the counts on the device. */
void histogram_device_count (const HistogramDevice * device,
    OclOperation * counter, const OclFrame * frame,
    OclHistogramCounts * counts);

/* Draws @counts on @frame, and waits for it. */
void histogram_device_draw (const HistogramDevice * device,
    const OclFrame * frame, const OclHistogramCounts * counts);

/* Makes random counts. The sum over all bins of a value fits in 32 bits. The
 * counts are always equal for one @n_bins. */
void histogram_make_random (OclHistogramCounts * counts, guint n_bins);

void histogram_assert_equal_counts (const OclHistogramCounts * actual,
    const OclHistogramCounts * expected);

/* Skips the test and returns TRUE if it is too large for the tools that run
 * kernels on buffers only. */
gboolean histogram_skip_for_tools (void);

/* The following part is for frames of 8 bits with red, green, blue and alpha,
 * which use Picture. */

/**
 * HistogramKind:
 * @bytes: name of the format of the picture's bytes: RGBA or BGRA
 * @format: name of the format of the frame. It differs from @bytes for a BGRA
 *    image that is shared as an RGBA image.
 * @storage: storage of the frame
 * @bytes_swapped: bytes_swapped of the frame
 */
typedef struct
{
  const gchar *bytes;
  const gchar *format;
  OclStorage storage;
  gboolean bytes_swapped;
} HistogramKind;

#define HISTOGRAM_N_KINDS 5

/* All kinds. The first one is an RGBA buffer. */
extern const HistogramKind histogram_kinds[HISTOGRAM_N_KINDS];

/* Creates a frame of @kind, see picture_create_frame(). */
OclFrame histogram_kind_create_frame (const HistogramKind * kind,
    const HistogramDevice * device, Picture * picture);

void histogram_set_pixel (guint8 * pixel, guint32 rgba);

/* Fills the picture with random bytes, which are always equal for one width. */
void histogram_fill_noise (Picture * picture);

/* Fills the picture with gradients, edges and noise, and with parts that are
 * too bright or too dark. The picture is always equal for one size. */
void histogram_fill_scene (Picture * picture);

/* Gets the counts of an RGBA picture from the reference. */
void histogram_get_expected (const Picture * picture,
    OclHistogramCounts * expected);

/* Asserts that all bytes are equal, including the bytes around the pixels. */
void histogram_assert_equal_pictures (const Picture * actual,
    const Picture * expected);

/* The following part is for frames of every format, which use FormatPicture. */

/* Returns whether the device supports frames of @format in @storage, and the
 * tests do not leave @storage out for tools. */
gboolean histogram_device_can_store (const HistogramDevice * device,
    const OclFormat * format, OclStorage storage);

/* Fills the picture with random bytes, including the unused bits. Within a row,
 * runs of @n_equal neighbouring groups are equal. Each row starts a new
 * run. */
void histogram_fill_runs (FormatPicture * picture, guint n_equal);

/* Converts a picture to the input of the reference. The caller ends with
 * histogram_reference_clear(). */
void histogram_reference_init (ReferenceFrame * reference,
    const FormatPicture * picture);
void histogram_reference_clear (ReferenceFrame * reference);

G_END_DECLS
