#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# exposure.py on known pictures: exposure-test.sh PYTHON EXPOSURE.PY
#
# Prints TAP.
set -u

python=$1
exposure=$2
. "$(dirname "$0")/../scripts/tap.sh"
log=output

# check_color NAME ARGB: two seconds of it.
check_color () {
  gst-launch-1.0 -q videotestsrc num-buffers=20 pattern=solid-color \
    foreground-color="$2" \
    ! video/x-raw,format=RGB,width=64,height=48,framerate=10/1 ! pngenc \
    ! avimux ! filesink location="$1.avi" >output 2>&1
  within 30 "$python" "$exposure" "$1.avi" >output 2>&1
}

check_color white 0xffffffff
result $? "a file is played to its end"
[ "$(wc -l <output)" -ge 7 ] && [ "$(wc -l <output)" -le 8 ]
result $? "there are four lines a second"
grep -q 'mean 255.0 .* white R 100.0% .*CLIPPED: RGB to white$' output
result $? "white is warned of"

# Luma is 0.3 * 64 + 0.59 * 128 + 0.11 * 192.
check_color color 0xff4080c0
grep -q '0.00 s  mean 116.0  1 % 116  50 % 116  99 % 116  black R   0.0%' output
result $? "the numbers are right"
! grep -q CLIPPED output
result $? "an even colour is not warned of"

check_color cyan 0xff00ffff
grep -q 'CLIPPED: R to black, GB to white$' output
result $? "each channel is warned of"

timeout --preserve-status -k "$(scale 5)" -s INT "$(scale 3)" "$python" "$exposure" >output 2>&1
result $? "Ctrl+C ends it"
[ "$(wc -l <output)" -ge 2 ] && ! grep -v '^ .* s  mean .* white ' output
result $? "a test picture is taken without an input"

within 30 "$python" "$exposure" missing.avi >output 2>&1
[ $? = 1 ] && grep -q 'not found' output
result $? "errors are printed"

plan
