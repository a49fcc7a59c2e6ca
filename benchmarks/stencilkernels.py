# SPDX-License-Identifier: LGPL-2.1-or-later
"""The filters of neighbours alone, in turns with OpenCV's and with plain C, on
one frame that is where they read it."""
import functools
import os
import sys
from typing import NamedTuple

import programs
import stencilfilters
from section import THREADS
from turns import Process, take_turns

OURS, OPENCV, UMAT, SERIAL = "this", "OpenCV", "OpenCV, UMat", "serial C"
# What takes longer, in milliseconds, is not measured.
TOO_SLOW = 3000


class Task(NamedTuple):
    """A filter of frames of a layout."""
    name: str
    radius: int
    layout: str
    width: int
    height: int


class Engines:
    """All that is measured on frames of one size."""

    def __init__(self, glopencl, width, height, left_out=()):
        prefix, environment = programs.limit_threads(THREADS)
        self.ours = Process(
            [*prefix, glopencl, "bench", "--lines", "--sizes",
             f"{width}x{height}"], environment, True)
        self.device = self.ours.greeting.strip()
        self.opencv = {}
        more = {OPENCV: ("opencv", {}),
                UMAT: ("umat", programs.find_opencv_opencl())}
        for name, (engine, variables) in more.items():
            if variables is not None and name not in left_out:
                self.opencv[name] = Process(
                    [*prefix, sys.executable,
                     os.path.join(programs.HERE, "stencilworker.py"), engine,
                     str(THREADS)], dict(environment, **variables), False)

    def ask_ours(self, task, variant):
        """This project's kernels, or its plain C."""
        operation, params = stencilfilters.get_operation(task.name, task.radius)
        layout = "I420" if task.layout == "i420" else "RGBA"
        words = [f"{name}={value}" for name, value in params]
        return self.ours.ask(" ".join(
            [operation, variant, "buffer", f"format={layout}", *words]))

    def ask(self, engine, task):
        """Milliseconds of a frame."""
        if engine == OURS:
            return self.ask_ours(task, "auto")
        if engine == SERIAL:
            return self.ask_ours(task, "serial")
        return self.opencv[engine].ask(" ".join(map(str, task)))

    def list_engines(self, task):
        """Plain C only sharpens, and only packed frames."""
        operation, _ = stencilfilters.get_operation(task.name, task.radius)
        serial = [SERIAL] if (operation, task.layout) == ("sharpen", "packed") \
            else []
        return [OURS, *self.opencv, *serial]

    def is_possible(self, engine, task):
        """Plain C adds up all taps, some 150 million a second."""
        side = 2 * task.radius + 1
        taps = task.width * task.height * side * side
        return engine != SERIAL or taps / 1e6 < TOO_SLOW * 0.3

    def take_turns(self, asks, rounds):
        """{name: median} of {name: (engine, task)}."""
        return take_turns({name: functools.partial(self.ask, *ask)
                           for name, ask in asks.items()}, rounds)

    def measure(self, tasks, rounds, report):
        """{task: {engine: median}}. Rounds are spread over the time that all
        tasks take, as a machine that is shared has slow moments. What is slow
        takes turns by itself, so that threads that wait for it do not fall
        asleep."""
        fast = {(task, name): (name, task)
                for task in tasks for name in (OURS, OPENCV)}
        report(f"{len(fast)} of {OURS} and {OPENCV}")
        found = self.take_turns(fast, rounds)
        for task in tasks:
            report(f"the slow ones: {task.name}, radius {task.radius}")
            found.update(self.take_turns(
                {(task, name): (name, task)
                 for name in self.list_engines(task)
                 if (task, name) not in fast and self.is_possible(name, task)},
                rounds // 7 + 1))
        return {task: {name: time for (other, name), time in found.items()
                       if other == task} for task in tasks}

    def close(self):
        """Ends all."""
        for process in (self.ours, *self.opencv.values()):
            process.close()
