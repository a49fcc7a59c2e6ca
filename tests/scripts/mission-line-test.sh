#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests that any video file works with decodebin, glupload and the filter only,
# without a display and, if there is Xvfb, in a window:
# mission-line-test.sh
#
# Prints TAP. Skips files that cannot be made with the installed elements.
set -u

. "$(dirname "$0")/tap.sh"
log=log
start_display

# missing ELEMENT...: prints the elements that are not installed.
missing () {
  for element in "$@"; do
    gst-inspect-1.0 --exists "$element" || printf ' %s' "$element"
  done
}

# play SINK: plays FILE to its end, without any message that asks for help.
play () {
  # shellcheck disable=SC2086
  within 60 gst-launch-1.0 filesrc location=FILE ! decodebin $convert \
    ! glupload ! glopenclfilter ! "$1" >log 2>&1 </dev/null \
    && ! grep -q -e '^ERROR' -e '^WARNING' -e 'WARNING \*\*' -e 'CRITICAL \*\*' log \
    && grep -q 'Got EOS' log
}

# plays NAME FORMAT ENCODER...: tests a file of six frames of FORMAT, made by
# ENCODER... (elements and settings).
plays () {
  name=$1 format=$2
  shift 2
  absent=$(echo "$*" | tr '!' '\n' | awk '{ print $1 }' | xargs -r echo)
  # shellcheck disable=SC2086
  absent=$(missing $absent)
  if [ -n "$absent" ]; then
    n=$((n + 1))
    echo "ok $n $name # SKIP not installed:$absent"
    return
  fi
  rm -f FILE
  caps="video/x-raw,format=$format,width=$width,height=$height,framerate=25/1"
  if ! within 60 gst-launch-1.0 -q videotestsrc num-buffers=6 ! "$caps" \
      ! "$@" ! filesink location=FILE >log 2>&1; then
    result 1 "$name cannot be made"
    return
  fi
  check "$name" play fakesink
  [ -n "$display" ] || return
  (
    unset GST_GL_WINDOW
    DISPLAY=$display play glimagesink
  )
  result $? "$name in a window"
}

convert=
width=98 height=50
plays "H.264" I420 x264enc ! h264parse ! matroskamux
plays "H.264 4:2:2" Y42B x264enc ! h264parse ! matroskamux
plays "H.264 4:4:4" Y444 x264enc ! h264parse ! matroskamux
plays "H.264 in MP4" I420 x264enc ! h264parse ! mp4mux
plays "MPEG-4" I420 avenc_mpeg4 ! matroskamux
plays "VP9" I420 vp9enc deadline=1 ! matroskamux
plays "VP9 4:4:4" Y444 vp9enc deadline=1 ! matroskamux
plays "Motion JPEG" I420 jpegenc ! matroskamux
plays "Motion JPEG 4:2:2" Y42B jpegenc ! matroskamux
plays "grey Motion JPEG" GRAY8 jpegenc ! matroskamux
plays "PNG" RGBA pngenc snapshot=true
plays "PNG without alpha" RGB pngenc snapshot=true
plays "grey PNG" GRAY8 pngenc snapshot=true
width=67 height=45
plays "VP9 of odd size" I420 vp9enc deadline=1 ! matroskamux
plays "Motion JPEG of odd size" I420 jpegenc ! matroskamux
plays "PNG of odd size" RGBA pngenc snapshot=true
# Formats that GL does not support yet need the converter of docs/formats.md.
width=98 height=50
gst-inspect-1.0 glopenclfilter | grep -q I420_10LE \
  || convert="! videoconvert dither=none"
plays "10-bit HEVC" I420_10LE x265enc ! h265parse ! matroskamux

# decode NAME ELEMENT...: writes the samples of FILE after ELEMENT... to a file
# NAME, without padding.
decode () {
  samples=$1
  shift
  within 60 gst-launch-1.0 -q filesrc location=FILE ! decodebin "$@" \
    ! video/x-raw,format=I420_10LE ! videocodectestsink location="$samples" \
    >log 2>&1
}

# A filter that changes nothing, whether frames are forwarded or computed, leaves
# every decoded sample as it is.
if [ -f FILE ] && [ -z "$absent" ]; then
  decode decoded
  for settings in spatial-sigma=0 \
      "color-mode=per-channel intensity-sigma=0.0001"; do
    # shellcheck disable=SC2086
    decode filtered ! videoconvert dither=none ! glupload \
      ! glopenclfilter $settings ! gldownload ! videoconvert dither=none \
      && [ -s decoded ] && cmp decoded filtered >log 2>&1
    result $? "10-bit HEVC, $settings: the same samples"
  done
fi
plan
