#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures this project beside its peers and writes RESULTS.md and charts:

    compare.py [--quick | --smoke] [--opencv PROGRAM] [--append FILE] FOLDER

PROGRAM is opencvpipeline.cpp, compiled. FILE holds more sections in Markdown,
to be put behind those made here. run.sh installs, builds and runs this.
"""
import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from typing import NamedTuple

import charts
import frames
import kernels
import machine
import process
import programs
from programs import Task, Work

# What is promised: factors and decibels.
KERNEL_TARGET = 0.5
FAST_TARGET = 0.1
FAST_PSNR = 40
PIPELINE_TARGET = 1.8
THREADS = len(programs.CPUS)
FILE_SIZE = 350e6
PILOT_FRAMES = 6
RECURSIVE = "FFmpeg, bilateral"
NO_FILTER = "no filter"
FAST = kernels.FAST
OTHER_WORK = ("gleffects, blur", NO_FILTER)


class Plan(NamedTuple):
    """How much is measured."""
    name: str
    rounds: int
    seconds: float      # of a run of a pipeline
    frame: tuple        # width and height
    sizes: tuple
    radii: tuple        # of the kernels
    pipeline_radii: tuple
    fast_sigmas: tuple = (5, 8, 12, 16)
    left_out: tuple = ()    # of the kernels' engines


SIZES = ((848, 480), (1280, 720), (1920, 1080), (3840, 2160))
PLANS = {
    "full": Plan("full", 7, 1.5, SIZES[1], SIZES,
                 (1, 2, 3, 4, 6, 8, 12, 16, 24, 32), (2, 4, 8, 16)),
    "quick": Plan("quick", 3, 0.5, SIZES[1], SIZES[:3], (2, 4, 8, 16),
                  (4, 8)),
    "smoke": Plan("smoke", 1, 0.01, (160, 96), ((160, 96), (192, 96)), (4, 12),
                  (4, 12), (16,), (kernels.UMAT,)),
}


def say(text):
    """Progress."""
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def describe_work(work):
    """In a few words."""
    return (f"{work.width}x{work.height} {work.layout}, radius {work.radius}, "
            f"{count_threads(work.threads)}")


def count_threads(threads):
    """The number with its unit."""
    return f"{threads} thread" + "s" * (threads > 1)


def list_threads():
    """1, 2, 4 ... and all."""
    powers = [2 ** exponent for exponent in range(10)]
    return [count for count in powers if count < THREADS] + [THREADS]


def make_table(titles, rows):
    """Markdown lines."""
    lines = ["", "| " + " | ".join(titles) + " |",
             "| " + " | ".join("---" for _ in titles) + " |"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def format_ratio(value, other):
    """A quotient, empty where a figure is missing."""
    return f"{value / other:.2f}" if value and other else ""


def format_psnr(value):
    """Decibels."""
    return "the same" if value == float("inf") else f"{value:.1f} dB"


class Pipelines:
    """Whole programs, measured in turns on the same frames."""

    def __init__(self, plan, opencv, folder):
        self.plan = plan
        self.folder = folder
        self.programs = programs.find_programs(opencv, folder)
        if "fast" in programs.find_method():
            self.programs[FAST] = programs.get_ours("fast")
        self.files = {}
        self.notes = []

    def get_file(self, work, layout):
        """A file of frames and how many it has."""
        key = work.width, work.height, layout
        if key not in self.files:
            size = frames.get_size(*key)
            count = max(10, min(400, int(FILE_SIZE / size)))
            path = os.path.join(self.folder, "-".join(map(str, key)))
            frames.write_frames(path, *key, count)
            self.files[key] = path, count
        return self.files[key]

    def drop_files(self):
        """Makes room."""
        for path, _ in self.files.values():
            os.remove(path)
        self.files = {}

    def run(self, name, work, count, target=os.devnull):
        """The usage of one run."""
        program = self.programs[name]
        layout = program.get_layout(work)
        path, most = self.get_file(work, layout)
        count = min(count, most)
        return process.measure(
            program.make(Task(work, count, path, target)), count,
            frames.get_size(work.width, work.height, layout))

    def get_output(self, name, work):
        """What a program makes of the first frame, and how fast it is."""
        target = os.path.join(self.folder, "output")
        usage = self.run(name, work, PILOT_FRAMES, target)
        with open(target, "rb") as file:
            data = file.read()
        os.remove(target)
        layout = self.programs[name].get_layout(work)
        return frames.unpack(data, work.width, work.height, layout), usage

    def try_programs(self, names, work):
        """Outputs and speeds of those that run: {name: (output, usage)}."""
        found = {}
        for name in names:
            try:
                found[name] = self.get_output(name, work)
            except process.ProcessError as error:
                say(f"{name}: {error}")
                self.notes.append(f"{name} is missing: it does not run here.")
        return found

    def measure(self, names, work):
        """{name: median usage}. What is slow runs in every second round."""
        found = self.try_programs(names, work)
        speeds = {name: usage.fps for name, (_, usage) in found.items()}
        runs = {name: [] for name in speeds}
        for number in range(self.plan.rounds):
            say(f"{describe_work(work)}: round {number + 1} of "
                f"{self.plan.rounds}")
            for name, speed in speeds.items():
                if speed * self.plan.seconds < 5 and number % 2:
                    continue
                count = max(10, int(speed * self.plan.seconds))
                runs[name].append(self.run(name, work, count))
        return {name: process.Usage(*map(statistics.median, zip(*rows)))
                for name, rows in runs.items()}


class Report:
    """The sections of RESULTS.md, and the charts beside it."""

    def __init__(self, plan, opencv, output, folder):
        self.plan = plan
        self.output = output
        self.pipelines = Pipelines(plan, opencv, folder)
        self.engines = {name: engine for name, engine
                        in kernels.list_engines().items()
                        if name not in plan.left_out}
        self.device = ""
        self.claims = []
        self.losses = []
        self.sections = []

    def get_work(self, **more):
        """The work that is measured if nothing else is said."""
        width, height = self.plan.frame
        return Work(width, height, 4, THREADS)._replace(**more)

    def write_chart(self, name, title, axis, unit, ticks, series):
        """An SVG; series are {name: {x: y}}. Returns what shows it."""
        chart = charts.LineChart(title, axis, unit, ticks)
        for label, points in series.items():
            if points:
                chart.add_series(label, sorted(points.items()))
        with open(os.path.join(self.output, f"{name}.svg"), "w",
                  encoding="utf-8") as file:
            file.write(chart.get_svg())
        return ["", f"![{title}]({name}.svg)"]

    def filter_exactly(self, work, difference="luma"):
        """What a program has to make of the first frame."""
        frame = frames.make_frame(work.width, work.height)
        if work.layout == "packed":
            return frames.filter_exactly(frame, work.radius, work.radius / 2,
                                         programs.INTENSITY_SIGMA, difference)
        frame = frames.decode(frames.pack(frame, "i420"), work.width,
                              work.height)
        frame = frames.filter_exactly(frame, work.radius, work.radius / 2,
                                      programs.INTENSITY_SIGMA, difference)
        return frames.unpack(frames.pack(frame, "i420"), work.width,
                             work.height, "i420")

    def check_outputs(self, work):
        """{program: decibels to the exact filter}, and rows of how near those
        are that claim the same work."""
        packed = work._replace(layout="packed")
        tried = [name for name in self.pipelines.programs if name != FAST
                 or work.radius >= programs.FAST_RADIUS]
        planar = [name for name in tried if name == RECURSIVE]
        found = self.pipelines.try_programs(
            [name for name in tried if name not in planar], packed)
        exact = self.filter_exactly(packed)
        decibels = {name: frames.measure_psnr(output, exact)
                    for name, (output, _) in found.items()}
        exact_planar = self.filter_exactly(work)
        for name, (output, _) in self.pipelines.try_programs(
                planar, work).items():
            decibels[name] = frames.measure_psnr(output, exact_planar)
        own = self.filter_exactly(packed, "sum")
        rows = []
        for name, (output, _) in found.items():
            if name in OTHER_WORK:
                continue
            wanted, what = ((own, "sum of the channels")
                            if name.startswith("OpenCV") else (exact, "luma"))
            rows.append((
                name, what, format_psnr(frames.measure_psnr(output, wanted)),
                str(frames.find_largest_difference(output, wanted))))
        return decibels, rows

    def measure_conversions(self, work):
        """What GStreamer's conversions to RGB and back do to a frame: PSNR
        and the mean difference of Y."""
        output, _ = self.pipelines.get_output(NO_FILTER, work)
        source = frames.unpack(
            frames.pack(frames.make_frame(work.width, work.height), "i420"),
            work.width, work.height, "i420")
        luma = slice(work.width * work.height)
        return (frames.measure_psnr(output, source),
                frames.find_mean_difference(output[luma], source[luma]))

    def report_pipelines(self):
        """The table of all programs."""
        work = self.get_work()
        say("what the programs make of a frame")
        decibels, checks = self.check_outputs(work)
        converted, darker = self.measure_conversions(work)
        usages = self.pipelines.measure(decibels, work)
        ours = usages["this"]
        rows = [(name, f"{usage.fps:.1f}",
                 "" if name == "this" else format_ratio(ours.fps, usage.fps),
                 f"{usage.cpu * 1000:.1f}", f"{usage.memory:.0f}",
                 format_psnr(decibels[name]))
                for name, usage in usages.items()]
        self.claim_pipelines(usages)
        self.sections += [
            "", f"## Whole pipelines, radius {work.radius}", "",
            "Raw I420 frames of a file in memory come in, filtered I420 frames "
            "go out to `/dev/null`; decoding is left out, the conversions to "
            "RGB and back are not. The steady part of a process is measured: "
            "frames per second, CPU time of all its threads, and the peak of "
            "its resident memory (start included). *This is faster by* is the "
            "quotient of the medians of frames per second. PSNR is that of the "
            "filter: to the exact one in float64 on the same frame, in RGB "
            "(FFmpeg's `bilateral`: in I420)."]
        self.sections += make_table(
            ("program", "frames/s", "this is faster by", "CPU ms/frame",
             "peak MiB", "PSNR"), rows)
        self.sections += [
            "",
            "- OpenCV is a C++ program, "
            "[opencvpipeline.cpp](opencvpipeline.cpp), which does what an "
            "application would. Its weight follows the sum of the differences "
            "of the channels instead of luma's, so three times the sigma is "
            "given.",
            "- FFmpeg's `bilateral` is another algorithm: recursive, so that "
            "its cost does not depend on the radius, and on Y, U and V by "
            "themselves. None of FFmpeg's own OpenCL filters is a bilateral "
            "filter; its `program_opencl` runs "
            "[a kernel for it](bilateral-ffmpeg.cl), a plain one.",
            "- The GLSL shader is [bilateral.frag](bilateral.frag). "
            "`gleffects` has no bilateral filter; its blur of 9x9, in two "
            "passes, shows what a cheap filter costs on this OpenGL. *No "
            "filter* is the pipeline with `glupload` and `gldownload` alone.",
            "- The conversions are each program's own. GStreamer's, which "
            "three of the pipelines share, are not exact: without a filter "
            f"a frame comes back with {converted:.1f} dB and its Y changed by "
            f"{darker:+.1f} on average.",
            *(f"- {note}" for note in dict.fromkeys(self.pipelines.notes)),
            "", "The programs that claim the same work, in RGB, to the float64 "
            "result of their own definition:"]
        self.sections += make_table(
            ("program", "difference of two pixels", "PSNR",
             "largest difference"), checks)
        self.sections += ["", "The command lines:", "", "```sh"]
        self.sections += [self.pipelines.programs[name].describe(work)
                          .replace(self.pipelines.folder, "FOLDER")
                          for name in usages]
        self.sections += ["```"]

    def claim_pipelines(self, usages):
        """What the table shows of promises and of defeats."""
        ours = usages["this"]
        opencv = usages.get("OpenCV, CPU")
        if opencv:
            self.claims.append((
                f"pipeline, radius {self.get_work().radius}: frames per second "
                "against OpenCV's", ours.fps / opencv.fps, PIPELINE_TARGET,
                False))
        for name, usage in usages.items():
            if name in OTHER_WORK:
                continue
            worse = []
            if usage.fps > ours.fps:
                worse.append(f"{usage.fps / ours.fps:.1f} times as fast")
            if usage.cpu < ours.cpu:
                worse.append(
                    f"takes {usage.cpu / ours.cpu:.2f} of the CPU time")
            if usage.memory < ours.memory:
                worse.append(f"needs {usage.memory:.0f} MiB instead of "
                             f"{ours.memory:.0f}")
            if worse:
                self.losses.append(f"Pipelines: {name} is ahead: "
                                   + ", ".join(worse) + ".")

    def report_pipeline_curves(self):
        """Pipelines against radius, size, threads, and in packed formats."""
        names = [name for name in ("this", FAST, "OpenCV, CPU", RECURSIVE)
                 if name in self.pipelines.programs]
        rows = []

        def add(what, more, limit_to=None):
            work = self.get_work(**more)
            usages = self.pipelines.measure(
                [name for name in limit_to or names if name != FAST
                 or work.radius >= programs.FAST_RADIUS], work)
            ours = usages["this"].fps
            for name, usage in usages.items():
                rows.append((
                    what, name, f"{usage.fps:.1f}",
                    "" if name == "this" else format_ratio(ours, usage.fps),
                    f"{usage.cpu * 1000:.1f}", f"{usage.memory:.0f}"))
            return {name: usage.fps for name, usage in usages.items()}

        curves = {}
        for radius in self.plan.pipeline_radii:
            curves["radius", radius] = add(f"radius {radius}",
                                           {"radius": radius})
        for threads in list_threads()[:-1]:
            add(count_threads(threads), {"threads": threads})
        add("RGB without conversions", {"layout": "packed"},
            [name for name in names if not name.startswith("FFmpeg")])
        for width, height in self.plan.sizes:
            self.pipelines.drop_files()
            if (width, height) == self.plan.frame and 4 in \
                    self.plan.pipeline_radii:
                curves["size", width * height] = curves["radius", 4]
                continue
            curves["size", width * height] = add(
                f"{width}x{height}", {"width": width, "height": height})
        self.pipelines.drop_files()

        def select(kind):
            return {name: {x: fps[name] for (key, x), fps in curves.items()
                           if key == kind and name in fps} for name in names}

        width, height = self.plan.frame
        self.sections += [
            "", "## Whole pipelines against radius, threads and size", "",
            f"As above: {width}x{height}, radius 4 and "
            f"{count_threads(THREADS)} where nothing else is said. "
            "*RGB without conversions*: each program is "
            "given the packed frames that its filter takes, OpenCV BGR and "
            "this project RGBA."]
        self.sections += make_table(
            ("what", "program", "frames/s", "this is faster by",
             "CPU ms/frame", "peak MiB"), rows)
        self.sections += self.write_chart(
            "pipelines-radius", f"Whole pipelines, {width}x{height}", "radius",
            "frames per second",
            {radius: str(radius) for radius in self.plan.pipeline_radii},
            select("radius"))
        self.sections += self.write_chart(
            "pipelines-size", "Whole pipelines, radius 4", "frame size",
            "frames per second", self.get_size_ticks(), select("size"))

    def get_size_ticks(self):
        """{pixels: name}."""
        return {width * height: f"{width}x{height}"
                for width, height in self.plan.sizes}

    def report_kernel_table(self, title, curve):
        """A table of milliseconds, and of ratios to OpenCV's."""
        names = [name for name in self.engines
                 if any(name in times for times in curve.values())]
        ours = [name for name in names if name.startswith("this")]
        rows = [[what, *(f"{times[name]:.2f}" if name in times else ""
                         for name in names),
                 *(format_ratio(times.get(name), times["OpenCV, 3 channels"])
                   for name in ours)] for what, times in curve.items()]
        titles = [title, *names, *(f"{name} / OpenCV, 3 channels"
                                   for name in ours)]
        self.sections += make_table(titles, rows)

    def report_kernels(self):
        """The filters alone, against radius, size and threads."""
        width, height = self.plan.frame
        workers = kernels.Kernels(self.engines, THREADS)
        self.device = workers.workers["glopenclfilter"].device
        points = [kernels.Point(radius, width, height, radius)
                  for radius in self.plan.radii]
        by_radius = workers.measure_curve(points, self.plan.rounds, say)
        points = [kernels.Point(size[0] * size[1], *size, 4)
                  for size in self.plan.sizes]
        by_size = workers.measure_curve(points, self.plan.rounds, say)
        workers.close()

        by_threads = {}
        point = kernels.Point(1, width, height, 4)
        for threads in list_threads():
            say(f"kernels with {count_threads(threads)}")
            workers = kernels.Kernels(self.engines, threads)
            by_threads[point._replace(x=threads)] = workers.measure(
                point, self.plan.rounds)
            workers.close()
        self.claim_kernels(by_radius)

        def select(curve):
            return {key: {point.x: times[key] for point, times in curve.items()
                          if key in times} for key in self.engines}

        self.sections += [
            "", "## Kernels", "",
            "Milliseconds of one frame that is where the filter reads it: "
            "kernels and transfers of this project as its `stats` tell them, "
            "calls of `bilateralFilter` by the clock. 8-bit frames of three "
            "channels are the same work (one weight a tap for three channels); "
            "on one channel OpenCV has a third of the sums to make. UMat is "
            "OpenCV through OpenCL on the same device; it is left out where it "
            f"takes longer than {kernels.LONGEST / 1000:g} s.", "",
            f"{width}x{height}, {count_threads(THREADS)}:"]
        self.report_kernel_table(
            "radius", {str(point.x): times
                       for point, times in by_radius.items()})
        self.sections += self.write_chart(
            "kernels-radius", f"Kernels, {width}x{height}", "radius",
            "milliseconds of a frame",
            {radius: str(radius) for radius in self.plan.radii},
            select(by_radius))
        self.sections += ["", f"Radius 4, {count_threads(THREADS)}:"]
        self.report_kernel_table(
            "frame", {f"{point.width}x{point.height}": times
                      for point, times in by_size.items()})
        self.sections += self.write_chart(
            "kernels-size", "Kernels, radius 4", "frame size",
            "milliseconds of a frame", self.get_size_ticks(), select(by_size))
        self.sections += ["", f"{width}x{height}, radius 4:"]
        self.report_kernel_table(
            "threads", {str(point.x): times
                        for point, times in by_threads.items()})
        self.sections += self.write_chart(
            "kernels-threads", f"Kernels, {width}x{height}, radius 4",
            "threads", "milliseconds of a frame",
            {threads: str(threads) for threads in list_threads()},
            select(by_threads))

    def claim_kernels(self, by_radius):
        """What the curve shows of promises and of defeats."""
        for point, times in by_radius.items():
            three, one = (times[f"OpenCV, {channels}"]
                          for channels in ("3 channels", "1 channel"))
            if point.radius in (4, 8, 16):
                self.claims.append((
                    f"kernel, radius {point.radius}: time against OpenCV's",
                    times["this"] / three, KERNEL_TARGET, True))
            if FAST in times and point.radius == 32:
                self.claims.append((
                    "kernel, method fast, spatial sigma 16: time against "
                    "OpenCV's exact one", times[FAST] / three,
                    FAST_TARGET, True))
            if times["this"] > three:
                self.losses.append(
                    f"Kernels: OpenCV on three channels is ahead at radius "
                    f"{point.radius}: {three:.2f} ms against "
                    f"{times['this']:.2f} ms.")
            elif times["this"] > one:
                self.losses.append(
                    f"Kernels: OpenCV on one channel, a third of the sums, is "
                    f"ahead at radius {point.radius}: {one:.2f} ms against "
                    f"{times['this']:.2f} ms.")

    def report_fast(self):
        """How near the fast method is to the exact one."""
        if FAST not in self.pipelines.programs:
            return
        rows = []
        for sigma in self.plan.fast_sigmas:
            work = self.get_work(radius=2 * sigma, layout="packed")
            found = self.pipelines.try_programs(["this", FAST], work)
            psnr = frames.measure_psnr(*(output for output, _
                                         in found.values()))
            rows.append((str(sigma), format_psnr(psnr)))
            if sigma == 16:
                self.claims.append((
                    "method fast, spatial sigma 16: PSNR to the exact filter",
                    psnr, FAST_PSNR, False))
        self.pipelines.drop_files()
        self.sections += [
            "", "## How near `method=fast` is", "",
            "To this project's exact filter, on the same frame in RGB; radius "
            "twice the spatial sigma."]
        self.sections += make_table(("spatial sigma", "PSNR"), rows)

    def get_head(self, seconds):
        """What comes first."""
        command = "benchmarks/run.sh" + (
            "" if self.plan.name == "full" else f" --{self.plan.name}")
        lines = [
            "# Bilateral filter, measured beside its peers", "",
            f"Made by `{command}` in {seconds / 60:.0f} minutes. What is "
            "compared was taken in turns in one run, on the same frames "
            "(shapes, gradients, noise) with the same threads; figures are "
            f"medians of {self.plan.rounds}, ratios those of medians. Disc "
            "window, spatial sigma radius / 2, intensity sigma "
            f"{programs.INTENSITY_SIGMA}."]
        if self.plan.name != "full":
            lines += ["", "**This is a shortened run: it shows that the "
                      "benchmark works, its figures are rough.**"]
        lines += ["", *machine.describe(self.device), "", "## In short"]
        lines += make_table(
            ("what", "measured", "promised", ""),
            [(what, f"{value:.2f}",
              f"at {'most' if below else 'least'} {target:g}",
              "kept" if (value <= target if below else value >= target)
              else "**not kept**")
             for what, value, target, below in self.claims])
        lines += ["", "Where this project is behind:", ""]
        lines += [f"- {loss}" for loss in self.losses or ["nowhere"]]
        return lines


def read_sections(path):
    """The lines of another Markdown file."""
    with open(path, encoding="utf-8") as file:
        return file.read().rstrip().split("\n")


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kind = parser.add_mutually_exclusive_group()
    for name in ("quick", "smoke"):
        kind.add_argument(f"--{name}", action="store_const", dest="plan",
                          const=name)
    parser.add_argument("--opencv", metavar="PROGRAM")
    parser.add_argument("--append", metavar="FILE")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    start = time.monotonic()

    folder = tempfile.mkdtemp(
        dir=programs.find_memory_folder(2 * FILE_SIZE), prefix="glopencl-")
    try:
        report = Report(PLANS[options.plan or "full"], options.opencv,
                        options.folder, folder)
        report.report_pipelines()
        report.report_pipeline_curves()
        report.report_kernels()
        report.report_fast()
    except process.ProcessError as error:
        sys.exit(f"compare.py: {error}")
    finally:
        shutil.rmtree(folder)
    lines = report.sections
    if options.append:
        lines += read_sections(options.append)
    lines = report.get_head(time.monotonic() - start) + lines
    with open(os.path.join(options.folder, "RESULTS.md"), "w",
              encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    say(f"wrote {os.path.join(options.folder, 'RESULTS.md')}")


if __name__ == "__main__":
    main()
