#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests glopencl-compiler with good and bad arguments, and an element that
# starts it: compiler-test.sh COMPILER
#
# Prints TAP. PoCL has an empty cache.
set -u

compiler=$1
. "$(dirname "$0")/tap.sh"
export POCL_CACHE_DIR="$work/cache" XDG_CACHE_HOME="$work/cache"
mkdir cache

refuses <<END
2|usage: |$compiler
2|usage: |$compiler cpu histogram-overlay.cl -DA
1|No OpenCL device is named "no-device"|$compiler no-device
END
"$compiler" cpu noise-groups.cl 0000 "" no-source.cl 0000 "" >output 2>errors
[ $? = 0 ] && [ "$(tr '\n' ' ' <output)" = "failed failed " ] \
  && [ "$(grep -c ": no source with this checksum" errors)" = 2 ]
result $? "sources are compared"

# Keeps what the compiler gets and prints.
cat >wrapper <<END
#!/bin/sh
printf '%s\n' "\$@" >'$work/arguments'
"$compiler" "\$@" | tee '$work/lines'
END
chmod +x wrapper

# launch FILE: frames of the denoiser with an empty cache, and its log in $log.
launch () {
  rm -rf cache
  mkdir cache
  GST_DEBUG=glopencl:5 GST_DEBUG_NO_COLOR=1 GST_DEBUG_FILE="$work/$log" \
    gst-launch-1.0 -q videotestsrc num-buffers=3 pattern=snow \
    ! video/x-raw,format=I420,width=64,height=48 ! glupload \
    ! glopencldenoise interop=host-copy ! gldownload \
    ! filesink location="$1" </dev/null
}

if [ "$(nproc)" -lt 2 ]; then
  n=$((n + 1))
  echo "ok $n an element starts it # SKIP one processor"
else
  GLOPENCL_COMPILER="$work/wrapper" launch with && [ -s with ] \
    && grep -q "compiling [1-9][0-9]* programs in 1 processes" errors
  result $? "an element starts it"
  [ "$(sort -u lines)" = "done" ] && [ "$(wc -l <lines)" \
    = "$(grep -c '\.cl$' arguments)" ] && cp lines errors
  result $? "it compiles all programs"
  [ "$(wc -l <cache/gst-glopencl/compiled)" = "$(wc -l <lines)" ]
  result $? "the programs are listed"
  { read -r device && read -r name && read -r sum; } <arguments
  G_MESSAGES_DEBUG=all "$compiler" "$device" "$name" "$sum" "nothing" \
    >output 2>errors
  [ "$(cat output)" = failed ] && grep -q "cannot build the kernel" errors
  result $? "a program that the driver refuses"
fi
GLOPENCL_COMPILER="$work/missing" launch without \
  && ! grep -q "programs in" errors && [ -s without ]
result $? "an element does without it"
[ "$(nproc)" -lt 2 ] || cmp with without >errors 2>&1
result $? "the frames are the same"
plan
