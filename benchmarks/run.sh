#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs the peers and what a build needs, builds, measures this project
# beside its peers, and writes RESULTS.md, STENCILS.md, MULTIRESOLUTION.md,
# DENOISE.md and their charts (SVG) into this folder:
#
#   benchmarks/run.sh [--quick] [FOLDER]
#
# FOLDER is another one for what is written. It takes an hour; with --quick
# five minutes: fewer rounds, sizes and radii, and nothing about the
# variants, the histograms and the element.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help

plan=
[ "${1:-}" != --quick ] || { plan=--quick && shift; }
case $# in
  0) folder=$root/benchmarks ;;
  1) folder=$1 ;;
  *) die "usage: benchmarks/run.sh [--quick] [FOLDER]" ;;
esac
mkdir -p "$folder"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES python3-opencv python3-numpy \
  python3-gi gir1.2-gstreamer-1.0 python3-matplotlib g++ libopencv-core-dev \
  libopencv-imgproc-dev opencv-doc python3-imageio ffmpeg clinfo
glopencl_python cv2 gi numpy matplotlib
build=$root/build-benchmark
[ -f "$build/build.ninja" ] \
  || meson setup "$build" "$root" -Dbuildtype=release >&2
ninja -C "$build" gst/libgstglopencl.so tools/glopencl \
  tests/peers/operationtool >&2
g++ -O2 -I/usr/include/opencv4 "$root/benchmarks/opencvpipeline.cpp" \
  -o "$build/opencvpipeline" -lopencv_imgproc -lopencv_core
glopencl_environment

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
set -- --opencv "$build/opencvpipeline" "$folder"
if [ -z "$plan" ]; then
  say "This project's own variants, histograms and element"
  "$python" "$root/benchmarks/bilateral.py" "$build/tools/glopencl" \
    "$work/own.md"
  set -- --append "$work/own.md" "$@"
fi
"$python" "$root/benchmarks/compare.py" $plan "$@"
# shellcheck disable=SC2086
"$python" "$root/benchmarks/stencils.py" $plan "$build/tools/glopencl" "$folder"
# shellcheck disable=SC2086
"$python" "$root/benchmarks/multiresolution.py" $plan \
  --tool "$build/tests/peers/operationtool" "$build/tools/glopencl" "$folder"
# shellcheck disable=SC2086
"$python" "$root/benchmarks/denoise.py" $plan "$folder"
