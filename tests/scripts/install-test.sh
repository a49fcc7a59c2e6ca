#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later Tests that installed files exist,
# run, and are uninstalled: install-test.sh BUILD
#
# Prints TAP. Installs into a separate folder.
set -u

build=$1
. "$(dirname "$0")/tap.sh"
export DESTDIR="$work/root"

meson install -C "$build" --no-rebuild >errors 2>&1
result $? "meson install"
find root -type f | sed 's|.*/||' | sort >files
for name in libgstglopencl.so glopencl glopencl-compiler glopencl-denoise \
    GstGLOpenCLDenoise.prs io.github.gst_glopencl.metainfo.xml; do
  cp files errors
  check "$name is installed" grep -qxF "$name" files
done

if grep -qxF glopencl-play files; then
  desktop=$(find root -name io.github.gst_glopencl.play.desktop)
  id=$(basename "$desktop" .desktop)
  find root -name "$id.svg" -path '*/icons/hicolor/scalable/apps/*' >errors
  [ -n "$desktop" ] && [ -s errors ] && grep -qx "Icon=$id" "$desktop" \
    && grep -qxF "$id.metainfo.xml" files
  result $? "glopencl-play has an entry for desktops, and its icon"
  if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$desktop" >errors 2>&1 && [ ! -s errors ]
    result $? "the entry is valid"
  fi
fi

bin=$(dirname "$(find root -name glopencl-denoise -path '*/bin/*')")
for program in glopencl glopencl-archive glopencl-denoise glopencl-play; do
  # It is built where GTK is.
  [ -e "$bin/$program" ] || continue
  "$bin/$program" --version >errors 2>&1 \
    && grep -q "^$program [0-9.]*\(-dev\)\{0,1\}$" errors
  result $? "$program --version"
  page=$(find root -name "$program.1")
  if [ -z "$page" ]; then
    n=$((n + 1))
    echo "ok $n manual page of $program # SKIP no help2man"
  else
    # All options are in it. Troff escapes dashes.
    "$bin/$program" --help | grep -o -e '--[a-z][a-z-]*' | sort -u >options
    sed 's/\\-/-/g' "$page" | grep -o -e '--[a-z][a-z-]*' | sort -u >described
    comm -23 options described >errors
    [ -s options ] && [ ! -s errors ]
    result $? "the manual page of $program has all options"
  fi
done

# complete COMMAND_LINE: prints bash's completions for the last word.
complete () {
  bash -c '. /usr/share/bash-completion/bash_completion
    . "$1/glopencl-denoise"; . "$1/glopencl"
    COMP_WORDS=($2) COMP_LINE=$2 COMP_POINT=${#2}
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    $(complete -p "${COMP_WORDS[0]}" | sed "s/.*-F \([^ ]*\) .*/\1/") \
      "${COMP_WORDS[0]}"
    printf "%s\n" "${COMPREPLY[@]}"' bash \
    "$work/$(dirname "$(find root -name glopencl -path '*completions*')")" "$1"
}

if [ -f /usr/share/bash-completion/bash_completion ]; then
  export PATH="$work/$bin:$PATH"
  complete "glopencl-denoise --str" >errors 2>&1
  check "options are completed" grep -qx -e '--strength=\{0,1\}' errors
  complete "glopencl ben" >errors 2>&1
  check "so are subcommands" grep -qx bench errors
fi

ninja -C "$build" uninstall >errors 2>&1
check "ninja uninstall leaves nothing" [ -z "$(find root -type f)" ]

plan
