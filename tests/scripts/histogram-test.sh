#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/histogram.sh and its histogramcsv on good and bad input:
# histogram-test.sh PIPELINES_FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

histogram=$1/histogram.sh
histogramcsv=$GLOPENCL_BUILD/pipelines/histogramcsv
export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst"
export GST_GL_WINDOW=egl-device
unset DISPLAY WAYLAND_DISPLAY
. "$(dirname "$0")/tap.sh"

# fails NAME WORDS ARGUMENT...: one line that has WORDS, and keep.* are kept.
fails () {
  name=$1 words=$2
  shift 2
  echo precious | tee keep.csv >keep.svg
  if within 60 "$histogram" --force "$@" >/dev/null 2>errors; then
    result 1 "$name fails"
    return
  fi
  grep -v '^Counting ' errors >lines
  [ "$(wc -l <lines)" = 1 ] && grep -q "$words" lines \
    && [ "$(cat keep.csv keep.svg | uniq -c | tr -d ' ')" = 2precious ] \
    && [ -z "$(find . -name '*.part')" ]
  result $? "$name: $(cat lines)"
}

# make_clip FILE FRAMES PROPERTIES: ten frames a second, without loss.
make_clip () {
  # shellcheck disable=SC2086
  gst-launch-1.0 -q videotestsrc num-buffers="$2" $3 \
    ! video/x-raw,format=RGB,width=64,height=48,framerate=10/1 ! pngenc \
    ! avimux ! filesink location="$1" 2>errors
}

find_python matplotlib

# One pixel of each grey from 100 to 199.
{
  echo "P3 10 10 255"
  seq 100 199 | sed 's/.*/& & &/'
} >grey.ppm
"$histogramcsv" grey.ppm >grey.csv 2>errors
result $? "a picture is counted"
cat >expected <<'END'
time,luma,luma_p1,luma_p10,luma_p25,luma_p50,luma_p75,luma_p90,luma_p99,red,green,blue
0.000000,149.50,100,109,124,149,174,189,198,149.50,149.50,149.50
END
diff expected grey.csv >errors
result $? "means and percentiles are right"

make_clip color.avi 40 "pattern=solid-color foreground-color=0xff4080c0"
"$histogramcsv" color.avi >color.csv 2>errors
result $? "a video is counted"
# Luma is 0.3 * 64 + 0.59 * 128 + 0.11 * 192.
awk 'NR > 1 { printf "%.6f,116.00,116,116,116,116,116,116,116,64.00,128.00,192.00\n",
  (NR - 2) / 10 } NR == 1' color.csv >expected
[ "$(wc -l <color.csv)" = 41 ] && diff expected color.csv >errors
result $? "there is a row for each frame"

"$histogramcsv" --counts color.avi >counts.csv 2>errors
awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
  NR > 1 && NF == 1025 && $column["red64"] == 3072 \
    && $column["green128"] == 3072 && $column["blue192"] == 3072 \
    && $column["luma116"] == 3072 { rows++ }
  END { exit rows != 40 }' counts.csv
result $? "all counts are written"

"$histogramcsv" --interval 1 color.avi >interval.csv 2>errors
[ "$(cut -d, -f1 interval.csv | tr '\n' ' ')" \
  = "time 0.000000 1.000000 2.000000 3.000000 " ]
result $? "there is a row for each interval"

# More messages than may wait, and a slow reader.
make_clip long.avi 1100 pattern=ball
"$histogramcsv" --counts long.avi 2>errors | { sleep 3 && wc -l >rows; }
check "no frame is lost" [ "$(cat rows)" = 1101 ]

"$histogramcsv" --filter "glopenclfilter window=nonsense" 2>errors
[ $? = 1 ] && grep -q nonsense errors
result $? "a filter that is none fails"
"$histogramcsv" --filter "glopenclfilter spatial-sigma=3 intensity-sigma=9" grey.ppm \
  >filtered.csv 2>errors
[ "$(wc -l <filtered.csv)" = 2 ] && ! cmp -s grey.csv filtered.csv
result $? "the filter is used"
"$histogramcsv" >/dev/full 2>errors
[ $? = 1 ] && grep -q 'cannot be written' errors
result $? "a full disk is an error"
"$histogramcsv" 2>errors | wc -l >rows
check "a test picture is taken without an input" [ "$(cat rows)" = 101 ]

within 120 "$histogram" --csv >errors 2>&1
result $? "without an input a clip is made and charted"
[ "$(wc -l <noisy-histogram.csv)" = 251 ]
result $? "there is a row for each frame of the clip"
for text in "Histograms of noisy.mkv" luma: "25–75 %" median "mean blue" \
    "time in seconds"; do
  grep -q ">$text<" noisy-histogram.svg
  result $? "it says: $text"
done

mkdir "a folder"
odd=$(printf -- '-odd \\ $\\x_<na>$&me \377.avi')
cp color.avi "./$odd"
within 60 "$histogram" --csv "$odd" 'a folder/-re sult.csv' >/dev/null 2>errors
result $? "names may have anything in them"
cmp 'a folder/-re sult.csv' color.csv >errors 2>&1 \
  && grep -qF 'odd \ $\x_&lt;na&gt;$&amp;me �.avi<' 'a folder/-re sult.svg' \
  && [ -z "$(find . -name '*.part')" ]
result $? "nothing else is left behind"
within 60 "$histogram" --csv \
  --filter "glopenclfilter spatial-sigma=3 intensity-sigma=9" grey.ppm \
  from-script.csv >/dev/null 2>errors
cmp from-script.csv filtered.csv >>errors 2>&1
result $? "--filter is used"
for band in 3,9 4,8 5,7; do
  tail -n 1 from-script.csv | cut -d , -f $band >expected
  id=$(head -n 1 from-script.csv | cut -d , -f ${band%,*})
  check "the chart has a band from $id on" shows from-script.svg span "$id"
done

LC_ALL=C awk 'BEGIN {
  for (i = 0; i < 60; i++)
    for (pixel = 0; pixel < 64 * 48; pixel++)
      printf "%c%c%c", 40 + 3 * i, 240 - 3 * i, 60 + i % 7 * 20 }' >changing.rgb
gst-launch-1.0 -q filesrc location=changing.rgb \
  ! rawvideoparse format=rgb width=64 height=48 framerate=10/1 ! pngenc ! avimux \
  ! filesink location=changing.avi 2>errors
within 60 "$histogram" --force --csv changing.avi changing.csv >/dev/null 2>errors
result $? "a video is charted"
for line in 6:#000000 10:#d62728 11:#2ca02c 12:#1f77b4; do
  column=${line%:*}
  # The last frame lasts until the end.
  awk -F, -v column="$column" '
    NR > 1 && $1 == int($1) { print int($1) "," $column }
    END { print "6," $column }' changing.csv >expected
  id=$(head -n 1 changing.csv | cut -d , -f "$column")
  shows changing.svg line "$id" && sed -n "/id=\"$id\"/,/<\/g>/p" changing.svg \
    | grep -q "stroke: ${line#*:}"
  result $? "the chart shows $id over time, in its colour"
done
cp changing.svg first.svg
within 60 "$histogram" --force --csv changing.avi changing.csv >/dev/null 2>errors
cmp first.svg changing.svg >>errors 2>&1
result $? "the same numbers give the same chart"

head -c 10000 long.avi >cut.avi
head -c $(($(wc -c <noisy.mkv) / 3)) noisy.mkv >cut.mkv
: >empty.mkv
echo "no video" >text.mkv
mkdir "a folder/x.csv" y.svg
gst-launch-1.0 -q audiotestsrc num-buffers=50 ! vorbisenc ! oggmux \
  ! filesink location=sound.ogg 2>errors

fails "a missing file" "no such file" --csv missing.mkv keep.csv
fails "an empty file" "empty" --csv empty.mkv keep.csv
fails "a text" "cannot decode" --csv text.mkv keep.csv
fails "sound alone" "no video" --csv sound.ogg keep.csv
fails "a truncated AVI" "truncated" --csv cut.avi keep.csv
gst-launch-1.0 -q videotestsrc num-buffers=10 \
  ! video/x-raw,width=64,height=48,framerate=10/1 ! x264enc ! matroskamux \
  name=mux ! filesink location=long.mkv audiotestsrc num-buffers=430 \
  ! audioconvert ! opusenc ! mux. 2>errors
"$histogram" --csv long.mkv long.csv >/dev/null 2>errors
check "sound that is longer than the picture" [ "$(wc -l <long.csv)" = 11 ]

fails "a truncated Matroska" "ends after" --csv cut.mkv keep.csv
fails "another kind of file" "must be a .csv" --csv color.avi out.txt
fails "an output that is a folder" "is a folder" --csv color.avi "a folder/x.csv"
fails "a chart that is a folder" "is a folder" --csv color.avi y.csv
fails "an output nowhere" "not writable" --csv color.avi nowhere/out.csv
fails "three files" "usage" --csv color.avi a.csv b.csv
fails "two files for a window" "usage" color.avi keep.csv
fails "no display" "no display" color.avi
mkdir without
echo 'raise ImportError' >without/matplotlib.py
export PYTHONPATH="$work/without"
fails "no matplotlib" "import matplotlib" --csv color.avi keep.csv
! grep -q '^Counting ' errors
result $? "it is missed before the work begins"
unset PYTHONPATH
fails "a filter that is none" "nonsense" --filter "glopenclfilter nonsense=1" \
  --csv color.avi keep.csv
fails "a filter without elements" "usage" --csv color.avi keep.csv --filter
echo precious >keep.csv
rm -f keep.svg
"$histogram" --csv color.avi keep.csv >/dev/null 2>errors </dev/null
[ $? = 1 ] && grep -q 'keep.csv: already exists. Use --force to replace it' errors \
  && [ "$(cat keep.csv)" = precious ]
result $? "what is there is not replaced"
"$histogram" --help >errors 2>&1 && grep -q -e '--filter ELEMENTS' errors
result $? "--help lists the options"
"$(dirname "$histogram")/live.sh" --help >errors 2>&1 \
  && grep -q -e '--filter ELEMENTS' errors
result $? "live.sh --help, too"

plan
