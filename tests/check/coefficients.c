/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that the state of variants can be freed while its commands are in
 * flight, as ocl_kernels_unref() says. */

#include "opencl/convolution/oclstencil.h"
#include "testcase.h"

#define N 1000
#define DELAY_US 200000

TEST_CONTEXT ();

/* Releases the commands after the barrier after a while. */
static gpointer
end_later (gpointer event)
{
  g_usleep (DELAY_US);
  g_assert_cmpint (clSetUserEventStatus (event, CL_COMPLETE), ==, CL_SUCCESS);
  return NULL;
}

static void
check_weights (cl_mem memory)
{
  cl_float found[N];

  g_assert_cmpint (clEnqueueReadBuffer (context->queue, memory, CL_TRUE, 0,
          sizeof (found), found, 0, NULL, NULL), ==, CL_SUCCESS);
  for (gint i = 0; i < N; i++)
    g_assert_cmpfloat (found[i], ==, i);
}

/* The write of weights that are freed has read them. */
TEST (test_in_flight)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclWeights weights = { {0,}
  };
  cl_int status;
  cl_event gate = clCreateUserEvent (context->context, &status);

  g_assert_cmpint (status, ==, CL_SUCCESS);
  g_assert_cmpint (clEnqueueBarrierWithWaitList (context->queue, 1, &gate,
          NULL), ==, CL_SUCCESS);
  cl_float *values = ocl_weights_begin (&weights, N);
  for (gint i = 0; i < N; i++)
    values[i] = i;
  ASSERT_OK (ocl_weights_end (&weights, context, N, timer, &error));

  cl_event written = weights.coefficients.written;
  cl_mem memory = weights.coefficients.memory;
  g_assert_cmpint (clRetainEvent (written), ==, CL_SUCCESS);
  g_assert_cmpint (clRetainMemObject (memory), ==, CL_SUCCESS);
  GThread *thread = g_thread_new ("gate", end_later, gate);
  ocl_weights_clear (&weights);
  g_assert_cmpint (clGetEventInfo (written, CL_EVENT_COMMAND_EXECUTION_STATUS,
          sizeof (status), &status, NULL), ==, CL_SUCCESS);
  g_assert_cmpint (status, ==, CL_COMPLETE);
  g_assert_null (weights.coefficients.data);

  g_thread_join (thread);
  check_weights (memory);
  clReleaseEvent (written);
  clReleaseMemObject (memory);
  clReleaseEvent (gate);
}

/* Weights of a lost context, whose writes never end, are kept. */
TEST (test_lost)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclWeights weights = { {0,}
  };
  cl_int status;
  GError *error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);

  g_assert_no_error (error);
  OclContext *lost = ocl_context_new (devices->pdata[0], NULL, &error);
  g_assert_no_error (error);
  ocl_weights_clear (&weights);
  cl_event gate = clCreateUserEvent (lost->context, &status);
  g_assert_cmpint (clEnqueueBarrierWithWaitList (lost->queue, 1, &gate,
          NULL), ==, CL_SUCCESS);
  ocl_weights_begin (&weights, N)[0] = 1.0f;
  ASSERT_OK (ocl_weights_end (&weights, lost, N, timer, &error));
  gpointer data = weights.coefficients.data;

  ocl_context_give_up (lost);
  ocl_weights_clear (&weights);
  g_assert_cmpint (clSetUserEventStatus (gate, CL_COMPLETE), ==, CL_SUCCESS);
  g_assert_cmpint (clFinish (lost->queue), ==, CL_SUCCESS);
  g_assert_cmpfloat (*(cl_float *) data, ==, 1.0f);
  g_free (data);
  clReleaseEvent (gate);
  g_atomic_int_set (&lost->is_lost, FALSE);     /* so that it is released */
  ocl_context_unref (lost);
}
