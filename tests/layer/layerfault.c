/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the calls of each wrapped function, and makes the call fail that a
 * test or the environment has chosen.
 *
 * Calls of the thread that builds programs in the background are not counted,
 * because nobody waits for this thread and its calls may come at any time. They
 * fail only if all calls of the function fail.
 */

#include "layerfault.h"

#include <pthread.h>
#include <string.h>

#include "layercommon.h"
#include "testlayer.h"

static const char *const function_names[] = {
#define LAYER_FUNCTION_NAME(name) [LAYER_FUNCTION (name)] = #name,
  LAYER_FAILING_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_EXTENSION_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NAME)
      LAYER_EXTENSION_LIFETIME_FUNCTIONS (LAYER_FUNCTION_NAME)
#undef LAYER_FUNCTION_NAME
};

typedef struct
{
  gboolean any_function;
  LayerFunction function;
  unsigned remaining;           /* calls until it strikes, 0: not armed */
  gboolean lasting;             /* strikes at every call from then on */
  cl_int error;
  gboolean hit;
} LayerFault;

/* Both under the lock. */
static unsigned calls[LAYER_FUNCTION_COUNT];
static LayerFault fault;

static LayerFunction
layer_function_by_name (const char *name, unsigned count)
{
  for (unsigned i = 0; i < count; i++) {
    if (strcmp (function_names[i], name) == 0)
      return i;
  }
  layer_misuse ("there is no function \"%s\" to count or make fail", name);
}

/* The thread of oclinstances.c. */
static gboolean
layer_is_builder (void)
{
  char name[16] = "";

  return pthread_getname_np (pthread_self (), name, sizeof (name)) == 0
      && strcmp (name, "glopencl-build") == 0;
}

cl_int
layer_call_begin (LayerFunction function)
{
  const gboolean is_builder = layer_is_builder ();

  LAYER_LOCK;

  if (!is_builder)
    calls[function]++;
  if (function >= LAYER_FAILING_FUNCTION_COUNT || fault.remaining == 0
      || !(fault.any_function || fault.function == function))
    return CL_SUCCESS;
  if (is_builder)
    return fault.lasting && fault.remaining == 1 ? fault.error : CL_SUCCESS;
  if (--fault.remaining > 0)
    return CL_SUCCESS;
  fault.hit = TRUE;
  fault.remaining = fault.lasting ? 1 : 0;
  return fault.error;
}

static void
layer_set_fault (const char *function, unsigned nth, int error,
    gboolean lasting)
{
  LayerFault next = {.remaining = nth,.lasting = lasting,.error = error };

  if (nth > 0) {
    if (function == NULL || error == CL_SUCCESS)
      layer_misuse ("a fault needs a function and an error");
    next.any_function = strcmp (function, "*") == 0;
    if (!next.any_function)
      next.function = layer_function_by_name (function,
          LAYER_FAILING_FUNCTION_COUNT);
  }

  LAYER_LOCK;
  fault = next;
}

void
glopencl_layer_set_fault (const char *function, unsigned nth, int error)
{
  layer_set_fault (function, nth, error, FALSE);
}

void
glopencl_layer_set_lasting_fault (const char *function, int error)
{
  layer_set_fault (function, 1, error, TRUE);
}

int
glopencl_layer_fault_hit (void)
{
  LAYER_LOCK;

  return fault.hit;
}

unsigned
glopencl_layer_calls (const char *function)
{
  unsigned first = 0, end = LAYER_FAILING_FUNCTION_COUNT, sum = 0;

  if (function != NULL) {
    first = layer_function_by_name (function, LAYER_FUNCTION_COUNT);
    end = first + 1;
  }
  LAYER_LOCK;
  for (unsigned i = first; i < end; i++)
    sum += calls[i];
  return sum;
}

void
glopencl_layer_reset_counts (void)
{
  LAYER_LOCK;

  memset (calls, 0, sizeof (calls));
}

const char *
glopencl_layer_function_name (unsigned index)
{
  return index < LAYER_FAILING_FUNCTION_COUNT ? function_names[index] : NULL;
}
