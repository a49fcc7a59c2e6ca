#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests that glopencl-archive survives failures of its workers: archive-test.sh
# FOLDER, which contains the script for Slurm.
#
# Prints TAP. GLOPENCL_BUILD names the folder where the programs are built.
set -u

folder=$1
program=$GLOPENCL_BUILD/apps/archive/glopencl-archive
export PATH="$GLOPENCL_BUILD/apps/archive:$GLOPENCL_BUILD/apps/denoise:$GLOPENCL_BUILD/tools:$PATH"
export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst" LC_ALL=C
. "$(dirname "$0")/tap.sh"
find_python distributed cryptography
for command in ffmpeg dask-scheduler dask-worker openssl; do
  command -v $command >/dev/null || { echo "1..0 # SKIP no $command"; exit 0; }
done

# The first videos are single jobs, the last one has three parts. The frames of a
# clip differ, and there are B frames across the cuts.
film () {
  ffmpeg -v error -f lavfi -i "testsrc2=s=96x64:r=25:d=$2,noise=alls=14:allf=t" \
    -f lavfi -i "sine=d=$2" -c:v libx264 -g 20 -pix_fmt yuv420p -c:a flac \
    -strict -2 "$1"
}
mkdir -p in/b one/b cut
film in/a.mp4 1
film in/b/b.mkv 1
film in/b/long.mkv 5
cp in/b/long.mkv cut/
echo text >in/b/notes.txt

# Needs little processor time, and runs long enough to be interrupted.
filter="identity sleep-time=20000 ! glopenclfilter radius=1"

# run_archive ARGUMENT...: runs with a time limit, because a bug may block.
run_archive () {
  within 200 "$python" "$program" \
    --segment 2 "$@" >said 2>errors
}

# archive ARGUMENT...: filters videos losslessly.
archive () {
  run_archive "$@" -- --lossless --filter "$filter"
}

# denoise ARGUMENT...: makes the expected output of archive.
denoise () {
  glopencl-denoise --lossless --force --filter "glopenclfilter radius=1" "$@" \
    2>errors
}

# Lists the frames of a video and the packets of its audio.
list_frames () {
  ffmpeg -v error -y -i "$1" -map 0:v -f framemd5 video.md5 \
    -map 0:a -c copy -f framemd5 audio.md5
  cat video.md5 audio.md5 | grep -v '^#'
}

# is_like FILM NAME: whether it is the output of glopencl-denoise for in/NAME.
is_like () {
  list_frames "$1" | cmp - "one/$2.frames" >errors
}

# are_whole FOLDER: whether it contains exactly the outputs of glopencl-denoise.
are_whole () {
  (cd "$1" && find . -type f ! -path ./.glopencl-archive/lock | sort) >found
  printf '%s\n' ./a.mkv ./b/b.mkv ./b/long.mkv >wanted
  diff found wanted >errors || return 1
  for name in a b/b b/long; do
    is_like "$1/$name.mkv" $name || return 1
  done
}

# wait_for FOLDER NAME: waits until a video or a part is begun. NAME has * for its
# random part. The case fails if it never begins. A killed worker leaves its file,
# so use each NAME for one kill.
wait_for () {
  for _ in $(seq "$(scale 1200)"); do
    [ -z "$(find "$1" -name "$2" 2>/dev/null)" ] || return 0
    kill -0 "$running" 2>/dev/null || break
    sleep 0.05
  done
  result 1 "$1 never had $2"
}

patience=20 lines=1
mkdir empty twice long linked others foreign else else/inner
cp in/a.mp4 twice/a.mp4
cp in/a.mp4 twice/a.mov
ln -s in same
touch "long/$(printf 'x%.0s' $(seq 252)).ts"
printf '../a.mp4\n' >names
ln -s ../else/inner linked/.glopencl-archive
echo text >others/.glopencl-archive
refuses "$python" "$program" <<'END'
2|no such folder|nowhere out
2|no videos found|empty out
2|a.mov and a.mp4 would both become|twice out
2|is OUT, or inside OUT|in in
2|is OUT, or inside OUT|in/b in
2|is OUT, or inside OUT|same in
2|the name of the output is too long|long out
2|nor a list of names|in/a.mp4 out
2|names with .. are not|names out
2|Unknown option|in out -- --what
2|0 (best) to 51|in out -- --quality 99
2|reserved for glopencl-archive|in out -- --join x
2|reserved for glopencl-archive|in out -- --start 5
2|nobody|--scheduler tcp://nobody:1 in out
2|a number of at least 1|--workers 0 in out
2|a link, or not a folder|in linked
2|a link, or not a folder|in others
END
check "a folder that is a link stays empty" [ -z "$(ls else/inner)" ]
if [ "$(id -u)" = 0 ]; then
  mkdir foreign/.glopencl-archive
  chown 65534 foreign/.glopencl-archive
  refuses "$python" "$program" <<END
2|belongs to another user|in foreign
END
fi

for name in a.mp4 b/b.mkv b/long.mkv; do
  denoise "in/$name" "one/${name%.*}.mkv"
  list_frames "one/${name%.*}.mkv" >"one/${name%.*}.frames"
done
[ "$(grep -c '^0' one/b/long.frames)" -ge 125 ]
result $? "films are there to compare with"

# list_open PID: lists the sockets of a process and its children that listen to
# other machines, or accept a connection without a certificate. The first line is
# the number of all sockets.
list_open () {
  "$python" - "$1" <<'END'
import asyncio
import sys
import psutil
from distributed.comm import connect

sockets = set()
for child in psutil.Process(int(sys.argv[1])).children(recursive=True):
    try:
        sockets |= {tuple(socket.laddr) for socket in child.connections()
                    if socket.status == "LISTEN"}
    except psutil.NoSuchProcess:
        pass
print(len(sockets))


async def check(host, port):
    if host != "127.0.0.1":
        print(host, port, "listens to other machines")
    try:
        await asyncio.wait_for(connect(f"tcp://127.0.0.1:{port}"), 5)
        print(host, port, "takes a connection without a certificate")
    except Exception:
        pass


async def main():
    await asyncio.gather(*(check(*socket) for socket in sockets))

asyncio.run(main())
END
}

# Files of the user in OUT and targets of links are unchanged. Each worker, its
# nanny and the scheduler have a socket for Dask and, except nannies, one for HTTP.
mkdir -p out/b
for name in out/a.log out/b/b.log out/b/long.log else/file; do
  echo mine >$name
done
ln -s ../else/file out/.glopencl-archive.lock
archive --workers 2 in out &
running=$!
wait_for out '.film.mkv-*.part'
list_open $running >sockets 2>open
wait $running
status=$?
find out -name '*.log' ! -path '*/.glopencl-archive/*' -exec cat {} + >kept
rm -f out/*.log out/b/*.log out/.glopencl-archive.lock
[ $status = 0 ] && are_whole out && ! grep -q "filtered without parts" said
result $? "two workers of this machine: $(tail -n 1 said)"
[ "$(grep -c mine kept)" = 3 ] && [ "$(cat else/file)" = mine ] \
  && [ "$(stat -c %a out/.glopencl-archive)" = 700 ]
result $? "nothing of the user is removed, overwritten or followed"
cat sockets open >errors
[ "$(head -n 1 sockets)" -ge 8 ] && [ "$(wc -l <sockets)" = 1 ]
result $? "nothing is open to other machines and users"
exec 9>out/.glopencl-archive/lock
flock 9
refuses "$python" "$program" <<END
2|in use by another glopencl-archive|in out
END
exec 9>&-

# An interrupted program leaves no process and no temporary files.
mkdir temporary
for status in 129 143; do
  # The tests may be started with nohup.
  TMPDIR=$work/temporary env --default-signal=HUP,TERM "$python" \
    "$program" --segment 2 --workers 1 \
    cut ended -- --lossless --filter "$filter" >said 2>errors &
  running=$!
  wait_for ended ".0000$((status / 143)).nut-*.part"
  kill -$((status - 128)) $running
  wait $running
  [ $? = $status ] && [ -z "$(ls -A temporary)" ] \
    && ! grep -qsz "^TMPDIR=$work/temporary$" /proc/[0-9]*/environ \
    && ! grep -q Traceback errors && grep -q "Run the same command" errors
  result $? "ended by SIG$(kill -l $status): $(tail -n 1 errors)"
done

# Videos that are completed while they are filtered, as a whole or in parts. In
# parallel with the next cases, one that is written as long as the program runs.
mkdir growing
for name in b long; do
  head -c $(($(stat -c %s in/b/$name.mkv) * 7 / 10)) in/b/$name.mkv \
    >growing/$name.mkv
done
cp in/b/b.mkv growing/endless.mkv
touch -d '1 hour ago' growing/b.mkv growing/long.mkv
touch recording
while [ -e recording ]; do
  printf x >>growing/endless.mkv
  sleep 0.5
done &
recorder=$!
(within 200 "$python" "$program" --segment 2 --workers 1 growing grown \
  -- --lossless --filter "$filter" >grown.txt 2>&1
echo "status $?" >>grown.txt) &
waiting=$! running=$!
wait_for grown '.film.mkv-*.part'
cat in/b/b.mkv >growing/b.mkv
wait_for grown '.00000.nut-*.part'
cat in/b/long.mkv >growing/long.mkv

# Joins parts by hand, including truncated and damaged ones.
denoise --part :2400 cut/long.mkv 0.nut && denoise --part 2400: cut/long.mkv 1.nut
join () {
  denoise --join "$1" --join 1.nut cut/long.mkv joined.mkv
}
join 0.nut && is_like joined.mkv b/long
result $? "parts are joined by hand"
size=$(stat -c %s 0.nut)
for bytes in 0 30 44 60 $((size / 2)) $((size - 1)); do
  head -c "$bytes" 0.nut >short.nut
  ! join short.nut && grep -q "short.nut: " errors || break
done
[ "$bytes" = $((size - 1)) ] && grep -q "$bytes bytes but was .* $size\. " errors
result $? "a truncated part: $(tail -n 1 errors)"
for place in 10 20 60 $((size / 2)) $((size - 9)); do
  cp 0.nut flipped.nut
  printf '\377\000' | dd of=flipped.nut bs=1 seek="$place" conv=notrunc 2>errors
  ! join flipped.nut && grep -q "flipped.nut: " errors || break
done
[ "$place" = $((size - 9)) ] && grep -q "is damaged" errors
result $? "a damaged part: $(tail -n 1 errors)"
# Increasing noise, and frames of another brightness without measurable noise, so
# that the estimate for a frame depends on as many previous frames as possible.
ffmpeg -v error -f lavfi -i "color=gray:s=320x120:r=25:d=0.04,format=gray,\
geq=lum='255*random(1)',gblur=3,curves=all='0/0 0.4/0.1 0.6/0.8 1/0.8',\
loop=-1:1,trim=end_frame=75,setpts=N/25/TB,crop=160:120:n:0,\
geq=lum='lum(X,Y)+25*gte(N,26)*not(mod(N,4))+(3+N/6)*1.73*(random(1)+random(1)\
+random(1)+random(1)-2)',format=yuv420p" -c:v libx264 -qp 0 -g 12 blind.mkv
glopencl-denoise --lossless blind.mkv blind-one.mkv 2>errors
set --
for segment in :1240 1240:2000 2000:; do
  glopencl-denoise --lossless --part $segment blind.mkv "${segment%:*}.nut" \
    2>>errors
  set -- "$@" --join "${segment%:*}.nut"
done
glopencl-denoise --lossless "$@" blind.mkv blind-joined.mkv 2>>errors
for name in one joined; do
  ffmpeg -v error -i blind-$name.mkv -f framemd5 - | grep -v '^#' >$name.md5
done
cmp one.md5 joined.md5 >>errors && [ "$(grep -c '^0' one.md5)" = 75 ]
result $? "parts have the noise that the whole film has"

# A test cluster, whose processes are killed.
start_scheduler () {
  rm -f scheduler.json
  dask-scheduler --host 127.0.0.1 --port 0 --no-dashboard \
    --scheduler-file scheduler.json >scheduler.log 2>&1 &
  scheduler=$!
  for _ in $(seq "$(scale 100)"); do
    [ -s scheduler.json ] && break
    sleep 0.2
  done
}

start_worker () {
  dask-worker --nthreads 1 --no-dashboard --no-nanny --scheduler-file \
    scheduler.json --local-directory "$work/dask" >worker.log 2>&1 &
  worker=$!
}

start_scheduler
refuses "$python" "$program" <<END
2|does not use TLS|--scheduler scheduler.json in out
END
kill -KILL $scheduler
comm=DASK_DISTRIBUTED__COMM
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=test -keyout key.pem \
  -out cert.pem 2>errors
export "${comm}__DEFAULT_SCHEME=tls" "${comm}__TLS__CA_FILE=$work/cert.pem"
for role in SCHEDULER WORKER CLIENT; do
  export "${comm}__TLS__${role}__CERT=$work/cert.pem" \
    "${comm}__TLS__${role}__KEY=$work/key.pem"
done
start_scheduler
start_worker
archive --scheduler scheduler.json in killed &
running=$!
for name in '.film.mkv-*.part' '.00000.nut-*.part' '.00001.nut-*.part'; do
  wait_for killed "$name"
  kill -KILL $worker
  wait $worker 2>/dev/null
  start_worker
done
wait_for killed 00001.nut
left=$(find killed/.glopencl-archive -name 00001.nut)
left=${left%/*}
kill -KILL $scheduler
wait $running
[ $? = 1 ] && grep -q "connection to the scheduler lost" errors && ! grep -q Traceback errors
result $? "workers are killed, and the scheduler: $(tail -n 1 errors)"
kill -KILL $worker
start_scheduler
start_worker
set -- --scheduler scheduler.json
archive "$@" in killed && are_whole killed
result $? "the same command goes on: $(tail -n 1 said) $(head -n 3 errors)"
mkdir -p "$left"
touch "$left/00000.nut" "$left/.00001.nut-abcdef.part" "$left/film.mkv"
archive "$@" in killed && [ "$(ls -A "$left")" = film.mkv ] \
  && rm "$left/film.mkv" && archive "$@" in killed && are_whole killed
result $? "what a killed worker leaves of a film that is done is removed later"

part=$(find ended -name 00000.nut)
head -c 9999 "$part" >short.nut
cp short.nut "$part"
archive "$@" cut ended && is_like ended/long.mkv b/long \
  && grep -q "long.mkv: part 0 was filtered again: .* has 9999 bytes" said
result $? "a truncated part is filtered again: $(head -n 1 said)"

# Codecs whose frames are not decoded in the order in which they are shown.
list_times () {
  ffprobe -v error -select_streams v -show_entries packet=pts -of csv=p=0 "$1" \
    | tr -d , | sort -n
}
for codec in h264 h265; do
  glopencl-denoise --codec $codec --filter "$filter" cut/long.mkv $codec.mkv \
    2>errors
  run_archive "$@" cut joined-$codec -- --codec $codec --filter "$filter"
  list_times $codec.mkv >wanted
  ! grep -q "filtered without parts" said \
    && list_times joined-$codec/long.mkv | diff - wanted >errors \
    && [ "$(sort -u wanted | wc -l)" = 125 ] \
    && ffmpeg -v error -xerror -i joined-$codec/long.mkv -f null - 2>errors
  result $? "$codec: times of joined parts are those of one go"
done

# Unfinished files of a killed glopencl-denoise, whose names are truncated after
# 100 bytes, or before a character at this position. Also one in use, and one of
# another video.
mkdir killed-in killed-out
for length in 90 100 101 98 251; do
  name=$(printf 'x%.0s' $(seq $((length - 1))))
  [ $length != 98 ] || name=$(printf 'x%.0s' $(seq 99))éé
  [ $length != 251 ] || name=$(printf 'é%.0s' $(seq 125))
  cp in/b/b.mkv "killed-in/$name.mkv"
  glopencl-denoise --filter "$filter" in/b/long.mkv "killed-out/$name.mkv" \
    >/dev/null 2>errors &
  running=$!
  wait_for killed-out '.*.part'
  kill -KILL $running
  wait $running 2>/dev/null
  find killed-out -name '.*.part' -exec mv {} . \;
done
mv ./.*.part killed-out/
ls -A killed-out >>errors
[ "$(find killed-out -name '.*.part' | wc -l)" = 5 ]
result $? "five programs were killed"
touch killed-out/.other.mkv-abcdef.part
exec 8>"killed-out/.$(printf 'x%.0s' $(seq 89)).mkv-abcdef.part"
flock 8
archive "$@" killed-in killed-out
exec 8>&-
find killed-out -name '.*.part' -printf '%f\n' | sed 's/xx*/x/' | sort >found
printf '%s\n' .other.mkv-abcdef.part .x.mkv-abcdef.part | diff - found >errors
result $? "unfinished files of long names are removed: $(tail -n 1 said)"

# A list with repeated names, and a file that gets the name of an output during
# filtering.
mkdir late
printf 'a.mp4\n./a.mp4\nb//b.mkv\nb/b.mkv\n' >in/list
archive "$@" in/list late &
running=$!
wait_for late '.film.mkv-*.part'
echo mine >late/a.mkv
wait $running
[ $? = 1 ] && grep -q "^failed: a.mp4: .*/late/a.mkv: File exists" said \
  && [ "$(cat late/a.mkv)" = mine ]
result $? "an output that is there is not overwritten: $(head -n 1 said)"
grep -q "^1 videos done, 1 failed" said && is_like late/b/b.mkv b/b
result $? "a list of names"

echo nonsense >in/bad.mp4
archive "$@" in out
[ $? = 1 ] && grep -q "^failed: bad.mp4: .*Invalid data" said \
  && [ -s out/.glopencl-archive/logs/bad.log ]
result $? "a film that cannot be read is set aside: $(head -n 1 said)"
check "nothing is done twice" grep -q "^0 videos done, 1 failed, 3 skipped" said
rm in/bad.mp4

mkdir small
if mount -t tmpfs -o size=400k none small 2>errors; then
  archive "$@" in small
  [ $? = 1 ] && grep -q "^failed: b/long.mkv: .*No space left" said
  result $? "a disk is full: $(head -n 1 said)"
  mount -o remount,size=100m none small
  archive "$@" in small && are_whole small
  result $? "the rest is done when there is room: $(tail -n 1 said)"
  umount small
fi
# A worker without a scheduler waits for one before it exits.
kill -KILL $worker $scheduler

wait $waiting
rm recording
wait $recorder
cp grown.txt errors
for name in b long; do
  is_like grown/$name.mkv b/$name \
    && grep -q "^$name.mkv: it changed during filtering" grown.txt
  result $? "a film that grows is filtered again: $name.mkv"
done
cp grown.txt errors
grep -q "^not done: endless.mkv: it is still being written" grown.txt \
  && grep -q "^status 1" grown.txt && [ ! -e grown/endless.mkv ]
result $? "a film that never ends is left out"

# A Slurm cluster on this machine, which requires root.
start_slurm () {
  mkdir -p slurm/state slurm/spool
  host=$(hostname -s)
  # Two free ports.
  # shellcheck disable=SC2046
  set -- $(/usr/bin/python3 -c 'import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(s.getsockname()[1] for s in sockets))')
  dd if=/dev/urandom of=slurm/munge.key bs=1024 count=1 2>/dev/null
  chmod 600 slurm/munge.key
  cat >slurm/slurm.conf <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$work/slurm/munge.socket
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldPort=$1
SlurmdPort=$2
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
MailProg=/bin/true
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF="$work/slurm/slurm.conf"
  PATH=$PATH:/usr/sbin
  munged --force -F --key-file="$work/slurm/munge.key" \
    --socket="$work/slurm/munge.socket" --pid-file="$work/slurm/munge.pid" \
    --log-file="$work/slurm/munge.log" --seed-file="$work/slurm/seed" \
    >/dev/null 2>&1 &
  daemons=$!
  sleep 1
  slurmctld -D >/dev/null 2>&1 &
  daemons="$daemons $!"
  sleep 1
  slurmd -D >/dev/null 2>&1 &
  daemons="$daemons $!"
  for _ in $(seq "$(scale 20)"); do
    within 5 srun -n 1 true >errors 2>&1 && return 0
    sleep 0.5
  done
  return 1
}

daemons=
if command -v sbatch munged >/dev/null && start_slurm; then
  # With --wait, sbatch would poll less and less often.
  job=$(sbatch --parsable --ntasks=2 --output=said --export=ALL \
    "$folder/glopencl-archive.sbatch" in batch --segment 2 -- --lossless \
    --filter "$filter" 2>errors)
  while squeue --noheader --job "$job" 2>>errors | grep -q .; do
    sleep 0.2
  done
  scontrol show job "$job" >state 2>>errors
  cat said state >>errors
  grep -q "JobState=COMPLETED" state && are_whole batch
  result $? "a job of Slurm: $(grep ' done' said)"
fi
# shellcheck disable=SC2086
[ -z "$daemons" ] || kill $daemons
plan
