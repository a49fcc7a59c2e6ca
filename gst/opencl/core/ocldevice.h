/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the OpenCL devices of this machine, and finds the device that the user
 * selected.
 *
 * All functions may be called from any thread. */

#pragma once

#include "oclerror.h"

G_BEGIN_DECLS

#define OCL_UUID_BYTES 16

/**
 * OclDevice:
 * @platform: the platform of the device
 * @id: the OpenCL device
 * @platform_index: position of the platform, as in a `0:1` selector
 * @device_index: position of the device in its platform, as in a `0:1` selector
 * @name: CL_DEVICE_NAME
 * @platform_name: CL_PLATFORM_NAME
 * @vendor: CL_DEVICE_VENDOR
 * @driver: CL_DRIVER_VERSION
 * @type: CL_DEVICE_TYPE
 * @host_unified: whether the device uses host memory, so that host pointers
 *    need no copy
 * @gl_sharing: whether the device reports cl_khr_gl_sharing and supports images
 * @external_memory: whether the device reports cl_khr_external_memory_opaque_fd
 *    and supports images
 * @external_semaphores: whether the device reports
 *    cl_khr_external_semaphore_opaque_fd
 * @image_max_width: largest width of a 2D image, in pixels
 * @image_max_height: largest height of a 2D image, in pixels
 * @image_max_pixels: largest size of a 1D image created from a buffer, in
 *    pixels
 * @max_alloc_size: largest size of one buffer, in bytes
 * @max_group_width: largest width of a work-group, in work-items
 * @max_group_height: largest height of a work-group, in work-items
 * @local_size: size of the local memory of a work-group, in bytes
 * @n_units: number of compute units
 * @vector_floats: number of floats in the widest vector of the device
 * @has_uuid: whether @uuid is set
 * @uuid: the UUID of cl_khr_device_uuid, which also identifies the GPU in other
 *    APIs
 *
 * A device and its properties, which are read once. An OclDevice is
 * reference-counted and immutable.
 */
typedef struct
{
  cl_platform_id platform;
  cl_device_id id;
  guint platform_index;
  guint device_index;
  gchar *name;
  gchar *platform_name;
  gchar *vendor;
  gchar *driver;
  cl_device_type type;
  gboolean host_unified;
  gboolean gl_sharing;
  gboolean external_memory;
  gboolean external_semaphores;
  gsize image_max_width;
  gsize image_max_height;
  gsize image_max_pixels;
  guint64 max_alloc_size;
  gsize max_group_width;
  gsize max_group_height;
  guint64 local_size;
  guint n_units;
  guint vector_floats;
  gboolean has_uuid;
  guint8 uuid[OCL_UUID_BYTES];
} OclDevice;

OclDevice *ocl_device_ref (OclDevice * device);
void ocl_device_unref (OclDevice * device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDevice, ocl_device_unref)

/* Returns all devices that can run kernels. The fastest type comes first (GPUs,
 * accelerators, CPUs), and devices of one type are in the platforms' order. A
 * driver that fails is skipped. The array has at least one device. If there is
 * none, returns NULL with OCL_ERROR_NO_DEVICE, or with OCL_ERROR_FAILED if the
 * only drivers failed. */
GPtrArray *ocl_device_list (GError ** error);

/* Returns the first of @devices that @selector names. @selector is NULL or ""
 * (any device), "gpu", "cpu", "platform:device" indices, or part of the
 * device's name in any case. The caller owns a new reference. If no device
 * matches, returns NULL with OCL_ERROR_NO_DEVICE and a message that lists the
 * available devices. */
OclDevice *ocl_device_select (GPtrArray * devices, const gchar * selector,
    GError ** error);

/* Returns whether @selector names @device. */
gboolean ocl_device_matches (const OclDevice * device, const gchar * selector);

G_END_DECLS
