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

refuses "$compiler" <<END
2|usage: |
2|usage: |cpu histogram-overlay.cl
1|No OpenCL device is named "no-device"|no-device
END

# prints WORDS: whether the output has these lines.
prints () {
  [ "$(tr '\n' ' ' <output)" = "$1 " ]
}

# fails MESSAGE LINE: the compiler fails for LINE, as printf prints it.
fails () {
  printf "$2\n" | "$compiler" cpu >output 2>errors && grep -q "$1" errors \
    && prints "ready failed"
  result $? "failed: $2"
}
fails "no source with this checksum" 'noise-groups.cl\t0000\t'
fails "no source with this checksum" 'no-source.cl\t0000\t'
fails "PASS" 'noise-groups.cl\t0000'
fails "PASS" ''
fails "no pass" '0 0 0 NO 0 64 48 0 0 0 0 0 0 denoise'
fails "no pass" '0 0 0 I420 99 64 48 0 0 0 0 0 0 denoise'
fails "no pass" '0 0 0 I420 0 64 -1 0 0 0 0 0 0 denoise'
fails "no pass 9" '9 0 0 I420 0 64 48 0 0 0 0 0 0 denoise'
fails "histogram" '0 0 0 I420 0 64 48 0 0 0 0 0 0 histogram'

# Keeps what the compiler gets and prints.
cat >wrapper <<END
#!/bin/sh
tee -a '$work/tasks' | "$compiler" "\$@" | tee -a '$work/lines'
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
    && grep -q "other processes that compile: [1-9]" errors
  result $? "an element starts it"
  for _ in $(seq "$(scale 100)"); do
    [ "$(grep -c done lines)" = "$(wc -l <tasks)" ] && break
    sleep 0.1
  done
  ! grep -q failed lines && [ "$(grep -c done lines)" = "$(wc -l <tasks)" ]
  result $? "it compiles all programs"
  [ "$(wc -l <cache/gst-glopencl/compiled)" -gt "$(grep -c '\.cl' tasks)" ]
  result $? "the programs are listed"
  # A program that no format changes, with the checksum of its source.
  checksum=$(python3 -B - "$(dirname "$0")/../../kernels" <<END
import hashlib, pathlib, sys
sys.path.insert(0, sys.argv[1])
import embed
lines = embed.code(pathlib.Path(sys.argv[1]) / "noise-groups.cl")
print(hashlib.sha1("".join(line + "\n" for line in lines).encode()).hexdigest())
END
)
  printf 'noise-groups.cl\t%s\t-D COUNT_GROUP=1\n' "$checksum" >task
  printf 'noise-groups.cl\t%s\tnothing\n' "$checksum" >wrong
  "$compiler" cpu <wrong >output 2>errors
  prints "ready failed" && grep -q "cannot build the kernel" errors
  result $? "a program that the driver refuses"
  rm -rf cache/*
  "$compiler" cpu <task >output 2>errors && prints "ready done" \
    && [ -z "$(find cache -name '*.so')" ]
  result $? "a program without kernels"
  echo "0 0 0 GRAY8 0 64 48 0 0 0 0 0 0 sharpen" >task
  "$compiler" cpu <task >output 2>errors && prints "ready done" \
    && [ -n "$(find cache -name '*.so')" ]
  result $? "the kernels of a pass"
fi
GLOPENCL_COMPILER="$work/missing" launch without \
  && ! grep -q "other processes" errors && [ -s without ]
result $? "an element does without it"
[ "$(nproc)" -lt 2 ] || cmp with without >errors 2>&1
result $? "the frames are the same"
plan
