#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures the multiresolution filter beside OpenCV's steps and plain C, and
what it does against noise, and writes MULTIRESOLUTION.md with its charts."""
import argparse
import functools
import os
import subprocess
import sys
import time

import programs
from section import (THREADS, Plan, Section, add_plans, count_threads,
                     format_ratio, make_table, say, write_document)
from turns import Process, take_turns

FRAME = (1280, 720)
SIZES = ((512, 512), (1024, 1024), (2048, 2048), (4096, 4096))
PLANS = {
    "full": Plan("full", 21, 1.0, FRAME, (FRAME, *SIZES), (), ()),
    "quick": Plan("quick", 5, 0.5, FRAME, (FRAME, *SIZES[:2]), (), ()),
    "smoke": Plan("smoke", 1, 0.01, (160, 96), ((160, 96), (64, 64)), (), ()),
}
OURS, OPENCV, OPENMP, SERIAL = "this", "OpenCV", "OpenMP C", "serial C"
FORMATS = {"RGBA": 3, "GRAY8": 1}
# Frames a second, grey: size: (Tesla C870, four Xeon cores).
PUBLISHED = {512: ("382", "17"), 1024: ("131", "4.6"), 2048: ("36", "1.1"),
             4096: ("2.3", "0.11")}
# At FRAME: of OpenCV's time, times as fast as plain C on one thread, and of the
# time of two plain passes and of copying the levels.
OPENCV_TARGET, SERIAL_TARGET, PASS_TARGET = 0.6, 5, 1.0


class KernelSection(Section):
    """The filter alone."""

    def __init__(self, plan, folder, glopencl):
        super().__init__(plan, folder)
        self.glopencl = glopencl
        self.device = ""
        self.times = {}

    def measure_size(self, width, height):
        """Fills in the times of a size."""
        prefix, environment = programs.limit_threads(THREADS)
        ours = Process([*prefix, self.glopencl, "bench", "--lines", "--sizes",
                        f"{width}x{height}"], environment, True)
        opencv = Process(
            [*prefix, sys.executable, os.path.join(
                programs.HERE, "multiresolutionworker.py"), str(THREADS)],
            environment, False)
        self.device = ours.greeting.strip()
        for name, channels in FORMATS.items():
            say(f"{width}x{height}, {name}")
            line = "multiresolution {} buffer format=" + name
            rest = f"{channels} {width} {height}"
            asks = {
                OURS: (ours, line.format("auto")),
                "a pass": (ours, "bilateral auto buffer radius=2 "
                           f"intensity-sigma=0.02 format={name}"),
                "pyramid": (ours, line.format("auto")
                            + " intensity-sigma=0 gains=<2>"),
                OPENCV: (opencv, f"filter {rest}"),
                "copies": (opencv, f"copy {rest}"),
            }
            # Plain C knows RGBA only.
            if channels == 3:
                asks[OPENMP] = ours, line.format("openmp")
                asks[SERIAL] = ours, line.format("serial")
            self.times[name, width, height] = take_turns(
                {key: functools.partial(process.ask, text)
                 for key, (process, text) in asks.items()}, self.plan.rounds)
        ours.close()
        opencv.close()

    def add_claims(self):
        """What is promised of one size."""
        for name in FORMATS:
            times = self.times[(name, *self.plan.frame)]
            bound = 2 * times["a pass"] + times["copies"]
            self.claims += [
                (f"{name}: time against OpenCV", times[OURS] / times[OPENCV],
                 OPENCV_TARGET, True),
                (f"{name}: time against two passes of glopenclfilter, radius "
                 "2, and copies of all levels", times[OURS] / bound,
                 PASS_TARGET, True)]
            if SERIAL in times:
                self.claims.append((f"{name}: plain C on one thread against "
                                    "this", times[SERIAL] / times[OURS],
                                    SERIAL_TARGET, False))
        for (name, width, height), times in self.times.items():
            if times[OURS] > times[OPENCV]:
                self.losses.append(
                    f"{width}x{height}, {name}: OpenCV takes "
                    f"{times[OPENCV]:.2f} ms, this {times[OURS]:.2f} ms.")

    def add_tables(self):
        """Of each format, and as frames a second."""
        columns = (OURS, "pyramid", "a pass", "copies", OPENCV, OPENMP, SERIAL)
        for name in FORMATS:
            rows = []
            for width, height in self.plan.sizes:
                times = self.times[name, width, height]
                rows.append(
                    [f"{width}x{height}", *(f"{times[key]:.2f}"
                                            if key in times else ""
                                            for key in columns),
                     format_ratio(times[OURS], times[OPENCV]),
                     format_ratio(times.get(SERIAL), times[OURS])])
            self.lines += ["", f"{name}:"]
            self.lines += make_table(
                ("size", *columns, "this / OpenCV", "serial C / this"), rows)
        rows = []
        for width, height in self.plan.sizes:
            if width == height:
                gpu, cpu = PUBLISHED.get(width, ("", ""))
                grey = self.times["GRAY8", width, height]
                rows.append((f"{width}x{height}", f"{1000 / grey[OURS]:.1f}",
                             f"{1000 / grey[OPENCV]:.1f}", gpu, cpu))
        self.lines += ["", "Frames a second, grey, in the form of published "
                       "work:"]
        self.lines += make_table(
            ("size", f"this, {count_threads(THREADS)}",
             f"OpenCV, {count_threads(THREADS)}", "published, Tesla C870",
             "published, 4 Xeon cores"), rows)

    def run(self):
        """Measures and describes all."""
        for size in self.plan.sizes:
            self.measure_size(*size)
        self.add_claims()
        self.lines += [
            "", "## The filter", "",
            "5 levels, radius 2, spatial sigma 2, intensity sigma 0.02: "
            "milliseconds of one frame that is where the filter reads it, with "
            f"{count_threads(THREADS)}. OpenCV does the same in floats with "
            "`pyrDown`, `pyrUp`, `subtract`, `bilateralFilter` and `add`; its "
            "window of radius 2 is a disc of 13 taps, this one's a square of "
            "25, and it takes packed BGR. *Pyramid* is this without the "
            "filter: taking apart and putting together. *A pass* is "
            "`glopenclfilter radius=2` with these sigmas on the frame, *copies* "
            "copying all levels once."]
        self.add_tables()


class NoiseSection(Section):
    """What it does against noise, beside the filter of one scale."""

    def __init__(self, plan, folder, tool, root):
        super().__init__(plan, folder)
        peers = os.path.join(root, "tests", "peers")
        self.table = os.path.join(folder, "denoising.md")
        self.command = [
            sys.executable, os.path.join(peers, "photograph_denoising.py"),
            tool, os.path.join(peers, "photograph.png"), "--chart",
            os.path.join(folder, "denoising.svg"), "--table", self.table]

    def run(self):
        """Searches, and takes the table."""
        say("noise")
        result = subprocess.run(self.command, stdout=subprocess.DEVNULL,
                                check=False)
        self.claims.append(("noise of three strengths: PSNR above that of "
                            "glopenclfilter at its best",
                            1 - result.returncode, 1, False))
        with open(self.table, encoding="utf-8") as file:
            rows = file.read().splitlines()
        os.remove(self.table)
        self.lines += [
            "", "## Against noise", "",
            "A photograph with Gaussian noise, filtered by `glopenclfilter` "
            "and by `glopenclmultiresolution`, each with the parameters that "
            "a search finds for the noise: PSNR to the photograph without "
            "noise.", "", *rows, "", "![PSNR against the noise](denoising.svg)"]


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("--tool", metavar="OPERATIONTOOL",
                        help="also search what is best against noise")
    parser.add_argument("glopencl", metavar="GLOPENCL")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    plan = options.plan
    root = os.path.join(programs.HERE, "..")
    start = time.monotonic()

    sections = [KernelSection(plan, options.folder, options.glopencl)]
    if options.tool:
        sections.append(NoiseSection(plan, options.folder, options.tool, root))
    for section in sections:
        section.run()
    write_document(os.path.join(options.folder, "MULTIRESOLUTION.md"),
                   "Filters of several scales", plan,
                   time.monotonic() - start, sections)


if __name__ == "__main__":
    main()
