#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs the Debian packages in FOLDER, and runs their test:
# install-packages.sh FOLDER
#
# As root, on Debian or Ubuntu.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
[ $# -eq 1 ] || die "usage: install-packages.sh FOLDER"
folder=$1
tree=$(cd "$(dirname "$0")/.." && pwd)
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update
rm -f "$folder"/*-dbgsym_*
apt-get -q -o DPkg::Lock::Timeout=300 install -y "$folder"/*.deb
# What the test needs beside them.
apt-get -q -o DPkg::Lock::Timeout=300 install -y \
  --no-install-recommends ffmpeg gstreamer1.0-tools
"$tree/debian/tests/denoise"
