# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by the tests of glopencl-play, after tap.sh. They run it with keys and a
# mouse, on a separate display. $play is the program, and film.mkv a film of 320x180
# with noise.

export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst" LC_ALL=C
unset DISPLAY WAYLAND_DISPLAY
find_python cv2 numpy
for command in Xvfb xdotool ffmpeg "gst-inspect-1.0 gtkglsink"; do
  if ! command -v "${command%% *}" >/dev/null \
      || { [ "$command" != "${command% *}" ] && ! $command >/dev/null 2>&1; }; then
    echo "1..0 # SKIP no ${command##* }"
    exit 0
  fi
done

ffmpeg -v error -f lavfi -i "testsrc2=s=320x180:r=25:d=1.2,noise=alls=12" \
  -pix_fmt yuv420p -c:v ffv1 film.mkv

# start ARGUMENT...: sets $window when frames are there, and pauses at the first. On
# a busy machine the focus may be refused at first, and keys are lost. Another
# window of the program may be there as well, so each attempt takes another one.
start () {
  GST_DEBUG=default:5 GST_DEBUG_NO_COLOR=1 "$play" "$@" >output 2>said &
  program=$!
  unanswered=0
  for turn in $(seq 0 9); do
    kill -0 $program 2>/dev/null || break
    windows=$(within 30 xdotool search --sync --onlyvisible --pid $program \
      --name . 2>/dev/null)
    n_windows=$(echo "$windows" | wc -l)
    window=$(echo "$windows" | tail -n $((turn % n_windows + 1)) | head -n 1)
    [ -z "$window" ] || within 5 xdotool windowfocus --sync "$window" 2>/dev/null
    commands 1 && return 0
  done
  echo "no key arrives: windows $windows, focus $(xdotool getwindowfocus 2>&1), \
$(tail -n 1 said)" >errors
  return 1
}

# press KEY...
press () {
  xdotool key --delay 40 "$@"
}

# commands [TIMES]: presses c, waits for the output, and sets $line to it. Presses c
# again, up to three or so many times, if it was not handled: a key or the focus may
# be lost on a busy machine.
commands () {
  before=$(grep -c gst-launch output)
  handled=$(grep -c "key c done" said)
  for attempt in $(seq "${1:-3}"); do
    [ "$attempt" = 1 ] || xdotool windowfocus "$window" 2>/dev/null
    press c
    for _ in $(seq "$(scale 50)"); do
      if [ "$(grep -c gst-launch output)" -gt "$before" ]; then
        # No answer to an earlier key comes later.
        [ "$unanswered" = 0 ] || sleep "$(scale 1)"
        unanswered=0
        line=$(grep gst-launch output | tail -n 1)
        return 0
      fi
      sleep 0.1
    done
    unanswered=$((unanswered + 1))
    [ "$(grep -c "key c done" said)" = "$handled" ] || break
  done
  echo "no answer to c" >errors
  return 1
}

# write_pictures REST: runs $line, with PNG files instead of the window. REST
# follows the encoder's name.
write_pictures () {
  sh -c "$(echo "$line" | sed "s|glimagesink|glcolorconvert ! gldownload \
! video/x-raw,format=RGBA ! pngenc $1|")"
}

# Of the values on a line.
has () {
  commands && echo "$line" >errors && grep -q -- "$1" errors
}

# keys: a case for each line KEY...|WORDS|NAME: presses them, and looks at the line.
keys () {
  while IFS='|' read -r pressed words name; do
    # shellcheck disable=SC2086
    press $pressed
    check "$name" has "$words"
  done
}

# picture FILE: saves the shown frame. At the start there is no frame yet.
picture () {
  sleep 0.3
  for _ in $(seq 10); do
    press w
    for _ in $(seq 20); do
      mv glopencl-play-*.png "$1" 2>/dev/null && break 2
      sleep 0.1
    done
  done
}

# press_done KEY: also waits until it is handled. On a busy machine the focus may
# be lost, and the key with it. It is pressed again if the program handles a later
# key, so that it is not only late.
press_done () {
  handled=$(grep -c "key $1 done" said)
  for _ in 1 2 3; do
    press "$1"
    for _ in $(seq "$(scale 50)"); do
      [ "$(grep -c "key $1 done" said)" -gt "$handled" ] && break 2
      sleep 0.1
    done
    commands && [ "$(grep -c "key $1 done" said)" = "$handled" ] || break
  done
}

# finish: whether q ends it well. On a busy machine a key or the focus may be lost.
finish () {
  for attempt in $(seq "$(scale 10)"); do
    [ "$attempt" = 1 ] || xdotool windowfocus "$window" 2>/dev/null
    press q
    for _ in $(seq 10); do
      kill -0 $program 2>/dev/null || break 2
      sleep 0.1
    done
  done
  if kill -0 $program 2>/dev/null; then
    kill -KILL $program
    return 1
  fi
  # gtkglsink of GStreamer 1.22 may draw before it has its first frame, and menus
  # of GTK 3 get events after they are closed.
  grep CRITICAL said | grep -v -e gst_buffer_get_meta \
    -e WIDGET_REALIZED_FOR_EVENT >errors
  wait $program && [ ! -s errors ]
}

# place NAME: sets $left, $top, $width and $height of the widget that the log calls
# so.
place () {
  # shellcheck disable=SC2046
  set -- $(sed -n "s/.*log_place:[^ ]* $1 is at \([0-9-]*\) \([0-9-]*\), \
\([0-9]*\) by \([0-9]*\)\$/\1 \2 \3 \4/p" said | tail -n 1)
  left=${1:-0} top=${2:-0} width=${3:-0} height=${4:-0}
}

# mouse X Y ARGUMENT...: moves the mouse to a place in the window, and has xdotool do
# the rest.
mouse () {
  xdotool mousemove --window "$window" "$@"
}

# point X Y ARGUMENT...: moves the mouse to a point of the frame, from 0 to 1, and
# has xdotool do the rest. The frame has 16 by 9 parts.
point () {
  place video
  # shellcheck disable=SC2046
  set -- $(awk -v w="$width" -v h="$height" -v x="$1" -v y="$2" 'BEGIN {
    s = w / 16 < h / 9 ? w / 16 : h / 9
    print int ((w - 16 * s) / 2 + x * 16 * s), int ((h - 9 * s) / 2 + y * 9 * s)
  }') "$@"
  x=$1 y=$2
  shift 4
  mouse $((left + x)) $((top + y)) "$@"
}

# compare CODE FILE...: whether an expression over pictures holds.
compare () {
  "$python" - "$@" 2>errors <<'END'
import os
import sys
import cv2
import numpy
pictures = {name.split(".")[0]: cv2.imread(name).astype(int)
            for name in sys.argv[2:]}
print([picture.shape for picture in pictures.values()], file=sys.stderr)
known = {"cv2": cv2, "np": numpy, "os": os, "sys": sys, **pictures}
sys.exit(not eval(sys.argv[1], known))
END
}

# shows_in FILE CODE FILE...: whether an expression comes to hold over FILE, a
# picture that is taken again and again, and the others.
shows_in () {
  taken=$1 code=$2
  shift 2
  for _ in $(seq 20); do
    picture "$taken"
    compare "$code" "$taken" "$@" && return 0
  done
  return 1
}
