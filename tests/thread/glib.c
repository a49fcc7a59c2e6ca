/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Declares the ordering of GLib's locks to ThreadSanitizer: GLib is not built
 * with it, and makes its locks of system calls that it does not know. A library
 * for LD_PRELOAD. */

#include <dlfcn.h>
#include <glib.h>

/* The sanitizer's runtime has these functions: accesses of a thread before it
 * released @address happen before accesses of another thread after it acquired
 * @address. */
void __tsan_acquire (void *address);
void __tsan_release (void *address);

/* *INDENT-OFF* */
#define FUNCTIONS(X) \
  X (g_mutex_lock) X (g_mutex_trylock) X (g_mutex_unlock) X (g_cond_wait) \
  X (g_cond_wait_until) X (g_once_init_enter) X (g_once_init_leave) \
  X (g_atomic_rc_box_release_full)

#define DECLARE(name) static __typeof__ (&name) real_##name;
FUNCTIONS (DECLARE)

/* Constructors of other libraries may call before this one's would run. */
__attribute__ ((no_sanitize ("thread"))) static void
find_functions (void)
{
#define FIND(name) real_##name = dlsym (RTLD_NEXT, #name);
  if (!real_g_once_init_leave) {
    FUNCTIONS (FIND)
  }
}

/* Names in parentheses are those of functions where GLib has macros, too. */

void
(g_mutex_lock) (GMutex * mutex)
{
  find_functions ();
  real_g_mutex_lock (mutex);
  __tsan_acquire (mutex);
}

gboolean
(g_mutex_trylock) (GMutex * mutex)
{
  find_functions ();

  const gboolean is_locked = real_g_mutex_trylock (mutex);

  if (is_locked)
    __tsan_acquire (mutex);
  return is_locked;
}

void
(g_mutex_unlock) (GMutex * mutex)
{
  find_functions ();
  __tsan_release (mutex);
  real_g_mutex_unlock (mutex);
}

void
(g_cond_wait) (GCond * cond, GMutex * mutex)
{
  find_functions ();
  __tsan_release (mutex);
  real_g_cond_wait (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
(g_cond_wait_until) (GCond * cond, GMutex * mutex, gint64 end_time)
{
  find_functions ();
  __tsan_release (mutex);
  const gboolean in_time = real_g_cond_wait_until (cond, mutex, end_time);
  __tsan_acquire (mutex);
  return in_time;
}

gboolean
(g_once_init_enter) (volatile void *location)
{
  find_functions ();

  const gboolean is_first = real_g_once_init_enter (location);

  if (!is_first)
    __tsan_acquire ((void *) location);
  return is_first;
}

void
(g_once_init_leave) (volatile void *location, gsize result)
{
  find_functions ();
  __tsan_release ((void *) location);
  real_g_once_init_leave (location, result);
}
/* *INDENT-ON* */

/* clear() calls this function of the object that this thread releases, unless
 * it is NULL. */
static __thread GDestroyNotify clear_func;

static void
clear (gpointer box)
{
  __tsan_acquire (box);
  if (clear_func)
    clear_func (box);
}

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify function)
{
  const GDestroyNotify before = clear_func;

  find_functions ();
  __tsan_release (box);
  clear_func = function;
  real_g_atomic_rc_box_release_full (box, clear);
  clear_func = before;
}
