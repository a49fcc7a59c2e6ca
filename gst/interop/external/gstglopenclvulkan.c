/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclvulkan.h"

#include <string.h>
#include <vulkan/vulkan.h>

#include "opencl/core/oclcontext.h"

#define MEMORY_HANDLE VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT
#define SEMAPHORE_HANDLE VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT

/* All uses of a texture by OpenGL. An image must allow all of them. */
#define IMAGE_USAGE (VK_IMAGE_USAGE_TRANSFER_SRC_BIT \
    | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT \
    | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

struct _GstGLOpenCLVulkan
{
  VkInstance instance;
  VkPhysicalDevice gpu;
  VkDevice device;
  VkPhysicalDeviceMemoryProperties memory;
  PFN_vkGetMemoryFdKHR get_memory_fd;
  PFN_vkGetSemaphoreFdKHR get_semaphore_fd;     /* NULL: no semaphores */
};

struct _GstGLOpenCLVulkanImage
{
  GstGLOpenCLVulkan *vulkan;    /* not owned */
  VkImage image;
  VkDeviceMemory memory;
  guint64 size;
  gboolean dedicated;
};

struct _GstGLOpenCLVulkanSemaphore
{
  GstGLOpenCLVulkan *vulkan;    /* not owned */
  VkSemaphore semaphore;
};

static gboolean
check (VkResult result, const gchar * call, GError ** error)
{
  if (result == VK_SUCCESS)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The Vulkan driver failed in %s (%d).", call, result);
  return FALSE;
}

static gboolean
gst_gl_opencl_vulkan_find_gpu (GstGLOpenCLVulkan * self, const guint8 * uuid,
    GError ** error)
{
  guint32 n = 0;

  G_STATIC_ASSERT (OCL_UUID_BYTES == VK_UUID_SIZE);
  if (!check (vkEnumeratePhysicalDevices (self->instance, &n, NULL),
          "vkEnumeratePhysicalDevices", error))
    return FALSE;
  g_autofree VkPhysicalDevice *gpus = g_new0 (VkPhysicalDevice, MAX (n, 1));
  if (!check (vkEnumeratePhysicalDevices (self->instance, &n, gpus),
          "vkEnumeratePhysicalDevices", error))
    return FALSE;
  for (guint32 i = 0; i < n && !self->gpu; i++) {
    VkPhysicalDeviceIDProperties id = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
      .pNext = &id,
    };

    vkGetPhysicalDeviceProperties2 (gpus[i], &properties);
    if (properties.properties.apiVersion >= VK_API_VERSION_1_1
        && memcmp (id.deviceUUID, uuid, VK_UUID_SIZE) == 0)
      self->gpu = gpus[i];
  }
  if (!self->gpu)
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "Vulkan has no driver for the OpenCL device.");
  return self->gpu != NULL;
}

static gboolean
has_extension (const VkExtensionProperties * extensions, guint32 n,
    const gchar * name)
{
  for (guint32 i = 0; i < n; i++) {
    if (g_str_equal (extensions[i].extensionName, name))
      return TRUE;
  }
  return FALSE;
}

static gboolean
can_export_semaphores (VkPhysicalDevice gpu)
{
  const VkPhysicalDeviceExternalSemaphoreInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
    .handleType = SEMAPHORE_HANDLE,
  };
  VkExternalSemaphoreProperties properties = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
  };

  vkGetPhysicalDeviceExternalSemaphoreProperties (gpu, &info, &properties);
  return (properties.externalSemaphoreFeatures
      & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0;
}

static gboolean
gst_gl_opencl_vulkan_create_device (GstGLOpenCLVulkan * self,
    gboolean semaphores, GError ** error)
{
  /* A device must have a queue, but no command is ever submitted to it. */
  const float priority = 0.0f;
  const VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueCount = 1,
    .pQueuePriorities = &priority,
  };
  const gchar *const extensions[] = {
    VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
    .enabledExtensionCount = semaphores ? 2 : 1,
    .ppEnabledExtensionNames = extensions,
  };

  return check (vkCreateDevice (self->gpu, &info, NULL, &self->device),
      "vkCreateDevice", error);
}

static gboolean
gst_gl_opencl_vulkan_open (GstGLOpenCLVulkan * self, const guint8 * uuid,
    GError ** error)
{
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .pApplicationName = "gst-glopencl",
    .apiVersion = VK_API_VERSION_1_1,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
  };
  guint32 n = 0;

  if (!check (vkCreateInstance (&info, NULL, &self->instance),
          "vkCreateInstance", error)
      || !gst_gl_opencl_vulkan_find_gpu (self, uuid, error)
      || !check (vkEnumerateDeviceExtensionProperties (self->gpu, NULL, &n,
              NULL), "vkEnumerateDeviceExtensionProperties", error))
    return FALSE;
  g_autofree VkExtensionProperties *extensions =
      g_new0 (VkExtensionProperties, MAX (n, 1));
  if (!check (vkEnumerateDeviceExtensionProperties (self->gpu, NULL, &n,
              extensions), "vkEnumerateDeviceExtensionProperties", error))
    return FALSE;
  if (!has_extension (extensions, n, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The Vulkan driver has no VK_KHR_external_memory_fd.");
    return FALSE;
  }
  const gboolean semaphores = has_extension (extensions, n,
      VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)
      && can_export_semaphores (self->gpu);
  if (!gst_gl_opencl_vulkan_create_device (self, semaphores, error))
    return FALSE;

  vkGetPhysicalDeviceMemoryProperties (self->gpu, &self->memory);
  self->get_memory_fd = (PFN_vkGetMemoryFdKHR)
      vkGetDeviceProcAddr (self->device, "vkGetMemoryFdKHR");
  if (semaphores)
    self->get_semaphore_fd = (PFN_vkGetSemaphoreFdKHR)
        vkGetDeviceProcAddr (self->device, "vkGetSemaphoreFdKHR");
  if (!self->get_memory_fd)
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "The Vulkan driver has no vkGetMemoryFdKHR.");
  return self->get_memory_fd != NULL;
}

GstGLOpenCLVulkan *
gst_gl_opencl_vulkan_new (const guint8 uuid[OCL_UUID_BYTES], GError ** error)
{
  GstGLOpenCLVulkan *self = g_new0 (GstGLOpenCLVulkan, 1);

  if (gst_gl_opencl_vulkan_open (self, uuid, error))
    return self;
  gst_gl_opencl_vulkan_free (self);
  return NULL;
}

void
gst_gl_opencl_vulkan_free (GstGLOpenCLVulkan * self)
{
  if (self->device)
    vkDestroyDevice (self->device, NULL);
  if (self->instance)
    vkDestroyInstance (self->instance, NULL);
  g_free (self);
}

gboolean
gst_gl_opencl_vulkan_has_semaphores (const GstGLOpenCLVulkan * self)
{
  return self->get_semaphore_fd != NULL;
}

static VkFormat
get_vulkan_format (cl_image_format format)
{
  static const struct
  {
    cl_image_format format;
    VkFormat vulkan;
  } formats[] = {
    {{CL_R, CL_UNORM_INT8}, VK_FORMAT_R8_UNORM},
    {{CL_RG, CL_UNORM_INT8}, VK_FORMAT_R8G8_UNORM},
    {{CL_RGBA, CL_UNORM_INT8}, VK_FORMAT_R8G8B8A8_UNORM},
    {{CL_R, CL_UNORM_INT16}, VK_FORMAT_R16_UNORM},
    {{CL_RG, CL_UNORM_INT16}, VK_FORMAT_R16G16_UNORM},
    {{CL_RGBA, CL_UNORM_INT16}, VK_FORMAT_R16G16B16A16_UNORM},
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (ocl_image_format_equals (formats[i].format, format))
      return formats[i].vulkan;
  }
  return VK_FORMAT_UNDEFINED;
}

/* Returns whether the memory of images of @format can be exported. Sets
 * @dedicated to whether the memory must belong to a single image. */
static gboolean
check_image_format (GstGLOpenCLVulkan * vulkan, VkFormat format,
    gboolean * dedicated, GError ** error)
{
  const VkPhysicalDeviceExternalImageFormatInfo external = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
    .handleType = MEMORY_HANDLE,
  };
  const VkPhysicalDeviceImageFormatInfo2 info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
    .pNext = &external,
    .format = format,
    .type = VK_IMAGE_TYPE_2D,
    .tiling = VK_IMAGE_TILING_OPTIMAL,
    .usage = IMAGE_USAGE,
  };
  VkExternalImageFormatProperties found = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES,
  };
  VkImageFormatProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
    .pNext = &found,
  };
  const VkExternalMemoryFeatureFlags *features =
      &found.externalMemoryProperties.externalMemoryFeatures;

  if (!check (vkGetPhysicalDeviceImageFormatProperties2 (vulkan->gpu, &info,
              &properties), "vkGetPhysicalDeviceImageFormatProperties2", error))
    return FALSE;
  *dedicated = (*features & VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT) != 0;
  if (*features & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The Vulkan driver does not export images of format %d.", format);
  return FALSE;
}

static gboolean
gst_gl_opencl_vulkan_image_create (GstGLOpenCLVulkanImage * self,
    VkFormat format, gint width, gint height, GError ** error)
{
  const VkExternalMemoryImageCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .handleTypes = MEMORY_HANDLE,
  };
  const VkImageCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .pNext = &external,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = format,
    .extent = {width, height, 1},
    .mipLevels = 1,
    .arrayLayers = 1,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .tiling = VK_IMAGE_TILING_OPTIMAL,
    .usage = IMAGE_USAGE,
  };

  return check (vkCreateImage (self->vulkan->device, &info, NULL,
          &self->image), "vkCreateImage", error);
}

static gboolean
gst_gl_opencl_vulkan_image_allocate (GstGLOpenCLVulkanImage * self,
    GError ** error)
{
  const VkPhysicalDeviceMemoryProperties *types = &self->vulkan->memory;
  const VkImageMemoryRequirementsInfo2 image = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
    .image = self->image,
  };
  VkMemoryDedicatedRequirements needs_dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS,
  };
  VkMemoryRequirements2 requirements = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
    .pNext = &needs_dedicated,
  };

  vkGetImageMemoryRequirements2 (self->vulkan->device, &image, &requirements);
  self->size = requirements.memoryRequirements.size;
  self->dedicated |= needs_dedicated.requiresDedicatedAllocation;
  /* Use the first allowed type of memory that is on the GPU. If there is none,
   * use the first allowed type. */
  const guint32 allowed = requirements.memoryRequirements.memoryTypeBits;
  guint32 type = 0;
  while (type < types->memoryTypeCount && !(allowed >> type & 1
          && types->memoryTypes[type].propertyFlags
          & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
    type++;
  if (type == types->memoryTypeCount)
    type = g_bit_nth_lsf (allowed, -1);
  const VkMemoryDedicatedAllocateInfo dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .image = self->image,
  };
  const VkExportMemoryAllocateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .pNext = self->dedicated ? &dedicated : NULL,
    .handleTypes = MEMORY_HANDLE,
  };
  const VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &external,
    .allocationSize = self->size,
    .memoryTypeIndex = type,
  };

  return check (vkAllocateMemory (self->vulkan->device, &info, NULL,
          &self->memory), "vkAllocateMemory", error)
      && check (vkBindImageMemory (self->vulkan->device, self->image,
          self->memory, 0), "vkBindImageMemory", error);
}

GstGLOpenCLVulkanImage *
gst_gl_opencl_vulkan_image_new (GstGLOpenCLVulkan * vulkan,
    cl_image_format format, gint width, gint height, GError ** error)
{
  const VkFormat vulkan_format = get_vulkan_format (format);
  gboolean dedicated = FALSE;

  if (!check_image_format (vulkan, vulkan_format, &dedicated, error))
    return NULL;
  GstGLOpenCLVulkanImage *self = g_new0 (GstGLOpenCLVulkanImage, 1);
  self->vulkan = vulkan;
  self->dedicated = dedicated;
  if (gst_gl_opencl_vulkan_image_create (self, vulkan_format, width, height,
          error) && gst_gl_opencl_vulkan_image_allocate (self, error))
    return self;
  gst_gl_opencl_vulkan_image_free (self);
  return NULL;
}

void
gst_gl_opencl_vulkan_image_free (GstGLOpenCLVulkanImage * self)
{
  vkDestroyImage (self->vulkan->device, self->image, NULL);
  vkFreeMemory (self->vulkan->device, self->memory, NULL);
  g_free (self);
}

guint64
gst_gl_opencl_vulkan_image_get_size (const GstGLOpenCLVulkanImage * self)
{
  return self->size;
}

gboolean
gst_gl_opencl_vulkan_image_is_dedicated (const GstGLOpenCLVulkanImage * self)
{
  return self->dedicated;
}

gint
gst_gl_opencl_vulkan_image_export (GstGLOpenCLVulkanImage * self,
    GError ** error)
{
  const VkMemoryGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .memory = self->memory,
    .handleType = MEMORY_HANDLE,
  };
  gint fd = -1;

  return check (self->vulkan->get_memory_fd (self->vulkan->device, &info, &fd),
      "vkGetMemoryFdKHR", error) ? fd : -1;
}

GstGLOpenCLVulkanSemaphore *
gst_gl_opencl_vulkan_semaphore_new (GstGLOpenCLVulkan * vulkan, GError ** error)
{
  const VkExportSemaphoreCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
    .handleTypes = SEMAPHORE_HANDLE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &external,
  };
  VkSemaphore semaphore = VK_NULL_HANDLE;

  if (!check (vkCreateSemaphore (vulkan->device, &info, NULL, &semaphore),
          "vkCreateSemaphore", error))
    return NULL;
  GstGLOpenCLVulkanSemaphore *self = g_new0 (GstGLOpenCLVulkanSemaphore, 1);
  self->vulkan = vulkan;
  self->semaphore = semaphore;
  return self;
}

void
gst_gl_opencl_vulkan_semaphore_free (GstGLOpenCLVulkanSemaphore * self)
{
  vkDestroySemaphore (self->vulkan->device, self->semaphore, NULL);
  g_free (self);
}

gint
gst_gl_opencl_vulkan_semaphore_export (GstGLOpenCLVulkanSemaphore * self,
    GError ** error)
{
  const VkSemaphoreGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
    .semaphore = self->semaphore,
    .handleType = SEMAPHORE_HANDLE,
  };
  gint fd = -1;

  return check (self->vulkan->get_semaphore_fd (self->vulkan->device, &info,
          &fd), "vkGetSemaphoreFdKHR", error) ? fd : -1;
}
