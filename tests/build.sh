#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Installs what a build needs, and builds everything with a compiler, for its
# warnings and not to be run; warnings are errors unless WERROR=false is in the
# environment: tests/build.sh COMPILER
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ $# -eq 1 ] || die "usage: tests/build.sh COMPILER"
# shellcheck disable=SC2086
glopencl_install $BUILD_PACKAGES libegl-dev libgl-dev "$1"
build=$root/build-test-$1
[ -f "$build/build.ninja" ] \
  || CC=$1 meson setup "$build" "$root" -Doptimization=0 \
    -Dwerror="${WERROR:-true}"
ninja -C "$build"
