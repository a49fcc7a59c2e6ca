#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The benchmark on frames so small that its figures mean nothing: that it runs,
# and that the programs it measures do the work: benchmark-test.sh FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

benchmarks=$1
export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst"
export GST_GL_WINDOW=egl-device LC_ALL=C
unset DISPLAY WAYLAND_DISPLAY
. "$(dirname "$0")/tap.sh"

# What a table says of a program in its last column.
difference () {
  sed -n "s/^| $1 | [^|]* | [^|]* | [^|]* | \([0-9]*\) |\$/\1/p" out/RESULTS.md
}

# Meson's own interpreter need not be the one with the packages.
python=
for candidate in python3 /usr/bin/python3; do
  if "$candidate" -c 'import cv2, gi, numpy' 2>/dev/null; then
    python=$candidate
    break
  fi
done
if [ -z "$python" ]; then
  echo "1..0 # SKIP Python has no cv2, gi or numpy"
  exit 0
fi

mkdir out
set -- --smoke
if g++ -I/usr/include/opencv4 "$benchmarks/opencvpipeline.cpp" \
    -o opencvpipeline -lopencv_imgproc -lopencv_core 2>errors; then
  set -- "$@" --opencv "$work/opencvpipeline"
fi
printf '\n## More sections\n\ntext\n' >more.md
PYTHONDONTWRITEBYTECODE=1 timeout 250 "$python" "$benchmarks/compare.py" "$@" \
  --append more.md out 2>errors
result $? "the benchmark runs"

[ "$(difference this)" -le 1 ] 2>>errors
result $? "this is within 1 of the exact filter"
[ "$(difference "GLSL in glshader")" -le 1 ] 2>>errors
result $? "so is the shader"
grep -q '^## More sections' out/RESULTS.md 2>>errors
result $? "other sections are appended"
# shellcheck disable=SC2013
for name in $(sed -n 's/^!\[.*(\(.*\))$/\1/p' out/RESULTS.md); do
  "$python" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' \
    "out/$name" 2>>errors
  result $? "$name is a chart"
done
[ "$n" = 9 ]
result $? "there are five charts"
plan
