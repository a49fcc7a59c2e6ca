#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The benchmark of denoisers on a few frames: denoise-benchmark-test.sh FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

benchmarks=$1
export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst"
export GST_GL_WINDOW=egl-device LC_ALL=C PYTHONDONTWRITEBYTECODE=1
unset DISPLAY WAYLAND_DISPLAY
. "$(dirname "$0")/tap.sh"

for folder in /usr/share/doc/opencv-doc/examples/data \
    /usr/lib/python3/dist-packages/imageio; do
  [ -d $folder ] || { echo "1..0 # SKIP no $folder"; exit 0; }
done
find_python cv2 numpy matplotlib
mkdir out

timeout 250 "$python" "$benchmarks/denoise.py" --smoke out 2>errors
result $? "the benchmark runs"
awk -F ' *[|] *' '/^[|] white 10 [|]/ && NF == 9 { found = 1
    for (i = 4; i <= 8; i++) if ($i < $3 + 3) exit 1 }
  END { exit !found }' out/DENOISE.md
result $? "all denoisers remove white noise"
grep -q '^| nlmeans | [0-9.]* | [0-9.]* | 0[.][0-9]* | [0-9.]* | `nlmeans=' \
  out/DENOISE.md
result $? "the settings of the others are stated"
# A result that no measurement gives.
sed -i 's/\("luma": {"megamind": \[\)[^,]*/\10.5/' out/denoise.json
timeout 250 "$python" "$benchmarks/denoise.py" --smoke --keep-times out \
  2>errors && [ "$(grep -c '^| hqdn3d | 4[0-9][.]' out/DENOISE.md)" = 2 ]
result $? "the others are not measured again"
sed -i 's/"version": "FFmpeg [^"]*"/"version": "FFmpeg 1"/' out/denoise.json
timeout 250 "$python" "$benchmarks/denoise.py" --smoke --keep-times out \
  2>errors && ! grep -q '^| hqdn3d | 4[0-9][.]' out/DENOISE.md
result $? "but they are with another version of FFmpeg"
plan
