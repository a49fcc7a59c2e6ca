# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced, after setup.sh, by the scripts that turn a file into another one.
# What is in the folder $work and in $part goes when the script ends.
#
#   check_input FILE       ends where there is no such file or nothing in it
#   check_output INPUT OUTPUT
#                          ends where OUTPUT cannot be written, or is there and
#                          may not be replaced: $force is empty, and who sits at
#                          the terminal does not want it; $part is then what it
#                          is to be called until it is complete
#   run ELEMENT...         runs a pipeline; where it fails, $reason says why
#   clean_up               removes those, where another program takes over
#   find_noisy_clip        makes noisy.mkv in this folder, unless it is there
#   inspect FILE           sets has_audio and seconds; ends where there is no
#                          video
#   is_cut_off FILE        whether FILE is an AVI that says it is longer
#   found_seconds FILE     prints the whole seconds that gst-discoverer-1.0
#                          wrote in FILE
#   is_all SECONDS         whether SECONDS are what inspect found, or nearly

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
    || die "$2: the output has to be another file than the input"
  [ ! -d "$2" ] || die "$2: it is a folder"
  [ -w "$(dirname "$2")" ] || die "$2: its folder cannot be written to"
  if [ -e "$2" ] && [ -z "$force" ]; then
    [ -t 0 ] && [ -t 2 ] || die "$2: it is there already; --force replaces it"
    printf '%s is there already. Replace it? [y/N] ' "$2" >&2
    read -r answer
    case $answer in [yY]*) ;; *) die "$2: it was kept" ;; esac
  fi
  part=$(dirname "$2")/.$(basename "$2").part
}

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
    say "Taking noisy.mkv, which is there already"
  else
    make_noisy_clip "$work/noisy.mkv" || die "noisy.mkv: $reason"
    mv "$work/noisy.mkv" noisy.mkv
  fi
}

found_seconds () {
  sed -n 's/^ *Duration: \([0-9]*\):\([0-9]*\):\([0-9]*\).*/\1 \2 \3/p' "$1" \
    | head -n 1 | awk '{ print $1 * 3600 + $2 * 60 + $3 }'
}

# GStreamer plays what there is of it.
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
    [ $has_audio = no ] || die "$1: there is sound but no video in it"
    die "$1: GStreamer cannot decode it"
  fi
  seconds=$(found_seconds "$work/found")
}

# Some formats only notice at the end that they are cut off.
is_all () {
  [ $((${1:-0} + 2 + ${seconds:-0} / 50)) -gt "${seconds:-0}" ]
}
