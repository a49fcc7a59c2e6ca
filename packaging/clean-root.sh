#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Runs the README's two commands on a clean copy of the tree in new roots of the
# distributions that it names:
#
#   packaging/clean-root.sh [--keep FOLDER] [DISTRIBUTION...] [-- COMMAND...]
#
# DISTRIBUTIONs are bookworm (Debian 12), trixie (Debian 13) and noble (Ubuntu
# 24.04); all three where none is named. COMMAND runs in place of the README's two,
# in the tree's top folder. FOLDER keeps the roots, each with the tree in /glopencl
# and the last output in log.txt; a root that is there is used again, with a new
# copy of the tree.
# What git tracks is copied, with changes that are not committed. Has to be
# started as root, on Debian or Ubuntu; takes 2 GB of disk and some ten minutes
# for each distribution on two cores. The last line counts the commands that
# passed and failed.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help

ALL="bookworm trixie noble"
UBUNTU_KEYS=/usr/share/keyrings/ubuntu-archive-keyring.gpg

# What is mounted in a root, innermost first.
MOUNTS="dev/shm dev/pts dev sys proc"

unmount () {
  for mount in $MOUNTS; do
    if mountpoint -q "$1/$mount"; then
      umount -l "$1/$mount"
    fi
  done
}

# Another run may be at work in other roots of the same folder.
clean_up () {
  for name in ${names:-$ALL}; do
    unmount "$roots/$name"
  done
  if [ -z "$keep" ]; then
    rm -rf --one-file-system "$roots"
  fi
}

# PoCL asks /sys and /proc for the cores and the memory, and works in /dev/shm.
mount_all () {
  mount -t proc proc "$1/proc"
  mount -t sysfs -o ro sys "$1/sys"
  mount -t tmpfs -o mode=755 dev "$1/dev"
  for node in "null 1 3" "zero 1 5" "full 1 7" "random 1 8" "urandom 1 9" \
      "tty 5 0"; do
    # shellcheck disable=SC2086
    set -- "$1" $node
    mknod -m 666 "$1/dev/$2" c "$3" "$4"
  done
  ln -s /proc/self/fd "$1/dev/fd"
  mkdir "$1/dev/shm" "$1/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
  ln -s pts/ptmx "$1/dev/ptmx"
  mount -t tmpfs shm "$1/dev/shm"
}

# make_root DISTRIBUTION FOLDER
make_root () {
  components=main
  if [ "$1" = noble ]; then
    components=main,universe
  fi
  mmdebstrap --quiet --variant=apt --components="$components" "$1" "$2"
}

# copy_tree FOLDER
copy_tree () {
  rm -rf --one-file-system "$1/glopencl"
  mkdir "$1/glopencl"
  (cd "$tree" && git ls-files -z --cached --others --exclude-standard \
    | xargs -0 tar c) | tar x -C "$1/glopencl"
}

# run_in FOLDER COMMAND...: what it prints is in log.txt of the root.
run_in () {
  folder=$1
  shift
  chroot "$folder" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C \
    sh -c 'cd /glopencl && exec "$@"' sh "$@" >"$folder/log.txt" 2>&1
}

# check DISTRIBUTION COMMAND...
check () {
  name=$1
  shift
  if run_in "$roots/$name" "$@"; then
    passed=$((passed + 1))
    echo "$name: $*: passed, $(tail -n 1 "$roots/$name/log.txt")"
  else
    failed=$((failed + 1))
    tail -n 30 "$roots/$name/log.txt"
    echo "$name: $*: failed"
  fi
}

keep=
if [ "${1:-}" = --keep ]; then
  [ $# -ge 2 ] || die "--keep needs a folder"
  keep=$2
  shift 2
fi
names=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  case " $ALL " in
    *" $1 "*) names="$names $1" ;;
    *) die "there is no $1 here: name some of $ALL" ;;
  esac
  shift
done
[ $# -eq 0 ] || shift

[ "$(id -u)" = 0 ] || die "start it as root: it mounts /proc in new roots"
if ! command -v mmdebstrap >/dev/null; then
  apt-get -q -o DPkg::Lock::Timeout=300 update >/dev/null
  apt-get -q -o DPkg::Lock::Timeout=300 install -y \
    --no-install-recommends mmdebstrap >/dev/null \
    || die "mmdebstrap cannot be installed"
fi
case " ${names:-$ALL} " in
  *" noble "*)
    [ -f "$UBUNTU_KEYS" ] || die "Ubuntu's packages cannot be checked without" \
      "$UBUNTU_KEYS, which is in its package ubuntu-keyring" ;;
esac

tree=$(cd "$(dirname "$0")/.." && pwd)
roots=${keep:-$(mktemp -d)}
mkdir -p "$roots"
roots=$(cd "$roots" && pwd)
trap clean_up EXIT
trap 'exit 130' INT TERM
passed=0
failed=0
for name in ${names:-$ALL}; do
  folder=$roots/$name
  [ -d "$folder/etc/apt" ] || make_root "$name" "$folder"
  mount_all "$folder"
  copy_tree "$folder"
  if [ $# -gt 0 ]; then
    check "$name" "$@"
  else
    check "$name" pipelines/denoise.sh
    check "$name" tests/run.sh
  fi
  unmount "$folder"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
