#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the gst-launch-1.0 lines of the documentation: launch-lines-test.sh FILE...
#
# Prints TAP. A line that needs a window, a camera or a file of the user is not run
# itself: the test runs only its element of this project, with a test picture.
set -u

lines=$(sed -n -e 's/^ \* //' -e 's/^meson devenv -C build //' \
  -e '/^\([A-Z_]*=[^ ]* \)*gst-launch-1.0 /p' "$@")
. "$(dirname "$0")/tap.sh"
source="gst-launch-1.0 -q videotestsrc num-buffers=2 ! glupload"

echo "$lines" | sort -u >lines
while read -r line; do
  case $line in
    *imagesink* | *v4l2src* | *filesrc*)
      element=$(echo "$line" | sed 's/.*! \(glopencl[^!]*\) !.*/\1/')
      command="$source ! $element ! fakesink" ;;
    *) command=$line ;;
  esac
  timeout 60 sh -c "$command" >errors 2>&1 </dev/null
  result $? "$line"
done <lines

plan
