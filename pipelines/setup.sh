# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by the scripts of this folder and by tests/run.sh. Installs and builds
# their dependencies, and sets the environment for GStreamer.
#
#   show_help                    prints the comment of the script, and exits
#   glopencl_install PACKAGE...  installs missing Debian packages
#   glopencl_install_optional PACKAGE...
#                                the same, if the distribution has them
#   glopencl_python MODULE...    sets $python to one that has these modules
#   glopencl_build               builds the plugin into $build
#   glopencl_environment         sets the paths of the plugin, and a GL window
#   glopencl_location NAME       prints a file's name for gst-launch-1.0
#
# GLOPENCL_BUILD is the folder of an existing build.

root=$(cd "$(dirname "$0")/.." && pwd)
build=${GLOPENCL_BUILD:-$root/build}
# A checkout, or a build in it, that belongs to another user.
if [ -z "${GLOPENCL_BUILD:-}" ] \
    && ! { [ -w "$build" ] || { [ ! -e "$build" ] && [ -w "$root" ]; }; }; then
  build=${XDG_CACHE_HOME:-$HOME/.cache}/gst-glopencl/build
fi

BUILD_PACKAGES="gcc libc6-dev pkg-config python3 meson ninja-build
  libglib2.0-dev libgstreamer1.0-dev libgstreamer-plugins-base1.0-dev
  ocl-icd-opencl-dev opencl-headers libvulkan-dev libavcodec-dev
  libavfilter-dev libavformat-dev libavutil-dev libswscale-dev"
RUN_PACKAGES="gstreamer1.0-tools gstreamer1.0-plugins-base
  gstreamer1.0-plugins-good gstreamer1.0-gl libgl1-mesa-dri libegl1"
# To decode and encode files.
FILE_PACKAGES="gstreamer1.0-plugins-base-apps gstreamer1.0-plugins-bad
  gstreamer1.0-plugins-ugly gstreamer1.0-libav"

# On one processor.
MINUTES_OF_BUILD=4

# Before glopenclfilter: converts only unsupported formats, without dithering.
UPLOAD="videoconvert n-threads=0 dither=none ! glupload"

# The scripts parse messages of tools.
export LC_ALL=C
unset LANGUAGE

say () {
  echo "$*" >&2
}

die () {
  say "$(basename "$0"): $*"
  exit 1
}

# The comment at the top of the script.
show_help () {
  sed -n -e '1,2d' -e '/^#/!q' -e 's/^# \{0,1\}//p' "$0"
  exit 0
}

is_installed () {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# as_root COMMAND...: shows the output only on failure.
as_root () {
  log=$(mktemp)
  if [ "$(id -u)" = 0 ]; then
    "$@" >"$log" 2>&1 && status=0 || status=$?
  else
    sudo "$@" >"$log" 2>&1 && status=0 || status=$?
  fi
  [ "$status" = 0 ] || tail -n 5 "$log" >&2
  rm -f "$log"
  return "$status"
}

apt_install () {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
    -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

# Prints the download size of these packages, and the estimated time at 5 MB/s.
say_download () {
  apt-get -qq -y --print-uris --no-install-recommends install "$@" 2>/dev/null \
    | awk '{ n++; bytes += $3 }
      END {
        if (n > 0) {
          s = bytes / 5e6 + n / 3
          printf "%d packages, %.0f MB to download: about %d %s\n", n,
            bytes / 1e6 + 0.5, (s < 90) ? s + 1 : s / 60 + 0.5,
            (s < 90) ? "seconds" : "minutes"
        }
      }' >&2
}

glopencl_install () {
  [ -z "${GLOPENCL_BUILD:-}" ] || return 0
  # Prefers a vendor's OpenCL driver to the CPU.
  if ! ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1; then
    set -- "$@" pocl-opencl-icd
  fi
  if ! command -v apt-get >/dev/null; then
    say "apt-get not found. Install the equivalents of these Debian packages:"
    say "$*"
    return 0
  fi

  missing=
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null \
    || die "install these packages as root:$missing"
  say "Installing:$missing"
  as_root apt-get -q -o DPkg::Lock::Timeout=300 update \
    || say "Cannot update the list of packages"
  # shellcheck disable=SC2086
  say_download $missing
  # shellcheck disable=SC2086
  apt_install $missing || die "cannot install the packages"
}

glopencl_install_optional () {
  [ -z "${GLOPENCL_BUILD:-}" ] || return 0
  for package in "$@"; do
    if ! is_installed "$package" \
        && apt-cache show "$package" >/dev/null 2>&1; then
      say "Installing: $package"
      apt_install "$package" || say "Cannot install $package. Continuing without it"
    fi
  done
}

# Prefers the distribution's Python, which has the packages.
glopencl_python () {
  for python in /usr/bin/python3 python3; do
    "$python" -c "import $(echo "$*" | tr ' ' ,)" >/dev/null 2>&1 && return 0
  done
  die "no python3 can import $(echo "$*" | sed 's/ /, /g')"
}

glopencl_build () {
  [ -z "${GLOPENCL_BUILD:-}" ] || return 0
  mkdir -p "$build"
  if [ ! -f "$build/build.ninja" ]; then
    say "Building the plugin in $build, once: about $((MINUTES_OF_BUILD \
      / $(nproc) + 1)) min"
    meson setup "$build" "$root" -Dtests=false >"$build/setup.log" 2>&1 \
      || { tail -n 5 "$build/setup.log" >&2; die "meson setup failed in $build"; }
  fi
  ninja -C "$build" >"$build/ninja.log" 2>&1 \
    || { tail -n 20 "$build/ninja.log" >&2; die "building the plugin failed"; }
}

glopencl_environment () {
  export GST_PLUGIN_PATH="$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
  export GLOPENCL_COMPILER="$build/tools/glopencl-compiler"
  export GST_PRESET_PATH="$root/presets${GST_PRESET_PATH:+:$GST_PRESET_PATH}"
  # OpenGL can render without a display.
  if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    export GST_GL_WINDOW="${GST_GL_WINDOW:-egl-device}"
  fi
}

# Escapes a file name for location= in gst-launch syntax.
glopencl_location () {
  printf '%s' "$1" | sed 's/\\/\\\\/g'
}
