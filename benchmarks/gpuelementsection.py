# SPDX-License-Identifier: LGPL-2.1-or-later
"""The sections of GPU.md about the other filters, about chains, and about the
memory that starts and stops leave behind."""
import csv
import os
import subprocess
from typing import NamedTuple

import chains
import gpupipelines
from process import ProcessError
from section import Section, format_ratio, make_table, report_failures, say

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                       "kernels", "examples")
MATRIX = ("<<1,2,3,2,1>,<2,5,6,4,2>,<3,6,9,7,3>,<2,4,7,5,2>,<1,2,3,2,2>>")
LIMIT = 300


class Case(NamedTuple):
    """Arguments of glopencl bench."""
    name: str
    operation: str
    formats: str
    arguments: tuple = ()


SHARPEN = Case("sharpen, radius 3", "sharpen", "GRAY8,RGBA",
               ("--radius", "3"))
CASES = [
    SHARPEN,
    Case("sharpen, radius 3, Gaussian", "sharpen", "GRAY8,RGBA",
         ("--kernel", "gaussian", "--radius", "3")),
    Case("gradient", "gradient", "GRAY8,RGBA"),
    Case("convolution, 5x5", "convolution", "GRAY8,RGBA",
         ("--matrix", MATRIX)),
    Case("multiresolution, 5 levels", "multiresolution", "GRAY8,RGBA",
         ("--intensity-sigma", "0.1")),
    Case("denoise, history=0", "denoise", "I420", ("--history", "0")),
    Case("denoise, history=2", "denoise", "I420", ("--history", "2")),
    Case("denoise, history=2 lookahead=2", "denoise", "I420",
         ("--history", "2", "--lookahead", "2")),
    Case("a user's kernel: bilateral.cl", "kernel", "GRAY8,RGBA",
         ("--location", os.path.join(KERNELS, "bilateral.cl"))),
]
# What startstop takes, by what a table says of it.
TRIAL = "gltestsrc num-buffers=3 ! video/x-raw(memory:GLMemory),width=1280," \
    "height=720 ! {} ! fakesink sync=false"
OURS = "glopenclfilter radius=4 interop={0} ! glopenclsharpen interop={0}"
CYCLES = [
    ("OpenGL alone: a context, a texture", "gl"),
    ("OpenCL alone: a context, a buffer", "opencl"),
    ("both, with an image that is shared", "sharing"),
    ("both, with memory to copy through", "copying"),
    ("`gleffects_mirror ! gleffects_mirror`",
     TRIAL.format("gleffects_mirror ! gleffects_mirror")),
    ("two elements, gl-sharing", TRIAL.format(OURS.format("gl-sharing"))),
    ("two elements, external-memory",
     TRIAL.format(OURS.format("external-memory"))),
    ("two elements, host-copy", TRIAL.format(OURS.format("host-copy"))),
]
PLATFORMS = {"gl-sharing": "glx", "external-memory": "egl"}
# What a plan may leave out.
CHAINS, MOST_KERNELS = "chains", "most kernels"


def call(command, environment=None):
    """What a program prints. Raises ProcessError where it fails."""
    try:
        result = subprocess.run(command, env=environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=LIMIT, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProcessError(str(error)) from error
    if result.returncode != 0:
        lines = result.stderr.strip().splitlines() or ["it ended"]
        raise ProcessError(lines[-1])
    return result.stdout


class GpuElementSection(Section):
    """Tables of what the other sections leave out."""

    def __init__(self, plan, folder, options):
        super().__init__(plan, folder)
        self.glopencl = options.tool
        self.startstop = os.path.join(options.built, "startstop")
        self.failures = []

    def bench(self, case, sizes, variants="auto"):
        """{(format, size): milliseconds} of the kernels."""
        command = [self.glopencl, "bench", "--operation", case.operation,
                   "--format", case.formats, "--storage", "buffer",
                   "--variants", variants, "--rounds", str(self.plan.rounds),
                   "--max-seconds", "30", "--csv", "-", *case.arguments,
                   "--sizes", ",".join(f"{width}x{height}"
                                       for width, height in sizes)]
        return {(row["format"], f"{row['width']}x{row['height']}"):
                float(row["median_ms"])
                for row in csv.DictReader(call(command).splitlines())
                if row["median_ms"]}

    def add_kernels(self):
        """The time of each filter's kernels."""
        self.lines += [
            "", "## The other filters", "",
            "`glopencl bench --variants auto --storage buffer`: milliseconds "
            "of a frame's kernels and copies on the device, medians of "
            f"{self.plan.rounds}."]
        sizes = [f"{width}x{height}" for width, height in self.plan.sizes]
        rows = []
        for case in CASES[:1] if MOST_KERNELS in self.plan.left_out else CASES:
            say(f"{case.name}")
            try:
                times = self.bench(case, self.plan.sizes)
            except ProcessError as error:
                self.failures.append(f"{case.name}: {error}")
                continue
            for name in case.formats.split(","):
                rows.append((case.name, name,
                             *(f"{times[name, size]:.3f}"
                               if (name, size) in times else ""
                               for size in sizes)))
        self.lines += make_table(("filter", "format", *sizes), rows)

    def add_processor(self):
        """Sharpening beside one thread of a CPU, as published work compares
        it."""
        size = self.plan.sizes[-1]
        say("sharpen on the CPU")
        try:
            device = self.bench(SHARPEN, [size])
            serial = self.bench(SHARPEN, [size], "serial")
        except ProcessError as error:
            self.failures.append(f"sharpen on the CPU: {error}")
            return
        self.lines += [
            "", f"Sharpening with radius 3, {size[0]}x{size[1]}, beside plain "
            "C on one thread of the CPU (`--variants serial`), milliseconds:"]
        self.lines += make_table(
            ("format", "this", "plain C", "plain C / this"),
            [(name, f"{device[name, what]:.3f}", f"{serial[name, what]:.1f}",
              format_ratio(serial[name, what], device[name, what]))
             for name, what in device if (name, what) in serial])

    def add_chains(self):
        """A chain beside elements in a row."""
        self.lines += [
            "", "## Chains", "",
            "`benchmarks/chains.py --gl`: milliseconds of a frame of a whole "
            "pipeline without those of one that has no filter; no frame is "
            "held back."]
        for interop, platform in PLATFORMS.items():
            environment = gpupipelines.get_environment(platform)
            plan = chains.Plan(self.plan.frame, "RGBA", interop, 0,
                               min(self.plan.rounds, 3), True,
                               self.plan.seconds, environment)
            say(f"chains, {interop}")
            try:
                tables = chains.make_tables(plan)
            except ProcessError as error:
                self.failures.append(f"chains, {interop}: {error}")
                continue
            width, height = self.plan.frame
            self.lines += ["", f"{interop}, {width}x{height}:", "",
                           *tables]

    def add_memory(self):
        """What is left of starts and stops."""
        self.lines += [
            "", "## Starts and stops", "",
            "`benchmarks/startstop`, which uses nothing of this project but "
            "the elements that a pipeline names: resident memory in MiB after "
            "starts and stops. The display stays open."]
        has_display = os.environ.get("DISPLAY")
        rows, ticks = [], []
        for name, text in CYCLES:
            say(f"starts and stops: {name}")
            environment = gpupipelines.get_environment(
                "glx" if has_display and "external-memory" not in text
                else "egl", {"CYCLES": str(self.plan.cycles)})
            try:
                points = [line.split() for line in call(
                    [self.startstop, text], environment).splitlines()]
            except ProcessError as error:
                self.failures.append(f"starts and stops: {name}: {error}")
                continue
            ticks = [count for count, _ in points][::3]
            rows.append((name, *(f"{float(size):.0f}"
                                 for _, size in points[::3])))
        if rows:
            self.lines += make_table(("what", *ticks), rows)

    def run(self):
        """Measures and describes all."""
        self.add_kernels()
        self.add_processor()
        if CHAINS not in self.plan.left_out:
            self.add_chains()
        self.add_memory()
        self.lines += report_failures(self.failures)
