#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Denoisers on a GPU: the time of each kernel of glopencldenoise, and quality
and time beside the plugins of VapourSynth that use a GPU. gpu.py runs this. It
needs clips with noise, which

    gpudenoise.py FILE

makes, also on another machine: for that it needs FFmpeg and the packages that
clips.py names."""
import contextlib
import functools
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading

import numpy

import clips
import frames as pictures
import gpupipelines
import noises
import process
import programs
from denoisers import Denoiser, make_ladder
from denoisequality import Climb
from measures import measure_errors, to_psnr
from process import ProcessError
from section import THREADS, Section, make_table, report_failures, say

# Every second clip.
NAMES = list(clips.CLIPS)[::2]
KINDS = ("white 10", "white 10, x264 crf 26", "phone-like")
CHARTS = {"white 10": "gpu-denoise-white", "phone-like": "gpu-denoise-phone"}
OURS = "glopencldenoise"
SIGMAS = make_ladder(0.7, 40)
STRENGTHS = make_ladder(0.2, 12)
# {name of a line in the charts: its denoisers}
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
# Where kernels are measured: frames, of which so many at the end are counted.
MANY, COUNTED = 60, 40
# Where time is measured: frames, of which so many are different.
FRAMES, SAME = 200, 8
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


@contextlib.contextmanager
def write_pan(size, count):
    """A file in memory with frames of a picture that moves, with white noise
    of 10."""
    width, height = size
    picture = pictures.make_plane(width + 2 * SAME, height + SAME)
    gray = numpy.full((height // 2, width), 128, numpy.uint8)
    noisy = numpy.stack(noises.add_white([numpy.concatenate(
        [picture[n:n + height, 2 * n:2 * n + width], gray])
        for n in range(SAME)], 10))
    with tempfile.TemporaryDirectory(dir=programs.find_memory_folder(
            count * noisy[0].nbytes)) as folder:
        path = os.path.join(folder, "frames")
        with open(path, "wb") as file:
            for start in range(0, count, SAME):
                noisy[:count - start].tofile(file)
        yield path


class Worker:
    """A Python that has VapourSynth. The command is split as by a shell."""

    def __init__(self, python):
        self.command = [*shlex.split(python), os.path.join(
            programs.HERE, "vapoursynthworker.py")]
        self.process = None

    def ask(self, line):
        """The number. Raises ProcessError. A worker that ended is started
        again, so that another plugin can be measured."""
        if self.process is None:
            # pylint: disable-next=consider-using-with
            self.process = subprocess.Popen(
                [*self.command, "--commands"], text=True, errors="replace",
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                start_new_session=True)
        late = threading.Timer(LIMIT, self.kill)
        late.daemon = True
        late.start()
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except OSError:
            answer = ""
        finally:
            late.cancel()
        try:
            return float(answer)
        except ValueError as error:
            if not answer.startswith("failed"):
                self.close()
            raise ProcessError(f"{line}: {answer}" if answer else
                               f"{line}: it ended, or took {LIMIT} s") \
                from error

    def list_versions(self):
        """Of VapourSynth and of the plugins."""
        return subprocess.run(
            [*self.command, "--versions"], text=True, stdout=subprocess.PIPE,
            check=False).stdout.splitlines()

    def kill(self):
        """Kills all processes of the command."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self):
        """Ends it."""
        if self.process:
            self.kill()
            self.process.wait()
            self.process = None


class GpuDenoiseSection(Section):
    """Tables and charts of the denoiser."""

    def __init__(self, plan, folder, options, work):
        super().__init__(plan, folder)
        self.options = options
        self.work = work
        self.failures = []
        self.worker = None
        self.clips_of = {}
        # The templates of denoisers that do not run here.
        self.failed = set()
        # {template or way: {size: milliseconds}} and {(template, kind):
        # (setting with the best strength, dB)}
        self.times = {}
        self.best = {}

    def run_pipeline(self, arguments, environment):
        """Runs gst-launch-1.0. Raises ProcessError."""
        gpupipelines.run(["gst-launch-1.0", "--no-fault", "-q", *arguments],
                         environment, LIMIT)

    def get_platform(self):
        """The environment where frames are shared."""
        return gpupipelines.get_environment(
            "glx" if os.environ.get("DISPLAY") else "egl")

    def read_launches(self, source, size):
        """{kernel: [milliseconds of each launch]} of a pipeline."""
        path = os.path.join(self.work, "launches")
        arguments = programs.GStreamer([OURS]).get_elements(
            programs.Work(*size, 0, THREADS), source, os.devnull)
        self.run_pipeline(arguments, dict(
            self.get_platform(), KERNEL_TIMES=path, LD_PRELOAD=os.path.join(
                self.options.built, "libkerneltimes.so")))
        found = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                name, duration = line.split(",")
                found.setdefault(name, []).append(int(duration) / 1e6)
        os.remove(path)
        return found

    def measure_kernels(self, size):
        """{kernel: (launches, milliseconds) of a frame}, medians."""
        rows = {}
        with write_pan(size, MANY) as source:
            for _ in range(self.plan.rounds):
                for name, row in self.read_launches(source, size).items():
                    # There are some more launches, of warm-up frames.
                    launches = len(row) // MANY
                    if launches:
                        rows.setdefault(name, []).append(
                            (launches, sum(row[-launches * COUNTED:])
                             / COUNTED))
        return {name: numpy.median(row, axis=0) for name, row in rows.items()}

    def add_kernels(self):
        """The time of each kernel."""
        found = {}
        for size in self.plan.sizes:
            about = f"kernels of the denoiser, {size[0]}x{size[1]}"
            say(about)
            try:
                found[size] = self.measure_kernels(size)
            except (OSError, ProcessError) as error:
                self.failures.append(f"{about}: {error}")
        if not found:
            return
        self.lines += [
            "", "### By kernel", "",
            f"Noisy I420 frames of a picture that moves, `{OURS}` with its "
            "defaults: launches and milliseconds in a frame by the events of "
            "the device, of which `benchmarks/kerneltimes.c` takes one for "
            f"each launch. Means of the last {COUNTED} of {MANY} frames, medians "
            f"of {self.plan.rounds}."]
        largest = list(found.values())[-1]
        names = sorted(largest, key=lambda name: -largest[name][1])
        names += [name for row in found.values() for name in row
                  if name not in largest]
        self.lines += make_table(
            ("kernel", *(f"{width}x{height}" for width, height in found)),
            [*((f"`{name}`", *(f"{row[name][0]:.2g} x, {row[name][1]:.3f}"
                               if name in row else ""
                               for row in found.values()))
               for name in dict.fromkeys(names)),
             ("all kernels", *(
                 f"{sum(values[1] for values in row.values()):.3f}"
                 for row in found.values()))])

    def filter(self, denoiser, setting, noisy):
        """{clip: frames}."""
        made = {}
        source, target = (os.path.join(self.work, name)
                          for name in ("noisy", "filtered"))
        for name, frames in noisy.items():
            height, width = clips.get_luma(frames[0]).shape
            numpy.stack(frames).tofile(source)
            if denoiser.vapoursynth:
                self.worker.ask(f"load {width} {height} {source}")
                self.worker.ask(f"filter {target} {setting}")
            else:
                program = programs.GStreamer(setting.split())
                self.run_pipeline(program.get_elements(
                    programs.Work(width, height, 0, THREADS), source, target),
                    self.get_platform())
            made[name] = list(numpy.fromfile(target, numpy.uint8).reshape(
                len(frames), -1, width))
        return made

    def measure_clips(self, made):
        """{clip: its errors} of {clip: frames}."""
        return {name: measure_errors(frames, self.clips_of["clean"][name])
                for name, frames in made.items()}

    def find_best(self, denoiser, kind, error):
        """The strength with the best luma for a kind of noise. The search
        begins near the error of the noisy clips."""
        climb = Climb(denoiser, lambda setting: self.measure_clips(
            self.filter(denoiser, setting, self.clips_of[kind])))
        setting, _ = climb.find(denoiser.choose_start(error),
                                self.plan.name == "full")
        psnr = max(climb.get_psnr(tried) for tried in climb.tried)
        say(f"{kind}, {setting}: {psnr:.2f} dB")
        return setting, psnr

    def measure_quality(self):
        """All denoisers on all kinds."""
        for kind in KINDS:
            noisy = [found.luma for found in self.measure_clips(
                self.clips_of[kind]).values()]
            error = float(numpy.mean(numpy.sqrt(noisy)))
            self.best["noisy", kind] = "", float(
                numpy.mean([to_psnr(luma) for luma in noisy]))
            for line in LINES.values():
                for denoiser in line:
                    if denoiser.template in self.failed:
                        continue
                    try:
                        self.best[denoiser.template, kind] = self.find_best(
                            denoiser, kind, error)
                    except (ProcessError, OSError, ValueError) as reason:
                        self.fail(denoiser.template, reason)

    def fail(self, name, error):
        """Leaves a denoiser or a way of interop out, and says why."""
        self.failures.append(f"{name}: {error}")
        self.failed.add(name)

    def time_ours(self, setting, environment, source, size, count):
        """Milliseconds of a frame from memory to memory."""
        arguments = programs.GStreamer(setting.split()).get_elements(
            programs.Work(*size, 0, THREADS), source, os.devnull)
        usage = process.measure(
            process.Program(["gst-launch-1.0", "--no-fault", "-q",
                             *arguments], environment),
            count, size[0] * size[1] * 3 // 2)
        return 1000 / usage.fps

    def time_peer(self, setting, source, size, count):
        """Likewise. The worker may have been started again."""
        self.worker.ask(f"load {size[0]} {size[1]} {source} {SAME}")
        return self.worker.ask(f"time {count} {setting}")

    def list_timers(self):
        """{name: what gives milliseconds, of a source, a size and a number of
        frames}: all denoisers with the strength that is best for the first
        kind, and this one in all ways."""
        timers = {}
        for line in LINES.values():
            for denoiser in line:
                key = denoiser.template
                if (key, KINDS[0]) in self.best and key not in self.failed:
                    setting = self.best[key, KINDS[0]][0]
                    timers[key] = functools.partial(
                        self.time_peer, setting) if denoiser.vapoursynth \
                        else functools.partial(self.time_ours, setting,
                                               self.get_platform())
        for way in gpupipelines.find_ways():
            timers[way.name] = functools.partial(
                self.time_ours, f"{OURS} interop={way.interop}",
                gpupipelines.get_environment(way.platform))
        return timers

    def measure_times(self):
        """All timers at all sizes, in turns."""
        timers = self.list_timers()
        for size in self.plan.sizes:
            count = FRAMES if size[0] * size[1] < 3e6 else FRAMES // 2
            try:
                with write_pan(size, count) as source:
                    rows = self.take_turns(timers, source, size, count)
            except OSError as error:
                self.failures.append(f"{size[0]}x{size[1]}: {error}")
                continue
            for name, row in rows.items():
                self.times.setdefault(name, {})[size] = float(
                    numpy.median(row))

    def take_turns(self, timers, source, size, count):
        """{name: [milliseconds]}."""
        rows = {}
        for turn in range(self.plan.rounds):
            for name in [one for one in timers if one not in self.failed]:
                try:
                    took = timers[name](source, size, count)
                except (ProcessError, OSError) as error:
                    self.fail(name, error)
                    rows.pop(name, None)
                    continue
                rows.setdefault(name, []).append(took)
                say(f"turn {turn + 1}, {size[0]}x{size[1]}, {name}: "
                    f"{took:.2f} ms")
        return rows

    def add_peers(self):
        """Quality beside time."""
        self.lines += [
            "", "### Beside others that use a GPU", "",
            "PSNR of luma in dB, the mean of the clips "
            f"{', '.join(NAMES)} of [DENOISE.md](DENOISE.md), with the "
            "strength that is best for each kind of noise"
            f"{'' if self.plan.name == 'full' else ' (not searched here)'}. "
            f"{OURS} and NL4D measure the noise themselves. Apart from what is "
            "stated, all have their defaults.", "",
            "Then milliseconds of a frame of I420 from memory to memory, with "
            f"the strength that is best for {KINDS[0]}, medians of "
            f"{self.plan.rounds}, taken in turns. The others take frames from "
            "VapourSynth's cache, with eight requests at a time. bm3dcuda "
            "filters floats, so its time includes the conversion on the CPU. "
            "This project reads a file in "
            f"{programs.find_memory_folder(2 << 30)}, with `interop=auto`:",
            "",
            f"`{programs.GStreamer([OURS]).describe(self.get_work())}`"]
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
        if self.worker:
            self.lines += ["", "Versions: " + ", ".join(
                self.worker.list_versions()) + "."]
        self.add_charts()
        ways = [way.name for way in gpupipelines.PIPELINES
                if way.name in self.times]
        self.lines += ["", f"`{OURS}` with its defaults in the same pipeline, "
                       "by the way of interop:"]
        self.lines += make_table(
            ("ms", *(f"{width}x{height}" for width, height in sizes)),
            [(name, *(f"{self.times[name][size]:.2f}"
                      if size in self.times[name] else "" for size in sizes))
             for name in ways])

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
        if self.options.clips:
            self.clips_of = make_clips(self.options.clips)
        self.add_kernels()
        if self.clips_of:
            if self.options.vapoursynth:
                self.worker = Worker(self.options.vapoursynth)
            else:
                self.failed = {one.template for line in LINES.values()
                               for one in line if one.vapoursynth}
            try:
                self.measure_quality()
                self.measure_times()
                self.add_peers()
            finally:
                if self.worker:
                    self.worker.close()
        self.lines += report_failures(self.failures)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: gpudenoise.py FILE")
    store_clips(sys.argv[1])
