#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# What the glopencl command measures on PoCL, and how it shows it:
# glopencl-bench-test.sh GLOPENCL
#
# Prints TAP.
set -u

glopencl=$1
. "$(dirname "$0")/tap.sh"

# rows FILE HEADING=VALUE...: how many rows of a CSV have these values; a VALUE
# of + is any number above 0.
rows () {
  python3 - "$@" <<'END'
import csv
import sys

wanted = [argument.split("=") for argument in sys.argv[2:]]
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    reader = csv.DictReader(file, strict=True)
    print(sum(not row.get(None) and all(
        float(row[key] or 0) > 0 if value == "+" else row[key] == value
        for key, value in wanted) for row in reader))
END
}

"$glopencl" bench --sizes 40x30,17x5 --operation bilateral,histogram \
  --radius 2,3 --color-mode intensity,lab --window square,disc --rounds 3 \
  --csv bench.csv --variants plain,rows,groups,strips,serial,openmp \
  >output 2>errors
result $? "a bench of these variants"
# Two sizes, and the filter's radii, modes and windows.
for variant in plain rows; do
  for storage in buffer image; do
    [ "$(rows bench.csv operation=bilateral variant=$variant \
      storage=$storage rounds=3 median_ms=+ min_ms=+ wall_ms=+ note=)" = 16 ]
    result $? "has every combination of $variant in a $storage"
  done
done
[ "$(rows bench.csv operation=bilateral variant=serial storage=host \
  median_ms=+ note=)" = 16 ]
result $? "has plain C"
openmp=$(rows bench.csv variant=openmp storage=host wall_ms=+ note=)
skipped=$(rows bench.csv variant=openmp rounds=0 median_ms= \
  note="skipped: this glopencl was built without OpenMP")
[ $((openmp + skipped)) = 18 ]
result $? "has OpenMP, or says that it has not"
[ "$(rows bench.csv operation=histogram width=17 height=5 radius= \
  color-mode= window=)" = 6 ]
result $? "has histograms"
[ "$(rows bench.csv width=40 height=30 radius=3 color-mode=lab \
  window=disc)" = 6 ]
result $? "a row for each size, radius, mode and window"
[ "$(head -n 1 bench.csv)" = "device,operation,variant,storage,format,width,\
height,radius,color-mode,window,rounds,median_ms,min_ms,wall_ms,note" ] \
  && [ ! -s output ]
result $? "has these columns and no table"
[ "$(grep -c . bench.csv)" = 109 ]
result $? "has no other rows"
[ "$(find . -name 'bench.csv?*')" = "" ]
result $? "is the only file that is left"

"$glopencl" bench --sizes 16x16 --rounds 1 --radius 2 --operation bilateral \
  --variants rows --storage buffer >output 2>errors
words='bilateral rows buffer RGBA 16 16 2 [0-9.]* [0-9.]* [0-9.]*'
[ "$(tr -s ' ' <output | grep -c "^$words\$")" = 1 ] \
  && [ "$(wc -l <output)" = 3 ]
result $? "without --csv it is a table"
"$glopencl" bench --sizes 16x16 --rounds 1 --csv defaults.csv >output 2>errors
result $? "a bench of everything"
for sigma in 2 4 8; do
  [ "$(rows defaults.csv variant=plain operation=bilateral \
    spatial-sigma=$sigma wall_ms=+ note=)" = 2 ]
  result $? "has a spatial sigma of $sigma"
done
[ "$(head -n 1 defaults.csv)" = "device,operation,variant,storage,format,width,\
height,spatial-sigma,radius,matrix,rounds,median_ms,min_ms,wall_ms,note" ]
result $? "has a column for what is swept"
[ "$(rows defaults.csv operation=histogram-overlay variant=plain \
  spatial-sigma= wall_ms=+ note=)" = 2 ]
result $? "has the overlay of histograms"
[ "$(rows defaults.csv format=RGBA)" = "$(rows defaults.csv)" ]
result $? "is of RGBA"
[ "$(rows defaults.csv variant=auto)" = 0 ]
result $? "has nothing twice"
"$glopencl" bench --sizes 16x16 --rounds 1 --variants auto,fast,serial \
  --operation bilateral --spatial-sigma 4,6 --border clamp-to-edge,wrap \
  --radius -1,0 --storage buffer --csv some.csv >output 2>errors
[ "$(rows some.csv radius=-1 variant=auto wall_ms=+ note=)" = 4 ] \
  && [ "$(rows some.csv radius=-1 variant=fast spatial-sigma=6 wall_ms=+ \
    note=)" = 2 ] \
  && [ "$(rows some.csv radius=-1 variant=fast spatial-sigma=4 rounds=0 \
    note="skipped: this variant does not serve these settings")" = 2 ] \
  && [ "$(rows some.csv radius=-1 variant=serial border=wrap rounds=0 \
    note="skipped: this variant does not serve these settings")" = 2 ] \
  && [ "$(rows some.csv radius=0 rounds=0 \
    note="skipped: with these settings frames stay as they are")" = 12 ]
result $? "what a variant does not serve is skipped"
"$glopencl" bench --sizes 64x64 --rounds 1 --radius 8 --variants plain \
  --operation bilateral --max-seconds 0.000001 --csv - >skipped.csv 2>errors
[ "$(rows skipped.csv rounds=0 median_ms=)" = 2 ] \
  && grep -q 'skipped: a frame would take' skipped.csv
result $? "what takes too long is skipped"

"$glopencl" operations | sed -n '/^formats: /,$p' | tr -d '\n' | sed 's/formats: //; s/ *//g' \
  >formats
grep -q '^RGBA,.*,I420,.*,P010_10LE' formats
result $? "formats are listed: $(cat formats)"
# Sides that no chroma sample's pixels divide.
"$glopencl" bench --sizes 17x5 --rounds 1 --radius 2 --storage buffer \
  --operation bilateral,histogram --variants auto \
  --format "$(cat formats)" --csv formats.csv >output 2>errors
result $? "a bench of all formats"
for format in $(tr ',' ' ' <formats); do
  [ "$(rows formats.csv format="$format" storage=buffer wall_ms=+ note=)" = 2 ]
  result $? "has rows of $format in buffers"
done
[ "$(rows formats.csv)" = $((2 * $(tr ',' '\n' <formats | grep -c .))) ]
result $? "has no other rows"
"$glopencl" bench --sizes 16x16 --rounds 1 --operation bilateral --radius 2 \
  --color-mode intensity,lab --variants plain,serial --csv images.csv \
  --format RGBA,I420,GRAY16_LE,Y212_LE >output 2>errors
result $? "a bench of formats in every storage"
[ "$(rows images.csv format=RGBA wall_ms=+ note=)" = 6 ] \
  && [ "$(rows images.csv format=I420 color-mode=intensity storage=buffer \
    wall_ms=+ note=)" = 1 ]
result $? "has what can be"
images=$(rows images.csv format=I420 color-mode=intensity storage=image \
  wall_ms=+ note=)
skipped=$(rows images.csv format=I420 color-mode=intensity storage=image \
  rounds=0 note="skipped: the device has no images for I420")
[ $((images + skipped)) = 1 ]
result $? "has images of I420, or says that there are none"
for format in GRAY16_LE Y212_LE; do
  [ "$(rows images.csv format=$format storage=image color-mode=intensity \
    rounds=0 note="skipped: no kernel takes images of $format")" = 1 ]
  result $? "has no images of $format"
done
for format in I420 GRAY16_LE Y212_LE; do
  [ "$(rows images.csv format=$format variant=serial rounds=0 \
    note="skipped: plain C knows RGBA only")" = 2 ] \
    && [ "$(rows images.csv format=$format variant=plain color-mode=lab \
      rounds=0 note="skipped: these settings are not for $format")" = 2 ]
  result $? "skips what $format has not"
done
"$glopencl" bench --sizes 16x16 --rounds 1 --operation bilateral \
  --storage buffer --spatial-sigma 6,12 --variants fast --format GRAY8,I420 \
  --csv chroma.csv >output 2>errors
[ "$(rows chroma.csv format=GRAY8 wall_ms=+ note=)" = 2 ] \
  && [ "$(rows chroma.csv format=I420 spatial-sigma=12 wall_ms=+ note=)" = 1 ] \
  && [ "$(rows chroma.csv format=I420 spatial-sigma=6 rounds=0 \
    note="skipped: this variant does not serve these settings")" = 1 ]
result $? "a variant has to serve luma and chroma"

head -c $((16 * 16 * 4)) /dev/urandom >frame.rgba
"$glopencl" bench --sizes 16x16 --frame frame.rgba --rounds 1 \
  --operation gradient,denoise --csv frame.csv >output 2>errors
result $? "a frame is taken from a file"
"$glopencl" bench --sizes 16x16 --frame frame.rgba --rounds 1 --radius 2 \
  --operation bilateral --variants plain --format NV12 --csv frame.csv \
  >output 2>errors \
  && [ "$(rows frame.csv format=NV12 storage=buffer wall_ms=+ note=)" = 1 ]
result $? "and converted"

"$glopencl" bench --sizes 16x16 --rounds 1 --radius 2 --variants tiled,rows \
  --operation bilateral --storage buffer --tuning ROWS=1,GROUP_WIDTH=16 \
  --csv tuned.csv >output 2>errors \
  && [ "$(rows tuned.csv wall_ms=+ note=)" = 2 ]
result $? "a variant is tuned"
G_MESSAGES_DEBUG=glopencl "$glopencl" bench --sizes 16x16 --rounds 1 \
  --radius 2 --operation bilateral --variants tiled --tuning ROWS=1 \
  --csv tuned.csv >output 2>errors
grep -q 'build bilateral-tiled.cl: .*-D ROWS=1' output
result $? "which is what its kernels are built with"

printf '%s\n' 'bilateral rows buffer radius=4 window=disc spatial-sigma=2' \
  'bilateral rows buffer format=I420 radius=4' \
  'bilateral serial buffer radius=2 color-mode=lab' 'histogram auto image' \
  'bilateral auto buffer' 'histogram-overlay plain image' \
  | "$glopencl" bench --lines --sizes 32x20 >output 2>errors
result $? "lines are answered"
[ "$(grep -c '^[0-9]*\.[0-9]* [0-9]*\.[0-9]*$' output)" = 6 ] \
  && [ "$(wc -l <output)" = 7 ] && ! grep -q '^0.0000 0.0000$' output
result $? "after the device, with times"
# bad LINE WORDS: not a line, for these reasons.
bad () {
  echo "$1" | "$glopencl" bench --lines >output 2>errors
  [ $? = 1 ] && grep -q -- "\"$1\"$2" errors && [ "$(wc -l <output)" = 1 ]
  result $? "the line \"$1\" is none: $(head -n 1 errors)"
}
bad '' ' is not OPERATION VARIANT STORAGE'
bad 'bilateral rows' ' is not OPERATION VARIANT STORAGE'
bad 'sepia rows buffer' ': "sepia" is not one of bilateral, sharpen, gradient, convolution'
bad 'bilateral rows disk radius=4' ': "disk" is not one of buffer, image'
bad 'histogram rows buffer' ': "rows" is not one of auto, groups, strips'
bad 'histogram auto buffer radius=4' ': "radius=4" is not a parameter'
bad 'bilateral rows buffer radius' ': "radius" is not a parameter'
bad 'bilateral rows buffer radius=' ': "radius=" is not an integer from -1'
bad 'bilateral rows buffer window=lab' ': "window=lab" is not one of square'
bad 'bilateral rows buffer format=I421' ': "I421" is not one of RGBA, BGRA'
bad 'bilateral rows buffer format' ': "format" is not a parameter'
echo 'bilateral rows buffer radius=0' | "$glopencl" bench --lines >output \
  2>errors
[ $? = 1 ] && grep -q 'radius=0: with these settings frames stay' errors
result $? "nor is one with nothing to do"

"$glopencl" bench --operation gradient,histogram --octaves 3 --images 2 \
  --sizes 40x30 --variants plain,rows,strips --rounds 1 --csv octaves.csv \
  >output 2>errors
result $? "a bench of pyramids"
for storage in buffer image image-array image-buffer; do
  [ "$(rows octaves.csv operation=gradient variant=plain storage=$storage \
    format=float median_ms=+ note=)" = 1 ]
  result $? "in $storage"
done
[ "$(rows octaves.csv operation=gradient variant=rows storage=buffer \
  median_ms=+ note=)" = 1 ] \
  && [ "$(rows octaves.csv variant=rows storage=image rounds=0 \
    note="skipped: this variant takes buffers only")" = 1 ] \
  && [ "$(rows octaves.csv operation=histogram \
    note="skipped: octaves are for variants of filters")" = 4 ]
result $? "says what it cannot run on them"

"$glopencl" roofline --frame-size 48x32 --spatial-sigma 1,1.5 --rounds 1 \
  --csv roofline.csv --page page.md >output 2>errors
result $? "a roofline"
# The fastest, by the table, which rounds: there may be two.
python3 - >fastest <<'END'
import csv
rows = [row for row in csv.DictReader(open("roofline.csv", encoding="utf-8"))
        if row["operation"] == "gradient" and row["median_ms"]]
best = min(float(row["median_ms"]) for row in rows)
for row in rows:
    if float(row["median_ms"]) == best:
        print("| gradient |", row["variant"], "|", row["storage"], "|")
END
cp page.md errors
grep -qFf fastest page.md && grep -q "^| exp2() | [0-9.]* |$" page.md \
  && grep -q "^- Exponentials of 2: .* exp()\.$" page.md \
  && [ "$(grep -c '^# ' page.md)" = 1 ]
result $? "a page about the device"
for variant in bilateral/plain=4 bilateral/rows=4 bilateral/tiled=4 \
    sharpen/tiled=4 gradient/rows=2 histogram/groups=2 histogram/strips=2; do
  name=${variant%=*}
  [ "$(rows roofline.csv operation="${name%/*}" variant="${name#*/}" \
    exp2_rate=+ frame_rate=+ limit_ms=+ median_ms=+ min_ms=+ note=)" \
    = "${variant#*=}" ] && [ ! -s output ]
  result $? "has the limits of $name"
done
# 48 * 32 pixels of 25 taps.
[ "$(rows roofline.csv variant=tiled spatial-sigma=1 operation=bilateral \
  exp2_count=$((48 * 32 * 25)) frame_count=$((48 * 32 * 8)))" = 2 ] \
  && [ "$(rows roofline.csv variant=rows spatial-sigma=1 operation=bilateral \
    exp2_count=0)" = 2 ] \
  && [ "$(rows roofline.csv variant=strips frame_count=$((48 * 32 * 4)))" = 2 ]
result $? "counts exponentials and bytes"
python3 - roofline.csv 2>errors <<'END'
import csv
import sys

limits = ["exp2", "frame"]
for row in csv.DictReader(open(sys.argv[1], newline="")):
    if not row["median_ms"]:
        continue
    times = {limit: float(row[limit + "_count"]) / float(row[limit + "_rate"])
             * 1000 for limit in limits}
    assert row["limit"] == max(times, key=times.get), row
    assert abs(float(row["limit_ms"]) - times[row["limit"]]) < 1e-4, row
    fraction = times[row["limit"]] / float(row["median_ms"])
    rounding = 0.0001 / float(row["median_ms"])
    assert abs(float(row["fraction"]) - fraction) \
        < 0.001 + fraction * (1 / 50 + rounding), row
    # Limits of a single round on a busy machine are rough.
    assert 0 < fraction < 10, row
END
result $? "the fraction is of the tightest limit"
"$glopencl" roofline --frame-size 48x32 --spatial-sigma 1 --rounds 1 >output 2>errors
grep -q '^fma .*multiply-adds$' output \
  && [ "$(grep -c '^bilateral  *rows' output)" = 2 ]
result $? "without --csv it is tables"

for limit in native-exp2 copy-16 image upload-pinned; do
  grep -q "^$limit  *[0-9.]*  [a-z]" output
  result $? "it has the limit $limit"
done
grep -q '^A launch of a kernel that does nothing takes [0-9.]* us' output
result $? "and what a launch takes"
"$glopencl" devices --json - >devices.json 2>errors \
  && "$glopencl" bench --operation sharpen --sizes 32x16 --rounds 1 \
    --variants plain,nothing --json bench.json >output 2>>errors
[ $? = 2 ] && "$glopencl" bench --operation sharpen --sizes 32x16 --rounds 1 \
  --variants plain,expanded,tiled --json bench.json --csv bench.csv >output \
  2>errors && python3 - <<'END' 2>errors
import csv
import json

rows = json.load(open("bench.json", encoding="utf-8"))
table = list(csv.DictReader(open("bench.csv", newline="")))
assert len(rows) == len(table) > 1, rows
for row, cells in zip(rows, table):
    assert {name: "" if value is None else str(value)
            for name, value in row.items()}.keys() == cells.keys()
    assert float(cells["median_ms"]) == row["median_ms"], row
    assert row["width"] == 32 and row["variant"] == cells["variant"]
devices = json.load(open("devices.json", encoding="utf-8"))
assert devices[0]["device"] == "0:0" and devices[0]["compute units"] > 0
END
result $? "--json has what --csv has"

unwritten "$glopencl" roofline --frame-size 8x8 --rounds 1

plan
