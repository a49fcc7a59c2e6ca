#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Removes noise from a video and keeps its sound:
#
#   denoise.sh [INPUT [OUTPUT]]
#
# INPUT is any file that GStreamer can decode; without one a noisy clip is made
# first. OUTPUT is a .mkv or .mp4, INPUT-denoised.mkv in this folder by default;
# it is written when all went well. FILTER holds glopenclfilter's properties.
#
#   FILTER="spatial-sigma=3 intensity-sigma=0.08" denoise.sh noisy.mp4 clean.mp4
set -eu

. "$(dirname "$0")/setup.sh"

: "${FILTER:=spatial-sigma=2 intensity-sigma=0.1 window=disc}"
[ $# -le 2 ] || die "usage: denoise.sh [INPUT [OUTPUT]]"
# A name is no option, whatever it begins with.
case ${1:-} in -*) input=./$1 && shift && set -- "$input" "$@" ;; esac
case ${2:-} in -*) set -- "$1" "./$2" ;; esac
[ $# -eq 0 ] || [ -f "$1" ] || die "$1: no such file"
[ $# -eq 0 ] || [ -s "$1" ] || die "$1: the file is empty"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES
glopencl_build
glopencl_environment

# Runs a pipeline; where it fails, $reason is the first error.
run () {
  gst-launch-1.0 -q "$@" 2>"$work/errors" && return 0
  reason=$(sed -n -e 's/^ERROR: from element [^ ]*: //p' \
    -e 's/^WARNING: erroneous pipeline: //p' "$work/errors" | head -n 1)
  # A library that ends the process says so last.
  [ -n "$reason" ] || reason="GStreamer ended: $(tail -n 1 "$work/errors")"
  return 1
}

make_noisy_clip () {
  say "Making a noisy clip: noisy.mkv"
  run compositor name=mix sink_1::alpha=0.25 ! video/x-raw,width=640,height=360 \
    ! videoconvert ! video/x-raw,format=I420 \
    ! x264enc pass=quant quantizer=18 speed-preset=superfast \
    ! matroskamux name=mux ! filesink location="$1" \
    videotestsrc num-buffers=250 pattern=smpte horizontal-speed=3 \
    ! video/x-raw,width=640,height=360,framerate=25/1 ! mix. \
    videotestsrc num-buffers=250 pattern=snow \
    ! video/x-raw,width=640,height=360,framerate=25/1 ! mix. \
    audiotestsrc num-buffers=430 wave=ticks ! audio/x-raw,channels=1 \
    ! audioconvert ! opusenc ! mux.
}

# The whole seconds that gst-discoverer-1.0 found in a file.
found_seconds () {
  sed -n 's/^ *Duration: \([0-9]*\):\([0-9]*\):\([0-9]*\).*/\1 \2 \3/p' "$1" \
    | head -n 1 | awk '{ print $1 * 3600 + $2 * 60 + $3 }'
}

# Sets has_audio, seconds and format; ends where there is no video.
inspect () {
  # An AVI says how long it is; GStreamer plays what there is of it.
  if [ "$(head -c 4 "$1" | tr -d '\0')" = RIFF ]; then
    claimed=$(od -An -tu4 -j4 -N4 "$1")
    [ "$((claimed + 8))" -le "$(wc -c <"$1")" ] \
      || die "$1: it is cut off; $output was not written"
  fi
  gst-discoverer-1.0 -v "$1" >"$work/found" 2>&1 || true
  has_audio=no
  ! grep -q '^ *audio' "$work/found" || has_audio=yes
  if ! grep -q '^ *video\( #[0-9]*\|([^)]*)\)*: ' "$work/found"; then
    [ $has_audio = no ] || die "$1: there is sound but no video in it"
    die "$1: GStreamer cannot decode it"
  fi
  seconds=$(found_seconds "$work/found")
  # What every player can show; only odd sizes need another format.
  format=video/x-raw,format=I420
  ! grep -q '^ *\(Width\|Height\): [0-9]*[13579]$' "$work/found" \
    || format=video/x-raw
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if [ $# -eq 0 ]; then
  if [ -e noisy.mkv ]; then
    say "Taking noisy.mkv, which is there already"
  else
    make_noisy_clip "$work/noisy.mkv" || die "noisy.mkv: $reason"
    mv "$work/noisy.mkv" noisy.mkv
  fi
  set -- noisy.mkv
fi
input=$1
name=$(basename "$input")
output=${2:-${name%.*}-denoised.mkv}

case $output in
  *.mkv) muxer=matroskamux audio_encoder=opusenc ;;
  *.mp4) muxer=mp4mux audio_encoder=avenc_aac ;;
  *) die "$output: the output has to be a .mkv or .mp4" ;;
esac
[ "$(readlink -f "$input")" != "$(readlink -f "$output")" ] \
  || die "$output: the output has to be another file than the input"
[ ! -d "$output" ] || die "$output: it is a folder"
[ -w "$(dirname "$output")" ] || die "$output: its folder cannot be written to"
inspect "$input"
upload=$(glopencl_upload)

sound=
if [ "$has_audio" = yes ]; then
  sound="decode. ! queue max-size-time=5000000000 ! audioconvert
    ! audioresample ! $audio_encoder ! mux."
fi
say "Filtering $input with $FILTER"
part=$(dirname "$output")/.$(basename "$output").part
trap 'rm -rf "$work" "$part"' EXIT
# shellcheck disable=SC2086
run filesrc location="$(glopencl_location "$input")" ! decodebin name=decode \
  $muxer name=mux ! filesink location="$(glopencl_location "$part")" \
  decode. ! video/x-raw ! queue ! $upload ! glopenclfilter qos=false $FILTER \
  ! gldownload ! queue ! progressreport update-freq=1 name=progress \
  ! videoconvert n-threads=0 ! $format \
  ! x264enc pass=quant quantizer=18 speed-preset=veryfast ! mux. $sound \
  || die "$reason; $output was not written"

# Some formats only notice at the end that they are cut off.
gst-discoverer-1.0 "$part" >"$work/written" 2>&1 || true
written=$(found_seconds "$work/written")
[ $((${written:-0} + 2 + ${seconds:-0} / 50)) -gt "${seconds:-0}" ] \
  || die "$input: it ends after ${written:-0} of $seconds seconds;" \
    "$output was not written"
mv "$part" "$output"
say "Wrote $output"
