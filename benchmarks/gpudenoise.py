#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Denoisers on a GPU: the time of each kernel of glopencldenoise, and quality
and time beside the plugins of VapourSynth that use a GPU. gpu.py runs this. It
needs clips with noise, which

    gpudenoise.py FILE

makes, also on another machine: for that it needs FFmpeg and the packages that
clips.py names."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import NamedTuple

import numpy

import clips
import gpupipelines
import noises
import process
import programs
from denoisers import Denoiser, make_ladder
from denoisequality import Climb
from measures import FIRST, LAST, to_psnr
from process import ProcessError
from section import THREADS, Section, make_table, report_failures, say

# Every second clip.
NAMES = list(clips.CLIPS)[::2]
KINDS = ("white 10", "white 10, x264 crf 26", "phone-like")
CHARTS = {"white 10": "gpu-denoise-white", "phone-like": "gpu-denoise-phone"}
OURS = "glopencldenoise"
SIGMAS = make_ladder(0.7, 40)
STRENGTHS = make_ladder(0.2, 12)
# {name of a line in the charts: its denoisers, the fast one first}
LINES = {
    OURS: [Denoiser(f"{OURS} {more}".strip()) for more in
           ("effort=fast", "history=0", "", "lookahead=2",
            "effort=best")],
    "dfttest2": [Denoiser("dfttest2 sigma={} tbsize=%d" % size, (
        tuple(value ** 2 for value in SIGMAS),), (25,), True)
        for size in (1, 3, 5)],
    "bm3dcuda": [Denoiser("bm3dcuda sigma={} radius=%d" % radius, (SIGMAS,),
                          (1.6,), True) for radius in (0, 1, 2)],
    "nlm-cuda": [Denoiser("nlm_cuda h={} d=%d" % radius, (STRENGTHS,), (0.9,),
                          True) for radius in (0, 1, 2)],
    "KNLMeansCL": [Denoiser("knlm h={} d=1", (STRENGTHS,), (0.9,), True)],
    "NL4D": [Denoiser("nl4d", vapoursynth=True)],
}
# Launches of runs of so many frames are subtracted, so that those of the start
# are not counted.
FEW, MANY = 20, 60
LIMIT = 300


def make_clips(stored=None):
    """{kind: {clip: frames}}, and "clean" as a kind. Stored ones are those that
    FFmpeg or a package is needed for."""
    made = {}
    if stored:
        with numpy.load(stored) as file:
            for key in file:
                kind, name = key.split("/")
                made.setdefault(kind, {})[name] = list(file[key])
    else:
        made["clean"] = {name: clips.CLIPS[name][1]() for name in NAMES}
    for kind in KINDS:
        if kind not in made:
            with tempfile.TemporaryDirectory() as folder:
                made[kind] = {name: noises.KINDS[kind].make(frames, folder)
                              for name, frames in made["clean"].items()}
    return made


def store_clips(path):
    """Writes the clips that cannot be made everywhere."""
    made = make_clips()
    with open(path, "wb") as file:
        numpy.savez_compressed(file, **{
            f"{kind}/{name}": numpy.stack(frames)
            for kind, found in made.items() for name, frames in found.items()
            if kind == "clean" or noises.KINDS[kind].is_encoded})


class Errors(NamedTuple):
    """Mean squared errors of a clip."""
    luma: float
    chroma: float


def measure(frames, clean):
    """The errors of the frames that DENOISE.md takes, too."""
    squares = (numpy.stack(frames[FIRST:LAST]).astype(numpy.float32)
               - numpy.stack(clean[FIRST:LAST])) ** 2
    rows = squares.shape[1] * 2 // 3
    return Errors(float(squares[:, :rows].mean()),
                  float(squares[:, rows:].mean()))


class Server:
    """A Python with VapourSynth that answers."""

    def __init__(self, python):
        self.command = [*shlex.split(python), os.path.join(
            programs.HERE, "vapoursynthworker.py")]
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(
            [*self.command, "--serve"], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def ask(self, line):
        """The number. Raises ProcessError."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("failed"):
            raise ProcessError(f"{line}: {answer or 'VapourSynth ended'}")
        return float(answer)

    def list_versions(self):
        """Of VapourSynth and of the plugins."""
        return subprocess.run([*self.command, "--versions"], text=True,
                              stdout=subprocess.PIPE, check=True).stdout

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(30)


class GpuDenoiseSection(Section):
    """Tables and charts of the denoiser."""

    def __init__(self, plan, folder, options, work):
        super().__init__(plan, folder)
        self.options = options
        self.work = work
        self.failures = []
        self.server = None
        self.clips_of = {}
        # The templates of denoisers that do not run here.
        self.failed = set()
        # {setting: {size: milliseconds}} and {(setting, kind): (setting with
        # the best strength, dB)}
        self.times = {}
        self.best = {}

    def run_pipeline(self, arguments, environment):
        """Runs gst-launch-1.0."""
        subprocess.run(["gst-launch-1.0", "-q", *arguments], check=True,
                       env=environment, timeout=LIMIT,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def get_platform(self):
        """The environment where frames are shared."""
        return gpupipelines.get_environment(
            "glx" if os.environ.get("DISPLAY") else "egl")

    def read_launches(self, size, count):
        """{kernel: (launches, nanoseconds)} of a pipeline of so many frames."""
        path = os.path.join(self.work, "launches")
        self.run_pipeline(
            ["gltestsrc", f"num-buffers={count}", "pattern=snow", "!",
             f"video/x-raw(memory:GLMemory),width={size[0]},height={size[1]}",
             "!", "glcolorconvert", "!",
             "video/x-raw(memory:GLMemory),format=I420", "!", OURS, "!",
             "fakesink", "sync=false"],
            dict(self.get_platform(), LD_PRELOAD=os.path.join(
                     self.options.built, "libkerneltimes.so"),
                 KERNEL_TIMES=path))
        found = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                name, launches, duration = line.split(",")
                found[name] = int(launches), int(duration)
        os.remove(path)
        return found

    def add_kernels(self):
        """The time of each kernel."""
        sizes = self.plan.sizes
        rows, sums = {}, []
        for size in sizes:
            say(f"kernels of the denoiser, {size[0]}x{size[1]}")
            few, many = (self.read_launches(size, n) for n in (FEW, MANY))
            frames = MANY - FEW
            total = 0
            for name, (launches, duration) in many.items():
                before = few.get(name, (0, 0))
                if launches > before[0]:
                    took = (duration - before[1]) / frames / 1e6
                    rows.setdefault(name, {})[size] = (
                        (launches - before[0]) / frames, took)
                    total += took
            sums.append(total)
        self.lines += [
            "", "### By kernel", "",
            f"`gltestsrc pattern=snow ! glcolorconvert ! {OURS} ! fakesink "
            "sync=false`, I420: launches, and milliseconds of the kernel in a "
            "frame, the largest first, by `benchmarks/kerneltimes.c`, which "
            "measures all queues and so slows the host down."]
        table = [(f"`{name}`",
                  *(f"{found[size][0]:.2g} x, {found[size][1]:.3f}"
                    if size in found else "" for size in sizes))
                 for name, found in sorted(
                     rows.items(), key=lambda row: -row[1].get(
                         sizes[-1], (0, 0))[1])]
        self.lines += make_table(
            ("kernel", *(f"{width}x{height}" for width, height in sizes)),
            [*table, ("all", *(f"{total:.3f}" for total in sums))])

    def filter(self, denoiser, setting, noisy):
        """{clip: frames}."""
        made = {}
        source, target = (os.path.join(self.work, name)
                          for name in ("noisy", "filtered"))
        for name, frames in noisy.items():
            height, width = clips.get_luma(frames[0]).shape
            numpy.stack(frames).tofile(source)
            if denoiser.vapoursynth:
                self.server.ask(f"load {width} {height} {source}")
                self.server.ask(f"filter {target} {setting}")
            else:
                program = programs.GStreamer(setting.split())
                self.run_pipeline(program.get_elements(
                    programs.Work(width, height, 0, THREADS), source, target),
                    self.get_platform())
            made[name] = list(numpy.fromfile(target, numpy.uint8).reshape(
                len(frames), -1, width))
        return made

    def find_best(self, denoiser, kind):
        """The strength with the best luma for a kind of noise."""
        def run(setting):
            return {name: measure(frames, self.clips_of["clean"][name])
                    for name, frames in self.filter(
                        denoiser, setting, self.clips_of[kind]).items()}

        climb = Climb(denoiser, run)
        errors = [measure(frames, self.clips_of["clean"][name]).luma ** 0.5
                  for name, frames in self.clips_of[kind].items()]
        place = denoiser.choose_start(sum(errors) / len(errors))
        setting, _ = climb.find(place, self.plan.name == "full")
        psnr = max(climb.get_psnr(tried) for tried in climb.tried)
        say(f"{kind}, {setting}: {psnr:.2f} dB")
        return setting, psnr

    def measure_quality(self):
        """All denoisers on all kinds."""
        for kind in KINDS:
            noisy = self.clips_of[kind]
            self.best["noisy", kind] = "", float(numpy.mean([
                to_psnr(measure(frames, self.clips_of["clean"][name]).luma)
                for name, frames in noisy.items()]))
            for line in LINES.values():
                for denoiser in line:
                    if denoiser.template in self.failed:
                        continue
                    try:
                        self.best[denoiser.template, kind] = self.find_best(
                            denoiser, kind)
                    except (ProcessError, OSError,
                            subprocess.SubprocessError) as error:
                        self.fail(denoiser, error)

    def fail(self, denoiser, error):
        """Leaves a denoiser out, and says why."""
        self.failures.append(f"{denoiser.template}: {error}")
        self.failed.add(denoiser.template)
        if self.server and self.server.process.poll() is not None:
            self.server = Server(self.options.vapoursynth)

    def time_ours(self, setting, size, count, source):
        """Milliseconds of a frame from memory to memory."""
        arguments = programs.GStreamer(setting.split()).get_elements(
            programs.Work(*size, 0, THREADS), source, os.devnull, count)
        usage = process.measure(
            process.Program(["gst-launch-1.0", "-q", *arguments],
                            self.get_platform()),
            count, size[0] * size[1] * 3 // 2)
        return 1000 / usage.fps

    def measure_times(self):
        """All denoisers at all sizes, in turns, with the strength that is best
        for the first kind."""
        for size in self.plan.sizes:
            count = min(200, max(40, round(2e8 / (size[0] * size[1]))))
            source = self.write_pan(size, count)
            if self.server:
                self.server.ask(f"load {size[0]} {size[1]} {source}")
            rows = {}
            for turn in range(self.plan.rounds):
                for line in LINES.values():
                    for denoiser in line:
                        key = denoiser.template
                        if (key, KINDS[0]) not in self.best \
                                or key in self.failed:
                            continue
                        setting = self.best[key, KINDS[0]][0]
                        try:
                            took = self.server.ask(f"time {count} {setting}") \
                                if denoiser.vapoursynth \
                                else self.time_ours(setting, size, count,
                                                    source)
                        except (ProcessError, OSError) as error:
                            self.fail(denoiser, error)
                            continue
                        rows.setdefault(key, []).append(took)
                        say(f"turn {turn + 1}, {size[0]}x{size[1]}, {setting}: "
                            f"{took:.2f} ms")
            for key, row in rows.items():
                self.times.setdefault(key, {})[size] = float(numpy.median(row))
            os.remove(source)

    def write_pan(self, size, count):
        """A file of a clip that is tiled and pans, with noise."""
        width, height = size
        luma = clips.get_luma(self.clips_of["clean"][NAMES[0]][0])
        tile = numpy.tile(luma, (height // luma.shape[0] + 2,
                                 width // luma.shape[1] + 2))
        gray = numpy.full((height // 2, width), 128, numpy.uint8)
        noisy = numpy.stack(noises.add_white([numpy.concatenate(
            [tile[n:n + height, 2 * n:2 * n + width], gray])
            for n in range(8)], 10))
        path = os.path.join(programs.find_memory_folder(
            count * noisy[0].nbytes), f"glopencl-{os.getpid()}")
        with open(path, "wb") as file:
            for start in range(0, count, len(noisy)):
                noisy[:count - start].tofile(file)
        return path

    def add_peers(self):
        """Quality beside time."""
        self.lines += [
            "", "### Beside others that use a GPU", "",
            "PSNR of luma in dB, the mean of the clips "
            f"{', '.join(NAMES)} of [DENOISE.md](DENOISE.md), with the strength "
            f"that is best for each kind of noise; {OURS} and NL4D measure the "
            "noise themselves. Then milliseconds of a frame of I420 from memory "
            "to memory, where the others have frames in VapourSynth's cache, "
            "eight asked for at a time, and this project reads a file in memory "
            f"(`{programs.GStreamer([OURS]).describe(self.get_work())}`), with "
            f"the strength that is best for {KINDS[0]}; medians of "
            f"{self.plan.rounds}, taken in turns."]
        sizes = self.plan.sizes
        rows = [("noisy", *(f"{self.best['noisy', kind][1]:.2f}"
                            for kind in KINDS), *("" for _ in sizes))]
        for line in LINES.values():
            for denoiser in line:
                key = denoiser.template
                if not any((key, kind) in self.best for kind in KINDS):
                    continue
                times = self.times.get(key, {})
                rows.append((
                    f"`{key.replace('{}', 'S')}`",
                    *(f"{self.best[key, kind][1]:.2f}"
                      if (key, kind) in self.best else "" for kind in KINDS),
                    *(f"{times[size]:.2f}" if size in times else ""
                      for size in sizes)))
        self.lines += make_table(
            ("denoiser", *KINDS, *(f"{width}x{height}"
                                   for width, height in sizes)), rows)
        if self.server:
            self.lines += ["", "Versions: " + ", ".join(
                self.server.list_versions().splitlines()) + "."]
        self.add_charts()

    def add_charts(self):
        """Quality over time."""
        for kind, name in CHARTS.items():
            series = {}
            for line, denoisers in LINES.items():
                series[line] = {
                    self.times[one.template][self.plan.sizes[0]]:
                    self.best[one.template, kind][1] for one in denoisers
                    if self.plan.sizes[0] in self.times.get(one.template, {})
                    and (one.template, kind) in self.best}
            values = [x for points in series.values() for x in points]
            if values:
                self.write_chart(
                    name, f"PSNR at {kind} over the time of a frame",
                    "ms a frame of 1280x720", "dB",
                    {tick: f"{tick:g}" for tick in (0.5, 1, 2, 5, 10, 20, 50,
                                                    100, 200)
                     if min(values) / 2.5 < tick < max(values) * 2.5}, series)

    def run(self):
        """Measures and describes all."""
        self.lines += ["", "## The denoiser"]
        try:
            self.add_kernels()
        except (OSError, subprocess.SubprocessError) as error:
            self.failures.append(f"kernels of the denoiser: {error}")
        if self.options.clips:
            self.clips_of = make_clips(self.options.clips)
            if self.options.vapoursynth:
                self.server = Server(self.options.vapoursynth)
            else:
                self.failed = {one.template for line in LINES.values()
                               for one in line if one.vapoursynth}
            self.measure_quality()
            self.measure_times()
            self.add_peers()
            if self.server:
                self.server.close()
        self.lines += report_failures(self.failures)


if __name__ == "__main__":
    store_clips(sys.argv[1])
