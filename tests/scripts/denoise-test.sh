#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/denoise.sh on good and bad input, interrupted, and two at a time:
# denoise-test.sh PIPELINES_FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"

# A filter that takes long, and little of a processor.
slow="identity sleep-time=40000 ! glopenclfilter radius=1"

is_tidy () {
  [ -z "$(find . -name '*.part*')" ]
}

# denoise ARGUMENT...: writes messages to the file errors.
denoise () {
  within 120 "$denoise" --force "$@" >/dev/null 2>errors
}

# is_smaller NAME OPTIONS WITH_MORE: with other options there is less to encode.
is_smaller () {
  # shellcheck disable=SC2086
  denoise $2 short.mkv more.mkv && denoise $3 short.mkv less.mkv \
    && [ "$(wc -c <less.mkv)" -lt "$(wc -c <more.mkv)" ]
  result $? "$1"
}

# fails NAME WORDS ARGUMENT...: one line that has WORDS, and keep.mkv is kept.
fails () {
  name=$1 words=$2
  shift 2
  echo precious >keep.mkv
  if denoise "$@"; then
    result 1 "$name fails"
    return
  fi
  # On a busy machine there are lines of progress.
  grep -v -e '^Filtering ' -e '^Compiling ' -e ' frames/s' errors >lines
  [ "$(wc -l <lines)" = 1 ] && grep -q -e "$words" lines \
    && [ "$(cat keep.mkv)" = precious ] && is_tidy
  result $? "$name: $(cat lines)"
}

# start OPTION... INPUT OUTPUT: in the background, with a filter that takes long,
# until the output is begun. $run comes before it.
run=
start () {
  $run "$denoise" --filter "$slow" "$@" >/dev/null 2>errors &
  pid=$!
  while kill -0 $pid 2>/dev/null \
      && [ -z "$(find . -name '.*.mkv-*.part' -size +0)" ]; do
    sleep 0.1
  done
}

# A small clip like that of the script, which uses an existing one.
ffmpeg -v error -f lavfi -i "testsrc2=s=96x64:r=25:d=2,noise=alls=20:allf=t" \
  -f lavfi -i sine=d=2 -c:v libx264 -pix_fmt yuv420p -c:a libopus noisy.mkv
ffmpeg -v error -t 1 -i noisy.mkv -map 0 -c copy short.mkv
ffmpeg -v error -f lavfi -i "color=gray:s=96x64:r=25:d=0.4" -c:v ffv1 clean.mkv
ffmpeg -v error -f lavfi -i "testsrc2=s=96x64:r=25:d=0.4" -pix_fmt yuv420p \
  -c:v mjpeg whole.avi

within 120 "$denoise" >progress 2>errors
result $? "without an input a clip is filtered"
grep -q '^50 frames in [0-9.]* s, [0-9.]* frames/s$' errors \
  && grep -q '^glopencldenoise: .* ms of kernels a frame$' errors \
  && grep -q '^1 of 1 tracks of sound$' errors
result $? "a summary says what was done"
gst-discoverer-1.0 noisy-denoised.mkv >errors 2>&1
grep -q '^ *video.*H.264' errors && grep -q '^ *audio.*Opus' errors \
  && grep -q 'Duration: 0:00:02\.' errors
result $? "there are the video and the sound, to the end"

denoise --quality 8 short.mkv fine.mkv && denoise --quality 30 short.mkv poor.mkv \
  && [ $(($(wc -c <poor.mkv) * 3)) -lt "$(wc -c <fine.mkv)" ]
result $? "a better quality is larger"
is_smaller "a stronger filter leaves less to encode" "--strength 0.5" "--strength 2"
is_smaller "a preset sets the filter" "--preset grain" "--preset normal"
is_smaller "more noise leaves less to encode" "--noise 1" "--noise 30"
# A terminal has some lines for each second.
ffmpeg -v error -stream_loop 19 -i noisy.mkv -c copy -fflags +genpts long.mkv
shown () {
  script -qec "timeout $(scale 120) '$denoise' --force $1 long.mkv shown.mkv" \
    /dev/null </dev/null >progress 2>&1
}
shown "" && grep -q ', noise [1-9][0-9]*\.[0-9]' progress
result $? "the noise that is found is shown"
shown "--noise 7.5" && grep -q ', noise 7\.5' progress \
  && ! grep -q ', noise [^7]' progress && ! grep -q 'No noise found' progress
result $? "or the noise that is given"
hint='No noise found. Use --noise 5 to set it by hand'
denoise clean.mkv hinted.mkv && grep -qx "$hint" errors
result $? "a clean film has a hint"
while read -r input arguments; do
  # shellcheck disable=SC2086
  denoise $arguments $input.mkv hinted.mkv && ! grep -q "$hint" errors
  result $? "none where it does not help: $input.mkv $arguments"
done <<END
clean --noise 5
clean --strength 0
clean --preset normal
clean --filter glopencldenoise
short
END

check "a file without sound is filtered" denoise whole.avi silent.MKV
echo 'kernel void two (write_only image2d_t target, unsigned int index,
  read_only image2d_t first, read_only image2d_t second) { }' >two.cl
for filter in "glopenclkernel location=two.cl" \
    'glopenclchain operations="sharpen ! kernel location=two.cl"'; do
  denoise --filter "$filter" whole.avi wrong.mkv
  [ $? = 1 ] && grep -q "two.cl has other arguments than it gets" errors \
    && [ ! -e wrong.mkv ]
  result $? "a kernel with other arguments: $filter"
done

strange=$(printf -- '-odd \\ na!me\t! "x" ! filesink location=keep.mkv .avi')
mkdir "a folder"
cp -- whole.avi "$strange"
echo precious >keep.mkv
denoise "$strange" "a folder/$strange.mkv" \
  && [ -s "a folder/$strange.mkv" ] && [ "$(cat keep.mkv)" = precious ]
result $? "names may have anything in them"
denoise "$strange" && [ -s "./${strange%.avi}-denoised.mkv" ]
result $? "also where the output is named by itself"

umask 027
mkdir elsewhere
ln -s elsewhere/target.mkv link.mkv
within 120 "$denoise" whole.avi link.mkv >/dev/null 2>errors \
  && [ -h link.mkv ] && [ -s elsewhere/target.mkv ]
result $? "a symbolic link is followed"
check "the file has the usual mode" [ "$(stat -c %a elsewhere/target.mkv)" = 640 ]
chmod 604 elsewhere/target.mkv
denoise whole.avi elsewhere/target.mkv \
  && [ "$(stat -c %a elsewhere/target.mkv)" = 604 ]
result $? "the mode of a file that is replaced stays"

echo precious >keep.mkv
"$denoise" whole.avi keep.mkv >/dev/null 2>errors </dev/null
[ $? = 1 ] && grep -q 'keep.mkv: already exists. Use --force to replace it' errors \
  && [ "$(cat keep.mkv)" = precious ]
result $? "what is there is not replaced"
# ask ANSWER: answers the question on a terminal, and returns the exit status.
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
  grep -q 'keep.mkv already exists. Replace it?' errors || return 99
  return "$(cat answered)"
}
ask n
[ $? = 1 ] && [ "$(cat keep.mkv)" = precious ]
result $? "a terminal is asked, and no means no"
ask y && [ "$(wc -c <keep.mkv)" -gt 1000 ]
result $? "and yes replaces it"

"$denoise" --help >errors 2>&1 && grep -q -e '--lossless' errors
result $? "--help lists the options"

for signal in TERM INT HUP QUIT; do
  echo precious >keep.mkv
  # A shell ignores some signals for background processes.
  run="env --default-signal=$signal"
  start --force noisy.mkv keep.mkv
  kill -s $signal $pid
  within 1 tail --pid=$pid -s 0.1 -f /dev/null && grep -q \
    '^glopencl-denoise: interrupted (keep.mkv was not written)$' errors \
    && [ "$(cat keep.mkv)" = precious ] && is_tidy
  result $? "SIG$signal ends it within a second, and nothing is left"
done
echo precious >keep.mkv
run="env --ignore-signal=HUP"
start --force noisy.mkv keep.mkv
run=
kill -s HUP $pid
sleep 0.5
check "what is started with nohup goes on" kill -0 $pid 2>/dev/null
kill -s KILL $pid
wait $pid 2>/dev/null
sleep 0.2
rm -f .keep.mkv-*.part
# The unfinished output is replaced by a link.
echo precious >private.txt
start noisy.mkv linked.mkv
part=$(find . -name '.linked.mkv-*.part')
check "nobody else reads what is not complete" [ "$(stat -c %a "$part")" = 600 ]
ln -sf "$(pwd)/private.txt" "$part"
wait $pid
[ $? = 1 ] && grep -q 'replaced by another file' errors \
  && [ "$(cat private.txt)" = precious ] && [ ! -e linked.mkv ]
result $? "a link in its place is not followed"
rm -f "$part"
(exec 2>&-; "$denoise" whole.avi unheard.mkv >/dev/null) && [ -s unheard.mkv ] \
  && { "$denoise" whole.avi unread.mkv 2>&1 | true; [ -s unread.mkv ]; }
result $? "it does not matter whether anybody reads what is said"
start --force noisy.mkv same.mkv
within 120 "$denoise" --force --filter "$slow" whole.avi same.mkv >/dev/null \
  2>errors2
status=$?
wait $pid && [ $status = 0 ] && ffmpeg -v error -xerror -i same.mkv -f null - \
  2>errors && is_tidy
result $? "two at a time do not harm each other"
# Without --force, a file that appears under the name during filtering is kept.
start noisy.mkv late.mkv
echo precious >late.mkv
echo precious >late-2.mkv
wait $pid
[ $? = 1 ] && [ "$(cat late.mkv late-2.mkv | sort -u)" = precious ] \
  && grep -q 'late.mkv: a file of this name .* is in .*late-3.mkv$' errors \
  && ffprobe -v error late-3.mkv 2>errors && is_tidy
result $? "a file that appears in the meantime is kept, and so is the result"

ffmpeg -v error -i noisy.mkv -an -c:v mjpeg noisy.avi
head -c $(($(wc -c <noisy.avi) / 3)) noisy.avi >cut.avi
head -c $(($(wc -c <noisy.mkv) / 3)) noisy.mkv >cut.mkv
check "an mp4 is written" denoise short.mkv clean.mp4
head -c $(($(wc -c <clean.mp4) / 2)) clean.mp4 >cut.mp4
denoise --partial cut.mkv part.mkv && grep -q '^Not kept: truncated data' errors
result $? "--partial takes what there is of a cut-off file"
: >empty.mkv
echo "no video" >text.mkv
mkfifo pipe.mkv
mkdir "a folder/.mkv"
ffmpeg -v error -f lavfi -i sine=d=1 -c:a libvorbis sound.ogg

while IFS='|' read -r name words arguments; do
  eval "fails \"\$name\" \"\$words\" $arguments"
done <<'END'
a missing file|no such file|missing.mkv keep.mkv
an empty file|empty|empty.mkv keep.mkv
a pipe|is a pipe, and seeking in it|pipe.mkv keep.mkv
a text|cannot be read as a video|text.mkv keep.mkv
sound alone|no video|sound.ogg keep.mkv
a truncated AVI|truncated|cut.avi keep.mkv
a truncated Matroska|ends after|cut.mkv keep.mkv
a truncated MP4|cannot be read as a video|cut.mp4 keep.mkv
another container|must be .mkv, .mp4, .webm or .mov|short.mkv out.avi
the input as output|a different file|short.mkv short.mkv
an output that is a folder|is a folder|short.mkv "a folder/.mkv"
an output nowhere|no such folder|short.mkv nowhere/out.mkv
three files|usage|short.mkv a.mkv b.mkv
an option that is none|--help|--nonsense short.mkv keep.mkv
a value out of range|from 0|--quality 77 short.mkv keep.mkv
a codec that is none|h264, h265|--codec mpeg short.mkv keep.mkv
FFV1 in MP4|FFV1 requires .mkv|--lossless short.mkv keep.mp4
a filter that is none|nonsense|--filter "glopenclfilter nonsense=1" short.mkv keep.mkv
a value that the filter does not take|spatial-sigma|--filter "glopenclfilter spatial-sigma=100" short.mkv keep.mkv
a strength out of range|from 0 to 10|--strength -1 short.mkv keep.mkv
a noise out of range|from 0 to 255|--noise 300 short.mkv keep.mkv
a noise for another filter|default filter only|--noise 5 --preset grain short.mkv keep.mkv
a strength for another filter|default filter only|--strength 1 --filter glopenclfilter short.mkv keep.mkv
a preset that is none|Available: .*grain, light, normal, strong|--preset nonsense short.mkv keep.mkv
END
if [ "$(id -u)" != 0 ]; then
  : >closed.mkv
  chmod 444 closed.mkv
  fails "an output that is read-only" "closed.mkv: Permission denied" \
    short.mkv closed.mkv
fi
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
 fails "a full disk" "File too large" --lossless --filter identity short.mkv \
   keep.mkv)
n=$((n + 1))

plan
