/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The functions of the OpenCL test layer that a test may use.
 *
 * The layer is a loader layer: it comes between the OpenCL loader and the
 * drivers when the environment variable OPENCL_LAYERS names its shared object.
 * It gives a driver without cl_khr_gl_sharing that extension, for GL contexts
 * of EGL, by copying, is strict about the rules of the extension, tracks every
 * object, and makes chosen calls fail.
 *
 * The shared object exports the functions below.  A test does not link the
 * shared object.  It opens the object that the loader has already loaded, by
 * dlopen (path, RTLD_NOW | RTLD_NOLOAD), and looks up the functions with
 * dlsym(). The type of a pointer to a function is, for example, __typeof__
 * (&glopencl_layer_calls).  All functions may be called from any thread, at any
 * time.
 *
 * For every broken rule the layer prints a line which starts with "gl-sharing
 * layer: " and names the function and the rule, and aborts the process.  If
 * OpenCL objects are still alive when the process exits, the layer prints them
 * and ends the process with exit status 99.
 *
 * These are the rules:
 *
 * - A command uses an image from GL only while the image is acquired. - Acquire
 * and release alternate, and list an image once. - An image is not freed while
 * it is acquired, and memory is not freed while
 *    it is mapped.
 * - clCreateFromGLTexture, acquire, release and the last clReleaseMemObject
 *    are called while the GL context is current for which the OpenCL context
 *    was created.
 * - The texture outlives the image. - The application waits for every release
 * before it acquires the image again
 *    or frees it, and before the process ends.  An acquire that has the event
 *    of the release in its wait list may come earlier, but does not count as
 *    waiting.  Waiting is clWaitForEvents or clGetEventInfo (which says
 *    CL_COMPLETE) on the event of the release, or clFinish on its queue.
 * - The process makes no OpenCL call which the plugin never makes.  If broken
 *    rules are only counted, such a call does nothing and returns
 *    CL_INVALID_OPERATION, or NULL.
 *
 * The layer reads these environment variables once, when the loader loads it.
 * An invalid value aborts the process:
 *
 *   GLOPENCL_LAYER_ABORT=0          count broken rules, do not abort
 *   GLOPENCL_LAYER_SHARING=0        no emulation of cl_khr_gl_sharing
 *   GLOPENCL_LAYER_BREAK_SHARING=1  clCreateFromGLTexture fails with
 *                                   CL_INVALID_GL_OBJECT
 *   GLOPENCL_LAYER_EXTERNAL=1       emulate cl_khr_external_memory_opaque_fd
 *                                   for memory that Mesa's software Vulkan has
 *                                   exported and its software OpenGL imports;
 *                                   the rules of images from GL apply, except
 *                                   the rules about contexts and textures
 *   GLOPENCL_LAYER_SEMAPHORES=1     emulate
 *                                   cl_khr_external_semaphore_opaque_fd, whose
 *                                   semaphores are files of eventfd();
 *                                   waiting for one before it is signalled, and
 *                                   signalling it twice, are broken rules
 *   GLOPENCL_LAYER_CORRUPT=all      acquire and release copy nothing; with a
 *                                   number instead of "all", this is limited
 *                                   to images with so many bytes per pixel
 *   GLOPENCL_LAYER_BGRA=1           images from GL are CL_BGRA, not CL_RGBA
 *   GLOPENCL_LAYER_DISCRETE=1       CL_DEVICE_HOST_UNIFIED_MEMORY is false
 *   GLOPENCL_LAYER_TYPE=gpu         every device is a GPU
 *   GLOPENCL_LAYER_NO_RG_IMAGES=1   no images of two components
 *   GLOPENCL_LAYER_RGBA_SHORTS=1    images with 16 bits for a component have
 *                                   four components
 *   GLOPENCL_LAYER_FLAT_GROUPS=1    work-groups have one row; a launch of a
 *                                   group with more rows is a broken rule
 *   GLOPENCL_LAYER_LOCAL_SIZE=N     work-groups have N bytes of local memory; a
 *                                   launch that needs more is a broken rule
 *   GLOPENCL_LAYER_MAX_IMAGE=N      2D images are at most N pixels wide and
 *                                   high, and clCreateFromGLTexture refuses
 *                                   larger ones with CL_INVALID_IMAGE_SIZE
 *   GLOPENCL_LAYER_MAX_ALLOC=N      the device says that a buffer has at most N
 *                                   bytes; larger ones are not refused
 *   GLOPENCL_LAYER_FAULT=FUNCTION:NTH:ERROR
 *                                   as glopencl_layer_set_fault() */

#ifndef GLOPENCL_TEST_LAYER_H
#define GLOPENCL_TEST_LAYER_H

#define LAYER_EXPORT __attribute__ ((visibility ("default")))

/* The exit status of a process which leaked OpenCL objects. */
#define GLOPENCL_LAYER_EXIT_LEAK 99

/* Makes the @nth call (from 1) of @function from now on fail with @error.  The
 * fault strikes once, and replaces a fault that was set before.  If @function
 * is "*", the calls of all functions that can fail are counted.  If @nth is 0,
 * the fault is cleared.
 *
 * A call that fails in this way has no effect, except that clWaitForEvents and
 * clFinish do wait.  A function that creates an object sets the error and
 * returns NULL. a look-up of an extension function only returns NULL.  After a
 * failed release the image is still acquired: it may be released again or
 * freed, but not acquired.  Memory that stays mapped after a failed unmap may
 * be freed. An unknown @function, or one that cannot fail (clRetain*,
 * clRelease*), aborts the process. */
LAYER_EXPORT void glopencl_layer_set_fault (const char *function, unsigned nth,
    int error);

/* Makes every call of @function fail with @error from now on, until a fault is
 * set or cleared. */
LAYER_EXPORT void glopencl_layer_set_lasting_fault (const char *function,
    int error);

/* Returns whether the fault that was set last has struck. */
LAYER_EXPORT int glopencl_layer_fault_hit (void);

/* Returns how often @function was called since the last
 * glopencl_layer_reset_counts(), failed calls included.  If @function is NULL,
 * returns the sum over all functions that can fail, like the function "*" of a
 * fault. */
LAYER_EXPORT unsigned glopencl_layer_calls (const char *function);

/* Resets the counts of all functions to 0.  Does not change the fault. */
LAYER_EXPORT void glopencl_layer_reset_counts (void);

/* Returns the name of the function number @index among the functions that can
 * fail, or NULL after the last one.  The string is static. */
LAYER_EXPORT const char *glopencl_layer_function_name (unsigned index);

/* Returns how many OpenCL objects, of all kinds, the process holds now. */
LAYER_EXPORT unsigned glopencl_layer_live_objects (void);

/* Returns how many rules have been broken so far (with
 * GLOPENCL_LAYER_ABORT=0). */
LAYER_EXPORT unsigned glopencl_layer_violations (void);

#endif /* GLOPENCL_TEST_LAYER_H */
