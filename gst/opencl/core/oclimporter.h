/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory and semaphores that another API has exported as file descriptors, in
 * OpenCL: cl_khr_external_memory_opaque_fd, cl_khr_external_semaphore_opaque_fd
 * and what they are defined on top of. */

#pragma once

#include "oclframe.h"

G_BEGIN_DECLS

typedef struct _OclImporter OclImporter;

/* A semaphore of another API, in a queue. */
typedef struct _OclSemaphore OclSemaphore;

/* All functions: any thread, one at a time. Where something is imported from
 * @fd, OpenCL has the descriptor if that works, and the caller still if not. */

/* The functions of the driver of @context, whose device has external memory; a
 * reference to it is kept. OCL_ERROR_NOT_SUPPORTED where the driver lacks
 * some. */
OclImporter *ocl_importer_new (OclContext * context, GError ** error);
void ocl_importer_free (OclImporter * importer);

/* Whether there are semaphores. */
gboolean ocl_importer_has_semaphores (const OclImporter * importer);

/* An image on the memory of @fd, to be read and written; the caller owns it. It
 * belongs to the other API until it is acquired. */
cl_mem ocl_importer_import_image (OclImporter * importer, gint fd,
    cl_image_format format, gint width, gint height, GError ** error);

/* Enqueues taking @n images from the other API, and giving them back, with an
 * event (or NULL) that ends with that; the caller owns it. */
gboolean ocl_importer_enqueue_acquire (OclImporter * importer, cl_uint n,
    const cl_mem * images, GError ** error);
gboolean ocl_importer_enqueue_release (OclImporter * importer, cl_uint n,
    const cl_mem * images, cl_event * event, GError ** error);

/* A binary semaphore. @importer has to outlive it. */
OclSemaphore *ocl_importer_import_semaphore (OclImporter * importer, gint fd,
    GError ** error);
void ocl_semaphore_free (OclSemaphore * semaphore);

/* Enqueues waiting for the semaphore, which resets it, and signalling it. */
gboolean ocl_semaphore_enqueue_wait (OclSemaphore * semaphore, GError ** error);
gboolean ocl_semaphore_enqueue_signal (OclSemaphore * semaphore,
    GError ** error);

G_END_DECLS
