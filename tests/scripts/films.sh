# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by film-test.sh: makes films of many kinds with FFmpeg, in this folder.
#
#   make NAME ARGUMENT...  makes one with ffmpeg
#   make_films             makes all, and sets $films to their names

picture="testsrc2=s=160x120:r=25:d=1,noise=alls=10:allf=t"
sound="sine=d=1"

make () {
  name=$1
  shift
  ffmpeg -v error -nostdin -y "$@" "$name" 2>errors || result 1 "making $name"
}

# The video and the sound of most films.
h264="-c:v libx264 -pix_fmt yuv420p"

make_texts () {
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
}

# Two pictures of subtitles, as discs have them: a square of one colour.
make_pictures () {
  python3 - <<'END'
import struct


def segment(time, kind, data):
    return struct.pack(">2sIIBH", b"PG", time, 0, kind, len(data)) + data


def show(time, number):
    line = bytes([1] * 8) + b"\0\0"
    picture = line * 8
    composition = struct.pack(">HHBHBBBB", 160, 120, 16, number, 0x80, 0, 0, 1) \
        + struct.pack(">HBBHH", 0, 0, 0, 8, 8)
    window = struct.pack(">BBHHHH", 1, 0, 8, 8, 8, 8)
    palette = struct.pack(">BB", 0, 0) + bytes([1, 235, 128, 128, 255])
    size = len(picture) + 4
    thing = struct.pack(">HBB", 0, 0, 0xc0) + size.to_bytes(3, "big") \
        + struct.pack(">HH", 8, 8) + picture
    return b"".join(segment(time, kind, data) for kind, data in (
        (0x16, composition), (0x17, window), (0x14, palette), (0x15, thing),
        (0x80, b"")))


def hide(time, number):
    composition = struct.pack(">HHBHBBBB", 160, 120, 16, number, 0, 0, 0, 0)
    return segment(time, 0x16, composition) + segment(time, 0x80, b"")


with open("pictures.sup", "wb") as file:
    for number, begin in enumerate((20000, 60000)):
        file.write(show(begin, 2 * number))
        file.write(hide(begin + 10000, 2 * number + 1))
END
}

# Formats of samples, and codecs of video.
make_codecs () {
  # shellcheck disable=SC2086
  make bt709.mp4 -f lavfi -i "$picture" -colorspace bt709 -color_primaries bt709 \
    -color_trc bt709 $h264
  make hdr10.mkv -f lavfi -i "$picture" -pix_fmt yuv420p10le -c:v libx265 \
    -x265-params "log-level=error:hdr-opt=1:repeat-headers=1:colorprim=bt2020:\
transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)\
B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
  make prores.mov -f lavfi -i "$picture" -f lavfi -i $sound \
    -pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s24le
  make 444.mp4 -f lavfi -i "$picture" -pix_fmt yuv444p -c:v libx264
  make vp9.webm -f lavfi -i "$picture" -pix_fmt yuv420p10le -c:v libvpx-vp9 \
    -deadline realtime
  make mjpeg.avi -f lavfi -i "$picture" -pix_fmt yuvj422p -c:v mjpeg
  make odd.mkv -f lavfi -i "$picture,scale=161:121,format=yuv420p" -c:v ffv1
  make alpha.mkv -f lavfi -i \
    "$picture,format=yuva420p,colorchannelmixer=aa=0.5" -pix_fmt yuva420p \
    -c:v ffv1
  make gray.mkv -f lavfi -i "$picture" -pix_fmt gray -color_range pc \
    -colorspace bt709 -c:v ffv1
  make gray16.mkv -f lavfi -i "$picture" -pix_fmt gray16le -c:v ffv1
  # Frames of Xvid are packed where they have others between them.
  make xvid.avi -f lavfi -i "$picture" -f lavfi -i $sound -c:v libxvid -bf 2 \
    -c:a libmp3lame
  make b-frames.avi -f lavfi -i "$picture" -c:v mpeg4 -bf 2
  make packed.avi -f lavfi -i "$picture" -c:v mpeg2video -bf 2
  make raw.y4m -f lavfi -i "$picture" -pix_fmt yuv420p
  make raw.dv -f lavfi -i "$picture,scale=720:576" -target pal-dv -an
  make moving.gif -f lavfi -i "$picture"
  make moving.apng -f lavfi -i "$picture,format=rgb24" -f apng
  make still.png -f lavfi -i "$picture" -frames:v 1 -pix_fmt rgb48be
  make still.jpg -f lavfi -i "$picture" -frames:v 1
  make still.webp -f lavfi -i "$picture" -frames:v 1 -c:v libwebp
  make deep.mkv -f lavfi -i "$picture" -pix_fmt rgb48le -c:v ffv1
  # shellcheck disable=SC2086
  make pal.mkv -f lavfi -i "testsrc2=s=720x576:r=25:d=0.4" $h264
  make center.mkv -f lavfi -i "$picture" -pix_fmt yuv420p -c:v libx264 \
    -chroma_sample_location center
}

# Tracks beside the video.
# shellcheck disable=SC2086
make_tracks () {
  make tracks.mkv -f lavfi -i "$picture" -f lavfi -i "mandelbrot=s=80x60:r=25" \
    -f lavfi -i "sine=440:d=1" -f lavfi -i "sine=880:d=1" -i subtitles.srt \
    -i subtitles.srt -i chapters.txt -t 1 -map 0:v -map 1:v -map 2:a -map 3:a \
    -map 4:s -map 5:s -map_metadata 6 -map_chapters 6 $h264 -c:a:0 aac \
    -c:a:1 libvorbis -c:s:0 srt -c:s:1 ass -metadata:s:a:0 language=ger \
    -metadata:s:a:1 language=fre -metadata:s:a:1 title="Comments of one" \
    -metadata:s:s:0 language=eng -disposition:a:0 default \
    -disposition:a:1 comment -disposition:s:0 0 \
    -disposition:s:1 forced+hearing_impaired -attach chapters.txt \
    -metadata:s:t mimetype=text/plain
  make cover.mkv -f lavfi -i "$picture" -f lavfi -i $sound $h264 -c:a aac \
    -attach still.jpg -metadata:s:t mimetype=image/jpeg \
    -metadata:s:t filename=cover.jpg
  make cover.mp4 -f lavfi -i "$picture" -i still.jpg -map 0 -map 1 \
    -disposition:v:1 attached_pic -c:v:0 libx264 -pix_fmt:v:0 yuv420p -c:v:1 copy
  make chapters.mp4 -f lavfi -i "$picture" -f lavfi -i $sound -i chapters.txt \
    -i subtitles.srt -map 0 -map 1 -map 3 -map_metadata 2 -map_chapters 2 \
    $h264 -c:a aac -c:s mov_text -metadata:s:s:0 language=eng
  make timecode.mov -f lavfi -i "$picture" $h264 -timecode 10:00:00:00
  make discs.mkv -f lavfi -i "$picture" -i pictures.sup -map 0 -map 1 $h264 \
    -c:s copy
  tracks=""
  number=0
  for codec in aac ac3 eac3 dca flac libopus libvorbis truehd pcm_s24le \
      libmp3lame alac wavpack; do
    tracks="$tracks -map 1 -c:a:$number $codec"
    number=$((number + 1))
  done
  make sounds.mkv -f lavfi -i "$picture" -f lavfi -i "sine=r=48000:d=1" -map 0 \
    $tracks $h264 -strict -2
  make surround.mkv -f lavfi -i "$picture" -f lavfi \
    -i "anoisesrc=d=1:r=48000,pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0" \
    $h264 -c:a pcm_s16le
  make wma.asf -f lavfi -i "$picture" -f lavfi -i $sound -c:v wmv2 -c:a wmav2
}

# Times.
# shellcheck disable=SC2086
make_times () {
  make late.mkv -f lavfi -i "$picture" -itsoffset 4 -f lavfi -i $sound $h264 \
    -c:a aac
  make very-late.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=20" -itsoffset 18 \
    -f lavfi -i $sound $h264 -c:a aac
  make early.mkv -itsoffset 4 -f lavfi -i "$picture" -f lavfi -i "sine=d=5" \
    $h264 -c:a aac
  make offset.mkv -f lavfi -i "$picture" -f lavfi -i $sound $h264 -c:a aac \
    -output_ts_offset 5
  make rates.mkv -f lavfi -i "$picture" -vf \
    "select='not(mod(n,3))+eq(mod(n,7),2)'" -vsync vfr $h264
  make rates.mp4 -f lavfi -i "$picture" -vf \
    "select='not(mod(n,3))+eq(mod(n,7),2)'" -vsync vfr $h264
  make ntsc.mp4 -f lavfi -i "testsrc2=s=160x120:r=30000/1001:d=1" $h264
  make wide.mkv -f lavfi -i "$picture" -vf setsar=16/15 $h264
  make aspect.mp4 -f lavfi -i "$picture" -vf setsar=16/15 $h264
  make late-tracks.flv -f lavfi -i "$picture" -itsoffset 0.5 -f lavfi -i $sound \
    $h264 -c:a aac
  make programs.ts -f lavfi -i "$picture" -f lavfi -i "$picture" -map 0 -map 1 \
    $h264 -program title=a:st=0 -program title=b:st=1
  make whole.ts -f lavfi -i "testsrc2=s=160x120:r=25:d=2" -f lavfi -i "sine=d=2" \
    $h264 -c:a mp2
  make program.mpg -f lavfi -i "$picture" -f lavfi -i $sound -c:v mpeg2video \
    -c:a mp2
  make theora.ogv -f lavfi -i "$picture" -f lavfi -i $sound -c:v libtheora \
    -c:a libvorbis
  # What an editor cuts out begins with frames that a list hides.
  make edited.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=5" -f lavfi \
    -i "sine=d=5" $h264 -g 25 -bf 2 -c:a aac
  make edited.mkv -i edited.mp4 -c copy
  for start in 1.3 1.6 1.24; do
    make trimmed-$start.mp4 -ss $start -i edited.mp4 -c copy
    make trimmed-$start.mkv -ss $start -i edited.mkv -c copy
  done
  make trimmed.ts -ss 1.3 -i edited.mp4 -c copy
}

make_films () {
  make_texts
  make_pictures
  make_codecs
  make_tracks
  make_times
  films=$(ls ./*.mp4 ./*.mkv ./*.mov ./*.avi ./*.webm ./*.y4m ./*.dv ./*.gif \
    ./*.apng ./*.png ./*.jpg ./*.webp ./*.asf ./*.flv ./*.ts ./*.mpg ./*.ogv \
    | sed 's|^\./||')
}
