/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code that all parts of the layer share: the driver's functions, the
 * configuration, the only lock, and the reports of broken rules.
 */

#ifndef GLOPENCL_LAYER_COMMON_H
#define GLOPENCL_LAYER_COMMON_H

#include <CL/cl_icd.h>
#include <glib.h>
#include <stdlib.h>

/* The configuration from the environment, see testlayer.h. */
typedef struct
{
  gboolean abort_on_violation;
  gboolean sharing;
  gboolean break_sharing;
  gboolean external;
  gboolean semaphores;
  guint corrupt_bytes;          /* bytes of a pixel, G_MAXUINT: any */
  gboolean bgra;
  gboolean discrete;
  gboolean all_gpus;
  gboolean no_rg_images;
  gboolean rgba_floats;
  gboolean flat_groups;
  cl_ulong local_size;          /* 0: what the device says */
  size_t max_image;             /* 0: what the device says */
  cl_ulong max_alloc;           /* likewise */
} LayerConfig;

/* The driver's functions and the configuration. Both are written once, before
 * the loader knows any function of the layer, and are read-only afterwards. */
extern cl_icd_dispatch layer_target;
extern LayerConfig layer_config;

/*
 * Guards all tracking.  It is never held while calling the driver or GL, as
 * both may block, and the driver may call back into the application.
 */
extern GMutex layer_mutex;

/* Holds layer_mutex until the end of the block. */
#define LAYER_LOCK \
  g_autoptr (GMutexLocker) layer_locker G_GNUC_UNUSED = \
      g_mutex_locker_new (&layer_mutex)

/* Fills layer_config from the environment, and sets the fault that the
 * environment asks for. */
void layer_config_read (void);

/* Aborts because the layer is used in a way that makes no sense. */
void layer_misuse (const char *format, ...)
    G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

/* Prints a line which says that @function breaks a rule, and counts the broken
 * rule. */
void layer_violation_note (const char *function, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* Calls layer_violation_note(), then aborts unless the configuration says
 * otherwise.  The caller does not hold the lock. */
#define layer_violation(...) \
  G_STMT_START { \
    layer_violation_note (__VA_ARGS__); \
    if (layer_config.abort_on_violation) \
      abort (); \
  } G_STMT_END

/*
 * Answers a query like the clGet...Info functions: copies @value, which has
 * @size bytes, to @param_value, and @size to @param_value_size_ret. Either
 * pointer may be NULL.
 */
cl_int layer_answer (const void *value, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);

#endif /* GLOPENCL_LAYER_COMMON_H */
