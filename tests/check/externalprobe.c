/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a test of interop=external-memory if OpenGL and Vulkan can share memory
 * on this machine. Otherwise reports the missing part, and skips the test:
 *
 *   externalprobe PROGRAM [ARGUMENT...]
 *
 * The probe examines the drivers without the code of the plugin, because the
 * plugin's result is tested. */

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#define SKIPPED 77
#define MAX_DEVICES 16

static void
skip (const char *reason)
{
  printf ("skipped: %s\n", reason);
  exit (SKIPPED);
}

/* As the elements have it in these tests: of a device, without a display. */
static void
open_gl (void)
{
  static const EGLint attributes[] = {
    EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE
  };
  PFNEGLQUERYDEVICESEXTPROC query_devices = (PFNEGLQUERYDEVICESEXTPROC)
      eglGetProcAddress ("eglQueryDevicesEXT");
  EGLDeviceEXT device = NULL;
  EGLint n = 0;

  if (!query_devices || !query_devices (1, &device, &n) || n == 0)
    skip ("EGL has no device");
  EGLDisplay display =
      eglGetPlatformDisplay (EGL_PLATFORM_DEVICE_EXT, device, NULL);
  if (!eglInitialize (display, NULL, NULL) || !eglBindAPI (EGL_OPENGL_API))
    skip ("EGL has no OpenGL");
  EGLContext context = eglCreateContext (display, EGL_NO_CONFIG_KHR,
      EGL_NO_CONTEXT, attributes);
  if (context == EGL_NO_CONTEXT
      || !eglMakeCurrent (display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    skip ("EGL has no OpenGL 4.3");
}

static int
has_gl_extension (const char *name)
{
  PFNGLGETSTRINGIPROC get_string =
      (PFNGLGETSTRINGIPROC) eglGetProcAddress ("glGetStringi");
  GLint n = 0;

  glGetIntegerv (GL_NUM_EXTENSIONS, &n);
  for (GLint i = 0; i < n; i++) {
    if (strcmp ((const char *) get_string (GL_EXTENSIONS, i), name) == 0)
      return 1;
  }
  return 0;
}

static void
get_gl_uuid (GLubyte * uuid)
{
  PFNGLGETUNSIGNEDBYTEI_VEXTPROC get_bytes = (PFNGLGETUNSIGNEDBYTEI_VEXTPROC)
      eglGetProcAddress ("glGetUnsignedBytei_vEXT");

  get_bytes (GL_DEVICE_UUID_EXT, 0, uuid);
}

static int
has_vulkan_extension (VkPhysicalDevice device, const char *name)
{
  VkExtensionProperties extensions[512];
  uint32_t n = 512;

  if (vkEnumerateDeviceExtensionProperties (device, NULL, &n, extensions) < 0)
    return 0;
  for (uint32_t i = 0; i < n; i++) {
    if (strcmp (extensions[i].extensionName, name) == 0)
      return 1;
  }
  return 0;
}

/* Whether a Vulkan driver exports memory of the device with that UUID. */
static int
has_vulkan (const GLubyte * uuid)
{
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .apiVersion = VK_API_VERSION_1_1,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
  };
  VkInstance instance;
  VkPhysicalDevice devices[MAX_DEVICES];
  uint32_t n = MAX_DEVICES;
  int found = 0;

  if (vkCreateInstance (&info, NULL, &instance) != VK_SUCCESS
      || vkEnumeratePhysicalDevices (instance, &n, devices) < 0)
    return 0;
  for (uint32_t i = 0; i < n && !found; i++) {
    VkPhysicalDeviceIDProperties id = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
      .pNext = &id,
    };

    vkGetPhysicalDeviceProperties2 (devices[i], &properties);
    found = memcmp (id.deviceUUID, uuid, VK_UUID_SIZE) == 0
        && has_vulkan_extension (devices[i], "VK_KHR_external_memory_fd");
  }
  return found;
}

int
main (int argc, char **argv)
{
  GLubyte uuid[VK_UUID_SIZE] = { 0 };

  if (argc < 2)
    return EXIT_FAILURE;
  open_gl ();
  if (!has_gl_extension ("GL_EXT_memory_object_fd"))
    skip ("OpenGL has no GL_EXT_memory_object_fd");
  get_gl_uuid (uuid);
  if (!has_vulkan (uuid))
    skip ("no Vulkan driver exports memory of OpenGL's device");
  execv (argv[1], argv + 1);
  perror (argv[1]);
  return EXIT_FAILURE;
}
