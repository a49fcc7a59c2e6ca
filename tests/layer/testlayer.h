/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a test may use of the OpenCL test layer.
 *
 * The layer is a loader layer: it comes between the OpenCL loader and the
 * drivers when the environment variable OPENCL_LAYERS names its shared
 * object.  It gives a driver without cl_khr_gl_sharing that extension, for GL
 * contexts of EGL, by copying, is strict about the rules of the extension,
 * tracks every object, and makes chosen calls fail.
 *
 * The functions below are exported by the shared object.  A test does not
 * link it: it opens the object the loader has already loaded, by
 * dlopen (path, RTLD_NOW | RTLD_NOLOAD), and looks them up with dlsym(); the
 * type of a pointer to one of them is __typeof__ (&glopencl_layer_calls).  All
 * of them may be called from any thread, at any time.
 *
 * Every broken rule prints a line which starts with "gl-sharing layer: ", names
 * the function and the rule, and aborts the process.  A process which exits
 * with objects still alive prints them and ends with exit status 99.
 *
 * The rules: a command uses an image from GL only while it is acquired;
 * acquire and release alternate, and list an image once; an image is not freed
 * while acquired, nor mapped memory while mapped; clCreateFromGLTexture,
 * acquire, release and the last clReleaseMemObject are called with the very GL
 * context current that the OpenCL context was created for; the texture
 * outlives the image; and every release is waited for before the image is
 * acquired again or freed, and before the process ends; an acquire behind its
 * event may come earlier, but does not count as waiting.  Waiting is
 * clWaitForEvents or clGetEventInfo (which says CL_COMPLETE) on the event of
 * the release, or clFinish on its queue.  And a process makes no call of
 * OpenCL which the plugin never makes; where broken rules are only counted, it
 * does nothing and returns CL_INVALID_OPERATION, or NULL.
 *
 * Environment, read once when the loader loads the layer; a value that makes
 * no sense aborts the process:
 *
 *   GLOPENCL_LAYER_ABORT=0          count broken rules, do not abort
 *   GLOPENCL_LAYER_SHARING=0        no emulation of cl_khr_gl_sharing
 *   GLOPENCL_LAYER_BREAK_SHARING=1  clCreateFromGLTexture fails with
 *                                   CL_INVALID_GL_OBJECT
 *   GLOPENCL_LAYER_EXTERNAL=1       emulate cl_khr_external_memory_opaque_fd,
 *                                   of memory that Mesa's software Vulkan has
 *                                   exported, and its software OpenGL imports;
 *                                   the rules are those of images from GL, but
 *                                   for those about contexts and textures
 *   GLOPENCL_LAYER_SEMAPHORES=1     emulate
 *                                   cl_khr_external_semaphore_opaque_fd, whose
 *                                   semaphores are files of eventfd();
 *                                   waiting for one before it is signalled, and
 *                                   signalling it twice, are broken rules
 *   GLOPENCL_LAYER_CORRUPT=all      acquire and release copy nothing; with a
 *                                   number, of images whose pixels have so
 *                                   many bytes
 *   GLOPENCL_LAYER_BGRA=1           images from GL are CL_BGRA, not CL_RGBA
 *   GLOPENCL_LAYER_DISCRETE=1       CL_DEVICE_HOST_UNIFIED_MEMORY is false
 *   GLOPENCL_LAYER_TYPE=gpu         every device is a GPU
 *   GLOPENCL_LAYER_NO_RG_IMAGES=1   no images of two components
 *   GLOPENCL_LAYER_MAX_IMAGE=N      2D images are at most N pixels wide and
 *                                   high, and clCreateFromGLTexture refuses
 *                                   larger ones with CL_INVALID_IMAGE_SIZE
 *   GLOPENCL_LAYER_FAULT=FUNCTION:NTH:ERROR
 *                                   as glopencl_layer_set_fault()
 */

#ifndef GLOPENCL_TEST_LAYER_H
#define GLOPENCL_TEST_LAYER_H

#define LAYER_EXPORT __attribute__ ((visibility ("default")))

/* The exit status of a process which leaked OpenCL objects. */
#define GLOPENCL_LAYER_EXIT_LEAK 99

/*
 * Makes the @nth call (from 1) of @function from now on return @error.  It
 * happens once, and replaces a fault set before.  "*" as the function counts
 * the calls of every function that can fail.  @nth 0 clears the fault.
 *
 * A call that fails in this way has no effect, except that clWaitForEvents and
 * clFinish do wait.  A creating function returns NULL as well, and a look-up of
 * an extension function only that.  After a failed release an image is still
 * acquired: releasing it again and freeing it are both fine, acquiring it is
 * not.  Memory which a failed unmap leaves mapped may be freed.  An unknown
 * @function, or one that cannot fail (clRetain*, clRelease*), aborts.
 */
LAYER_EXPORT void glopencl_layer_set_fault (const char *function, unsigned nth,
    int error);

/* Every call of @function fails from now on, until a fault is set or
 * cleared. */
LAYER_EXPORT void glopencl_layer_set_lasting_fault (const char *function,
    int error);

/* Whether the fault set last has been delivered. */
LAYER_EXPORT int glopencl_layer_fault_hit (void);

/*
 * How often @function was called since the last glopencl_layer_reset_counts(),
 * failed calls included.  NULL asks for the sum over every function that can
 * fail, which is what the function "*" of a fault counts.
 */
LAYER_EXPORT unsigned glopencl_layer_calls (const char *function);

/* Starts counting from 0 for all functions.  A fault set is not touched. */
LAYER_EXPORT void glopencl_layer_reset_counts (void);

/* The name of function number @index of those that can fail, NULL at the end.
 * The string is static. */
LAYER_EXPORT const char *glopencl_layer_function_name (unsigned index);

/* How many OpenCL objects, of all kinds, the process holds now. */
LAYER_EXPORT unsigned glopencl_layer_live_objects (void);

/* How many rules have been broken so far (with GLOPENCL_LAYER_ABORT=0). */
LAYER_EXPORT unsigned glopencl_layer_violations (void);

#endif /* GLOPENCL_TEST_LAYER_H */
