#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests glopencl tune, and the use of its settings in elements, on a simulated GPU:
# tune-test.sh GLOPENCL
#
# Prints TAP. Frames are so small that which settings win means nothing.
set -u

glopencl=$1
. "$(dirname "$0")/tap.sh"
find_python gi matplotlib
# PoCL looks like a GPU.
export GLOPENCL_LAYER_TYPE=gpu GLOPENCL_LAYER_SHARING=0
export XDG_DATA_HOME="$work/data" LC_ALL=C

refuses "$glopencl" tune <<END
2|budget|--budget -1
2|nonsense|--operation nonsense
2|sizes|--sizes 0x0
1|nonsense|--device nonsense
1|nowhere/out.csv cannot be written|--csv nowhere/out.csv
END

"$glopencl" tune --operation gradient --storage buffer --sizes 64x48 \
  --budget 6 --csv found.csv --trials trials.csv >output 2>errors
result $? "a gradient is tuned"
file=$(find "$XDG_DATA_HOME/gst-glopencl/tuning" -name '*.tuning')
[ -s "$file" ] && grep -q '^operation=gradient$' "$file" \
  && grep -q '^settings=GROUP_WIDTH=' "$file"
result $? "the settings are stored"
"$python" - found.csv trials.csv 2>errors <<'END'
import csv
import sys

found, trials = (list(csv.DictReader(open(name, newline="")))
                 for name in sys.argv[1:])
row = found[0]
assert len(found) == 1 and row["variant"] == "tiled", found
assert int(row["measured"]) == len(trials) > 1, row
assert int(row["space"]) >= len(trials), row
assert float(row["worst_ms"]) >= float(row["best_ms"]) > 0, row
wins = row["note"] == "the default wins"
assert wins == (row["settings"] == trials[0]["settings"]), row
assert wins or float(row["gain"]) > 1 + float(row["noise"]), row
assert len({trial["settings"] for trial in trials}) == len(trials), trials
END
result $? "the figures fit together"
PYTHONDONTWRITEBYTECODE=1 "$python" "$scripts/../../benchmarks/tuning.py" \
  trials.csv chart.svg >errors 2>&1 && grep -q 'id="measured"' chart.svg
result $? "they can be drawn"
"$glopencl" tune --operation gradient --storage buffer --sizes 64x48 \
  --budget 1 --dry-run --folder elsewhere >output 2>errors \
  && [ ! -e elsewhere ] && grep -q '^gradient *tiled ' output
result $? "a dry run stores nothing"
env -u OPENCL_LAYERS "$glopencl" tune --operation gradient --storage buffer \
  --sizes 64x48 --budget 1 --folder cpu >output 2>errors \
  && grep -q 'no tunables' output \
  && grep -qx 'nothing-to-tune=gradient of RGBA in buffer;' cpu/*.tuning
result $? "that there is nothing to tune is stored"
cp "$file" kept
echo "[broken" >"$file"
cp "$file" broken
"$glopencl" tune --operation gradient --storage buffer --sizes 64x48 \
  --budget 1 >output 2>errors
[ $? = 1 ] && grep -q "was not changed" errors
result $? "what is no file of settings is an error"
cmp "$file" broken >errors 2>&1
result $? "what is no file of settings stays"

# run TUNING: prints the element's settings, the checksum of its frames, and its
# variant.
run () {
  "$python" - "$1" 2>errors <<'END'
import hashlib
import sys

import gi
gi.require_version("Gst", "1.0")
from gi.repository import Gst

Gst.init(None)
pipeline = Gst.parse_launch(
    "videotestsrc num-buffers=3 pattern=ball ! video/x-raw,format=RGBA,"
    "width=64,height=48 ! glupload ! glopenclgradient name=filter "
    "interop=host-copy tuning=%s ! gldownload ! fakesink name=sink "
    "signal-handoffs=true" % sys.argv[1])
total = hashlib.md5()


def take(_sink, buffer, _pad):
    total.update(buffer.extract_dup(0, buffer.get_size()))


pipeline.get_by_name("sink").connect("handoff", take)
pipeline.set_state(Gst.State.PLAYING)
message = pipeline.get_bus().timed_pop_filtered(
    60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
assert message.type == Gst.MessageType.EOS, message.parse_error()
stats = pipeline.get_by_name("filter").get_property("stats")
print(stats.get_string("settings"), total.hexdigest(),
      stats.get_string("variant"))
pipeline.set_state(Gst.State.NULL)
END
}

sed 's/^settings=.*/settings=ROWS=1/' kept >"$file"
run auto >tuned && grep -q '^database ' tuned
result $? "an element takes the settings of the database"
GST_DEBUG=glopencl:5 GST_DEBUG_NO_COLOR=1 run auto >log
grep -q 'gradient-tiled.cl: .*-D ROWS=1' errors
result $? "its kernel is built with them"
run off >untuned && grep -q '^default ' untuned
result $? "with tuning=off it does not"
[ "$(cut -d ' ' -f 2 tuned)" = "$(cut -d ' ' -f 2 untuned)" ]
result $? "the frames are the same"
GLOPENCL_LAYER_FAULT=clBuildProgram:1:-11 run auto >other
[ "$(cat other)" = "$(cat untuned)" ] && grep -q ' tiled' other
result $? "if they cannot be built, the variant has its defaults"
cp broken "$file"
run auto >other && grep -q '^default ' other && grep -q "$file is left out" errors
result $? "a broken file is warned of, and the defaults are used"
cmp "$file" broken >errors 2>&1
result $? "and it stays"

rm "$file"
# A shell ignores the signal for background processes.
"$python" - "$glopencl" "$(scale 10)" >output 2>errors <<'END'
import glob
import os
import signal
import subprocess
import sys
import time

process = subprocess.Popen([sys.argv[1], "tune", "--storage", "buffer",
                            "--sizes", "64x48,48x64,32x32,40x40,48x48,56x56",
                            "--operation", "gradient", "--budget", "30"])
pattern = os.environ["XDG_DATA_HOME"] + "/gst-glopencl/tuning/*.tuning"
limit = int(sys.argv[2])
begin = time.monotonic()
while not glob.glob(pattern) and time.monotonic() < begin + 6 * limit:
    time.sleep(0.05)
process.send_signal(signal.SIGINT)
begin = time.monotonic()
assert process.wait(timeout=3 * limit) == 130, process.returncode
assert time.monotonic() < begin + limit
END
result $? "a run that is interrupted ends"
grep -q '^width=64$' "$XDG_DATA_HOME"/gst-glopencl/tuning/*.tuning \
  && ! grep -q '^width=32$' "$XDG_DATA_HOME"/gst-glopencl/tuning/*.tuning
result $? "and keeps what it has found"
plan
