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
. "$(dirname "$0")/files.sh"

: "${FILTER:=spatial-sigma=2 intensity-sigma=0.1 window=disc}"
[ $# -le 2 ] || die "usage: denoise.sh [INPUT [OUTPUT]]"
# A name is no option, whatever it begins with.
case ${1:-} in -*) input=./$1 && shift && set -- "$input" "$@" ;; esac
case ${2:-} in -*) set -- "$1" "./$2" ;; esac
[ $# -eq 0 ] || check_input "$1"

# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES $RUN_PACKAGES $FILE_PACKAGES
glopencl_build
glopencl_environment

if [ $# -eq 0 ]; then
  find_noisy_clip
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
check_output "$input" "$output"
! is_cut_off "$input" || die "$input: it is cut off; $output was not written"
inspect "$input"

sound=
if [ "$has_audio" = yes ]; then
  sound="decode. ! queue max-size-time=5000000000 ! audioconvert
    ! audioresample ! $audio_encoder ! mux."
fi
say "Filtering $input with $FILTER"
# shellcheck disable=SC2086
run filesrc location="$(glopencl_location "$input")" ! decodebin name=decode \
  $muxer name=mux ! filesink location="$(glopencl_location "$part")" \
  decode. ! video/x-raw ! queue ! $UPLOAD ! glopenclfilter qos=false $FILTER \
  ! gldownload ! queue ! progressreport update-freq=1 name=progress \
  ! videoconvert n-threads=0 dither=none ! $format \
  ! x264enc pass=quant quantizer=18 speed-preset=veryfast ! mux. $sound \
  || die "$reason; $output was not written"

gst-discoverer-1.0 "$part" >"$work/written" 2>&1 || true
written=$(found_seconds "$work/written")
is_all "$written" \
  || die "$input: it ends after ${written:-0} of $seconds seconds;" \
    "$output was not written"
mv "$part" "$output"
say "Wrote $output"
