/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clCreateImageWithProperties() is in OpenCL 3.0. A driver with the extensions
 * also has the function. */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300

#include "oclimporter.h"

#include <CL/cl_ext.h>

/* Older headers lack the types of the extensions, or spell them differently.
 * Only a few types and numbers are needed, so they are defined here. */

/* cl_khr_external_memory_opaque_fd */
#define OPAQUE_FD_MEMORY 0x2060
/* cl_khr_semaphore */
#define SEMAPHORE_TYPE 0x203D
#define SEMAPHORE_TYPE_BINARY 1
/* cl_khr_external_semaphore_opaque_fd */
#define OPAQUE_FD_SEMAPHORE 0x2055

/* *INDENT-OFF* */
typedef cl_int (CL_API_CALL *EnqueueObjects) (cl_command_queue queue, cl_uint n,
    const cl_mem *images, cl_uint n_events, const cl_event *events,
    cl_event *event);
typedef gpointer (CL_API_CALL *CreateSemaphore) (cl_context context,
    const cl_properties *properties, cl_int *status);
typedef cl_int (CL_API_CALL *ReleaseSemaphore) (gpointer semaphore);
typedef cl_int (CL_API_CALL *EnqueueSemaphores) (cl_command_queue queue,
    cl_uint n, const gpointer *semaphores, const cl_ulong *payloads,
    cl_uint n_events, const cl_event *events, cl_event *event);
/* *INDENT-ON* */

struct _OclImporter
{
  OclContext *context;          /* owned */
  EnqueueObjects acquire;
  EnqueueObjects release;
  /* The driver has all four functions if create_semaphore is not NULL. */
  CreateSemaphore create_semaphore;
  ReleaseSemaphore release_semaphore;
  EnqueueSemaphores wait;
  EnqueueSemaphores signal;
};

struct _OclSemaphore
{
  OclImporter *importer;        /* not owned */
  gpointer handle;              /* owned */
};

static gpointer
look_up (const OclContext * context, const gchar * name)
{
  return clGetExtensionFunctionAddressForPlatform (context->device->platform,
      name);
}

static void
ocl_importer_look_up_semaphores (OclImporter * self)
{
  const OclContext *context = self->context;

  if (!context->device->external_semaphores)
    return;
  self->create_semaphore =
      (CreateSemaphore) look_up (context, "clCreateSemaphoreWithPropertiesKHR");
  self->release_semaphore =
      (ReleaseSemaphore) look_up (context, "clReleaseSemaphoreKHR");
  self->wait =
      (EnqueueSemaphores) look_up (context, "clEnqueueWaitSemaphoresKHR");
  self->signal =
      (EnqueueSemaphores) look_up (context, "clEnqueueSignalSemaphoresKHR");
  if (!self->release_semaphore || !self->wait || !self->signal)
    self->create_semaphore = NULL;
}

OclImporter *
ocl_importer_new (OclContext * context, GError ** error)
{
  OclImporter *self = g_new0 (OclImporter, 1);
  self->context = ocl_context_ref (context);
  self->acquire = (EnqueueObjects) look_up (context,
      "clEnqueueAcquireExternalMemObjectsKHR");
  self->release = (EnqueueObjects) look_up (context,
      "clEnqueueReleaseExternalMemObjectsKHR");
  ocl_importer_look_up_semaphores (self);
  if (self->acquire && self->release)
    return self;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The driver of %s lacks functions of cl_khr_external_memory.",
      context->device->name);
  ocl_importer_free (self);
  return NULL;
}

void
ocl_importer_free (OclImporter * self)
{
  ocl_context_unref (self->context);
  g_free (self);
}

gboolean
ocl_importer_has_semaphores (const OclImporter * self)
{
  return self->create_semaphore != NULL;
}

cl_mem
ocl_importer_import_image (OclImporter * self, gint fd, cl_image_format format,
    gint width, gint height, GError ** error)
{
  const cl_mem_properties properties[] = { OPAQUE_FD_MEMORY, fd, 0 };
  const cl_image_desc description = {
    .image_type = CL_MEM_OBJECT_IMAGE2D,
    .image_width = width,
    .image_height = height,
  };
  cl_int status = CL_SUCCESS;
  cl_mem image = clCreateImageWithProperties (self->context->context,
      properties, CL_MEM_READ_WRITE, &format, &description, NULL, &status);

  return ocl_check (status, "clCreateImageWithProperties", error) ? image
      : NULL;
}

gboolean
ocl_importer_enqueue_acquire (OclImporter * self, cl_uint n,
    const cl_mem * images, GError ** error)
{
  return ocl_check (self->acquire (self->context->queue, n, images, 0, NULL,
          NULL), "clEnqueueAcquireExternalMemObjectsKHR", error);
}

gboolean
ocl_importer_enqueue_release (OclImporter * self, cl_uint n,
    const cl_mem * images, cl_event * event, GError ** error)
{
  return ocl_check (self->release (self->context->queue, n, images, 0, NULL,
          event), "clEnqueueReleaseExternalMemObjectsKHR", error);
}

OclSemaphore *
ocl_importer_import_semaphore (OclImporter * self, gint fd, GError ** error)
{
  const cl_properties properties[] = {
    SEMAPHORE_TYPE, SEMAPHORE_TYPE_BINARY, OPAQUE_FD_SEMAPHORE, fd, 0
  };
  cl_int status = CL_SUCCESS;
  gpointer handle = self->create_semaphore (self->context->context, properties,
      &status);

  if (!ocl_check (status, "clCreateSemaphoreWithPropertiesKHR", error))
    return NULL;
  OclSemaphore *semaphore = g_new0 (OclSemaphore, 1);
  semaphore->importer = self;
  semaphore->handle = handle;
  return semaphore;
}

void
ocl_semaphore_free (OclSemaphore * self)
{
  /* A failure is ignored, because there is no remedy. */
  ocl_check (self->importer->release_semaphore (self->handle),
      "clReleaseSemaphoreKHR", NULL);
  g_free (self);
}

gboolean
ocl_semaphore_enqueue_wait (OclSemaphore * self, GError ** error)
{
  return ocl_check (self->importer->wait (self->importer->context->queue, 1,
          &self->handle, NULL, 0, NULL, NULL), "clEnqueueWaitSemaphoresKHR",
      error);
}

gboolean
ocl_semaphore_enqueue_signal (OclSemaphore * self, GError ** error)
{
  return ocl_check (self->importer->signal (self->importer->context->queue, 1,
          &self->handle, NULL, 0, NULL, NULL), "clEnqueueSignalSemaphoresKHR",
      error);
}
