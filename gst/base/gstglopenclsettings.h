/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings that every element has beside the parameters of its
 * operation. */

#pragma once

#include "frame/gstglopenclring.h"
#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLTuning:
 * @GST_GL_OPENCL_TUNING_AUTO: the settings that the database has for the device
 * @GST_GL_OPENCL_TUNING_OFF: the default settings
 *
 * Which settings kernels have, see ocldatabase.h.
 */
typedef enum
{
  GST_GL_OPENCL_TUNING_AUTO,
  GST_GL_OPENCL_TUNING_OFF,
} GstGLOpenCLTuning;

/**
 * GstGLOpenCLSettings:
 * @interop: the way of interop that the user asks for
 * @in_place: whether results are written into upstream's texture
 * @pipeline_depth: how many frames may be held back, at most
 *    GST_GL_OPENCL_MAX_BACKLOG; -1 selects
 *    gst_gl_opencl_session_get_best_backlog() if upstream is not live, else 0
 * @tuning: which settings kernels have
 *
 * Every element has these settings beside the parameters of its operation. The
 * element itself applies @in_place and @pipeline_depth, frame by frame.
 */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gboolean in_place;
  gint pipeline_depth;
  GstGLOpenCLTuning tuning;
} GstGLOpenCLSettings;

/* This table describes the members of GstGLOpenCLSettings. */
extern const OclParam gst_gl_opencl_settings_params[];

/* The ids of the properties of every element that are not in a table. Those of
 * tables follow. */
enum
{
  GST_GL_OPENCL_PROP_0,
  GST_GL_OPENCL_PROP_DEVICE,
  GST_GL_OPENCL_PROP_ACTIVE_INTEROP,
  GST_GL_OPENCL_PROP_ACTIVE_DEVICE,
  GST_GL_OPENCL_PROP_STATS,
  GST_GL_OPENCL_PROP_LEAD,
  GST_GL_OPENCL_PROP_LAG,
  GST_GL_OPENCL_N_PROPERTIES,
};

/* Installs these properties. Call it only from class_init. */
void gst_gl_opencl_settings_install (GObjectClass * klass);

G_END_DECLS
