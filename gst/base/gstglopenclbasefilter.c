/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbasefilter.h"

#include "gstglopencloutputqueue.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_base_filter_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_base_filter_debug

/* Selects the settings of kernels, see ocldatabase.h: the settings for the
 * device in the database, or the default settings. */
typedef enum
{
  TUNING_AUTO,
  TUNING_OFF,
} Tuning;

/* Whether frames do not wait for the compiler. */
typedef enum
{
  QUICK_START_AUTO,
  QUICK_START_OFF,
  QUICK_START_ON,
} QuickStart;

/* Settings of every element, besides the parameters of its operation. The
 * element itself applies @in_place and @pipeline_depth, frame by frame. */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gboolean in_place;
  gint pipeline_depth;          /* -1: depends on the stream and the device */
  Tuning tuning;
  QuickStart quick_start;
} Settings;

#define OFFSET(member) G_STRUCT_OFFSET (Settings, member)

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
 * Since: 0.2
 */

/**
 * GstGLOpenCLBaseFilter:quick-start:
 *
 * Whether frames do not wait for the compiler of the device. Until kernels are
 * compiled, frames use kernels that are compiled without optimization, whose
 * output may differ by a rounding. After a change of parameters while playing,
 * they use the previous parameters. The output then depends on timing. With
 * auto, frames of live sources do not wait, and frames of files do. Frames
 * always wait for histograms, the first custom kernel, and a change of
 * lookahead.
 *
 * Since: 0.2
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
 * Since: 0.2
 */

/**
 * GstGLOpenCLBaseFilter:lag:
 *
 * The number of later frames that the result of a frame depends on, with the
 * current parameters. Each adds a frame of latency.
 *
 * Since: 0.2
 */

static const OclValue tunings[] = {
  {TUNING_AUTO, "auto",
      "The settings that glopencl tune found for the device, "
        "otherwise the defaults"},
  {TUNING_OFF, "off", "The default settings"},
  {0, NULL, NULL},
};

static const OclValues tuning_values = { "tuning", tunings };

static const OclValue quick_starts[] = {
  {QUICK_START_AUTO, "auto", "On if upstream is live"},
  {QUICK_START_OFF, "off", "Frames wait, so that their output is reproducible"},
  {QUICK_START_ON, "on", "Frames do not wait, for playback"},
  {0, NULL, NULL},
};

static const OclValues quick_start_values = { "quick-start", quick_starts };

static const OclParam settings_params[] = {
  {"interop", "How OpenCL accesses OpenGL frames. active-interop is the "
        "backend in use",
        OCL_PARAM_ENUM, OFFSET (interop),
        .values = &gst_gl_opencl_interop_modes,
      .default_value = GST_GL_OPENCL_INTEROP_AUTO,.at_start = TRUE},
  {"in-place", "Write the result into the upstream texture if it has no other "
        "users. Saves a second texture, costs a copy on the device",
      OCL_PARAM_BOOLEAN, OFFSET (in_place),.fixed = TRUE},
  {"pipeline-depth",
        "Maximum number of frames held back, so that a GPU processes "
        "several frames at a time. Each adds a frame of latency and "
        "uses the memory of two frames. -1 selects 0 if upstream is "
        "live or the device is a CPU, otherwise the fastest number, at "
        "most 2. A frame waits for the next one at most 40 ms or its "
        "own duration. Set 0 in applications that wait for each frame "
        "before sending the next one",
        OCL_PARAM_INT, OFFSET (pipeline_depth),
        .minimum = -1,.maximum = GST_GL_OPENCL_MAX_PIPELINE_DEPTH,
      .default_value = -1,.fixed = TRUE},
  {"tuning", "Settings of the kernels, such as the shape of their "
        "work-groups. They do not change the output",
        OCL_PARAM_ENUM, OFFSET (tuning),.values = &tuning_values,
      .default_value = TUNING_AUTO,.at_start = TRUE},
  {"quick-start", "Do not wait for the compiler: until kernels are compiled, "
        "use kernels without optimization, whose output may differ by a "
        "rounding, or the previous parameters",
        OCL_PARAM_ENUM, OFFSET (quick_start),.values = &quick_start_values,
      .default_value = QUICK_START_AUTO,.at_start = TRUE},
  {NULL},
};

/* Ids of the properties that are not in a table, and first ids of the
 * properties in tables. The operation's properties belong to the subclass, so
 * that their ids cannot collide with the ids of another class. */
enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_ACTIVE_INTEROP,
  PROP_ACTIVE_DEVICE,
  PROP_STATS,
  PROP_LEAD,
  PROP_LAG,
  N_PROPERTIES,
};

#define FIRST_SETTING N_PROPERTIES
#define FIRST_HISTOGRAM_PROPERTY 50
#define FIRST_OPERATION_PROPERTY 1

static void
install_properties (GObjectClass * klass)
{
  GParamSpec *properties[N_PROPERTIES] = { NULL, };

  properties[PROP_DEVICE] =
      g_param_spec_string ("device", "Device",
      "OpenCL device: gpu, cpu, an index platform:device such as "
      "0:1, or a part of a device name. If empty, the device that "
      "shares with OpenGL, otherwise the fastest type of device",
      NULL,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
  properties[PROP_ACTIVE_INTEROP] =
      g_param_spec_enum ("active-interop", "Active interop",
      "Interop backend in use. auto before caps are negotiated",
      gst_gl_opencl_properties_get_type (&gst_gl_opencl_interop_modes, FALSE),
      GST_GL_OPENCL_INTEROP_AUTO, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE_DEVICE] =
      g_param_spec_string ("active-device", "Active device",
      "Name of the OpenCL device in use. NULL before caps are "
      "negotiated", NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATS] =
      g_param_spec_boxed ("stats", "Statistics",
      "Statistics since the element started: number of filtered "
      "frames, kernel-time, transfer-time (copies only, the cost of "
      "sharing is unknown), both estimated from some of the frames, "
      "and wait-time (of the streaming thread for OpenCL) in "
      "nanoseconds, the kernel variant, whether its "
      "settings are from the database, the time of each operation of "
      "a chain, and the estimated noise of each channel", GST_TYPE_STRUCTURE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LEAD] =
      g_param_spec_uint ("lead", "Lead",
      "Number of previous frames that the result of a frame depends "
      "on, for filtering a video in parts", 0, G_MAXUINT, 0,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LAG] =
      g_param_spec_uint ("lag", "Lag",
      "Number of following frames that the result of a frame depends "
      "on. Each adds a frame of latency", 0, G_MAXUINT, 0,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
}

/* Returns caps with the formats that all of @operations and the textures of
 * @gl_context support. Textures of 16 bits need desktop GL. If @operations is
 * NULL, operations do not limit the formats. If @gl_context is NULL, the
 * context does not limit them. If @shared is TRUE, only shared textures can be
 * used, and the caps exclude formats that no driver shares. The caps allow any
 * size, and all other fields are free. May be called from any thread. */
static GstCaps *
create_caps (const OclOperationList * operations, GstGLContext * gl_context,
    gboolean shared)
{
  /* GStreamer lists the formats in a string such as "{ RGBA, BGRA }". */
  static const gchar list[] = GST_GL_MEMORY_VIDEO_FORMATS_STR;
  g_auto (GStrv) names = g_strsplit_set (list, "{}, ", -1);
  GValue formats = G_VALUE_INIT;

  gst_value_list_init (&formats, 0);
  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];
    GValue name = G_VALUE_INIT;

    if (!g_strv_contains ((const gchar * const *) names, format->name)
        || (shared && !ocl_format_has_images (format))
        || (gl_context
            && !gst_gl_opencl_caps_check_format (format, gl_context, NULL))
        || (operations && !ocl_operation_list_check (operations, format, NULL)))
      continue;
    g_value_init (&name, G_TYPE_STRING);
    g_value_set_static_string (&name, format->name);
    gst_value_list_append_and_take_value (&formats, &name);
  }

  GstCaps *caps = gst_caps_from_string ("video/x-raw("
      GST_CAPS_FEATURE_MEMORY_GL_MEMORY "), "
      "width = " GST_VIDEO_SIZE_RANGE ", height = " GST_VIDEO_SIZE_RANGE ", "
      "framerate = " GST_VIDEO_FPS_RANGE ", texture-target = (string) 2D");
  gst_caps_set_value (caps, "format", &formats);
  g_value_unset (&formats);
  return caps;
}

/* Requests @n_held more buffers in the first pool of an allocation query. */
static void
enlarge_pool (GstQuery * query, guint n_held)
{
  g_autoptr (GstBufferPool) pool = NULL;
  guint size, minimum, maximum;

  if (n_held == 0 || gst_query_get_n_allocation_pools (query) == 0)
    return;
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &minimum,
      &maximum);
  gst_query_set_nth_allocation_pool (query, 0, pool, size,
      minimum + n_held, maximum ? maximum + n_held : 0);
}

/* Returns the first pool of an allocation query, or NULL. The caller unrefs the
 * pool. */
static GstBufferPool *
get_pool (GstQuery * query)
{
  GstBufferPool *pool = NULL;

  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  return pool;
}

/* Returns whether the stream at @pad is live. */
static gboolean
is_live (GstPad * pad)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  gboolean live = FALSE;

  if (gst_pad_peer_query (pad, query))
    gst_query_parse_latency (query, &live, NULL, NULL);
  return live;
}

/* Action for a frame, stored from before_transform to transform. */
typedef enum
{
  FRAME_FORWARD,
  FRAME_READ,                   /* and then forward */
  FRAME_IN_PLACE,
  FRAME_FILTER,
} FrameAction;

static const gchar *const action_names[] = {
  [FRAME_FORWARD] = "forward",
  [FRAME_READ] = "read",
  [FRAME_IN_PLACE] = "filter in place",
  [FRAME_FILTER] = "filter",
};

typedef struct
{
  /* Properties, protected by the object lock. */
  gchar *device;
  Settings settings;
  GstGLOpenCLHistogramSettings histogram;
  GstGLOpenCLParams params;

  /* Values for the read-only properties, protected by the object lock. */
  GstGLOpenCLInteropMode active_interop;        /* AUTO: not negotiated */
  gchar *active_device;         /* NULL: not negotiated */

  GstGLOpenCLSession *session;  /* lives as long as the element */
  GstGLOpenCLOutputQueue queue;

  /* Used by the streaming thread, and by start and stop while no streaming
   * thread runs. */
  gboolean prepared;            /* for the negotiated size */
  FrameAction action;
  gboolean attach;              /* add metas to the frame */
} GstGLOpenCLBaseFilterPrivate;

/* Presets contain only the parameters of the operation, but not the files that
 * they may be read from, or the properties that a class with several operations
 * itself installed. */
static gchar **
gst_gl_opencl_base_filter_list_preset_names (GstPreset * preset)
{
  const OclOperationClass *operation =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (preset)->operation;
  const OclParam *params = operation ? operation->params : NULL;
  guint n = 0;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (preset), &n);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; params && params[i].name; i++) {
    if (!params[i].sets)
      g_ptr_array_add (names, g_strdup (params[i].name));
  }
  for (guint i = 0; !operation && i < n; i++) {
    if (specs[i]->owner_type == G_OBJECT_TYPE (preset))
      g_ptr_array_add (names, g_strdup (specs[i]->name));
  }
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

static void
gst_gl_opencl_base_filter_init_preset (gpointer interface,
    G_GNUC_UNUSED gpointer data)
{
  GstPresetInterface *preset = interface;

  preset->get_property_names = gst_gl_opencl_base_filter_list_preset_names;
  gst_gl_opencl_properties_init_preset (preset);
}

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGLOpenCLBaseFilter,
    gst_gl_opencl_base_filter, GST_TYPE_GL_FILTER,
    G_ADD_PRIVATE (GstGLOpenCLBaseFilter);
    G_IMPLEMENT_INTERFACE (GST_TYPE_PRESET,
        gst_gl_opencl_base_filter_init_preset);
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_base_filter_debug,
        "glopenclbasefilter", 0, "OpenCL filters on OpenGL textures"));

#define parent_class gst_gl_opencl_base_filter_parent_class
#define GET_PRIVATE(filter) ((GstGLOpenCLBaseFilterPrivate *) \
    gst_gl_opencl_base_filter_get_instance_private ( \
        GST_GL_OPENCL_BASE_FILTER (filter)))

/* Returns the struct with property @id of this class, and sets @param to its
 * table entry. Returns NULL if the property is not in a table. */
static gpointer
get_params (GstGLOpenCLBaseFilterPrivate * priv, guint id,
    const OclParam ** param)
{
  if (id < FIRST_SETTING)
    return NULL;
  if (id < FIRST_HISTOGRAM_PROPERTY) {
    *param = &settings_params[id - FIRST_SETTING];
    return &priv->settings;
  }
  *param = &gst_gl_opencl_histogram_params[id - FIRST_HISTOGRAM_PROPERTY];
  return &priv->histogram;
}

void
gst_gl_opencl_base_filter_update_depth (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  GST_OBJECT_LOCK (self);
  const gboolean changed =
      gst_gl_opencl_output_queue_set_pipeline_depth (&priv->queue,
      priv->settings.pipeline_depth,
      gst_gl_opencl_params_get_lookahead (&priv->params));
  GST_OBJECT_UNLOCK (self);
  if (changed)
    gst_gl_opencl_output_queue_announce (&priv->queue);
}

static void
gst_gl_opencl_base_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);
  const OclParam *param = NULL;

  GST_OBJECT_LOCK (object);
  gpointer params = get_params (priv, id, &param);
  if (params) {
    gst_gl_opencl_properties_set (param, params, object, value, NULL);
  } else if (id == PROP_DEVICE) {
    g_free (priv->device);
    priv->device = g_value_dup_string (value);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
  GST_OBJECT_UNLOCK (object);
  gst_gl_opencl_base_filter_update_depth (GST_GL_OPENCL_BASE_FILTER (object));
}

static void
gst_gl_opencl_base_filter_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);
  const OclParam *param = NULL;

  GST_OBJECT_LOCK (object);
  gpointer params = get_params (priv, id, &param);
  switch (id) {
    case PROP_DEVICE:
      g_value_set_string (value, priv->device);
      break;
    case PROP_ACTIVE_INTEROP:
      g_value_set_enum (value, priv->active_interop);
      break;
    case PROP_ACTIVE_DEVICE:
      g_value_set_string (value, priv->active_device);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_gl_opencl_session_get_stats (priv->session));
      break;
    case PROP_LEAD:
      g_value_set_uint (value, gst_gl_opencl_params_get_lead (&priv->params));
      break;
    case PROP_LAG:
      g_value_set_uint (value,
          gst_gl_opencl_params_get_lookahead (&priv->params));
      break;
    default:
      if (params)
        gst_gl_opencl_properties_get (param, params, value);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

GstGLOpenCLParams *
gst_gl_opencl_base_filter_get_params (GstGLOpenCLBaseFilter * self)
{
  return &GET_PRIVATE (self)->params;
}

void
gst_gl_opencl_base_filter_set_param (GstGLOpenCLBaseFilter * self,
    GObject * object, guint index, const GValue * value)
{
  gst_gl_opencl_params_set (&GET_PRIVATE (self)->params, object, index, value);
  gst_gl_opencl_base_filter_update_depth (self);
}

static void
gst_gl_opencl_base_filter_set_operation_property (GObject * object, guint id,
    const GValue * value, G_GNUC_UNUSED GParamSpec * pspec)
{
  gst_gl_opencl_base_filter_set_param (GST_GL_OPENCL_BASE_FILTER (object),
      object, id - FIRST_OPERATION_PROPERTY, value);
}

static void
gst_gl_opencl_base_filter_get_operation_property (GObject * object, guint id,
    GValue * value, G_GNUC_UNUSED GParamSpec * pspec)
{
  gst_gl_opencl_params_get (&GET_PRIVATE (object)->params, object,
      id - FIRST_OPERATION_PROPERTY, value);
}

/* GObject calls the setter and the getter of the class that installed a
 * property. This class is the subclass. */
void
gst_gl_opencl_base_filter_class_set_operation (GstGLOpenCLBaseFilterClass *
    klass, const OclOperationClass * operation)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  klass->operation = operation;
  object_class->set_property = gst_gl_opencl_base_filter_set_operation_property;
  object_class->get_property = gst_gl_opencl_base_filter_get_operation_property;
  gst_gl_opencl_params_install (object_class, FIRST_OPERATION_PROPERTY,
      operation);
}

/* This cannot be done in init, where the class is not yet the subclass. */
static void
gst_gl_opencl_base_filter_constructed (GObject * object)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);
  const OclOperationClass *operation =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (object)->operation;

  g_autoptr (GPtrArray) objects = g_ptr_array_new ();
  OclOperationList operations = {.id = ocl_operation_list_create_id () };

  priv->params.element = GST_ELEMENT (object);
  if (operation) {
    operations.n = 1;
    operations.items[0].klass = operation;
    operations.items[0].params = ocl_operation_class_create_params (operation);
    g_ptr_array_add (objects, object);
  }
  gst_gl_opencl_params_use (&priv->params, &operations, &objects, NULL);
  priv->session = gst_gl_opencl_session_new (GST_ELEMENT (object), !operation
      || operation->flags & OCL_OPERATION_IS_TEXT);
  gst_gl_opencl_output_queue_init (&priv->queue, GST_BASE_TRANSFORM (object),
      priv->session);
  G_OBJECT_CLASS (parent_class)->constructed (object);
}

static void
gst_gl_opencl_base_filter_finalize (GObject * object)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);

  gst_gl_opencl_output_queue_clear (&priv->queue);
  gst_gl_opencl_session_free (priv->session);
  gst_gl_opencl_params_clear (&priv->params);
  g_free (priv->device);
  g_free (priv->active_device);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

/* Sets the values of active-interop and active-device to those of the session.
 * Must not be called on the GL thread, because a notify handler could block
 * it. */
static void
gst_gl_opencl_base_filter_update_active (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  const gchar *device = gst_gl_opencl_session_get_device_name (priv->session);
  const GstGLOpenCLInteropMode interop = device
      ? gst_gl_opencl_session_get_mode (priv->session)
      : GST_GL_OPENCL_INTEROP_AUTO;

  GST_OBJECT_LOCK (self);
  const gboolean interop_changed = priv->active_interop != interop;
  const gboolean device_changed = g_strcmp0 (priv->active_device, device) != 0;
  priv->active_interop = interop;
  if (device_changed) {
    g_free (priv->active_device);
    priv->active_device = g_strdup (device);
  }
  GST_OBJECT_UNLOCK (self);

  if (interop_changed)
    g_object_notify (G_OBJECT (self), "active-interop");
  if (device_changed)
    g_object_notify (G_OBJECT (self), "active-device");
}

/* Reports a rejected parameter or a missing device before any GL is started. */
static gboolean
gst_gl_opencl_base_filter_start (GstBaseTransform * transform)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self);
  g_autofree gchar *selector = g_strdup (priv->device);
  GST_OBJECT_UNLOCK (self);

  gst_gl_opencl_output_queue_start (&priv->queue);
  gst_gl_opencl_session_reset_stats (priv->session);
  const gboolean legal = gst_gl_opencl_params_start (&priv->params, &error);
  g_autoptr (GPtrArray) devices = legal ? ocl_device_list (&error) : NULL;
  g_autoptr (OclDevice) device = devices
      ? ocl_device_select (devices, selector, &error) : NULL;
  if (!device) {
    gst_gl_opencl_output_queue_post_error (&priv->queue, error);
    gst_gl_opencl_params_stop (&priv->params);
    return FALSE;
  }
  if (GST_BASE_TRANSFORM_CLASS (parent_class)->start (transform))
    return TRUE;
  gst_gl_opencl_params_stop (&priv->params);
  return FALSE;
}

static gboolean
gst_gl_opencl_base_filter_stop (GstBaseTransform * transform)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  gst_gl_opencl_output_queue_stop (&priv->queue);
  gst_gl_opencl_session_close (priv->session);
  priv->prepared = FALSE;
  gst_gl_opencl_params_stop (&priv->params);
  gst_gl_opencl_base_filter_update_active (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (transform);
}

/* Opens the session on the current GL context of the element, unless it is
 * open. After the application sets another GL display, nothing is prepared.
 * gl_start and gl_stop do not open the session: they run on a GL thread, which
 * a frame in flight may be waiting for. */
static gboolean
gst_gl_opencl_base_filter_open (GstGLOpenCLBaseFilter * self, GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GstGLContext) gl_context =
      gst_gl_base_filter_get_gl_context (GST_GL_BASE_FILTER (self));

  if (gst_gl_opencl_session_is_open (priv->session, gl_context))
    return TRUE;

  gst_gl_opencl_output_queue_drain (&priv->queue);
  gst_gl_opencl_session_close (priv->session);
  priv->prepared = FALSE;

  GST_OBJECT_LOCK (self);
  g_autofree gchar *selector = g_strdup (priv->device);
  GstGLOpenCLRequest request = {
    .mode = priv->settings.interop,.selector = selector,
    .uses_database = priv->settings.tuning == TUNING_AUTO,
  };
  const QuickStart quick_start = priv->settings.quick_start;
  GST_OBJECT_UNLOCK (self);
  request.is_live = is_live (GST_BASE_TRANSFORM_SINK_PAD (self));
  request.quick = quick_start == QUICK_START_ON
      || (quick_start == QUICK_START_AUTO && request.is_live);
  return gst_gl_opencl_session_open (priv->session, gl_context, &request,
      error);
}

/* Prepares the session for frames of the negotiated size. */
static gboolean
gst_gl_opencl_base_filter_prepare (GstGLOpenCLBaseFilter * self,
    GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  const GstVideoInfo *info = &GST_GL_FILTER (self)->out_info;
  g_autofree gchar *notice = NULL;

  priv->prepared = FALSE;
  if (!gst_gl_opencl_base_filter_open (self, error))
    return FALSE;
  GST_OBJECT_LOCK (self);
  gst_gl_opencl_session_set_operations (priv->session,
      &priv->params.operations);
  GST_OBJECT_UNLOCK (self);
  if (!gst_gl_opencl_session_set_info (priv->session, info, &notice, error))
    return FALSE;
  /* The number of frames held back depends on their source. */
  gst_gl_opencl_output_queue_set_stream (&priv->queue, info,
      is_live (GST_BASE_TRANSFORM_SINK_PAD (self)));
  gst_gl_opencl_base_filter_update_active (self);
  gst_gl_opencl_params_set_format (&priv->params,
      ocl_format_find (GST_VIDEO_INFO_NAME (info)));
  if (notice)
    GST_ELEMENT_INFO (self, RESOURCE, SETTINGS, ("%s", notice), (NULL));
  priv->prepared = TRUE;
  return TRUE;
}

/* Sets the allocator of an allocation query to the session's, and also the
 * allocator of @pool, if this is an unused pool of GL memory. @pool may be
 * NULL. If the session has no allocator, nothing changes. */
static void
gst_gl_opencl_base_filter_set_allocator (GstGLOpenCLBaseFilter * self,
    GstQuery * query, GstBufferPool * pool)
{
  GstAllocator *allocator =
      gst_gl_opencl_session_get_allocator (GET_PRIVATE (self)->session);
  GstAllocationParams params;

  if (!allocator)
    return;
  /* GstBaseTransform configures the offered pool with the allocator of the
   * query. */
  gst_allocation_params_init (&params);
  if (gst_query_get_n_allocation_params (query) > 0) {
    gst_query_parse_nth_allocation_param (query, 0, NULL, &params);
    gst_query_set_nth_allocation_param (query, 0, allocator, &params);
  } else {
    gst_query_add_allocation_param (query, allocator, &params);
  }
  if (!pool || G_OBJECT_TYPE (pool) != GST_TYPE_GL_BUFFER_POOL
      || gst_buffer_pool_is_active (pool))
    return;

  GstStructure *config = gst_buffer_pool_get_config (pool);
  if (!gst_buffer_pool_config_get_allocator (config, NULL, &params))
    gst_allocation_params_init (&params);
  gst_buffer_pool_config_set_allocator (config, allocator, &params);
  /* If the pool rejects the allocator, its frames are copied. */
  if (!gst_buffer_pool_set_config (pool, config))
    GST_INFO_OBJECT (pool, "textures are allocated as they were");
}

static gboolean
gst_gl_opencl_base_filter_propose_allocation (GstBaseTransform * transform,
    GstQuery * decide_query, GstQuery * query)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  g_autoptr (GstGLContext) gl_context =
      gst_gl_base_filter_get_gl_context (GST_GL_BASE_FILTER (self));

  /* GstGLFilter of GStreamer 1.22 assumes that there is a GL context. */
  if (!gl_context)
    return FALSE;
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (transform,
          decide_query, query))
    return FALSE;
  enlarge_pool (query,
      gst_gl_opencl_output_queue_count_frames (&GET_PRIVATE (self)->queue));
  g_autoptr (GstBufferPool) pool = get_pool (query);
  gst_gl_opencl_base_filter_set_allocator (self, query, pool);
  return TRUE;
}

static gboolean
gst_gl_opencl_base_filter_decide_allocation (GstBaseTransform * transform,
    GstQuery * query)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GstBufferPool) offered = get_pool (query);
  g_autoptr (GError) error = NULL;

  enlarge_pool (query, gst_gl_opencl_output_queue_count_frames (&priv->queue));
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (transform,
          query))
    return FALSE;
  if (!gst_gl_opencl_base_filter_prepare (self, &error)) {
    gst_gl_opencl_output_queue_post_error (&priv->queue, error);
    return FALSE;
  }
  /* Without a pool of GL memory, downstream downloads the textures. Drivers
   * download textures with imported memory slowly. */
  g_autoptr (GstBufferPool) pool = get_pool (query);
  if (offered && GST_IS_GL_BUFFER_POOL (offered))
    gst_gl_opencl_base_filter_set_allocator (self, query, pool);
  return TRUE;
}

/* The output has the size and the format of the input. The parent's default
 * offers scaling. The parent applies the filter caps. Until the pads are
 * active, all formats are offered. */
static GstCaps *
gst_gl_opencl_base_filter_transform_internal_caps (GstGLFilter * filter,
    G_GNUC_UNUSED GstPadDirection direction, GstCaps * caps,
    G_GNUC_UNUSED GstCaps * filter_caps)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (filter);
  GstGLBaseFilter *base = GST_GL_BASE_FILTER (filter);
  g_autoptr (GstGLContext) gl_context =
      gst_gl_base_filter_get_gl_context (base);
  /* OpenGL ES has no textures for some formats. */
  if (!gl_context && gst_pad_is_active (GST_BASE_TRANSFORM_SINK_PAD (filter))
      && gst_gl_base_filter_find_gl_context (base))
    gl_context = gst_gl_base_filter_get_gl_context (base);
  GST_OBJECT_LOCK (filter);
  const GstGLOpenCLInteropMode interop = priv->settings.interop;
  g_autoptr (GstCaps) possible =
      create_caps (&priv->params.operations, gl_context,
      interop == GST_GL_OPENCL_INTEROP_GL_SHARING
      || interop == GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY);
  GST_OBJECT_UNLOCK (filter);
  return gst_caps_intersect_full (caps, possible, GST_CAPS_INTERSECT_FIRST);
}

/* Updates the controlled properties of @object and its children. */
static void
sync_values (GObject * object, GstClockTime stream_time)
{
  const guint n = GST_IS_CHILD_PROXY (object)
      ? gst_child_proxy_get_children_count (GST_CHILD_PROXY (object)) : 0;

  gst_object_sync_values (GST_OBJECT (object), stream_time);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GObject) child =
        gst_child_proxy_get_child_by_index (GST_CHILD_PROXY (object), i);

    if (child)
      sync_values (child, stream_time);
  }
}

/* Makes all decisions that are made once per frame. */
static void
gst_gl_opencl_base_filter_before_transform (GstBaseTransform * transform,
    GstBuffer * buffer)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstClockTime stream_time = transform->segment.format == GST_FORMAT_TIME
      ? gst_segment_to_stream_time (&transform->segment, GST_FORMAT_TIME,
      GST_BUFFER_PTS (buffer)) : GST_CLOCK_TIME_NONE;

  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    sync_values (G_OBJECT (self), stream_time);
  gst_gl_opencl_params_look (&priv->params);
  GST_OBJECT_LOCK (self);
  gst_gl_opencl_session_snapshot (priv->session, &priv->params.operations,
      &priv->histogram,
      gst_gl_opencl_params_have_messages (&priv->params),
      &transform->segment, buffer);
  gboolean in_place = priv->settings.in_place;
  GST_OBJECT_UNLOCK (self);
  const GstGLOpenCLWork work =
      gst_gl_opencl_session_settle (priv->session, buffer);
  if (work & GST_GL_OPENCL_WORK_WRITE)
    priv->action = in_place ? FRAME_IN_PLACE : FRAME_FILTER;
  else
    priv->action = work & GST_GL_OPENCL_WORK_READ ? FRAME_READ : FRAME_FORWARD;
  GST_LOG_OBJECT (self, "%" GST_PTR_FORMAT ": %s", buffer,
      action_names[priv->action]);
  priv->attach = (work & GST_GL_OPENCL_WORK_ATTACH) != 0;
}

static GstFlowReturn
gst_gl_opencl_base_filter_prepare_output_buffer (GstBaseTransform * transform,
    GstBuffer * input, GstBuffer ** output)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (transform);

  if (priv->action == FRAME_IN_PLACE
      && !(priv->prepared
          && gst_gl_opencl_session_can_work_in_place (priv->session, input)))
    priv->action = FRAME_FILTER;

  if (priv->action == FRAME_FILTER)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer
        (transform, input, output);
  /* The copy shares the memory of the input. */
  gboolean copy = priv->action == FRAME_READ && priv->attach
      && !gst_buffer_is_writable (input);
  *output = copy ? gst_buffer_copy (input) : input;
  return GST_FLOW_OK;
}

/* Filters on the streaming thread rather than in GstGLFilter's filter_texture,
 * so that frames in host memory stay there. If the interop backend changes
 * after the output buffer was chosen, a frame that can no longer be filtered in
 * place is dropped. This affects one frame of a stream, unless the application
 * repeatedly sets GL displays. */
static GstFlowReturn
gst_gl_opencl_base_filter_transform (GstBaseTransform * transform,
    GstBuffer * input, GstBuffer * output)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  const FrameAction action = priv->action;
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow = GST_FLOW_OK;

  if (!gst_gl_opencl_session_continue (priv->session, &error)) {
    flow = GST_FLOW_ERROR;
  } else if (action != FRAME_FORWARD) {
    if (!gst_gl_opencl_base_filter_open (self, &error) || (!priv->prepared
            && !gst_gl_opencl_base_filter_prepare (self, &error))) {
      flow = GST_FLOW_ERROR;
    } else {
      flow = gst_gl_opencl_session_begin (priv->session, input,
          action == FRAME_READ ? NULL : output,
          gst_gl_opencl_output_queue_get_n_together (&priv->queue), &error);
      /* A texture that cannot be acquired changes the interop backend. */
      gst_gl_opencl_base_filter_update_active (self);
    }
  }
  if (flow == GST_FLOW_ERROR)
    gst_gl_opencl_output_queue_post_error (&priv->queue, error);
  return flow;
}

/* Begins a frame. If more frames were begun than may be held back, sets @output
 * to the oldest one. GstBaseTransform calls this function until no output is
 * set. */
static GstFlowReturn
gst_gl_opencl_base_filter_generate_output (GstBaseTransform * transform,
    GstBuffer ** output)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstBuffer *begun = NULL;

  GstFlowReturn flow =
      GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (transform,
      &begun);
  if (flow != GST_FLOW_OK) {
    gst_clear_buffer (&begun);
    return flow;
  }
  if (begun)
    gst_gl_opencl_output_queue_hold (&priv->queue, begun);
  return gst_gl_opencl_output_queue_take (&priv->queue, output);
}

static gboolean
gst_gl_opencl_base_filter_sink_event (GstBaseTransform * transform,
    GstEvent * event)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  if (gst_gl_opencl_output_queue_take_event (&priv->queue, event))
    return TRUE;
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (transform, event);
}

static gboolean
gst_gl_opencl_base_filter_query (GstBaseTransform * transform,
    GstPadDirection direction, GstQuery * query)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (transform);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query)) {
    /* The caller holds the stream lock. stop() waits for this lock after the
     * pad has begun to flush. Later queries are rejected, because they would
     * read the session while stop() closes it. */
    if (gst_gl_opencl_output_queue_is_flushing (&priv->queue))
      return FALSE;
    gst_gl_opencl_output_queue_drain (&priv->queue);
  }
  gboolean answered = GST_BASE_TRANSFORM_CLASS (parent_class)->query (transform,
      direction, query);
  if (answered && direction == GST_PAD_SRC
      && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_gl_opencl_output_queue_answer_latency (&priv->queue, query);
  return answered;
}

static void
gst_gl_opencl_base_filter_class_init (GstGLOpenCLBaseFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGLBaseFilterClass *gl_class = GST_GL_BASE_FILTER_CLASS (klass);
  g_autoptr (GstCaps) caps = create_caps (NULL, NULL, FALSE);

  object_class->set_property = gst_gl_opencl_base_filter_set_property;
  object_class->get_property = gst_gl_opencl_base_filter_get_property;
  object_class->constructed = gst_gl_opencl_base_filter_constructed;
  object_class->finalize = gst_gl_opencl_base_filter_finalize;
  install_properties (object_class);
  gst_gl_opencl_properties_install (object_class, FIRST_SETTING,
      settings_params);
  gst_gl_opencl_properties_install (object_class, FIRST_HISTOGRAM_PROPERTY,
      gst_gl_opencl_histogram_params);

  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));

  transform_class->start = GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_start);
  transform_class->stop = GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_stop);
  transform_class->propose_allocation =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_propose_allocation);
  transform_class->decide_allocation =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_decide_allocation);
  transform_class->before_transform =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_before_transform);
  transform_class->prepare_output_buffer =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_prepare_output_buffer);
  transform_class->transform =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_transform);
  transform_class->generate_output =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_generate_output);
  transform_class->sink_event =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_sink_event);
  transform_class->query = GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_query);

  gl_class->supported_gl_api =
      GST_GL_API_OPENGL | GST_GL_API_OPENGL3 | GST_GL_API_GLES2;
  /* GstGLFilter's gl_set_caps would create an unused framebuffer. */
  gl_class->gl_set_caps = NULL;

  GST_GL_FILTER_CLASS (klass)->transform_internal_caps =
      GST_DEBUG_FUNCPTR (gst_gl_opencl_base_filter_transform_internal_caps);

  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_BASE_FILTER, 0);
}

static void
gst_gl_opencl_base_filter_init (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  ocl_params_init (settings_params, &priv->settings);
  ocl_params_init (gst_gl_opencl_histogram_params, &priv->histogram);
}
