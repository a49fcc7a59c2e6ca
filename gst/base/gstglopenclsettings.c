/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsettings.h"

#include "gstglopenclproperties.h"

#define OFFSET(member) G_STRUCT_OFFSET (GstGLOpenCLSettings, member)

/**
 * GstGLOpenCLBaseFilter:interop:
 *
 * How OpenCL accesses OpenGL's frames. With auto, OpenCL borrows the textures
 * if borrowing is proven to work. Otherwise pools get textures in memory that
 * OpenGL and OpenCL share, and frames in other textures are copied to and from
 * shared textures. If this does not work either, frames are mapped to the host.
 * #GstGLOpenCLBaseFilter:active-interop says which way is in use.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:in-place:
 *
 * Writes the result into the upstream texture if nobody else uses this texture.
 * No second texture is needed, but the pixels are copied once on the device.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:pipeline-depth:
 *
 * How many frames may be held back, so that a GPU works on several frames at a
 * time. Each frame held back adds a frame of latency, which the element
 * reports, and takes the memory of two frames. With -1, no frame is held back
 * if upstream is live or the device is a CPU; otherwise the fastest number is
 * held back, two at most. A frame waits for the next frame at most 40 ms, or
 * its own duration if the duration is shorter. An application that waits for
 * each frame before it sends the next one sets 0.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:tuning:
 *
 * Which settings kernels have, such as the shape of their work-groups: those
 * that `glopencl tune` has found to be the fastest on the device, if there are
 * any, or the default ones. They change no picture. The field `settings` of
 * #GstGLOpenCLBaseFilter:stats says which ones are in use.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:lead:
 *
 * How many frames before a frame its result depends on, with the present
 * parameters. To filter a part of a film, give the element this number of
 * frames before the part, and drop their results. The frames of the part are
 * then, to the byte, those of the whole film, if the element also gets
 * #GstGLOpenCLBaseFilter:lag frames after it.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:lag:
 *
 * How many frames after a frame its result depends on, with the present
 * parameters. Each of them is a frame of latency.
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
