#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Previews, pipes, encoders and interrupted runs of glopencl-denoise:
# film-tool-test.sh PIPELINES_FOLDER
#
# Prints TAP. FFmpeg makes the films and reads the outputs. GLOPENCL_BUILD names
# the build folder of the plugin.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"
if ! command -v ffmpeg >/dev/null; then
  echo "1..0 # SKIP no ffmpeg"
  exit 0
fi

# filter ARGUMENT...: messages go to the file errors.
filter () {
  within 120 "$denoise" --force "$@" 2>errors
}

# sums FILE [STREAM]: the checksum of each frame.
sums () {
  ffmpeg -nostdin -v error -i "$1" -map "0:${2:-v:0}" -fps_mode passthrough \
    -f framemd5 - | sed -n '/^#/!s/.*, *//p'
}

# stream FILE ENTRIES [STREAM]: values of a stream, by commas.
stream () {
  ffprobe -v error -select_streams "${3:-v:0}" -show_entries "stream=$2" \
    -of csv=p=0 "$1" | head -n 1 | sed 's/,*$//'
}

# is_named WORDS...: a message reports the loss.
is_named () {
  grep -q "^Not kept: .*$*" errors
}

# is_range FILE FILM FIRST NUMBER: the frames are those of the film, from the
# number FIRST on.
is_range () {
  sums "$1" >frames1
  sums "$2" | tail -n +"$3" | head -n "$4" >frames2
  [ "$(wc -l <frames1)" = "$4" ] && cmp frames1 frames2 >>errors
}

cat >chapters.txt <<'END'
;FFMETADATA1
title=Film
[CHAPTER]
TIMEBASE=1/1000
START=0
END=1000
title=First
[CHAPTER]
TIMEBASE=1/1000
START=1000
END=2500
title=Second
[CHAPTER]
TIMEBASE=1/1000
START=2500
END=4000
title=Third
END
printf '1\n00:00:00,500 --> 00:00:01,600\nearly\n
2\n00:00:01,800 --> 00:00:02,000\nwithin\n
3\n00:00:03,000 --> 00:00:03,500\nlate\n' >film.srt
picture="testsrc2=s=96x64:r=25:d=4,noise=alls=20:allf=t"
ffmpeg -v error -f lavfi -i "$picture" -f lavfi -i sine=d=4 -i film.srt \
  -i chapters.txt -map 0 -map 1 -map 2 -map_metadata 3 -c:v libx264 -g 25 \
  -pix_fmt yuv420p -c:a aac -c:s srt film.mkv
ffmpeg -v error -i film.mkv -map 0:v -map 0:a -c copy film.mp4 \
  -map 0:v -map 0:a -c copy film.ts -map 0:v -map 0:a -c copy film.mov \
  -map 0:v -map 0:v -map 0:a -c copy two.mkv -map 0:v -pix_fmt yuv420p film.y4m \
  -map 0:v -c copy -bsf:v h264_mp4toannexb film.h264

# The filter reads frames before and after each.
temporal="glopencldenoise lookahead=2"
filter --filter "$temporal" --lossless film.mkv whole.mkv
sums whole.mkv >whole.sums
for film in film.mkv film.mp4 film.mov film.ts film.y4m film.h264; do
  filter --filter "$temporal" --lossless --start 1.5 --duration 0:00:00.4 \
    $film range.mkv
  first=$(sums range.mkv | head -n 1)
  first=$(grep -n -m 1 -x -F "$first" whole.sums | cut -d : -f 1)
  # The first timestamp of a film may be that of its sound.
  [ "${first:-0}" -ge 37 ] && [ "$first" -le 40 ] \
    && is_range range.mkv whole.mkv "$first" 10
  result $? "$film: a preview has frames of the film, as the film has them"
done

for film in film.mkv film.mp4 film.mov; do
  preview=${film%.*}-preview.${film#*.}
  filter --filter identity --start 1.5 --duration 1 $film \
    && ffprobe -v error -show_entries format=format_name,duration:stream=start_time \
      -of csv=p=0 "$preview" >errors
  [ "$(stream "$preview" codec_name a:0)" = aac ] \
    && [ "$(sums "$preview" | wc -l)" = 25 ] \
    && awk -F , 'NF == 1 && $1 > 0.05 { bad = 1 } END {
      exit bad || $NF > 1.1 || $NF < 0.9 }' errors
  result $? "$film: its preview has the container, the sound and the length"
done
ffprobe -v error -show_chapters film-preview.mkv | grep -e title -e _time >errors
printf '%s\n' start_time=0.000000 end_time=1.000000 TAG:title=Second \
  | diff - errors >>errors
result $? "a preview has the chapters of its range"
ffmpeg -v error -i film-preview.mkv -map 0:s -f srt - >errors
grep -q early errors && grep -q within errors && ! grep -q late errors \
  && grep -q '00:00:00,000 --> 00:00:00,1' errors
result $? "and the subtitles, also one that begins before it"
filter --filter identity --duration 1 two.mkv && is_named "video 2 (H.264)"
result $? "a second video is named"
filter --filter identity --duration 1 film.ts && [ -s film-preview.mkv ]
result $? "a film whose container is not written becomes a .mkv"

# crop FILE PLACE: the sums of half of each frame.
crop () {
  ffmpeg -nostdin -v error -i "$1" -map 0:v:0 -vf "crop=48:64:$2:0" -frames:v 10 \
    -fps_mode passthrough -f framemd5 - | sed -n '/^#/!s/.*, *//p'
}
for film in film.mkv ten.mkv; do
  [ -e $film ] || ffmpeg -v error -f lavfi -i "$picture" -c:v ffv1 \
    -pix_fmt yuv422p10le -t 1 ten.mkv
  filter --filter "$temporal" --lossless --compare --duration 0.4 $film half.mkv
  filter --filter "$temporal" --lossless --duration 0.4 $film all.mkv
  crop half.mkv 0 >left && crop $film 0 | cmp - left >>errors
  result $? "$film: --compare leaves the left half as it was"
  crop half.mkv 48 >right && crop all.mkv 48 | cmp - right >>errors \
    && ! crop $film 48 | cmp -s - right
  result $? "$film: and filters the right half"
done

# Pipes.
filter --filter identity film.mkv - >piped.y4m
head -n 1 piped.y4m | grep -q '^YUV4MPEG2 W96 H64 F25:1 ' \
  && is_range piped.y4m film.mkv 1 100
result $? "standard output has the frames and the rate"
for words in "audio 1" "subtitles 1" "3 chapters" "tags of the file"; do
  check "what y4m does not have is named: $words" is_named "$words"
done
filter --filter identity film.mkv - | filter --filter identity --lossless - \
  back.mkv && is_range back.mkv film.mkv 1 100 \
  && grep -q '^y4m contains frames only' errors
result $? "and standard input takes them"
while read -r format; do
  ffmpeg -nostdin -v error -y -f lavfi -i "$picture" -c:v ffv1 -pix_fmt "$format" \
    -t 0.2 deep.mkv
  filter --filter identity deep.mkv - >deep.y4m && is_range deep.y4m deep.mkv 1 5 \
    && filter --filter identity --lossless - back.mkv <deep.y4m \
    && is_range back.mkv deep.mkv 1 5
  result $? "$format goes through both pipes"
done <<END
gray
yuv420p
yuv422p
yuv444p
yuv420p10le
yuv422p10le
yuv444p12le
gray16le
END
make_hdr () {
  ffmpeg -nostdin -v error -y -f lavfi -i "$picture" -t 0.4 -pix_fmt yuv420p10le \
    -c:v libx265 -x265-params log-level=error:hdr-opt=1:repeat-headers=1:\
colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:\
master-display="G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)\
L(10000000,1)":max-cll=1000,400 hdr.mkv
}
make_hdr
filter --filter identity hdr.mkv - >hdr.y4m \
  && is_named "colours and HDR metadata of video 1" \
  && grep -q -e '--colorprim bt2020 --transfer smpte2084 --colormatrix bt2020nc' \
    errors && grep -q -e '--max-cll "1000,400"' errors
result $? "HDR10 in y4m: what it does not have is named, as options of x265"
ffmpeg -v error -i film.mkv -vf "select=lt(mod(n\,5)\,3)" -fps_mode vfr -c:v ffv1 \
  -t 2 rates.mkv
filter --filter identity rates.mkv - >rates.y4m && is_named "timestamps of video 1"
result $? "other times than those of a rate are named"
ffmpeg -v error -i film.mkv -t 1 -vf tinterlace=interleave_top -c:v ffv1 \
  -flags +ilme+ildct -field_order tt fields.mkv
filter --filter identity fields.mkv - | head -c 100 >errors
head -n 1 errors | grep -q ' It '
result $? "fields are kept in y4m"
"$denoise" --filter identity film.mkv - 2>errors | head -c 1000 >/dev/null
grep -q 'standard output is incomplete' errors
result $? "a program that ends early is named"
head -c 100000 film.y4m | filter --filter identity - cut.mkv
[ $? = 1 ] && grep -q 'truncated' errors && [ ! -e cut.mkv ]
result $? "y4m that ends within a frame is cut off"
head -c 100000 film.y4m >cut.y4m
filter --filter identity cut.y4m cut.mkv
[ $? = 1 ] && grep -q 'truncated' errors && [ ! -e cut.mkv ]
result $? "and so is a file"
(exec >&-; filter --filter identity film.mkv -)
check "a closed standard output is no crash" grep -q . errors

# Encoders and containers.
has_encoder () {
  ffmpeg -hide_banner -encoders 2>/dev/null | grep -q "$1"
}
if has_encoder libsvtav1 || has_encoder libaom-av1; then
  for output in av1.mkv av1.mp4 av1.webm; do
    filter --filter identity --codec av1 --duration 0.4 hdr.mkv $output
    ffprobe -v error -show_streams -show_frames $output >said
    [ "$(stream $output codec_name,pix_fmt)" = av1,yuv420p10le ] \
      && [ "$(sums $output | wc -l)" = 10 ] && grep -q smpte2084 said \
      && { grep -q 'max_content=1000' said || is_named; }
    result $? "$output: AV1 with 10 bits and HDR metadata"
  done
fi
filter --filter identity film.mkv film.webm
[ "$(stream film.webm codec_name)" = vp9 ] \
  && [ "$(stream film.webm codec_name a:0)" = opus ] \
  && [ "$(stream film.webm codec_name s:0)" = webvtt ] \
  && [ "$(ffprobe -v error -show_entries format_tags=title -of csv=p=0 \
    film.webm)" = Film ] && grep -q 'is converted to Opus' errors
result $? "a .webm has VP9, Opus and WebVTT"
filter --filter identity film.mkv out.mov
[ "$(stream out.mov codec_name,codec_tag_string)" = h264,avc1 ] \
  && [ "$(stream out.mov codec_name a:0)" = aac ] \
  && [ "$(stream out.mov codec_name s:0)" = mov_text ] \
  && ffprobe -v error -show_entries format=format_name:format_tags=title \
    -of csv=p=0 out.mov | grep -q Film
result $? "a .mov has H.264, AAC and timed text"
while read -r codec suffix fast slow; do
  [ "$codec" != av1 ] || has_encoder libsvtav1 || continue
  for speed in $fast $slow; do
    filter --filter identity --codec "$codec" --speed "$speed" --duration 1 \
      film.mkv "$speed.$suffix"
  done
  [ "$(wc -c <"$slow.$suffix")" -lt "$(wc -c <"$fast.$suffix")" ]
  result $? "--speed $slow of $codec makes less than $fast"
done <<END
h264 mkv ultrafast medium
h265 mkv ultrafast slow
vp9 webm 8 2
av1 mp4 12 6
END
filter --filter identity --quality 0 film.mkv size.mkv
tail -n 1 errors | grep -q '^[0-9.]* kB, input [0-9.]* kB\. Use --quality 5' \
  || tail -n 1 errors \
    | grep -q '^[0-9.]* MB, input [0-9.]* kB\. Use --quality 5 for a smaller file$'
result $? "the last line compares the sizes"
filter --filter identity --quality 40 film.mkv size.mkv
tail -n 1 errors | grep -q '^[0-9.]* kB, input [0-9.]* kB$'
result $? "and has no hint where the film is smaller"

# Long films are written in parts, but at once with elements of other plugins. far.ts
# has one key frame.
ffmpeg -v error -f lavfi -i "testsrc2=s=64x48:r=2:d=200,noise=alls=20:allf=t" \
  -f lavfi -i sine=d=200 -c:v libx264 -g 40 -pix_fmt yuv420p -c:a aac long.mkv
ffmpeg -v error -i long.mkv -map 0:v -c copy long.ts -map 0:v -c:v libx264 \
  -x264opts keyint=infinite:scenecut=0 far.ts
parts () {
  find . -path "./.$1-*.parts/*.nut" | sort
}
check "a long film is filtered" filter --filter "$temporal" --lossless long.mkv \
  once.mkv
grep -q '^Writing 3 parts' errors && [ -z "$(find . -name '.once*')" ]
result $? "in parts, of which nothing is left"
filter --filter "$temporal ! identity" --lossless long.mkv whole.mkv \
  && ! grep -q 'parts' errors && is_range once.mkv whole.mkv 1 400
result $? "its frames are those of a film that is written at once"
for film in long far; do
  filter --filter "$temporal ! identity" --lossless $film.ts whole.mkv
  filter --filter "$temporal" --lossless $film.ts $film.ts.mkv \
    && grep -q '^Writing 3 parts' errors && is_range $film.ts.mkv whole.mkv 1 400
  result $? "$film.ts: and so are those of a transport stream"
done
filter --filter "$temporal" --lossless --start 100 --duration 2 far.ts range.mkv \
  && is_range range.mkv whole.mkv 201 4
result $? "a preview far behind the key frame has the frames of the film"
filter --filter glopenclfilter long.mkv once.mkv
seed=$(date +%N)
echo "# seed $seed"
# interrupt SECONDS OUTPUT: also where the film is done earlier.
interrupt () {
  "$denoise" --filter glopenclfilter long.mkv "$2" >/dev/null 2>errors &
  pid=$!
  sleep "$1"
  kill $pid 2>/dev/null
  wait $pid
}
for run in 1 2 3 4 5; do
  [ -e often.mkv ] && break
  interrupt "$(awk -v s="$seed$run" 'BEGIN { srand (s); print 1 + 2 * rand () }')" \
    often.mkv
done
[ -e often.mkv ] || filter --filter glopenclfilter long.mkv often.mkv
is_range once.mkv often.mkv 1 400
result $? "five interrupts at random times change no frame"
check "and nothing is left" [ -z "$(find . -name '.often*')" ]

# begin OUTPUT [OPTION...]: ends a run after its first part.
begin () {
  output=$1
  shift
  rm -f "$output"
  "$denoise" --filter glopenclfilter "$@" long.mkv "$output" >/dev/null 2>errors &
  pid=$!
  for _ in $(seq "$(scale 300)"); do
    kill -0 $pid && [ -z "$(parts "$output")" ] || break
    sleep 0.1
  done
  kill $pid
  wait $pid
  [ -n "$(parts "$output")" ]
}
begin again.mkv && tail -n 1 errors | grep -q \
  '^[123] parts (.*) are kept in .*again.mkv-.*parts. Run the same command'
result $? "an interrupted run says what is left of it"
head -c 1000 "$(parts again.mkv | head -n 1)" >damaged
cp damaged "$(parts again.mkv | head -n 1)"
filter --filter glopenclfilter long.mkv again.mkv \
  && grep -q '^Resuming after [12] of 3 parts' errors && is_range once.mkv again.mkv 1 400 \
  && [ -z "$(find . -name '.again*')" ]
result $? "a damaged part is filtered again"
begin again.mkv && filter --restart --filter glopenclfilter long.mkv again.mkv \
  && grep -q '^Writing 3 parts' errors && is_range once.mkv again.mkv 1 400
result $? "--restart begins again"
begin again.mkv && filter --filter "glopenclfilter radius=1" long.mkv again.mkv \
  && grep -q '^Writing 3 parts' errors && [ -z "$(find . -name '.again*')" ]
result $? "other options do not use the parts, and what is left goes when it is done"
# preset RADIUS: the content of the preset mine.
mkdir presets
export GST_PRESET_PATH="$work/presets"
preset () {
  printf '[_presets_]\nversion=1\nelement-name=GstGLOpenCLFilter\n[mine]\nradius=%s\n' \
    "$1" >presets/GstGLOpenCLFilter.prs
}
preset 1
begin again.mkv --preset mine \
  && filter --filter glopenclfilter --preset mine long.mkv again.mkv \
  && grep -q '^Resuming after [12] of 3 parts' errors
result $? "a preset uses the parts"
begin again.mkv --preset mine && preset 2 \
  && filter --filter glopenclfilter --preset mine long.mkv again.mkv \
  && grep -q '^Writing 3 parts' errors \
  && filter --filter "glopenclfilter radius=2" long.mkv wider.mkv \
  && is_range wider.mkv again.mkv 1 400
result $? "but not those of a preset that was changed"
(ulimit -f 100
 trap '' XFSZ
 filter --filter glopenclfilter long.mkv full.mkv
 [ $? = 1 ] && [ ! -e full.mkv ] && grep -q 'File too large' errors)
result $? "a full disk ends it with a message"
cat >number.cl <<'END'
kernel void number (write_only image2d_t target, unsigned int index,
    read_only image2d_t source)
{
  const int2 at = (int2) (get_global_id (0), get_global_id (1));
  float4 pixel = read_imagef (source, at);

  /* 200 levels of 8 bits; parts would have 80. */
  pixel.x = index / 512.0f;
  write_imagef (target, at, pixel);
}
END
filter --filter "glopenclkernel location=number.cl" --lossless long.mkv number.mkv \
  && ! grep -q parts errors
sums number.mkv | sort -u >sums
[ "$(wc -l <sums)" -gt 150 ]
result $? "a kernel that reads the number of the frame gets the right one"
# Nothing is shown for more than a minute.
ffmpeg -v error -i long.mkv -vf "select=lt(t\,40)+gt(t\,150)" -fps_mode vfr \
  -map 0:v gap.mkv
filter --filter glopenclfilter --lossless gap.mkv gap-out.mkv \
  && grep -q '^Filtered as a whole, without parts: ' errors \
  && [ "$(sums gap-out.mkv | wc -l)" = "$(sums gap.mkv | wc -l)" ]
result $? "a film with a part without frames is written at once"
ffmpeg -v error -i long.mkv -map 0:v -t 100 -c:v libx264 -bf 0 -bsf:v h264_mp4toannexb \
  frames.h264 -map 0:v -t 100 -c:v libx264 -bf 0 -flags +ilme+ildct -x264opts tff=1 \
  tops.h264
cat frames.h264 tops.h264 >late.h264
ffmpeg -v error -fflags +genpts -r 2 -i late.h264 -c copy -y late.mkv
filter --filter glopenclfilter --codec vp9 late.mkv late-out.mkv \
  && grep -q '^Writing 3 parts' errors && is_named "fields of video 1"
result $? "what is lost in one of the parts is named"

# A film of two sizes.
for size in 96x64 160x96; do
  ffmpeg -v error -f lavfi -i "testsrc2=s=$size:r=25:d=0.4" -c:v libx264 -bf 0 \
    -pix_fmt yuv420p $size.h264
done
cat 96x64.h264 160x96.h264 >sizes.h264
filter --filter identity --scale-to-first sizes.h264 scaled.mkv \
  && is_named "the frame size of video 1 (H.264) (160x96, scaled to 96x64)" \
  && [ "$(sums scaled.mkv | wc -l)" = 20 ] \
  && [ "$(stream scaled.mkv width,height)" = 96,64 ]
result $? "--scale-to-first scales what follows"
ffmpeg -v error -i sizes.h264 -vf scale=96:64:flags=bicubic+accurate_rnd -c:v \
  ffv1 wanted.mkv
ffmpeg -i wanted.mkv -i scaled.mkv -lavfi "[0][1]psnr" -f null - 2>&1 \
  | sed -n 's/.*average:\([0-9.inf]*\).*/\1/p' >errors
awk '$1 == "inf" || $1 > 35 { good = 1 } END { exit !good }' errors
result $? "and the frames are those of FFmpeg"

# After ten seconds the remaining time is accurate to a fifth.
"$denoise" --force --filter "identity sleep-time=250000" film.mkv slow.mkv 2>&1 \
  | while read -r line; do echo "$(date +%s.%N) $line"; done >timed
awk '!start { start = $1 } / left/ && $1 - start > 10 && !seen { seen = $1
    split ($6, left, ":"); left_s = 60 * left[1] + left[2] }
  / frames in / { rest = $1 - seen }
  END { print left_s, rest
    exit !seen || (left_s - rest) ^ 2 > (0.2 * rest + 0.5) ^ 2 }' timed >errors
result $? "the time left is right after ten seconds"
grep -c ' left' timed >errors
"$denoise" --force --filter "identity sleep-time=5000000" --duration 0.04 film.mkv \
  slow.mkv 2>errors
grep -q '^Compiling the filter for this device' errors
result $? "a wait for the first frame has a message"

# Messages of the installation, with fake programs instead of the installers.
mkdir bin
cat >bin/apt-get <<'END'
#!/bin/sh
case "$*" in
  *--print-uris*)
    echo "'http://host/one.deb' one.deb 40000000 SHA256:0"
    echo "'http://host/two.deb' two.deb 10000000 SHA256:0" ;;
esac
END
printf '#!/bin/sh\nexec "$@"\n' >bin/sudo
chmod +x bin/*
(unset GLOPENCL_BUILD
 PATH=$work/bin:$PATH
 . "$(dirname "$denoise")/setup.sh"
 glopencl_install no-such-package) 2>errors
grep -q '^2 packages, 50 MB to download: about 11 seconds$' errors
result $? "installation says how much it downloads"

mkfifo fifo.mkv
ffmpeg -v error -i film.mkv -vf scale=95:63 -c:v ffv1 odd.mkv
patience=2 lines=2
refuses "$denoise" --force <<'END'
1|--start: the video ends after 4|--start 10 film.mkv never.mkv
1|--start: expects seconds or HH:MM:SS|--start soon film.mkv never.mkv
1|--duration: expects seconds or HH:MM:SS|--duration 0 film.mkv never.mkv
1|not available for parts|--start 1 --part 0:100 film.mkv never.nut
1|changes the size of the frames|--compare --filter "gldownload ! video/x-raw ! videocrop left=8 ! glupload" film.mkv never.mkv
1|ffmpeg -i http://host/film.mp4 -f yuv4mpegpipe|http://host/film.mp4 never.mkv
1|ffmpeg -i 'frame%04d.png' -f yuv4mpegpipe|frame%04d.png never.mkv
1|ffmpeg -pattern_type glob -i '\*.png'|'*.png' never.mkv
1|gst-launch-1.0 v4l2src|/dev/null never.mkv
1|glopencl-denoise - OUTPUT <PIPE|fifo.mkv never.mkv
1|standard input: not y4m|- never.mkv
1|y4m is not encoded|--quality 20 film.mkv -
1|y4m is not encoded|--codec h264 film.mkv -
1|h264 has ultrafast.*preset of the filter use --preset|--speed grain film.mkv never.mkv
1|Available: .*preset of the encoder use --speed|--preset veryfast film.mkv never.mkv
1|av1 has 0 (best) to 13|--codec av1 --speed 14 film.mkv never.mkv
1|vp9 has 0 (best) to 8|--codec vp9 --speed fast film.mkv never.mkv
1|ffv1 has a single speed|--lossless --speed fast film.mkv never.mkv
1|.webm supports vp9 and av1 only|--codec h264 film.mkv never.webm
1|Use .mp4 for this codec|--codec av1 film.mkv never.mov
1|changes from 96x64 to 160x96.*--scale-to-first|--filter identity sizes.h264 never.mkv
1|libx264 does not support frames of 95x63|--codec h264 odd.mkv never.mkv
END
plan
