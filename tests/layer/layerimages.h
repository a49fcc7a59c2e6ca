/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The images made from GL textures or external memory, and the rules about
 * their life: who may use them when, with which GL context current, and that a
 * release is waited for.
 *
 * All functions ignore other memory objects, and may be called from any
 * thread.  A LayerImage stays valid until the application's
 * last reference goes; using it on another thread meanwhile is an error of the
 * application that OpenCL does not allow either.
 */

#ifndef GLOPENCL_LAYER_IMAGES_H
#define GLOPENCL_LAYER_IMAGES_H

#include <CL/cl_gl.h>
#include <glib.h>

#include "layergl.h"

typedef struct
{
  cl_mem memory;
  gpointer gl_context;          /* which its OpenCL context shares with */
  cl_GLuint texture;
  int width;
  int height;
  const LayerPixels *pixels;
  gboolean bgra;                /* RGBA bytes in OpenCL's other order */
  guint8 *data;                 /* for the copies, owned */

  /* Of an image on external memory, which has no GL context: the mapping of
   * the memory, owned, where the pixels begin, and the bytes of a row. */
  guint8 *mapping;
  gsize mapping_size;
  gsize offset;
  gsize stride;

  /* Under the lock from here on. */
  gboolean acquired;
  gboolean release_refused;     /* acquired because a release has failed */
} LayerImage;

/* Makes a copy of @image known under its memory object. */
void layer_images_add (const LayerImage *image);

/* The image of @memory, NULL if it is not an image from GL. */
LayerImage *layer_images_find (cl_mem memory);

/* The application's last reference to @memory is going: checks that it may, and
 * forgets the image. */
void layer_images_remove (cl_mem memory);

/* Reports @function if the GL context is not current.  Returns whether it
 * is. */
gboolean layer_images_check_current (gpointer gl_context,
    const char *function);

/* Reports @function if the GL context is not current, or the texture of @image
 * is gone.  Returns whether GL can be used on the image. */
gboolean layer_images_check_gl (const LayerImage *image, const char *function);

/* Reports @function, an enqueue, if it uses @memory while that is not
 * acquired. */
void layer_images_check_use (cl_mem memory, const char *function);

/* Whether the configuration asks that nothing is copied of @image. */
gboolean layer_images_is_corrupt (const LayerImage *image);

/* Reports @function, an acquire or a release, of an image in the wrong
 * state. */
void layer_images_check_acquire (const LayerImage *image, const char *function,
    cl_uint n_events, const cl_event *events);
void layer_images_check_release (const LayerImage *image,
    const char *function);

/* The image was acquired. */
void layer_images_acquired (LayerImage *image);

/* The image was released on @queue, with @event (or NULL) handed out, so that
 * the application owes a wait. */
void layer_images_released (LayerImage *image, cl_command_queue queue,
    cl_event event);

/* A release has failed.  The images are still acquired, but the application
 * cannot be blamed for that when it frees them. */
void layer_images_release_refused (cl_uint count, const cl_mem *memory);

/*
 * The application has waited for @event, or has seen it complete; or has
 * finished @queue, for which it asked when layer_images_release_number() was
 * @number.
 */
void layer_images_event_seen (cl_event event);
guint64 layer_images_release_number (void);
void layer_images_queue_finished (cl_command_queue queue, guint64 number);

/* The application's last reference to an event, or a queue, is going, so that
 * waiting for that address means nothing from now on. */
void layer_images_forget (gpointer event_or_queue);

/* At exit: reports the releases of images which nobody has waited for.
 * Returns whether there were any. */
gboolean layer_images_report_owed (void);

#endif /* GLOPENCL_LAYER_IMAGES_H */
