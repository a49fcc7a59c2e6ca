#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/denoise.sh on good and bad input: denoise-test.sh PIPELINES_FOLDER
#
# Prints TAP. GLOPENCL_BUILD names the folder where the plugin is built.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"

# fails NAME WORDS ARGUMENT...: one line that has WORDS, and keep.mkv is kept.
fails () {
  name=$1 words=$2
  shift 2
  echo precious >keep.mkv
  if timeout 60 "$denoise" "$@" >/dev/null 2>errors; then
    result 1 "$name fails"
    return
  fi
  grep -v -e '^Filtering ' -e '^Making ' errors >lines
  [ "$(wc -l <lines)" = 1 ] && grep -q "$words" lines \
    && [ "$(cat keep.mkv)" = precious ] \
    && [ -z "$(find . -name '*.part')" ]
  result $? "$name: $(cat lines)"
}

timeout 120 "$denoise" >progress 2>errors
result $? "without an input a clip is made and filtered"
grep -q '100.0 %' progress
result $? "progress is shown"
gst-discoverer-1.0 noisy-denoised.mkv >errors 2>&1
grep -q '^ *video.*H.264' errors
result $? "there is video in the result"
grep -q '^ *audio.*Opus' errors
result $? "there is sound in the result"
grep -q '^ *video.*H.264 (High Profile)\|profile=(string)high,' errors
result $? "it is a profile that players know"
grep -q 'Duration: 0:00:10\.' errors
result $? "nothing is missing at the end"

timeout 120 "$denoise" noisy.mkv clean.mp4 >/dev/null 2>errors
result $? "an mp4 is written"

gst-launch-1.0 -q videotestsrc num-buffers=40 ! video/x-raw,width=320,height=240 \
  ! jpegenc ! avimux ! filesink location=whole.avi 2>errors
timeout 120 "$denoise" whole.avi silent.mkv >/dev/null 2>errors
result $? "a file without sound is filtered"

mkdir "a folder"
cp whole.avi './-odd \ na!me.avi'
timeout 120 "$denoise" '-odd \ na!me.avi' 'a folder/-re sult.mkv' >/dev/null \
  2>errors
result $? "names may have anything in them"
[ -s 'a folder/-re sult.mkv' ] && [ -z "$(find . -name '*.part')" ]
result $? "nothing else is left behind"

gst-launch-1.0 -q videotestsrc num-buffers=20 ! video/x-raw,width=321,height=241 \
  ! pngenc ! avimux ! filesink location=odd.avi 2>errors
timeout 120 "$denoise" odd.avi odd.mkv >/dev/null 2>errors
result $? "an odd size is filtered"

head -c 100000 whole.avi >cut.avi
head -c $(($(wc -c <noisy.mkv) / 3)) noisy.mkv >cut.mkv
head -c $(($(wc -c <clean.mp4) / 2)) clean.mp4 >cut.mp4
: >empty.mkv
echo "no video" >text.mkv
mkdir "a folder/.mkv"
gst-launch-1.0 -q audiotestsrc num-buffers=50 ! vorbisenc ! oggmux \
  ! filesink location=sound.ogg 2>errors

fails "a missing file" "no such file" missing.mkv keep.mkv
fails "an empty file" "empty" empty.mkv keep.mkv
fails "a text" "cannot decode" text.mkv keep.mkv
fails "sound alone" "no video" sound.ogg keep.mkv
fails "a cut-off AVI" "cut off" cut.avi keep.mkv
fails "a cut-off Matroska" "ends after" cut.mkv keep.mkv
fails "a cut-off MP4" "cannot decode" cut.mp4 keep.mkv
fails "another container" "has to be a .mkv or .mp4" noisy.mkv out.wmv
fails "the input as output" "another file" noisy.mkv noisy.mkv
fails "an output that is a folder" "it is a folder" noisy.mkv "a folder/.mkv"
fails "an output nowhere" "cannot be written" noisy.mkv nowhere/out.mkv
fails "three files" "usage" noisy.mkv a.mkv b.mkv
FILTER=nonsense=1
export FILTER
fails "a filter that is none" "nonsense" noisy.mkv keep.mkv

plan
