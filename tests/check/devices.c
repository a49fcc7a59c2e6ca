/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that several threads can look up devices at once, even when the driver
 * has not been used before, as concurrently started elements do, and that the
 * message about an unknown device is short. */

#include <string.h>

#include "opencl/core/ocldevice.h"
#include "testcase.h"

#define N_THREADS 8

static gint n_waiting;

static gpointer
list_devices (gpointer user_data)
{
  GError **error = user_data;

  g_atomic_int_inc (&n_waiting);
  while (g_atomic_int_get (&n_waiting) < N_THREADS) {
  }
  return ocl_device_list (error);
}

TEST (test_first_use)
{
  GThread *threads[N_THREADS];
  GError *errors[N_THREADS] = { NULL };
  guint n_devices = 0;

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("list", list_devices, &errors[i]);
  for (guint i = 0; i < N_THREADS; i++) {
    GPtrArray *devices = g_thread_join (threads[i]);
    g_assert_no_error (errors[i]);
    g_assert_nonnull (devices);
    if (i == 0)
      n_devices = devices->len;
    g_assert_cmpuint (devices->len, ==, n_devices);
    g_ptr_array_unref (devices);
  }
}

TEST (test_long_name)
{
  g_autofree gchar *name = g_strnfill (1 << 20, 'x');
  g_autoptr (GError) error = NULL;
  GPtrArray *devices = ocl_device_list (&error);

  g_assert_no_error (error);
  g_assert_null (ocl_device_select (devices, name, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "xxx"));
  g_assert_cmpuint (strlen (error->message), <, 10000);
  g_ptr_array_unref (devices);
}
