#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Any video file goes through with nothing between glupload and the filter:
# mission-line-test.sh
#
# Prints TAP. What cannot be made with the elements installed is skipped.
set -u

n=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# missing ELEMENT...: prints those that are not installed.
missing () {
  for element in "$@"; do
    gst-inspect-1.0 --exists "$element" || printf ' %s' "$element"
  done
}

# plays NAME FORMAT ENCODER...: a file of six frames of FORMAT, made
# by ENCODER... (elements and settings), plays.
plays () {
  n=$((n + 1))
  name=$1 format=$2
  shift 2
  absent=$(echo "$*" | tr '!' '\n' | awk '{ print $1 }' | xargs -r echo)
  # shellcheck disable=SC2086
  absent=$(missing $absent)
  if [ -n "$absent" ]; then
    echo "ok $n $name # SKIP not installed:$absent"
    return
  fi
  rm -f FILE
  caps="video/x-raw,format=$format,width=$width,height=$height,framerate=25/1"
  if ! timeout 60 gst-launch-1.0 -q videotestsrc num-buffers=6 ! "$caps" \
      ! "$@" ! filesink location=FILE >log 2>&1; then
    echo "not ok $n $name cannot be made"
    sed 's/^/# /' log
    return
  fi
  if timeout 60 gst-launch-1.0 filesrc location=FILE ! decodebin ! glupload \
      ! glopenclfilter ! fakesink >log 2>&1 </dev/null \
      && ! grep -q -e ERROR -e WARNING -e CRITICAL log \
      && grep -q 'Got EOS' log; then
    echo "ok $n $name"
  else
    echo "not ok $n $name"
    sed 's/^/# /' log
  fi
}

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
echo "1..$n"
