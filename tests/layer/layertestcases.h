/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cases of the layer's own test.  Each case runs in a separate process,
 * because the layer reads the environment only once, and because some of its
 * effects show only in the way the process ends.
 */

#ifndef GLOPENCL_LAYER_TEST_CASES_H
#define GLOPENCL_LAYER_TEST_CASES_H

#include "layertestfixture.h"

/* The exit status of a process that abort() has ended. */
#define ABORT_STATUS (128 + 6)

/* The start of the layer's line about @function. */
#define LINE(function) "gl-sharing layer: " function ": "

#define MAX_STEPS 14

typedef void (*TestStep) (Fixture *fixture);

/* The process of a case sets up the fixture, runs the steps, and frees the
 * fixture. */
typedef struct
{
  const char *name;
  FixtureKind fixture;
  TestStep steps[MAX_STEPS];    /* ended by NULL */
  /* Total number of broken rules; if not 0, the layer only counts them. */
  guint broken;
  const char *environment;      /* space-separated assignments, or NULL */
  int status;                   /* exit status, 128 + N for signal N */
  const char *messages;         /* required texts on stderr, split by "|" */
} TestCase;

/* A case without a name ends each list. */
extern const TestCase rule_cases[];
extern const TestCase fault_cases[];

#endif /* GLOPENCL_LAYER_TEST_CASES_H */
