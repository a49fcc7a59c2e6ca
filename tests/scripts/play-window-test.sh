#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The window of glopencl-play: clicks, drags and dropped files, messages, rotated
# films, sound, and films that it filters: play-window-test.sh PROGRAM
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

play=$1
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/play.sh"
start_display 1280x800
export DISPLAY="$display"
export PATH="$GLOPENCL_BUILD/apps/denoise:$PATH"
export GST_PRESET_PATH="$scripts/../../presets"
filter="glopenclfilter radius=2"

# screen FILE: saves the content of the display.
screen () {
  ffmpeg -v error -y -f x11grab -draw_mouse 0 -video_size 1280x800 \
    -i "$DISPLAY" -frames:v 1 -update 1 "$1"
}

# waits COMMAND...: whether it comes to succeed.
waits () {
  for _ in $(seq "$(scale 20)"); do
    "$@" && return 0
    sleep 0.5
  done
  return 1
}

# focus_dialog TITLE: without a window manager, nothing else gives it the focus.
focus_dialog () {
  dialog=$(within 20 xdotool search --sync --onlyvisible --name "$1" | tail -n 1)
  sleep "$(scale 1)"
  xdotool windowfocus --sync "$dialog" 2>/dev/null
}

# The start, and a file that is chosen.
GST_DEBUG=default:5 GST_DEBUG_NO_COLOR=1 "$play" --filter "$filter" >output \
  2>said &
program=$!
line=
waits grep -q log_place said
window=$(within 30 xdotool search --sync --onlyvisible --pid $program --name . \
  2>/dev/null | tail -n 1)
xdotool windowfocus --sync "$window" 2>/dev/null
sleep "$(scale 1)"
press ctrl+o
focus_dialog "^Open a video"
xdotool type --delay 20 "$work/film.mkv"
sleep "$(scale 1)"
press Return
sleep "$(scale 1)"
xdotool windowfocus --sync "$window" 2>/dev/null
check "a file is chosen" waits has "location=$work/film.mkv"
press space Home

# Sliders and menus.
sleep "$(scale 1)"
place intensity-sigma
mouse $((left + 12)) $((top + height / 2)) \
  mousedown 1
mouse $((left + 60)) $((top + height / 2)) \
  mouseup 1
sleep 0.5
commands
echo "$line" >errors
sed -n 's/.* intensity-sigma=\([0-9.]*\) .*/\1/p' errors >value
awk '{ exit !($1 != 0.25 && $1 == sprintf ("%.2f", $1)) }' value \
  && [ -s value ]
result $? "a slider is dragged to a multiple of the step: $(cat value)"
mouse $((left + 60)) $((top + height / 2)) \
  click --repeat 2 --delay 60 1
sleep 0.5
check "a double click resets it" has "glopenclfilter radius=2 ! glimagesink"
place color-mode
mouse $((left + 40)) $((top + height / 2)) \
  click 1
sleep "$(scale 1)"
press Down Return
sleep 0.5
check "a menu has the choices" has " color-mode=per-channel "
place presets
mouse $((left + 20)) $((top + height / 2)) \
  click 1
sleep "$(scale 1)"
press Down Return
sleep 0.5
check "presets are in a menu" has " intensity-sigma="
press R

# The seek bar, towards its end.
place "seek bar"
mouse $((left + width / 3)) \
  $((top + height / 2)) click 1
picture start.png
press Home
shows_in sought.png "(sought != start).any ()" start.png
result $? "the seek bar seeks"

# A zoom: each pixel of the frame is one of the screen.
press Tab i e e 1
sleep "$(scale 1)"
picture frame.png
screen full.png
place video
compare "(full[$top:$top + 180, $left:$left + 320] == frame).all ()" full.png \
  frame.png
result $? "1 shows pixels of the screen"
press 2
sleep "$(scale 1)"
screen large.png
eval "$(xdotool getwindowgeometry --shell "$window")"
mouse $((WIDTH / 2)) $((HEIGHT / 2)) mousedown 1
mouse $((WIDTH / 2 - 30)) \
  $((HEIGHT / 2 - 20)) mouseup 1
sleep "$(scale 1)"
screen moved.png
compare "(moved[20:$HEIGHT - 60, 100:$WIDTH - 150] \
  == large[40:$HEIGHT - 40, 100:$WIDTH - 150]).all () and (moved != large).any ()" \
  moved.png large.png
result $? "a drag moves a large frame"
press 1
sleep "$(scale 1)"
screen whole.png
mouse $((WIDTH / 2)) $((HEIGHT / 2)) click 4 \
  click 4
sleep "$(scale 1)"
screen wheel.png
xdotool click --repeat 8 5
sleep "$(scale 1)"
screen back.png
compare "(wheel != whole).any () \
  and (back == whole)[:$HEIGHT - 40, 100:$WIDTH - 150].all ()" wheel.png whole.png \
  back.png
result $? "the wheel zooms, and back to the whole frame at 100 %"
press i Tab
check "q quits" finish

# A file that is dragged from another window.
ffmpeg -v error -f lavfi -i "testsrc=s=160x90:r=25:d=2" -pix_fmt yuv420p \
  -c:v ffv1 other.mkv
cat >drag.py <<'END'
import pathlib
import sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk
window = Gtk.Window(title="drag")
window.set_default_size(100, 100)
window.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
window.drag_source_add_uri_targets()
window.connect("drag-data-get", lambda widget, context, data, info, time:
               data.set_uris([pathlib.Path(sys.argv[1]).resolve().as_uri()]))
window.show()
window.move(1150, 650)
Gtk.main()
END
if "$python" -c 'import gi; gi.require_version ("Gtk", "3.0")' 2>/dev/null; then
  start --filter "$filter" film.mkv
  press Right
  "$python" drag.py other.mkv &
  source=$!
  xdotool search --sync --name '^drag$' >/dev/null
  sleep "$(scale 1)"
  xdotool mousemove 1200 700 mousedown 1 mousemove 1190 690 mousemove 1170 670 \
    mousemove 600 300
  sleep 0.5
  xdotool mousemove 200 100 mousemove 202 102
  sleep 0.5
  xdotool mouseup 1
  check "a dropped film is opened" waits has "location=$work/other.mkv"
  check "with the settings of the film before" has " spatial-sigma=2.1 "
  kill $source
  check "q quits" finish
fi

# Messages.
printf 'Pixel\nfilter (FRAME)\n{\n  return pixel (frame, 0, 0);\n}\n' >mine.cl
start --filter "glopenclkernel location=mine.cl watch=true" film.mkv
sed -i 's/pixel (frame/pixels (frame/' mine.cl
waits grep -q "^glopencl-play:.*mine.cl" said
cp said errors
grep "^glopencl-play:.*mine.cl" said | grep -q "4"
result $? "a kernel's error has file and line: $(grep "^glopencl-play:" said)"
press space
sleep "$(scale 1)"
screen line.png
press e
sleep "$(scale 1)"
screen list.png
compare "abs (list - line).max (axis=2).astype (bool).sum () > 10000" line.png \
  list.png
result $? "e shows the list of messages"
press e
check "and nothing has ended" finish

start --filter "identity error-after=30 ! $filter" film.mkv
waits grep -q "^glopencl-play: Failed after" said
result $? "an error after frames is shown"
check "and the window stays" kill -0 $program
press space
again () {
  [ "$(grep -c 'key space done' said)" -ge 1 ] && commands
}
check "Space starts it again" waits again
check "q quits" finish

GST_DEBUG=default:5 "$play" --stay missing.mkv >output 2>said &
program=$!
waits grep -q "No such file" said
result $? "--stay shows what is wrong in the window"
window=$(within 30 xdotool search --sync --onlyvisible --pid $program --name . \
  2>/dev/null | tail -n 1)
xdotool windowfocus --sync "$window"
sleep "$(scale 2)"
check "which stays until it is closed" finish

# Films of phones: rotated, with times that vary and noise that is coded.
ffmpeg -v error -f lavfi -i "testsrc2=s=160x96:d=1.5:r=30,noise=alls=20:allf=t" \
  -f lavfi -i "sine=d=1.5" -vf "setpts='(N+3*floor(N/5))/(30*TB)'" -fps_mode vfr \
  -pix_fmt yuv420p -c:v libx264 -crf 23 -c:a aac flat.mp4
ffmpeg -v error -i flat.mp4 -c copy -metadata:s:v rotate=90 phone.mp4 \
  2>errors
ffmpeg -v error -i phone.mp4 -frames:v 1 upright.png
for sink in gtksink gtkglsink; do
  start --sound fakesink --sink $sink --filter "$filter" phone.mp4
  press space Home
  sleep "$(scale 1)"
  picture after.png
  compare "after.shape == upright.shape \
    and np.corrcoef (after.flat, upright.flat)[0, 1] > 0.9" after.png upright.png
  result $? "$sink: a film of a phone is upright"
  press b
  shows_in before.png "abs (after - before).max () > 10" after.png
  press s
  shows_in split.png "(split[:, :44] == before[:, :44]).all () \
    and (split[:, 52:] == after[:, 52:]).all ()" after.png before.png
  result $? "$sink: and split from left to right"
  check "q quits" finish
done

# The shown frame is identical to that of the filtered file.
start --sound fakesink --sink gtkglsink --filter "glopencldenoise lookahead=2" \
  phone.mp4
press space Home
sleep "$(scale 1)"
press Down Right Right Right
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  press period
  sleep 0.3
done
sleep "$(scale 2)"
press x
focus_dialog "^Filter the video"
press alt+l
press Return
sleep "$(scale 1)"
xdotool windowfocus --sync "$window" 2>/dev/null
ends () {
  [ -s phone-denoised.mkv ] && ! pgrep -P $program >/dev/null
}
check "a film is filtered from the window" waits ends
picture shown.png
rm -rf all
mkdir all
gst-launch-1.0 -q filesrc location=phone-denoised.mkv ! decodebin \
  ! videoconvert n-threads=0 dither=none ! glupload ! glcolorconvert \
  ! gldownload ! video/x-raw,format=RGBA ! pngenc \
  ! multifilesink location=all/%d.png >errors 2>&1
compare "[n for n in range (len (os.listdir ('all'))) if n > 8 and min (
  abs (np.rot90 (cv2.imread (f'all/{n}.png').astype (int), k) - shown).max ()
  for k in (1, 3)) <= 1]" shown.png
result $? "the shown frame is that of the film"
ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 \
  phone-denoised.mkv >errors
grep -qx ffv1 errors
result $? "which is lossless"
check "q quits" finish

printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$play" >bare
chmod +x bare
installed=$play play=./bare
start --filter "$filter" film.mkv
play=$installed
press x
focus_dialog "^Filter the video"
press Return
waits grep -q "^glopencl-play: glopencl-denoise .* the package glopencl-tools" said
result $? "a missing glopencl-denoise is named, with its package"
xdotool windowfocus --sync "$window" 2>/dev/null
check "q quits" finish

# Sound.
ffmpeg -v error -f lavfi -i "testsrc=s=160x90:r=25:d=60" -f lavfi \
  -i "sine=f=440:d=60" -pix_fmt yuv420p -c:v ffv1 -c:a pcm_s16le loud.mkv
start --sound "audioconvert ! audio/x-raw,format=S16LE,channels=1 \
  ! filesink location=heard.raw sync=true buffer-mode=unbuffered" \
  --filter "$filter" loud.mkv
sleep "$(scale 2)"
press m
sleep "$(scale 3)"
finish
"$python" - >errors 2>&1 <<'END'
import numpy
heard = abs(numpy.fromfile("heard.raw", numpy.int16).astype(int))
print(len(heard), heard.max())
quiet = numpy.convolve(heard == 0, numpy.ones(20000), "valid").max() == 20000
assert heard.max() > 1000 and quiet
END
result $? "sound is heard until m"

# Wayland.
if command -v weston >/dev/null; then
  export XDG_RUNTIME_DIR="$work"
  chmod 700 "$work"
  weston --backend=headless-backend.so --socket=play --idle-time=0 \
    >weston.log 2>&1 &
  weston=$!
  waits test -S play
  DISPLAY='' WAYLAND_DISPLAY=play GDK_BACKEND=wayland within 60 "$play" --once \
    --filter "$filter" film.mkv >output 2>errors
  [ $? = 0 ] && grep -q '^gst-launch-1.0 ' output
  result $? "a film is played under Weston"
  kill $weston
  wait $weston 2>/dev/null
fi
plan
