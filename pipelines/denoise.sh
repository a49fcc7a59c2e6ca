#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Removes noise from a video and keeps everything else of it: installs and builds
# what it needs, then runs the program denoise.
#
#   denoise.sh [OPTION...] [INPUT [OUTPUT]]
#
# INPUT is any file that GStreamer can decode; without one a noisy clip is made
# first. OUTPUT is a .mkv or .mp4, INPUT-denoised.mkv in this folder by default;
# it is written when all went well.
#
#   --force           replace OUTPUT if it exists
#   --strength NUMBER remove more or less noise than is found; 1 by default
#   --noise NUMBER    how strong the noise is; measured by default
#   --filter ELEMENTS other filters, in gst-launch syntax
#   --quality NUMBER  how much the encoder may lose
#   --lossless        write FFV1
#   --help            list all options, after the first build
#
#   denoise.sh --strength 1.5 noisy.mp4 clean.mp4
#   denoise.sh --filter "glopenclfilter spatial-sigma=3" noisy.mp4 smooth.mp4
set -eu

. "$(dirname "$0")/setup.sh"

program=$build/apps/denoise/glopencl-denoise
# Help comes first: nothing is installed or built for it.
case " $* " in
  *" --help "* | *" -h "*)
    [ ! -x "$program" ] || LC_ALL=C.UTF-8 exec "$program" --help
    show_help ;;
esac

# A clip is made with encoders of GStreamer.
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
# The build may be from before FFmpeg's libraries were there.
if [ ! -x "$program" ] && [ -z "${GLOPENCL_BUILD:-}" ]; then
  meson setup --reconfigure "$build" -Dfilms=enabled >"$build/setup.log" 2>&1 \
    || { tail -n 5 "$build/setup.log" >&2; die "meson cannot set up $build"; }
  glopencl_build
fi
exec "$program" "$@"
