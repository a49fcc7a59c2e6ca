#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the Rust application from packaged crates, and tests it: rust-test.sh FOLDER
#
# Prints TAP. Skips if the crates are not installed, as Debian 13 packages them in
# librust-gstreamer-dev. GLOPENCL_CRATES is another folder of crates.
set -u

tests=$(cd "$(dirname "$0")" && pwd)
crates=${GLOPENCL_CRATES:-/usr/share/cargo/registry}
for crate in "$crates"/gstreamer-0.*; do
  if ! [ -d "$crate" ] || ! command -v cargo >/dev/null; then
    echo "1..0 # SKIP no cargo, or no crate gstreamer in $crates"
    exit 0
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Cargo writes Cargo.lock next to Cargo.toml.
cp -r "$1"/* "$work"
if ! cargo build --quiet --offline --manifest-path "$work/Cargo.toml" \
    --target-dir "$work/target" \
    --config 'source.crates-io.replace-with="packages"' \
    --config "source.packages.directory=\"$crates\"" >"$work/errors" 2>&1; then
  sed 's/^/# /' "$work/errors"
  echo "1..1"
  echo "not ok 1 cargo build"
  exit 1
fi
"$tests/denoise-test.sh" "$work/target/debug/denoise"
