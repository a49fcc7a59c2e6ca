# SPDX-License-Identifier: LGPL-2.1-or-later
"""The filters alone, on one frame that is where they read it."""
import os
import statistics
import subprocess
import sys
from typing import NamedTuple

import programs

# What takes longer than this is not measured at what costs even more.
LONGEST = 1500
OURS = "this"
FAST = "this, fast"
PLANE = "this, 1 plane"
THREE_CHANNELS = "OpenCV, 3 channels"
ONE_CHANNEL = "OpenCV, 1 channel"
UMAT = "OpenCV, UMat"


class Point(NamedTuple):
    """A place on a curve."""
    x: float
    width: int
    height: int
    radius: int


class Engine(NamedTuple):
    """What is timed: kernelworker.py's arguments."""
    name: str
    channels: int
    method: str = ""


class Worker:
    """A kernelworker.py with so many threads."""

    def __init__(self, name, threads, more=None):
        prefix, environment = programs.limit_threads(threads)
        self.process = subprocess.Popen(
            [*prefix, sys.executable, os.path.join(
                programs.HERE, "kernelworker.py"), name, str(threads)],
            env=dict(environment, **(more or {})), text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.device = self.process.stdout.readline().strip()

    def run(self, point, engine):
        """Milliseconds of a frame."""
        self.process.stdin.write(
            f"{point.width} {point.height} {point.radius} {engine.channels} "
            f"{engine.method}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"kernelworker.py {engine.name} ended")
        return float(line)

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(30)


def list_engines():
    """The engines that this machine has: {what to call it: engine}."""
    methods = programs.find_method()
    exact = "exact" if "exact" in methods else ""
    found = {OURS: Engine("glopenclfilter", 3, exact),
             PLANE: Engine("glopenclfilter", 1, exact)}
    if "fast" in methods:
        found[FAST] = Engine("glopenclfilter", 3, "fast")
    found[THREE_CHANNELS] = Engine("opencv", 3)
    found[ONE_CHANNEL] = Engine("opencv", 1)
    if programs.find_opencv_opencl() is not None:
        found[UMAT] = Engine("umat", 3)
    return found


class Kernels:
    """Workers for a number of threads, and what they are asked."""

    def __init__(self, engines, threads):
        self.engines = engines
        self.workers = {
            engine.name: None for engine in engines.values()}
        for name in self.workers:
            more = programs.find_opencv_opencl() if name == "umat" else None
            self.workers[name] = Worker(name, threads, more)

    def run(self, key, point):
        """Milliseconds of a frame."""
        engine = self.engines[key]
        return self.workers[engine.name].run(point, engine)

    def measure(self, point, rounds, left_out=()):
        """{engine: median of a frame}, taken in turns; the first is warm-up."""
        warm = {key: self.run(key, point) for key, engine
                in self.engines.items() if key not in left_out and (
                    engine.method != "fast"
                    or point.radius >= programs.FAST_RADIUS)}
        times = {key: [] for key in warm}
        for number in range(rounds):
            for key in times:
                if warm[key] < LONGEST or number < 2:
                    times[key].append(self.run(key, point))
        return {key: statistics.median(row) for key, row in times.items()}

    def measure_curve(self, points, rounds, report):
        """{point: {engine: median}}, from what costs least to the most."""
        curve, left_out = {}, set()
        for point in points:
            report(f"kernels, {point.width}x{point.height}, "
                   f"radius {point.radius}")
            curve[point] = self.measure(point, rounds, left_out)
            left_out |= {key for key, time in curve[point].items()
                         if time > LONGEST}
        return curve

    def close(self):
        """Ends the workers."""
        for worker in self.workers.values():
            worker.close()
