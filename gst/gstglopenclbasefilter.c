/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbasefilter.h"

#include <string.h>

#include "opencl/ocldevice.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_base_filter_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_base_filter_debug

#define DEFAULT_INTEROP GST_GL_OPENCL_INTEROP_AUTO
#define DEFAULT_BORDER OCL_BORDER_CLAMP_TO_EDGE
#define DEFAULT_BORDER_COLOR 0xff000000
#define DEFAULT_IN_PLACE FALSE
#define DEFAULT_PIPELINE_DEPTH 0

#define GL_CAPS \
    "video/x-raw(" GST_CAPS_FEATURE_MEMORY_GL_MEMORY "), " \
    "format = (string) RGBA, " \
    "width = " GST_VIDEO_SIZE_RANGE ", " \
    "height = " GST_VIDEO_SIZE_RANGE ", " \
    "framerate = " GST_VIDEO_FPS_RANGE ", " \
    "texture-target = (string) 2D"

enum
{
  PROP_0,
  PROP_DEVICE,
  PROP_INTEROP,
  PROP_ACTIVE_INTEROP,
  PROP_ACTIVE_DEVICE,
  PROP_BORDER,
  PROP_BORDER_COLOR,
  PROP_IN_PLACE,
  PROP_PIPELINE_DEPTH,
  PROP_STATS,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

/* What becomes of the frame between before_transform and transform. */
typedef enum
{
  FRAME_FORWARD,
  FRAME_READ,                   /* and forward */
  FRAME_IN_PLACE,
  FRAME_FILTER,
} FrameAction;

/* A frame that has not been pushed. */
typedef struct
{
  GstBuffer *output;            /* owned */
  gboolean begun;               /* OpenCL has it */
  const gchar *variant;         /* of the kernel, where begun */
} Flight;

typedef struct
{
  /* Properties; object lock. */
  gchar *device;
  GstGLOpenCLInteropMode interop_mode;
  OclBorder border;
  guint border_color;
  gboolean in_place;
  guint pipeline_depth;

  /* What the read-only properties tell; object lock. */
  GstGLOpenCLInteropMode active_interop;
  gchar *active_device;
  guint64 frames;
  GstGLOpenCLTimes times;
  const gchar *variant;
  GstClockTime frame_duration;  /* NONE where it is not known */

  /* Streaming thread, and start and stop, which have none beside them. */
  GstGLOpenCLInterop *interop;  /* from the first prepare */
  gboolean prepared;            /* for the negotiated size */
  FrameAction action;
  gboolean attach;              /* metas to the frame */
  gboolean begun;               /* the frame that is transformed now */
  Flight flights[GST_GL_OPENCL_MAX_FLIGHTS];    /* a ring */
  guint first_flight;           /* slot of the oldest */
  guint n_flights;
  gboolean failed;              /* an error has been posted */
} GstGLOpenCLBaseFilterPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (GstGLOpenCLBaseFilter,
    gst_gl_opencl_base_filter, GST_TYPE_GL_FILTER,
    G_ADD_PRIVATE (GstGLOpenCLBaseFilter);
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_base_filter_debug,
        "glopenclbasefilter", 0, "OpenCL filters on OpenGL textures"));

#define parent_class gst_gl_opencl_base_filter_parent_class
#define GET_PRIVATE(filter) ((GstGLOpenCLBaseFilterPrivate *) \
    gst_gl_opencl_base_filter_get_instance_private ( \
        GST_GL_OPENCL_BASE_FILTER (filter)))

GType
gst_gl_opencl_border_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {OCL_BORDER_CLAMP_TO_EDGE, "a a [a b c d] d d", "clamp-to-edge"},
    {OCL_BORDER_REFLECT, "b a [a b c d] d c", "reflect"},
    {OCL_BORDER_REFLECT_101, "c b [a b c d] c b", "reflect-101"},
    {OCL_BORDER_WRAP, "c d [a b c d] a b", "wrap"},
    {OCL_BORDER_CONSTANT, "k k [a b c d] k k, k the border-color", "constant"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLBorder", values));
  return type;
}

OclBorder
gst_gl_opencl_base_filter_get_border (GstGLOpenCLBaseFilter * self,
    guint8 color[4])
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  GST_OBJECT_LOCK (self);
  OclBorder border = priv->border;
  guint argb = priv->border_color;
  GST_OBJECT_UNLOCK (self);

  color[0] = argb >> 16;
  color[1] = argb >> 8;
  color[2] = argb;
  color[3] = argb >> 24;
  return border;
}

/* A message's first line is for the user, the rest is for developers. One
 * message from start to stop: GstBaseTransform negotiates again for the frame
 * after a failure. */
static void
gst_gl_opencl_base_filter_post_error (GstGLOpenCLBaseFilter * self,
    const GError * error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  const gchar *end = strchr (error->message, '\n');
  g_autofree gchar *text = end
      ? g_strndup (error->message, end - error->message)
      : g_strdup (error->message);
  const gchar *debug = end ? end + 1 : "no further details";

  if (priv->failed)
    return;
  priv->failed = TRUE;

  if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NO_DEVICE))
    GST_ELEMENT_ERROR (self, RESOURCE, NOT_FOUND, ("%s", text), ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_BUILD))
    GST_ELEMENT_ERROR (self, LIBRARY, INIT, ("%s", text), ("%s", debug));
  else if (g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", text), ("%s", debug));
  else
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", text), ("%s", debug));
}

static void
gst_gl_opencl_base_filter_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);
  gboolean latency = FALSE;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_DEVICE:
      g_free (priv->device);
      priv->device = g_value_dup_string (value);
      break;
    case PROP_INTEROP:
      priv->interop_mode = g_value_get_enum (value);
      break;
    case PROP_BORDER:
      priv->border = g_value_get_enum (value);
      break;
    case PROP_BORDER_COLOR:
      priv->border_color = g_value_get_uint (value);
      break;
    case PROP_IN_PLACE:
      priv->in_place = g_value_get_boolean (value);
      break;
    case PROP_PIPELINE_DEPTH:
      latency = priv->pipeline_depth != g_value_get_uint (value);
      priv->pipeline_depth = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
  if (latency)
    gst_element_post_message (GST_ELEMENT (object),
        gst_message_new_latency (GST_OBJECT (object)));
}

/* With the object lock. */
static GstStructure *
gst_gl_opencl_base_filter_create_stats (GstGLOpenCLBaseFilterPrivate * priv)
{
  return gst_structure_new ("application/x-glopencl-stats",
      "frames", G_TYPE_UINT64, priv->frames,
      "kernel-time", G_TYPE_UINT64, priv->times.kernel,
      "transfer-time", G_TYPE_UINT64, priv->times.transfer,
      "wait-time", G_TYPE_UINT64, priv->times.wait,
      "variant", G_TYPE_STRING, priv->variant ? priv->variant : "", NULL);
}

static void
gst_gl_opencl_base_filter_get_property (GObject * object, guint id,
    GValue * value, GParamSpec * pspec)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_DEVICE:
      g_value_set_string (value, priv->device);
      break;
    case PROP_INTEROP:
      g_value_set_enum (value, priv->interop_mode);
      break;
    case PROP_ACTIVE_INTEROP:
      g_value_set_enum (value, priv->active_interop);
      break;
    case PROP_ACTIVE_DEVICE:
      g_value_set_string (value, priv->active_device);
      break;
    case PROP_BORDER:
      g_value_set_enum (value, priv->border);
      break;
    case PROP_BORDER_COLOR:
      g_value_set_uint (value, priv->border_color);
      break;
    case PROP_IN_PLACE:
      g_value_set_boolean (value, priv->in_place);
      break;
    case PROP_PIPELINE_DEPTH:
      g_value_set_uint (value, priv->pipeline_depth);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_gl_opencl_base_filter_create_stats (priv));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gl_opencl_base_filter_finalize (GObject * object)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (object);

  g_free (priv->device);
  g_free (priv->active_device);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

/* Also tells who watches the properties; not on the GL thread, where a watcher
 * could block it. */
static void
gst_gl_opencl_base_filter_set_active (GstGLOpenCLBaseFilter * self,
    GstGLOpenCLInteropMode interop, const gchar * device)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  GST_OBJECT_LOCK (self);
  gboolean interop_changed = priv->active_interop != interop;
  gboolean device_changed = g_strcmp0 (priv->active_device, device) != 0;
  priv->active_interop = interop;
  if (device_changed) {
    g_free (priv->active_device);
    priv->active_device = g_strdup (device);
  }
  GST_OBJECT_UNLOCK (self);

  if (interop_changed)
    g_object_notify_by_pspec (G_OBJECT (self),
        properties[PROP_ACTIVE_INTEROP]);
  if (device_changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ACTIVE_DEVICE]);
}

/* Says before any GL is started that there is no device. */
static gboolean
gst_gl_opencl_base_filter_start (GstBaseTransform * transform)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self);
  g_autofree gchar *selector = g_strdup (priv->device);
  priv->frames = 0;
  priv->times = (GstGLOpenCLTimes) { 0, };
  priv->variant = NULL;
  GST_OBJECT_UNLOCK (self);

  priv->failed = FALSE;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclDevice) device = devices
      ? ocl_device_select (devices, selector, &error) : NULL;
  if (!device) {
    gst_gl_opencl_base_filter_post_error (self, error);
    return FALSE;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->start (transform);
}

static void
gst_gl_opencl_base_filter_close (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  priv->prepared = FALSE;
  if (!priv->interop)
    return;
  GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->close (self);
  g_clear_pointer (&priv->interop, gst_gl_opencl_interop_free);
}

/* Waits for the oldest frame that has not been pushed, and takes it out. */
static GstFlowReturn
gst_gl_opencl_base_filter_finish_first (GstGLOpenCLBaseFilter * self,
    GstBuffer ** output)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstGLOpenCLBaseFilterClass *klass =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self);
  const guint slot = priv->first_flight;
  Flight *flight = &priv->flights[slot];
  GstGLOpenCLTimes times = { 0, };
  g_autoptr (GError) error = NULL;

  priv->first_flight = (slot + 1) % GST_GL_OPENCL_MAX_FLIGHTS;
  priv->n_flights--;
  *output = g_steal_pointer (&flight->output);
  if (!flight->begun)
    return GST_FLOW_OK;

  if (!gst_gl_opencl_interop_finish (priv->interop, slot, &times, &error)) {
    gst_clear_buffer (output);
    gst_gl_opencl_base_filter_post_error (self, error);
    return GST_FLOW_ERROR;
  }
  GST_OBJECT_LOCK (self);
  priv->variant = flight->variant;
  priv->frames++;
  priv->times.kernel += times.kernel;
  priv->times.transfer += times.transfer;
  priv->times.wait += times.wait;
  GST_OBJECT_UNLOCK (self);
  if (klass->finish)
    klass->finish (self, slot, *output);
  return GST_FLOW_OK;
}

/* Forgets the frames that have not been pushed. */
static void
gst_gl_opencl_base_filter_discard (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  while (priv->n_flights > 0) {
    Flight *flight = &priv->flights[priv->first_flight];
    GstGLOpenCLTimes times = { 0, };
    g_autoptr (GError) error = NULL;

    if (flight->begun)
      gst_gl_opencl_interop_finish (priv->interop, priv->first_flight, &times,
          &error);
    gst_clear_buffer (&flight->output);
    priv->first_flight = (priv->first_flight + 1) % GST_GL_OPENCL_MAX_FLIGHTS;
    priv->n_flights--;
  }
}

/* Pushes the frames that have not been pushed. */
static void
gst_gl_opencl_base_filter_drain (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstFlowReturn flow = GST_FLOW_OK;

  while (priv->n_flights > 0 && flow == GST_FLOW_OK) {
    GstBuffer *output = NULL;

    flow = gst_gl_opencl_base_filter_finish_first (self, &output);
    if (flow == GST_FLOW_OK)
      flow = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), output);
  }
  gst_gl_opencl_base_filter_discard (self);
}

static gboolean
gst_gl_opencl_base_filter_stop (GstBaseTransform * transform)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);

  gst_gl_opencl_base_filter_discard (self);
  gst_gl_opencl_base_filter_close (self);
  gst_gl_opencl_base_filter_set_active (self, GST_GL_OPENCL_INTEROP_AUTO, NULL);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (transform);
}

/* For gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLBaseFilter *filter;
  GError **error;
} OpenJob;

static void
gst_gl_opencl_base_filter_open_on_gl_thread (GstGLContext * gl_context,
    gpointer data)
{
  OpenJob *job = data;
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (job->filter);

  GST_OBJECT_LOCK (job->filter);
  GstGLOpenCLInteropMode mode = priv->interop_mode;
  g_autofree gchar *selector = g_strdup (priv->device);
  GST_OBJECT_UNLOCK (job->filter);

  priv->interop = gst_gl_opencl_interop_new (gl_context, mode, selector,
      GST_OBJECT (job->filter), job->error);
}

/* Makes sure that there is an interop for the GL context that the element has
 * now: the application may set another GL display at any time, and then nothing
 * is prepared. Not done in gl_start and gl_stop, which run on a GL thread that
 * a frame under way may be waiting for. */
static gboolean
gst_gl_opencl_base_filter_open (GstGLOpenCLBaseFilter * self, GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GstGLContext) gl_context =
      gst_gl_base_filter_get_gl_context (GST_GL_BASE_FILTER (self));
  OpenJob job = { self, error };

  if (priv->interop
      && gst_gl_opencl_interop_get_gl_context (priv->interop) == gl_context)
    return TRUE;

  gst_gl_opencl_base_filter_drain (self);
  gst_gl_opencl_base_filter_close (self);
  if (gl_context)
    gst_gl_context_thread_add (gl_context,
        gst_gl_opencl_base_filter_open_on_gl_thread, &job);
  if (!priv->interop) {
    if (!*error)
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
          "There is no OpenGL context. Restart the pipeline.");
    return FALSE;
  }
  GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->open (self,
      gst_gl_opencl_interop_get_context (priv->interop));
  return TRUE;
}

/* Prepares the operation for the way of interop that is in use now. */
static gboolean
gst_gl_opencl_base_filter_prepare_operation (GstGLOpenCLBaseFilter * self,
    GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstGLOpenCLBaseFilterClass *klass =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self);
  OclStorage storage = gst_gl_opencl_interop_get_storage (priv->interop);
  const gchar *device =
      gst_gl_opencl_interop_get_context (priv->interop)->device->name;

  if (!klass->prepare (self, storage, error))
    return FALSE;

  GST_OBJECT_LOCK (self);
  priv->variant = klass->get_variant (self, storage);
  GST_OBJECT_UNLOCK (self);
  GST_INFO_OBJECT (self, "%s on %s", priv->variant, device);
  gst_gl_opencl_base_filter_set_active (self,
      gst_gl_opencl_interop_get_mode (priv->interop), device);
  return TRUE;
}

/* Settles everything that frames of the negotiated size need. */
static gboolean
gst_gl_opencl_base_filter_prepare (GstGLOpenCLBaseFilter * self,
    GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  const GstVideoInfo *info = &GST_GL_FILTER (self)->out_info;
  g_autofree gchar *notice = NULL;

  const GstClockTime frame_duration = info->fps_n > 0
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : GST_CLOCK_TIME_NONE;

  GST_OBJECT_LOCK (self);
  gboolean latency = priv->pipeline_depth > 0
      && priv->frame_duration != frame_duration;
  priv->frame_duration = frame_duration;
  GST_OBJECT_UNLOCK (self);
  if (latency)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_latency (GST_OBJECT (self)));

  priv->prepared = FALSE;
  if (!gst_gl_opencl_base_filter_open (self, error)
      || !gst_gl_opencl_interop_set_size (priv->interop,
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), &notice,
          error)
      || !gst_gl_opencl_base_filter_prepare_operation (self, error))
    return FALSE;
  if (notice)
    GST_ELEMENT_INFO (self, RESOURCE, SETTINGS, ("%s", notice), (NULL));
  priv->prepared = TRUE;
  return TRUE;
}

/* The frames that are held back when this is negotiated are missing in the
 * pool. */
static void
gst_gl_opencl_base_filter_enlarge_pool (GstGLOpenCLBaseFilter * self,
    GstQuery * query)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GstBufferPool) pool = NULL;
  guint size, minimum, maximum;

  GST_OBJECT_LOCK (self);
  guint depth = priv->pipeline_depth;
  GST_OBJECT_UNLOCK (self);
  if (depth == 0 || gst_query_get_n_allocation_pools (query) == 0)
    return;
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &minimum,
      &maximum);
  gst_query_set_nth_allocation_pool (query, 0, pool, size,
      minimum + depth, maximum ? maximum + depth : 0);
}

static gboolean
gst_gl_opencl_base_filter_propose_allocation (GstBaseTransform * transform,
    GstQuery * decide_query, GstQuery * query)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);

  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (transform,
          decide_query, query))
    return FALSE;
  gst_gl_opencl_base_filter_enlarge_pool (self, query);
  return TRUE;
}

static gboolean
gst_gl_opencl_base_filter_decide_allocation (GstBaseTransform * transform,
    GstQuery * query)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  g_autoptr (GError) error = NULL;

  gst_gl_opencl_base_filter_enlarge_pool (self, query);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->decide_allocation (transform,
          query))
    return FALSE;
  if (gst_gl_opencl_base_filter_prepare (self, &error))
    return TRUE;
  gst_gl_opencl_base_filter_post_error (self, error);
  return FALSE;
}

/* The same size on both sides: the parent's default offers to scale. */
static GstCaps *
gst_gl_opencl_base_filter_transform_internal_caps (GstGLFilter * filter,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter_caps)
{
  (void) filter;
  (void) direction;
  (void) filter_caps;           /* applied by the parent class */
  return gst_caps_ref (caps);
}

/* Where the next frame will be. */
static guint
gst_gl_opencl_base_filter_get_next_slot (GstGLOpenCLBaseFilterPrivate * priv)
{
  return (priv->first_flight + priv->n_flights) % GST_GL_OPENCL_MAX_FLIGHTS;
}

/* Everything that is settled once a frame is settled here. */
static void
gst_gl_opencl_base_filter_before_transform (GstBaseTransform * transform,
    GstBuffer * buffer)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;

  if (transform->segment.format == GST_FORMAT_TIME)
    stream_time = gst_segment_to_stream_time (&transform->segment,
        GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (self), stream_time);

  GstGLOpenCLWorkFlags flags =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->snapshot (self,
      gst_gl_opencl_base_filter_get_next_slot (priv), buffer);
  GST_OBJECT_LOCK (self);
  gboolean in_place = priv->in_place;
  GST_OBJECT_UNLOCK (self);
  if (flags & GST_GL_OPENCL_WORK_WRITE)
    priv->action = in_place ? FRAME_IN_PLACE : FRAME_FILTER;
  else
    priv->action = flags & GST_GL_OPENCL_WORK_READ ? FRAME_READ : FRAME_FORWARD;
  priv->attach = (flags & GST_GL_OPENCL_WORK_ATTACH) != 0;
}

static GstFlowReturn
gst_gl_opencl_base_filter_prepare_output_buffer (GstBaseTransform * transform,
    GstBuffer * input, GstBuffer ** output)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (transform);

  if (priv->action == FRAME_IN_PLACE
      && !(priv->prepared
          && gst_gl_opencl_interop_can_work_in_place (priv->interop, input)))
    priv->action = FRAME_FILTER;

  if (priv->action == FRAME_FILTER)
    return GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer
        (transform, input, output);
  /* A copy shares the memory, and with it the pixels. */
  gboolean copy = priv->action == FRAME_READ && priv->attach
      && !gst_buffer_is_writable (input);
  *output = copy ? gst_buffer_copy (input) : input;
  return GST_FLOW_OK;
}

static gboolean
gst_gl_opencl_base_filter_enqueue (const OclFrame * input,
    const OclFrame * output, OclTimer * timer, gpointer user_data,
    GError ** error)
{
  GstGLOpenCLBaseFilter *self = user_data;

  return GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->enqueue (self,
      gst_gl_opencl_base_filter_get_next_slot (GET_PRIVATE (self)), input,
      output, timer, error);
}

static gboolean
gst_gl_opencl_base_filter_enqueue_read (OclTimer * timer, gpointer user_data,
    GError ** error)
{
  GstGLOpenCLBaseFilter *self = user_data;

  return GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->enqueue_read (self,
      gst_gl_opencl_base_filter_get_next_slot (GET_PRIVATE (self)), timer,
      error);
}

/* Where the way of interop changes after the output buffer was chosen, a frame
 * that can no longer be filtered in place is dropped: one in a stream, unless
 * the application keeps setting GL displays. */
static GstFlowReturn
gst_gl_opencl_base_filter_begin (GstGLOpenCLBaseFilter * self,
    const GstGLOpenCLWork * work, GError ** error)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstGLOpenCLBaseFilterClass *klass =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self);

  if (!gst_gl_opencl_base_filter_open (self, error)
      || (!priv->prepared
          && !gst_gl_opencl_base_filter_prepare (self, error))
      || !klass->prepare (self,
          gst_gl_opencl_interop_get_storage (priv->interop), error))
    return GST_FLOW_ERROR;

  while (TRUE) {
    if (work->input == work->output
        && !gst_gl_opencl_interop_can_work_in_place (priv->interop,
            work->input))
      return GST_BASE_TRANSFORM_FLOW_DROPPED;
    if (gst_gl_opencl_interop_begin (priv->interop,
            gst_gl_opencl_base_filter_get_next_slot (priv), work, error))
      return GST_FLOW_OK;
    if (!gst_gl_opencl_interop_fall_back (priv->interop, *error))
      return GST_FLOW_ERROR;
    g_clear_error (error);
    if (!gst_gl_opencl_base_filter_prepare_operation (self, error))
      return GST_FLOW_ERROR;
  }
}

/* On the streaming thread rather than in GstGLFilter's filter_texture: what is
 * in host memory stays there. */
static GstFlowReturn
gst_gl_opencl_base_filter_transform (GstBaseTransform * transform,
    GstBuffer * input, GstBuffer * output)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstGLOpenCLBaseFilterClass *klass =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self);
  const GstGLOpenCLWork work = {
    .info = &GST_GL_FILTER (self)->out_info,
    .input = input,
    .output = priv->action == FRAME_READ ? NULL : output,
    .enqueue = gst_gl_opencl_base_filter_enqueue,
    .enqueue_read = klass->enqueue_read
        ? gst_gl_opencl_base_filter_enqueue_read : NULL,
    .user_data = self,
  };
  g_autoptr (GError) error = NULL;

  priv->begun = FALSE;
  if (priv->action == FRAME_FORWARD)
    return GST_FLOW_OK;

  GstFlowReturn flow = gst_gl_opencl_base_filter_begin (self, &work, &error);
  priv->begun = flow == GST_FLOW_OK;
  if (flow == GST_FLOW_ERROR)
    gst_gl_opencl_base_filter_post_error (self, error);
  return flow;
}

/* Begins a frame, and hands out the oldest of those begun where they are more
 * than may be held back. Called until there is none to hand out. */
static GstFlowReturn
gst_gl_opencl_base_filter_generate_output (GstBaseTransform * transform,
    GstBuffer ** output)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  g_autoptr (GstBuffer) begun = NULL;

  GstFlowReturn flow =
      GST_BASE_TRANSFORM_CLASS (parent_class)->generate_output (transform,
      &begun);
  if (flow != GST_FLOW_OK)
    return flow;
  if (begun) {
    Flight *flight =
        &priv->flights[gst_gl_opencl_base_filter_get_next_slot (priv)];

    flight->output = g_steal_pointer (&begun);
    flight->begun = priv->begun;
    if (flight->begun)
      flight->variant = GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self)->get_variant
          (self, gst_gl_opencl_interop_get_storage (priv->interop));
    priv->n_flights++;
  }

  GST_OBJECT_LOCK (self);
  guint depth = priv->pipeline_depth;
  GST_OBJECT_UNLOCK (self);
  return priv->n_flights > depth
      ? gst_gl_opencl_base_filter_finish_first (self, output) : GST_FLOW_OK;
}

/* Nothing overtakes the frames that are held back. */
static gboolean
gst_gl_opencl_base_filter_sink_event (GstBaseTransform * transform,
    GstEvent * event)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);
  GstGLOpenCLBaseFilterClass *klass =
      GST_GL_OPENCL_BASE_FILTER_GET_CLASS (self);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_gl_opencl_base_filter_discard (self);
    if (klass->flush)
      klass->flush (self);
  } else if (GST_EVENT_IS_SERIALIZED (event)) {
    gst_gl_opencl_base_filter_drain (self);
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (transform, event);
}

/* A frame that is held back is late by as much. */
static void
gst_gl_opencl_base_filter_add_latency (GstGLOpenCLBaseFilter * self,
    GstQuery * query)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);
  GstClockTime minimum, maximum;
  gboolean live;

  GST_OBJECT_LOCK (self);
  GstClockTime more = GST_CLOCK_TIME_IS_VALID (priv->frame_duration)
      ? priv->pipeline_depth * priv->frame_duration : 0;
  GST_OBJECT_UNLOCK (self);

  gst_query_parse_latency (query, &live, &minimum, &maximum);
  if (GST_CLOCK_TIME_IS_VALID (maximum))
    maximum += more;
  gst_query_set_latency (query, live, minimum + more, maximum);
}

static gboolean
gst_gl_opencl_base_filter_query (GstBaseTransform * transform,
    GstPadDirection direction, GstQuery * query)
{
  GstGLOpenCLBaseFilter *self = GST_GL_OPENCL_BASE_FILTER (transform);

  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    gst_gl_opencl_base_filter_drain (self);
  gboolean answered = GST_BASE_TRANSFORM_CLASS (parent_class)->query (transform,
      direction, query);
  if (answered && direction == GST_PAD_SRC
      && GST_QUERY_TYPE (query) == GST_QUERY_LATENCY)
    gst_gl_opencl_base_filter_add_latency (self, query);
  return answered;
}

static void
gst_gl_opencl_base_filter_create_device_properties (void)
{
  properties[PROP_DEVICE] = g_param_spec_string ("device", "Device",
      "OpenCL device: empty for the one that shares with OpenGL or else the "
      "fastest type present; gpu; cpu; an index platform:device such as 0:1; "
      "or part of a device's name", NULL,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
  properties[PROP_INTEROP] = g_param_spec_enum ("interop", "Interop",
      "How OpenCL gets at OpenGL's frames; what is in use is active-interop",
      GST_TYPE_GL_OPENCL_INTEROP_MODE, DEFAULT_INTEROP,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY);
  properties[PROP_ACTIVE_INTEROP] = g_param_spec_enum ("active-interop",
      "Active interop", "How OpenCL gets at OpenGL's frames now; auto while "
      "nothing is negotiated", GST_TYPE_GL_OPENCL_INTEROP_MODE,
      DEFAULT_INTEROP, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVE_DEVICE] = g_param_spec_string ("active-device",
      "Active device", "Name of the OpenCL device in use; NULL while nothing "
      "is negotiated", NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_IN_PLACE] = g_param_spec_boolean ("in-place", "In place",
      "Write the result into the upstream texture where nobody else uses it: "
      "needs no second texture, costs a copy on the device", DEFAULT_IN_PLACE,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING);
  properties[PROP_PIPELINE_DEPTH] = g_param_spec_uint ("pipeline-depth",
      "Pipeline depth", "Frames that may be held back, so that a device with "
      "memory of its own transfers and filters several at a time; each adds a "
      "frame of latency", 0, GST_GL_OPENCL_MAX_FLIGHTS - 1,
      DEFAULT_PIPELINE_DEPTH,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING);
  properties[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "Since the element was started: frames filtered; kernel-time, "
      "transfer-time and wait-time (the streaming thread waited for OpenCL) in "
      "nanoseconds; the kernel variant", GST_TYPE_STRUCTURE,
      G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
}

static void
gst_gl_opencl_base_filter_install_properties (GObjectClass * klass)
{
  gst_gl_opencl_base_filter_create_device_properties ();
  properties[PROP_BORDER] = g_param_spec_enum ("border", "Border",
      "What the filter reads outside the frame, for a row a b c d",
      GST_TYPE_GL_OPENCL_BORDER, DEFAULT_BORDER,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_CONTROLLABLE
      | GST_PARAM_MUTABLE_PLAYING);
  properties[PROP_BORDER_COLOR] = g_param_spec_uint ("border-color",
      "Border color", "Colour outside the frame with border=constant, as "
      "0xAARRGGBB; alpha has no effect, as alpha is not filtered", 0,
      G_MAXUINT32, DEFAULT_BORDER_COLOR,
      G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_CONTROLLABLE
      | GST_PARAM_MUTABLE_PLAYING);
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
}

static void
gst_gl_opencl_base_filter_class_init (GstGLOpenCLBaseFilterClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGLBaseFilterClass *gl_class = GST_GL_BASE_FILTER_CLASS (klass);
  static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
      GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS (GL_CAPS));
  static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
      GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS (GL_CAPS));

  object_class->set_property = gst_gl_opencl_base_filter_set_property;
  object_class->get_property = gst_gl_opencl_base_filter_get_property;
  object_class->finalize = gst_gl_opencl_base_filter_finalize;
  gst_gl_opencl_base_filter_install_properties (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);

  transform_class->start = gst_gl_opencl_base_filter_start;
  transform_class->stop = gst_gl_opencl_base_filter_stop;
  transform_class->propose_allocation =
      gst_gl_opencl_base_filter_propose_allocation;
  transform_class->decide_allocation =
      gst_gl_opencl_base_filter_decide_allocation;
  transform_class->before_transform =
      gst_gl_opencl_base_filter_before_transform;
  transform_class->prepare_output_buffer =
      gst_gl_opencl_base_filter_prepare_output_buffer;
  transform_class->transform = gst_gl_opencl_base_filter_transform;
  transform_class->generate_output =
      gst_gl_opencl_base_filter_generate_output;
  transform_class->sink_event = gst_gl_opencl_base_filter_sink_event;
  transform_class->query = gst_gl_opencl_base_filter_query;

  gl_class->supported_gl_api =
      GST_GL_API_OPENGL | GST_GL_API_OPENGL3 | GST_GL_API_GLES2;
  /* GstGLFilter's makes a framebuffer to draw to. */
  gl_class->gl_set_caps = NULL;

  GST_GL_FILTER_CLASS (klass)->transform_internal_caps =
      gst_gl_opencl_base_filter_transform_internal_caps;

  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_BASE_FILTER, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_INTEROP_MODE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_GL_OPENCL_BORDER, 0);
}

static void
gst_gl_opencl_base_filter_init (GstGLOpenCLBaseFilter * self)
{
  GstGLOpenCLBaseFilterPrivate *priv = GET_PRIVATE (self);

  priv->interop_mode = DEFAULT_INTEROP;
  priv->active_interop = GST_GL_OPENCL_INTEROP_AUTO;
  priv->border = DEFAULT_BORDER;
  priv->border_color = DEFAULT_BORDER_COLOR;
  priv->in_place = DEFAULT_IN_PLACE;
  priv->pipeline_depth = DEFAULT_PIPELINE_DEPTH;
  priv->frame_duration = GST_CLOCK_TIME_NONE;
}
