#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs what the tests need, builds everything and runs the tests:
#
#   tests/run.sh              with the compiler that CC names, gcc by default
#   tests/run.sh --all        also the sweeps that take long: every format, each
#                             call that can fail, kernels under oclgrind and
#                             compiled for GPUs
#   tests/run.sh --sanitize   the numbers and the element with AddressSanitizer
#                             and UndefinedBehaviorSanitizer
#
# The last line counts the tests that passed and failed.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

TEST_PACKAGES="clang libegl-dev python3-opencv python3-numpy python3-gi
  python3-matplotlib gir1.2-gstreamer-1.0 xvfb"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES $TEST_PACKAGES
glopencl_install_optional oclgrind

case ${1:-} in
  "" | --all)
    which=--setup=quick
    [ $# -eq 0 ] || which=--setup=all
    compiler=${CC:-gcc}
    build=$root/build-test-$(basename "${compiler##* }")
    set -- -Dwerror=true ;;
  --sanitize)
    build=$root/build-test-sanitize
    set -- -Db_sanitize=address,undefined -Db_lundef=false
    which="--no-suite exhaustive --suite numbers --suite element"
    # Drivers and GLib keep memory; the tests count OpenCL objects themselves.
    export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1" ;;
  *) die "usage: tests/run.sh [--all | --sanitize]" ;;
esac

if [ ! -f "$build/build.ninja" ]; then
  meson setup "$build" "$root" "$@"
fi
ninja -C "$build"

rm -f "$build"/meson-logs/testlog*.json
# shellcheck disable=SC2086
meson test -C "$build" --no-rebuild --print-errorlogs --num-processes 2 \
  $which || true

python3 - "$build"/meson-logs/testlog*.json <<'END'
import json
import sys

results = [json.loads(line)["result"] for line in open(sys.argv[1])]
skipped = results.count("SKIP")
passed = results.count("OK") + results.count("EXPECTEDFAIL")
failed = len(results) - passed - skipped
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" * (skipped > 0)))
sys.exit(failed > 0 or passed == 0)
END
