#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Inserts small faults (mutants) into the code, one at a time, and prints the ones
# that no test detects:
#
#   tests/mutate.sh [NUMBER...]   all faults, or those with these numbers
#   tests/mutate.sh --list        only lists the faults, and which of them do not
#                                 apply any longer. Needs no build.
#
# The faults are in mutations.txt beside this file. Run by hand, not in CI, because
# all faults take hours. Works on a copy of the tree. The last line counts the
# detected and the surviving faults.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
faults=$root/tests/mutations.txt
[ "${1:-}" != --list ] || exec python3 "$root/tests/mutate.py" "$faults" "$root" --list

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
pocl_icd=/etc/OpenCL/vendors/pocl.icd

# If PoCL is the only or the selected driver, uses that of tests/run.sh, which
# compiles kernels faster.
use_faster_pocl () {
  case ${OCL_ICD_VENDORS:-} in
    "") [ "$(echo /etc/OpenCL/vendors/*.icd)" = "$pocl_icd" ] || return 0 ;;
    "$pocl_icd") ;;
    *) return 0 ;;
  esac
  if python3 "$work/tests/pocl.py" "$work/build/pocl"; then
    export COMPILER_PATH="$work/build/pocl/bin"
    export OCL_ICD_VENDORS="$work/build/pocl/pocl.icd"
  fi
}

(cd "$root" && git ls-files -z | xargs -0 tar c) | tar x -C "$work"
meson setup "$work/build" "$work" >"$work/log"
ninja -C "$work/build" >"$work/log"
use_faster_pocl
python3 "$root/tests/mutate.py" "$faults" "$work" "$@"
