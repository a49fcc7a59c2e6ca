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

# The last column of a program in a table.
difference () {
  sed -n "s/^| $1 | [^|]* | [^|]* | [^|]* | \([0-9]*\) |\$/\1/p" out/RESULTS.md
}

# The column of a line in the table before a chart.
column () {
  awk -F ' *[|] *' -v chart="($1)" -v line="$2" '
    index($0, chart) { printf "%s", rows }
    !/^[|]/ { head = 1; next }
    head { for (i = 1; i <= NF; i++) if ($i == line) column = i }
    head { rows = head = ""; getline; next }
    $column != "" { rows = rows ($2 "," $column "\n") }' out/RESULTS.md
}

find_python cv2 gi numpy matplotlib
mkdir out
set -- --smoke
if g++ -I/usr/include/opencv4 "$benchmarks/opencvpipeline.cpp" \
    -o opencvpipeline -lopencv_imgproc -lopencv_core 2>errors; then
  set -- "$@" --opencv "$work/opencvpipeline"
fi
printf '\n## More sections\n\ntext\n' >more.md
PYTHONDONTWRITEBYTECODE=1 within 250 "$python" "$benchmarks/compare.py" "$@" \
  --append more.md out 2>errors
result $? "the benchmark runs"

[ "$(difference this)" -le 1 ] 2>>errors
result $? "this is within 1 of the exact filter"
check "so is the shader" [ "$(difference "GLSL in glshader")" -le 1 ] 2>>errors
grep -q '^## More sections' out/RESULTS.md 2>>errors
result $? "other sections are appended"
check "there are five charts" [ "$(grep -c '^!.*[.]svg)$' out/RESULTS.md)" = 5 ]
for chart in kernels-radius kernels-size kernels-threads; do
  column $chart.svg "OpenCV, 1 channel" >expected
  shows out/$chart.svg log OpenCV-1-channel
  result $? "$chart.svg shows what the table has"
done
column kernels-radius.svg "this, fast" >expected
check "a line may begin later" shows out/kernels-radius.svg log this-fast
sed -n 's/^| radius \([0-9]*\) | this | \([^ ]*\) .*/\1,\2/p' out/RESULTS.md \
  >expected
shows out/pipelines-radius.svg log this
result $? "pipelines-radius.svg shows what the table has"
sed -n 's/^| \([0-9]*x[0-9]*\) | this | \([^ ]*\) .*/\1,\2/p' out/RESULTS.md \
  >expected
shows out/pipelines-size.svg log this
result $? "pipelines-size.svg shows what the table has"
grep -q '#d62728.*>this<' out/kernels-size.svg
result $? "lines have names in their colours"

PYTHONDONTWRITEBYTECODE=1 within 250 "$python" "$benchmarks/stencils.py" \
  --smoke "$GLOPENCL_BUILD/tools/glopencl" out 2>errors
result $? "the benchmark of stencils runs"
[ "$(grep -c '^| matrix, 5x5 | [^|]* | [0-9.]* |' out/STENCILS.md)" = 3 ]
result $? "matrices are compared with FFmpeg's, on the CPU and on OpenCL"
for name in average gaussian dense; do
  sed -n "/packed RGB:/,/I420:/s/^| [a-z]*, $name, radius \([0-9]*\) | \([^ ]*\) .*/\1,\2/p" \
    out/STENCILS.md >expected
  shows out/stencils-$name.svg log this
  result $? "stencils-$name.svg shows what the table has"
done

PYTHONDONTWRITEBYTECODE=1 within 250 "$python" \
  "$benchmarks/multiresolution.py" --smoke "$GLOPENCL_BUILD/tools/glopencl" \
  out 2>errors
result $? "the benchmark of the multiresolution filter runs"
[ "$(grep -c '^| 160x96 | [0-9.]* | [0-9.]* |' out/MULTIRESOLUTION.md)" = 2 ] \
  && grep -q '^| 64x64 | [0-9.]* | [0-9.]* |  |  |$' out/MULTIRESOLUTION.md
result $? "with both formats, and in the published form"

PYTHONDONTWRITEBYTECODE=1 within 120 "$python" "$benchmarks/gpu.py" --smoke \
  --tool "$GLOPENCL_BUILD/tools/glopencl" --plugin-path "$GLOPENCL_BUILD/gst" \
  --built "$GLOPENCL_BUILD/benchmarks" \
  --peer "$work/nothing" out 2>errors
result $? "the benchmark of GPUs runs without one"
grep -q '^- GLSL, compute: .* The same filter' out/GPU.md 2>>errors
result $? "the compute shader is the same filter"
grep -q '^- CUDA, compiled was not there: .' out/GPU.md
result $? "what is not there is named, and why"
awk -F ' *[|] *' '/^160x96:/ { table = 1 } /^!/ { table = 0 }
  table && $2 ~ /^[0-9]/ { print $2 "," $3 }' out/GPU.md >expected
shows out/gpu-kernels-96p.svg log this
result $? "gpu-kernels-96p.svg shows what the table has"
awk -F ' *[|] *' '/^[|] host-copy, EGL/ && NF == 8 {
  for (i = 3; i < NF; i++) print i - 3 "," $i }' out/GPU.md >expected
shows out/gpu-pipelines-96p.svg log host-copy-EGL
result $? "gpu-pipelines-96p.svg does, with every depth"
grep -q '^| sharpen, radius 3 | GRAY8 | [0-9.]* |$' out/GPU.md
result $? "other filters are in GPU.md"
grep -q '^| `shrink_rows` | 2 x, [0-9.]* |$' out/GPU.md
result $? "and the time of each kernel of the denoiser"
grep -q '^| `glopenclsharpen radius=2` | 1 | 0 | [0-9]* |$' out/GPU.md
result $? "and whether the ways of interop give the same bytes"
grep -q '^| two elements, host-copy | [0-9]* |$' out/GPU.md
result $? "so is the memory that starts and stops leave behind"
plan
