#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs what the benchmark needs, builds and runs it, and writes
# benchmarks/RESULTS.md (or the file named by the first argument).
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES python3-opencv python3-numpy \
  python3-gi gir1.2-gstreamer-1.0
build=$root/build-benchmark
[ -f "$build/build.ninja" ] \
  || meson setup "$build" "$root" -Dbuildtype=release -Dtests=false
ninja -C "$build"
glopencl_environment
# The distribution's, which has the packages above.
/usr/bin/python3 "$root/benchmarks/bilateral.py" \
  "$build/tools/glopencl" "${1:-$root/benchmarks/RESULTS.md}"
