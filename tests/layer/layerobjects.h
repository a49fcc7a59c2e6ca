/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracks OpenCL objects: the references that the application owns, and the
 * memory that it has mapped.
 *
 * Only the application's references are counted, not the driver's internal
 * references.  The layer does not track a handle whose creation it has not seen
 * (a root device); all functions ignore such a handle.  Functions may be called
 * from any thread.
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

/* Called when the function @creator (a static string) has created @handle,
 * which has one reference.  A @handle that is NULL is ignored. */
void layer_objects_add (LayerObjectKind kind, gpointer handle,
    const char *creator);

/* Called when the driver has given the application another reference to
 * @handle. */
void layer_objects_retain (gpointer handle);

/*
 * Called when the application gives back a reference to @handle.  Must be
 * called before the driver's release function, because the driver may use the
 * address for another object afterwards.  Returns whether the reference was the
 * last one.
 */
gboolean layer_objects_release (gpointer handle);

typedef enum
{
  LAYER_MAPPED,
  LAYER_UNMAPPED,
  LAYER_UNMAP_REFUSED
} LayerMapping;

/* Called when @memory was mapped or unmapped, or when an injected fault has
 * prevented the unmap.  In the last case the application is not blamed for the
 * mapping. */
void layer_objects_map (cl_mem memory, LayerMapping what);

/* Called at exit.  The first function reports memory that is still mapped as a
 * broken rule, the second one prints the objects that are still alive.  Both
 * return whether there were any. */
gboolean layer_objects_report_mapped (void);
gboolean layer_objects_report_alive (void);

#endif /* GLOPENCL_LAYER_OBJECTS_H */
