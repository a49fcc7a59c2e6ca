#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# pipelines/denoise.sh keeps all that it does not filter: film-test.sh
# PIPELINES_FOLDER
#
# Prints TAP. Films are made and looked at by FFmpeg: films.sh has many kinds, and
# filmcompare.py names what an output does not have of its film. GLOPENCL_BUILD
# names the folder where the plugin is built.
set -u

denoise=$1/denoise.sh
. "$(dirname "$0")/tap.sh"
if ! command -v ffmpeg >/dev/null; then
  echo "1..0 # SKIP no ffmpeg"
  exit 0
fi

off="glopenclfilter spatial-sigma=0"
. "$scripts/films.sh"
find_python json
make_films

# filter INPUT OUTPUT OPTION...: what is said comes in the file said.
filter () {
  input=$1 output=$2
  shift 2
  within 120 "$denoise" --force "$@" "$input" "$output" >/dev/null 2>said \
    && cp said errors
}

# stream FILE ENTRIES [STREAM]: values of a stream, by commas.
stream () {
  ffprobe -v error -select_streams "${3:-v:0}" -show_entries "stream=$2" \
    -of csv=p=0 "$1" | head -n 1 | sed 's/,*$//'
}

# is_same A B FORMAT: not one sample differs. One ffmpeg reads both: it loads its
# libraries for a tenth of a second.
is_same () {
  ffmpeg -v error -y -noautorotate -i "$1" -noautorotate -i "$2" \
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
  ffmpeg -v error -i "$1" -i "$2" -map 0:v -vf "${stats}1" -f null - \
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

# packets FILE STREAM: times, in order.
packets () {
  ffprobe -v error -select_streams "$2" -show_entries packet=pts_time \
    -of csv=p=0 "$1" | tr -d , | sort -n
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

keeps "8 bits" bt709.mp4 yuv420p h264
# Some versions of FFmpeg tag the matrix only.
[ "$(stream lossy.mkv $colours)" = "$(stream bt709.mp4 $colours)" ] \
  && [ "$(stream lossy.mkv color_range,color_space)" = tv,bt709 ]
result $? "BT.709 of a small frame stays"

keeps HDR10 hdr10.mkv yuv420p10le hevc
[ "$(stream lossy.mkv $colours)" = tv,bt2020nc,smpte2084,bt2020 ] \
  && ffprobe -v error -show_frames lossy.mkv | grep -q 'red_x=34000/50000' \
  && ffprobe -v error -show_frames lossy.mkv | grep -q 'max_content=1000'
result $? "HDR10: colours and HDR metadata stay"

keeps "ProRes 4:2:2" prores.mov yuv422p10le hevc
keeps "4:4:4" 444.mp4 yuv444p h264
keeps "VP9 of 10 bits" vp9.webm yuv420p10le hevc
keeps "full range 4:2:2" mjpeg.avi yuvj422p h264
keeps "an odd size" odd.mkv yuv420p vp9

filter alpha.mkv lossless.mkv --lossless --filter "$off" \
  && is_same alpha.mkv lossless.mkv yuva420p
result $? "alpha: --lossless changes no sample"
filter alpha.mkv lossy.mkv --filter "$off" && grep -q '^Not kept: alpha of video 1' said
result $? "alpha is named where it is lost"
filter gray16.mkv lossy.mkv --filter "$off" \
  && grep -q '^Not kept: 16 bits (12 are kept)' said \
  && [ "$(stream lossy.mkv pix_fmt,color_range)" = yuv420p12le,pc ]
result $? "so are bits"
filter gray.mkv lossy.mkv --codec vp9 --filter "$off" \
  && [ "$(stream lossy.mkv pix_fmt,color_range)" = yuv420p,pc ] \
  && has_mean gray.mkv lossy.mkv gray
result $? "grey stays as bright where it becomes YUV"

# get_psnr A B: of luma, in dB.
get_psnr () {
  ffmpeg -v error -i "$1" -i "$2" -lavfi "[0:v][1:v]psnr=f=-" -f null - \
    | sed -n 's/.*mse_y:\([0-9.]*\) .*/\1/p' | awk '{ sum += $1 }
    END { print 10 * log(65025 * NR / sum) / log(10) }'
}

# Noise that x264 has to spend bits on.
make noise.mkv -f lavfi -i "testsrc2=s=320x240:r=25:d=1,noise=alls=20:allf=t" \
  -pix_fmt yuv420p -c:v ffv1
for quality in 6 18 30; do
  make x264.mkv -i noise.mkv -c:v libx264 -preset veryfast -crf $quality
  filter noise.mkv lossy.mkv --quality $quality --filter "$off"
  echo "$(wc -c <x264.mkv) $(get_psnr noise.mkv x264.mkv)" \
    "$(wc -c <lossy.mkv) $(get_psnr noise.mkv lossy.mkv)" >errors
  awk '{ exit ($3 / $1 - 1) ^ 2 > 0.0009 || ($4 - $2) ^ 2 > 0.01 }' errors
  result $? "quality $quality is as good and as large as x264's"
done

filter hdr10.mkv lossy.mkv --bits 8 --codec vp9 --quality 40 --filter "$off" \
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

# may_differ FILM SUFFIX: prints what an output cannot have, as expressions.
may_differ () {
  case $1 in
    # What is no Y'CbCr becomes Y'CbCr, with its tags.
    *.apng | *.gif | *.png) echo "video 1, color_" ;;
    # Its place has no meaning without subsampled rows.
    mjpeg.avi) echo "chroma_location" ;;
    # The sizes of buffers are those of the codec.
    packed.avi | program.mpg) echo "CPB properties" ;;
    # The headers of each packet are in the container.
    trimmed.ts) echo "(aac): packets differ" ;;
    # Each frame has the same timecode.
    raw.dv) echo "tags: {}, now {'timecode'" ;;
  esac
  case $1$2 in
    chapters.mp4.mkv) echo "becomes subrip" ;;
    discs.mkv.mp4) echo "number of others: 1, now 0" ;;
    program.mpg.mp4 | whole.ts.mp4) echo "(mp2): becomes mp3" ;;
    prores.mov.mp4 | surround.mkv.mp4 | wma.asf.mp4)
      echo "becomes aac|times: " ;;
    sounds.mkv.mp4) echo "(pcm_s24le): becomes aac|(pcm_s24le): times: |\
(wavpack): becomes aac|(wavpack): times: " ;;
    tracks.mkv.mp4) echo "becomes mov_text|files and covers|(ass), flags" ;;
  esac
}

# keeps_all FILM SUFFIX: the output has all of the film that it can have.
keeps_all () {
  if ! filter "$1" "kept$2" --filter "$off"; then
    return 1
  fi
  "$python" "$scripts/filmcompare.py" "$1" "kept$2" >differences 2>&1
  may_differ "$1" "$2" | tr '|' '\n' >allowed
  grep -v -F -f allowed differences >errors
  [ ! -s errors ]
}

for film in $films; do
  keeps_all "$film" .mkv
  result $? "$film in a .mkv"
  case $film in
    tracks.* | cover.* | chapters.* | timecode.* | discs.* | sounds.* | rates.* \
        | surround.* | trimmed-1.3.* | very-late.* | aspect.* | hdr10.* \
        | whole.* | odd.* | wma.* | late-tracks.* | raw.dv)
      keeps_all "$film" .mp4
      result $? "$film in a .mp4" ;;
  esac
done

filter tracks.mkv kept.mkv --filter "$off" --lossless
is_same tracks.mkv kept.mkv yuv420p
result $? "both videos are there"
for track in 0 1; do
  for file in tracks kept; do
    # Without the times.
    ffmpeg -v error -y -i $file.mkv -map 0:s:$track -f ass - \
      | sed 's/^Dialogue: [^,]*,[^,]*,[^,]*,//' >$file.ass
  done
  cmp tracks.ass kept.ass >errors
  result $? "subtitles $track are the same"
done
filter tracks.mkv kept.mp4 --filter "$off"
grep -q '^Not kept: .*places and styles of subtitles 2' said \
  && grep -q '^Not kept: .*attachment 1' said
result $? "what a .mp4 cannot hold is named"
filter discs.mkv kept.mp4 --filter "$off" \
  && grep -q '^Not kept: .*subtitles 1' said
result $? "so are pictures of subtitles"
filter surround.mkv kept.mp4 --filter "$off" \
  && grep -q 'becomes AAC, as .mp4 cannot hold it' said \
  && [ "$(stream kept.mp4 codec_name,channels a:0)" = aac,6 ]
result $? "sound that it cannot hold becomes AAC, with all channels"
filter trimmed-1.3.mp4 kept.mkv --filter "$off" \
  && [ "$(packets kept.mkv v:0 | wc -l)" = 92 ]
result $? "what an edit list hides is not shown"

make telling.mkv -f lavfi -i "testsrc2=s=160x128:r=50:d=1" \
  -vf "tinterlace=interleave_top" -flags +ilme+ildct -pix_fmt yuv420p \
  -field_order tt -c:v mpeg2video -b:v 4M
filter telling.mkv kept.mkv && ffprobe -v error -show_entries \
  frame=interlaced_frame,top_field_first -of csv=p=0 kept.mkv \
  | sed 's/,*$//' | grep . | sort -u >errors && [ "$(cat errors)" = 1,1 ]
result $? "interlaced, and the container says which field is first"

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
within 60 "$denoise" --force untimed.ts kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'audio 1 .* does not say when' errors
result $? "sound without times is an error that says so"
within 60 "$denoise" --force torn.ts kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'cut off' errors
result $? "a transport stream that ends within a packet is cut off"
filter half.ts kept.mkv && grep -q 'perhaps the file is cut off' said
result $? "one that ends between packets is doubted in one line"
filter whole.ts kept.mkv && ! grep -q -e 'cut off' -e 'Not kept' said
result $? "and the whole one is not"
cat whole.ts whole.ts >joined.ts
within 60 "$denoise" --force joined.ts kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'go back behind [23]\.[0-9] s' errors
result $? "two films in one file are refused by the place"
# shellcheck disable=SC2086
make empty.mkv -f lavfi -i "$picture" -i subtitles.srt -map 0 -map 1 -t 0.1 \
  $h264 -c:s srt
filter empty.mkv kept.mp4 && filter empty.mkv kept.mkv
result $? "a track without packets is no failure"
make intra.mov -f lavfi -i "testsrc2=s=160x120:r=25:d=2" -c:v mjpeg
dd if=/dev/zero of=intra.mov bs=1000 seek=15 count=10 conv=notrunc 2>/dev/null
within 60 "$denoise" --force intra.mov kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q damaged errors
result $? "where each frame stands alone, damage at the start is damage"
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
within 60 "$denoise" --force cut.mkv kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'cut off' errors
result $? "a second of a hundred that is missing is noticed"

make flat.mp4 -f lavfi -i "$picture" -pix_fmt yuv420p -c:v libx264
ffmpeg -v error -y -i flat.mp4 -i 444.mp4 -lavfi \
  '[1]scale=320:240,format=yuv420p[b];[0]scale=160:120[a];[a]null[c];[b]null[d]' \
  -map '[c]' -f h264 -c:v libx264 a.h264 -map '[d]' -f h264 -c:v libx264 b.h264 \
  2>errors
cat a.h264 b.h264 >sizes.h264
within 60 "$denoise" --force sizes.h264 kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'changes from 160x120 to 320x240' errors
result $? "another size in the middle is an error that says so"
make damaged.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=4" -c:v libx264 \
  -g 25 -pix_fmt yuv420p
size=$(wc -c <damaged.mp4)
head -c $((size / 3)) /dev/zero \
  | dd of=damaged.mp4 bs=1 seek=$((size / 3)) conv=notrunc 2>/dev/null
within 60 "$denoise" --force damaged.mp4 kept.mkv >/dev/null 2>errors
[ $? = 1 ] && grep -q 'damaged' errors
result $? "damage is an error"
filter damaged.mp4 kept.mkv --partial && grep -q '^Not kept: .*damaged' said
result $? "or named with --partial"

# One bit of each hundred bytes in the middle, but for what a container counts.
make flipped.avi -f lavfi -i "testsrc2=s=160x120:r=25:d=4" -c:v mpeg4 -q:v 4
make flipped.mp4 -f lavfi -i "testsrc2=s=160x120:r=25:d=4" -c:v mpeg4 -q:v 4
make flipped.mkv -f lavfi -i "testsrc2=s=160x120:r=25:d=4" -c:v libx264 -g 25 \
  -pix_fmt yuv420p
for film in flipped.avi flipped.mkv flipped.mp4; do
  "$python" - $film bits.${film##*.} <<'END'
import sys
film = bytearray(open(sys.argv[1], "rb").read())
for at in range(len(film) // 3, len(film) * 3 // 4, len(film) // 20):
    film[at] ^= 16
open(sys.argv[2], "wb").write(film)
END
  within 60 "$denoise" --force bits.${film##*.} kept.mkv >/dev/null 2>errors
  [ $? = 1 ] && grep -q 'damaged' errors
  result $? "bits of $film that flipped are damage"
done

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

# fails WORDS FILE OPTION...: the film is refused, with WORDS in the reason.
fails () {
  words=$1
  shift
  within 60 "$denoise" --force "$@" kept.mkv >/dev/null 2>errors
  [ $? = 1 ] && grep -q -e "$words" errors
}

# Files that make FFmpeg open others.
printf '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:1,\n%s\n#EXT-X-ENDLIST\n' \
  "$work/whole.ts" >playlist.mkv
printf 'ffconcat version 1.0\nfile whole.ts\n' >script.mkv
cp still.png 'still%d.png'
make still1.png -f lavfi -i "$picture" -frames:v 1 -s 80x60
for film in playlist.mkv script.mkv; do
  fails 'is not opened as a film' $film
  result $? "$film opens no other file"
done
filter 'still%d.png' kept.mkv --filter "$off" \
  && [ "$(stream kept.mkv width,height)" = 160,120 ]
result $? "a pattern of names is the name of a file"

# fields FILE: how many frames are how: progressive, top or bottom field first.
fields () {
  ffprobe -v error -select_streams v:0 -show_entries \
    frame=interlaced_frame,top_field_first -of default=nk=1:nw=1 "$1" \
    | grep '^[01]$' | paste -d, - - | sed 's/^0,./progressive/
      s/1,1/top/; s/1,0/bottom/' | sort | uniq -c | awk '{ printf "%s%s %s",
        (NR > 1) ? ", " : "", $2, $1 }'
}
for order in top bottom; do
  make fields.m2v -f lavfi -i "testsrc2=s=160x128:r=50:d=0.4" \
    -vf "tinterlace=interleave_$order" -flags +ilme+ildct -pix_fmt yuv420p \
    -field_order "$(echo $order | cut -c 1)b" -c:v mpeg2video -b:v 4M
  make frames.m2v -f lavfi -i "testsrc2=s=160x128:r=25:d=0.4" -pix_fmt yuv420p \
    -c:v mpeg2video -b:v 4M
  cat fields.m2v frames.m2v fields.m2v >mixed.m2v
  make mixed.ts -fflags +genpts -i mixed.m2v -c copy
  cat frames.m2v fields.m2v >later.m2v
  make later.ts -fflags +genpts -i later.m2v -c copy
  cp mixed.m2v errors
  for kind in "h264 mkv" "h264 mp4" "ffv1 mkv"; do
    filter mixed.ts "kept.${kind#* }" --codec "${kind% *}" --filter "$off"
    fields "kept.${kind#* }" >errors
    [ "$(cat errors)" = "progressive 10, $order 20" ] \
      || [ "$(cat errors)" = "$order 20, progressive 10" ]
    result $? "a mixed film, $order first: $kind"
  done
done
for codec in h265 vp9; do
  filter mixed.ts kept.mkv --codec $codec --filter "$off" \
    && grep -q '^Not kept: fields of video 1' said \
    && [ "$(stream kept.mkv field_order)" = progressive ]
  result $? "fields that $codec does not mark are named"
done
filter later.ts kept.mkv --filter "$off"
grep -q '^Not kept: fields of video 1' said || [ "$(fields kept.mkv)" \
  = "bottom 10, progressive 10" ]
result $? "fields that come after progressive frames are kept or named"

# Only interlaced frames have two fields to make frames of.
filter mixed.ts kept.mkv --deinterlace --filter "$off" \
  && [ "$(fields kept.mkv)" = "progressive 50" ]
result $? "--deinterlace: 20 interlaced and 10 progressive frames become 50"
filter later.ts kept.mkv --deinterlace --filter "$off" \
  && [ "$(fields kept.mkv)" = "progressive 30" ]
result $? "--deinterlace: a film may begin with progressive frames"
filter hdr10.mkv kept.mkv --deinterlace --filter "$off" \
  && [ "$(stream kept.mkv pix_fmt,$colours)" \
    = yuv420p10le,tv,bt2020nc,smpte2084,bt2020 ] \
  && [ "$(packets kept.mkv v:0)" = "$(packets hdr10.mkv v:0)" ] \
  && filter hdr10.mkv lossless.mkv --deinterlace --lossless --filter "$off" \
  && is_same hdr10.mkv lossless.mkv yuv420p10le
result $? "--deinterlace: a progressive film stays as it is"
make deep.mkv -f lavfi -i "testsrc2=s=160x128:r=50:d=1" -vf \
  "tinterlace=interleave_top" -flags +ilme+ildct -pix_fmt yuv420p10le \
  -c:v libx264 -x264opts tff=1
filter deep.mkv kept.mkv --deinterlace --filter "$off" \
  && [ "$(stream kept.mkv pix_fmt)" = yuv420p10le ] \
  && [ "$(fields kept.mkv)" = "progressive 50" ] \
  && [ "$(packets kept.mkv v:0 | sed -n 2p)" = 0.020000 ]
result $? "--deinterlace: 10 bits stay, and a field begins in the middle"

# captions FILE: on how many frames they are, and what they say.
captions () {
  ffprobe -v error -select_streams v:0 -show_frames "$1" \
    | grep -c 'side_data_type=ATSC A53'
  ffmpeg -v error -f lavfi -i "movie=$1[out0+subcc]" -map s -f srt -
}
make plain.h264 -f lavfi -i "$picture" -pix_fmt yuv420p -c:v libx264 -bf 0
python3 "$scripts/filmextras.py" captions plain.h264 captions.h264
make captions.mkv -fflags +genpts -r 25 -i captions.h264 -c copy
captions captions.mkv >before
for codec in h264 h265; do
  for bits in 8 10; do
    filter captions.mkv kept.mkv --codec $codec --bits $bits --filter "$off"
    captions kept.mkv >errors
    cmp -s before errors && grep -q HI errors && ! grep -q 'Not kept' said
    result $? "captions stay in $codec of $bits bits"
  done
done
for codec in vp9 ffv1; do
  filter captions.mkv kept.mkv --codec $codec --filter "$off" \
    && grep -q '^Not kept: captions of video 1' said
  result $? "captions are named where $codec loses them"
done
make interlaced.h264 -f lavfi -i "testsrc2=s=160x128:r=50:d=1" -vf \
  "tinterlace=interleave_top" -flags +ilme+ildct -pix_fmt yuv420p -c:v libx264 \
  -x264opts tff=1 -bf 0
python3 "$scripts/filmextras.py" captions interlaced.h264 captions.h264
make captions.mkv -fflags +genpts -r 25 -i captions.h264 -c copy
captions captions.mkv >before
filter captions.mkv kept.mkv --deinterlace --filter "$off"
captions kept.mkv >errors
[ "$(head -n 1 before)" = 25 ] && cmp -s before errors
result $? "--deinterlace: captions are on one of the two frames"

make plain.h265 -f lavfi -i "$picture" -pix_fmt yuv420p10le -c:v libx265 \
  -x265-params log-level=none:bframes=0
python3 "$scripts/filmextras.py" hdr10plus plain.h265 plus.h265
make plus.mkv -fflags +genpts -r 25 -i plus.h265 -c copy
# dynamic FILE: the metadata of all frames.
dynamic () {
  ffprobe -v error -show_frames "$1" | sed -n '/HDR Dynamic/,/\/SIDE_DATA/p'
}
for suffix in mkv mp4; do
  filter plus.mkv kept.$suffix --filter "$off"
  dynamic plus.mkv >before
  dynamic kept.$suffix >errors
  [ "$(grep -c 'HDR Dynamic' before)" = 25 ] && cmp -s before errors \
    && ! grep -q 'Not kept' said
  result $? "HDR10+ stays in a .$suffix"
done
filter plus.mkv kept.mkv --codec vp9 --filter "$off" \
  && grep -q '^Not kept: HDR10+ metadata of video 1' said
result $? "HDR10+ is named where VP9 loses it"
make plain.mp4 -i plain.h265 -c copy -tag:v hvc1
for profile in 5 8; do
  python3 "$scripts/filmextras.py" dolby-$profile plain.mp4 dolby-$profile.mp4
done
fails 'Dolby Vision of profile 5.*--partial' dolby-5.mp4
result $? "Dolby Vision without a picture for others is refused"
filter dolby-5.mp4 kept.mkv --partial --filter "$off" \
  && grep -q '^Not kept: Dolby Vision' said
result $? "--partial filters it, and names the loss"
filter dolby-8.mp4 kept.mkv --filter "$off" \
  && grep -q '^Not kept: Dolby Vision' said
result $? "Dolby Vision beside HDR10 is named"

# shellcheck disable=SC2086
make text.mp4 -f lavfi -i "$picture" -i subtitles.srt -map 0 -map 1 $h264 \
  -c:s mov_text
python3 "$scripts/filmextras.py" telemetry text.mp4 telemetry.mp4
filter telemetry.mp4 kept.mkv --filter "$off" \
  && grep -q '^Not kept: data 1 (gpmd)' said
result $? "telemetry is named where a .mkv loses it"
data () {
  ffprobe -v error -select_streams d -show_packets -show_data_hash md5 "$1" \
    | grep '^data_hash'
}
filter telemetry.mp4 kept.mp4 --filter "$off" && ! grep -q 'Not kept' said \
  && [ -n "$(data telemetry.mp4)" ] \
  && [ "$(data telemetry.mp4)" = "$(data kept.mp4)" ]
result $? "and stays in a .mp4"
for film in chapters.mp4 timecode.mov; do
  filter $film kept.mkv --filter "$off" && ! grep -q 'Not kept' said
  result $? "$film: what is data elsewhere is no loss"
done
python3 "$scripts/filmextras.py" aperture bt709.mp4 aperture.mp4
python3 "$scripts/filmextras.py" crop wide.mkv crop.mkv
for film in aperture.mp4 crop.mkv; do
  filter $film kept.mkv --filter "$off" && grep -q '^Not kept: the crop' said
  result $? "$film: the crop is named"
done
make nokey.h264 -f lavfi -i "testsrc2=s=160x120:r=25:d=2" -pix_fmt yuv420p \
  -c:v libx264 -g 25 -keyint_min 25 -sc_threshold 0 -bf 0
python3 - <<'END'
import re
units = re.split(b"\0?\0\0\1", open("nokey.h264", "rb").read())[1:]
first = next(n for n, unit in enumerate(units) if unit[0] & 31 == 5)
del units[first]
open("nokey.h264", "wb").write(b"".join(b"\0\0\0\1" + unit for unit in units))
END
make nokey.mkv -fflags +genpts -r 25 -i nokey.h264 -c copy -copyinkf
filter nokey.mkv kept.mkv --filter "$off" \
  && grep -q '^Not kept: 24 frames at the start of video 1' said
result $? "frames before the first key frame are counted"
# An animation of two frames.
ffmpeg -v error -y -i still.webp -frames:v 1 one.webp
python3 - <<'END'
import struct
picture = open("still.webp", "rb").read()[12:]
frame = b"ANMF" + struct.pack("<I", 16 + len(picture)) + bytes(6) \
    + struct.pack("<I", 159)[:3] + struct.pack("<I", 119)[:3] \
    + struct.pack("<I", 40)[:3] + b"\0" + picture
body = b"WEBPVP8X" + struct.pack("<II", 10, 2) \
    + struct.pack("<I", 159)[:3] + struct.pack("<I", 119)[:3] \
    + b"ANIM" + struct.pack("<IIH", 6, 0, 0) + 2 * frame
open("animated.webp", "wb").write(b"RIFF" + struct.pack("<I", len(body)) + body)
END
if ffmpeg -v error -i animated.webp -f null - 2>/dev/null; then
  filter animated.webp kept.mkv --filter "$off"
else
  fails 'does not support animated WebP' animated.webp
fi
result $? "an animated WebP is filtered or refused by its name"

plan
