/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows how much memory is left behind by starts and stops: of a pipeline, or
 * of OpenGL and OpenCL alone, to tell a driver's part from this project's.
 *
 *   startstop gl          makes and frees an OpenGL context with a texture
 *   startstop opencl      makes and frees an OpenCL context with a queue and a
 *                         buffer
 *   startstop sharing     makes and frees an OpenGL context, an OpenCL context
 *                         that shares with it, and an image that both use
 *   startstop copying     makes and frees an OpenGL context with pixel buffers,
 *                         and for each an OpenCL context that copies from and
 *                         to the mapped pixels, and to pinned memory
 *   startstop PIPELINE    sets the pipeline to PLAYING, waits for three frames
 *                         (sync=false num-buffers=3 are up to the text), and
 *                         sets it to NULL
 *
 * Prints the resident memory in MiB after each tenth of the cycles, 60 of them
 * or as many as the environment variable CYCLES says. The connection to the
 * display stays open meanwhile, as in an application that has a window. Returns
 * 1 if anything fails.
 *
 * It uses nothing of the plugin but what a pipeline names. */

#include <CL/cl_gl.h>
#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if GST_GL_HAVE_PLATFORM_EGL
#include <gst/gl/egl/gstgldisplay_egl.h>
#endif

#define WIDTH 1280
#define HEIGHT 720
#define BYTES (4 * WIDTH * HEIGHT)

typedef struct
{
  gboolean has_gl;
  gboolean shares;
  gboolean copies;
} Parts;

static void
check (gboolean ok, const gchar * what)
{
  if (ok)
    return;
  g_printerr ("%s has failed\n", what);
  exit (1);
}

/* Returns the resident memory of this process in MiB. */
static gdouble
get_resident (void)
{
  g_autofree gchar *text = NULL;
  gulong size;
  gulong resident = 0;

  check (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL)
      && sscanf (text, "%lu %lu", &size, &resident) == 2, "/proc/self/statm");
  return resident * (gdouble) sysconf (_SC_PAGESIZE) / (1024.0 * 1024.0);
}

/* Returns the first GPU, or the first device if there is no GPU. */
static cl_device_id
find_device (cl_platform_id * platform)
{
  static const cl_device_type types[] = {
    CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL
  };
  cl_platform_id platforms[8];
  cl_uint n = 0;

  check (clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n)
      == CL_SUCCESS && n > 0, "clGetPlatformIDs");
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    for (guint k = 0; k < MIN (n, G_N_ELEMENTS (platforms)); k++) {
      cl_device_id device;

      *platform = platforms[k];
      if (clGetDeviceIDs (platforms[k], types[i], 1, &device, NULL)
          == CL_SUCCESS)
        return device;
    }
  }
  check (FALSE, "clGetDeviceIDs");
  return NULL;
}

/* Sets the properties of an OpenCL context that shares with @gl. The display's
 * owner is @gl. */
static void
add_sharing (GstGLContext * gl, cl_context_properties * properties)
{
  guintptr display = gst_gl_display_get_handle (gl->display);

  properties[0] = CL_GL_CONTEXT_KHR;
  properties[1] = (cl_context_properties) gst_gl_context_get_gl_context (gl);
  properties[2] = CL_GLX_DISPLAY_KHR;
#if GST_GL_HAVE_PLATFORM_EGL
  if (gst_gl_context_get_gl_platform (gl) == GST_GL_PLATFORM_EGL) {
    GstGLDisplayEGL *egl = gst_gl_display_egl_from_gl_display (gl->display);

    properties[2] = CL_EGL_DISPLAY_KHR;
    display = gst_gl_display_get_handle (GST_GL_DISPLAY (egl));
    gst_object_unref (egl);
  }
#endif
  properties[3] = (cl_context_properties) display;
}

/* Lets OpenCL write into @texture. */
static void
share (cl_context context, cl_command_queue queue, guint texture)
{
  const cl_float4 color = { {0.0f,} };
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { WIDTH, HEIGHT, 1 };
  cl_int status;
  cl_mem image = clCreateFromGLTexture (context, CL_MEM_READ_WRITE,
      GL_TEXTURE_2D, 0, texture, &status);

  check (status == CL_SUCCESS, "clCreateFromGLTexture");
  check (clEnqueueAcquireGLObjects (queue, 1, &image, 0, NULL, NULL)
      == CL_SUCCESS, "clEnqueueAcquireGLObjects");
  check (clEnqueueFillImage (queue, image, &color, origin, region, 0, NULL,
          NULL) == CL_SUCCESS, "clEnqueueFillImage");
  check (clEnqueueReleaseGLObjects (queue, 1, &image, 0, NULL, NULL)
      == CL_SUCCESS, "clEnqueueReleaseGLObjects");
  check (clFinish (queue) == CL_SUCCESS, "clFinish");
  check (clReleaseMemObject (image) == CL_SUCCESS, "clReleaseMemObject");
}

/* Writes to @buffer and reads it, through pinned memory and directly. */
static void
copy (cl_context context, cl_command_queue queue, cl_mem buffer, void *pixels,
    gboolean reads)
{
  cl_int status;
  cl_mem pinned = clCreateBuffer (context,
      CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, BYTES, NULL, &status);

  check (status == CL_SUCCESS, "clCreateBuffer");
  void *bytes = clEnqueueMapBuffer (queue, pinned, CL_TRUE,
      CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
  check (status == CL_SUCCESS, "clEnqueueMapBuffer");
  memset (bytes, 0, BYTES);
  check (clEnqueueWriteBuffer (queue, buffer, CL_TRUE, 0, BYTES,
          reads ? pixels : bytes, 0, NULL, NULL) == CL_SUCCESS,
      "clEnqueueWriteBuffer");
  check (clEnqueueReadBuffer (queue, buffer, CL_TRUE, 0, BYTES,
          reads ? bytes : pixels, 0, NULL, NULL) == CL_SUCCESS,
      "clEnqueueReadBuffer");
  check (clEnqueueUnmapMemObject (queue, pinned, bytes, 0, NULL, NULL)
      == CL_SUCCESS, "clEnqueueUnmapMemObject");
  check (clFinish (queue) == CL_SUCCESS, "clFinish");
  check (clReleaseMemObject (pinned) == CL_SUCCESS, "clReleaseMemObject");
}

/* Makes, uses and frees OpenCL's objects. They share with @gl unless it is
 * NULL. If there are @pixels, copies from or to them. */
static void
use_opencl (GstGLContext * gl, guint texture, void *pixels, gboolean reads)
{
  cl_context_properties properties[7] = { 0, };
  cl_platform_id platform;
  cl_device_id device = find_device (&platform);
  const cl_uint zero = 0;
  cl_int status;

  if (gl)
    add_sharing (gl, properties);
  properties[gl ? 4 : 0] = CL_CONTEXT_PLATFORM;
  properties[gl ? 5 : 1] = (cl_context_properties) platform;
  cl_context context =
      clCreateContext (properties, 1, &device, NULL, NULL, &status);
  check (status == CL_SUCCESS, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue (context, device, 0, &status);
  check (status == CL_SUCCESS, "clCreateCommandQueue");
  if (gl)
    share (context, queue, texture);
  cl_mem buffer = clCreateBuffer (context, CL_MEM_READ_WRITE, BYTES, NULL,
      &status);
  check (status == CL_SUCCESS, "clCreateBuffer");
  check (clEnqueueFillBuffer (queue, buffer, &zero, sizeof (zero), 0, BYTES, 0,
          NULL, NULL) == CL_SUCCESS, "clEnqueueFillBuffer");
  if (pixels)
    copy (context, queue, buffer, pixels, reads);
  check (clFinish (queue) == CL_SUCCESS, "clFinish");
  check (clReleaseMemObject (buffer) == CL_SUCCESS, "clReleaseMemObject");
  check (clReleaseCommandQueue (queue) == CL_SUCCESS, "clReleaseCommandQueue");
  check (clReleaseContext (context) == CL_SUCCESS, "clReleaseContext");
}

/* Lets OpenCL write to the bound texture, or read it, through a pixel buffer.
 * Called on the GL thread. */
static void
use_pixel_buffer (const GstGLFuncs * functions, GLenum target, guint texture)
{
  const gboolean reads = target == GL_PIXEL_PACK_BUFFER;
  guint buffer, frame;

  check (functions->MapBufferRange && functions->UnmapBuffer
      && functions->GenFramebuffers, "OpenGL 3");
  functions->GenBuffers (1, &buffer);
  functions->BindBuffer (target, buffer);
  functions->BufferData (target, BYTES, NULL,
      reads ? GL_STREAM_READ : GL_STREAM_DRAW);
  if (reads) {
    functions->GenFramebuffers (1, &frame);
    functions->BindFramebuffer (GL_FRAMEBUFFER, frame);
    functions->FramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
        GL_TEXTURE_2D, texture, 0);
    functions->ReadPixels (0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE,
        NULL);
    functions->BindFramebuffer (GL_FRAMEBUFFER, 0);
    functions->DeleteFramebuffers (1, &frame);
  }
  void *bytes = functions->MapBufferRange (target, 0, BYTES,
      reads ? GL_MAP_READ_BIT : GL_MAP_WRITE_BIT);
  check (bytes != NULL, "glMapBufferRange");
  use_opencl (NULL, 0, bytes, reads);
  check (functions->UnmapBuffer (target), "glUnmapBuffer");
  if (!reads)
    functions->TexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGBA,
        GL_UNSIGNED_BYTE, NULL);
  functions->BindBuffer (target, 0);
  functions->DeleteBuffers (1, &buffer);
}

/* Called on the GL thread. */
static void
use_texture (GstGLContext * gl, gpointer data)
{
  const Parts *parts = data;
  const GstGLFuncs *functions = gl->gl_vtable;
  guint texture;

  functions->GenTextures (1, &texture);
  functions->BindTexture (GL_TEXTURE_2D, texture);
  functions->TexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA,
      GL_UNSIGNED_BYTE, NULL);
  functions->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  if (parts->copies) {
    use_pixel_buffer (functions, GL_PIXEL_UNPACK_BUFFER, texture);
    use_pixel_buffer (functions, GL_PIXEL_PACK_BUFFER, texture);
  }
  functions->BindTexture (GL_TEXTURE_2D, 0);
  functions->Finish ();
  if (parts->shares)
    use_opencl (gl, texture, NULL, FALSE);
  functions->DeleteTextures (1, &texture);
  functions->Finish ();
  check (functions->GetError () == GL_NO_ERROR, "OpenGL");
}

static void
use_parts (GstGLDisplay * display, const Parts * parts)
{
  if (!parts->has_gl) {
    use_opencl (NULL, 0, NULL, FALSE);
    return;
  }
  GstGLContext *gl = gst_gl_context_new (display);
  check (gst_gl_context_create (gl, NULL, NULL), "gst_gl_context_create");
  gst_gl_context_thread_add (gl, use_texture, (gpointer) parts);
  gst_object_unref (gl);
}

static void
play (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  check (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS,
      "the pipeline");
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

int
main (int argc, char **argv)
{
  const gchar *cycles = g_getenv ("CYCLES");
  const guint n = cycles ? (guint) atoi (cycles) : 60;
  GstElement *pipeline = NULL;
  Parts parts = { FALSE, };

  gst_init (&argc, &argv);
  check (argc == 2 && n > 0,
      "usage: startstop gl|opencl|sharing|copying|PIPELINE:");
  parts.shares = g_str_equal (argv[1], "sharing");
  parts.copies = g_str_equal (argv[1], "copying");
  parts.has_gl = parts.shares || parts.copies || g_str_equal (argv[1], "gl");
  if (!parts.has_gl && !g_str_equal (argv[1], "opencl")) {
    pipeline = gst_parse_launch (argv[1], NULL);
    check (pipeline != NULL, argv[1]);
  }
  g_autoptr (GstGLDisplay) display =
      parts.has_gl ? gst_gl_display_new () : NULL;

  for (guint i = 1; i <= n; i++) {
    if (pipeline)
      play (pipeline);
    else
      use_parts (display, &parts);
    if (i % MAX (n / 10, 1) == 0)
      g_print ("%u %.1f\n", i, get_resident ());
  }
  gst_clear_object (&pipeline);
  return 0;
}
