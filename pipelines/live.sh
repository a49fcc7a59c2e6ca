#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Shows a video in a window, filtered:
#
#   live.sh [--filter ELEMENTS] [INPUT]
#
# INPUT is a file that GStreamer can decode, or "camera" for the first camera
# (default: a noisy test picture). ELEMENTS are filter elements, in gst-launch
# syntax (default: glopencldenoise).
#
#   live.sh --filter "glopenclfilter spatial-sigma=4" camera
set -eu

. "$(dirname "$0")/setup.sh"

usage="usage: live.sh [--filter ELEMENTS] [INPUT]"
filter=glopencldenoise
case ${1:-} in
  --filter)
    [ $# -ge 2 ] || die "$usage"
    filter=$2 && shift 2 ;;
  -h | --help) show_help ;;
esac
[ $# -le 1 ] || die "$usage"
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] \
  || die "no display for a window. Use denoise.sh to work without one"
case ${1:-} in
  "" | camera) ;;
  *) [ -s "$1" ] || die "$1: no such file, or the file is empty" ;;
esac

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES
glopencl_build
glopencl_environment

case ${1:-} in
  "") set -- videotestsrc is-live=true pattern=snow ;;
  camera) set -- v4l2src ! decodebin ;;
  *) set -- filesrc location="$(glopencl_location "$1")" ! decodebin ;;
esac
say "Showing with $filter. Close the window or press Ctrl+C to end"
# shellcheck disable=SC2086
exec gst-launch-1.0 -q "$@" ! video/x-raw ! queue ! $UPLOAD \
  ! $filter ! glimagesink
