/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldevice.h"

#include <string.h>

#include "ocltext.h"

#define CL_PLATFORM_NOT_FOUND -1001

/* Defined by cl_khr_device_uuid. */
#define DEVICE_UUID 0x106A

static void
ocl_device_clear (gpointer data)
{
  OclDevice *device = data;

  g_free (device->name);
  g_free (device->platform_name);
  g_free (device->vendor);
  g_free (device->driver);
}

OclDevice *
ocl_device_ref (OclDevice * device)
{
  return g_atomic_rc_box_acquire (device);
}

void
ocl_device_unref (OclDevice * device)
{
  g_atomic_rc_box_release_full (device, ocl_device_clear);
}

static gchar *
ocl_device_get_string (cl_device_id id, cl_device_info info, GError ** error)
{
  size_t size = 0;
  if (!ocl_check (clGetDeviceInfo (id, info, 0, NULL, &size),
          "clGetDeviceInfo", error))
    return NULL;

  gchar *value = g_malloc0 (size + 1);
  if (!ocl_check (clGetDeviceInfo (id, info, size, value, NULL),
          "clGetDeviceInfo", error))
    g_clear_pointer (&value, g_free);
  return value;
}

static gchar *
ocl_platform_get_name (cl_platform_id platform, GError ** error)
{
  size_t size = 0;
  if (!ocl_check (clGetPlatformInfo (platform, CL_PLATFORM_NAME, 0, NULL,
              &size), "clGetPlatformInfo", error))
    return NULL;

  gchar *value = g_malloc0 (size + 1);
  if (!ocl_check (clGetPlatformInfo (platform, CL_PLATFORM_NAME, size, value,
              NULL), "clGetPlatformInfo", error))
    g_clear_pointer (&value, g_free);
  return value;
}

static gboolean
ocl_device_has_extension (const gchar * extensions, const gchar * name)
{
  g_auto (GStrv) names = g_strsplit (extensions, " ", -1);
  return g_strv_contains ((const gchar * const *) names, name);
}

/* Devices have three dimensions, and may have more. */
#define MAX_DIMENSIONS 16

/* Sets @usable to whether the device can build and run kernels. */
static gboolean
ocl_device_read_numbers (OclDevice * device, gboolean * usable,
    gboolean * images, GError ** error)
{
  cl_bool available = CL_FALSE;
  cl_bool compiler = CL_FALSE;
  cl_bool host_unified = CL_FALSE;
  cl_bool image_support = CL_FALSE;
  cl_ulong max_alloc_size = 0;
  cl_ulong local_size = 0;
  size_t group_sizes[MAX_DIMENSIONS] = { 1, 1, 1 };
  cl_uint n_units = 0;
  cl_uint vector_floats = 0;
  const struct
  {
    cl_device_info info;
    size_t size;
    gpointer value;
  } queries[] = {
    {CL_DEVICE_AVAILABLE, sizeof (available), &available},
    {CL_DEVICE_COMPILER_AVAILABLE, sizeof (compiler), &compiler},
    {CL_DEVICE_TYPE, sizeof (device->type), &device->type},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof (host_unified), &host_unified},
    {CL_DEVICE_IMAGE_SUPPORT, sizeof (image_support), &image_support},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof (gsize), &device->image_max_width},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof (gsize), &device->image_max_height},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof (max_alloc_size), &max_alloc_size},
    {CL_DEVICE_LOCAL_MEM_SIZE, sizeof (local_size), &local_size},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof (group_sizes), group_sizes},
    {CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (n_units), &n_units},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof (vector_floats),
        &vector_floats},
  };

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++) {
    if (!ocl_check (clGetDeviceInfo (device->id, queries[i].info,
                queries[i].size, queries[i].value, NULL), "clGetDeviceInfo",
            error))
      return FALSE;
  }
  *usable = available && compiler;
  *images = image_support;
  device->host_unified = host_unified;
  device->max_alloc_size = max_alloc_size;
  device->max_group_width = group_sizes[0];
  device->max_group_height = group_sizes[1];
  device->local_size = local_size;
  device->n_units = n_units;
  device->vector_floats = vector_floats;
  return TRUE;
}

static gboolean
ocl_device_read_extensions (OclDevice * device, gboolean images,
    GError ** error)
{
  g_autofree gchar *extensions =
      ocl_device_get_string (device->id, CL_DEVICE_EXTENSIONS, error);

  if (!extensions)
    return FALSE;
  /* NVIDIA lists only cl_khr_gl_event, which depends on cl_khr_gl_sharing. */
  device->gl_sharing = images
      && (ocl_device_has_extension (extensions, "cl_khr_gl_sharing")
      || ocl_device_has_extension (extensions, "cl_khr_gl_event"));
  device->external_memory = images
      && ocl_device_has_extension (extensions,
      "cl_khr_external_memory_opaque_fd");
  device->external_semaphores =
      ocl_device_has_extension (extensions,
      "cl_khr_external_semaphore_opaque_fd");
  return TRUE;
}

static gboolean
ocl_device_read (OclDevice * device, gboolean * usable, GError ** error)
{
  gboolean images = FALSE;

  if (!ocl_device_read_numbers (device, usable, &images, error)
      || !ocl_device_read_extensions (device, images, error))
    return FALSE;
  /* Optional properties. */
  if (clGetDeviceInfo (device->id, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
          sizeof (gsize), &device->image_max_pixels, NULL) != CL_SUCCESS)
    device->image_max_pixels = 0;
  device->has_uuid = clGetDeviceInfo (device->id, DEVICE_UUID, OCL_UUID_BYTES,
      device->uuid, NULL) == CL_SUCCESS;
  device->platform_name = ocl_platform_get_name (device->platform, error);
  if (!device->platform_name)
    return FALSE;
  device->name = ocl_device_get_string (device->id, CL_DEVICE_NAME, error);
  if (!device->name)
    return FALSE;
  device->vendor = ocl_device_get_string (device->id, CL_DEVICE_VENDOR, error);
  if (!device->vendor)
    return FALSE;
  device->driver = ocl_device_get_string (device->id, CL_DRIVER_VERSION, error);
  return device->driver != NULL;
}

/* Adds the devices of a platform. A device that fails is skipped, because
 * another device may work. @error keeps only the first failure. */
static void
ocl_device_list_platform (GPtrArray * devices, cl_platform_id platform,
    guint platform_index, GError ** error)
{
  GError **first_error = *error ? NULL : error;
  cl_uint n_ids = 0;
  cl_int status = clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL,
      &n_ids);
  if (status == CL_DEVICE_NOT_FOUND || (status == CL_SUCCESS && n_ids == 0))
    return;
  if (!ocl_check (status, "clGetDeviceIDs", first_error))
    return;

  g_autofree cl_device_id *ids = g_new0 (cl_device_id, n_ids);
  if (!ocl_check (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, n_ids, ids,
              NULL), "clGetDeviceIDs", first_error))
    return;

  for (guint i = 0; i < n_ids; i++) {
    g_autoptr (OclDevice) device = g_atomic_rc_box_new0 (OclDevice);
    gboolean usable = FALSE;

    device->platform = platform;
    device->platform_index = platform_index;
    device->id = ids[i];
    device->device_index = i;
    if (ocl_device_read (device, &usable, *error ? NULL : error) && usable)
      g_ptr_array_add (devices, g_steal_pointer (&device));
  }
}

static gint
ocl_device_speed_class (const OclDevice * device)
{
  if (device->type & CL_DEVICE_TYPE_GPU)
    return 0;
  if (device->type & CL_DEVICE_TYPE_ACCELERATOR)
    return 1;
  return 2;
}

static gint
ocl_device_compare (gconstpointer a, gconstpointer b)
{
  const OclDevice *first = *(OclDevice * const *) a;
  const OclDevice *second = *(OclDevice * const *) b;
  gint order = ocl_device_speed_class (first) - ocl_device_speed_class (second);

  if (order == 0)
    order = (gint) first->platform_index - (gint) second->platform_index;
  if (order == 0)
    order = (gint) first->device_index - (gint) second->device_index;
  return order;
}

static GError *
ocl_device_new_none_error (const cl_platform_id * platforms, guint n_platforms)
{
  const gchar *vendors = g_getenv ("OCL_ICD_VENDORS");

  if (n_platforms == 0)
    return g_error_new (OCL_ERROR, OCL_ERROR_NO_DEVICE,
        "No OpenCL device was found. Install your GPU vendor's OpenCL driver, "
        "or PoCL (package pocl-opencl-icd) to run on the CPU.\n"
        "No OpenCL platform; OCL_ICD_VENDORS=%s", vendors ? vendors : "unset");

  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < n_platforms; i++) {
    g_autofree gchar *name = ocl_platform_get_name (platforms[i], NULL);

    g_string_append_printf (names, "%s%s", i ? ", " : "",
        name ? name : "unnamed");
  }
  return g_error_new (OCL_ERROR, OCL_ERROR_NO_DEVICE,
      "No OpenCL device was found: the driver is installed (%s), but has no "
      "device that can be used. Check that you may open the GPU's device "
      "files; PoCL needs a folder it can write to: set HOME or "
      "POCL_CACHE_DIR.\n"
      "OCL_ICD_VENDORS=%s", names->str, vendors ? vendors : "unset");
}

static GPtrArray *
ocl_device_list_all (GError ** error)
{
  cl_uint n_platforms = 0;
  cl_int status = clGetPlatformIDs (0, NULL, &n_platforms);
  if (status == CL_PLATFORM_NOT_FOUND)
    n_platforms = 0;
  else if (!ocl_check (status, "clGetPlatformIDs", error))
    return NULL;

  g_autofree cl_platform_id *platforms = g_new0 (cl_platform_id, n_platforms);
  if (n_platforms > 0
      && !ocl_check (clGetPlatformIDs (n_platforms, platforms, NULL),
          "clGetPlatformIDs", error))
    return NULL;

  g_autoptr (GPtrArray) devices =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ocl_device_unref);
  g_autoptr (GError) first_error = NULL;
  for (guint i = 0; i < n_platforms; i++)
    ocl_device_list_platform (devices, platforms[i], i, &first_error);

  if (devices->len == 0) {
    g_propagate_error (error, first_error ? g_steal_pointer (&first_error)
        : ocl_device_new_none_error (platforms, n_platforms));
    return NULL;
  }
  g_ptr_array_sort (devices, ocl_device_compare);
  return g_steal_pointer (&devices);
}

GPtrArray *
ocl_device_list (GError ** error)
{
  /* While a thread starts a driver, the driver may report no devices to another
   * thread, as PoCL does. */
  static GMutex mutex;

  g_mutex_lock (&mutex);
  GPtrArray *devices = ocl_device_list_all (error);
  g_mutex_unlock (&mutex);
  return devices;
}

gboolean
ocl_device_matches (const OclDevice * device, const gchar * selector)
{
  if (!selector || *selector == '\0')
    return TRUE;
  if (g_ascii_strcasecmp (selector, "gpu") == 0)
    return (device->type & CL_DEVICE_TYPE_GPU) != 0;
  if (g_ascii_strcasecmp (selector, "cpu") == 0)
    return (device->type & CL_DEVICE_TYPE_CPU) != 0;

  g_autofree gchar *index =
      g_strdup_printf ("%u:%u", device->platform_index, device->device_index);
  if (g_str_equal (selector, index))
    return TRUE;

  g_autofree gchar *name = g_utf8_casefold (device->name, -1);
  g_autofree gchar *part = g_utf8_casefold (selector, -1);
  return strstr (name, part) != NULL;
}

OclDevice *
ocl_device_select (GPtrArray * devices, const gchar * selector, GError ** error)
{
  g_autoptr (GString) existing = g_string_new (NULL);

  for (guint i = 0; i < devices->len; i++) {
    OclDevice *device = g_ptr_array_index (devices, i);

    if (ocl_device_matches (device, selector))
      return ocl_device_ref (device);
    g_string_append_printf (existing, "%s%u:%u %s", i ? ", " : "",
        device->platform_index, device->device_index, device->name);
  }

  g_autofree gchar *shown = ocl_text_shorten (selector);

  g_set_error (error, OCL_ERROR, OCL_ERROR_NO_DEVICE,
      "No OpenCL device is named \"%s\". These exist: %s. Use gpu, "
      "cpu, one of these indices, or part of one of these names.", shown,
      existing->str);
  return NULL;
}
