/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternalgl.h"

#include <string.h>

#include "opencl/core/ocldevice.h"

typedef struct
{
  const gchar *name;
  gsize offset;
} Function;

#define FUNCTION(name) \
  {"gl" #name "EXT", G_STRUCT_OFFSET (GstGLOpenCLExternalGL, name)}

static const Function memory_functions[] = {
  FUNCTION (GetUnsignedBytei_v),
  FUNCTION (CreateMemoryObjects),
  FUNCTION (DeleteMemoryObjects),
  FUNCTION (MemoryObjectParameteriv),
  FUNCTION (ImportMemoryFd),
  FUNCTION (TexStorageMem2D),
};

static const Function semaphore_functions[] = {
  FUNCTION (GenSemaphores),
  FUNCTION (DeleteSemaphores),
  FUNCTION (ImportSemaphoreFd),
  FUNCTION (WaitSemaphore),
  FUNCTION (SignalSemaphore),
};

/* Checks the extension first: loaders return a function for any name. */
static gboolean
look_up (GstGLOpenCLExternalGL * self, GstGLContext * gl_context,
    const gchar * extension, const Function * functions, guint n)
{
  if (!gst_gl_context_check_feature (gl_context, extension))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    gpointer *member = G_STRUCT_MEMBER_P (self, functions[i].offset);

    *member = gst_gl_context_get_proc_address (gl_context, functions[i].name);
    if (!*member)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_opencl_external_gl_init (GstGLOpenCLExternalGL * self,
    GstGLContext * gl_context, GError ** error)
{
  if (!look_up (self, gl_context, "GL_EXT_memory_object_fd", memory_functions,
          G_N_ELEMENTS (memory_functions))) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "OpenGL has no GL_EXT_memory_object_fd.");
    return FALSE;
  }
  self->has_semaphores = look_up (self, gl_context, "GL_EXT_semaphore_fd",
      semaphore_functions, G_N_ELEMENTS (semaphore_functions));
  return TRUE;
}

gboolean
gst_gl_opencl_external_gl_has_uuid (const GstGLOpenCLExternalGL * self,
    GstGLContext * gl_context, const guint8 * uuid)
{
  /* A driver that does not report the number of UUIDs has one UUID. */
  gint n = 1;
  gboolean found = FALSE;

  gl_context->gl_vtable->GetIntegerv (GL_NUM_DEVICE_UUIDS_EXT, &n);
  for (gint i = 0; i < n && !found; i++) {
    guint8 candidate[OCL_UUID_BYTES] = { 0, };

    self->GetUnsignedBytei_v (GL_DEVICE_UUID_EXT, i, candidate);
    found = memcmp (candidate, uuid, OCL_UUID_BYTES) == 0;
  }
  return found;
}
