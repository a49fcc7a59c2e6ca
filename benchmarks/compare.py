#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures this project beside its peers and writes RESULTS.md and charts:

    compare.py [--quick | --smoke] [--opencv PROGRAM] [--append FILE] FOLDER

PROGRAM is opencvpipeline.cpp, compiled. FILE holds more sections in Markdown,
to be put behind those made here. run.sh installs, builds and runs this.
"""
import argparse
import os
import signal
import sys
import tempfile
import time

import kernels
import machine
import process
import programs
from kernelsection import KernelSection
from programsection import ProgramSection
from runner import FILE_SIZE
from section import Plan, add_plans, say, summarize

SIZES = ((848, 480), (1280, 720), (1920, 1080), (3840, 2160))
PLANS = {
    "full": Plan("full", 7, 1.5, SIZES[1], SIZES,
                 (1, 2, 3, 4, 6, 8, 12, 16, 24, 32), (2, 4, 8, 16)),
    "quick": Plan("quick", 3, 0.5, SIZES[1], SIZES[:3], (2, 4, 8, 16),
                  (4, 8)),
    "smoke": Plan("smoke", 1, 0.01, (160, 96), ((160, 96), (192, 96)), (4, 12),
                  (4, 12), (16,), (kernels.UMAT,)),
}


def get_head(plan, device, seconds):
    """What comes first."""
    command = "benchmarks/run.sh" + (
        "" if plan.name == "full" else f" --{plan.name}")
    lines = [
        "# Bilateral filter, measured beside its peers", "",
        f"Made by `{command}` in {seconds / 60:.0f} minutes. What is "
        "compared was taken in turns in one run, on the same frames "
        "(shapes, gradients, noise) with the same threads; figures are "
        f"medians of {plan.rounds}, ratios those of medians. Disc "
        "window, spatial sigma radius / 2, intensity sigma "
        f"{programs.INTENSITY_SIGMA}."]
    if plan.name != "full":
        lines += ["", "**This is a shortened run: it shows that the "
                  "benchmark works, its figures are rough.**"]
    lines += ["", *machine.describe(device)]
    return lines


def read_sections(path):
    """The lines of another Markdown file."""
    with open(path, encoding="utf-8") as file:
        return file.read().rstrip().split("\n")


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("--opencv", metavar="PROGRAM")
    parser.add_argument("--append", metavar="FILE")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    plan = options.plan
    start = time.monotonic()
    # The folder of frames goes then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    with tempfile.TemporaryDirectory(
            dir=programs.find_memory_folder(4 * FILE_SIZE),
            prefix="glopencl-") as folder:
        sections = [
            ProgramSection(plan, options.folder, options.opencv, folder),
            KernelSection(plan, options.folder)]
        try:
            for section in sections:
                section.run()
        except process.ProcessError as error:
            sys.exit(f"compare.py: {error}")
    lines = get_head(plan, sections[1].device, time.monotonic() - start)
    lines += summarize(
        [claim for section in sections for claim in section.claims],
        [loss for section in sections for loss in section.losses])
    for section in sections:
        lines += section.lines
    if options.append:
        lines += read_sections(options.append)
    with open(os.path.join(options.folder, "RESULTS.md"), "w",
              encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    say(f"wrote {os.path.join(options.folder, 'RESULTS.md')}")


if __name__ == "__main__":
    main()
