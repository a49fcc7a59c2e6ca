#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Fuzzes the parsers, each target for some seconds, with AddressSanitizer and
# UndefinedBehaviorSanitizer:
#
#   tests/fuzz.sh SECONDS
#
# The initial inputs are in fuzz/corpus. New inputs are written to
# build-test-sanitize. A failing input is printed, and kept in crash-... there.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
[ $# -eq 1 ] || die "usage: tests/fuzz.sh SECONDS"
# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES
. "$(dirname "$0")/sanitizers.sh"
set_up_sanitizers
targets="values matrixfile kernel links database"
# shellcheck disable=SC2046,SC2086
ninja -C "$build" $(printf 'tests/fuzz/fuzz-%s ' $targets)
export build root seconds="$1"
rm -f "$build"/fuzz-*.log "$build"/fuzz-*.passed
# Two run at a time, because machines of CI have two cores.
# shellcheck disable=SC2016,SC2086
printf '%s\n' $targets | xargs -P 2 -I TARGET sh -c '
  mkdir -p "$build/found-TARGET"
  "$build/tests/fuzz/fuzz-TARGET" -max_total_time="$seconds" -max_len=4096 \
    -artifact_prefix="$build/" -print_final_stats=1 -verbosity=0 \
    "$build/found-TARGET" "$root/tests/fuzz/corpus/TARGET" \
    >"$build/fuzz-TARGET.log" 2>&1 && touch "$build/fuzz-TARGET.passed"' || true
passed=0
failed=0
for target in $targets; do
  cat "$build/fuzz-$target.log" || true
  if [ -e "$build/fuzz-$target.passed" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: fuzz-$target"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
