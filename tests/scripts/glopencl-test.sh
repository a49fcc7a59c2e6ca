#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The glopencl command on PoCL, with good and bad options:
# glopencl-test.sh GLOPENCL
#
# Prints TAP.
set -u

glopencl=$1
. "$(dirname "$0")/tap.sh"

# fails STATUS WORDS ARGUMENT...: at once, with a line that has WORDS, and
# without output.
fails () {
  status=$1 words=$2
  shift 2
  timeout 5 "$glopencl" "$@" >output 2>errors </dev/null
  [ $? = "$status" ] && grep -q -- "$words" errors && [ ! -s output ] \
    && ! grep -q CRITICAL errors
  result $? "glopencl $*: $(head -n 1 errors)"
}

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

"$glopencl" --help >output 2>errors && grep -q roofline output
result $? "the subcommands are listed"
for subcommand in devices operations bench tune roofline; do
  "$glopencl" "$subcommand" --help >output 2>errors \
    && grep -q "glopencl $subcommand" output && [ "$(wc -l <output)" -gt 8 ]
  result $? "$subcommand has a help"
done
"$glopencl" --version >output 2>errors && grep -qx 'glopencl [0-9.]*' output
result $? "there is a version: $(cat output)"

"$glopencl" operations >output 2>errors
result $? "operations are listed"
cp output listed
for operation in bilateral histogram histogram-overlay; do
  grep -q "^$operation: " output
  result $? "$operation is one of them"
done
# Options are made of the same tables.
"$glopencl" bench --help >help 2>errors
for parameter in spatial-sigma intensity-sigma radius color-mode window method \
    max-error border border-color; do
  grep -q "^    $parameter: .* default" output \
    && grep -q "^  --$parameter=LIST  *[A-Z]" help
  result $? "$parameter is a parameter, and an option"
done
for variant in plain rows tiled fast fast-tiled groups strips; do
  grep -q "^    $variant" output
  result $? "$variant is a variant"
done
grep -q '^    radius: an integer from -1 to 100; default -1$' output \
  && grep -q '^    window: one of square, disc; default square$' output \
  && grep -q '^      disc: ' output \
  && grep -q '^      ROWS: one of 1, 2, 4; default 4$' output
result $? "with what is legal"

"$glopencl" devices >output 2>errors
result $? "devices are listed"
head -n 1 output | grep -q '^device  *name  *platform  *type  *gl-sharing' \
  && grep -q '^0:0 .* cpu .* KiB$' output
result $? "with their columns"
drivers=${OCL_ICD_VENDORS:-}
export OCL_ICD_VENDORS="$work"
fails 1 "No OpenCL device was found" devices
fails 1 "No OpenCL device was found" bench
fails 1 "No OpenCL device was found" roofline
[ -z "$drivers" ] && unset OCL_ICD_VENDORS || export OCL_ICD_VENDORS="$drivers"
# Some versions of PoCL have no device then.
if ! POCL_CACHE_DIR=/proc/nothing "$glopencl" devices >output 2>errors; then
  grep -q 'is installed (.*Portable.*POCL_CACHE_DIR' errors
  result $? "names the driver that has no device: $(head -n 1 errors)"
fi

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

sed -n '/^formats: /,$p' listed | tr -d '\n' | sed 's/formats: //; s/ *//g' \
  >formats
grep -q '^RGBA,.*,I420,.*,P010_10LE' formats
result $? "formats are listed: $(cat formats)"
# One of each layout, where not all is to be tried.
[ "${GLOPENCL_TEST_ALL:-}" = 1 ] || echo RGBA,I420,P010_10LE,Y212_LE >formats
# Sides that no chroma sample's pixels divide.
"$glopencl" bench --sizes 17x5 --rounds 1 --radius 2 --storage buffer \
  --operation bilateral,histogram --variants plain,strips,auto \
  --format "$(cat formats)" --csv formats.csv >output 2>errors
result $? "a bench of all formats"
for format in $(tr ',' ' ' <formats); do
  [ "$(rows formats.csv format="$format" storage=buffer wall_ms=+ note=)" = 4 ]
  result $? "has rows of $format in buffers"
done
[ "$(rows formats.csv)" = $((4 * $(tr ',' '\n' <formats | grep -c .))) ]
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
"$glopencl" bench --sizes 16x16 --frame frame.rgba --rounds 1 --csv frame.csv \
  >output 2>errors
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
# The fastest of each, by the table.
fastest=$(python3 - <<'END'
import csv
rows = [row for row in csv.DictReader(open("roofline.csv", encoding="utf-8"))
        if row["operation"] == "gradient" and row["median_ms"]]
best = min(rows, key=lambda row: float(row["median_ms"]))
print("| gradient |", best["variant"], "|", best["storage"], "|")
END
)
cp page.md errors
grep -qF "$fastest" page.md && grep -q "^| exp2() | [0-9.]* |$" page.md \
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

kernels=$(cd "$scripts/../../kernels/examples" && pwd)
"$glopencl" kernel "$kernels/emboss.cl" --size 64x48 --rounds 2 \
  --arguments '<strength=2>' >output 2>errors
[ "$(grep -c '[0-9.]  *[0-9.]* *$' output)" -ge 3 ] && grep -q '^Fastest on ' output
result $? "kernel times every program, and names the fastest"
"$glopencl" kernel "$kernels/median.cl" --size 64x48 --rounds 1 --format NV12 \
  >output 2>errors
result $? "kernel takes video's formats"
# oclgrind is preloaded, and the sanitizers' runtime has to come first.
if command -v oclgrind >/dev/null && ! ldd "$glopencl" | grep -q libasan; then
  "$glopencl" kernel "$kernels/median.cl" --check >output 2>errors
  result $? "kernel --check finds nothing in a good kernel"
fi
printf 'Pixel filter (FRAME)\n{\n  return x;\n}\n' >broken.cl
fails 1 "broken.cl:3:10" kernel broken.cl --size 64x48
printf '%s\n' '#pragma glopencl scalar' 'Pixel filter (FRAME)' '{' \
  '  volatile int n = 1;' '  while (n);' '  return pixel (frame, 0, 0);' '}' >loop.cl
fails 1 "did not end within 2 s" kernel loop.cl --size 64x48 --time-limit 2
fails 2 "Name one kernel" kernel
fails 2 "No such file" kernel nowhere.cl
fails 2 "no argument size" kernel "$kernels/emboss.cl" --arguments '<size=2>'
fails 2 "not <NAME=NUMBER" kernel "$kernels/emboss.cl" --arguments strength=2
fails 2 "Choose another --format" kernel "$kernels/motion.cl" --format I420
fails 2 "no format X" kernel "$kernels/emboss.cl" --format X
fails 2 "rounds" kernel "$kernels/emboss.cl" --rounds 0

fails 2 "Usage"
fails 2 "no subcommand" nonsense
fails 2 "What is" devices nonsense
fails 2 "Unknown option" bench --nonsense
fails 1 "nonsense" bench --device nonsense
fails 1 "nonsense" roofline --device nonsense
fails 2 "one of bilateral, sharpen" bench --operation sepia
fails 2 "a size such as" bench --sizes 1280
fails 2 "a size such as" bench --sizes 0x10
fails 2 "a size such as" bench --sizes 10x10,
fails 2 "a size such as" bench --sizes ""
fails 2 '--radius: "-2" is not an integer from -1 to 100' bench --radius -2
fails 2 "an integer from -1 to 100" bench --radius 4,101
fails 2 "an integer from -1 to 100" bench --radius ""
fails 2 "an integer from -1 to 100" bench --radius 4.5
fails 2 "a number from 0 to 50" bench --spatial-sigma nan
fails 2 "a number from 0 to 10" bench --intensity-sigma -1
fails 2 "one of intensity" bench --color-mode rgb
fails 2 "one of square" bench --window round
fails 2 "one of square" bench --window disc,
fails 2 "none of these operations has it" bench --operation histogram --radius 4
fails 2 '--tuning: "COLUMNS" is not one of GROUP_WIDTH, ' bench \
  --tuning COLUMNS=2
fails 2 '"3" is not a ROWS, which is one of 1, 2, 4' bench --tuning ROWS=3
fails 2 "which is one of 16, 32" bench --tuning ROWS=2,GROUP_WIDTH=many
fails 2 '"ROWS" is not MACRO=VALUE' bench --tuning ROWS
fails 2 "none of these variants can be tuned" bench --operation bilateral \
  --tuning ROWS=2 --variants rows
fails 2 "one of buffer" bench --storage tape
fails 2 '--octaves: "17" is not an integer from 0 to 16' bench --octaves 17
fails 2 '--images: "0" is not an integer from 1 to 16' bench --images 0
fails 2 "neither --frame nor --lines" bench --octaves 2 --lines --sizes 8x8
fails 2 '--format: "I421" is not one of RGBA, BGRA.* NV12' bench --format I421
fails 2 '--format: "nv12" is not one of' bench --format RGBA,nv12
fails 2 '--format: "" is not one of' bench --format ""
fails 2 "one of auto" bench --variants nonsense
fails 1 "no operation has such a variant" bench --operation histogram \
  --variants rows
fails 2 "--rounds" bench --rounds 0
fails 2 "--rounds" roofline --rounds 0
fails 2 "--max-seconds" bench --max-seconds 0
fails 2 "--max-seconds" bench --max-seconds nan
fails 2 "one size" bench --frame frame.rgba --sizes 16x16,8x8
fails 2 "has 1024 bytes" bench --frame frame.rgba --sizes 16x17
fails 2 "missing.rgba" bench --frame missing.rgba
fails 2 "no CSV" bench --lines --csv out.csv
fails 1 "nowhere/out.csv cannot be written" bench --csv nowhere/out.csv
fails 1 "nowhere/out.csv cannot be written" roofline --csv nowhere/out.csv
fails 2 "a size such as" roofline --frame-size big
fails 2 "there is one" roofline --frame-size 8x8,9x9
fails 2 "a number from 0 to 50" roofline --spatial-sigma many
fails 2 "Unknown option" roofline --window disc
fails 2 "Unknown option" roofline --format I420
mkdir folder
fails 1 "folder cannot be written" bench --csv folder
"$glopencl" bench --sizes 8x8 --rounds 1 --variants serial --csv /dev/full \
  >output 2>errors
[ $? = 1 ] && grep -q '/dev/full cannot be written' errors && [ -c /dev/full ]
result $? "a full disk is an error"
echo old >kept.csv
ln -s kept.csv link.csv
(ulimit -f 0; trap '' XFSZ; exec "$glopencl" bench --sizes 8x8 --rounds 1 \
  --variants serial --csv link.csv 2>&1) | cat >errors
grep -q 'link.csv cannot be written' errors && [ "$(cat kept.csv)" = old ] \
  && [ "$(find . -name 'kept.csv?*')" = "" ]
result $? "what cannot be written whole leaves what was there"
"$glopencl" bench --sizes 8x8 --rounds 1 --variants serial --csv link.csv \
  >output 2>errors \
  && [ -L link.csv ] && grep -q '^device,operation' kept.csv
result $? "a link is followed"

# unwritten ARGUMENT...: where standard output is full, or closed.
unwritten () {
  "$glopencl" "$@" >/dev/full 2>errors </dev/null
  [ $? = 1 ] && grep -q 'standard output cannot be written' errors
  result $? "glopencl $*: a full output is an error"
  "$glopencl" "$@" >&- 2>errors </dev/null
  [ $? = 1 ] && grep -q 'standard output cannot be written' errors
  result $? "glopencl $*: a closed output is an error"
}
unwritten --help
unwritten --version
unwritten devices
unwritten operations
unwritten bench --help
unwritten bench --lines
unwritten bench --sizes 8x8 --rounds 1 --variants serial
unwritten bench --sizes 8x8 --rounds 1 --variants serial --csv -
unwritten roofline --frame-size 8x8 --rounds 1

plan
