# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced, after setup.sh, by the scripts that convert files. The folder $work
# and the file $part are removed when the script ends.
#
#   check_input FILE       exits if FILE does not exist or is empty
#   check_output INPUT OUTPUT
#                          exits if OUTPUT cannot be written, or exists and must
#                          not be replaced: $force is empty, and the user does
#                          not agree. Sets $part to the name of the unfinished
#                          output
#   run ELEMENT...         runs a pipeline. On failure sets $reason
#   clean_up               removes $work and $part, before exec of a program
#   find_noisy_clip        makes noisy.mkv in this folder, unless it exists
#   inspect FILE           sets has_audio and seconds. Exits if FILE has no
#                          video
#   is_cut_off FILE        whether FILE is an AVI shorter than its header says
#   found_seconds FILE     prints the duration in whole seconds from output of
#                          gst-discoverer-1.0 in FILE
#   is_all SECONDS         whether SECONDS are about the duration from inspect

work=$(mktemp -d)
part=
force=
clean_up () {
  rm -rf "$work" "$part"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

check_input () {
  [ -f "$1" ] || die "$1: no such file"
  [ -s "$1" ] || die "$1: the file is empty"
}

check_output () {
  [ "$(readlink -f "$1")" != "$(readlink -f "$2")" ] \
    || die "$2: the output must be a different file than the input"
  [ ! -d "$2" ] || die "$2: is a folder"
  [ -w "$(dirname "$2")" ] || die "$2: the folder is not writable"
  if [ -e "$2" ] && [ -z "$force" ]; then
    [ -t 0 ] && [ -t 2 ] || die "$2: already exists. Use --force to replace it"
    printf '%s already exists. Replace it? [y/N] ' "$2" >&2
    read -r answer
    case $answer in [yY]*) ;; *) die "$2: not replaced" ;; esac
  fi
  part=$(dirname "$2")/.$(basename "$2").part
}

run () {
  gst-launch-1.0 -q "$@" 2>"$work/errors" && return 0
  reason=$(sed -n -e 's/^ERROR: from element [^ ]*: //p' \
    -e 's/^WARNING: erroneous pipeline: //p' "$work/errors" | head -n 1)
  # A library that ends the process prints the reason last.
  [ -n "$reason" ] || reason="GStreamer ended: $(tail -n 1 "$work/errors")"
  return 1
}

make_noisy_clip () {
  say "Making a noisy clip: noisy.mkv"
  run compositor name=mix sink_1::alpha=0.25 ! video/x-raw,width=640,height=360 \
    ! videoconvert dither=none ! video/x-raw,format=I420 \
    ! x264enc pass=quant quantizer=18 speed-preset=superfast \
    ! matroskamux name=mux ! filesink location="$1" \
    videotestsrc num-buffers=250 pattern=smpte horizontal-speed=3 \
    ! video/x-raw,width=640,height=360,framerate=25/1 ! mix. \
    videotestsrc num-buffers=250 pattern=snow \
    ! video/x-raw,width=640,height=360,framerate=25/1 ! mix. \
    audiotestsrc num-buffers=430 wave=ticks ! audio/x-raw,channels=1 \
    ! audioconvert ! opusenc ! mux.
}

find_noisy_clip () {
  if [ -e noisy.mkv ]; then
    say "Using the existing noisy.mkv"
  else
    make_noisy_clip "$work/noisy.mkv" || die "noisy.mkv: $reason"
    mv "$work/noisy.mkv" noisy.mkv
  fi
}

found_seconds () {
  sed -n 's/^ *Duration: \([0-9]*\):\([0-9]*\):\([0-9]*\).*/\1 \2 \3/p' "$1" \
    | head -n 1 | awk '{ print $1 * 3600 + $2 * 60 + $3 }'
}

# GStreamer plays the existing part of it.
is_cut_off () {
  [ "$(head -c 4 "$1" | tr -d '\0')" = RIFF ] || return 1
  claimed=$(od -An -tu4 -j4 -N4 "$1")
  [ "$((claimed + 8))" -gt "$(wc -c <"$1")" ]
}

inspect () {
  gst-discoverer-1.0 -v "$1" >"$work/found" 2>&1 || true
  has_audio=no
  ! grep -q '^ *audio' "$work/found" || has_audio=yes
  if ! grep -q '^ *video\( #[0-9]*\|([^)]*)\)*: ' "$work/found"; then
    [ $has_audio = no ] || die "$1: the file has audio but no video"
    die "$1: GStreamer cannot decode the file"
  fi
  seconds=$(found_seconds "$work/found")
}

# In some formats, truncation is detected only at the end.
is_all () {
  [ $((${1:-0} + 2 + ${seconds:-0} / 50)) -gt "${seconds:-0}" ]
}
