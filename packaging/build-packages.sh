#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the Debian packages of this tree, checks them, and puts them into
# FOLDER: build-packages.sh FOLDER
#
# Installs what the build needs, as root, on Debian or Ubuntu.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
[ $# -eq 1 ] || die "usage: build-packages.sh FOLDER"
folder=$1
tree=$(cd "$(dirname "$0")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update
apt-get -q -o DPkg::Lock::Timeout=300 install -y \
  --no-install-recommends dpkg-dev lintian
apt-get -q -o DPkg::Lock::Timeout=300 build-dep -y \
  --no-install-recommends "$tree"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder" "$work/gst-glopencl"
tar c -C "$tree" --exclude=./build --exclude='./build-*' --exclude=./.git . \
  | tar x -C "$work/gst-glopencl"
(cd "$work/gst-glopencl" && dpkg-buildpackage -us -uc -b)
# An older lintian does not know all that overrides name.
lintian --allow-root --fail-on error,warning --suppress-tags alien-tag \
  "$work"/*.changes
cp "$work"/*.deb "$folder"
