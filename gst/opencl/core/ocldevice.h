/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL devices of this machine, and how a user names one.
 *
 * All functions: any thread. */

#pragma once

#include "oclerror.h"

G_BEGIN_DECLS

#define OCL_UUID_BYTES 16

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
 * @image_max_pixels: of a 1D image that is made on a buffer
 * @max_alloc_size: of one buffer, in bytes
 * @local_size: of the local memory of a group, in bytes
 * @n_units: how many compute units it has
 * @vector_floats: floats of its widest vector
 * @has_uuid: whether it has the name below
 * @uuid: what names the GPU in other APIs, too: cl_khr_device_uuid
 *
 * A device, and all that is asked of it: read once. Reference-counted,
 * immutable.
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
  gsize image_max_pixels;
  guint64 max_alloc_size;
  guint64 local_size;
  guint n_units;
  guint vector_floats;
  gboolean has_uuid;
  guint8 uuid[OCL_UUID_BYTES];
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

/* Whether @selector names @device. */
gboolean ocl_device_matches (const OclDevice * device, const gchar * selector);

G_END_DECLS
