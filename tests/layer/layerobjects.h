/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracking of OpenCL objects: the references the application owns, and the
 * memory it has mapped.
 *
 * What counts are the application's references, not those a driver holds
 * inside.  A handle the layer has not seen being created (a root device) is
 * not tracked; all functions ignore it.  Any thread.
 */

#ifndef GLOPENCL_LAYER_OBJECTS_H
#define GLOPENCL_LAYER_OBJECTS_H

#include <CL/cl.h>
#include <glib.h>

typedef enum
{
  LAYER_OBJECT_CONTEXT,
  LAYER_OBJECT_QUEUE,
  LAYER_OBJECT_MEMORY,
  LAYER_OBJECT_PROGRAM,
  LAYER_OBJECT_KERNEL,
  LAYER_OBJECT_EVENT,
  LAYER_OBJECT_SEMAPHORE
} LayerObjectKind;

/* @handle was created, by the function @creator (a static string), with one
 * reference.  NULL is ignored. */
void layer_objects_add (LayerObjectKind kind, gpointer handle,
    const char *creator);

/* The driver has given the application another reference to @handle. */
void layer_objects_retain (gpointer handle);

/*
 * The application gives a reference to @handle back.  To be called before the
 * driver gets to know, since the driver may use the address for another object
 * from then on.  Returns whether it was the last one.
 */
gboolean layer_objects_release (gpointer handle);

typedef enum
{
  LAYER_MAPPED,
  LAYER_UNMAPPED,
  LAYER_UNMAP_REFUSED
} LayerMapping;

/* @memory was mapped, was unmapped, or an injected fault has kept it from being
 * unmapped, which the application can then not be blamed for. */
void layer_objects_map (cl_mem memory, LayerMapping what);

/* At exit: reports memory that is still mapped as a broken rule, and prints the
 * objects that are alive.  They return whether there were any. */
gboolean layer_objects_report_mapped (void);
gboolean layer_objects_report_alive (void);

#endif /* GLOPENCL_LAYER_OBJECTS_H */
