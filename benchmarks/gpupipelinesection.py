# SPDX-License-Identifier: LGPL-2.1-or-later
"""The sections of GPU.md about whole pipelines."""
import contextlib
import os
import statistics
import tempfile

import gpupipelines
import programs
from gpupipelines import DEPTHS, PIPELINES
from process import ProcessError
from section import RADIUS, Section, make_table, report_failures, say

PILOT_FRAMES, LEAST_FRAMES, MOST_FRAMES = 20, 20, 5000
# Up to which a picture is the exact one.
TOLERANCE = 1


def format_time(milliseconds):
    """Microseconds."""
    return f"{1000 * milliseconds:.0f}"


class GpuPipelineSection(Section):
    """Tables and charts of pipelines and of their first frames."""

    def __init__(self, plan, folder, work_folder):
        super().__init__(plan, folder)
        self.work_folder = work_folder
        self.pipelines = []
        self.absent = {}
        self.failures = []
        self.times = {}     # {size: {(pipeline, depth): median}}

    def find_pipelines(self):
        """Those that run here, and do what they are for."""
        interops = programs.find_values("interop")
        for pipeline in PIPELINES:
            if pipeline.interop and pipeline.interop not in interops:
                self.absent[pipeline.name] = (
                    "this build of the element does not have it")
                continue
            if pipeline.platform == "glx" and not os.environ.get("DISPLAY"):
                self.absent[pipeline.name] = "there is no display"
                continue
            try:
                largest = gpupipelines.check(pipeline, self.work_folder)
            except ProcessError as error:
                self.absent[pipeline.name] = str(error)
                continue
            if largest > TOLERANCE:
                self.absent[pipeline.name] = (
                    f"its picture differs by {largest} of 255")
                continue
            self.pipelines.append(pipeline)
        for name, reason in self.absent.items():
            say(f"{name}: {reason}")

    def make_ask(self, pipeline, depth, size):
        """What gives milliseconds of a frame, in a run of as many frames as
        there is time for. Raises ProcessError where it does not run."""
        elements = gpupipelines.get_elements(pipeline, depth)
        environment = gpupipelines.get_environment(pipeline.platform)
        guess = gpupipelines.time_frame(elements, size, PILOT_FRAMES,
                                        environment)
        count = int(self.plan.seconds * 1000 / max(guess, 0.001))
        count = max(LEAST_FRAMES, min(count, MOST_FRAMES))
        return lambda: gpupipelines.time_frame(elements, size, count,
                                               environment)

    def measure(self, size):
        """Fills in the times of a size."""
        what = f"{size[0]}x{size[1]}"
        say(f"pipelines, {what}: how many frames")
        asks = {}
        times = {}
        for pipeline in self.pipelines:
            for depth in DEPTHS if pipeline.interop else (None,):
                key = pipeline.name, depth
                with self.note(key, what):
                    asks[key] = self.make_ask(pipeline, depth, size)
                    times[key] = []
        for number in range(self.plan.rounds):
            say(f"pipelines, {what}: round {number + 1} of {self.plan.rounds}")
            for key, ask in asks.items():
                with self.note(key, what):
                    times[key].append(ask())
        self.times[size] = {key: statistics.median(row)
                            for key, row in times.items() if row}

    @contextlib.contextmanager
    def note(self, *what):
        """Others go on where a pipeline fails."""
        try:
            yield
        except ProcessError as error:
            self.failures.append(", ".join(map(str, what)) + f": {error}")

    def add_table(self, size):
        """Of a size, with its chart."""
        times = self.times[size]
        rows, series = [], {}
        for pipeline in self.pipelines:
            found = {depth: times.get((pipeline.name,
                                       depth if pipeline.interop else None))
                     for depth in DEPTHS}
            rows.append([pipeline.name, *(
                format_time(found[depth])
                if found[depth] and (pipeline.interop or depth == 0) else ""
                for depth in DEPTHS)])
            series[pipeline.name] = {2 ** depth: 1000 * value for depth, value
                                     in found.items() if value}
        what = f"{size[0]}x{size[1]}"
        self.lines += ["", f"{what}, microseconds of a frame:"]
        self.lines += make_table(
            ("pipeline", *(f"`pipeline-depth={depth}`" for depth in DEPTHS)),
            rows)
        # Equal steps on an axis of powers.
        self.write_chart(f"gpu-pipelines-{size[1]}p",
                         f"Pipelines on a GPU, {what}, radius {RADIUS}",
                         "pipeline-depth", "microseconds of a frame",
                         {2 ** depth: str(depth) for depth in DEPTHS}, series)

    def add_pipelines(self):
        """What was measured of frames that flow."""
        element = gpupipelines.get_elements(
            gpupipelines.Pipeline("", None, "", "WAY"), "N")
        command = " ".join(gpupipelines.make_command(
            element, ("WIDTH", "HEIGHT"), "COUNT"))
        self.lines += [
            "", "## The pipeline", "",
            f"`{command}`: by gst-launch-1.0's own clock from playing to the "
            "end of the stream, without the first frame. Of the GLSL shader "
            "and of no filter nothing waits for the GPU but the driver. RGBA; "
            "the element's window is a square, the shader's a disc. Medians "
            f"of {self.plan.rounds}, taken in turns. The "
            "picture of every line was compared with the filter in float64 "
            "before."]
        if self.absent:
            self.lines += [""] + [f"- {name} was not there: {reason}"
                                  for name, reason in self.absent.items()]
        for size, times in self.times.items():
            if times:
                self.add_table(size)

    def measure_first(self):
        """{pipeline: (seconds with an empty cache, with a warm one)}."""
        pipelines = self.pipelines + gpupipelines.get_denoisers(
            self.pipelines[0].platform)
        found = {pipeline.name: ([], []) for pipeline in pipelines}
        for number in range(self.plan.rounds):
            say(f"first frames: round {number + 1} of {self.plan.rounds}")
            for pipeline in pipelines:
                with tempfile.TemporaryDirectory(
                        dir=self.work_folder) as caches:
                    environment = gpupipelines.get_environment(
                        pipeline.platform,
                        {name: caches for name in gpupipelines.CACHES})
                    for row in found[pipeline.name]:
                        with self.note("first frame", pipeline.name):
                            row.append(gpupipelines.time_first_frame(
                                gpupipelines.get_elements(pipeline),
                                self.plan.frame, environment))
        return {name: tuple(map(statistics.median, rows))
                for name, rows in found.items() if all(rows)}

    def add_first(self):
        """What the first frame takes."""
        width, height = self.plan.frame
        self.lines += [
            "", "## The first frame", "",
            "The same pipeline of one frame of "
            f"{width}x{height}: seconds from the start of gst-launch-1.0 until "
            "the frame is in the sink, with empty folders for what drivers "
            "compile (" + ", ".join(f"`{name}`" for name in gpupipelines.CACHES)
            + "), and again with what is in them then. The lines with "
            "glopencldenoise have that element in place of the filter."]
        self.lines += make_table(
            ("pipeline", "empty cache", "warm cache"),
            [(name, *(f"{seconds:.2f}" for seconds in pair))
             for name, pair in self.measure_first().items()])

    def run(self):
        """Measures and describes all."""
        self.find_pipelines()
        if not self.pipelines:
            self.add_absence()
            return
        for size in self.plan.sizes:
            self.measure(size)
        self.add_pipelines()
        self.add_first()
        self.lines += report_failures(self.failures)

    def add_absence(self):
        """Where none runs."""
        self.lines += ["", "## The pipeline", "", "None runs here:", ""]
        self.lines += [f"- {name}: {reason}"
                       for name, reason in self.absent.items()]
