/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header has what the variants of the denoiser share. One thread at a
 * time may use a state. */

#pragma once

#include "ocldenoiseparams.h"
#include "oclmotionresult.h"
#include "oclpictures.h"

G_BEGIN_DECLS

/**
 * OclDenoiseState:
 * @pictures: pictures as planes of floats, see kernels/denoise.clh
 * @bases: E for each set of frames that match, see kernels/shrink.clh; owned
 * @border: the border of @pictures
 * @color: its colour, in levels
 * @scratch: what kernels hand to each other
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
 * @step: how many samples are between the starts of blocks
 * @pitch: the floats of a row of a plane: all columns of the picture, which may
 *    be taken apart into @step parts
 * @plane_size: the floats of a plane
 * @n_floats: the floats of a picture
 *
 * Says where the planes of a picture are.
 */
typedef struct
{
  gint step;
  gint pitch;
  gint plane_size;
  gsize n_floats;
} OclDenoiseLayout;

OclDenoiseLayout ocl_denoise_get_layout (const OclRun * run);

/* Returns how many frames the programs filter together. */
guint ocl_denoise_get_n_frames (const OclKernels * kernels);

/* The form of a variant says how many earlier and later frames it takes, where
 * blocks start, and whether the noise depends on the brightness. */
guint ocl_denoise_get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS]);

/* Returns how many frames a variant of @form takes: the earlier and the later
 * ones, and the current one. */
guint ocl_denoise_count_frames (guint form);

/* Returns how many samples are between the starts of blocks. */
guint ocl_denoise_get_step (guint form);

gchar *ocl_denoise_get_options (const OclBuild * build,
    const OclDevice * device);

gboolean ocl_denoise_init (OclKernels * kernels, GError ** error);

void ocl_denoise_clear (gpointer state);

/* Launches a kernel that makes a picture at word @offset of @memory. */
gboolean ocl_denoise_take_apart (OclKernels * kernels, const OclRun * run,
    OclGrid grid, cl_mem memory, cl_int offset, GError ** error);

/* Makes a picture with the first kernel of the variant, one sample for each
 * work-item: an OclPicturesFill. */
gboolean ocl_denoise_take_samples_apart (OclKernels * kernels,
    const OclRun * run, cl_mem memory, cl_int offset, GError ** error);

/* Makes the pictures of @run, with @fill where there are none. Sets @offsets as
 * ocl_pictures_ensure() does. */
gboolean ocl_denoise_ensure_pictures (OclKernels * kernels, const OclRun * run,
    OclPicturesFill fill, OclPicturesOffsets * offsets, GError ** error);

/* Returns the factor of σ that is the threshold for the pass of @run. */
gdouble ocl_denoise_get_factor (const OclRun * run);

/* Returns the buffer with σ of each channel of the format, or any buffer if σ
 * is given. */
cl_mem ocl_denoise_get_noise (OclKernels * kernels, const OclRun * run);

/* Returns the buffer with vectors, or any buffer if there is none. */
cl_mem ocl_denoise_get_motion (OclKernels * kernels, const OclRun * run);

/* Returns the buffer with the spectrum of the noise and masks, or any buffer if
 * there is none. */
cl_mem ocl_denoise_get_spectrum (OclKernels * kernels, const OclRun * run);

/* Expands to @argument for programs for more than one frame, which alone have
 * arguments for motion. */
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

/* Expands to the part of the noise that stays. */
#define OCL_DENOISE_GRAIN(run) \
    OCL_FLOAT (((const OclDenoiseParams *) (run)->params)->grain)

/* The variants, see each file. */
extern const OclVariant ocl_denoise_plain;
extern const OclVariant ocl_denoise_rows;
extern const OclVariant ocl_denoise_tiled;

G_END_DECLS
