#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Formats the C sources as gst-indent does, with the package "indent":
#
#   tests/indent.sh [FILE...]          formats FILEs, or all
#   tests/indent.sh --check [FILE...]  only names those that would change
set -eu

. "$(dirname "$0")/../pipelines/setup.sh"

[ "${1:-}" != --help ] || show_help

glopencl_install indent
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi
if [ $# -eq 0 ]; then
  cd "$root"
  # shellcheck disable=SC2046
  set -- $(find gst tools tests pipelines apps -name '*.c')
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
status=0
for file in "$@"; do
  # The layout of a trailing comment may need a second run.
  cp "$file" "$work/formatted.c"
  for _ in 1 2; do
    indent --braces-on-if-line --case-brace-indentation0 --case-indentation2 \
      --braces-after-struct-decl-line --line-length80 --no-tabs --cuddle-else \
      --dont-line-up-parentheses --continuation-indentation4 \
      --honour-newlines --tab-size8 --indent-level2 \
      --leave-preprocessor-space "$work/formatted.c"
  done
  cmp -s "$file" "$work/formatted.c" && continue
  if [ -n "$check" ]; then
    say "$file is not as gst-indent formats it"
    diff -u "$file" "$work/formatted.c" | head -n 20 >&2
    status=1
  else
    cp "$work/formatted.c" "$file"
  fi
done
exit $status
