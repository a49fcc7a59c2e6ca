#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the gst-launch-1.0 lines of the documentation: launch-lines-test.sh FILE...
#
# Prints TAP. Lines run unchanged, but for 8 frames, because a window shows each for
# a thirtieth of a second. The files exist. The lines of the README and of the
# recipes run in their own tests. A line with a window needs Xvfb. Without it, only
# the element of this project is run.
set -u

lines=$(sed -n -e 's/^ \* //' -e 's/^meson devenv -C build //' \
  -e '/^\([A-Z_]*=[^ ]* \)*gst-launch-1.0 /p' "$@")
. "$(dirname "$0")/tap.sh"
ln -s "$scripts/../../kernels" kernels
cp kernels/examples/emboss.cl mine.cl
# The first kernel of its page.
awk '/^```/ { n++; next } n == 1' "$scripts/../../docs/glopenclkernel.md" >relief.cl
source="gst-launch-1.0 -q videotestsrc num-buffers=2 ! glupload"
start_display
gst-launch-1.0 -q videotestsrc num-buffers=5 ! video/x-raw,format=I420 \
  ! jpegenc ! avimux ! filesink location=video.mp4

echo "$lines" | sort -u >lines
while read -r line; do
  command=$(echo "$line" \
    | sed 's/num-buffers=[0-9][0-9][0-9]* /num-buffers=8 /')
  case $line in
    *imagesink* | *playbin*) window=yes ;;
    *) window= ;;
  esac
  if [ "$window" = yes ] && [ -z "$display" ]; then
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
