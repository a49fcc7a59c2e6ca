# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by the scripts of this folder and by tests/run.sh: what they need is
# installed and built, and GStreamer finds the plugin.
#
#   show_help                    prints what the script says of itself, and ends
#   glopencl_install PACKAGE...  installs the Debian packages that are missing
#   glopencl_install_optional PACKAGE...
#                                the same, of those that the distribution has
#   glopencl_python MODULE...    sets $python to one that has these modules
#   glopencl_build               builds the plugin into $build
#   glopencl_environment         GStreamer finds the plugin, and a GL to run on
#   glopencl_location NAME       prints a file's name for gst-launch-1.0
#
# GLOPENCL_BUILD names a folder where the plugin is built already.

root=$(cd "$(dirname "$0")/.." && pwd)
build=${GLOPENCL_BUILD:-$root/build}
# Somebody else's checkout, or somebody else's build in it.
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

# Before glopenclfilter: converts only what it does not take, and adds no noise.
UPLOAD="videoconvert n-threads=0 dither=none ! glupload"

# Messages of tools are read here.
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

# as_root COMMAND...: its output is shown only where it fails.
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

# Says what the installation of these packages downloads, and about how long it
# takes at 5 MB/s.
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
  # A vendor's OpenCL driver is better than the CPU.
  if ! ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1; then
    set -- "$@" pocl-opencl-icd
  fi
  if ! command -v apt-get >/dev/null; then
    say "No apt-get here. If something is missing, install what these Debian"
    say "packages hold: $*"
    return 0
  fi

  missing=
  for package in "$@"; do
    is_installed "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null \
    || die "install these as root:$missing"
  say "Installing:$missing"
  as_root apt-get -q -o DPkg::Lock::Timeout=300 update \
    || say "The list of packages could not be updated"
  # shellcheck disable=SC2086
  say_download $missing
  # shellcheck disable=SC2086
  apt_install $missing || die "the packages cannot be installed"
}

glopencl_install_optional () {
  [ -z "${GLOPENCL_BUILD:-}" ] || return 0
  for package in "$@"; do
    if ! is_installed "$package" \
        && apt-cache show "$package" >/dev/null 2>&1; then
      say "Installing: $package"
      apt_install "$package" || say "$package cannot be installed; going on"
    fi
  done
}

# The distribution's has the packages, whatever PATH says.
glopencl_python () {
  for python in /usr/bin/python3 python3; do
    "$python" -c "import $(echo "$*" | tr ' ' ,)" >/dev/null 2>&1 && return 0
  done
  die "no python3 here can import $(echo "$*" | sed 's/ /, /g')"
}

glopencl_build () {
  [ -z "${GLOPENCL_BUILD:-}" ] || return 0
  mkdir -p "$build"
  if [ ! -f "$build/build.ninja" ]; then
    say "Building the plugin in $build, once: about $((MINUTES_OF_BUILD \
      / $(nproc) + 1)) min"
    meson setup "$build" "$root" -Dtests=false >"$build/setup.log" 2>&1 \
      || { tail -n 5 "$build/setup.log" >&2; die "meson cannot set up $build"; }
  fi
  ninja -C "$build" >"$build/ninja.log" 2>&1 \
    || { tail -n 20 "$build/ninja.log" >&2; die "the plugin does not build"; }
}

glopencl_environment () {
  export GST_PLUGIN_PATH="$build/gst${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}"
  export GST_PRESET_PATH="$root/presets${GST_PRESET_PATH:+:$GST_PRESET_PATH}"
  # Without a display OpenGL can still render.
  if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    export GST_GL_WINDOW="${GST_GL_WINDOW:-egl-device}"
  fi
}

# A file's name as gst-launch-1.0 takes it for location=.
glopencl_location () {
  printf '%s' "$1" | sed 's/\\/\\\\/g'
}
