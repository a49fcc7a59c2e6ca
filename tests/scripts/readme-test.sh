#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the blocks of the README as they are printed, each in a shell of its own
# that has nothing but PATH, HOME and a display: readme-test.sh SOURCES BUILD
#
# Prints TAP. The blocks run in a copy of the tree whose folder "build" is BUILD.
# What they need of the machine is replaced: sudo installs nothing, but says
# whether Debian has the packages; a camera is a test picture; films are there;
# tests/run.sh only has to be there.
set -u

sources=$1 build=$2
. "$(dirname "$0")/tap.sh"
start_display
if [ -z "$display" ]; then
  echo "1..0 # SKIP no Xvfb"
  exit 0
fi
mkdir home bin tree
for name in "$sources"/* "$sources"/.git; do
  case $(basename "$name") in
    build*) ;;
    *) ln -s "$name" tree ;;
  esac
done
ln -s "$build" tree/build
gst-launch-1.0 -q videotestsrc num-buffers=10 ! video/x-raw,format=I420 \
  ! jpegenc ! avimux ! filesink location=tree/video.mp4
cp tree/video.mp4 tree/film.mkv

cat >bin/sudo <<'END'
#!/bin/sh
case $1 in
  apt-get)
    shift 2
    exec apt-get --simulate install "$@" ;;
  ninja) DESTDIR=$HOME/root exec "$@" ;;
  *) exit 1 ;;
esac
END
chmod +x bin/sudo

# A driver keeps what it has built.
cache=${POCL_CACHE_DIR:-$HOME/.cache/pocl/kcache}

# Writes each block into a file of its own: block1, block2, ...
awk '/^```sh$/ { n++; next } /^```$/ { inside = 0; next }
  { if (n > last) { last = n; inside = 1 } }
  inside { print > ("block" n) }' "$sources/README.md"

# PoCL takes longer to optimise the kernels of a block than these take for its few
# frames, but for the 250 of the first block.
flags=
number=1
while [ -f "block$number" ]; do
  sed -e 's|^tests/run.sh$|test -x tests/run.sh|' \
    -e 's|v4l2src|videotestsrc num-buffers=5|' "block$number" >block
  # Folders are linked, but a script's own place is the sources.
  (cd tree && within 280 env -i PATH="$work/bin:/usr/local/bin:/usr/bin:/bin" \
    HOME="$work/home" DISPLAY="$display" LANG=C.UTF-8 GLOPENCL_BUILD="$build" \
    POCL_CACHE_DIR="$cache" POCL_EXTRA_BUILD_FLAGS="$flags" \
    CFLAGS=-O0 ${OCL_ICD_VENDORS:+"OCL_ICD_VENDORS=$OCL_ICD_VENDORS"} \
    sh -e ../block) >errors 2>&1 </dev/null
  result $? "block $number: $(head -n 1 "block$number" | cut -c 1-60)"
  number=$((number + 1))
  flags=-cl-opt-disable
done

plan
