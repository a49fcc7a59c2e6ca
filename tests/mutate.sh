#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Puts small faults into the code, one at a time, and says which of them no test
# finds:
#
#   tests/mutate.sh [NUMBER...]
#
# The faults are in mutations.txt beside this; NUMBERs choose some. By hand, not in
# CI: it takes two hours for all. It works on a copy of the tree. The last line
# counts the faults that were found and those that survived.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

(cd "$root" && git ls-files -z | xargs -0 tar c) | tar x -C "$work"
meson setup "$work/build" "$work" >"$work/log"
ninja -C "$work/build" >"$work/log"
python3 "$root/tests/mutate.py" "$root/tests/mutations.txt" "$work" "$@"
