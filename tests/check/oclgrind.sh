#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later Runs a test under oclgrind:
# oclgrind.sh LOG TEST [ARGUMENT...]
#
# Its check for uninitialised memory crashes on vectors. The checks for invalid
# accesses and races are enabled. Its reports are in the log only.
log=$1
shift

oclgrind --data-races --max-errors 5 --log "$log" "$@" || exit
if [ -s "$log" ]; then
  cat "$log" >&2
  exit 1
fi
