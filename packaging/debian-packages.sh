#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Builds the Debian packages in new roots of distributions, installs them in
# other new roots, and filters a film there:
#
#   packaging/debian-packages.sh FOLDER [DISTRIBUTION...]
#
# The packages are put into FOLDER/DISTRIBUTION. DISTRIBUTIONs are those of
# clean-root.sh, which makes the roots; all of them where none is named. Has to
# be started as root. The last line counts what passed and failed.
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help
[ $# -gt 0 ] || die "usage: debian-packages.sh FOLDER [DISTRIBUTION...]"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- bookworm trixie noble
here=$(cd "$(dirname "$0")" && pwd)
roots=$(mktemp -d)
trap 'rm -rf --one-file-system "$roots"' EXIT
trap 'exit 130' INT TERM
passed=0
failed=0

# run KIND DISTRIBUTION COMMAND...: in a root for that kind of work.
run () {
  kind=$1 name=$2
  shift 2
  if "$here/clean-root.sh" --keep "$roots/$kind" "$name" -- "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    return 1
  fi
}

for distribution in "$@"; do
  run built "$distribution" packaging/build-packages.sh /packages || continue
  mkdir -p "$folder/$distribution"
  cp "$roots/built/$distribution"/packages/*.deb "$folder/$distribution"
  run installed "$distribution" mkdir /packages || continue
  cp "$folder/$distribution"/*.deb "$roots/installed/$distribution/packages"
  run installed "$distribution" packaging/install-packages.sh /packages || true
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
