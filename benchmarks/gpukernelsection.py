# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of GPU.md about the filter alone."""
import csv
import functools
import math
import subprocess

import gpukernels
import programs
from gpukernels import CHECK_SIZE, COMPILED, DISC, OURS, OWN, PEERS, RGBA
from section import (Section, format_psnr, format_ratio, make_table,
                     report_failures, say)
from turns import Ended, take_turns

# The most of the CUDA peer's time that is promised.
COMPILED_TARGET = 1.0
# At least this part of the exponentials that the device can do: from a radius
# and a number of pixels on.
LIMIT_TARGET, LIMIT_RADIUS, LIMIT_PIXELS = 0.7, 4, 3840 * 2160
ROOFLINE = "roofline"
# Seconds; most of them are for kernels that a driver has to compile.
ROOFLINE_LIMIT = 180
FORMATS = ("GRAY8", "RGBA")


def format_time(value):
    """Milliseconds, empty where there is no figure."""
    return "" if value is None else f"{value:.3f}"


def describe_match(match):
    """How near a peer is to the exact filter."""
    reading = match.reading
    text = f"a {reading.window} for a window"
    if (reading.spatial, reading.intensity) != (1, 1):
        text += (f", its spatial sigma times {reading.spatial:.2f} and its "
                 f"intensity sigma times {reading.intensity:.2f}")
    if match.is_same():
        return f"The same filter up to rounding, with {text}."
    return (f"**Another filter**: nearest is the exact one with {text}, from "
            f"which it differs by up to {match.largest} of 255, "
            f"{format_psnr(match.psnr)}.")


def measure_exponentials(glopencl):
    """How many the device does a second at best."""
    try:
        result = subprocess.run(
            [glopencl, "roofline", "--frame-size", "64x64", "--radius", "2",
             "--rounds", "5", "--csv", "-"], stdout=subprocess.PIPE, text=True,
            check=True, timeout=ROOFLINE_LIMIT)
    except (OSError, subprocess.SubprocessError) as error:
        say(f"glopencl roofline: {error}")
        return 0
    return max(float(row["exp2_rate"])
               for row in csv.DictReader(result.stdout.splitlines()))


class GpuKernelSection(Section):
    """Tables and charts of the filter alone."""

    def __init__(self, plan, folder, options, work_folder):
        super().__init__(plan, folder)
        self.glopencl = options.tool
        self.peer_folder = options.peer
        self.work_folder = work_folder
        self.device = ""
        self.rate = 0
        self.workers, self.matches, self.absent = {}, {}, {}
        self.notes = []
        self.failures = []
        self.times = {}         # {(width, height, radius): {name: median}}
        self.fast = {}          # {(sigma, format): {method: median}}

    def try_peers(self, width, height, radius):
        """Those that can; who cannot is not asked again."""
        asks = {}
        for name, worker in list(self.workers.items()):
            ask = functools.partial(worker.time, width, height, radius)
            try:
                if math.isfinite(ask()):
                    asks[name] = ask
                else:
                    self.notes.append(f"{name} fails at {width}x{height}, "
                                      f"radius {radius}.")
            except Ended as error:
                self.notes.append(f"{name} is missing from {width}x{height}, "
                                  f"radius {radius} on: {error}.")
                del self.workers[name]
        return asks

    def try_own(self, own, more):
        """The same of this project's kernels."""
        asks = {}
        for name in list(own.processes):
            ask = functools.partial(own.time, name, more)
            try:
                ask()
                asks[name] = ask
            except Ended as error:
                if name in (OURS, DISC):
                    raise
                self.notes.append(f"{name} is missing: {error}.")
                del own.processes[name]
        return asks

    def measure(self):
        """Fills in all times."""
        for width, height in self.plan.sizes:
            own = gpukernels.Own(self.glopencl, width, height,
                                 self.work_folder)
            self.device = own.get_device()
            for radius in self.plan.radii:
                say(f"kernels, {width}x{height}, radius {radius}")
                asks = self.try_own(own, gpukernels.get_settings(radius))
                asks.update(self.try_peers(width, height, radius))
                self.times[width, height, radius] = take_turns(
                    asks, self.plan.rounds)
            if (width, height) == self.plan.frame:
                self.measure_fast(own)
            own.close()

    def measure_fast(self, own):
        """The approximation against the exact filter."""
        for sigma in self.plan.fast_sigmas:
            say(f"method=fast, spatial sigma {sigma}")
            for name, kind in zip((OURS, RGBA), FORMATS):
                self.fast[sigma, kind] = take_turns(
                    {method: functools.partial(
                        own.time, name,
                        f"spatial-sigma={sigma} method={method}")
                     for method in ("exact", "fast")}, self.plan.rounds)

    def get_part(self, key, name):
        """Of the exponentials that the device could have done in that time,
        with one for each tap; None where the limit is not known."""
        width, height, radius = key
        time = self.times[key].get(name)
        if not self.rate or not time:
            return None
        return (2 * radius + 1) ** 2 * width * height / self.rate / time * 1e3

    def add_claims(self):
        """What is promised, and where a peer that does the same is ahead."""
        for key, times in self.times.items():
            width, height, radius = key
            where = f"kernel, {width}x{height}, radius {radius}"
            if COMPILED in times and self.matches[COMPILED].is_same():
                self.claims.append((f"{where}: time against {COMPILED}",
                                    times[OURS] / times[COMPILED],
                                    COMPILED_TARGET, True))
            if self.rate and radius >= LIMIT_RADIUS \
                    and width * height >= LIMIT_PIXELS:
                self.claims += [
                    (f"{where}, {kind}: part of the exponentials",
                     self.get_part(key, name), LIMIT_TARGET, False)
                    for name, kind in zip((OURS, RGBA), FORMATS)]
            for name, match in self.matches.items():
                own = match.get_own()
                if match.is_same() and name in times \
                        and times[name] < times[own]:
                    self.losses.append(
                        f"{where}: {name} takes {times[name]:.3f} ms, {own} "
                        f"{times[own]:.3f} ms.")

    def describe_peers(self):
        """Which there are, what they do, and which there are not."""
        lines = ["", "Beside it:", ""]
        for name, match in self.matches.items():
            peer = PEERS[name]
            text = f"- {name}: {peer.what}; by {peer.timed}. "
            lines.append(text + describe_match(match))
        lines += [f"- {name} was not there: {reason}."
                  for name, reason in self.absent.items()]
        return lines + [f"- {note}" for note in self.notes]

    def add_table(self, width, height):
        """Of one size, with its chart."""
        size = f"{width}x{height}"
        keys = [(width, height, radius) for radius in self.plan.radii
                if (width, height, radius) in self.times]
        names = [name for name in (*OWN, *PEERS)
                 if any(name in self.times[key] for key in keys)]
        peers = [name for name in names if name in self.matches]
        rows = []
        for key in keys:
            times = self.times[key]
            row = [str(key[2]), *(format_time(times.get(name))
                                  for name in names)]
            row += [format_ratio(times.get(self.matches[name].get_own()),
                                 times.get(name)) for name in peers]
            for name in (OURS, RGBA):
                part = self.get_part(key, name)
                row.append("" if part is None else f"{100 * part:.0f} %")
            rows.append(row)
        self.lines += ["", f"{size}:"]
        self.lines += make_table(
            ["radius", *names,
             *(f"{self.matches[name].get_own()} / {name}" for name in peers),
             "this, of the limit", "RGBA, of the limit"], rows)
        self.write_chart(
            f"gpu-kernels-{height}p", f"One plane on a GPU, {size}", "radius",
            "milliseconds of a frame",
            {radius: str(radius) for radius in self.plan.radii},
            {name: {key[2]: self.times[key][name] for key in keys
                    if name in self.times[key]} for name in names})

    def add_fast(self):
        """The approximation's table."""
        width, height = self.plan.frame
        rows = [(str(sigma), kind, format_time(times["exact"]),
                 format_time(times["fast"]),
                 format_ratio(times["fast"], times["exact"]))
                for (sigma, kind), times in self.fast.items()]
        self.lines += ["", "## The approximation", "",
                       f"`method=fast` against the exact filter, {width}x"
                       f"{height}, radius twice the spatial sigma, "
                       "milliseconds of the kernels:"]
        self.lines += make_table(("spatial sigma", "format", "exact", "fast",
                                  "fast / exact"), rows)

    def run(self):
        """Measures and describes all."""
        say("peers")
        self.workers, self.matches, self.absent = gpukernels.find_workers(
            self.plan.radii, self.peer_folder, self.plan.left_out,
            self.work_folder)
        for name, reason in self.absent.items():
            say(f"{name}: {reason}")
        if ROOFLINE not in self.plan.left_out:
            say("limits")
            self.rate = measure_exponentials(self.glopencl)
        try:
            self.measure()
        except Ended as error:
            self.failures.append(str(error))
        for worker in self.workers.values():
            worker.close()
        self.add_claims()
        self.describe()

    def describe(self):
        """The lines."""
        self.lines += [
            "", "## The kernel", "",
            "Milliseconds of one frame that is where the filter reads it, by "
            "the events of the device around the kernels alone, directly "
            "behind another run: OpenCL's profiling, CUDA's events, "
            "OpenGL's timer queries, or the clock where a renderer has none. "
            "Medians of "
            f"{self.plan.rounds}, taken in turns. One grey plane, spatial "
            "sigma radius / 2, intensity sigma "
            f"{programs.INTENSITY_SIGMA:g}, edges repeated. *This* is the "
            "variant that the element takes, on a buffer, GRAY8, with a square "
            "window; *image*, *disc* and *RGBA* differ in that. Every peer's "
            f"picture of {CHECK_SIZE[0]}x{CHECK_SIZE[1]} was compared with the "
            "filter in float64 for all radii before it was timed; a ratio is "
            "to this project's kernel with the peer's window."]
        self.lines += self.describe_peers()
        if self.rate:
            self.lines += [
                "", f"`glopencl roofline`: {self.rate / 1e12:.2f} * 10^12 "
                "exponentials a second at best. *Of the limit* is the part of "
                "them that a frame needs with one for each tap of the square."]
        for size in self.plan.sizes:
            if any(key[:2] == size for key in self.times):
                self.add_table(*size)
        self.lines += report_failures(self.failures)
        if self.fast:
            self.add_fast()
