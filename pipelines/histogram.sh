#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Shows a video in a window with its histogram, or plots the histograms of a
# file:
#
#   histogram.sh [--filter ELEMENTS] [INPUT]
#   histogram.sh --csv [--force] [--filter ELEMENTS] [INPUT [OUTPUT]]
#
# INPUT is any file that GStreamer can decode. For the window it may be
# "camera". Without INPUT, the window shows a test picture, and the chart is of a
# noisy test clip.
# OUTPUT is a .csv with one row per frame (default: INPUT-histogram.csv in this
# folder). The chart is a .svg beside it. Both are written only if there is no
# error. --force replaces existing files.
# ELEMENTS are filter elements before the histogram, in gst-launch syntax
# (default: none).
#
#   histogram.sh --filter "glopenclfilter spatial-sigma=2" camera
set -eu

. "$(dirname "$0")/setup.sh"
. "$(dirname "$0")/files.sh"

usage="usage: histogram.sh [--filter ELEMENTS] [INPUT] | \
histogram.sh --csv [--force] [--filter ELEMENTS] [INPUT [OUTPUT]]"
mode=window
filter=
while :; do
  case ${1:-} in
    --csv) mode=csv && shift ;;
    --force) force=yes && shift ;;
    --filter)
      [ $# -ge 2 ] || die "$usage"
      filter=$2 && shift 2 ;;
    -h | --help) show_help ;;
    *) break ;;
  esac
done
[ $# -le 2 ] || die "$usage"
[ $mode = csv ] || [ $# -le 1 ] || die "$usage"
[ $mode = csv ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] \
  || die "no display for a window. Use --csv to work without one"
# Avoids that a file name is parsed as an option.
case ${1:-} in -*) input=./$1 && shift && set -- "$input" "$@" ;; esac
case ${2:-} in -*) set -- "$1" "./$2" ;; esac
case $mode:${1:-} in
  window:camera | window: | csv:) ;;
  *) check_input "$1" ;;
esac

packages="$BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES"
[ $mode = window ] || packages="$packages python3-matplotlib"
# shellcheck disable=SC2086
glopencl_install $packages
[ $mode = window ] || glopencl_python matplotlib
glopencl_build
glopencl_environment

show () {
  case ${1:-} in
    "") set -- videotestsrc is-live=true ;;
    camera) set -- v4l2src ! decodebin ;;
    *)
      inspect "$1"
      set -- filesrc location="$(glopencl_location "$1")" ! decodebin ;;
  esac
  say "Showing${filter:+ with $filter}. Close the window or press Ctrl+C to end"
  # shellcheck disable=SC2086
  gst-launch-1.0 -q "$@" ! video/x-raw ! queue ! $UPLOAD \
    ${filter:+! $filter} \
    ! glopenclfilter spatial-sigma=0 histogram-overlay=true ! glimagesink
}

# Whether FILE has audio of the full duration. Then only the video is shorter.
has_all_sound () {
  [ "$has_audio" = yes ] || return 1
  run filesrc location="$(glopencl_location "$1")" ! decodebin \
    ! audio/x-raw ! audioconvert ! audioresample \
    ! audio/x-raw,format=U8,channels=1,rate=8000 \
    ! filesink location="$(glopencl_location "$part/sound")" || return 1
  is_all "$(($(wc -c <"$part/sound") / 8000))"
}

# chart INPUT [OUTPUT]
chart () {
  name=$(basename "$1")
  output=${2:-${name%.*}-histogram.csv}
  case $output in
    *.csv) image=${output%.csv}.svg ;;
    *) die "$output: the output must be a .csv file" ;;
  esac
  check_output "$1" "$image"
  check_output "$1" "$output"
  ! is_cut_off "$1" || die "$1: truncated ($output was not written)"
  inspect "$1"

  say "Counting $1${filter:+ with $filter}"
  mkdir -p "$part"
  "$build/pipelines/histogramcsv" ${filter:+"--filter=$filter"} -- "$1" >"$part/csv" \
    || exit 1
  counted=$(tail -n 1 "$part/csv" | cut -d . -f 1)
  is_all "$counted" || has_all_sound "$1" \
    || die "$1: ends after $counted of $seconds seconds" \
      "($output was not written)"
  "$python" "$root/pipelines/plot-histogram.py" "$part/csv" "$part/svg" "$name"
  mv "$part/csv" "$output"
  mv "$part/svg" "$image"
  say "Wrote $output and $image"
}

if [ $mode = window ]; then
  show "$@"
else
  if [ $# -eq 0 ]; then
    find_noisy_clip
    force=yes
    set -- noisy.mkv
  fi
  chart "$@"
fi
