#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The glopencl command on PoCL, with good and bad options:
# glopencl-test.sh GLOPENCL
#
# Prints TAP.
set -u

glopencl=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
n=0

result () {
  n=$((n + 1))
  if [ "$1" = 0 ]; then
    echo "ok $n $2"
  else
    echo "not ok $n $2"
    sed 's/^/# /' errors
  fi
}

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
for subcommand in devices bench roofline; do
  "$glopencl" "$subcommand" --help >output 2>errors \
    && grep -q "glopencl $subcommand" output && [ "$(wc -l <output)" -gt 8 ]
  result $? "$subcommand has a help"
done

"$glopencl" devices >output 2>errors
result $? "devices are listed"
head -n 1 output | grep -q '^device  *name  *platform  *type  *gl-sharing' \
  && grep -q '^0:0 .* cpu .* KiB$' output
result $? "with what tells them apart"
OCL_ICD_VENDORS=$work
export OCL_ICD_VENDORS
fails 1 "No OpenCL device was found" devices
fails 1 "No OpenCL device was found" bench
fails 1 "No OpenCL device was found" roofline
unset OCL_ICD_VENDORS

"$glopencl" bench --sizes 40x30,17x5 --radii 2,3 --modes intensity,lab \
  --windows square,disc --rounds 3 --csv bench.csv \
  --variants plain,rows,groups,bands,serial,openmp >output 2>errors
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
[ "$(rows bench.csv operation=histogram width=17 height=5 radius= mode=)" = 6 ]
result $? "has histograms"
[ "$(rows bench.csv width=40 height=30 radius=3 mode=lab window=disc)" = 6 ]
result $? "tells sizes, radii, modes and windows apart"
[ "$(head -n 1 bench.csv)" = "device,operation,variant,storage,width,height,\
radius,mode,window,rounds,median_ms,min_ms,wall_ms,note" ] && [ ! -s output ]
result $? "has these columns and no table"
[ "$(grep -c . bench.csv)" = 109 ]
result $? "has no other rows"

"$glopencl" bench --sizes 16x16 --rounds 1 --radii 2 --operation bilateral \
  --variants rows --storage buffer >output 2>errors
words='bilateral rows buffer 16 16 2 intensity square [0-9.]* [0-9.]* [0-9.]*'
[ "$(tr -s ' ' <output | grep -c "^$words\$")" = 1 ] && [ "$(wc -l <output)" = 3 ]
result $? "without --csv it is a table"
"$glopencl" bench --sizes 64x64 --rounds 1 --radii 8 --variants plain \
  --operation bilateral --patience 0.000001 --csv - >skipped.csv 2>errors
[ "$(rows skipped.csv rounds=0 median_ms=)" = 2 ] \
  && grep -q 'skipped: a frame would take' skipped.csv
result $? "what takes too long is skipped"

head -c $((16 * 16 * 4)) /dev/urandom >frame.rgba
"$glopencl" bench --sizes 16x16 --frame frame.rgba --rounds 1 --csv frame.csv \
  >output 2>errors
result $? "a frame is taken from a file"

printf '%s\n' 'bilateral rows buffer 4 disc intensity' \
  'bilateral serial buffer 2 square lab' 'histogram auto image' \
  | "$glopencl" bench --lines --sizes 32x20 >output 2>errors
result $? "lines are answered"
[ "$(grep -c '^[0-9]*\.[0-9]* [0-9]*\.[0-9]*$' output)" = 3 ] \
  && [ "$(wc -l <output)" = 4 ] && ! grep -q '^0.0000 0.0000$' output
result $? "after the device, with times"
for line in '' 'bilateral rows' 'bilateral rows buffer 0 disc intensity' \
  'bilateral rows disk 4 disc intensity' 'histogram rows buffer' \
  'bilateral rows buffer 4 intensity disc'; do
  echo "$line" | "$glopencl" bench --lines >output 2>errors
  [ $? = 1 ] && grep -q "\"$line\" is not a line such as" errors
  result $? "the line \"$line\" is none"
done

"$glopencl" roofline --size 48x32 --radii 2,3 --rounds 1 --csv roofline.csv \
  >output 2>errors
result $? "a roofline"
for variant in plain=4 rows=4 tiled=4 groups=2 bands=2; do
  [ "$(rows roofline.csv variant="${variant%=*}" fma_rate=+ arithmetic_rate=+ \
    exp_rate=+ exp2_rate=+ local_rate=+ cache_rate=+ frame_rate=+ \
    global_rate=+ atomic_rate=+ counter_rate=+ limit_ms=+ median_ms=+ min_ms=+ \
    note=)" = "${variant#*=}" ] && [ ! -s output ]
  result $? "has all limits of ${variant%=*}"
done
# 48 * 32 pixels of 25 taps, 5 lines and what a pixel has beside them.
[ "$(rows roofline.csv variant=rows radius=2 \
  arithmetic_count=$((48 * 32 * (25 * 18 + 5 * 4 + 14))) \
  frame_count=$((48 * 32 * 44)))" = 2 ]
result $? "counts as kernels/costs.h says"
python3 - roofline.csv 2>errors <<'END'
import csv
import sys

limits = ["fma", "arithmetic", "exp", "exp2", "local", "cache", "frame",
          "global", "atomic", "counter"]
for row in csv.DictReader(open(sys.argv[1], newline="")):
    times = {limit: float(row[limit + "_count"]) / float(row[limit + "_rate"])
             * 1000 for limit in limits}
    assert row["limit"] == max(times, key=times.get), row
    assert abs(float(row["limit_ms"]) - times[row["limit"]]) < 1e-4, row
    fraction = times[row["limit"]] / float(row["median_ms"])
    assert abs(float(row["fraction"]) - fraction) < 0.001 + fraction / 50, row
    # Limits of a single round are rough.
    assert 0 < fraction < 3, row
END
result $? "the fraction is of the tightest limit"
"$glopencl" roofline --size 48x32 --radii 2 --rounds 1 >output 2>errors
grep -q '^fma .*multiply-adds$' output \
  && [ "$(grep -c '^bilateral  *rows' output)" = 2 ]
result $? "without --csv it is tables"

fails 2 "Usage"
fails 2 "no subcommand" nonsense
fails 2 "What is" devices nonsense
fails 2 "Unknown option" bench --nonsense
fails 1 "nonsense" bench --device nonsense
fails 1 "nonsense" roofline --device nonsense
fails 2 "one of bilateral, histogram" bench --operation sharpen
fails 2 "a size such as" bench --sizes 1280
fails 2 "a size such as" bench --sizes 0x10
fails 2 "a size such as" bench --sizes 10x10,
fails 2 "a size such as" bench --sizes ""
fails 2 "an integer from 1 to 100" bench --radii 0
fails 2 "an integer from 1 to 100" bench --radii 4,101
fails 2 "one of intensity" bench --modes rgb
fails 2 "one of square" bench --windows round
fails 2 "one of buffer" bench --storage tape
fails 2 "one of auto" bench --variants nonsense
fails 1 "no operation has such a variant" bench --operation histogram \
  --variants rows
fails 2 "--rounds" bench --rounds 0
fails 2 "--rounds" roofline --rounds 0
fails 2 "--patience" bench --patience 0
fails 2 "--patience" bench --patience nan
fails 2 "one size" bench --frame frame.rgba --sizes 16x16,8x8
fails 2 "has 1024 bytes" bench --frame frame.rgba --sizes 16x17
fails 2 "missing.rgba" bench --frame missing.rgba
fails 2 "no CSV" bench --lines --csv out.csv
fails 1 "nowhere/out.csv cannot be written" bench --csv nowhere/out.csv
fails 1 "nowhere/out.csv cannot be written" roofline --csv nowhere/out.csv
fails 2 "a size such as" roofline --size big
fails 2 "there is one" roofline --size 8x8,9x9
fails 2 "an integer" roofline --radii many
"$glopencl" bench --sizes 8x8 --rounds 1 --csv /dev/full >output 2>errors
[ $? = 1 ] && grep -q 'cannot be written' errors
result $? "a full disk is told"

echo "1..$n"
