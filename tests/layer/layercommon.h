/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all parts of the layer share: the driver's functions, the
 * configuration, the one lock, and the way a broken rule gets reported.
 */

#ifndef GLOPENCL_LAYER_COMMON_H
#define GLOPENCL_LAYER_COMMON_H

#include <CL/cl_icd.h>
#include <glib.h>
#include <stdlib.h>

/* The environment, see testlayer.h. */
typedef struct
{
  gboolean abort_on_violation;
  gboolean sharing;
  gboolean break_sharing;
  gboolean external;
  gboolean semaphores;
  guint corrupt_bytes;          /* G_MAXUINT: images of any */
  gboolean bgra;
  gboolean discrete;
  gboolean all_gpus;
  gboolean no_rg_images;
  size_t max_image;             /* 0: what the device says */
} LayerConfig;

/* Both are written once, before the loader knows any function of the layer,
 * and only read from then on. */
extern cl_icd_dispatch layer_target;
extern LayerConfig layer_config;

/*
 * Guards all tracking.  It is never held while calling the driver or GL, as
 * both may block, and the driver may call back into the application.
 */
extern GMutex layer_mutex;

/* Holds it until the end of the block. */
#define LAYER_LOCK \
  g_autoptr (GMutexLocker) layer_locker G_GNUC_UNUSED = \
      g_mutex_locker_new (&layer_mutex)

/* Fills layer_config from the environment and sets the fault asked for. */
void layer_config_read (void);

/* Aborts because the layer is used in a way that makes no sense. */
void layer_misuse (const char *format, ...)
    G_GNUC_PRINTF (1, 2) G_GNUC_NORETURN;

/* Prints a line about @function breaking a rule, and counts it. */
void layer_violation_note (const char *function, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* The same, then aborts unless the configuration says otherwise.  The caller
 * does not hold the lock. */
#define layer_violation(...) \
  G_STMT_START { \
    layer_violation_note (__VA_ARGS__); \
    if (layer_config.abort_on_violation) \
      abort (); \
  } G_STMT_END

/*
 * Answers a query in the way of the clGet...Info functions: @value, of @size
 * bytes, goes to @param_value if that is not NULL, and the size to
 * @param_value_size_ret if that is not NULL.
 */
cl_int layer_answer (const void *value, size_t size, size_t param_value_size,
    void *param_value, size_t *param_value_size_ret);

#endif /* GLOPENCL_LAYER_COMMON_H */
