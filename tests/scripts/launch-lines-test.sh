#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the gst-launch-1.0 lines of the documentation: launch-lines-test.sh FILE...
#
# Prints TAP. Of a line that needs a window, a camera or a file of the user's,
# only this project's element is run, with a test picture.
set -u

n=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# With variables before it, or in the build's environment, which this is.
sed -n -e 's/^ \* //' -e 's/^meson devenv -C build //' \
  -e '/^\([A-Z_]*=[^ ]* \)*gst-launch-1.0 /p' "$@" >"$work/lines"
source="gst-launch-1.0 -q videotestsrc num-buffers=2 ! glupload"

while read -r line; do
  n=$((n + 1))
  case $line in
    *imagesink* | *v4l2src* | *filesrc*)
      element=$(echo "$line" | sed 's/.*! \(glopencl[^!]*\) !.*/\1/')
      command="$source ! $element ! fakesink" ;;
    *) command=$line ;;
  esac
  if (cd "$work" && timeout 60 sh -c "$command" >log 2>&1 </dev/null); then
    echo "ok $n $line"
  else
    echo "not ok $n $line"
    sed 's/^/# /' "$work/log"
  fi
done <"$work/lines"

echo "1..$n"
[ "$n" -gt 0 ]
