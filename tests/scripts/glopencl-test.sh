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
  within 5 "$glopencl" "$@" >output 2>errors </dev/null
  [ $? = "$status" ] && grep -q -- "$words" errors && [ ! -s output ] \
    && ! grep -q CRITICAL errors
  result $? "glopencl $*: $(head -n 1 errors)"
}

"$glopencl" --help >output 2>errors && grep -q roofline output
result $? "the subcommands are listed"
for subcommand in devices operations check bench tune roofline; do
  "$glopencl" "$subcommand" --help >output 2>errors \
    && grep -q "glopencl $subcommand" output && [ "$(wc -l <output)" -gt 8 ]
  result $? "$subcommand has a help"
done
"$glopencl" --version >output 2>errors && grep -qx 'glopencl [0-9.]*\(-dev\)\{0,1\}' output
result $? "there is a version: $(cat output)"

"$glopencl" operations >output 2>errors
result $? "operations are listed"
for operation in bilateral histogram histogram-overlay; do
  grep -q "^$operation: " output
  result $? "$operation is one of them"
done
# Options are made of the same tables.
"$glopencl" bench --help >help 2>errors
for parameter in spatial-sigma intensity-sigma radius color-mode window method \
    max-error border border-color; do
  grep -q "^    $parameter: [a-z<]" output \
    && grep -q "^  --$parameter=LIST  *[A-Z]" help
  result $? "$parameter is a parameter, and an option"
done
for subcommand in bench tune roofline; do
  "$glopencl" "$subcommand" --help 2>errors | grep -o '^  --[a-z-]*' | sort \
    | uniq -d >twice
  [ ! -s twice ]
  result $? "no option of $subcommand is there twice: $(cat twice)"
done
for variant in plain rows tiled fast fast-tiled groups strips; do
  grep -q "^    $variant" output
  result $? "$variant is a variant"
done
grep -q '^    radius: an integer from -1 to 100 (default: -1)$' output \
  && grep -q '^    window: one of square, disc (default: square)$' output \
  && grep -q '^      disc: ' output \
  && grep -q '^      ROWS: one of 1, 2, 4 (default: 4)$' output
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

kernels=$(cd "$scripts/../../kernels/examples" && pwd)
"$glopencl" kernel "$kernels/emboss.cl" --size 64x48 --rounds 2 \
  --arguments '<strength=2>' >output 2>errors
[ "$(grep -c '[0-9.]  *[0-9.]* *$' output)" -ge 3 ] && grep -q '^Fastest on ' output
result $? "kernel times every program, and names the fastest"
"$glopencl" kernel "$kernels/median.cl" --size 64x48 --rounds 1 --format NV12 \
  >output 2>errors
result $? "kernel takes video's formats"
if command -v oclgrind >/dev/null; then
  "$glopencl" kernel "$kernels/median.cl" --check \
    --time-limit "$(scale 60)" >output 2>errors
  result $? "kernel --check finds nothing in a good kernel"
fi
printf 'Pixel filter (FRAME)\n{\n  return x;\n}\n' >broken.cl
fails 1 "broken.cl:3:10" kernel broken.cl --size 64x48
printf 'Pixel filter (FRAME)\n{\n  Pixel p = pixel (frame, 0, 0);\n  %s\n%s\n' \
  'if (p.r > 0.5f) p.r = 1.0f;' '  return p;}' >branches.cl
"$glopencl" kernel branches.cl --size 64x48 --rounds 1 >output 2>errors
[ $? = 1 ] && grep -q '^Fastest on ' output \
  && grep -q 'rows: .*write a < b ? x : y instead of if' errors
result $? "a program that is not built is an error, and says what to write"
sed '1i #pragma glopencl scalar' branches.cl >scalar.cl
"$glopencl" kernel scalar.cl --size 64x48 --rounds 1 >output 2>errors
result $? "a kernel that branches works, if it says so"
sed 's/if .*/float w = exp (-1 \/ 2.0f) * exp2 (0.5f) * sqrt (2.0f) * fabs (-1.0f) \
  * falloff (1.0f) * falloff2 (1.0f) * pow (2.0f, 3.0f); p.r *= w;/' \
  branches.cl >numbers.cl
"$glopencl" kernel numbers.cl --size 64x48 --rounds 1 >output 2>errors
result $? "functions of a number work in every program: $(head -n 1 errors)"
for arguments in 'write_only image2d_t b, unsigned int i' \
  'write_only image2d_t b, unsigned int i, read_only image2d_t a, float c' \
  'read_only image2d_t a, write_only image2d_t b, unsigned int i'; do
  echo "kernel void mix ($arguments) { }" >mix.cl
  "$glopencl" kernel mix.cl --size 64x48 --rounds 1 >output 2>errors
  [ $? = 1 ] && grep -q 'Write kernel void mix (write_only' errors
  result $? "other arguments are refused: $arguments"
done
printf '%s\n' '#pragma glopencl scalar' 'Pixel filter (FRAME)' '{' \
  '  volatile int n = 1;' '  while (n);' '  return pixel (frame, 0, 0);' '}' >loop.cl
fails 1 "did not finish within 2 s" kernel loop.cl --size 64x48 --time-limit 2
fails 2 "Pass one kernel" kernel
fails 2 "No such file" kernel nowhere.cl
fails 2 "no argument size" kernel "$kernels/emboss.cl" --arguments '<size=2>'
fails 2 "not <NAME=NUMBER" kernel "$kernels/emboss.cl" --arguments strength=2
fails 2 "Choose another --format" kernel "$kernels/motion.cl" --format I420
fails 2 "no format X" kernel "$kernels/emboss.cl" --format X
fails 2 "rounds" kernel "$kernels/emboss.cl" --rounds 0

fails 2 "Usage"
fails 2 "no subcommand" nonsense
fails 2 "Unexpected argument" devices nonsense
fails 2 "the names of operations" check --operation nonsense
fails 2 "the names of variants" check --variants nonsense
fails 2 "the names of formats" check --formats nonsense
fails 1 "No OpenCL device is named" check --device nonsense
"$glopencl" check --operation gradient --formats GRAY8 --random 1 --seed 5 \
  >output 2>errors && "$glopencl" check --operation gradient --formats GRAY8 \
  --random 1 --seed 5 >again 2>errors \
  && grep -q '^gradient  *rows  *buffer  *[0-9]* *0\.[0-9]* ' output \
  && grep -q ', 0 wrong, ' output \
  && [ "$(sed 's/ *[0-9.]* s  / /' output)" = "$(sed 's/ *[0-9.]* s  / /' again)" ]
result $? "kernels are checked, with the same runs for one seed"
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
fails 2 "not a parameter of these operations" bench --operation histogram --radius 4
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
fails 2 "cannot be combined with --frame or --lines" bench --octaves 2 --lines --sizes 8x8
fails 2 '--format: "I421" is not one of RGBA, BGRA.* NV12' bench --format I421
fails 2 '--format: "nv12" is not one of' bench --format RGBA,nv12
fails 2 '--format: "" is not one of' bench --format ""
fails 2 "one of auto" bench --variants nonsense
fails 1 "no operation has this variant" bench --operation histogram \
  --variants rows
fails 2 "--rounds" bench --rounds 0
fails 2 "--rounds" roofline --rounds 0
fails 2 "--max-seconds" bench --max-seconds 0
fails 2 "--max-seconds" bench --max-seconds nan
head -c 1024 /dev/zero >frame.rgba
fails 2 "one size" bench --frame frame.rgba --sizes 16x16,8x8
fails 2 "has 1024 bytes" bench --frame frame.rgba --sizes 16x17
fails 2 "missing.rgba" bench --frame missing.rgba
fails 2 "does not support CSV" bench --lines --csv out.csv
fails 1 "nowhere/out.csv cannot be written" bench --csv nowhere/out.csv
fails 1 "nowhere/out.csv cannot be written" roofline --csv nowhere/out.csv
fails 2 "a size such as" roofline --frame-size big
fails 2 "expected one size" roofline --frame-size 8x8,9x9
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
chmod 662 kept.csv
ln -s kept.csv link.csv
# LLVM's OpenMP has a file of 1 KiB.
(ulimit -f 2; trap '' XFSZ; exec "$glopencl" bench --sizes 8x8,9x9,9x8,8x9 \
  --rounds 1 --variants serial --csv link.csv 2>&1) | cat >errors
grep -q 'link.csv cannot be written' errors && [ "$(cat kept.csv)" = old ] \
  && [ "$(find . -name 'kept.csv?*')" = "" ]
result $? "what cannot be written whole leaves what was there"
"$glopencl" bench --sizes 8x8 --rounds 1 --variants serial --csv link.csv \
  >output 2>errors \
  && [ -L link.csv ] && grep -q '^device,operation' kept.csv \
  && [ "$(stat -c %a kept.csv)" = 662 ]
result $? "a link is followed, and the file keeps its mode"

unwritten "$glopencl" --help
unwritten "$glopencl" --version
unwritten "$glopencl" devices
unwritten "$glopencl" operations
unwritten "$glopencl" bench --help
unwritten "$glopencl" bench --lines
unwritten "$glopencl" bench --sizes 8x8 --rounds 1 --variants serial
unwritten "$glopencl" bench --sizes 8x8 --rounds 1 --variants serial --csv -

plan
