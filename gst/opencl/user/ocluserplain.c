/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel on any device, a pixel at a time, and kernels for FFmpeg's
 * program_opencl, a plane at a time. */
#include "ocluservariants.h"

#include <string.h>

/* Cost of a tap in taps of the other variants. */
#define TAPS_OF_TAP 10

/* Kernels in FFmpeg's form use images. Unpacked buffers are copied to and from
 * images through other buffers. */
typedef struct
{
  OclFrame input;
  OclFrame output;
  OclFrame packed;
} State;

static void
ocl_user_plain_clear (gpointer data)
{
  State *state = data;

  ocl_frame_clear (&state->input);
  ocl_frame_clear (&state->output);
  ocl_frame_clear (&state->packed);
}

/* Keeps the argument information that ocl_user_plain_init() queries. */
static gchar *
ocl_user_plain_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return ocl_user_get_built (build)->native
      ? g_strdup ("-cl-kernel-arg-info") : NULL;
}

/* Rejects a kernel in FFmpeg's form with unsupported arguments. */
static gboolean
ocl_user_plain_init (OclKernels * self, GError ** error)
{
  /* Names of a type in drivers, with spaces around each. */
  static const struct
  {
    const gchar *types;
    cl_kernel_arg_access_qualifier access;
  } expected[] = {
    {" image2d_t ", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
    {" uint  unsigned int  int ", CL_KERNEL_ARG_ACCESS_NONE},
    {" image2d_t ", CL_KERNEL_ARG_ACCESS_READ_ONLY},
  };
  const OclUserSource *source = ocl_user_get_built (&self->build);

  if (!source->native)
    return TRUE;
  gboolean is_right = self->n_arguments[0] == G_N_ELEMENTS (expected);

  for (guint i = 0; is_right && i < G_N_ELEMENTS (expected); i++) {
    cl_kernel_arg_access_qualifier access = 0;
    gchar type[64] = "?";
    cl_int status = clGetKernelArgInfo (self->kernels[0], i,
        CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof (access), &access, NULL);

    if (status == CL_SUCCESS) {
      status = clGetKernelArgInfo (self->kernels[0], i,
          CL_KERNEL_ARG_TYPE_NAME, sizeof (type), type, NULL);
      /* The name of another type may be longer. */
      if (status == CL_INVALID_VALUE)
        status = CL_SUCCESS;
    }
    /* Drivers may not support this query. */
    if (status == CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
      return TRUE;
    if (!ocl_check (status, "clGetKernelArgInfo", error))
      return FALSE;
    g_autofree gchar *word = g_strdup_printf (" %s ", type);
    is_right = access == expected[i].access && strstr (expected[i].types, word);
  }
  if (!is_right)
    g_set_error (error, OCL_ERROR, OCL_ERROR_KERNEL,
        "The kernel %s in %s has other arguments than it gets. %s",
        source->native_name, source->insert.name, source->insert.hint);
  return is_right;
}

/* Runs a kernel in FFmpeg's form on the planes of a pass, which are images. */
static gboolean
enqueue_planes (OclKernels * self, const OclRun * run, const OclFrame * input,
    const OclFrame * output, GError ** error)
{
  for (guint i = 0; i < input->info.format->n_planes; i++) {
    const OclGrid grid = {.width =
          ocl_frame_info_get_image_width (&input->info, i),
      .height = ocl_frame_info_get_plane_height (&input->info, i),.exact = TRUE
    };

    if (ocl_pass_has_plane (run->pass, input->info.format, i)
        && !OCL_LAUNCH (self, run, grid, error,
            OCL_MEMORY (output->planes[i].memory), OCL_UINT (run->number),
            OCL_MEMORY (input->planes[i].memory)))
      return FALSE;
  }
  return TRUE;
}

/* Copies the planes of the pass. */
static gboolean
copy_planes (OclKernels * self, const OclRun * run, const OclFrame * source,
    const OclFrame * target, GError ** error)
{
  for (guint i = 0; i < source->info.format->n_planes; i++) {
    if (ocl_pass_has_plane (run->pass, source->info.format, i)
        && !ocl_frame_enqueue_plane_copy (self->context, source, target, i,
            run->timer, error))
      return FALSE;
  }
  return TRUE;
}

/* Copies the planes of the pass between an image and a buffer. */
static gboolean
copy_frame (OclKernels * self, const OclRun * run, const OclFrame * source,
    const OclFrame * target, GError ** error)
{
  State *state = self->state;

  if (ocl_frame_is_packed (source->info.storage == OCL_STORAGE_BUFFER ? source
          : target))
    return copy_planes (self, run, source, target, error);
  const OclFrameInfo copy = ocl_frame_info_get_copy (&source->info);
  return ocl_frame_ensure (&state->packed, self->context, &copy, error)
      && copy_planes (self, run, source, &state->packed, error)
      && copy_planes (self, run, &state->packed, target, error);
}

static gboolean
enqueue_native (OclKernels * self, const OclRun * run, GError ** error)
{
  State *state = self->state;

  if (run->input->info.storage == OCL_STORAGE_IMAGE)
    return enqueue_planes (self, run, run->input, run->output, error);
  OclFrameInfo image = run->input->info;
  image.storage = OCL_STORAGE_IMAGE;
  return ocl_frame_ensure (&state->input, self->context, &image, error)
      && ocl_frame_ensure (&state->output, self->context, &image, error)
      && copy_frame (self, run, run->input, &state->input, error)
      && enqueue_planes (self, run, &state->input, &state->output, error)
      && copy_frame (self, run, &state->output, run->output, error);
}

static gboolean
ocl_user_plain_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclUserSource *source = ocl_user_get_source (run->params);
  const OclGrid grid = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .n_taps = TAPS_OF_TAP * ocl_user_get_n_taps (run)
  };

  if (source->native)
    return enqueue_native (self, run, error);
  return OCL_LAUNCH (self, run, grid, error, OCL_USER_ARGUMENTS (run, source));
}

const OclVariant ocl_user_plain = {
  .name = "plain",
  .source = "user.cl",
  .kernels = OCL_NAMES ("user"),
  .group_width = 16,
  .group_height = 16,
  .state_size = sizeof (State),
  .get_insert = ocl_user_get_insert,
  .get_options = ocl_user_plain_get_options,
  .init = ocl_user_plain_init,
  .clear = ocl_user_plain_clear,
  .enqueue = ocl_user_plain_enqueue,
};
