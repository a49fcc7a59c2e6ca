# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=sh
# Sourced by film-test.sh: makes video files of many kinds with FFmpeg, in this
# folder.
#
#   make_all INPUT...      makes one for each line of standard input, NAME
#                          ARGUMENT..., with the arguments INPUT. One ffmpeg makes
#                          all, because it takes a tenth of a second to start.
#   make_films             makes files without losses, and sets $films to their names
#   make_fields            makes interlaced files
#   make_broken            makes files with errors

picture="testsrc2=s=160x120:r=25:d=1,noise=alls=10:allf=t"
tall="testsrc2=s=160x128:r=50:d=1"
# The first video, and with the first sound, and the codec of most films.
v="-map 0:v"
av="-map 0:v -map 1:a"
h264="-c:v libx264 -pix_fmt yuv420p"
interlace="-vf tinterlace=interleave_top -flags +ilme+ildct"
interlace_bottom="-vf tinterlace=interleave_bottom -flags +ilme+ildct"
mpeg2="-pix_fmt yuv420p -c:v mpeg2video -b:v 4M"

make_all () {
  set -f
  while read -r name arguments; do
    # shellcheck disable=SC2086
    set -- "$@" $arguments "$name"
  done
  set +f
  ffmpeg -v error -nostdin -y "$@" 2>errors || result 1 "films are made"
}

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

# Formats of samples, codecs of video, and times. Frames of Xvid are packed where
# they have others between them.
make_videos () {
  make_all -f lavfi -i "$picture" -f lavfi -i sine=d=1 \
    -itsoffset 4 -f lavfi -i sine=d=1 -itsoffset 0.5 -f lavfi -i sine=d=1 \
    -itsoffset 4 -f lavfi -i "$picture" -f lavfi -i sine=d=5 \
    -f lavfi -i testsrc2=s=160x120:r=25:d=2 -f lavfi -i sine=d=2 \
    -f lavfi -i testsrc2=s=160x120:r=5:d=20 -itsoffset 18 -f lavfi -i sine=d=1 \
    -f lavfi -i testsrc2=s=160x120:r=25:d=5 <<END
bt709.mp4 $v -colorspace bt709 -color_primaries bt709 -color_trc bt709 $h264
hdr10.mkv $v -pix_fmt yuv420p10le -c:v libx265 -x265-params log-level=error:\
hdr-opt=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:\
colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)\
WP(15635,16450)L(10000000,1):max-cll=1000,400
prores.mov $av -pix_fmt yuv422p10le -c:v prores_ks -c:a pcm_s24le
444.mp4 $v -pix_fmt yuv444p -c:v libx264
vp9.webm $v -pix_fmt yuv420p10le -c:v libvpx-vp9 -deadline realtime
mjpeg.avi $v -pix_fmt yuvj422p -c:v mjpeg
odd.mkv $v -vf scale=161:121,format=yuv420p -c:v ffv1
alpha.mkv $v -vf format=yuva420p,colorchannelmixer=aa=0.5 -pix_fmt yuva420p -c:v ffv1
gray.mkv $v -pix_fmt gray -color_range pc -colorspace bt709 -c:v ffv1
gray16.mkv $v -pix_fmt gray16le -c:v ffv1
xvid.avi $av -c:v libxvid -bf 2 -c:a libmp3lame
b-frames.avi $v -c:v mpeg4 -bf 2
packed.avi $v -c:v mpeg2video -bf 2
raw.y4m $v -pix_fmt yuv420p
raw.dv $v -vf scale=720:576 -target pal-dv -an
moving.gif $v
moving.apng $v -vf format=rgb24 -f apng
still.png $v -frames:v 1 -pix_fmt rgb48be
still.jpg $v -frames:v 1
still.webp $v -frames:v 1 -c:v libwebp
deep.mkv $v -pix_fmt rgb48le -c:v ffv1
pal.mkv $v -vf scale=720:576,setsar=1 -frames:v 10 $h264
center.mkv $v $h264 -chroma_sample_location center
timecode.mov $v $h264 -timecode 10:00:00:00
wma.asf $av -c:v wmv2 -c:a wmav2
late.mkv $v -map 2 $h264 -c:a aac
very-late.mp4 -map 8 -map 9 $h264 -c:a aac
early.mkv -map 4 -map 5 $h264 -c:a aac
offset.mkv $av $h264 -c:a aac -output_ts_offset 5
rates.mkv $v -vf select='not(mod(n,3))+eq(mod(n,7),2)' -vsync vfr $h264
rates.mp4 $v -vf select='not(mod(n,3))+eq(mod(n,7),2)' -vsync vfr $h264
ntsc.mp4 $v -vf fps=30000/1001 $h264
wide.mkv $v -vf setsar=16/15 $h264
aspect.mp4 $v -vf setsar=16/15 $h264
late-tracks.flv $v -map 3 $h264 -c:a aac
programs.ts $v $v $h264 -program title=a:st=0 -program title=b:st=1
whole.ts -map 6 -map 7 $h264 -c:a mp2
program.mpg $av -c:v mpeg2video -c:a mp2
theora.ogv $av -c:v libtheora -c:a libvorbis
edited.mp4 -map 10 -map 5 $h264 -g 25 -bf 2 -c:a aac
END
}

# Tracks beside the video, and a cut by an editor: the file begins with frames
# hidden by an edit list.
make_tracks () {
  tracks='' number=0
  for codec in aac ac3 eac3 dca flac libopus libvorbis truehd pcm_s24le \
      libmp3lame alac wavpack; do
    tracks="$tracks -map 2 -c:a:$number $codec"
    number=$((number + 1))
  done
  make_all -f lavfi -i "$picture" -f lavfi -i sine=d=1 -i subtitles.srt \
    -i chapters.txt -f lavfi -i mandelbrot=s=80x60:r=25 \
    -f lavfi -i sine=880:d=1 <<END
tracks.mkv -t 1 $v -map 4:v -map 1:a -map 5:a -map 2 -map 2 -map_metadata 3 $h264 \
-c:a:0 aac -c:a:1 libvorbis -c:s:0 srt -c:s:1 ass -metadata:s:a:0 language=ger \
-metadata:s:a:1 language=fre -metadata:s:a:1 title=Comments \
-metadata:s:s:0 language=eng -disposition:a:0 default -disposition:a:1 comment \
-disposition:s:0 0 -disposition:s:1 forced+hearing_impaired -attach chapters.txt \
-metadata:s:t mimetype=text/plain
chapters.mp4 $av -map 2 -map_metadata 3 $h264 -c:a aac -c:s mov_text \
-metadata:s:s:0 language=eng
END
  make_all -f lavfi -i "$picture" -f lavfi -i sine=d=1 \
    -f lavfi -i sine=r=48000:d=1 -f lavfi \
    -i "anoisesrc=d=1:r=48000,pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0" \
    -i still.jpg -i pictures.sup <<END
cover.mkv $av $h264 -c:a aac -attach still.jpg -metadata:s:t mimetype=image/jpeg \
-metadata:s:t filename=cover.jpg
cover.mp4 $v -map 4 -disposition:v:1 attached_pic -c:v:0 libx264 \
-pix_fmt:v:0 yuv420p -c:v:1 copy
discs.mkv $v -map 5 $h264 -c:s copy
sounds.mkv $v $tracks $h264 -strict -2
surround.mkv $v -map 3 $h264 -c:a pcm_s16le
END
  make_all -i edited.mp4 <<END
edited.mkv -c copy
END
  make_all -ss 1.3 -i edited.mp4 -ss 1.6 -i edited.mp4 -ss 1.24 -i edited.mp4 \
    -ss 1.3 -i edited.mkv -ss 1.6 -i edited.mkv -ss 1.24 -i edited.mkv <<END
trimmed-1.3.mp4 -map 0 -c copy
trimmed-1.6.mp4 -map 1 -c copy
trimmed-1.24.mp4 -map 2 -c copy
trimmed-1.3.mkv -map 3 -c copy
trimmed-1.6.mkv -map 4 -c copy
trimmed-1.24.mkv -map 5 -c copy
trimmed.ts -map 0 -c copy
END
}

# Interlaced videos, with a still and a moving half, which show mixed fields,
# and videos that change between fields and frames.
make_fields () {
  make_all -f lavfi -i "$tall" -f lavfi -i "color=black:s=160x128:r=50:d=1,geq=\
lum='if(mod(N,2),235,16)':cb=128:cr=128" <<END
top.mkv $v $interlace -field_order tb $mpeg2
bottom.mkv $v $interlace_bottom -field_order bb $mpeg2
top.mpg $v $interlace -field_order tb $mpeg2
bottom.mpg $v $interlace_bottom -field_order bb $mpeg2
telling.mkv $v $interlace -field_order tt $mpeg2
top.m2v $v $interlace -field_order tb $mpeg2 -frames:v 10
bottom.m2v $v $interlace_bottom -field_order bb $mpeg2 -frames:v 10
frames.m2v $v -r 25 $mpeg2 -frames:v 10
ten-bits.mkv $v $interlace -pix_fmt yuv420p10le -c:v libx264 -x264opts tff=1
interlaced.h264 $v $interlace $h264 -x264opts tff=1 -bf 0
progressive.h264 $v -r 25 $h264 -x264opts fake-interlaced=1 -bf 0
halves.mkv -map 1 $interlace -c:v libx264 -x264opts tff=1:qp=1
END
  for order in top bottom; do
    cat $order.m2v frames.m2v $order.m2v >mixed-$order.m2v
  done
  cat frames.m2v bottom.m2v >later.m2v
  cat progressive.h264 interlaced.h264 >later.h264
  make_all -fflags +genpts -i mixed-top.m2v -fflags +genpts -i mixed-bottom.m2v \
    -fflags +genpts -i later.m2v <<END
mixed-top.ts -map 0 -c copy
mixed-bottom.ts -map 1 -c copy
later.ts -map 2 -c copy
END
}

# Truncated or damaged videos, and data that FFmpeg does not write.
make_broken () {
  make_all -f lavfi -i "$picture" -f lavfi -i testsrc2=s=160x120:r=25:d=4 \
    -f lavfi -i testsrc2=s=64x48:r=5:d=100 -i subtitles.srt <<END
text.mp4 $v -map 3 $h264 -c:s mov_text
empty.mkv -t 0.1 $v -map 3 $h264 -c:s srt
damaged.mp4 -map 1 -g 25 $h264
flipped.avi -map 1 -c:v mpeg4 -q:v 4
flipped.mp4 -map 1 -c:v mpeg4 -q:v 4
flipped.mkv -map 1 -g 25 $h264
intra.mov -map 1 -c:v mjpeg -frames:v 50
long.mkv -map 2 -g 5 $h264 -cluster_time_limit 1000
flat.mp4 $v $h264
flat.h264 $v $h264
large.h264 $v -vf scale=320:240 $h264
plain.h264 $v $h264 -bf 0
plain.h265 $v -pix_fmt yuv420p10le -c:v libx265 \
-x265-params log-level=none:bframes=0
nokey.h264 -map 1 -frames:v 50 $h264 -g 25 -keyint_min 25 -sc_threshold 0 -bf 0
small.png $v -frames:v 1 -s 80x60
END
  cat whole.ts whole.ts >joined.ts
  cat flat.h264 large.h264 >sizes.h264
  dd if=/dev/zero of=intra.mov bs=1000 seek=15 count=10 conv=notrunc 2>errors
  size=$(wc -c <damaged.mp4)
  head -c $((size / 3)) /dev/zero \
    | dd of=damaged.mp4 bs=1 seek=$((size / 3)) conv=notrunc 2>errors
  make_all -i plain.h265 <<END
plain.mp4 -c copy -tag:v hvc1
END
  python3 "$scripts/filmextras.py"
  make_all -fflags +genpts -r 25 -i captions.h264 \
    -fflags +genpts -r 25 -i fields.h264 -fflags +genpts -r 25 -i plus.h265 \
    -fflags +genpts -r 25 -i keyless.h264 <<END
captions.mkv -map 0 -c copy
fields.mkv -map 1 -c copy
plus.mkv -map 2 -c copy
keyless.mkv -map 3 -c copy -copyinkf
END
}

make_films () {
  make_texts
  make_pictures
  make_videos
  make_tracks
  films=$(ls ./*.mp4 ./*.mkv ./*.mov ./*.avi ./*.webm ./*.y4m ./*.dv ./*.gif \
    ./*.apng ./*.png ./*.jpg ./*.webp ./*.asf ./*.flv ./*.ts ./*.mpg ./*.ogv \
    | sed 's|^\./||')
}
