/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares and defines the elements that compute one operation. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

GST_ELEMENT_REGISTER_DECLARE (glopenclconvolution)
GST_ELEMENT_REGISTER_DECLARE (glopencldenoise)
GST_ELEMENT_REGISTER_DECLARE (glopenclfilter)
GST_ELEMENT_REGISTER_DECLARE (glopenclgradient)
GST_ELEMENT_REGISTER_DECLARE (glopenclkernel)
GST_ELEMENT_REGISTER_DECLARE (glopenclmultiresolution)
GST_ELEMENT_REGISTER_DECLARE (glopenclsharpen)

/* Defines the element @name of type @Type, with functions that begin with
 * @type, for @operation. @title and @description are its metadata. @init_proxy
 * implements GstChildProxy, or is NULL. */
#define GST_GL_OPENCL_DEFINE_ELEMENT(Type, type, name, operation, title, \
    description, init_proxy) \
  typedef struct \
  { \
    GstGLOpenCLBaseFilter parent; \
  } Type; \
  typedef struct \
  { \
    GstGLOpenCLBaseFilterClass parent; \
  } Type##Class; \
  GType type##_get_type (void); \
  G_DEFINE_FINAL_TYPE_WITH_CODE (Type, type, GST_TYPE_GL_OPENCL_BASE_FILTER, \
      const GInterfaceInfo proxy = {.interface_init = init_proxy}; \
      if (proxy.interface_init) \
        g_type_add_interface_static (g_define_type_id, \
            GST_TYPE_CHILD_PROXY, &proxy)) \
  GST_ELEMENT_REGISTER_DEFINE (name, #name, GST_RANK_NONE, \
      type##_get_type ()) \
  static void \
  type##_class_init (Type##Class * klass) \
  { \
    gst_gl_opencl_base_filter_class_set_operation ( \
        GST_GL_OPENCL_BASE_FILTER_CLASS (klass), operation); \
    gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), title, \
        "Filter/Effect/Video", description, "The gst-glopencl developers"); \
  } \
  static void \
  type##_init (G_GNUC_UNUSED Type * self) \
  { \
  } \
  GType type##_get_type (void)

G_END_DECLS
