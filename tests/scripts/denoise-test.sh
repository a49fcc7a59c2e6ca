#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/denoise.sh on good and bad input, interrupted, and two at a time:
# denoise-test.sh PIPELINES_FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"

is_tidy () {
  [ -z "$(find . -name '*.part*')" ]
}

# fails NAME WORDS ARGUMENT...: one line that has WORDS, and keep.mkv is kept.
fails () {
  name=$1 words=$2
  shift 2
  echo precious >keep.mkv
  if within 60 "$denoise" --force "$@" >/dev/null 2>errors; then
    result 1 "$name fails"
    return
  fi
  # On a busy machine there are lines of progress.
  grep -v -e '^Filtering ' -e ' frames/s' errors >lines
  [ "$(wc -l <lines)" = 1 ] && grep -q -e "$words" lines \
    && [ "$(cat keep.mkv)" = precious ] && is_tidy
  result $? "$name: $(cat lines)"
}

within 120 "$denoise" >progress 2>errors
result $? "without an input a clip is made and filtered"
grep -q '^250 frames in [0-9.]* s, [0-9.]* frames/s$' errors \
  && grep -q '^glopencldenoise: .* ms of kernels a frame$' errors \
  && grep -q '^1 of 1 tracks of sound$' errors
result $? "a summary says what was done"
gst-discoverer-1.0 noisy-denoised.mkv >errors 2>&1
grep -q '^ *video.*H.264' errors && grep -q '^ *audio.*Opus' errors \
  && grep -q 'Duration: 0:00:10\.' errors
result $? "there are the video and the sound, to the end"

# What follows needs no more than a second.
ffmpeg -v error -t 1 -i noisy.mkv -map 0 -c copy short.mkv
within 120 "$denoise" --quality 8 short.mkv fine.mkv >/dev/null 2>errors \
  && within 120 "$denoise" --quality 30 short.mkv poor.mkv >/dev/null 2>errors \
  && [ $(($(wc -c <poor.mkv) * 3)) -lt "$(wc -c <fine.mkv)" ]
result $? "a better quality is larger"
within 120 "$denoise" --strength 0.5 short.mkv weak.mkv >/dev/null 2>errors \
  && within 120 "$denoise" --strength 2 short.mkv hard.mkv >/dev/null 2>errors \
  && [ "$(wc -c <hard.mkv)" -lt "$(wc -c <weak.mkv)" ]
result $? "a stronger filter leaves less to encode"
within 120 "$denoise" --preset grain short.mkv grain.mkv >/dev/null 2>errors \
  && within 120 "$denoise" --preset normal short.mkv normal.mkv >/dev/null \
    2>errors && [ "$(wc -c <normal.mkv)" -lt "$(wc -c <grain.mkv)" ]
result $? "a preset sets the filter"
# A terminal has a line for each tenth of a second.
script -qec "timeout $(scale 120) '$denoise' short.mkv shown.mkv" /dev/null </dev/null \
  >progress 2>&1 && grep -q ', noise [1-9][0-9]*\.[0-9]' progress
result $? "the noise that is found is shown"
script -qec "timeout $(scale 120) '$denoise' --noise 7.5 short.mkv given.mkv" /dev/null \
  </dev/null >progress 2>&1 && grep -q ', noise 7\.5' progress \
  && ! grep -q ', noise [^7]' progress && ! grep -q 'no noise found' progress
result $? "or the noise that is given"
within 120 "$denoise" --noise 1 short.mkv less.mkv >/dev/null 2>errors \
  && within 120 "$denoise" --noise 30 short.mkv more.mkv >/dev/null 2>errors \
  && [ "$(wc -c <more.mkv)" -lt "$(wc -c <less.mkv)" ]
result $? "more noise leaves less to encode"
hint='no noise found, --noise 5 sets it by hand'
ffmpeg -v error -f lavfi -i "color=gray:s=320x240:r=25:d=0.4" -c:v ffv1 clean.mkv
within 120 "$denoise" clean.mkv hinted.mkv >/dev/null 2>errors \
  && grep -qx "$hint" errors
result $? "a clean film has a hint"
for arguments in "--noise 5" "--strength 0" "--preset normal" \
    "--filter glopencldenoise"; do
  # shellcheck disable=SC2086
  within 120 "$denoise" --force $arguments clean.mkv hinted.mkv >/dev/null \
    2>errors && ! grep -q "$hint" errors || break
done
[ "$arguments" = "--filter glopencldenoise" ] && ! grep -q "$hint" errors \
  && within 120 "$denoise" --force short.mkv hinted.mkv >/dev/null 2>errors \
  && ! grep -q "$hint" errors
result $? "none where it does not help: $arguments"

gst-launch-1.0 -q videotestsrc num-buffers=40 ! video/x-raw,width=320,height=240 \
  ! jpegenc ! avimux ! filesink location=whole.avi 2>errors
within 120 "$denoise" whole.avi silent.MKV >/dev/null 2>errors
result $? "a file without sound is filtered"
echo 'kernel void two (write_only image2d_t target, unsigned int index,
  read_only image2d_t first, read_only image2d_t second) { }' >two.cl
for filter in "glopenclkernel location=two.cl" \
    'glopenclchain operations="sharpen ! kernel location=two.cl"'; do
  within 60 "$denoise" --filter "$filter" whole.avi wrong.mkv >/dev/null \
    2>errors
  [ $? = 1 ] && grep -q "two.cl has other arguments than it gets" errors \
    && [ ! -e wrong.mkv ]
  result $? "a kernel with other arguments: $filter"
done

strange=$(printf -- '-odd \\ na!me\t! "x" ! filesink location=keep.mkv .avi')
mkdir "a folder"
cp -- whole.avi "$strange"
echo precious >keep.mkv
within 120 "$denoise" "$strange" "a folder/$strange.mkv" >/dev/null 2>errors \
  && [ -s "a folder/$strange.mkv" ] && [ "$(cat keep.mkv)" = precious ]
result $? "names may have anything in them"
within 120 "$denoise" "$strange" >/dev/null 2>errors \
  && [ -s "./${strange%.avi}-denoised.mkv" ]
result $? "also where the output is named by itself"

umask 027
mkdir elsewhere
ln -s elsewhere/target.mkv link.mkv
within 120 "$denoise" whole.avi link.mkv >/dev/null 2>errors \
  && [ -h link.mkv ] && [ -s elsewhere/target.mkv ]
result $? "a symbolic link is followed"
[ "$(stat -c %a elsewhere/target.mkv)" = 640 ]
result $? "the file has the usual mode"
chmod 604 elsewhere/target.mkv
within 120 "$denoise" --force whole.avi elsewhere/target.mkv >/dev/null 2>errors \
  && [ "$(stat -c %a elsewhere/target.mkv)" = 604 ]
result $? "the mode of a file that is replaced stays"

echo precious >keep.mkv
"$denoise" whole.avi keep.mkv >/dev/null 2>errors </dev/null
[ $? = 1 ] && grep -q 'keep.mkv: it is there already; --force replaces it' errors \
  && [ "$(cat keep.mkv)" = precious ]
result $? "what is there is not replaced"
# ask ANSWER: returns what the program returns that asks on a terminal.
ask () {
  echo precious >keep.mkv
  rm -f answered
  {
    sleep 2
    echo "$1"
    until [ -f answered ]; do sleep 0.2; done
  } | {
    # The program has to stay in the foreground of its terminal.
    within 60 script -qec "exec '$denoise' whole.avi keep.mkv" /dev/null \
      >errors 2>&1
    echo $? >answered
  }
  grep -q 'keep.mkv is there already. Replace it?' errors || return 99
  return "$(cat answered)"
}
ask n
[ $? = 1 ] && [ "$(cat keep.mkv)" = precious ]
result $? "a terminal is asked, and no means no"
ask y && [ "$(wc -c <keep.mkv)" -gt 1000 ]
result $? "and yes replaces it"

"$denoise" --help >errors 2>&1 && grep -q -e '--lossless' errors
result $? "--help lists the options"

# Longer than any of these tests takes.
gst-launch-1.0 -q videotestsrc num-buffers=500 \
  ! video/x-raw,width=1280,height=720 ! jpegenc quality=30 ! avimux \
  ! filesink location=long.avi 2>errors
for signal in TERM INT HUP QUIT; do
  echo precious >keep.mkv
  # What the one before said is not to be taken for this one's.
  : >errors
  # A shell ignores some for what is in its background.
  env --default-signal=$signal "$denoise" --force long.avi keep.mkv >/dev/null \
    2>errors &
  pid=$!
  while ! grep -q '^Filtering' errors; do sleep 0.1; done
  sleep 0.5
  kill -s $signal $pid
  within 1 tail --pid=$pid -s 0.1 -f /dev/null && grep -q '^glopencl-denoise: interrupted; keep.mkv was not written$' \
    errors && [ "$(cat keep.mkv)" = precious ] && is_tidy
  result $? "SIG$signal ends it within a second, and nothing is left"
done
echo precious >keep.mkv
: >errors
env --ignore-signal=HUP "$denoise" --force long.avi keep.mkv >/dev/null 2>errors &
pid=$!
while ! grep -q '^Filtering' errors; do sleep 0.1; done
kill -s HUP $pid
sleep 0.5
kill -0 $pid 2>/dev/null
result $? "what is started with nohup goes on"
kill -s KILL $pid
wait $pid 2>/dev/null
sleep 0.2
rm -f .keep.mkv-*.part
# Somebody puts a link in the place of what is being written.
echo precious >private.txt
"$denoise" noisy.mkv linked.mkv >/dev/null 2>errors &
pid=$!
while [ -z "$(find . -name '.linked.mkv-*.part' -size +0)" ]; do sleep 0.1; done
part=$(find . -name '.linked.mkv-*.part')
[ "$(stat -c %a "$part")" = 600 ]
result $? "nobody else reads what is not complete"
ln -sf "$(pwd)/private.txt" "$part"
wait $pid
[ $? = 1 ] && grep -q 'another file in its place' errors \
  && [ "$(cat private.txt)" = precious ] && [ ! -e linked.mkv ]
result $? "a link in its place is not followed"
rm -f "$part"
(exec 2>&-; "$denoise" whole.avi unheard.mkv >/dev/null) && [ -s unheard.mkv ] \
  && { "$denoise" whole.avi unread.mkv 2>&1 | true; [ -s unread.mkv ]; }
result $? "it does not matter whether anybody reads what is said"

rm -f long.avi
"$denoise" --force whole.avi same.mkv >/dev/null 2>errors &
within 120 "$denoise" --force whole.avi same.mkv >/dev/null 2>errors2
status=$?
wait $! && [ $status = 0 ] \
  && gst-launch-1.0 -q filesrc location=same.mkv ! matroskademux ! h264parse \
    ! avdec_h264 ! fakesink 2>errors && is_tidy
result $? "two at a time do not harm each other"
# Without --force, what appears under the name while the film is filtered is kept.
"$denoise" whole.avi late.mkv >/dev/null 2>errors &
pid=$!
while [ -z "$(find . -name '.late.mkv-*.part')" ]; do sleep 0.1; done
echo precious >late.mkv
echo precious >late-2.mkv
wait $pid
[ $? = 1 ] && [ "$(cat late.mkv late-2.mkv | sort -u)" = precious ] \
  && grep -q 'late.mkv: a file of this name .* is in .*late-3.mkv$' errors \
  && ffprobe -v error late-3.mkv 2>errors && is_tidy
result $? "a file that appears in the meantime is kept, and so is the result"

head -c 100000 whole.avi >cut.avi
head -c $(($(wc -c <noisy.mkv) / 3)) noisy.mkv >cut.mkv
within 120 "$denoise" short.mkv clean.mp4 >/dev/null 2>errors
result $? "an mp4 is written"
head -c $(($(wc -c <clean.mp4) / 2)) clean.mp4 >cut.mp4
within 120 "$denoise" --partial cut.mkv part.mkv >/dev/null 2>errors \
  && grep -q '^Not kept: what is cut off' errors
result $? "--partial takes what there is of a cut-off file"
: >empty.mkv
echo "no video" >text.mkv
mkfifo pipe.mkv
mkdir "a folder/.mkv"
gst-launch-1.0 -q audiotestsrc num-buffers=50 ! vorbisenc ! oggmux \
  ! filesink location=sound.ogg 2>errors

fails "a missing file" "no such file" missing.mkv keep.mkv
fails "an empty file" "empty" empty.mkv keep.mkv
fails "a pipe" "has to be a file" pipe.mkv keep.mkv
fails "a text" "cannot be read as a film" text.mkv keep.mkv
fails "sound alone" "no video" sound.ogg keep.mkv
fails "a cut-off AVI" "damaged\|cut off" cut.avi keep.mkv
fails "a cut-off Matroska" "ends after" cut.mkv keep.mkv
fails "a cut-off MP4" "cannot be read as a film" cut.mp4 keep.mkv
fails "another container" "has to be a .mkv or .mp4" short.mkv out.webm
fails "the input as output" "another file" short.mkv short.mkv
fails "an output that is a folder" "it is a folder" short.mkv "a folder/.mkv"
fails "an output nowhere" "no such folder" short.mkv nowhere/out.mkv
if [ "$(id -u)" != 0 ]; then
  : >closed.mkv
  chmod 444 closed.mkv
  fails "an output that is read-only" "closed.mkv: Permission denied" \
    short.mkv closed.mkv
fi
fails "three files" "usage" short.mkv a.mkv b.mkv
fails "an option that is none" "--help" --nonsense short.mkv keep.mkv
fails "a value out of range" "from 0" --quality 77 short.mkv keep.mkv
fails "a codec that is none" "h264, h265" --codec mpeg short.mkv keep.mkv
fails "FFV1 in MP4" "only a .mkv" --lossless short.mkv keep.mp4
fails "a filter that is none" "nonsense" \
  --filter "glopenclfilter nonsense=1" short.mkv keep.mkv
fails "a value that the filter does not take" "spatial-sigma" \
  --filter "glopenclfilter spatial-sigma=100" short.mkv keep.mkv
fails "a strength out of range" "from 0 to 10" --strength -1 short.mkv keep.mkv
fails "a noise out of range" "from 0 to 255" --noise 300 short.mkv keep.mkv
fails "a noise for another filter" "neither" --noise 5 \
  --preset grain short.mkv keep.mkv
fails "a strength for another filter" "neither" --strength 1 \
  --filter glopenclfilter short.mkv keep.mkv
fails "a preset that is none" "there are: grain, light, normal, strong" \
  --preset nonsense short.mkv keep.mkv
case ${LD_PRELOAD:-} in
  *asan*) ;;  # It needs any amount of address space.
  *)
    # shellcheck disable=SC3045
    (ulimit -v 600000
     fails "too little memory" "was not written" short.mkv keep.mkv)
    n=$((n + 1)) ;;
esac
(ulimit -f 50
 trap '' XFSZ
 fails "a full disk" "was not written" short.mkv keep.mkv)
n=$((n + 1))

plan
