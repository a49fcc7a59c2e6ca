#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests measurements of the glopencl command on PoCL, and their output:
# glopencl-bench-test.sh GLOPENCL
#
# Prints TAP.
set -u

glopencl=$1
. "$(dirname "$0")/tap.sh"

# bench ARGUMENT...: with one round, of a small frame.
bench () {
  "$glopencl" bench --sizes 16x16 --rounds 1 "$@" >output 2>errors
}

# has_rows FILE: a case for each line COUNT|NAME|HEADING=VALUE,...: COUNT rows
# of a CSV have these values. A VALUE of + is any number above 0.
cat >rows.py <<'END'
import csv
import sys

number = int(sys.argv[1])
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
for line in sys.stdin:
    count, name, wanted = line.rstrip("\n").split("|")
    found = sum(not row.get(None) and all(
        float(row[key] or 0) > 0 if value == "+" else row[key] == value
        for key, value in (pair.split("=", 1) for pair in wanted.split(",")
                           if pair)) for row in rows)
    number += 1
    print("not " * (found != int(count)) + f"ok {number} {name}: {wanted}")
    if found != int(count):
        print("#", found, "rows")
END
has_rows () {
  cat >table
  python3 rows.py "$n" "$1" <table
  n=$((n + $(wc -l <table)))
}

"$glopencl" bench --sizes 40x30,17x5 --operation bilateral,histogram \
  --radius 2,3 --color-mode intensity,lab --window square,disc --rounds 3 \
  --csv bench.csv --variants plain,rows,groups,strips,serial,openmp \
  >output 2>errors
result $? "a bench of these variants"
openmp=18
grep -q 'built without OpenMP' bench.csv && openmp=0
# Two sizes, and the filter's radii, modes and windows.
every="operation=bilateral,rounds=3,median_ms=+,min_ms=+,wall_ms=+,note="
has_rows bench.csv <<END
16|every combination|$every,variant=plain,storage=buffer
16|every combination|$every,variant=plain,storage=image
16|every combination|$every,variant=rows,storage=buffer
16|every combination|$every,variant=rows,storage=image
16|plain C|operation=bilateral,variant=serial,storage=host,median_ms=+,note=
$openmp|OpenMP|variant=openmp,storage=host,wall_ms=+,note=
$((18 - openmp))|or that there is none|variant=openmp,rounds=0,median_ms=
6|histograms|operation=histogram,width=17,height=5,radius=,color-mode=,window=
6|a row for each|width=40,height=30,radius=3,color-mode=lab,window=disc
108|no other rows|
END
[ "$(head -n 1 bench.csv)" = "device,operation,variant,storage,format,width,\
height,radius,color-mode,window,rounds,median_ms,min_ms,wall_ms,note" ] \
  && [ ! -s output ] && [ "$(find . -name 'bench.csv?*')" = "" ]
result $? "these columns, no table, and no other file"

bench --radius 2 --operation bilateral --variants rows --storage buffer
words='bilateral rows buffer RGBA 16 16 2 [0-9.]* [0-9.]* [0-9.]*'
[ "$(tr -s ' ' <output | grep -c "^$words\$")" = 1 ] \
  && [ "$(wc -l <output)" = 3 ]
result $? "without --csv it is a table"
check "a bench of everything" bench --csv defaults.csv
[ "$(head -n 1 defaults.csv)" = "device,operation,variant,storage,format,width,\
height,spatial-sigma,radius,matrix,rounds,median_ms,min_ms,wall_ms,note" ]
result $? "has a column for what is swept"
plain="variant=plain,wall_ms=+,note="
has_rows defaults.csv <<END
2|each spatial sigma|$plain,operation=bilateral,spatial-sigma=2
2|each spatial sigma|$plain,operation=bilateral,spatial-sigma=4
2|each spatial sigma|$plain,operation=bilateral,spatial-sigma=8
2|the overlay of histograms|$plain,operation=histogram-overlay,spatial-sigma=
$(($(wc -l <defaults.csv) - 1))|RGBA|format=RGBA
0|nothing twice|variant=auto
END
bench --variants auto,fast,serial --operation bilateral --spatial-sigma 4,6 \
  --border clamp-to-edge,wrap --radius -1,0 --storage buffer --csv some.csv
other="rounds=0,note=skipped: this variant does not support these settings"
has_rows some.csv <<END
4|the variant that supports it|radius=-1,variant=auto,wall_ms=+,note=
2|the variant that supports it|radius=-1,variant=fast,spatial-sigma=6,wall_ms=+,note=
2|what is skipped|radius=-1,variant=fast,spatial-sigma=4,$other
2|what is skipped|radius=-1,variant=serial,border=wrap,$other
12|no change|radius=0,rounds=0,note=skipped: with these settings frames are unchanged
END
"$glopencl" bench --sizes 64x64 --rounds 1 --radius 8 --variants plain \
  --operation bilateral --max-seconds 0.000001 --csv - >skipped.csv 2>errors
has_rows skipped.csv <<END
2|what takes too long is skipped|rounds=0,median_ms=
END
check "and the reason is stated" grep -q 'skipped: a frame would take' skipped.csv

"$glopencl" operations | sed -n '/^formats: /,$p' | tr -d '\n' | sed 's/formats: //; s/ *//g' \
  >formats
grep -q '^RGBA,.*,I420,.*,P010_10LE' formats
result $? "formats are listed: $(cat formats)"
# Sides that no chroma sample's pixels divide.
"$glopencl" bench --sizes 17x5 --rounds 1 --radius 2 --storage buffer \
  --operation bilateral,histogram --variants auto \
  --format "$(cat formats)" --csv formats.csv >output 2>errors
result $? "a bench of all formats"
{
  { cat formats; echo; } | tr ',' '\n' | sed '/./!d; s/.*/2|each format|format=&,wall_ms=+,note=/'
  echo "$((2 * $(tr ',' '\n' <formats | grep -c .)))|no other rows|"
} >formats.table
has_rows formats.csv <formats.table
bench --operation bilateral --radius 2 --color-mode intensity,lab \
  --variants plain,serial --csv images.csv --format RGBA,I420,GRAY16_LE,Y212_LE
result $? "a bench of formats in every storage"
images=1
grep -q 'the device does not support images of I420' images.csv && images=0
none="variant=serial,rounds=0,note=skipped: plain C supports RGBA only"
lab="variant=plain,color-mode=lab,rounds=0,note=skipped: these settings do not support"
has_rows images.csv <<END
6|what can be|format=RGBA,wall_ms=+,note=
1|what can be|format=I420,color-mode=intensity,storage=buffer,wall_ms=+,note=
$images|images|format=I420,color-mode=intensity,storage=image,wall_ms=+,note=
1|images|format=I420,color-mode=intensity,storage=image
1|no images|format=GRAY16_LE,storage=image,color-mode=intensity,rounds=0,note=skipped: no kernel supports images of GRAY16_LE
1|no images|format=Y212_LE,storage=image,color-mode=intensity,rounds=0,note=skipped: no kernel supports images of Y212_LE
2|no plain C|format=I420,$none
2|no plain C|format=GRAY16_LE,$none
2|no plain C|format=Y212_LE,$none
2|no colours|format=I420,$lab I420
2|no colours|format=GRAY16_LE,$lab GRAY16_LE
2|no colours|format=Y212_LE,$lab Y212_LE
END
bench --operation bilateral --storage buffer --spatial-sigma 6,12 --variants fast \
  --format GRAY8,I420 --csv chroma.csv
has_rows chroma.csv <<END
2|a variant supports luma|format=GRAY8,wall_ms=+,note=
1|and must support chroma|format=I420,spatial-sigma=12,wall_ms=+,note=
1|and must support chroma|format=I420,spatial-sigma=6,$other
END

head -c $((16 * 16 * 4)) /dev/urandom >frame.rgba
bench --frame frame.rgba --operation gradient,denoise --csv frame.csv
result $? "a frame is taken from a file"
bench --frame frame.rgba --radius 2 --operation bilateral --variants plain \
  --format NV12 --csv frame.csv
has_rows frame.csv <<END
1|and converted|format=NV12,storage=buffer,wall_ms=+,note=
END
bench --radius 2 --variants tiled,rows --operation bilateral --storage buffer \
  --tuning ROWS=1,GROUP_WIDTH=16 --csv tuned.csv
has_rows tuned.csv <<END
2|variants are tuned|wall_ms=+,note=
END
G_MESSAGES_DEBUG=glopencl bench --radius 2 --operation bilateral \
  --variants tiled --tuning ROWS=1 --csv tuned.csv
grep -q 'build bilateral-tiled.cl: .*-D ROWS=1' output
result $? "which is what their kernels are built with"

printf '%s\n' 'bilateral rows buffer radius=4 window=disc spatial-sigma=2' \
  'bilateral rows buffer format=I420 radius=4' \
  'bilateral serial buffer radius=2 color-mode=lab' 'histogram auto image' \
  'bilateral auto buffer' 'histogram-overlay plain image' \
  | "$glopencl" bench --lines --sizes 32x20 >output 2>errors
result $? "lines are answered"
[ "$(grep -c '^[0-9]*\.[0-9]* [0-9]*\.[0-9]*$' output)" = 6 ] \
  && [ "$(wc -l <output)" = 7 ] && ! grep -q '^0.0000 0.0000$' output
result $? "after the device, with times"
while IFS='|' read -r line words; do
  echo "$line" | "$glopencl" bench --lines >output 2>errors
  [ $? = 1 ] && grep -q -- "\"$line\"$words" errors && [ "$(wc -l <output)" = 1 ]
  result $? "the line \"$line\" is none: $(head -n 1 errors)"
done <<'END'
| is not OPERATION VARIANT STORAGE
bilateral rows| is not OPERATION VARIANT STORAGE
sepia rows buffer|: "sepia" is not one of bilateral, sharpen, gradient, convolution
bilateral rows disk radius=4|: "disk" is not one of buffer, image
histogram rows buffer|: "rows" is not one of auto, groups, strips
histogram auto buffer radius=4|: "radius=4" is not a parameter
bilateral rows buffer radius|: "radius" is not a parameter
bilateral rows buffer radius=|: "radius=" is not an integer from -1
bilateral rows buffer window=lab|: "window=lab" is not one of square
bilateral rows buffer format=I421|: "I421" is not one of RGBA, BGRA
bilateral rows buffer format|: "format" is not a parameter
END
echo 'bilateral rows buffer radius=0' | "$glopencl" bench --lines >output \
  2>errors
[ $? = 1 ] && grep -q 'radius=0: with these settings frames are unchanged' errors
result $? "nor is one with nothing to do"

"$glopencl" bench --operation gradient,histogram --octaves 3 --images 2 \
  --sizes 40x30 --variants plain,rows,strips --rounds 1 --csv octaves.csv \
  >output 2>errors
result $? "a bench of pyramids"
float="operation=gradient,variant=plain,format=float,median_ms=+,note="
has_rows octaves.csv <<END
1|each storage|$float,storage=buffer
1|each storage|$float,storage=image
1|each storage|$float,storage=image-array
1|each storage|$float,storage=image-buffer
1|rows|operation=gradient,variant=rows,storage=buffer,median_ms=+,note=
1|not in images|variant=rows,storage=image,rounds=0,note=skipped: this variant supports buffers only
4|no histograms|operation=histogram,note=skipped: --octaves requires variants of filters
END

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
all="exp2_rate=+,frame_rate=+,limit_ms=+,median_ms=+,min_ms=+,note="
# 48 * 32 pixels of 25 taps.
taps="exp2_count=$((48 * 32 * 25)),frame_count=$((48 * 32 * 8))"
has_rows roofline.csv <<END
4|limits|$all,operation=bilateral,variant=plain
4|limits|$all,operation=bilateral,variant=rows
4|limits|$all,operation=bilateral,variant=tiled
4|limits|$all,operation=sharpen,variant=tiled
2|limits|$all,operation=gradient,variant=rows
2|limits|$all,operation=histogram,variant=groups
2|limits|$all,operation=histogram,variant=strips
2|exponentials|variant=tiled,spatial-sigma=1,operation=bilateral,$taps
2|none|variant=rows,spatial-sigma=1,operation=bilateral,exp2_count=0
2|bytes|variant=strips,frame_count=$((48 * 32 * 4))
END
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
  check "it has the limit $limit" grep -q "^$limit  *[0-9.]*  [a-z]" output
done
grep -q '^A launch of an empty kernel takes [0-9.]* us' output
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
