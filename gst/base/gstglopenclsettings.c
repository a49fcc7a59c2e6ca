/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsettings.h"

#include "gstglopenclproperties.h"

#define OFFSET(member) G_STRUCT_OFFSET (GstGLOpenCLSettings, member)

/**
 * GstGLOpenCLBaseFilter:interop:
 *
 * How OpenCL accesses OpenGL's frames. With auto, OpenCL acquires the textures
 * if a trial succeeds. Otherwise pools allocate textures in memory that OpenGL
 * and OpenCL share, and frames in other textures are copied to and from shared
 * textures. If this fails as well, frames are mapped to the host.
 * #GstGLOpenCLBaseFilter:active-interop is the backend in use.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:in-place:
 *
 * Writes the result into the upstream texture if it has no other users. Needs
 * no second texture, but copies the pixels once on the device.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:pipeline-depth:
 *
 * Maximum number of frames held back, so that a GPU processes several frames at
 * a time. Each frame held back adds a frame of latency, which the element
 * reports, and uses the memory of two frames. -1 selects 0 if upstream is live
 * or the device is a CPU, otherwise the fastest number, two at most. A frame
 * waits for the next frame at most 40 ms, or its own duration if that is
 * shorter. Set 0 in applications that wait for each frame before sending the
 * next one.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:tuning:
 *
 * Selects the settings of kernels, such as the shape of their work-groups: the
 * fastest on the device, found by `glopencl tune`, if available, or the
 * defaults. They do not change the output. The field `settings` of
 * #GstGLOpenCLBaseFilter:stats names the settings in use.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:lead:
 *
 * The number of previous frames that the result of a frame depends on, with the
 * current parameters. To filter a part of a film, also filter this number of
 * frames before the part and #GstGLOpenCLBaseFilter:lag frames after it, and
 * drop their results. The frames of the part are then byte-identical to the
 * frames of the whole film.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:lag:
 *
 * The number of later frames that the result of a frame depends on, with the
 * current parameters. Each adds a frame of latency.
 *
 * Since: 0.1
 */

static const OclValue tunings[] = {
  {GST_GL_OPENCL_TUNING_AUTO, "auto",
      "The settings that glopencl tune has found for the device, or else "
        "the default ones"},
  {GST_GL_OPENCL_TUNING_OFF, "off", "The default settings"},
  {0, NULL, NULL},
};

static const OclValues tuning_values = { "tuning", tunings };

const OclParam gst_gl_opencl_settings_params[] = {
  {"interop", "How OpenCL accesses the frames of OpenGL; active-interop "
        "says which way is in use",
        OCL_PARAM_ENUM, OFFSET (interop),
        .values = &gst_gl_opencl_interop_modes,
      .default_value = GST_GL_OPENCL_INTEROP_AUTO,.at_start = TRUE},
  {"in-place", "Write the result into the texture from upstream if nobody "
        "else uses it: this saves a second texture and costs a "
        "copy on the device",
      OCL_PARAM_BOOLEAN, OFFSET (in_place),.fixed = TRUE},
  {"pipeline-depth", "How many frames may be held back so that a GPU works on "
        "several frames at a time. Each adds one frame of latency "
        "and needs the memory of two frames. -1 holds back no "
        "frame if upstream is live or the device is a CPU, and "
        "otherwise as many as is fastest, at most two. No frame "
        "waits for the next one longer than 40 ms or its own "
        "duration. An application that waits for each frame before "
        "it sends the next one sets 0",
        OCL_PARAM_INT, OFFSET (pipeline_depth),
        .minimum = -1,.maximum = GST_GL_OPENCL_MAX_BACKLOG,
      .default_value = -1,.fixed = TRUE},
  {"tuning", "Which settings kernels have, such as the shape of their "
        "work-groups; they change no picture",
        OCL_PARAM_ENUM, OFFSET (tuning),.values = &tuning_values,
      .default_value = GST_GL_OPENCL_TUNING_AUTO,.at_start = TRUE},
  {NULL},
};

void
gst_gl_opencl_settings_install (GObjectClass * klass)
{
  GParamSpec *properties[GST_GL_OPENCL_N_PROPERTIES] = { NULL, };

  properties[GST_GL_OPENCL_PROP_DEVICE] =
      g_param_spec_string ("device", "Device",
      "OpenCL device: empty for the device that shares with "
      "OpenGL, or else for the fastest type of device; gpu; cpu; "
      "an index platform:device such as 0:1; or a part of a " "device's name",
      NULL,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
  properties[GST_GL_OPENCL_PROP_ACTIVE_INTEROP] =
      g_param_spec_enum ("active-interop", "Active interop",
      "How OpenCL accesses the frames of OpenGL now; auto before "
      "frames are negotiated",
      gst_gl_opencl_properties_get_type (&gst_gl_opencl_interop_modes, FALSE),
      GST_GL_OPENCL_INTEROP_AUTO, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[GST_GL_OPENCL_PROP_ACTIVE_DEVICE] =
      g_param_spec_string ("active-device", "Active device",
      "Name of the OpenCL device in use; NULL before frames are negotiated",
      NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[GST_GL_OPENCL_PROP_STATS] =
      g_param_spec_boxed ("stats", "Statistics",
      "Statistics since the element started: filtered frames; "
      "kernel-time, transfer-time (only copies; the cost of "
      "sharing is not known) and wait-time (the streaming thread "
      "waited for OpenCL) in nanoseconds; the kernel variant; whether "
      "its settings are from the database or the default ones; the "
      "time of each operation of a chain; the noise of each "
      "channel where the element estimates it", GST_TYPE_STRUCTURE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[GST_GL_OPENCL_PROP_LEAD] =
      g_param_spec_uint ("lead", "Lead",
      "How many frames before a frame its result depends on, for filtering a "
      "film in parts", 0, G_MAXUINT, 0,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[GST_GL_OPENCL_PROP_LAG] =
      g_param_spec_uint ("lag", "Lag",
      "How many frames after a frame its result depends on; each is a frame "
      "of latency", 0, G_MAXUINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (klass, GST_GL_OPENCL_N_PROPERTIES,
      properties);
}
