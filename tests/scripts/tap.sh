# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by the tests that print TAP. They go on in an empty folder, $work, which
# is removed at the end.
#
#   result STATUS NAME  prints a case, and $log where it failed
#   plan                prints how many there were; comes last
#
# $log is the file, in that folder, of what the case at hand has said: errors where
# nothing else is set.

n=0
log=errors
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

result () {
  n=$((n + 1))
  if [ "$1" = 0 ]; then
    echo "ok $n $2"
  else
    echo "not ok $n $2"
    sed 's/^/# /' "$log"
  fi
}

plan () {
  echo "1..$n"
  [ "$n" -gt 0 ]
}
