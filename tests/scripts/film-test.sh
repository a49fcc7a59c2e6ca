#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/denoise.sh keeps all that it does not filter: film-test.sh
# PIPELINES_FOLDER
#
# Prints TAP. Films are made and looked at by FFmpeg. GLOPENCL_BUILD names the
# folder where the plugin is built.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"
if ! command -v ffmpeg >/dev/null; then
  echo "1..0 # SKIP no ffmpeg"
  exit 0
fi

off="glopenclfilter spatial-sigma=0"
picture="testsrc2=s=160x120:r=25:d=1,noise=alls=10:allf=t"
sound="sine=d=1"

make () {
  name=$1
  shift
  ffmpeg -v error -nostdin -y "$@" "$name" 2>errors || result 1 "making $name"
}

# filter INPUT OUTPUT OPTION...: what is said comes in the file said.
filter () {
  input=$1 output=$2
  shift 2
  timeout 120 "$denoise" "$@" "$input" "$output" >/dev/null 2>said \
    && cp said errors
}

# stream FILE ENTRIES [STREAM]: values of a stream, by commas.
stream () {
  ffprobe -v error -select_streams "${3:-v:0}" -show_entries "stream=$2" \
    -of csv=p=0 "$1" | head -n 1 | sed 's/,*$//'
}

# samples FILE FORMAT: of each frame a checksum.
samples () {
  ffmpeg -v error -noautorotate -i "$1" -map 0:v -pix_fmt "$2" -vsync 0 \
    -f framemd5 - | grep -v '^#' | sed 's/.*, //'
}

# is_same A B FORMAT: not one sample differs.
is_same () {
  samples "$1" "$3" >samples1
  samples "$2" "$3" >samples2
  [ -s samples1 ] && cmp samples1 samples2 >errors
}

# has_mean A B FORMAT: the mean of each plane differs by less than 0.3 levels of
# 8 bits.
has_mean () {
  for file in "$1" "$2"; do
    ffmpeg -v error -i "$file" -vf "format=$3,signalstats,metadata=print:file=-" \
      -f null - | sed -n 's/^lavfi.signalstats.[YUV]AVG=//p' | head -n 3
  done >means
  cp means errors
  case $3 in *10le) levels=1.2 ;; *) levels=0.3 ;; esac
  paste -s -d ' ' means | awk -v l=$levels '{
    for (i = 1; i <= 3; i++) if (($i - $(i + 3)) ^ 2 > l ^ 2) bad = 1
    exit bad || NF != 6 }'
}

# packets FILE STREAM: times, in order.
packets () {
  ffprobe -v error -select_streams "$2" -show_entries packet=pts_time \
    -of csv=p=0 "$1" | tr -d , | sort -n
}

# bytes FILE STREAM: a checksum of all its packets.
bytes () {
  case $1 in *.mp4) set -- "$1" "$2" -ignore_editlist 1 ;; esac
  file=$1 stream=$2
  shift 2
  ffmpeg -v error "$@" -i "$file" -map "0:$stream" -c copy -f md5 - 2>&1
}

# are_near TIMES TIMES: within a frame; Matroska's delay of a codec is GStreamer's to
# forget.
are_near () {
  echo "$1" >times1
  echo "$2" >times2
  [ -n "$1" ] && paste -d ' ' times1 times2 | awk '
    NF != 2 || ($1 - $2) ^ 2 > 0.0016 { bad = 1 } END { exit bad }'
}

# is_copied A B STREAM
is_copied () {
  [ "$(bytes "$1" "$3")" = "$(bytes "$2" "$3")" ]
}

# keeps NAME FILE FORMAT CODEC: without a filter nothing changes but for the
# encoder, and with --lossless nothing at all.
keeps () {
  filter "$2" lossless.mkv --lossless --filter "$off" \
    && is_same "$2" lossless.mkv "$3"
  result $? "$1: --lossless changes no sample"
  filter "$2" lossy.mkv --filter "$off" \
    && [ "$(stream lossy.mkv codec_name,width,height,pix_fmt)" \
      = "$4,$(stream "$2" width,height),$3" ] \
    && has_mean "$2" lossy.mkv "$3"
  result $? "$1: it becomes $4 of the same size, format and colours"
}

colours="color_range,color_space,color_transfer,color_primaries"
tagged="-colorspace bt709 -color_primaries bt709 -color_trc bt709"

# shellcheck disable=SC2086
make bt709.mp4 -f lavfi -i "$picture" $tagged -pix_fmt yuv420p -c:v libx264
keeps "8 bits" bt709.mp4 yuv420p h264
# Some versions of FFmpeg tag the matrix only.
[ "$(stream lossy.mkv $colours)" = "$(stream bt709.mp4 $colours)" ] \
  && [ "$(stream lossy.mkv color_range,color_space)" = tv,bt709 ]
result $? "BT.709 of a small frame stays"

make hdr10.mkv -f lavfi -i "$picture" -pix_fmt yuv420p10le -c:v libx265 \
  -x265-params "log-level=error:hdr-opt=1:repeat-headers=1:colorprim=bt2020:\
transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)\
B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
keeps HDR10 hdr10.mkv yuv420p10le hevc
[ "$(stream lossy.mkv $colours)" = tv,bt2020nc,smpte2084,bt2020 ] \
  && ffprobe -v error -show_frames lossy.mkv | grep -q 'red_x=34000/50000' \
  && ffprobe -v error -show_frames lossy.mkv | grep -q 'max_content=1000'
result $? "HDR10: colours and HDR metadata stay"

make prores.mov -f lavfi -i "$picture" -f lavfi -i $sound -pix_fmt yuv422p10le \
  -c:v prores_ks -c:a pcm_s24le
keeps "ProRes 4:2:2" prores.mov yuv422p10le hevc
is_copied prores.mov lossy.mkv a:0
result $? "PCM is copied"

make 444.mp4 -f lavfi -i "$picture" -pix_fmt yuv444p -c:v libx264
keeps "4:4:4" 444.mp4 yuv444p h264
make vp9.webm -f lavfi -i "$picture" -pix_fmt yuv420p10le -c:v libvpx-vp9 \
  -deadline realtime
keeps "VP9 of 10 bits" vp9.webm yuv420p10le hevc
make mjpeg.avi -f lavfi -i "$picture" -pix_fmt yuvj422p -c:v mjpeg
keeps "full range 4:2:2" mjpeg.avi yuvj422p h264
make odd.mkv -f lavfi -i "$picture,scale=161:121,format=yuv420p" -c:v ffv1
keeps "an odd size" odd.mkv yuv420p vp9

make alpha.mkv -f lavfi -i \
  "$picture,format=yuva420p,colorchannelmixer=aa=0.5" -pix_fmt yuva420p \
  -c:v ffv1
filter alpha.mkv lossless.mkv --lossless --filter "$off" \
  && is_same alpha.mkv lossless.mkv yuva420p
result $? "alpha: --lossless changes no sample"
filter alpha.mkv lossy.mkv && grep -q '^Not kept: alpha of video 1' said
result $? "alpha is named where it is lost"
make gray16.mkv -f lavfi -i "$picture" -pix_fmt gray16le -c:v ffv1
filter gray16.mkv lossy.mkv --filter "$off" \
  && grep -q '^Not kept: 16 bits (12 are kept)' said \
  && [ "$(stream lossy.mkv pix_fmt,color_range)" = yuv420p12le,pc ]
result $? "so are bits"

filter hdr10.mkv lossy.mkv --bits 8 --codec vp9 --quality 40 \
  && [ "$(stream lossy.mkv codec_name,pix_fmt)" = vp9,yuv420p ]
result $? "--bits, --codec and --quality"

# Of program streams decoders do not say which field is first, but each frame does.
for container in mkv mpg; do
  for order in top bottom; do
    fields=fields.$container
    make $fields -f lavfi -i "testsrc2=s=160x128:r=50:d=1" \
      -vf "tinterlace=interleave_$order" -flags +ilme+ildct -pix_fmt yuv420p \
      -field_order "$(echo $order | cut -c 1)b" -c:v mpeg2video -b:v 4M
    filter $fields lossless.mkv --lossless --filter "$off" \
      && is_same $fields lossless.mkv yuv420p
    result $? "interlaced, $order first, .$container: --lossless changes no sample"
    ffprobe -v error -show_entries frame=interlaced_frame,top_field_first \
      -of csv=p=0 $fields | sed 's/,*$//' | grep . | sort -u >flags
    filter $fields lossy.mkv && ffprobe -v error -show_entries \
      frame=interlaced_frame,top_field_first -of csv=p=0 lossy.mkv \
      | sed 's/,*$//' | grep . | sort -u >kept
    cat flags kept >errors
    [ "$(wc -l <flags)" = 1 ] && cmp flags kept
    result $? "interlaced, $order first, .$container: the frames say so"
  done
done
# A still and a moving half: fields that are mixed would show the one in the other.
make halves.mkv -f lavfi -i "color=black:s=160x128:r=50:d=1" -vf \
  "geq=lum='if(mod(N,2),235,16)':cb=128:cr=128,tinterlace=interleave_top" \
  -flags +ilme+ildct -c:v libx264 -x264opts tff=1:qp=1
filter halves.mkv lossless.mkv --lossless \
  --filter "glopenclfilter spatial-sigma=4 intensity-sigma=1" \
  && [ "$(stream lossless.mkv pix_fmt)" = yuv420p ] \
  && is_same halves.mkv lossless.mkv gray
result $? "fields are filtered apart"
filter fields.mpg lossy.mkv --deinterlace \
  && [ "$(packets lossy.mkv v:0 | wc -l)" = 50 ]
result $? "--deinterlace makes each field a frame"

cat >subtitles.srt <<'END'
1
00:00:00,200 --> 00:00:00,400
Tom & Jerry <i>run</i>

2
00:00:00,600 --> 00:00:00,800
5 < 7 & "so on"
END
cat >chapters.txt <<'END'
;FFMETADATA1
title=Ein schöner Film
artist=Somebody
[CHAPTER]
TIMEBASE=1/1000
START=0
END=500
title=First part
[CHAPTER]
TIMEBASE=1/1000
START=500
END=1000
title=Second
END
make tracks.mkv -f lavfi -i "$picture" -f lavfi -i "mandelbrot=s=80x60:r=25" \
  -f lavfi -i "sine=440:d=1" -f lavfi -i "sine=880:d=1" -i subtitles.srt \
  -i subtitles.srt -i chapters.txt -t 1 -map 0:v -map 1:v -map 2:a -map 3:a \
  -map 4:s -map 5:s -map_metadata 6 -map_chapters 6 -c:v libx264 \
  -pix_fmt yuv420p -c:a:0 aac -c:a:1 libvorbis -c:s:0 srt -c:s:1 ass \
  -metadata:s:a:0 language=ger -metadata:s:a:1 language=fre \
  -metadata:s:s:0 language=eng -attach chapters.txt \
  -metadata:s:t mimetype=text/plain
filter tracks.mkv kept.mkv --filter "$off" --lossless
is_same tracks.mkv kept.mkv yuv420p
result $? "both videos are there"
is_copied tracks.mkv kept.mkv a:0 && is_copied tracks.mkv kept.mkv a:1
result $? "both sounds are copied"
for track in 0 1; do
  for file in tracks kept; do
    # Without the times.
    ffmpeg -v error -y -i $file.mkv -map 0:s:$track -f ass - \
      | sed 's/^Dialogue: [^,]*,[^,]*,[^,]*,//' >$file.ass
  done
  cmp tracks.ass kept.ass >errors \
    && are_near "$(packets tracks.mkv s:$track)" "$(packets kept.mkv s:$track)"
  result $? "subtitles $track are the same"
done
ffprobe -v error -show_chapters -show_format -show_streams -of flat kept.mkv \
  >errors
grep -q 'tags.TITLE="Ein schöner Film"' errors \
  && grep -q 'tags.ARTIST="Somebody"' errors
result $? "tags are text"
grep -q 'chapter.0.tags.title="First part"' errors \
  && grep -q 'chapter.1.start_time="0.5' errors
result $? "chapters are kept"
[ "$(grep -c 'tags.language="\(ger\|fre\|eng\)"' errors)" = 3 ]
result $? "languages are kept"
grep -q '^Not kept: attachments$' said
result $? "attachments are named as lost"

filter tracks.mkv kept.mp4
cp said errors
grep -q 'audio 2 (Vorbis) becomes AAC' said \
  && grep -q '^Not kept: .*chapters (.mp4 holds none)' said \
  && grep -q 'styles of subtitles 1' said \
  && [ "$(ffprobe -v error -show_entries stream=codec_name -of csv=p=0 \
    kept.mp4 | sort | paste -s -d ' ')" = "aac aac h264 h264 mov_text mov_text" ]
result $? "what a .mp4 cannot hold is encoded or named"
is_copied tracks.mkv kept.mp4 a:0
result $? "what it can hold is copied"

make late.mkv -f lavfi -i "$picture" -itsoffset 4 -f lavfi -i $sound \
  -c:v libx264 -pix_fmt yuv420p -c:a aac
filter late.mkv kept.mkv \
  && are_near "$(packets kept.mkv a:0)" "$(packets late.mkv a:0)" \
  && is_copied late.mkv kept.mkv a:0
result $? "sound that starts late"
make early.mkv -itsoffset 4 -f lavfi -i "$picture" -f lavfi -i "sine=d=5" \
  -c:v libx264 -pix_fmt yuv420p -c:a aac
filter early.mkv kept.mkv && [ "$(packets kept.mkv v:0)" \
  = "$(packets early.mkv v:0)" ]
result $? "a picture that starts late"
make rates.mkv -f lavfi -i "$picture" -vf "select='not(mod(n,3))+eq(mod(n,7),2)'" \
  -vsync vfr -pix_fmt yuv420p -c:v libx264
filter rates.mkv kept.mkv && [ "$(packets kept.mkv v:0)" \
  = "$(packets rates.mkv v:0)" ]
result $? "a variable frame rate"
make telling.mkv -f lavfi -i "testsrc2=s=160x128:r=50:d=1" \
  -vf "tinterlace=interleave_top" -flags +ilme+ildct -pix_fmt yuv420p \
  -field_order tt -c:v mpeg2video -b:v 4M
filter telling.mkv kept.mkv && ffprobe -v error -show_entries \
  frame=interlaced_frame,top_field_first -of csv=p=0 kept.mkv \
  | sed 's/,*$//' | grep . | sort -u >errors && [ "$(cat errors)" = 1,1 ]
result $? "interlaced, and the container says which field is first"

# A phone's film begins with pictures that its edit list hides.
make edited.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=5" -f lavfi \
  -i "sine=d=5" -c:v libx264 -g 25 -bf 2 -pix_fmt yuv420p -c:a aac
for start in 1.6 1.24; do
  make hidden.mp4 -ss $start -i edited.mp4 -c copy
  filter hidden.mp4 kept.mkv
  result $? "what is hidden before $start s is no damage"
done
grep -q '^Not kept: 0.[23] s at the end of audio 1' said
result $? "sound that GStreamer leaves out with them is named"

make whole.ts -f lavfi -i "testsrc2=s=160x120:r=25:d=2" -f lavfi -i "sine=d=2" \
  -c:v libx264 -pix_fmt yuv420p -c:a mp2
python3 - <<'END'
film = bytearray(open("whole.ts", "rb").read())
for start in range(0, len(film), 188):
    packet = film[start:start + 188]
    part = start + (5 + packet[4] if packet[3] & 0x20 else 4)
    if packet[1] & 0x40 and film[part:part + 3] == b"\0\0\1" \
            and 0xc0 <= film[part + 3] < 0xe0:
        film[part + 7] &= 0x3f
        # The first packet of some in the middle.
        middle = start + 188 if start < len(film) / 2 else middle
whole = open("whole.ts", "rb").read()
open("untimed.ts", "wb").write(film)
open("torn.ts", "wb").write(whole[:middle - 88])
open("half.ts", "wb").write(whole[:middle])
END
timeout 60 "$denoise" untimed.ts kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'nothing of audio 1 .* does not say when' errors
result $? "sound without times is an error that says so"
timeout 60 "$denoise" torn.ts kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'cut off' errors
result $? "a transport stream that ends within a packet is cut off"
filter half.ts kept.mkv && grep -q 'perhaps the file is cut off' said
result $? "one that ends between packets is doubted in one line"
filter whole.ts kept.mkv && ! grep -q -e 'cut off' -e 'Not kept' said
result $? "and the whole one is not"
make long.mkv -f lavfi -i "testsrc2=s=64x48:r=5:d=100" -c:v libx264 -g 5 \
  -pix_fmt yuv420p -cluster_time_limit 1000
# As of a film whose length was written before its end was.
python3 - <<'END'
film = bytearray(open("long.mkv", "rb").read())
segment = film.index(b"\x18\x53\x80\x67") + 4
film[segment:segment + 8] = b"\1" + 7 * b"\xff"
cluster = film.rindex(b"\x1f\x43\xb6\x75")
open("cut.mkv", "wb").write(film[:cluster])
END
timeout 60 "$denoise" cut.mkv kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'cut off' errors
result $? "a second of a hundred that is missing is noticed"

make wide.mkv -f lavfi -i "$picture" -vf setsar=16/15 -pix_fmt yuv420p \
  -c:v libx264
filter wide.mkv kept.mkv && grep -q '^Not kept: the pixel aspect 16:15' said
result $? "a pixel aspect that Matroska cannot hold is named"
make aspect.mp4 -f lavfi -i "$picture" -vf setsar=16/15 -pix_fmt yuv420p \
  -c:v libx264
filter aspect.mp4 kept.mp4 \
  && [ "$(stream kept.mp4 sample_aspect_ratio)" = 16:15 ]
result $? "a pixel aspect"

make flat.mp4 -f lavfi -i "$picture" -pix_fmt yuv420p -c:v libx264
make offset.mkv -f lavfi -i "$picture" -f lavfi -i $sound -c:v libx264 \
  -pix_fmt yuv420p -c:a aac -output_ts_offset 5
filter offset.mkv kept.mkv \
  && are_near "$(packets kept.mkv v:0)" "$(packets offset.mkv v:0)" \
  && are_near "$(packets kept.mkv a:0)" "$(packets offset.mkv a:0)"
result $? "a film that starts late"
make tracks.flv -f lavfi -i "$picture" -itsoffset 0.5 -f lavfi -i $sound \
  -c:v libx264 -pix_fmt yuv420p -c:a aac
filter tracks.flv kept.mkv && is_copied tracks.flv kept.mkv a:0
result $? "tracks that are found late"
make eac3.mkv -f lavfi -i "$picture" -f lavfi -i $sound -c:v libx264 \
  -pix_fmt yuv420p -c:a eac3
filter eac3.mkv kept.mp4 && [ "$(stream kept.mp4 codec_name a:0)" = aac ]
result $? "sound that is a relative of what the container holds"
make programs.ts -f lavfi -i "$picture" -f lavfi -i "$picture" -map 0 -map 1 \
  -c:v libx264 -pix_fmt yuv420p -program title=a:st=0 -program title=b:st=1
filter programs.ts kept.mkv && grep -q '^Not kept: 1 of 2 programs$' said
result $? "programs are named that are left out"
make hidden.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=20" -itsoffset 18 \
  -f lavfi -i $sound -c:v libx264 -pix_fmt yuv420p -c:a aac
filter hidden.mp4 kept.mkv && { grep -q '^1 of 1 tracks of sound' said \
  || grep -q 'Not kept: 1 of 1 tracks of sound' said; }
result $? "so are tracks that GStreamer does not show"
ffmpeg -v error -y -i flat.mp4 -i 444.mp4 -lavfi \
  '[1]scale=320:240,format=yuv420p[b];[0]scale=160:120[a];[a]null[c];[b]null[d]' \
  -map '[c]' -f h264 -c:v libx264 a.h264 -map '[d]' -f h264 -c:v libx264 b.h264 \
  2>errors
cat a.h264 b.h264 >sizes.h264
timeout 60 "$denoise" sizes.h264 kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'changes from 160x120 to 320x240' errors
result $? "another size in the middle is an error that says so"
make damaged.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=4" -c:v libx264 \
  -g 25 -pix_fmt yuv420p
size=$(wc -c <damaged.mp4)
head -c $((size / 3)) /dev/zero \
  | dd of=damaged.mp4 bs=1 seek=$((size / 3)) conv=notrunc 2>/dev/null
timeout 60 "$denoise" damaged.mp4 kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'damaged' errors
result $? "damage is an error"
filter damaged.mp4 kept.mkv --partial && grep -q '^Not kept: .*damaged' said
result $? "or named with --partial"

# Turned by a quarter: the matrix of the track's header, in 16.16 bits.
at=$(($(grep -a -o -b tkhd flat.mp4 | head -n 1 | cut -d : -f 1) + 44))
cp flat.mp4 turned.mp4
printf '\0\0\0\0\0\1\0\0\0\0\0\0\377\377\0\0' \
  | dd of=turned.mp4 bs=1 seek=$at conv=notrunc 2>/dev/null
printf '\0\0\0\0' | dd of=turned.mp4 bs=1 seek=$((at + 16)) conv=notrunc \
  2>/dev/null
# As a player shows it, whether the pixels or a tag is turned.
filter turned.mp4 kept.mp4 --filter "$off" && ffmpeg -v error -y -i turned.mp4 \
    -frames:v 1 -f rawvideo -pix_fmt yuv420p upright.yuv \
  && [ "$(ffmpeg -v error -i kept.mp4 -frames:v 1 -pix_fmt yuv420p \
    -f framemd5 - | tail -n 1 | cut -d , -f 5 | tr -d ' ')" = 28800 ] \
  && ffmpeg -v error -i kept.mp4 -f rawvideo -video_size 120x160 \
    -pix_fmt yuv420p -i upright.yuv -frames:v 1 -lavfi "[0][1]psnr=f=psnr" \
    -f null - 2>errors && awk -F 'psnr_avg:' '{ exit $2 + 0 < 30 }' psnr
result $? "what a phone has turned is shown upright"

plan
