/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cases of the layer's own test.  Each runs in a process of its own, as the
 * layer reads the environment once, and shows some of what it does by the way
 * the process ends.
 */

#ifndef GLOPENCL_LAYER_TEST_CASES_H
#define GLOPENCL_LAYER_TEST_CASES_H

#include "layertestfixture.h"

/* The status of a process that abort() has ended. */
#define ABORT_STATUS (128 + 6)

/* The start of the layer's line about @function. */
#define LINE(function) "gl-sharing layer: " function ": "

#define MAX_STEPS 14

typedef void (*TestStep) (Fixture *fixture);

/* The process sets the fixture up, takes the steps, and frees the fixture. */
typedef struct
{
  const char *name;
  FixtureKind fixture;
  TestStep steps[MAX_STEPS];    /* ended by NULL */
  TestGlApi api;
  /* How many rules are broken in all; if any, the layer only counts them. */
  guint broken;
  const char *environment;      /* space-separated assignments, or NULL */
  int status;                   /* of the exit, 128 + N for signal N */
  const char *messages;         /* what stderr must have, separated by "|" */
} TestCase;

/* Ended by a case without a name. */
extern const TestCase sharing_cases[];
extern const TestCase rule_cases[];
extern const TestCase fault_cases[];

#endif /* GLOPENCL_LAYER_TEST_CASES_H */
