#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests glopencl-play with keys and a mouse, on a separate display: play-test.sh
# PROGRAM
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

play=$1
. "$(dirname "$0")/tap.sh"
patience=20 lines=1
. "$(dirname "$0")/play.sh"
ffmpeg -v error -f lavfi -i "sine=d=1" sound.wav
ffmpeg -v error -i film.mkv -frames:v 1 still.png

LC_ALL=C.UTF-8 "$play" --help >output 2>errors \
  && grep -q '^  .*play \[OPTION…\] \[INPUT\]$' output
result $? "--help shows all characters: $(sed -n 2p output)"
refuses "$play" <<END
2|expected one INPUT|film.mkv film.mkv
2|Unknown option|--what film.mkv
1|no display|film.mkv
END

start_display 1280x800
export DISPLAY="$display"

printf '[_presets_]\nelement-name=GstGLOpenCLSharpen\n[a]\nalpha=1\n' >foreign.prs
printf '[_presets_]\nelement-name=GstGLOpenCLFilter\n[a]\nradius=far\n' >wrong.prs
echo nonsense >broken.prs
refuses "$play" <<'END'
1|No such file|missing.mkv
1|the element nothing is not installed|--sink nothing film.mkv
1|cannot be part of a window|--sink fakesink film.mkv
1|no element "nothing"|--filter nothing film.mkv
1|no property "what"|--filter "glopenclfilter what=1" film.mkv
1|has no video|--sound fakesink sound.wav
1|Failed after|--once --filter "identity error-after=5" film.mkv
1|is for a GstGLOpenCLSharpen|--preset foreign.prs film.mkv
1|radius with a value far|--preset wrong.prs --filter glopenclfilter film.mkv
1|broken.prs|--preset broken.prs film.mkv
END

GST_PLUGIN_FEATURE_RANK=avdec_ffv1:NONE within 20 "$play" film.mkv >output 2>errors
[ $? = 1 ] && grep -q 'decoder is not installed\. .* package gstreamer1.0-libav' errors
result $? "a missing decoder is named, with its package"

# Where OpenGL draws on the CPU, as here, another sink is taken.
check "a window" start --filter glopenclfilter film.mkv
press space Home b
sleep "$(scale 2)"
picture before.png
press b
shows_in after.png "abs (after - before).max () > 20" before.png
press s
shows_in split.png "(split[:, :156] == before[:, :156]).all () \
  and (split[:, 164:] == after[:, 164:]).all ()" after.png before.png
result $? "halves of a split picture are those of before and after"
press d
# Chroma is not interpolated in the same way.
shows_in difference.png "np.corrcoef (difference.mean (axis=2).flat,
    (after - before).mean (axis=2).flat)[0, 1] > 0.7 \
  and abs (difference.mean () - 127.5) < 8" after.png before.png
result $? "differences are around grey"
press d
check "and go again" shows_in back.png "(back == after).all ()" after.png
check "q quits" finish

check "a window that OpenGL draws" start --sink gtkglsink --filter glopenclfilter \
  film.mkv
press space Home
sleep "$(scale 2)"
picture after.png
press b
shows_in before.png "abs (after - before).max () > 20" after.png
result $? "before and after differ"
press s
shows_in split.png "(split[:, :158] == before[:, :158]).all () \
  and (split[:, 162:] == after[:, 162:]).all ()" after.png before.png
result $? "halves of a split picture are those of before and after"
press d
shows_in difference.png "abs (np.clip (127.5 + 8 * (after - before), 0, 255) \
  - difference).max () <= 1" after.png before.png
result $? "differences are eight times as strong, around grey"
press d
commands
[ "$line" = "gst-launch-1.0 filesrc location=$work/film.mkv ! decodebin ! \
videoconvert n-threads=0 dither=none ! glupload ! glopenclfilter ! glimagesink" ]
result $? "c prints the line: $line"
grep -qx "glopencl-denoise --filter 'glopenclfilter' $work/film.mkv" output
result $? "and that of glopencl-denoise"

keys <<END
Down Right Right| intensity-sigma=0.27 |a parameter is raised twice by its step
Left slash Right| intensity-sigma=0.261 |lowered, and raised by a tenth
asterisk plus Right| intensity-sigma=0.281 |ten times the step, and a larger one
minus minus Left| intensity-sigma=0.272 |steps go on below their unit
END
write_pictures "snapshot=true ! filesink location=line.png" \
  >errors 2>&1
shows_in changed.png "(changed == line).all () and (changed != after).any ()" \
  line.png after.png
result $? "the line makes what is shown"
keys <<END
Down Right Down Right| radius=0 color-mode=per-channel |choices follow each other
r| radius=0 ! |one parameter is reset
R|glopenclfilter ! glimagesink|all are
h|glopenclfilter ! glimagesink|a histogram is no part of the film
h o|glupload ! identity ! glimagesink|an element is turned off
END
check "and does nothing then" shows_in off.png "(off == before).all ()" before.png
press o
check "and on again" shows_in on.png "(on == after).all ()" after.png

press Tab e e
sleep "$(scale 1)"
point 0.25 0.9 mousedown 1
point 0.75 0.9 mouseup 1
shows_in dragged.png "(dragged[:, :228] == before[:, :228]).all () \
  and (dragged[:, 244:] == after[:, 244:]).all ()" before.png after.png
result $? "the line of the split is dragged"
press s period
check "the next frame" shows_in next.png "(next != after).any ()" after.png
press Home
check "the start" shows_in first.png "(first == after).all ()" after.png
# Keys while frames pass, as a user presses them.
press space
for _ in $(seq 20); do
  press Right
done
sed -n 's/.*key Right done \([0-9]*\) ms.*/\1/p' said | tail -n 20 | sort -n \
  >times
cp times errors
[ "$(wc -l <times)" = 20 ] && [ "$(sed -n 10p times)" -le "$(scale 50)" ]
result $? "a key takes $(sed -n 10p times) ms, at most $(tail -n 1 times)"
check "q quits" finish

# The frames of some seconds would take more memory.
memory () {
  awk '/^VmRSS/ { print $2 }' /proc/$program/status
}
start --filter glopenclfilter film.mkv
sleep "$(scale 3)"
before=$(memory)
sleep "$(scale 5)"
echo "$before $(memory) kB" >errors
awk '{ exit $2 - $1 > 6000 }' errors
result $? "a film that repeats takes no more memory: $(cat errors)"
check "q quits" finish

# Frames that are held back, without a change.
start --filter "glopencldenoise noise=0 lookahead=2 pipeline-depth=2" film.mkv
press d
shows_in held.png "abs (held - 127.5).max () <= 1"
result $? "behind held frames, before and after are the same frame"
check "and all is freed" finish

# A frame that depends on earlier ones, where frame rates are no whole number of
# milliseconds, and where they vary.
noisy="testsrc2=s=160x90:d=1.5:r=30000/1001,noise=alls=24:allf=t"
ffmpeg -v error -f lavfi -i "$noisy" -pix_fmt yuv420p -c:v ffv1 even.mkv
ffmpeg -v error -f lavfi -i "$noisy,setpts='(N+7*floor(N/5))/(30*TB)'" \
  -fps_mode vfr -pix_fmt yuv420p -c:v ffv1 uneven.mkv

# shows_frame CODE FILE...: whether the shown frame is that of a film that is filtered
# from the start, and whether an expression over its number n holds.
shows_frame () {
  condition=$1
  shift
  commands
  rm -rf all
  mkdir all
  write_pictures "! multifilesink location=all/%d.png" >errors 2>&1
  equal="n for n in range (len (os.listdir ('all')))
    if abs (now - cv2.imread (f'all/{n}.png')).max () <= 1"
  shows_in now.png "[$equal and $condition]" "$@" && return 0
  compare "print ([$equal], file=sys.stderr)" now.png
  echo "$(grep -c "key period done" said) steps" >>errors
  return 1
}

echo 'kernel void two (write_only image2d_t target, unsigned int index,
  read_only image2d_t first, read_only image2d_t second) { }' >two.cl
within 20 "$play" --filter "glopenclkernel location=two.cl" even.mkv >output \
  2>errors
[ $? = 1 ] && grep -q "two.cl has other arguments than it gets" errors
result $? "a kernel with other arguments ends it: $(tail -n 1 errors)"

for film in even uneven; do
  start --sink gtkglsink --filter glopencldenoise $film.mkv
  press space Home
  # A step replaces one that the sink has not done yet, so not all of them count
  # on a busy machine. The film has 45 frames.
  shows_in now.png True
  for _ in $(seq 40); do
    press_done period
    sleep 0.2
  done
  shows_frame "n > 15"
  result $? "$film: frames that are steps apart"
  cp now.png before.png
  press Down Right Right Right Right Right
  has strength= && shows_frame "n > 15 and abs (now - before).max () > 8" before.png
  result $? "$film: a change filters the frames before"
  cp now.png changed.png
  press_done o
  shows_in off.png "abs (off - changed).max () > 8" changed.png
  press_done o
  shows_in on.png "(on == changed).all ()" changed.png \
    || { echo "$(grep -c "key o done" said) of 2 keys handled" >>errors; false; }
  result $? "$film: an element that is put back gets them, too"
  if [ $film = even ]; then
    for _ in $(seq 5); do
      press o o o o
    done
    shows_in on.png "(on == changed).all ()" changed.png
    result $? "also when it is taken out again and again"
  fi
  press R Page_Up
  check "$film: the start has none" shows_frame "n == 0"
  press Right period
  check "$film: a step at once after a change" shows_frame "n == 1"
  check "$film: q quits" finish
done

chain='glopenclchain operations="sharpen ! bilateral"'
start --preset saved.prs --filter "$chain" film.mkv
press Down Down Right
check "children have parameters" has "sharpen0::radius=4"
press P
sleep 0.5
finish
cp saved.prs errors
grep -q '^element-name=GstGLOpenCLChain$' saved.prs \
  && grep -q '^sharpen0::radius=4$' saved.prs
result $? "a preset is saved"
start --preset saved.prs --filter "$chain" film.mkv
check "and loaded" has "sharpen0::radius=4"
finish

# Eight looks, then a preset.
mkdir presets
printf '[_presets_]\nversion=1\nelement-name=GstGLOpenCLSharpen\n[mine]\nradius=7\n' \
  >presets/GstGLOpenCLSharpen.prs
export GST_PRESET_PATH="$work/presets"
start --filter glopenclsharpen film.mkv
keys <<END
p| preset=original |p selects the first look of an element
p p p p p p p| preset=glow |the last one
p| radius=7 |then its presets
p| preset=original |and begins again
END
check "q quits" finish

cat >kernel.cl <<'END'
Pixel
filter (FRAME)
{
  return pixel (frame, 0, 0);
}
END
start --filter "glopenclkernel location=kernel.cl watch=true" still.png
picture same.png
sed -i 's/pixel (frame, 0, 0)/times (pixel (frame, 0, 0), 0.5f)/' kernel.cl
shows_in half.png "abs (same / 2 - half).max () <= 1 and same.max () > 100" same.png
result $? "a kernel that is saved changes a still picture"
check "stills end, too" finish

within 60 "$play" --once --filter glopenclfilter film.mkv >output 2>errors </dev/null
[ $? = 0 ] && grep -q '^gst-launch-1.0 ' output
result $? "--once quits at the end and prints the line"
plan
