#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the gst-launch-1.0 lines of the documentation: launch-lines-test.sh FILE...
#
# Prints TAP. Lines run unchanged, but with a test picture instead of a camera, and
# for 8 frames, because a window shows each for a thirtieth of a second. The files
# exist. The README's lines run in its own test. A line
# with a window needs Xvfb. Of a line for hardware, or for a window where there is
# none, only the element of this project is run.
set -u

lines=$(sed -n -e 's/^ \* //' -e 's/^meson devenv -C build //' \
  -e '/^\([A-Z_]*=[^ ]* \)*gst-launch-1.0 /p' "$@")
. "$(dirname "$0")/tap.sh"
ln -s "$(cd "$(dirname "$0")/../.." && pwd)/kernels" kernels
cp kernels/examples/emboss.cl mine.cl
source="gst-launch-1.0 -q videotestsrc num-buffers=2 ! glupload"
camera="videotestsrc num-buffers=5"
start_display
gst-launch-1.0 -q videotestsrc num-buffers=5 ! video/x-raw,format=I420 \
  ! jpegenc ! avimux ! filesink location=video.mp4

echo "$lines" | sort -u >lines
while read -r line; do
  command=$(echo "$line" \
    | sed -e "s|v4l2src ! decodebin|$camera ! jpegenc ! decodebin|" \
    -e "s|v4l2src|$camera|" \
    -e 's/num-buffers=[0-9][0-9][0-9]* /num-buffers=8 /' \
    -e "s|file:///home/me/|file://$work/|")
  case $line in
    *vah264dec* | *nvh264dec*) window=no ;;
    *imagesink* | *playbin*) window=yes ;;
    *) window= ;;
  esac
  if [ "$window" = no ] || { [ "$window" = yes ] && [ -z "$display" ]; }; then
    command="$source ! $(echo "$line" \
      | sed 's/.*! \(glopencl[^!]*\) !.*/\1/') ! fakesink"
    window=
  fi
  (
    if [ "$window" = yes ]; then
      unset GST_GL_WINDOW
      export DISPLAY="$display"
    fi
    within 60 sh -c "$command" >errors 2>&1 </dev/null
  )
  result $? "$line"
done <lines

plan
