/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The images made from GL textures or external memory, and the rules about
 * their life: who may use them and when, which GL context must be current, and
 * that the application must wait for every release.
 *
 * All functions ignore other memory objects, and may be called from any
 * thread.  A LayerImage stays valid until the application drops its last
 * reference.  If the application uses the image on another thread at that
 * moment, this is an error in the application, as in OpenCL itself.
 */

#ifndef GLOPENCL_LAYER_IMAGES_H
#define GLOPENCL_LAYER_IMAGES_H

#include <CL/cl_gl.h>
#include <glib.h>

#include "layergl.h"

typedef struct
{
  cl_mem memory;
  gpointer gl_context;          /* that its OpenCL context shares with */
  cl_GLuint texture;
  int width;
  int height;
  const LayerPixels *pixels;
  gboolean bgra;                /* RGBA bytes are CL_BGRA in OpenCL */
  guint8 *data;                 /* host memory for copies, owned */

  /* An image on external memory has no GL context.  It has a mapping of the
   * memory (owned), the offset of the first pixel, and the bytes of a row. */
  guint8 *mapping;
  gsize mapping_size;
  gsize offset;
  gsize stride;

  /* The lock guards the following members. */
  gboolean acquired;
  gboolean release_refused;     /* still acquired: a release has failed */
} LayerImage;

/* Adds a copy of @image to the known images, with its memory object as the
 * key. */
void layer_images_add (const LayerImage *image);

/* Returns the image of @memory, or NULL if @memory is not an image from GL. */
LayerImage *layer_images_find (cl_mem memory);

/* Called before the application drops its last reference to @memory.  Checks
 * that the rules allow this, and forgets the image. */
void layer_images_remove (cl_mem memory);

/* Reports @function if the GL context is not current.  Returns whether the GL
 * context is current. */
gboolean layer_images_check_current (gpointer gl_context,
    const char *function);

/* Reports @function if the GL context is not current, or the texture of @image
 * is deleted.  Returns whether GL can be used on the image. */
gboolean layer_images_check_gl (const LayerImage *image, const char *function);

/* Reports @function, which enqueues a command on @memory, if @memory is an
 * image that is not acquired. */
void layer_images_check_use (cl_mem memory, const char *function);

/* Returns whether the configuration forbids copies of the pixels of @image. */
gboolean layer_images_is_corrupt (const LayerImage *image);

/* Report @function, which acquires or releases @image, if the image is in the
 * wrong state. */
void layer_images_check_acquire (const LayerImage *image, const char *function,
    cl_uint n_events, const cl_event *events);
void layer_images_check_release (const LayerImage *image,
    const char *function);

/* Called when the image was acquired. */
void layer_images_acquired (LayerImage *image);

/* Called when the image was released on @queue.  @event is the event that the
 * application got, or NULL.  From now on the application must wait for the
 * release. */
void layer_images_released (LayerImage *image, cl_command_queue queue,
    cl_event event);

/* Called when a release has failed.  The images are still acquired, but the
 * application may free them in this state. */
void layer_images_release_refused (cl_uint count, const cl_mem *memory);

/*
 * Called when the application has waited for @event, or has seen that @event is
 * complete; or when it has finished @queue.  @number is the value of
 * layer_images_release_number() when the application called clFinish.
 */
void layer_images_event_seen (cl_event event);
guint64 layer_images_release_number (void);
void layer_images_queue_finished (cl_command_queue queue, guint64 number);

/* Called before the application drops its last reference to an event or a
 * queue. From now on, waiting for an object at this address does not count. */
void layer_images_forget (gpointer event_or_queue);

/* Called at exit.  Reports the releases for which nobody has waited.  Returns
 * whether there were any. */
gboolean layer_images_report_owed (void);

#endif /* GLOPENCL_LAYER_IMAGES_H */
