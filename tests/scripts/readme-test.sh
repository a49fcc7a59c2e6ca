#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the blocks and the rows of the first table of the README unchanged, each in a
# separate shell with only PATH, HOME and a display: readme-test.sh SOURCES BUILD
#
# Prints TAP. The blocks run in a copy of the tree whose folder "build" is BUILD.
# Access to the machine is replaced: sudo installs nothing, but checks that the
# packages exist, a camera is a test picture, and videos exist. tests/run.sh only
# has to exist.
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
# The first script uses the existing noisy clip. histogram-test.sh tests its
# creation.
ffmpeg -v error -f lavfi -i "testsrc2=s=96x64:r=25:d=1,noise=alls=20:allf=t" \
  -f lavfi -i sine=d=1 -pix_fmt yuv420p -c:v libx264 -c:a libopus tree/noisy.mkv
ffmpeg -v error -i tree/noisy.mkv -frames:v 10 -an -c:v mjpeg tree/video.mp4
cp tree/noisy.mkv tree/film.mkv

cat >bin/gst-launch-1.0 <<'END'
#!/bin/sh
for argument in "$@"; do
  shift
  if [ "$argument" = v4l2src ]; then
    set -- "$@" videotestsrc num-buffers=5
  else
    set -- "$@" "$argument"
  fi
done
exec /usr/bin/gst-launch-1.0 "$@"
END
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
chmod +x bin/*

# The cache of the driver.
cache=${POCL_CACHE_DIR:-$HOME/.cache/pocl/kcache}

# Writes each block, and each row of the table, to a separate file: block1, ...
awk -F '`' '/^```sh$/ { n++; inside = 1; next } /^```$/ { inside = 0; next }
  inside { print > ("block" n) }
  /^\| to \| type \|/ { rows = 1 } /^$/ { rows = 0 }
  rows && NF >= 3 { n++; print $2 > ("block" n) }' "$sources/README.md"

number=1
while [ -f "block$number" ]; do
  sed 's|^tests/run.sh$|test -x tests/run.sh|' "block$number" >block
  # Folders are linked, but a script's own place is the sources.
  (cd tree && within 280 env -i PATH="$work/bin:/usr/local/bin:/usr/bin:/bin" \
    HOME="$work/home" DISPLAY="$display" LANG=C.UTF-8 GLOPENCL_BUILD="$build" \
    POCL_CACHE_DIR="$cache" POCL_EXTRA_BUILD_FLAGS="${POCL_EXTRA_BUILD_FLAGS:-}" \
    COMPILER_PATH="${COMPILER_PATH:-}" CFLAGS=-O0 \
    ${OCL_ICD_VENDORS:+"OCL_ICD_VENDORS=$OCL_ICD_VENDORS"} \
    sh -e ../block) >errors 2>&1 </dev/null
  result $? "block $number: $(head -n 1 "block$number" | cut -c 1-60)"
  number=$((number + 1))
done

plan
