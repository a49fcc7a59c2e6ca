# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by the tests that print TAP. Changes to an empty folder, $work, which is
# removed at the end.
#
#   result STATUS NAME  prints a case, and $log if it failed
#   check NAME COMMAND...
#                       a case: whether the command succeeds
#   scale SECONDS       prints the time multiplied by the load per processor
#   within SECONDS COMMAND...
#                       ends a command that would take longer on an idle machine
#   unwritten PROGRAM ARGUMENT...
#                       two cases: standard output is full, or closed
#   refuses COMMAND...  a case for each line STATUS|WORDS|ARGUMENT... of standard
#                       input: the command ends with that status and one of its
#                       lines has WORDS, without output and warnings of GLib,
#                       within $patience seconds, and in at most $lines lines, if
#                       these are set
#   plan                prints the number of cases. Must be called last
#   start_display [SIZE]
#                       sets $display to a new display, if there is Xvfb. It ends
#                       with the test
#   find_python MODULE...
#                       sets $python to one that has these modules, or skips the
#                       test
#   shows CHART WHAT ID
#                       whether the values that chart.py reads equal the file
#                       expected, rows of a name and a value
#
# $log is the file, in that folder, with the messages of the current case (default:
# errors).

n=0
scripts=$(cd "$(dirname "$0")" && pwd)
log=errors
work=$(mktemp -d)
server=
trap 'rm -rf "$work"; [ -z "$server" ] || kill "$server"' EXIT
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

check () {
  name=$1
  shift
  "$@"
  result $? "$name"
}

# See filter_harness_scale().
scale () {
  awk -v seconds="$1" -v n="$(nproc)" '{
    split ($4, running, "/")
    load = ($1 > running[1] ? $1 : running[1]) / n
    print int (seconds * (load > 1 ? load : 1) + 0.5)
  }' /proc/loadavg
}

within () {
  seconds=$(scale "$1")
  shift
  timeout --kill-after=5 "$seconds" "$@"
}

unwritten () {
  "$@" >/dev/full 2>errors </dev/null
  [ $? = 1 ] && grep -q 'standard output cannot be written' errors
  result $? "$(basename "$*"): a full output is an error"
  "$@" >&- 2>errors </dev/null
  [ $? = 1 ] && grep -q 'standard output cannot be written' errors
  result $? "$(basename "$*"): a closed output is an error"
}

refuses () {
  while IFS='|' read -r status words arguments; do
    eval "within ${patience:-60} \"\$@\" $arguments" >output 2>errors </dev/null
    [ $? = "$status" ] && grep -q -e "$words" errors && [ ! -s output ] \
      && ! grep -q CRITICAL errors \
      && [ "$(wc -l <errors)" -le "${lines:-99}" ]
    result $? "$(basename "$1") $arguments: $(head -n 1 errors)"
  done
}

# A server that resets when its last client ends may refuse the next one.
start_display () {
  display=
  if command -v Xvfb >/dev/null; then
    Xvfb -displayfd 1 -screen 0 "${1:-320x240}x24" -nolisten tcp -noreset \
      >number 2>/dev/null &
    server=$!
    for _ in $(seq "$(scale 10)"); do
      [ -s number ] && display=:$(cat number) && break
      sleep 0.5
    done
  fi
}

# Meson's own interpreter need not be the one with the packages.
find_python () {
  for python in /usr/bin/python3 python3; do
    "$python" -c "import $(echo "$*" | tr ' ' ,)" >/dev/null 2>&1 && return 0
  done
  echo "1..0 # SKIP no Python has $*"
  exit 0
}

# Lines are drawn as exactly as a tenth of a pixel, tables round.
shows () {
  "$python" "$scripts/chart.py" "$2" "$1" "$3" >shown 2>errors || return 1
  paste -d , expected shown >errors
  [ -s expected ] && awk -F, '
    NF != 4 || $1 != $3 || ($2 - $4) ^ 2 > (0.006 + 0.005 * $2) ^ 2 { bad = 1 }
    END { exit bad }' errors
}

plan () {
  echo "1..$n"
  [ "$n" -gt 0 ]
}
