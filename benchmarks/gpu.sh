#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds, measures the filters on this machine's GPU, the bilateral one beside
# its peers there, and writes GPU.md and its charts (SVG) into this folder:
#
#   benchmarks/gpu.sh [--quick] [--peer SOURCE] [--clips CLIPS]
#                     [--vapoursynth PYTHON] [FOLDER]
#
# SOURCE is a folder with the source of VapourSynth-BilateralGPU. Its kernel is
# compiled when it runs. CLIPS is what benchmarks/gpudenoise.py CLIPS has written,
# for the denoiser beside its peers and for the bytes of all ways of interop.
# PYTHON is a command of Python with VapourSynth, which is split as by a shell,
# for these peers:
#
#   pip install vapoursynth==76 dfttest2[nvrtc] vapoursynth-bm3dcuda
#     vapoursynth-nlm-cuda vapoursynth-knlmeanscl vsavd
#
# FOLDER is another one for what is written. Peers that are not there
# (NVRTC, NPP, CV-CUDA, OpenCV) are named with the reason. It takes half an hour,
# with --quick less. OpenGL and OpenCL of the GPU have to be installed. For
# gl-sharing NVIDIA's drivers need a display.
#
# GLOPENCL_BUILD names a folder where all is built already; then nothing is
# installed either.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

usage="usage: benchmarks/gpu.sh [--quick] [--peer SOURCE] [--clips CLIPS] \
[--vapoursynth PYTHON] [FOLDER]"
plan=
peer=
clips=
vapoursynth=
while [ $# -gt 0 ]; do
  case $1 in
    --help) show_help ;;
    --quick) plan=--quick ;;
    --peer | --clips | --vapoursynth)
      [ $# -gt 1 ] || die "$usage"
      case $1 in
        --peer) peer=$2 ;;
        --clips) clips=$2 ;;
        *) vapoursynth=$2 ;;
      esac
      shift ;;
    -*) die "$usage" ;;
    *) break ;;
  esac
  shift
done
[ $# -le 1 ] || die "$usage"
folder=${1:-$root/benchmarks}
mkdir -p "$folder"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES python3-opencv python3-numpy \
  python3-matplotlib clinfo
glopencl_python cv2 numpy matplotlib
if [ -z "${GLOPENCL_BUILD:-}" ]; then
  build=$root/build-benchmark
  [ -f "$build/build.ninja" ] \
    || meson setup "$build" "$root" -Dbuildtype=release >&2
  ninja -C "$build" gst/libgstglopencl.so tools/glopencl \
    benchmarks/startstop benchmarks/libkerneltimes.so >&2
fi

# shellcheck disable=SC2086
exec "$python" "$root/benchmarks/gpu.py" $plan ${peer:+--peer "$peer"} \
  ${clips:+--clips "$clips"} ${vapoursynth:+--vapoursynth "$vapoursynth"} \
  --tool "$build/tools/glopencl" --built "$build/benchmarks" \
  --plugin-path "$build/gst" "$folder"
