#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests that pipelines/denoise.sh keeps unfiltered data: film-test.sh
# PIPELINES_FOLDER
#
# Prints TAP. FFmpeg makes and reads the videos: films.sh and filmextras.py make
# many kinds, and filmcompare.py lists the data missing in an output.
# GLOPENCL_BUILD is the folder of the build.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"
if ! command -v ffmpeg >/dev/null; then
  echo "1..0 # SKIP no ffmpeg"
  exit 0
fi

off="glopenclfilter spatial-sigma=0"
soft="glopenclfilter spatial-sigma=4 intensity-sigma=1"
. "$scripts/films.sh"
find_python json
make_films
make_fields
make_broken
mkdir kept

# filter INPUT OUTPUT OPTION...: runs with a neutral filter, unless options select
# another. Writes messages to the file said.
filter () {
  input=$1 output=$2
  shift 2
  within 120 "$denoise" --force --filter "$off" "$@" \
    "$input" "$output" >/dev/null 2>said
  status=$?
  cp said errors
  return $status
}

# keep FILM SUFFIX [OPTION...]: filters a video unless the output exists. Sets
# $kept to the output.
keep () {
  film=$1
  kept=kept/$(echo "$*" | sed 's/ --/-/g; s/ /./g').$2
  [ $# -gt 2 ] || kept=kept/$1.$2
  if [ ! -e "$kept.said" ]; then
    shift 2
    filter "$film" "$kept" "$@" || return
    mv said "$kept.said"
  fi
  cp "$kept.said" errors
}

# loses NAME WORDS FILM SUFFIX [OPTION...]: a message reports the loss. With WORDS
# of - there is none.
loses () {
  name=$1 words=$2
  shift 2
  if [ "$words" = - ]; then
    keep "$@" && ! grep -q -e 'Not kept' -e 'truncated' errors
  else
    keep "$@" && grep -q -e "$words" errors
  fi
  result $? "$name"
}

# stream FILE ENTRIES [STREAM]: values of a stream, by commas.
stream () {
  ffprobe -v error -select_streams "${3:-v:0}" -show_entries "stream=$2" \
    -of csv=p=0 "$1" | head -n 1 | sed 's/,*$//'
}

# is_same A B FORMAT: not one sample differs. One ffmpeg reads both: it loads its
# libraries for a tenth of a second.
is_same () {
  ffmpeg -nostdin -v error -y -noautorotate -i "$1" -noautorotate -i "$2" \
    -map 0:v -pix_fmt "$3" -vsync 0 -f framemd5 sums1 \
    -map 1:v -pix_fmt "$3" -vsync 0 -f framemd5 sums2
  for side in 1 2; do
    grep -v '^#' sums$side | sed 's/.*, //' >samples$side
  done
  [ -s samples1 ] && cmp samples1 samples2 >errors
}

# has_mean A B FORMAT: the mean of each plane differs by less than 0.3 levels of
# 8 bits.
has_mean () {
  stats="format=$3,signalstats,metadata=print:file=stats"
  ffmpeg -nostdin -v error -i "$1" -i "$2" -map 0:v -vf "${stats}1" -f null - \
    -map 1:v -vf "${stats}2" -f null -
  for side in 1 2; do
    sed -n 's/^lavfi.signalstats.[YUV]AVG=//p' stats$side | head -n 3
  done >means
  cp means errors
  case $3 in *10le) levels=1.2 ;; *) levels=0.3 ;; esac
  paste -s -d ' ' means | awk -v l=$levels '{
    for (i = 1; i <= 3; i++) if (($i - $(i + 3)) ^ 2 > l ^ 2) bad = 1
    exit bad || NF != 6 }'
}

# fields FILE: how many frames are how: progressive, top or bottom field first.
fields () {
  ffprobe -v error -select_streams v:0 -show_entries \
    frame=interlaced_frame,top_field_first -of default=nk=1:nw=1 "$1" \
    | grep '^[01]$' | paste -d, - - | sed 's/^0,./progressive/
      s/1,1/top/; s/1,0/bottom/' | sort -r | uniq -c | awk '{ printf "%s%s %s",
        (NR > 1) ? ", " : "", $2, $1 }'
}

# becomes NAME WANTED COMMAND [ARGUMENT...]: the output of a command for an
# output file.
becomes () {
  name=$1 wanted=$2
  shift 2
  "$@" >errors 2>&1
  check "$name" [ "$(cat errors)" = "$wanted" ]
}

# Without a filter nothing changes but for the encoder, and with --lossless nothing
# at all. Others have the same size, colours and times, see below.
while read -r film format wanted; do
  filter "$film" lossless.mkv --lossless && is_same "$film" lossless.mkv "$format"
  result $? "$film: --lossless changes no sample"
  [ "$wanted" ] || continue
  keep "$film" mkv && becomes "$film becomes $wanted" "$wanted" stream "$kept" \
    codec_name,width,height,pix_fmt
  check "$film: colours stay" has_mean "$film" "$kept" "$format"
done <<END
bt709.mp4 yuv420p h264,160,120,yuv420p
hdr10.mkv yuv420p10le hevc,160,120,yuv420p10le
prores.mov yuv422p10le hevc,160,120,yuv422p10le
444.mp4 yuv444p h264,160,120,yuv444p
vp9.webm yuv420p10le hevc,160,120,yuv420p10le
mjpeg.avi yuvj422p h264,160,120,yuvj422p
odd.mkv yuv420p vp9,161,121,yuv420p
alpha.mkv yuva420p
tracks.mkv yuv420p
top.mkv yuv420p
bottom.mkv yuv420p
top.mpg yuv420p
bottom.mpg yuv420p
END
keep hdr10.mkv mkv
ffprobe -v error -show_frames "$kept" >errors
grep -q 'red_x=34000/50000' errors && grep -q 'max_content=1000' errors
result $? "HDR10: metadata stays"
loses "alpha is named where it is lost" '^Not kept: alpha of video 1' \
  alpha.mkv mkv
loses "so are bits" '^Not kept: 16 bits (12 are kept)' gray16.mkv mkv
becomes "and the range stays" yuv420p12le,pc \
  stream "$kept" pix_fmt,color_range
keep gray.mkv mkv --codec vp9 \
  && [ "$(stream "$kept" pix_fmt,color_range)" = yuv420p,pc ] \
  && has_mean gray.mkv "$kept" gray
result $? "grey stays as bright where it becomes YUV"
keep hdr10.mkv mkv --bits 8 --codec vp9 --quality 40
becomes "--bits, --codec and --quality" vp9,yuv420p \
  stream "$kept" codec_name,pix_fmt

# get_psnr A B: of luma, in dB.
get_psnr () {
  ffmpeg -v error -i "$1" -i "$2" -lavfi "[0:v][1:v]psnr=f=-" -f null - \
    | sed -n 's/.*mse_y:\([0-9.]*\) .*/\1/p' | awk '{ sum += $1 }
    END { print 10 * log(65025 * NR / sum) / log(10) }'
}

# Noise that x264 has to spend bits on.
make_all -f lavfi -i "testsrc2=s=320x240:r=25:d=1,noise=alls=20:allf=t" <<END
noise.mkv -pix_fmt yuv420p -c:v ffv1
x264-6.mkv $h264 -preset veryfast -crf 6
x264-18.mkv $h264 -preset veryfast -crf 18
x264-30.mkv $h264 -preset veryfast -crf 30
END
for quality in 6 18 30; do
  filter noise.mkv lossy.mkv --quality $quality
  echo "$(wc -c <x264-$quality.mkv) $(get_psnr noise.mkv x264-$quality.mkv)" \
    "$(wc -c <lossy.mkv) $(get_psnr noise.mkv lossy.mkv)" >errors
  awk '{ exit ($3 / $1 - 1) ^ 2 > 0.0009 || ($4 - $2) ^ 2 > 0.01 }' errors
  result $? "quality $quality is as good and as large as x264's"
done

# Of program streams decoders do not say which field is first, but each frame does.
for film in top.mkv bottom.mkv top.mpg bottom.mpg telling.mkv; do
  filter $film lossy.mkv --filter "$soft"
  becomes "$film: its frames are interlaced" "$(fields $film)" fields lossy.mkv
done
becomes "top.mkv: the top field is first" "top 25" fields top.mkv
filter halves.mkv lossless.mkv --lossless --filter "$soft" \
  && [ "$(stream lossless.mkv pix_fmt)" = yuv420p ] \
  && is_same halves.mkv lossless.mkv gray
result $? "fields are filtered apart"
for wanted in "top 20, progressive 10" "progressive 10, bottom 20"; do
  case $wanted in top*) order=top ;; *) order=bottom ;; esac
  for kind in "h264 mkv" "h264 mp4" "ffv1 mkv"; do
    keep mixed-$order.ts "${kind#* }" --codec "${kind% *}"
    becomes "a mixed film, $order first: $kind" "$wanted" fields "$kept"
  done
done
for codec in h265 vp9; do
  loses "fields that $codec does not mark are named" \
    '^Not kept: fields of video 1' mixed-bottom.ts mkv --codec $codec
  becomes "and its frames are progressive" progressive \
    stream "$kept" field_order
done
for kind in "h264 mkv" "h264 mp4" "ffv1 mkv"; do
  keep later.ts "${kind#* }" --codec "${kind% *}" && ! grep -q fields errors
  becomes "fields that come after progressive frames: $kind" \
    "progressive 10, bottom 10" fields "$kept"
done
keep later.h264 mkv
becomes "and in H.264" "top 25, progressive 27" fields "$kept"

# Only interlaced frames have two fields to make frames of.
while read -r film wanted; do
  keep $film mkv --deinterlace
  becomes "$film: --deinterlace makes $wanted frames" "progressive $wanted" \
    fields "$kept"
done <<END
bottom.mpg 50
mixed-bottom.ts 50
later.ts 30
ten-bits.mkv 50
hdr10.mkv 25
END

# packets FILE STREAM: times, in order.
packets () {
  ffprobe -v error -select_streams "$2" -show_entries packet=pts_time \
    -of csv=p=0 "$1" | tr -d , | sort -n
}

keep ten-bits.mkv mkv --deinterlace
packets "$kept" v:0 >errors
[ "$(stream "$kept" pix_fmt)" = yuv420p10le ] \
  && [ "$(sed -n 2p errors)" = 0.020000 ]
result $? "--deinterlace: 10 bits stay, and a field begins in the middle"
colours=pix_fmt,color_range,color_space,color_transfer,color_primaries
keep hdr10.mkv mkv --deinterlace
[ "$(packets "$kept" v:0)" = "$(packets hdr10.mkv v:0)" ] \
  && [ "$(stream "$kept" $colours)" \
    = yuv420p10le,tv,bt2020nc,smpte2084,bt2020 ] \
  && filter hdr10.mkv lossless.mkv --deinterlace --lossless \
  && is_same hdr10.mkv lossless.mkv yuv420p10le
result $? "--deinterlace: a progressive film stays as it is"

pairs=
for film in $films; do
  keep "$film" mkv
  pairs="$pairs $film:mkv"
  case $film in
    tracks.* | cover.* | chapters.* | timecode.* | discs.* | sounds.* | rates.* \
        | surround.* | trimmed-1.3.* | very-late.* | aspect.* | hdr10.* \
        | whole.* | odd.* | wma.* | late-tracks.* | raw.dv)
      keep "$film" mp4
      pairs="$pairs $film:mp4" ;;
  esac
done
# shellcheck disable=SC2086
"$python" "$scripts/filmcompare.py" $((n + 1)) $pairs
n=$((n + $(echo "$pairs" | wc -w)))

keep tracks.mkv mkv
for track in 0 1; do
  for file in tracks.mkv "$kept"; do
    # Without the times.
    ffmpeg -v error -y -i "$file" -map 0:s:$track -f ass - \
      | sed 's/^Dialogue: [^,]*,[^,]*,[^,]*,//' >"$(basename "$file").ass"
  done
  cmp tracks.mkv.ass tracks.mkv.mkv.ass >errors
  result $? "subtitles $track are the same"
done

# Losses. Others have another container.
while IFS='|' read -r name film words; do
  # shellcheck disable=SC2086
  loses "$name" "$words" $film
done <<END
positions and styles of a .mp4|tracks.mkv mp4|^Not kept: .*positions and styles of sub
attachments of a .mp4|tracks.mkv mp4|^Not kept: .*attachment 1
pictures of subtitles|discs.mkv mp4|^Not kept: .*subtitles 1
sound that a .mp4 cannot hold|surround.mkv mp4|is converted to AAC, because .mp4 cannot hold
a track without packets|empty.mkv mp4|^
and in a .mkv|empty.mkv mkv|^
what is doubted in one line|half.ts mkv|The file may be truncated
nothing of the whole stream|whole.ts mkv|-
damage with --partial|damaged.mp4 mkv --partial|^Not kept: .*damaged
captions in VP9|captions.mkv mkv --codec vp9|^Not kept: captions of video 1
captions in FFV1|captions.mkv mkv --codec ffv1|^Not kept: captions of video 1
HDR10+ in VP9|plus.mkv mkv --codec vp9|^Not kept: HDR10+ metadata of video 1
Dolby Vision with --partial|dolby-5.mp4 mkv --partial|^Not kept: Dolby Vision
Dolby Vision beside HDR10|dolby-8.mp4 mkv|^Not kept: Dolby Vision
telemetry in a .mkv|telemetry.mp4 mkv|^Not kept: data 1 (gpmd)
no telemetry in a .mp4|telemetry.mp4 mp4|-
no data that is chapters elsewhere|chapters.mp4 mkv|-
no data that is a timecode|timecode.mov mkv|-
the crop of a .mp4|aperture.mp4 mkv|^Not kept: the crop
the crop of a .mkv|crop.mkv mkv|^Not kept: the crop
frames before the first key frame|keyless.mkv mkv|^Not kept: 24 frames at the start
END
becomes "all channels of a surround stay" aac,6 \
  stream kept/surround.mkv.mp4 codec_name,channels a:0
packets kept/trimmed-1.3.mp4.mkv v:0 | wc -l >number
becomes "what an edit list hides is not shown" 92 cat number
data () {
  ffprobe -v error -select_streams d -show_packets -show_data_hash md5 "$1" \
    | grep '^data_hash'
}
becomes "telemetry stays in a .mp4" "$(data telemetry.mp4)" \
  data kept/telemetry.mp4.mp4

# Files that make FFmpeg open others.
printf '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n' \
  "$work/whole.ts" >playlist.mkv
printf 'ffconcat version 1.0\nfile whole.ts\n' >script.mkv
refuses "$denoise" --force --filter "$off" <<'END'
1|audio 1 .* has no timestamp|untimed.ts never.mkv
1|truncated|torn.ts never.mkv
1|jump back from [23]\.[0-9] s|joined.ts never.mkv
1|damaged|intra.mov never.mkv
1|truncated|cut.mkv never.mkv
1|changes from 160x120 to 320x240|sizes.h264 never.mkv
1|damaged|damaged.mp4 never.mkv
1|damaged|bits.avi never.mkv
1|damaged|bits.mkv never.mkv
1|damaged|bits.mp4 never.mkv
1|Dolby Vision of profile 5.*--partial|dolby-5.mp4 never.mkv
1|is not supported as input|playlist.mkv never.mkv
1|is not supported as input|script.mkv never.mkv
END
cp still.png 'still%d.png'
cp small.png still1.png
filter 'still%d.png' kept.mkv
becomes "a pattern of names is the name of a file" 160,120 \
  stream kept.mkv width,height
if ffmpeg -v error -i animated.webp -f null - 2>/dev/null; then
  loses "an animated WebP" - animated.webp mkv
else
  refuses "$denoise" --force <<END
1|does not support animated WebP|animated.webp never.mkv
END
fi

# As a player shows it, whether the pixels or a tag is turned.
filter turned.mp4 kept.mp4 && ffmpeg -v error -y -i turned.mp4 \
    -frames:v 1 -f rawvideo -pix_fmt yuv420p upright.yuv \
  && [ "$(ffmpeg -v error -i kept.mp4 -frames:v 1 -pix_fmt yuv420p \
    -f framemd5 - | tail -n 1 | cut -d , -f 5 | tr -d ' ')" = 28800 ] \
  && ffmpeg -v error -i kept.mp4 -f rawvideo -video_size 120x160 \
    -pix_fmt yuv420p -i upright.yuv -frames:v 1 -lavfi "[0][1]psnr=f=psnr" \
    -f null - 2>errors && awk -F 'psnr_avg:' '{ exit $2 + 0 < 30 }' psnr
result $? "what a phone has turned is shown upright"

# captions FILE: the number of frames with captions, and their text.
captions () {
  ffprobe -v error -select_streams v:0 -show_frames "$1" \
    | grep -c 'side_data_type=ATSC A53'
  ffmpeg -v error -f lavfi -i "movie=$1[out0+subcc]" -map s -f srt -
}
captions captions.mkv >before
check "there are captions" grep -q HI before
for arguments in "--codec h264 --bits 8" "--codec h264 --bits 10" \
    "--codec h265 --bits 8" "--codec h265 --bits 10"; do
  # shellcheck disable=SC2086
  loses "captions are kept: $arguments" - captions.mkv mkv $arguments
  becomes "and stay" "$(cat before)" captions "$kept"
done
keep fields.mkv mkv --deinterlace
becomes "--deinterlace: captions are on one of the two frames" \
  "$(captions fields.mkv)" captions "$kept"

# dynamic FILE: the metadata of all frames.
dynamic () {
  ffprobe -v error -show_frames "$1" | sed -n '/HDR Dynamic/,/\/SIDE_DATA/p'
}
dynamic plus.mkv >before
check "there is HDR10+" [ "$(grep -c 'HDR Dynamic' before)" = 25 ]
for suffix in mkv mp4; do
  loses "HDR10+ is kept in a .$suffix" - plus.mkv $suffix
  becomes "and stays" "$(cat before)" dynamic "$kept"
done
plan
