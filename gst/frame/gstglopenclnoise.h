/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports how strong the noise of frames is to applications, if the operation
 * of their element estimates it (opencl/denoise/oclnoise.h): in the statistics
 * of the element and, on request, in a message for each frame.
 *
 * A session owns one. The element message, named after the element's factory
 * (`glopencldenoise-noise`), has the times of the frame, see
 * gstglopenclmessages.h, and for each channel whose noise is estimated
 *
 *   CHANNEL                        gdouble, the standard deviation of the noise
 *                                  in levels of 8 bits
 *   kind                           gchararray, what the noise of the first
 *                                  channel is like: "white", "correlated" (what
 *                                  demosaicing, scaling or film grain make) or
 *                                  "encoded" (what an encoder left)
 *
 * CHANNEL stands for red, green and blue of RGB, luma, cb and cr of Y'CbCr, and
 * luma of grey. Of interlaced frames it is the noise of the first field. */

#pragma once

#include "gstglopenclmessages.h"
#include "opencl/denoise/oclspectrum.h"
#include "opencl/graph/oclfilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLNoiseSettings:
 * @messages: whether a message is posted for each frame
 */
typedef struct
{
  gboolean messages;
} GstGLOpenCLNoiseSettings;

/* This table describes the settings. */
extern const OclParam gst_gl_opencl_noise_params[];

/**
 * GstGLOpenCLNoiseFrame:
 * @settings: the settings for this frame
 * @times: the times of the frame
 * @found: whether @result has the noise of this frame
 * @has_spectrum: whether @spectrum has its spectrum
 * @format: the format of the frame
 * @result: a copy of the OclNoiseResult
 * @spectrum: a copy of the OclSpectrumResult
 *
 * What belongs to one frame in flight. Start with a zeroed struct, end with
 * gst_gl_opencl_noise_frame_clear().
 */
typedef struct
{
  GstGLOpenCLNoiseSettings settings;
  GstGLOpenCLTimes times;
  gboolean found;
  gboolean has_spectrum;
  const OclFormat *format;
  OclResult result;
  OclResult spectrum;
} GstGLOpenCLNoiseFrame;

typedef struct _GstGLOpenCLNoise GstGLOpenCLNoise;

/* Messages come from @element, which must outlive the object. May be called
 * from any thread. */
GstGLOpenCLNoise *gst_gl_opencl_noise_new (GstElement * element);
void gst_gl_opencl_noise_free (GstGLOpenCLNoise * noise);

/* Copies @settings for the frame in @buffer, whose times are in @segment. Call
 * it on the streaming thread. */
void gst_gl_opencl_noise_frame_init (GstGLOpenCLNoiseFrame * frame,
    const GstGLOpenCLNoiseSettings * settings, const GstSegment * segment,
    GstBuffer * buffer);

/* Makes room for the noise of frames, if there is none yet. */
gboolean gst_gl_opencl_noise_frame_prepare (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl, GError ** error);

/* Releases the memory. No command may be in flight. */
void gst_gl_opencl_noise_frame_clear (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl);

/* Enqueues a copy of the noise that @filter has found for frames of @format,
 * if it has found any. Does not wait. May also be called on the GL thread. */
gboolean gst_gl_opencl_noise_frame_enqueue (GstGLOpenCLNoiseFrame * frame,
    OclFilter * filter, const OclFormat * format, OclTimer * timer,
    GError ** error);

/* Enqueues the read of the copy to the host. May also be called on the GL
 * thread. */
gboolean gst_gl_opencl_noise_frame_enqueue_read (GstGLOpenCLNoiseFrame * frame,
    OclContext * ocl, OclTimer * timer, GError ** error);

/* Keeps the noise of @frame for the statistics, and posts the message. OpenCL
 * must be done with the frame, which goes downstream in @buffer. Call it on the
 * streaming thread. */
void gst_gl_opencl_noise_emit (GstGLOpenCLNoise * noise,
    const GstGLOpenCLNoiseFrame * frame, GstBuffer * buffer);

/* Adds the field `noise` to @stats: a structure with the noise of each channel
 * of the last frame. Adds nothing if there is none. May be called from any
 * thread. */
void gst_gl_opencl_noise_add_stats (GstGLOpenCLNoise * noise,
    GstStructure * stats);

/* Forgets the noise of the last frame. May be called from any thread. */
void gst_gl_opencl_noise_reset_stats (GstGLOpenCLNoise * noise);

G_END_DECLS
