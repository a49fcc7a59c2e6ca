#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures sharpening, gradients and matrices beside their peers, and writes
STENCILS.md with its charts."""
import argparse
import os
import signal
import sys
import tempfile
import time

import frames
import process
import programs
import stencilfilters
import stencilkernels
from runner import FILE_SIZE, OURS, Runner
from section import (THREADS, Plan, Section, add_plans, count_threads,
                     format_psnr, format_ratio, make_table, say,
                     write_document)
from stencilkernels import OPENCV, SERIAL, UMAT, Task

FRAME = (1280, 720)
RADII = (1, 2, 3, 4, 5, 15)
PLANS = {
    "full": Plan("full", 21, 1.0, FRAME, ((512, 512), FRAME, (3840, 2160)),
                 RADII, (3,)),
    "quick": Plan("quick", 5, 0.5, FRAME, (FRAME,), (3, 15), (3,)),
    "smoke": Plan("smoke", 1, 0.01, (160, 96), ((160, 96),), (1, 3), (3,),
                  left_out=(UMAT,)),
}
TITLES = {
    "average": "sharpen, average", "gaussian": "sharpen, gaussian",
    "dense": "matrix, dense", "separable": "matrix, separable",
    "gradient": "gradient, magnitude",
}
# What OpenCV does for the same.
CHAINS = {
    "average": "`blur`, `addWeighted`", "gaussian": "`GaussianBlur`, "
    "`addWeighted`", "dense": "`filter2D`", "separable": "`sepFilter2D`",
    "gradient": "`Scharr` x and y, `magnitude`, `convertScaleAbs`",
}
# The most of OpenCV's time that is promised at FRAME: (filter, radius).
TARGETS = {
    ("average", 3): 0.8, ("gaussian", 3): 0.8, ("gaussian", 15): 0.8,
    ("dense", 2): 0.7, ("gradient", 1): 0.7,
}
# At least as many times as fast as plain C on one thread.
SERIAL_TARGET = 4
# Of a mean of the largest radius, against one of 3.
LARGEST, LARGEST_TARGET = 64, 1.5
LAYOUTS = {"packed": "packed RGB", "i420": "I420"}


def make_peers():
    """What other programs have for the same, of luma: {what it is: (element,
    {program: how}, whether it is the same work)}."""
    matrix = stencilfilters.make_dense(2)
    numbers = " ".join(str(number) for row in matrix for number in row)
    factor = 1 / sum(map(sum, matrix))
    opencl = ["-init_hw_device", "opencl=device:0.0"]

    def on_cpu(text):
        return programs.FFmpeg(lambda _: text, converts=False)

    def on_opencl(text):
        return programs.FFmpeg(
            lambda _: f"format=yuv420p,hwupload,{text},hwdownload,"
                      "format=yuv420p", False, opencl)

    def on_gl(effect):
        return programs.GStreamer(["gleffects", f"effect={effect}"],
                                  converts=True)

    return {
        "unsharp masking, 7x7": (["glopenclsharpen", "radius=3"], {
            "FFmpeg, unsharp": on_cpu("unsharp=7:7:0.5:3:3:0"),
            "FFmpeg, unsharp_opencl": on_opencl(
                "unsharp_opencl=lx=7:ly=7:la=0.5"),
        }),
        "mean, 7x7": (["glopenclsharpen", "radius=3", "output=blur"], {
            "FFmpeg, avgblur": on_cpu("avgblur=sizeX=3:planes=1"),
            "FFmpeg, avgblur_opencl": on_opencl(
                "avgblur_opencl=sizeX=3:sizeY=3:planes=1"),
            "gleffects, blur": on_gl("blur"),
        }),
        "Gaussian, sigma 1.5": (
            ["glopenclsharpen", "kernel=gaussian", "radius=3", "sigma=1.5",
             "output=blur"],
            {"FFmpeg, gblur": on_cpu("gblur=sigma=1.5:planes=1")}),
        "matrix, 5x5": (
            ["glopenclconvolution",
             f"matrix={stencilfilters.write_matrix(matrix)}"],
            {"FFmpeg, convolution": on_cpu(
                f"convolution=0m='{numbers}':0rdiv={factor:.9f}"),
             "FFmpeg, convolution_opencl": on_opencl(
                 f"convolution_opencl=0m='{numbers}':0rdiv={factor:.9f}")}),
        "gradient, 3x3": (["glopenclgradient"], {
            "FFmpeg, scharr": on_cpu("scharr=planes=1:scale=0.0625"),
            "FFmpeg, sobel_opencl": on_opencl("sobel_opencl=planes=1:"
                                              "scale=0.25"),
            "gleffects, sobel": on_gl("sobel"),
        }),
    }


class KernelSection(Section):
    """The filters alone."""

    def __init__(self, plan, folder, glopencl):
        super().__init__(plan, folder)
        self.glopencl = glopencl
        self.device = ""
        self.times = {}

    def list_tasks(self, layout, size):
        """All of a table."""
        for name in TITLES:
            for radius in (1,) if name == "gradient" else self.plan.radii:
                yield Task(name, radius, layout, *size)

    def measure(self):
        """Fills in the times, size by size."""
        for size in self.plan.sizes:
            engines = stencilkernels.Engines(self.glopencl, *size,
                                             left_out=self.plan.left_out)
            self.device = engines.device
            for layout, what in LAYOUTS.items():
                self.times.update(engines.measure(
                    list(self.list_tasks(layout, size)), self.plan.rounds,
                    lambda text, what=f"{size[0]}x{size[1]} {what}": say(
                        f"{what}: {text}")))
            if size == self.plan.frame:
                self.measure_largest(engines, size)
            engines.close()

    def measure_largest(self, engines, size):
        """The time of a mean does not grow with its radius."""
        for layout, what in LAYOUTS.items():
            times = engines.take_turns({
                radius: (OURS, Task("average", radius, layout, *size))
                for radius in (3, LARGEST)}, 5 * self.plan.rounds)
            self.claims.append((
                f"{what}, average, radius {LARGEST}: time against radius 3",
                times[LARGEST] / times[3], LARGEST_TARGET, True))

    def add_table(self, layout, size):
        """Of a size."""
        with_serial = layout == "packed"
        rows = []
        for task in self.list_tasks(layout, size):
            times = self.times[task]
            row = [f"{TITLES[task.name]}, radius {task.radius}",
                   *(f"{times[name]:.2f}" if name in times else ""
                     for name in (OURS, OPENCV, UMAT)),
                   format_ratio(times[OURS], times[OPENCV])]
            if with_serial:
                row += [f"{times[SERIAL]:.1f}" if SERIAL in times else "",
                        format_ratio(times.get(SERIAL),
                                     times[OURS])]
            rows.append(row)
        titles = ["filter", "this", OPENCV, UMAT, "this / OpenCV"]
        if with_serial:
            titles += [SERIAL, "serial C / this"]
        self.lines += ["", f"{size[0]}x{size[1]}, {LAYOUTS[layout]}:"]
        self.lines += make_table(titles, rows)

    def add_charts(self):
        """Against the radius, of packed frames."""
        size = self.plan.frame
        for name in ("average", "gaussian", "dense"):
            series = {engine: {} for engine in (OURS, OPENCV,
                                                UMAT, SERIAL)}
            for radius in self.plan.radii:
                times = self.times[Task(name, radius, "packed", *size)]
                for engine, time_of_frame in times.items():
                    series[engine][radius] = time_of_frame
            self.write_chart(
                f"stencils-{name}",
                f"{TITLES[name]}, {size[0]}x{size[1]}, packed RGB", "radius",
                "milliseconds of a frame",
                {radius: str(radius) for radius in self.plan.radii}, series)

    def add_claims(self):
        """What the tables show of promises and of defeats."""
        for task, times in self.times.items():
            ratio = times[OURS] / times[OPENCV]
            what = (f"{LAYOUTS[task.layout]}, {TITLES[task.name]}, radius "
                    f"{task.radius}")
            target = TARGETS.get((task.name, task.radius))
            if (task.width, task.height) == self.plan.frame and target:
                self.claims.append((f"{what}: time against OpenCV", ratio,
                                    target, True))
            if ratio > 1:
                self.losses.append(
                    f"{task.width}x{task.height}, {what}: OpenCV takes "
                    f"{times[OPENCV]:.2f} ms, this {times[OURS]:.2f} ms.")
        factors = [times[SERIAL] / times[OURS]
                   for times in self.times.values() if SERIAL in times]
        self.claims.append(("plain C on one thread against this, the least "
                            "of all", min(factors), SERIAL_TARGET, False))

    def run(self):
        """Measures and describes all."""
        self.measure()
        self.add_claims()
        self.lines += [
            "", "## Kernels", "",
            "Milliseconds of one frame that is where the filter reads it, with "
            f"{count_threads(THREADS)}: kernels and transfers of this project "
            "as its timers have them, OpenCV's calls by the clock. Packed "
            "frames are RGBA for this project and for plain C, BGR for OpenCV; "
            "of I420 the luma is filtered and the rest copied. The same is "
            "computed by " + "; ".join(
                f"{TITLES[name]}: {chain}" for name, chain in CHAINS.items())
            + ". A Gaussian's sigma is half the radius. UMat is OpenCV through "
            "OpenCL on the same device. Serial C adds up all taps on one "
            "thread, as published work does; it is left out where it takes "
            f"seconds. Published for a CPU of 4 cores: 4 to 9 times."]
        for size in self.plan.sizes:
            for layout in LAYOUTS:
                self.add_table(layout, size)
        self.add_charts()


class ProgramSection(Section):
    """Whole programs that filter the luma of I420."""

    def __init__(self, plan, folder, work_folder):
        super().__init__(plan, folder)
        self.runner = Runner(plan._replace(rounds=plan.rounds // 3 + 1), {},
                             work_folder)

    def run(self):
        """Measures and describes all."""
        work = self.get_work()
        rows, commands = [], []
        for what, (element, peers) in make_peers().items():
            found = {OURS: programs.GStreamer(element), **peers}
            self.runner.programs = found
            wanted, _ = self.runner.get_output(OURS, work)
            usages = self.runner.measure(list(found), work)
            luma = slice(work.width * work.height)
            for name, usage in usages.items():
                output, _ = self.runner.get_output(name, work)
                ratio = format_ratio(usages[OURS].fps, usage.fps)
                rows.append((
                    what, name, f"{usage.fps:.1f}",
                    "" if name == OURS else ratio, f"{usage.cpu * 1000:.1f}",
                    "" if name == OURS else format_psnr(frames.measure_psnr(
                        output[luma], wanted[luma]))))
                commands.append(found[name].describe(work))
                if name != OURS:
                    self.add_claim(what, name, usages)
        width, height = self.plan.frame
        self.lines += [
            "", "## Whole pipelines", "",
            f"Raw I420 frames of {width}x{height} from a file in memory to "
            f"`/dev/null`, {count_threads(THREADS)}; luma is filtered. *Near* "
            "is the PSNR of the luma to this project's: FFmpeg's `unsharp` has "
            "other weights for a window (a mean of means), `gblur` is "
            "recursive, its `sobel` other coefficients than Scharr's, and "
            "borders differ; `gleffects` work on RGB."]
        self.lines += make_table(
            ("filter", "program", "frames/s", "this is faster by",
             "CPU ms/frame", "near"), rows)
        self.lines += ["", "The command lines:", "", "```sh", *commands, "```"]

    def add_claim(self, what, name, usages):
        """This project is to be ahead of each."""
        self.claims.append((f"pipeline, {what}: frames per second against "
                            f"{name}", usages[OURS].fps / usages[name].fps,
                            1.0, False))


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("glopencl", metavar="GLOPENCL")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    plan = options.plan
    start = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    with tempfile.TemporaryDirectory(
            dir=programs.find_memory_folder(4 * FILE_SIZE),
            prefix="glopencl-") as folder:
        sections = [KernelSection(plan, options.folder, options.glopencl),
                    ProgramSection(plan, options.folder, folder)]
        try:
            for section in sections:
                section.run()
        except process.ProcessError as error:
            sys.exit(f"stencils.py: {error}")
    write_document(os.path.join(options.folder, "STENCILS.md"),
                   "Sharpening, gradients and matrices", plan,
                   time.monotonic() - start, sections)


if __name__ == "__main__":
    main()
