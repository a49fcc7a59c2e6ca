/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL devices of this machine, and how a user names one.
 *
 * All functions: any thread. */

#pragma once

#include "oclerror.h"

G_BEGIN_DECLS

/**
 * OclDevice:
 * @platform: its platform
 * @id: the device
 * @platform_index: position of the platform, as in a `0:1` selector
 * @device_index: position in its platform, as in a `0:1` selector
 * @name: CL_DEVICE_NAME
 * @platform_name: CL_PLATFORM_NAME
 * @type: CL_DEVICE_TYPE
 * @host_unified: whether it works in host memory, so that a host pointer is as
 *    good as a buffer
 * @gl_sharing: whether it says that it has cl_khr_gl_sharing, and images
 * @external_memory: whether it says that it has
 *    cl_khr_external_memory_opaque_fd, and images
 * @external_semaphores: whether it says that it has
 *    cl_khr_external_semaphore_opaque_fd
 * @image_max_width: of a 2D image, in pixels
 * @image_max_height: of a 2D image, in pixels
 * @max_alloc_size: of one buffer, in bytes
 *
 * A device. Reference-counted, immutable.
 */
typedef struct
{
  cl_platform_id platform;
  cl_device_id id;
  guint platform_index;
  guint device_index;
  gchar *name;
  gchar *platform_name;
  cl_device_type type;
  gboolean host_unified;
  gboolean gl_sharing;
  gboolean external_memory;
  gboolean external_semaphores;
  gsize image_max_width;
  gsize image_max_height;
  guint64 max_alloc_size;
} OclDevice;

OclDevice *ocl_device_ref (OclDevice * device);
void ocl_device_unref (OclDevice * device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDevice, ocl_device_unref)

/* All devices that can run kernels, the fastest type first (GPUs, accelerators,
 * CPUs), each type in the platforms' order. A driver that fails is left out. At
 * least one, or NULL with OCL_ERROR_NO_DEVICE or, where the only drivers
 * failed, OCL_ERROR_FAILED. */
GPtrArray *ocl_device_list (GError ** error);

/* The first of @devices that @selector names: NULL or "" (any), "gpu", "cpu",
 * "platform:device" indices, or part of the device's name in any case. A new
 * reference, or NULL with OCL_ERROR_NO_DEVICE and the devices that exist. */
OclDevice *ocl_device_select (GPtrArray * devices, const gchar * selector,
    GError ** error);

#define OCL_UUID_BYTES 16

/* What names the GPU of @device in other APIs, too: cl_khr_device_uuid.
 * OCL_ERROR_FAILED where it has no such name. */
gboolean ocl_device_get_uuid (const OclDevice * device,
    guint8 uuid[OCL_UUID_BYTES], GError ** error);

/* Whether @selector names @device. */
gboolean ocl_device_matches (const OclDevice * device, const gchar * selector);

G_END_DECLS
