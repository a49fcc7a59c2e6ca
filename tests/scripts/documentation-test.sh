#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests that everything shown by gst-inspect-1.0 is documented in the sources:
# documentation-test.sh FOLDER
#
# Every element has a section with a launch line. Every property of the plugin has
# a comment with its first version. Prints TAP.
set -u

sources=$1
. "$(dirname "$0")/tap.sh"
texts=$(find "$sources" -name '*.[ch]' -exec cat {} +)

for element in $(gst-inspect-1.0 glopencl | sed -n 's/^  \(gl[a-z]*\): .*/\1/p')
do
  section=$(printf '%s\n' "$texts" | sed -n "/SECTION:element-$element\$/,/\*\//p")
  echo "$section" | grep -q "^ \* gst-launch-1.0 .* $element "
  result $? "$element has a section with a launch line"

  # A property's lines begin with its name. The four excluded ones belong to
  # GStreamer's base class.
  properties=$(gst-inspect-1.0 "$element" | sed '1,/^Element Properties/d' \
    | sed -n 's/^  \([a-z][a-z-]*\) *: .*/\1/p' \
    | grep -vx -e context -e name -e parent -e qos)
  [ "$(echo "$properties" | wc -l)" -ge 4 ]
  result $? "$element has properties of its own"
  for property in $properties; do
    printf '%s\n' "$texts" | sed -n "/^ \* GstGLOpenCL[A-Za-z]*:$property:\$/,/\*\//p" \
      | grep -q '^ \* Since: [0-9]'
    result $? "$element: $property is documented"
  done
done
plan
