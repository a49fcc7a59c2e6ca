#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# glopencl-archive filters films whatever happens to its workers: archive-test.sh
# FOLDER, where the script for Slurm is.
#
# Prints TAP. GLOPENCL_BUILD names the folder where the programs are built.
set -u

folder=$1
export PATH="$GLOPENCL_BUILD/apps/archive:$GLOPENCL_BUILD/apps/denoise:$GLOPENCL_BUILD/tools:$PATH"
export GST_PLUGIN_PATH="$GLOPENCL_BUILD/gst" LC_ALL=C
. "$(dirname "$0")/tap.sh"
find_python distributed cryptography
for command in ffmpeg dask-scheduler dask-worker openssl; do
  command -v $command >/dev/null || { echo "1..0 # SKIP no $command"; exit 0; }
done

# The first films are whole jobs, the last has three parts. Frames of a clip are
# not all alike, and there are B frames across the cuts.
film () {
  mkdir -p "$(dirname "$1")"
  ffmpeg -v error -f lavfi -i "testsrc2=s=160x120:r=25:d=$2,noise=alls=14:allf=t" \
    -f lavfi -i "sine=d=$2" -c:v libx264 -g 20 -pix_fmt yuv420p -c:a flac \
    -strict -2 "$1"
}
film in/a.mp4 1
film in/b/b.mkv 1
film in/b/long.mkv 5
echo text >in/b/notes.txt

# archive ARGUMENT...: with a time limit, since a fault may be that it waits.
archive () {
  within 200 "$python" "$GLOPENCL_BUILD/apps/archive/glopencl-archive" \
    --segment 2 "$@" -- --lossless >said 2>errors
}

# The frames of a video and the packets of its sound.
list_frames () {
  ffmpeg -v error -i "$1" -map 0:v -f framemd5 - | sed 1,9d
  ffmpeg -v error -i "$1" -map 0:a -c copy -f framemd5 - | sed 1,9d
}

# are_whole FOLDER: whether its films are those of glopencl-denoise, and there is
# nothing else.
are_whole () {
  (cd "$1" && find . -type f ! -path ./.glopencl-archive/lock | sort) >found
  printf '%s\n' ./a.mkv ./b/b.mkv ./b/long.mkv >wanted
  diff found wanted >errors || return 1
  for name in a b/b b/long; do
    list_frames "$1/$name.mkv" | cmp - "one/$name.frames" >errors || return 1
  done
}

# wait_for FOLDER NAME: until a film or a part is begun; NAME has * for what is
# chosen at random. The case fails where it never is. A worker that is killed
# leaves its file, so each NAME is for one kill.
wait_for () {
  for _ in $(seq "$(scale 1200)"); do
    [ -z "$(find "$1" -name "$2" 2>/dev/null)" ] || return 0
    kill -0 "$running" 2>/dev/null || break
    sleep 0.05
  done
  result 1 "$1 never had $2"
}

refuses () {
  words=$1
  shift
  within 20 "$python" "$GLOPENCL_BUILD/apps/archive/glopencl-archive" "$@" \
    >said 2>errors
  [ $? = 2 ] && grep -q -- "$words" errors && [ "$(wc -l <errors)" = 1 ]
  result $? "refused: $(head -n 1 errors)"
}

refuses "no such folder" nowhere out
mkdir empty
refuses "there are no films" empty out
mkdir twice
cp in/a.mp4 twice/a.mp4
cp in/a.mp4 twice/a.mov
refuses "a.mov and a.mp4 would both become" twice out
refuses "it is OUT, or in OUT" in in
refuses "it is OUT, or in OUT" in/b in
ln -s in same
refuses "it is OUT, or in OUT" same in
mkdir long
touch "long/$(printf 'x%.0s' $(seq 252)).ts"
refuses "the name of its output is too long" long out
refuses "no list of names" in/a.mp4 out
printf '../a.mp4\n' >names
refuses "has no place in OUT" names out
refuses "Unknown option" in out -- --what
refuses "0 (best) to 51" in out -- --quality 99
refuses "has that for itself" in out -- --join x
refuses "nobody" --scheduler tcp://nobody:1 in out
refuses "a number from 1 on" --workers 0 in out

mkdir -p one/b
for name in a.mp4 b/b.mkv b/long.mkv; do
  glopencl-denoise --lossless "in/$name" "one/${name%.*}.mkv" 2>errors
  list_frames "one/${name%.*}.mkv" >"one/${name%.*}.frames"
done
[ "$(grep -c '^0' one/b/long.frames)" -ge 125 ]
result $? "films are there to compare with"

archive --workers 2 in out && are_whole out && ! grep -q "in one go" said
result $? "two workers of this machine: $(tail -n 1 said)"
archive in out && grep -q "^0 films done, 0 failed, 3 skipped" said
result $? "nothing is done twice"
# Codecs whose frames are not decoded in the order in which they are shown.
list_times () {
  ffprobe -v error -select_streams v -show_entries packet=pts -of csv=p=0 "$1" \
    | tr -d , | sort -n
}
mkdir cut
cp in/b/long.mkv cut/
for codec in h264 h265; do
  glopencl-denoise --codec $codec cut/long.mkv $codec.mkv 2>errors
  within 200 "$python" "$GLOPENCL_BUILD/apps/archive/glopencl-archive" cut \
    joined-$codec --segment 2 -- --codec $codec >said 2>errors
  list_times $codec.mkv >wanted
  ! grep -q "in one go" said \
    && list_times joined-$codec/long.mkv | diff - wanted >errors \
    && [ "$(sort -u wanted | wc -l)" = 125 ] \
    && ffmpeg -v error -xerror -i joined-$codec/long.mkv -f null - 2>errors
  result $? "$codec: times of joined parts are those of one go"
done
# A film that is written to as long as the program runs, beside the next cases.
mkdir endless
cp in/b/b.mkv endless/
touch recording
while [ -e recording ]; do
  printf x >>endless/b.mkv
  sleep 0.5
done &
recorder=$!
(within 200 "$python" "$GLOPENCL_BUILD/apps/archive/glopencl-archive" \
  --workers 1 endless never >never.txt 2>&1
echo "status $?" >>never.txt) &
waiting=$!

# A film of which the rest comes while it is filtered, as a whole or in parts.
for job in b:film.mkv long:00000.nut; do
  name=${job%:*}
  mkdir "grow-$name"
  head -c $(($(stat -c %s "in/b/$name.mkv") * 7 / 10)) "in/b/$name.mkv" \
    >"grow-$name/$name.mkv"
  touch -d '1 hour ago' "grow-$name/$name.mkv"
  archive --workers 1 "grow-$name" grown &
  running=$!
  wait_for grown ".${job#*:}-*.part"
  cat "in/b/$name.mkv" >"grow-$name/$name.mkv"
  wait $running && list_frames "grown/$name.mkv" | cmp - "one/b/$name.frames" \
    >errors && grep -q "it changed while it was filtered" said
  result $? "a film that grows is filtered again: $(tail -n 1 said)"
done

# Parts that were truncated or damaged after they were written: by hand, and in an
# archive, which filters them again.
glopencl-denoise --lossless --part :2400 cut/long.mkv 0.nut 2>errors
glopencl-denoise --lossless --part 2400: cut/long.mkv 1.nut 2>>errors
join () {
  glopencl-denoise --lossless --force --join "$1" --join 1.nut cut/long.mkv \
    joined.mkv 2>errors
}
join 0.nut && list_frames joined.mkv | cmp - one/b/long.frames >errors
result $? "parts are joined by hand"
# Noise that becomes stronger, and frames of another brightness, in which no noise
# is measured: the estimate for a frame reaches as far back as it can.
ffmpeg -v error -f lavfi -i "color=gray:s=480x240:r=25:d=0.04,format=gray,\
geq=lum='255*random(1)',gblur=3,curves=all='0/0 0.4/0.1 0.6/0.8 1/0.8',\
loop=-1:1,trim=end_frame=75,setpts=N/25/TB,crop=320:240:n:0,\
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
list_frames blind-one.mkv >wanted
list_frames blind-joined.mkv | cmp - wanted >>errors \
  && [ "$(grep -c '^0' wanted)" = 75 ]
result $? "parts have the noise that the whole film has"
size=$(stat -c %s 0.nut)
for bytes in 0 30 44 60 $((size / 4)) $((size / 2)) $((size - 1)); do
  head -c "$bytes" 0.nut >short.nut
  ! join short.nut && grep -q "short.nut: " errors || break
done
[ "$bytes" = $((size - 1)) ] && grep -q "$bytes bytes but was .* $size: " errors
result $? "a truncated part: $(tail -n 1 errors)"
for place in 10 20 60 $((size / 4)) $((size / 2)) $((size - 9)); do
  cp 0.nut flipped.nut
  printf '\377\000' | dd of=flipped.nut bs=1 seek="$place" conv=notrunc 2>errors
  ! join flipped.nut && grep -q "flipped.nut: " errors || break
done
[ "$place" = $((size - 9)) ] && grep -q "is damaged" errors
result $? "a damaged part: $(tail -n 1 errors)"

# A program that is ended leaves no process and no temporary files.
mkdir temporary
for status in 129 143; do
  # The tests may be started with nohup.
  TMPDIR=$work/temporary env --default-signal=HUP,TERM "$python" \
    "$GLOPENCL_BUILD/apps/archive/glopencl-archive" --segment 2 --workers 1 \
    cut ended -- --lossless >said 2>errors &
  running=$!
  wait_for ended ".0000$((status / 143)).nut-*.part"
  kill -$((status - 128)) $running
  wait $running
  [ $? = $status ] && [ -z "$(ls -A temporary)" ] \
    && ! grep -qsz "^TMPDIR=$work/temporary$" /proc/[0-9]*/environ \
    && ! grep -q Traceback errors && grep -q "the same command" errors
  result $? "ended by SIG$(kill -l $status): $(tail -n 1 errors)"
done
part=$(find ended -name 00000.nut)
head -c 9999 "$part" >short.nut
cp short.nut "$part"
archive cut ended && list_frames ended/long.mkv | cmp - one/b/long.frames >errors \
  && grep -q "long.mkv: part 0 was filtered again: .* has 9999 bytes" said
result $? "a truncated part is filtered again: $(head -n 1 said)"
# Unfinished files of a glopencl-denoise that was killed, whose name is cut after
# 100 bytes, or before a character that begins there; one that is in use, and one
# of another film.
mkdir killed-in killed-out
for length in 90 100 101 98 251; do
  name=$(printf 'x%.0s' $(seq $((length - 1))))
  [ $length != 98 ] || name=$(printf 'x%.0s' $(seq 99))éé
  [ $length != 251 ] || name=$(printf 'é%.0s' $(seq 125))
  cp in/b/b.mkv "killed-in/$name.mkv"
  glopencl-denoise --lossless in/b/long.mkv "killed-out/$name.mkv" >/dev/null 2>errors &
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
archive killed-in killed-out
exec 8>&-
find killed-out -name '.*.part' -printf '%f\n' | sed 's/xx*/x/' | sort >found
printf '%s\n' .other.mkv-abcdef.part .x.mkv-abcdef.part | diff - found >errors
result $? "unfinished files of long names are removed: $(tail -n 1 said)"
printf 'a.mp4\n./a.mp4\nb//long.mkv\nb/long.mkv\n' >in/list
archive in/list listed && grep -q "^2 films done" said \
  && list_frames listed/a.mkv | cmp - one/a.frames >errors
result $? "a list of names"

echo nonsense >in/bad.mp4
archive in out
[ $? = 1 ] && grep -q "^failed: bad.mp4: .*Invalid data" said \
  && [ -s out/.glopencl-archive/logs/bad.log ]
result $? "a film that cannot be read is set aside: $(head -n 1 said)"
rm in/bad.mp4

exec 9>out/.glopencl-archive/lock
flock 9
refuses "another glopencl-archive is at work" in out
exec 9>&-

# What users have in OUT stays as it is, also what links lead to.
mkdir -p mine/b else/inner
for name in a.log b/b.log b/long.log; do
  echo mine >"mine/$name"
done
echo mine >else/file
ln -s ../else/file mine/.glopencl-archive.lock
archive in mine
find mine -name '*.log' ! -path '*/.glopencl-archive/*' -exec cat {} + >kept
rm -f mine/*.log mine/b/*.log mine/.glopencl-archive.lock
[ "$(grep -c mine kept)" = 3 ] && [ "$(cat else/file)" = mine ] && are_whole mine \
  && [ "$(stat -c %a mine/.glopencl-archive)" = 700 ]
result $? "nothing of the user is removed, overwritten or followed"
mkdir linked others
ln -s ../else/inner linked/.glopencl-archive
refuses "a link or no folder" in linked
[ -z "$(ls else/inner)" ]
result $? "a folder that is a link stays empty"
rm linked/.glopencl-archive
echo text >linked/.glopencl-archive
refuses "a link or no folder" in linked
if [ "$(id -u)" = 0 ]; then
  mkdir others/.glopencl-archive
  chown 65534 others/.glopencl-archive
  refuses "belongs to another user" in others
fi

# A file that gets the name of an output while the film is filtered.
mkdir late
printf 'a.mp4\n' >in/list
archive in/list late &
running=$!
wait_for late '.film.mkv-*.part'
echo mine >late/a.mkv
wait $running
[ $? = 1 ] && grep -q "^failed: a.mp4: .*/late/a.mkv: File exists" said \
  && [ "$(cat late/a.mkv)" = mine ]
result $? "an output that is there is not overwritten: $(head -n 1 said)"

# list_open PID: which sockets of a process and its children listen to other
# machines, or take a connection without a certificate. The first line counts all.
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

# Each worker, its nanny and the scheduler have a socket for Dask and, but for
# nannies, one for HTTP.
archive --workers 2 in closed &
running=$!
wait_for closed '.film.mkv-*.part'
list_open $running >sockets 2>errors
wait $running
cat sockets >>errors
[ "$(head -n 1 sockets)" -ge 8 ] && [ "$(wc -l <sockets)" = 1 ] && are_whole closed
result $? "nothing is open to other machines and users"

# A cluster of our own, whose processes die.
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
refuses "does not use TLS" --scheduler scheduler.json in out
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
wait $running && are_whole killed
result $? "workers are killed three times: $(tail -n 1 said)"

archive --scheduler scheduler.json in gone &
running=$!
wait_for gone a.mkv
kill -KILL $scheduler
wait $running
[ $? = 1 ] && grep -q "the scheduler is gone" errors && ! grep -q Traceback errors
result $? "the scheduler is killed: $(tail -n 1 errors)"
kill -KILL $worker
start_scheduler
start_worker
archive --scheduler scheduler.json in gone && are_whole gone
result $? "the same command goes on: $(tail -n 1 said)"
# A worker without a scheduler waits for one before it ends.
kill -KILL $worker $scheduler

wait $waiting
rm recording
wait $recorder
cp never.txt errors
grep -q "^not done: b.mkv: it is still written to" never.txt \
  && grep -q "^status 1" never.txt && [ ! -e never/b.mkv ]
result $? "a film that never ends is left out: $(tail -n 2 never.txt | head -n 1)"

# A cluster of Slurm with this machine, which needs a right to be root.
start_slurm () {
  mkdir -p slurm/state slurm/spool
  host=$(hostname -s)
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
SlurmctldPort=16817
SlurmdPort=16818
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
  # With --wait, sbatch would look less and less often.
  job=$(sbatch --parsable --ntasks=2 --output=said --export=ALL \
    "$folder/glopencl-archive.sbatch" in batch --segment 2 -- --lossless \
    2>errors)
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

mkdir small
if mount -t tmpfs -o size=600k none small 2>errors; then
  archive in small
  [ $? = 1 ] && grep -q "^failed: b/long.mkv: .*No space left" said
  result $? "a disk is full: $(head -n 1 said)"
  mount -o remount,size=100m none small
  archive in small && are_whole small
  result $? "the rest is done when there is room: $(tail -n 1 said)"
  umount small
fi
plan
