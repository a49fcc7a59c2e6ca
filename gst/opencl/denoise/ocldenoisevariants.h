/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Common functions of the variants of the denoiser. Use a state from one thread
 * at a time. */

#pragma once

#include "ocldenoiseparams.h"
#include "oclmotionresult.h"
#include "oclpictures.h"

G_BEGIN_DECLS

/**
 * OclDenoiseState:
 * @pictures: pictures as planes of floats, see kernels/denoise.clh
 * @bases: E for each set of frames that match, see kernels/shrink.clh (owned)
 * @border: the border of @pictures
 * @color: its colour, in levels
 * @scratch: intermediate data of kernels
 *
 * The state of a variant.
 */
typedef struct
{
  OclPictures pictures;
  cl_mem bases;
  OclBorderMode border;
  cl_float4 color;
  OclMemory scratch;
} OclDenoiseState;

/**
 * OclDenoiseLayout:
 * @step: the distance between the starts of blocks in samples
 * @pitch: the floats of a row of a plane: all columns of the picture, which may
 *    be split into @step parts
 * @plane_size: the floats of a plane
 * @n_floats: the floats of a picture
 *
 * Layout of the planes of a picture.
 */
typedef struct
{
  gint step;
  gint pitch;
  gint plane_size;
  gsize n_floats;
} OclDenoiseLayout;

OclDenoiseLayout ocl_denoise_get_layout (const OclRun * run);

/* Returns the number of frames that the programs filter together. */
guint ocl_denoise_get_n_frames (const OclKernels * kernels);

/* The form of a variant encodes the numbers of earlier and later frames, the
 * distance of blocks, and whether the noise depends on the brightness. */
guint ocl_denoise_get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS]);

/* Returns the number of frames of a variant of @form: the earlier frames, the
 * later frames and the current frame. */
guint ocl_denoise_count_frames (guint form);

/* Returns the distance between the starts of blocks in samples. */
guint ocl_denoise_get_step (guint form);

gchar *ocl_denoise_get_options (const OclBuild * build,
    const OclDevice * device);

gboolean ocl_denoise_init (OclKernels * kernels, GError ** error);

void ocl_denoise_clear (gpointer state);

/* Launches a kernel that writes a picture at word @offset of @memory. */
gboolean ocl_denoise_take_apart (OclKernels * kernels, const OclRun * run,
    OclGrid grid, cl_mem memory, cl_int offset, GError ** error);

/* Writes a picture with the first kernel of the variant, one sample for each
 * work-item: an OclPicturesFill. */
gboolean ocl_denoise_take_samples_apart (OclKernels * kernels,
    const OclRun * run, cl_mem memory, cl_int offset, GError ** error);

/* Computes the missing pictures of @run with @fill. Sets @offsets as
 * ocl_pictures_ensure() does. */
gboolean ocl_denoise_ensure_pictures (OclKernels * kernels, const OclRun * run,
    OclPicturesFill fill, OclPicturesOffsets * offsets, GError ** error);

/* Returns the threshold for the pass of @run as a factor of σ. */
gdouble ocl_denoise_get_factor (const OclRun * run);

/* Returns the buffer with σ of each channel of the format, or any buffer if σ
 * is given. */
cl_mem ocl_denoise_get_noise (OclKernels * kernels, const OclRun * run);

/* Returns the buffer with vectors, or any buffer if there is none. */
cl_mem ocl_denoise_get_motion (OclKernels * kernels, const OclRun * run);

/* Returns the buffer with the spectrum of the noise and masks, or any buffer if
 * there is none. */
cl_mem ocl_denoise_get_spectrum (OclKernels * kernels, const OclRun * run);

/* Expands to @argument for programs for more than one frame. Other programs
 * have no arguments for motion. */
#define OCL_DENOISE_IF_FRAMES(kernels, argument) \
    OCL_IF (ocl_denoise_get_n_frames (kernels) > 1, argument)

/* Expands to the arguments for motion. */
#define OCL_DENOISE_MOTION(kernels, run) \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_motion (kernels, run))), \
    OCL_DENOISE_IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_blocks (run))), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_spectrum (kernels, run))), \
    OCL_DENOISE_IF_FRAMES (kernels, OCL_INT2 (ocl_motion_get_cells (run))), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (((OclDenoiseState *) (kernels)->state)->bases))

/* Expands to the arguments for the noise. */
#define OCL_DENOISE_NOISE(kernels, run) \
    OCL_MEMORY (ocl_denoise_get_noise (kernels, run)), \
    OCL_DENOISE_IF_FRAMES (kernels, \
        OCL_MEMORY (ocl_denoise_get_spectrum (kernels, run))), \
    OCL_INT ((run)->pass->first_channel), \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->noise), \
    OCL_FLOAT (ocl_denoise_get_factor (run))

/* Expands to the fraction of the noise that is kept. */
#define OCL_DENOISE_GRAIN(run) \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->grain)

/* The variants, see each file. */
extern const OclVariant ocl_denoise_plain;
extern const OclVariant ocl_denoise_rows;
extern const OclVariant ocl_denoise_tiled;

G_END_DECLS
