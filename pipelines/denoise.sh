#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Denoises a video file and keeps everything else in it. Installs and builds the
# dependencies, then runs glopencl-denoise.
#
#   denoise.sh [OPTION...] [INPUT [OUTPUT]]
#
# INPUT is any file that FFmpeg can decode. Without INPUT, a noisy test clip is
# made first. OUTPUT is a .mkv, .mp4, .webm or .mov (default: INPUT-denoised.mkv
# in this folder). It is written only if there is no error.
#
#   --force           replace OUTPUT if it exists
#   --strength NUMBER strength of the filter (default: 1)
#   --noise NUMBER    standard deviation of the noise (default: measured)
#   --filter ELEMENTS filter elements, in gst-launch syntax
#   --quality NUMBER  quality, 0 (best) to 51
#   --lossless        write FFV1
#   --help            list all options, after the first build
#
#   denoise.sh --strength 1.5 noisy.mp4 clean.mp4
#   denoise.sh --filter "glopenclfilter spatial-sigma=3" noisy.mp4 smooth.mp4
set -eu

. "$(dirname "$0")/setup.sh"

program=$build/apps/denoise/glopencl-denoise
# --help installs and builds nothing.
case " $* " in
  *" --help "* | *" -h "*)
    [ ! -x "$program" ] || LC_ALL=C.UTF-8 exec "$program" --help
    show_help ;;
esac

# The clip is made with GStreamer encoders.
[ $# -gt 0 ] || RUN_PACKAGES="$RUN_PACKAGES $FILE_PACKAGES"
# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES
glopencl_build
glopencl_environment

if [ $# -eq 0 ]; then
  . "$(dirname "$0")/files.sh"
  find_noisy_clip
  clean_up
  set -- --force noisy.mkv
fi
# The build may be older than the installation of FFmpeg's libraries.
if [ ! -x "$program" ] && [ -z "${GLOPENCL_BUILD:-}" ]; then
  meson setup --reconfigure "$build" -Dfilms=enabled >"$build/setup.log" 2>&1 \
    || { tail -n 5 "$build/setup.log" >&2; die "meson setup failed in $build"; }
  glopencl_build
fi
exec "$program" "$@"
