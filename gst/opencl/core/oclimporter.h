/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Imports memory and semaphores that another API has exported as file
 * descriptors. Uses cl_khr_external_memory_opaque_fd,
 * cl_khr_external_semaphore_opaque_fd and the extensions on which these two
 * depend. */

#pragma once

#include "oclframe.h"

G_BEGIN_DECLS

typedef struct _OclImporter OclImporter;

/* A semaphore of another API, which commands in a queue wait for or signal. */
typedef struct _OclSemaphore OclSemaphore;

/* All functions may be called from any thread, by one thread at a time. After a
 * successful import, OpenCL owns the descriptor @fd. After a failure, the
 * caller still owns @fd. */

/* Looks up the functions of the driver of @context, and keeps a reference to
 * @context. The device of @context must have external memory. Fails with
 * OCL_ERROR_NOT_SUPPORTED if the driver lacks functions of
 * cl_khr_external_memory. */
OclImporter *ocl_importer_new (OclContext * context, GError ** error);
void ocl_importer_free (OclImporter * importer);

/* Returns whether the driver has semaphores. */
gboolean ocl_importer_has_semaphores (const OclImporter * importer);

/* Returns an image on the memory of @fd, for reading and writing. The caller
 * owns the image. The image belongs to the other API until it is acquired. */
cl_mem ocl_importer_import_image (OclImporter * importer, gint fd,
    cl_image_format format, gint width, gint height, GError ** error);

/* Enqueue a command that acquires @n images from the other API, or a command
 * that releases @n images. @event may be NULL. Otherwise it is set to an event
 * that ends when the images are released. The caller owns the event. */
gboolean ocl_importer_enqueue_acquire (OclImporter * importer, cl_uint n,
    const cl_mem * images, GError ** error);
gboolean ocl_importer_enqueue_release (OclImporter * importer, cl_uint n,
    const cl_mem * images, cl_event * event, GError ** error);

/* Imports a binary semaphore. @importer must outlive the semaphore. */
OclSemaphore *ocl_importer_import_semaphore (OclImporter * importer, gint fd,
    GError ** error);
void ocl_semaphore_free (OclSemaphore * semaphore);

/* Enqueue a wait for the semaphore, or a signal of the semaphore. The wait
 * resets the semaphore. */
gboolean ocl_semaphore_enqueue_wait (OclSemaphore * semaphore, GError ** error);
gboolean ocl_semaphore_enqueue_signal (OclSemaphore * semaphore,
    GError ** error);

G_END_DECLS
