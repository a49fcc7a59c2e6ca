/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main function of the tests of kernels, and cases that add themselves. */

#pragma once

#include "harness.h"

G_BEGIN_DECLS

/* Defines a case without data, which adds itself to the program. The function
 * test_few_rows() is the case /few-rows. Cases run in the order of the
 * file. */
#define TEST(function) \
  static void function (void); \
  __attribute__ ((constructor)) static void \
  function ## _add (void) \
  { \
    testcase_add (#function, function); \
  } \
  static void \
  function (void)

/* Defines a case of each variant of @klass that the device can run. It adds
 * /VARIANT/few-rows. The function gets the variant. */
#define TEST_VARIANTS(klass, function) \
  static void function (gconstpointer variant); \
  __attribute__ ((constructor)) static void \
  function ## _add (void) \
  { \
    testcase_add_variants (#function, klass, function); \
  } \
  static void \
  function (gconstpointer variant)

void testcase_add (const gchar * function, GTestFunc run);
void testcase_add_variants (const gchar * function,
    const OclOperationClass * klass, GTestDataFunc run);

/* Adds the case /NAME with data. test_set_up() calls it. */
void testcase_add_data (GTestDataFunc run, gconstpointer data,
    const gchar * name, ...) G_GNUC_PRINTF (3, 4);

/* A program may define these, which run before the first case and after the
 * last. */
__attribute__ ((weak)) void test_set_up (void);
__attribute__ ((weak)) void test_tear_down (void);

/* The context of all cases, on the first device, in programs with TEST_CONTEXT().
 * TEST_VARIANTS() needs it. */
extern OclContext *context;

void testcase_add_context (void);

#define TEST_CONTEXT() \
  __attribute__ ((constructor)) static void \
  test_context_add (void) \
  { \
    testcase_add_context (); \
  } \
  extern OclContext *context

G_END_DECLS
