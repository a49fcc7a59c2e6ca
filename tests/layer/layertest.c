/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests features of the test layer that the tests of elements do not cover:
 * that it reports each broken rule, and leaks.  The tests of elements cover
 * counted and failed calls, and that correct calls are not reported.
 *
 * Each case runs in a process, because the layer reads the environment once,
 * and because it reports some things only when the process ends. */

#include <CL/cl.h>
#include <CL/cl_gl.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "testlayer.h"

/* Not a multiple of any alignment. */
#define WIDTH 37
#define HEIGHT 21

#define SUCCEEDS(call) g_assert_cmpint (call, ==, CL_SUCCESS)

static EGLDisplay display;
static EGLContext gl_context;

/* The objects of a case.  It may free a member and set it to NULL. */
static struct
{
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  GLuint texture;
  cl_mem image;                 /* from the texture */
  cl_mem plain;                 /* an image of the same size, not from GL */
  cl_mem buffer;                /* of the same size */
  cl_kernel kernel;
  cl_event event;               /* of the last release */
    __typeof__ (&glopencl_layer_violations) violations;
} f;

/* Returns why there is no GL context, which is current, or NULL. */
static const char *
set_up_gl (void)
{
  static const EGLint version[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
    EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE
  };

  display = eglGetPlatformDisplay (EGL_PLATFORM_SURFACELESS_MESA,
      EGL_DEFAULT_DISPLAY, NULL);
  if (display == EGL_NO_DISPLAY || !eglInitialize (display, NULL, NULL))
    return "no EGL display without a window system";
  eglBindAPI (EGL_OPENGL_API);
  gl_context = eglCreateContext (display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
      version);
  if (gl_context == EGL_NO_CONTEXT || !eglMakeCurrent (display, EGL_NO_SURFACE,
          EGL_NO_SURFACE, gl_context))
    return "no GL context of that kind";
  return NULL;
}

#define GL(type, name) ((type) eglGetProcAddress ("gl" #name))

static void
create_texture (void)
{
  GL (PFNGLGENTEXTURESPROC, GenTextures) (1, &f.texture);
  GL (PFNGLBINDTEXTUREPROC, BindTexture) (GL_TEXTURE_2D, f.texture);
  GL (PFNGLTEXIMAGE2DPROC, TexImage2D) (GL_TEXTURE_2D, 0, GL_RGBA, WIDTH,
      HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
  GL (PFNGLBINDTEXTUREPROC, BindTexture) (GL_TEXTURE_2D, 0);
}

static void
create_kernel (void)
{
  const char *source = "kernel void fill (write_only image2d_t out) { "
      "write_imagef (out, (int2) (get_global_id (0), 0), (float4) (1.0f)); }";
  cl_program program =
      clCreateProgramWithSource (f.context, 1, &source, NULL, NULL);

  SUCCEEDS (clBuildProgram (program, 1, &f.device, "", NULL, NULL));
  f.kernel = clCreateKernel (program, "fill", NULL);
  g_assert_nonnull (f.kernel);
  clReleaseProgram (program);
}

static void
set_up (void)
{
  const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,.image_width = WIDTH,.image_height =
        HEIGHT
  };
  cl_platform_id platform;

  g_assert_null (set_up_gl ());
  SUCCEEDS (clGetPlatformIDs (1, &platform, NULL));
  SUCCEEDS (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 1, &f.device, NULL));
  const cl_context_properties properties[] = {
    CL_GL_CONTEXT_KHR, (cl_context_properties) gl_context,
    CL_EGL_DISPLAY_KHR, (cl_context_properties) display,
    CL_CONTEXT_PLATFORM, (cl_context_properties) platform, 0
  };
  /* The loader has loaded the layer by now. */
  void *library = dlopen (g_getenv ("OPENCL_LAYERS"), RTLD_NOW | RTLD_NOLOAD);
  g_assert_nonnull (library);
  f.violations = dlsym (library, "glopencl_layer_violations");
  f.context = clCreateContext (properties, 1, &f.device, NULL, NULL, NULL);
  f.queue = clCreateCommandQueue (f.context, f.device, 0, NULL);
  create_texture ();
  f.image = clCreateFromGLTexture (f.context, CL_MEM_READ_WRITE, GL_TEXTURE_2D,
      0, f.texture, NULL);
  f.plain = clCreateImage (f.context, CL_MEM_READ_WRITE, &format, &description,
      NULL, NULL);
  f.buffer = clCreateBuffer (f.context, CL_MEM_READ_WRITE, 4 * WIDTH * HEIGHT,
      NULL, NULL);
  g_assert_true (f.image && f.plain && f.buffer);
}

static void
tear_down (void)
{
  const cl_mem memory[] = { f.buffer, f.plain, f.image };

  clFinish (f.queue);
  g_clear_pointer (&f.event, clReleaseEvent);
  g_clear_pointer (&f.kernel, clReleaseKernel);
  for (guint i = 0; i < G_N_ELEMENTS (memory); i++) {
    if (memory[i] != NULL)
      clReleaseMemObject (memory[i]);
  }
  clReleaseCommandQueue (f.queue);
  clReleaseContext (f.context);
}

static gpointer
release_image (gpointer image)
{
  clReleaseMemObject (image);
  return NULL;
}

static const float red[4] = { 1, 0, 0, 1 };

static guint8 pixels[4 * WIDTH * HEIGHT];

/* Runs the step of a case that this letter stands for. */
static void
run_step (char step)
{
  static const size_t from[3] = { 0, 0, 0 }, all[3] = { WIDTH, HEIGHT, 1 };
  const cl_mem twice[] = { f.image, f.image };
  cl_command_queue other;

  switch (step) {
      /* Commands on the image */
    case '1':
      clEnqueueReadImage (f.queue, f.image, CL_TRUE, from, all, 0, 0, pixels, 0,
          NULL, NULL);
      break;
    case '2':
      clEnqueueWriteImage (f.queue, f.image, CL_TRUE, from, all, 0, 0, pixels,
          0, NULL, NULL);
      break;
    case '3':
      clEnqueueFillImage (f.queue, f.image, red, from, all, 0, NULL, NULL);
      break;
    case '4':
      clEnqueueCopyImage (f.queue, f.image, f.plain, from, from, all, 0, NULL,
          NULL);
      break;
    case '5':
      clEnqueueCopyImage (f.queue, f.plain, f.image, from, from, all, 0, NULL,
          NULL);
      break;
    case '6':
      clEnqueueCopyImageToBuffer (f.queue, f.image, f.buffer, from, all, 0, 0,
          NULL, NULL);
      break;
    case '7':
      clEnqueueCopyBufferToImage (f.queue, f.buffer, f.image, 0, from, all, 0,
          NULL, NULL);
      break;
    case '8':
      clEnqueueUnmapMemObject (f.queue, f.image, pixels, 0, NULL, NULL);
      break;
    case '9':
      if (!f.kernel)
        create_kernel ();
      clSetKernelArg (f.kernel, 0, sizeof (cl_mem), &f.image);
      break;
    case 'p':                  /* another argument in its place */
      clSetKernelArg (f.kernel, 0, sizeof (cl_mem), &f.plain);
      break;
    case 'l':
      clEnqueueNDRangeKernel (f.queue, f.kernel, 1, NULL, all, NULL, 0, NULL,
          NULL);
      break;
      /* Acquire, also after the event of the last release, and release */
    case 'a':
      clEnqueueAcquireGLObjects (f.queue, 1, &f.image, 0, NULL, NULL);
      break;
    case 'A':
      clEnqueueAcquireGLObjects (f.queue, 1, &f.image, 1, &f.event, NULL);
      break;
    case 't':
      clEnqueueAcquireGLObjects (f.queue, 2, twice, 0, NULL, NULL);
      break;
    case 'r':
      clEnqueueReleaseGLObjects (f.queue, 1, &f.image, 0, NULL, NULL);
      break;
    case 'R':
      g_clear_pointer (&f.event, clReleaseEvent);
      clEnqueueReleaseGLObjects (f.queue, 1, &f.image, 0, NULL, &f.event);
      break;
    case 'd':
      g_clear_pointer (&f.event, clReleaseEvent);
      break;
    case 'F':
      clFinish (f.queue);
      break;
    case 'q':                  /* another queue */
      other = clCreateCommandQueue (f.context, f.device, 0, NULL);
      clFinish (other);
      clReleaseCommandQueue (other);
      break;
      /* The GL context and the texture */
    case 'c':
      eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      break;
    case 'C':
      eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl_context);
      break;
    case 'n':
      g_assert_null (clCreateFromGLTexture (f.context, CL_MEM_READ_ONLY,
              GL_TEXTURE_2D, 0, f.texture, NULL));
      break;
    case 'x':
      GL (PFNGLDELETETEXTURESPROC, DeleteTextures) (1, &f.texture);
      break;
      /* The last reference, on another thread, or another reference */
    case 'f':
      clReleaseMemObject (f.image);
      f.image = NULL;
      break;
    case 'T':
      g_thread_join (g_thread_new ("free", release_image, f.image));
      f.image = NULL;
      break;
    case 'g':
      clRetainMemObject (f.image);
      clReleaseMemObject (f.image);
      break;
    case 'b':
      clReleaseMemObject (f.buffer);
      f.buffer = NULL;
      break;
    case 'm':
      g_assert_nonnull (clEnqueueMapBuffer (f.queue, f.buffer, CL_TRUE,
              CL_MAP_READ, 0, 16, 0, NULL, NULL, NULL));
      break;
      /* Calls which the plugin does not make */
    case 'u':
      clEnqueueMigrateMemObjects (f.queue, 1, &f.image, 0, 0, NULL, NULL);
      break;
    case 'U':
      g_assert_null (clCreateUserEvent (f.context, NULL));
      break;
      /* The rules broken so far, and an end that frees nothing */
    case '-':
      g_assert_cmpuint (f.violations (), ==, 0);
      break;
    case '+':
      g_assert_cmpuint (f.violations (), ==, 1);
      break;
    case '.':
      exit (EXIT_SUCCESS);
    default:
      g_assert_not_reached ();
  }
}

#define USED "is used while not acquired"
#define NOT_CURRENT "is not current on this thread"
#define DELETED "is deleted"
#define NO_WAIT "has not been waited for"
#define REFUSED "this call is not one the plugin makes"
#define ACQUIRE "clEnqueueAcquireGLObjects"
#define RELEASE "clEnqueueReleaseGLObjects"
#define FREE "clReleaseMemObject"

/* The number of rules that a case breaks. -1: the first ends the process.  The
 * first is reported with this function and text. */
static const struct
{
  const char *name, *steps;
  gint broken;
  const char *function, *text;
} cases[] = {
  /* The same command again on an acquired image is fine. */
  {"use/read", "1F+a1r", 1, "clEnqueueReadImage", USED},
  {"use/write", "2F+a2r", 1, "clEnqueueWriteImage", USED},
  {"use/fill", "3F+a3r", 1, "clEnqueueFillImage", USED},
  {"use/copy-from", "4F+a4r", 1, "clEnqueueCopyImage", USED},
  {"use/copy-to", "5F+a5r", 1, "clEnqueueCopyImage", USED},
  {"use/image-to-buffer", "6F+a6r", 1, "clEnqueueCopyImageToBuffer", USED},
  {"use/buffer-to-image", "7F+a7r", 1, "clEnqueueCopyBufferToImage", USED},
  {"use/unmap", "8F+a8r", 1, "clEnqueueUnmapMemObject", USED},
  {"use/kernel", "9l+alr", 1, "clEnqueueNDRangeKernel", USED},
  {"use/replaced-argument", "9pl-9l", 1, "clEnqueueNDRangeKernel", USED},
  {"use/freed", "9fl", -1, "clEnqueueNDRangeKernel",
      "argument 0 is an image which is freed"},
  {"order/acquired-twice", "aar", 1, ACQUIRE, "is acquired twice"},
  {"order/listed-twice", "tr", 1, ACQUIRE, "is in the list twice"},
  {"order/not-acquired", "r", 1, RELEASE, "is released while not acquired"},
  {"order/freed-acquired", "ag-f", 1, FREE, "is freed while it is acquired"},
  {"order/aborts", "r", -1, RELEASE, "is released while not acquired"},
  {"current/create", "cnC", 1, "clCreateFromGLTexture", NOT_CURRENT},
  {"current/acquire", "caC", 1, ACQUIRE, NOT_CURRENT},
  {"current/release", "acrCr", 1, RELEASE, NOT_CURRENT},
  {"current/free", "T", 1, FREE, NOT_CURRENT},
  /* Freeing the image is then wrong as well, */
  {"deleted/acquire", "xa+", 2, ACQUIRE, DELETED},
  /* and here while it is acquired. */
  {"deleted/release", "axr+", 3, RELEASE, DELETED},
  {"deleted/free", "x", 1, FREE, DELETED},
  {"wait/none-acquire", "aRdar", 1, ACQUIRE, NO_WAIT},
  /* An acquire after the event of the last release is fine, but no wait. */
  {"wait/after", "aRA-Rf+", 1, FREE, NO_WAIT},
  {"wait/none-free", "aRf+", 1, FREE, NO_WAIT},
  {"wait/other-queue", "arqf+", 1, FREE, NO_WAIT},
  {"wait/none-exit", "ar.", -1, "exit", NO_WAIT},
  {"refused/call", "u", 1, "clEnqueueMigrateMemObjects", REFUSED},
  {"refused/creation", "U", 1, "clCreateUserEvent", REFUSED},
  {"refused/aborts", "u", -1, "clEnqueueMigrateMemObjects", REFUSED},
  {"mapped/exit", "m.", -1, "exit",
      "of clCreateBuffer was mapped and never unmapped"},
  {"mapped/freed", "mb", -1, FREE, "is freed while it is mapped"},
  {"leak/context", ".", -1, "exit",
      "1 context of clCreateContext never released"},
  {"leak/queue", ".", -1, "exit",
      "1 command queue of clCreateCommandQueue never released"},
  {"leak/kernel", "9.", -1, "exit",
      "1 kernel of clCreateKernel never released"},
  {"leak/event", "aRF.", -1, "exit",
      "1 event of clEnqueueReleaseGLObjects never released"},
};

static void
run_case (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *line = g_strdup_printf ("*gl-sharing layer: %s: *%s*",
      cases[i].function, cases[i].text);

  if (!g_test_subprocess ()) {
    g_test_trap_subprocess (NULL, 0, 0);
    if (cases[i].broken < 0)
      g_test_trap_assert_failed ();
    else
      g_test_trap_assert_passed ();
    g_test_trap_assert_stderr (line);
    return;
  }
  if (cases[i].broken >= 0)
    g_setenv ("GLOPENCL_LAYER_ABORT", "0", TRUE);
  set_up ();
  for (const char *step = cases[i].steps; *step; step++)
    run_step (*step);
  tear_down ();
  g_assert_cmpint (f.violations (), ==, cases[i].broken);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  const char *missing = g_test_subprocess ()? NULL : set_up_gl ();

  if (missing) {
    g_print ("1..0 # SKIP %s\n", missing);
    return EXIT_SUCCESS;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/layer/", cases[i].name, NULL);

    g_test_add_data_func (path, GSIZE_TO_POINTER (i), run_case);
  }
  return g_test_run ();
}
