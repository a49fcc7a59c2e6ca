/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of every element, besides the parameters of its operation. */

#pragma once

#include "frame/gstglopenclring.h"
#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLTuning:
 * @GST_GL_OPENCL_TUNING_AUTO: the settings for the device in the database
 * @GST_GL_OPENCL_TUNING_OFF: the default settings
 *
 * Selects the settings of kernels, see ocldatabase.h.
 */
typedef enum
{
  GST_GL_OPENCL_TUNING_AUTO,
  GST_GL_OPENCL_TUNING_OFF,
} GstGLOpenCLTuning;

/**
 * GstGLOpenCLSettings:
 * @interop: the interop backend that the user requested
 * @in_place: whether results are written into upstream's texture
 * @pipeline_depth: the maximum number of frames held back, up to
 *    GST_GL_OPENCL_MAX_BACKLOG. -1 selects
 *    gst_gl_opencl_session_get_best_backlog() if upstream is not live, else 0
 * @tuning: the settings of kernels
 *
 * The element itself applies @in_place and @pipeline_depth, frame by frame.
 */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gboolean in_place;
  gint pipeline_depth;
  GstGLOpenCLTuning tuning;
} GstGLOpenCLSettings;

/* Describes the members of GstGLOpenCLSettings. */
extern const OclParam gst_gl_opencl_settings_params[];

/* Ids of the properties of every element that are not in a table. The ids of
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

/* Installs these properties. Must be called from class_init. */
void gst_gl_opencl_settings_install (GObjectClass * klass);

G_END_DECLS
