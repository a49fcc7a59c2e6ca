/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cases of the layer's own test.  Each runs in a process of its own, as the
 * layer reads the environment once, and shows some of what it does by the way
 * the process ends.
 */

#ifndef GLOPENCL_LAYER_TEST_CASES_H
#define GLOPENCL_LAYER_TEST_CASES_H

/* The status of a process that abort() has ended. */
#define ABORT_STATUS (128 + 6)

#define COUNT_ONLY "GLOPENCL_LAYER_ABORT=0"

typedef struct
{
  const char *name;
  const char *environment;      /* space-separated assignments, or NULL */
  void (*run) (void);
  int status;                   /* of the exit, 128 + N for signal N */
  const char *messages;         /* what stderr must have, separated by "|" */
} TestCase;

/* Ended by a case without a name. */
extern const TestCase sharing_cases[];
extern const TestCase rule_cases[];
extern const TestCase fault_cases[];

#endif /* GLOPENCL_LAYER_TEST_CASES_H */
