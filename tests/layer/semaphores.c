/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The semaphores of Vulkan and OpenGL, for drivers that lack them, such as
 * Mesa's software drivers.  The test layer emulates the semaphores of OpenCL
 * that belong to them.
 *
 * LD_PRELOAD puts these functions before the functions of the Vulkan loader and
 * of GStreamer with these names.  A semaphore is a file of eventfd().  Before
 * OpenGL signals a semaphore, it waits for the commands of OpenGL.  A wait that
 * finds no signal, and a second signal, abort the process. */

#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <gst/gl/gl.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#define EXPORTED __attribute__ ((visibility ("default")))

static const char semaphore_fd[] = "VK_KHR_external_semaphore_fd";

G_NORETURN static void
fail (const char *what)
{
  fprintf (stderr, "emulated semaphores: %s\n", what);
  abort ();
}

/* The function that one of these comes before. */
static gpointer
get_next (const char *library, const char *name)
{
  void *handle = dlopen (library, RTLD_LAZY | RTLD_NOLOAD);
  void *function = handle ? dlsym (handle, name) : NULL;

  if (function == NULL)
    fail (name);
  dlclose (handle);
  return function;
}

#define VULKAN(name) \
  ((PFN_##name) get_next ("libvulkan.so.1", #name))
#define GSTREAMER(name) \
  ((__typeof__ (&name)) get_next ("libgstgl-1.0.so.0", #name))

/* Vulkan */

EXPORTED VKAPI_ATTR VkResult VKAPI_CALL
vkEnumerateDeviceExtensionProperties (VkPhysicalDevice device,
    const char *layer, uint32_t * n, VkExtensionProperties * properties)
{
  PFN_vkEnumerateDeviceExtensionProperties next =
      VULKAN (vkEnumerateDeviceExtensionProperties);
  const uint32_t room = *n;
  VkResult result;

  if (properties == NULL) {
    result = next (device, layer, n, NULL);
    (*n)++;
    return result;
  }
  *n = room - 1;
  result = next (device, layer, n, properties);
  if (result == VK_SUCCESS) {
    g_strlcpy (properties[*n].extensionName, semaphore_fd,
        VK_MAX_EXTENSION_NAME_SIZE);
    (*n)++;
  }
  return result;
}

EXPORTED VKAPI_ATTR void VKAPI_CALL
vkGetPhysicalDeviceExternalSemaphoreProperties (VkPhysicalDevice device,
    const VkPhysicalDeviceExternalSemaphoreInfo * info,
    VkExternalSemaphoreProperties * properties)
{
  (void) device;
  (void) info;
  properties->externalSemaphoreFeatures =
      VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
}

/* The driver does not see the extension, which is the last one. */
EXPORTED VKAPI_ATTR VkResult VKAPI_CALL
vkCreateDevice (VkPhysicalDevice gpu, const VkDeviceCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkDevice * device)
{
  VkDeviceCreateInfo plain = *info;

  if (plain.enabledExtensionCount > 0
      && g_str_equal (plain.ppEnabledExtensionNames
          [plain.enabledExtensionCount - 1], semaphore_fd))
    plain.enabledExtensionCount--;
  return VULKAN (vkCreateDevice) (gpu, &plain, allocator, device);
}

EXPORTED VKAPI_ATTR VkResult VKAPI_CALL
vkCreateSemaphore (VkDevice device, const VkSemaphoreCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkSemaphore * semaphore)
{
  int fd = eventfd (0, EFD_NONBLOCK);

  (void) device;
  (void) info;
  (void) allocator;
  *semaphore = (VkSemaphore) (guintptr) fd;
  return fd < 0 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

EXPORTED VKAPI_ATTR void VKAPI_CALL
vkDestroySemaphore (VkDevice device, VkSemaphore semaphore,
    const VkAllocationCallbacks * allocator)
{
  (void) device;
  (void) allocator;
  close ((int) (guintptr) semaphore);
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_semaphore_fd (VkDevice device, const VkSemaphoreGetFdInfoKHR * info,
    int *fd)
{
  (void) device;
  *fd = dup ((int) (guintptr) info->semaphore);
  return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

EXPORTED VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vkGetDeviceProcAddr (VkDevice device, const char *name)
{
  if (strcmp (name, "vkGetSemaphoreFdKHR") == 0)
    return (PFN_vkVoidFunction) get_semaphore_fd;
  return VULKAN (vkGetDeviceProcAddr) (device, name);
}

/* OpenGL: a name is a descriptor. */

static void (*finish) (void);
static void (*enable) (GLenum capability);

static void APIENTRY
gl_gen_semaphores (GLsizei n, GLuint * semaphores)
{
  for (GLsizei i = 0; i < n; i++)
    semaphores[i] = eventfd (0, EFD_NONBLOCK);
}

static void APIENTRY
gl_delete_semaphores (GLsizei n, const GLuint * semaphores)
{
  for (GLsizei i = 0; i < n; i++)
    close (semaphores[i]);
}

static void APIENTRY
gl_import_semaphore_fd (GLuint semaphore, GLenum type, GLint fd)
{
  (void) type;
  if (g_getenv ("GLOPENCL_TEST_BREAK_SEMAPHORES")) {
    /* GL_INVALID_ENUM */
    enable (~0u);
    return;
  }
  dup2 (fd, semaphore);
  close (fd);
}

static gboolean
take (GLuint semaphore)
{
  eventfd_t count = 0;

  return eventfd_read (semaphore, &count) == 0;
}

static void APIENTRY
gl_wait_semaphore (GLuint semaphore, GLuint n_buffers, const GLuint * buffers,
    GLuint n_textures, const GLuint * textures, const GLenum * layouts)
{
  if (n_buffers > 0 || buffers || !n_textures || !textures || !layouts)
    fail ("glWaitSemaphoreEXT has no textures");
  if (!take (semaphore))
    fail ("glWaitSemaphoreEXT would wait for ever");
}

static void APIENTRY
gl_signal_semaphore (GLuint semaphore, GLuint n_buffers,
    const GLuint * buffers, GLuint n_textures, const GLuint * textures,
    const GLenum * layouts)
{
  if (n_buffers > 0 || buffers || !n_textures || !textures || !layouts)
    fail ("glSignalSemaphoreEXT has no textures");
  if (take (semaphore))
    fail ("glSignalSemaphoreEXT signals twice");
  finish ();
  if (eventfd_write (semaphore, 1) != 0)
    fail ("eventfd_write fails");
}

static const struct
{
  const char *name;
  gpointer function;
} gl_functions[] = {
  {"glGenSemaphoresEXT", gl_gen_semaphores},
  {"glDeleteSemaphoresEXT", gl_delete_semaphores},
  {"glImportSemaphoreFdEXT", gl_import_semaphore_fd},
  {"glWaitSemaphoreEXT", gl_wait_semaphore},
  {"glSignalSemaphoreEXT", gl_signal_semaphore},
};

EXPORTED gpointer
gst_gl_context_get_proc_address (GstGLContext * context, const gchar * name)
{
  __typeof__ (&gst_gl_context_get_proc_address) next =
      GSTREAMER (gst_gl_context_get_proc_address);

  for (guint i = 0; i < G_N_ELEMENTS (gl_functions); i++) {
    if (g_str_equal (name, gl_functions[i].name)) {
      finish = next (context, "glFinish");
      enable = next (context, "glEnable");
      return gl_functions[i].function;
    }
  }
  return next (context, name);
}

EXPORTED gboolean
gst_gl_context_check_feature (GstGLContext * context, const gchar * feature)
{
  return g_str_equal (feature, "GL_EXT_semaphore_fd")
      || GSTREAMER (gst_gl_context_check_feature) (context, feature);
}
