/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies pixels between GL textures and the host, with calls that every GL and
 * GL ES version since 2.0 has, and restores the GL state that these calls
 * depend on. */

#include "layer.h"

#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Of GL_EXT_memory_object. */
#define GL_DEVICE_UUID 0x9597

#define GL_FUNCTIONS(X) \
  X (PFNGLGETERRORPROC, GetError) \
  X (PFNGLGETSTRINGPROC, GetString) \
  X (PFNGLGETINTEGERVPROC, GetIntegerv) \
  X (PFNGLISTEXTUREPROC, IsTexture) \
  X (PFNGLBINDTEXTUREPROC, BindTexture) \
  X (PFNGLTEXSUBIMAGE2DPROC, TexSubImage2D) \
  X (PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers) \
  X (PFNGLDELETEFRAMEBUFFERSPROC, DeleteFramebuffers) \
  X (PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer) \
  X (PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D) \
  X (PFNGLCHECKFRAMEBUFFERSTATUSPROC, CheckFramebufferStatus) \
  X (PFNGLREADPIXELSPROC, ReadPixels) \
  X (PFNGLPIXELSTOREIPROC, PixelStorei) \
  X (PFNGLBINDBUFFERPROC, BindBuffer) \
  X (PFNGLFINISHPROC, Finish)

typedef struct
{
  void *(*get_current_context) (void);
  void (*(*get_proc_address) (const char *)) (void);
  /* Not in OpenGL ES before 3.1. */
  PFNGLGETTEXLEVELPARAMETERIVPROC GetTexLevelParameteriv;
  /* Of GL_EXT_memory_object. */
  void (APIENTRY * GetUnsignedBytei_v) (GLenum name, GLuint index,
      GLubyte * bytes);
#define GL_FUNCTION_MEMBER(type, name) type name;
    GL_FUNCTIONS (GL_FUNCTION_MEMBER)
#undef GL_FUNCTION_MEMBER
} LayerGl;

/* Features of a GL context. */
typedef enum
{
  LAYER_GL_ANY = 0,
  LAYER_GL_LEVEL_QUERY = 1 << 0,
  LAYER_GL_READ_FRAMEBUFFER = 1 << 1,
  LAYER_GL_PIXEL_BUFFERS = 1 << 2,
  LAYER_GL_PACK_RECTANGLE = 1 << 3,
  LAYER_GL_UNPACK_RECTANGLE = 1 << 4,
  LAYER_GL_ALL = (1 << 5) - 1
} LayerGlFeatures;

/* The state that transfers depend on, with the values for tightly packed pixels
 * in host memory. */
static const struct
{
  GLenum name;
  GLint value;
  LayerGlFeatures needs;
} transfer_state[] = {
  {GL_TEXTURE_BINDING_2D, 0, LAYER_GL_ANY},
  {GL_PIXEL_PACK_BUFFER_BINDING, 0, LAYER_GL_PIXEL_BUFFERS},
  {GL_PIXEL_UNPACK_BUFFER_BINDING, 0, LAYER_GL_PIXEL_BUFFERS},
  {GL_PACK_ALIGNMENT, 1, LAYER_GL_ANY},
  {GL_PACK_ROW_LENGTH, 0, LAYER_GL_PACK_RECTANGLE},
  {GL_PACK_SKIP_ROWS, 0, LAYER_GL_PACK_RECTANGLE},
  {GL_PACK_SKIP_PIXELS, 0, LAYER_GL_PACK_RECTANGLE},
  {GL_UNPACK_ALIGNMENT, 1, LAYER_GL_ANY},
  {GL_UNPACK_ROW_LENGTH, 0, LAYER_GL_UNPACK_RECTANGLE},
  {GL_UNPACK_SKIP_ROWS, 0, LAYER_GL_UNPACK_RECTANGLE},
  {GL_UNPACK_SKIP_PIXELS, 0, LAYER_GL_UNPACK_RECTANGLE},
};

typedef struct
{
  LayerGlFeatures features;
  GLint values[G_N_ELEMENTS (transfer_state)];
} LayerGlState;

static void
layer_gl_fill (LayerGl * gl)
{
  static const char egl[] = "libEGL.so.1";
  void *library = dlopen (egl, RTLD_LAZY);

  if (library == NULL)
    layer_misuse ("%s cannot be loaded", egl);
  gl->get_current_context = (__typeof__ (gl->get_current_context))
      dlsym (library, "eglGetCurrentContext");
  gl->get_proc_address = (__typeof__ (gl->get_proc_address))
      dlsym (library, "eglGetProcAddress");
  if (gl->get_current_context == NULL || gl->get_proc_address == NULL)
    layer_misuse ("%s lacks functions", egl);

  /* *INDENT-OFF* */
#define GL_FUNCTION_LOOK_UP(type, name) \
  gl->name = (type) gl->get_proc_address ("gl" #name); \
  if (gl->name == NULL) \
    layer_misuse ("the GL function gl%s is missing", #name);
  GL_FUNCTIONS (GL_FUNCTION_LOOK_UP)
#undef GL_FUNCTION_LOOK_UP
  /* *INDENT-ON* */
  gl->GetTexLevelParameteriv = (PFNGLGETTEXLEVELPARAMETERIVPROC)
      gl->get_proc_address ("glGetTexLevelParameteriv");
  gl->GetUnsignedBytei_v = (__typeof__ (gl->GetUnsignedBytei_v))
      gl->get_proc_address ("glGetUnsignedBytei_vEXT");
}

static const LayerGl *
layer_gl_get (void)
{
  static LayerGl gl;
  static gsize looked_up;

  if (g_once_init_enter (&looked_up)) {
    layer_gl_fill (&gl);
    g_once_init_leave (&looked_up, 1);
  }
  return &gl;
}

static void
layer_gl_clear_error (const LayerGl * gl)
{
  while (gl->GetError () != GL_NO_ERROR);
}

/* Asks for the version instead of trying each piece of state out, because
 * failing GL calls would leave errors. */
static LayerGlFeatures
layer_gl_features (const LayerGl * gl)
{
  static const char es_prefix[] = "OpenGL ES ";
  const char *version = (const char *) gl->GetString (GL_VERSION);
  const char *extensions;
  LayerGlFeatures features = LAYER_GL_ANY;
  int major = 2, minor = 0;

  if (version == NULL || !g_str_has_prefix (version, es_prefix))
    return LAYER_GL_ALL;

  sscanf (version + strlen (es_prefix), "%d.%d", &major, &minor);
  if (major * 10 + minor >= 31)
    return LAYER_GL_ALL;
  if (major >= 3)
    return LAYER_GL_ALL & ~LAYER_GL_LEVEL_QUERY;
  extensions = (const char *) gl->GetString (GL_EXTENSIONS);
  if (strstr (extensions, "GL_NV_pack_subimage") != NULL)
    features |= LAYER_GL_PACK_RECTANGLE;
  if (strstr (extensions, "GL_EXT_unpack_subimage") != NULL)
    features |= LAYER_GL_UNPACK_RECTANGLE;
  return features;
}

static void
layer_gl_set (const LayerGl * gl, GLenum name, GLint value)
{
  switch (name) {
    case GL_TEXTURE_BINDING_2D:
      gl->BindTexture (GL_TEXTURE_2D, value);
      break;
    case GL_PIXEL_PACK_BUFFER_BINDING:
      gl->BindBuffer (GL_PIXEL_PACK_BUFFER, value);
      break;
    case GL_PIXEL_UNPACK_BUFFER_BINDING:
      gl->BindBuffer (GL_PIXEL_UNPACK_BUFFER, value);
      break;
    default:
      gl->PixelStorei (name, value);
      break;
  }
}

static gboolean
layer_gl_has (const LayerGlState * state, LayerGlFeatures features)
{
  return (state->features & features) == features;
}

/* Saves the state, then binds @texture and sets up transfers. */
static void
layer_gl_begin (const LayerGl * gl, LayerGlState * state, GLuint texture)
{
  layer_gl_clear_error (gl);
  state->features = layer_gl_features (gl);
  for (guint i = 0; i < G_N_ELEMENTS (transfer_state); i++) {
    if (layer_gl_has (state, transfer_state[i].needs)) {
      gl->GetIntegerv (transfer_state[i].name, &state->values[i]);
      layer_gl_set (gl, transfer_state[i].name, transfer_state[i].value);
    }
  }
  gl->BindTexture (GL_TEXTURE_2D, texture);
}

/* Puts the state back.  Returns whether GL has accepted everything since
 * layer_gl_begin(). */
static gboolean
layer_gl_end (const LayerGl * gl, const LayerGlState * state)
{
  gboolean fine;

  for (guint i = 0; i < G_N_ELEMENTS (transfer_state); i++) {
    if (layer_gl_has (state, transfer_state[i].needs))
      layer_gl_set (gl, transfer_state[i].name, state->values[i]);
  }
  fine = gl->GetError () == GL_NO_ERROR;
  layer_gl_clear_error (gl);
  return fine;
}

gboolean
layer_gl_is_current (gpointer gl_context)
{
  return layer_gl_get ()->get_current_context () == gl_context;
}

gboolean
layer_gl_is_texture (cl_GLuint texture)
{
  return layer_gl_get ()->IsTexture (texture);
}

/* The width (or height) of the bound texture where GL cannot be asked: the
 * largest offset at which GL accepts an update.  The update is empty, so that
 * nothing is written. */
static int
layer_gl_probe_size (const LayerGl * gl, gboolean vertical)
{
  GLint low = 0, high = 0;

  gl->GetIntegerv (GL_MAX_TEXTURE_SIZE, &high);
  while (low < high) {
    GLint middle = low + (high - low + 1) / 2;

    gl->TexSubImage2D (GL_TEXTURE_2D, 0, vertical ? 0 : middle,
        vertical ? middle : 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    if (gl->GetError () == GL_NO_ERROR)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* The first is for all that GL has no other name for. */
static const LayerPixels pixel_formats[] = {
  {GL_RGBA8, {CL_RGBA, CL_UNORM_INT8}, GL_RGBA, GL_UNSIGNED_BYTE, 4},
  {GL_R8, {CL_R, CL_UNORM_INT8}, GL_RED, GL_UNSIGNED_BYTE, 1},
  {GL_RG8, {CL_RG, CL_UNORM_INT8}, GL_RG, GL_UNSIGNED_BYTE, 2},
  {GL_R16, {CL_R, CL_UNORM_INT16}, GL_RED, GL_UNSIGNED_SHORT, 2},
  {GL_RG16, {CL_RG, CL_UNORM_INT16}, GL_RG, GL_UNSIGNED_SHORT, 4},
  {GL_RGBA16, {CL_RGBA, CL_UNORM_INT16}, GL_RGBA, GL_UNSIGNED_SHORT, 8},
};

const LayerPixels *
layer_gl_find_image_pixels (const cl_image_format * format)
{
  for (guint i = 0; i < G_N_ELEMENTS (pixel_formats); i++) {
    if (memcmp (&pixel_formats[i].image_format, format, sizeof (*format)) == 0)
      return &pixel_formats[i];
  }
  return NULL;
}

gboolean
layer_gl_get_uuid (guint8 uuid[16])
{
  const LayerGl *gl = layer_gl_get ();

  if (gl->get_current_context () == NULL || gl->GetUnsignedBytei_v == NULL)
    return FALSE;
  layer_gl_clear_error (gl);
  gl->GetUnsignedBytei_v (GL_DEVICE_UUID, 0, uuid);
  return gl->GetError () == GL_NO_ERROR;
}

gboolean
layer_gl_describe_texture (cl_GLuint texture, int *width, int *height,
    const LayerPixels ** pixels)
{
  const LayerGl *gl = layer_gl_get ();
  GLint internal_format = GL_RGBA8;
  LayerGlState state;

  *width = *height = 0;
  layer_gl_begin (gl, &state, texture);
  if (gl->GetError () == GL_NO_ERROR) {
    if (layer_gl_has (&state, LAYER_GL_LEVEL_QUERY)
        && gl->GetTexLevelParameteriv != NULL) {
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, width);
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, height);
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT,
          &internal_format);
    } else {
      *width = layer_gl_probe_size (gl, FALSE);
      *height = layer_gl_probe_size (gl, TRUE);
    }
  }
  *pixels = &pixel_formats[0];
  for (guint i = 1; i < G_N_ELEMENTS (pixel_formats); i++) {
    if (pixel_formats[i].internal_format == (cl_GLuint) internal_format)
      *pixels = &pixel_formats[i];
  }
  return layer_gl_end (gl, &state) && *width > 0 && *height > 0;
}

gboolean
layer_gl_read_texture (cl_GLuint texture, int width, int height,
    const LayerPixels * pixels, guint8 * data)
{
  const LayerGl *gl = layer_gl_get ();
  LayerGlState state;
  GLenum target = GL_FRAMEBUFFER, binding = GL_FRAMEBUFFER_BINDING;
  GLint bound = 0;
  GLuint framebuffer;
  gboolean complete;

  layer_gl_begin (gl, &state, texture);
  if (layer_gl_has (&state, LAYER_GL_READ_FRAMEBUFFER)) {
    target = GL_READ_FRAMEBUFFER;
    binding = GL_READ_FRAMEBUFFER_BINDING;
  }
  gl->GetIntegerv (binding, &bound);
  gl->GenFramebuffers (1, &framebuffer);
  gl->BindFramebuffer (target, framebuffer);
  gl->FramebufferTexture2D (target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
      texture, 0);
  complete = gl->CheckFramebufferStatus (target) == GL_FRAMEBUFFER_COMPLETE;
  if (complete)
    gl->ReadPixels (0, 0, width, height, pixels->format, pixels->type, data);
  gl->BindFramebuffer (target, bound);
  gl->DeleteFramebuffers (1, &framebuffer);
  return layer_gl_end (gl, &state) && complete;
}

gboolean
layer_gl_write_texture (cl_GLuint texture, int width, int height,
    const LayerPixels * pixels, const guint8 * data)
{
  const LayerGl *gl = layer_gl_get ();
  LayerGlState state;

  layer_gl_begin (gl, &state, texture);
  gl->TexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, width, height, pixels->format,
      pixels->type, data);
  /* Other contexts of the share group may use the texture next. */
  gl->Finish ();
  return layer_gl_end (gl, &state);
}
