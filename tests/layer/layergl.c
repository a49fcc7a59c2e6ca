/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies between GL textures and the host, by the calls that every GL and
 * GL ES version since 2.0 has, and puts the state back which they depend on.
 */

#include "layergl.h"

#include <GL/glcorearb.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "layercommon.h"

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

typedef void (*LayerGlFunction) (void);

typedef struct
{
  gsize looked_up;
  void *(*get_current_context) (void);
    LayerGlFunction (*get_proc_address) (const char *);
  /* Not in OpenGL ES before 3.1. */
  PFNGLGETTEXLEVELPARAMETERIVPROC GetTexLevelParameteriv;
#define GL_FUNCTION_MEMBER(type, name) type name;
    GL_FUNCTIONS (GL_FUNCTION_MEMBER)
#undef GL_FUNCTION_MEMBER
} LayerGl;

/* What a GL context has of the state that matters here. */
typedef struct
{
  gboolean level_query;
  gboolean read_framebuffer;
  gboolean pixel_buffers;
  gboolean pack_rectangle;
  gboolean unpack_rectangle;
} LayerGlFeatures;

#define PIXEL_STORE_COUNT 8

typedef struct
{
  LayerGlFeatures features;
  GLint texture;
  GLint framebuffer;
  GLint pack_buffer;
  GLint unpack_buffer;
  GLint pixel_store[PIXEL_STORE_COUNT];
} LayerGlState;

static const struct
{
  const char *library;
  const char *other_library;
  const char *get_current_context;
  const char *get_proc_address;
} windowing_names[] = {
  [LAYER_WINDOWING_EGL] = {"libEGL.so.1", NULL, "eglGetCurrentContext",
      "eglGetProcAddress"},
  [LAYER_WINDOWING_GLX] = {"libGLX.so.0", "libGL.so.1", "glXGetCurrentContext",
      "glXGetProcAddressARB"},
};

static LayerGlFunction
layer_gl_look_up (const LayerGl * gl, const char *name)
{
  static const char *const libraries[] = {
    "libOpenGL.so.0", "libGL.so.1", "libGLESv2.so.2"
  };
  LayerGlFunction function = gl->get_proc_address (name);

  /* An EGL before 1.5 gives out extension functions only. */
  for (guint i = 0; function == NULL && i < G_N_ELEMENTS (libraries); i++) {
    void *library = dlopen (libraries[i], RTLD_LAZY | RTLD_NOLOAD);

    if (library != NULL) {
      function = (LayerGlFunction) dlsym (library, name);
      dlclose (library);
    }
  }
  return function;
}

static LayerGlFunction
layer_gl_need (const LayerGl * gl, const char *name)
{
  LayerGlFunction function = layer_gl_look_up (gl, name);

  if (function == NULL)
    layer_misuse ("the GL function %s is missing", name);
  return function;
}

static void
layer_gl_fill (LayerGl * gl, LayerWindowing windowing)
{
  void *library = dlopen (windowing_names[windowing].library, RTLD_LAZY);

  if (library == NULL && windowing_names[windowing].other_library != NULL)
    library = dlopen (windowing_names[windowing].other_library, RTLD_LAZY);
  if (library == NULL)
    layer_misuse ("%s cannot be loaded", windowing_names[windowing].library);

  gl->get_current_context = (void *(*)(void))
      dlsym (library, windowing_names[windowing].get_current_context);
  gl->get_proc_address = (LayerGlFunction (*)(const char *))
      dlsym (library, windowing_names[windowing].get_proc_address);
  if (gl->get_current_context == NULL || gl->get_proc_address == NULL)
    layer_misuse ("%s lacks functions", windowing_names[windowing].library);

#define GL_FUNCTION_LOOK_UP(type, name) \
  gl->name = (type) layer_gl_need (gl, "gl" #name);
  GL_FUNCTIONS (GL_FUNCTION_LOOK_UP)
#undef GL_FUNCTION_LOOK_UP
      gl->GetTexLevelParameteriv = (PFNGLGETTEXLEVELPARAMETERIVPROC)
      layer_gl_look_up (gl, "glGetTexLevelParameteriv");
}

static const LayerGl *
layer_gl_get (LayerWindowing windowing)
{
  static LayerGl both[G_N_ELEMENTS (windowing_names)];
  LayerGl *gl = &both[windowing];

  if (g_once_init_enter (&gl->looked_up)) {
    layer_gl_fill (gl, windowing);
    g_once_init_leave (&gl->looked_up, 1);
  }
  return gl;
}

static void
layer_gl_clear_error (const LayerGl * gl)
{
  while (gl->GetError () != GL_NO_ERROR);
}

/* Asks for the version instead of trying each piece of state out, as GL calls
 * that fail would leave errors behind. */
static LayerGlFeatures
layer_gl_features (const LayerGl * gl)
{
  static const char es_prefix[] = "OpenGL ES ";
  const char *version = (const char *) gl->GetString (GL_VERSION);
  LayerGlFeatures features = { TRUE, TRUE, TRUE, TRUE, TRUE };
  int major = 2, minor = 0;

  if (version == NULL || !g_str_has_prefix (version, es_prefix))
    return features;

  sscanf (version + strlen (es_prefix), "%d.%d", &major, &minor);
  features.level_query = major * 10 + minor >= 31;
  if (major < 3) {
    const char *extensions = (const char *) gl->GetString (GL_EXTENSIONS);

    features.read_framebuffer = FALSE;
    features.pixel_buffers = FALSE;
    features.pack_rectangle =
        strstr (extensions, "GL_NV_pack_subimage") != NULL;
    features.unpack_rectangle =
        strstr (extensions, "GL_EXT_unpack_subimage") != NULL;
  }
  return features;
}

static const struct
{
  GLenum name;
  GLint value;                  /* for tightly packed pixels */
} pixel_store[PIXEL_STORE_COUNT] = {
  {GL_PACK_ALIGNMENT, 1},
  {GL_PACK_ROW_LENGTH, 0},
  {GL_PACK_SKIP_ROWS, 0},
  {GL_PACK_SKIP_PIXELS, 0},
  {GL_UNPACK_ALIGNMENT, 1},
  {GL_UNPACK_ROW_LENGTH, 0},
  {GL_UNPACK_SKIP_ROWS, 0},
  {GL_UNPACK_SKIP_PIXELS, 0},
};

static gboolean
layer_gl_has_pixel_store (const LayerGlFeatures * features, guint i)
{
  switch (pixel_store[i].name) {
    case GL_PACK_ALIGNMENT:
    case GL_UNPACK_ALIGNMENT:
      return TRUE;
    case GL_PACK_ROW_LENGTH:
    case GL_PACK_SKIP_ROWS:
    case GL_PACK_SKIP_PIXELS:
      return features->pack_rectangle;
    default:
      return features->unpack_rectangle;
  }
}

static GLenum
layer_gl_framebuffer_target (const LayerGlState * state)
{
  return state->features.read_framebuffer ? GL_READ_FRAMEBUFFER :
      GL_FRAMEBUFFER;
}

/* Saves the state, then binds @texture and sets up tightly packed transfers to
 * and from host memory. */
static void
layer_gl_begin (const LayerGl * gl, LayerGlState * state, GLuint texture)
{
  layer_gl_clear_error (gl);
  state->features = layer_gl_features (gl);
  gl->GetIntegerv (GL_TEXTURE_BINDING_2D, &state->texture);
  gl->GetIntegerv (state->features.read_framebuffer ?
      GL_READ_FRAMEBUFFER_BINDING : GL_FRAMEBUFFER_BINDING,
      &state->framebuffer);
  if (state->features.pixel_buffers) {
    gl->GetIntegerv (GL_PIXEL_PACK_BUFFER_BINDING, &state->pack_buffer);
    gl->GetIntegerv (GL_PIXEL_UNPACK_BUFFER_BINDING, &state->unpack_buffer);
    gl->BindBuffer (GL_PIXEL_PACK_BUFFER, 0);
    gl->BindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  }
  for (guint i = 0; i < PIXEL_STORE_COUNT; i++) {
    if (layer_gl_has_pixel_store (&state->features, i)) {
      gl->GetIntegerv (pixel_store[i].name, &state->pixel_store[i]);
      gl->PixelStorei (pixel_store[i].name, pixel_store[i].value);
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

  gl->BindTexture (GL_TEXTURE_2D, state->texture);
  for (guint i = 0; i < PIXEL_STORE_COUNT; i++) {
    if (layer_gl_has_pixel_store (&state->features, i))
      gl->PixelStorei (pixel_store[i].name, state->pixel_store[i]);
  }
  if (state->features.pixel_buffers) {
    gl->BindBuffer (GL_PIXEL_PACK_BUFFER, state->pack_buffer);
    gl->BindBuffer (GL_PIXEL_UNPACK_BUFFER, state->unpack_buffer);
  }
  fine = gl->GetError () == GL_NO_ERROR;
  layer_gl_clear_error (gl);
  return fine;
}

gboolean
layer_gl_is_current (LayerWindowing windowing, gpointer gl_context)
{
  return layer_gl_get (windowing)->get_current_context () == gl_context;
}

gboolean
layer_gl_is_texture (LayerWindowing windowing, cl_GLuint texture)
{
  return layer_gl_get (windowing)->IsTexture (texture);
}

/*
 * The width (or height) of the bound texture where GL cannot be asked: the
 * largest offset at which GL accepts an update.  The update is empty, so that
 * nothing is written.
 */
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

static const LayerPixels *
layer_gl_find_pixels (GLint internal_format)
{
  for (guint i = 0; i < G_N_ELEMENTS (pixel_formats); i++) {
    if (pixel_formats[i].internal_format == (cl_GLuint) internal_format)
      return &pixel_formats[i];
  }
  return &pixel_formats[0];
}

gboolean
layer_gl_describe_texture (LayerWindowing windowing, cl_GLuint texture,
    int *width, int *height, const LayerPixels ** pixels)
{
  const LayerGl *gl = layer_gl_get (windowing);
  GLint internal_format = GL_RGBA8;
  LayerGlState state;

  *width = *height = 0;
  layer_gl_begin (gl, &state, texture);
  if (gl->GetError () == GL_NO_ERROR) {
    if (state.features.level_query && gl->GetTexLevelParameteriv != NULL) {
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, width);
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, height);
      gl->GetTexLevelParameteriv (GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT,
          &internal_format);
    } else {
      *width = layer_gl_probe_size (gl, FALSE);
      *height = layer_gl_probe_size (gl, TRUE);
    }
  }
  *pixels = layer_gl_find_pixels (internal_format);
  return layer_gl_end (gl, &state) && *width > 0 && *height > 0;
}

gboolean
layer_gl_read_texture (LayerWindowing windowing, cl_GLuint texture,
    int width, int height, const LayerPixels * pixels, guint8 * data)
{
  const LayerGl *gl = layer_gl_get (windowing);
  LayerGlState state;
  GLenum target;
  GLuint framebuffer;
  gboolean complete;

  layer_gl_begin (gl, &state, texture);
  target = layer_gl_framebuffer_target (&state);
  gl->GenFramebuffers (1, &framebuffer);
  gl->BindFramebuffer (target, framebuffer);
  gl->FramebufferTexture2D (target, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
      texture, 0);
  complete = gl->CheckFramebufferStatus (target) == GL_FRAMEBUFFER_COMPLETE;
  if (complete)
    gl->ReadPixels (0, 0, width, height, pixels->format, pixels->type, data);
  gl->BindFramebuffer (target, state.framebuffer);
  gl->DeleteFramebuffers (1, &framebuffer);
  return layer_gl_end (gl, &state) && complete;
}

gboolean
layer_gl_write_texture (LayerWindowing windowing, cl_GLuint texture,
    int width, int height, const LayerPixels * pixels, const guint8 * data)
{
  const LayerGl *gl = layer_gl_get (windowing);
  LayerGlState state;

  layer_gl_begin (gl, &state, texture);
  gl->TexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, width, height, pixels->format,
      pixels->type, data);
  /* Other contexts of the share group may use the texture next. */
  gl->Finish ();
  return layer_gl_end (gl, &state);
}
