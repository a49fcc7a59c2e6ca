#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times glopenclchain beside the same elements in a row, in turns, and prints
tables:

  benchmarks/chains.py [--size WIDTHxHEIGHT] [--interop NAME] [--depth N]
      [--rounds N] [--gl] [--format FORMAT]

A frame's time is that of a whole pipeline, without that of one that has no
filter. Frames come from host memory or, with --gl, from OpenGL. The plugin is
the one that GStreamer finds, so run it with `meson devenv -C BUILD`; on a
machine with a GPU set GST_GL_PLATFORM and GST_GL_WINDOW."""
import argparse
import os
import re
import statistics
import subprocess
import sys
from typing import NamedTuple

from process import ProcessError

# Operations, each with the element that runs it.
CHAINS = {
    "three cheap operations": [
        ("sharpen radius=1", "glopenclsharpen radius=1"),
        ("gradient", "glopenclgradient"),
        ("sharpen radius=1", "glopenclsharpen radius=1"),
    ],
    "a bilateral filter, a sharpening, a vignette": [
        ("bilateral radius=4 spatial-sigma=2",
         "glopenclfilter radius=4 spatial-sigma=2"),
        ("sharpen radius=2", "glopenclsharpen radius=2"),
        ("kernel location={kernels}/vignette.cl",
         "glopenclkernel location={kernels}/vignette.cl"),
    ],
}
KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir,
                       "kernels", "examples")
LIMIT = 120
# Of the first run, which says how many frames the others have.
PILOT = 20


class Plan(NamedTuple):
    """What is measured, and how. Without an environment, it is this process's
    own."""
    size: tuple
    format: str
    interop: str
    depth: int
    rounds: int
    gl: bool
    seconds: float = 1.0    # of a run
    environment: dict = None


def make_command(elements, plan, frames):
    """gst-launch-1.0 with the elements between a source and a sink."""
    width, height = plan.size
    caps = f"format={plan.format},width={width},height={height}"
    if plan.gl:
        source = (f"gltestsrc num-buffers={frames} ! "
                  f"video/x-raw(memory:GLMemory),{caps}")
        sink = "fakesink sync=false"
    else:
        source = (f"videotestsrc num-buffers=1 ! video/x-raw,{caps} ! "
                  f"imagefreeze num-buffers={frames} ! glupload")
        sink = "gldownload ! fakesink sync=false"
    return ["gst-launch-1.0", "--no-fault", *source.split(), "!", *elements,
            "!", *sink.split()]


def time_frame(elements, plan, frames):
    """Milliseconds of a frame. Raises ProcessError where it fails."""
    result = subprocess.run(make_command(elements, plan, frames),
                            env=plan.environment,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, timeout=LIMIT, check=False)
    found = re.search(r"Execution ended after (\d+):(\d+):([\d.]+)",
                      result.stdout)
    if result.returncode != 0 or not found:
        raise ProcessError(result.stdout)
    hours, minutes, seconds = map(float, found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 / (frames - 1)


def make_pipelines(operations, plan):
    """The elements of each case, by its name."""
    own = [f"interop={plan.interop}", f"pipeline-depth={plan.depth}"]
    texts = [operation.format(kernels=KERNELS) for operation, _ in operations]
    row = []
    for _, element in operations:
        row += [*element.format(kernels=KERNELS).split(), *own, "!"]
    chain = ["glopenclchain", *own]
    single = {f"{text.split()[0]} alone": [*chain, f"operations={text}"]
              for text in texts}
    return {
        "no filter": ["identity"],
        "elements in a row": row[:-1],
        "chain, exact": [*chain, "exact=true",
                         f"operations={' ! '.join(texts)}"],
        "chain": [*chain, f"operations={' ! '.join(texts)}"],
        **single,
    }


def measure(pipelines, plan):
    """The median of each, without that of no filter."""
    frames = {}
    for name, elements in pipelines.items():
        pilot = time_frame(elements, plan, PILOT)
        frames[name] = max(PILOT, min(5000, int(plan.seconds * 1000 / pilot)))
    times = {name: [] for name in pipelines}
    for _ in range(plan.rounds):
        for name, elements in pipelines.items():
            times[name].append(time_frame(elements, plan, frames[name]))
    medians = {name: statistics.median(row) for name, row in times.items()}
    base = medians.pop("no filter")
    return {name: median - base for name, median in medians.items()}


def make_tables(plan):
    """Measures, and returns Markdown lines."""
    lines = []
    for title, operations in CHAINS.items():
        times = measure(make_pipelines(operations, plan), plan)
        row = times["elements in a row"]
        lines += [f"| {title} | ms | of a row |", "| --- | --- | --- |"]
        lines += [f"| {name} | {time:.2f} | {time / row:.2f} |"
                  for name, time in times.items()] + [""]
    return lines[:-1]


def main():
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--format", default="RGBA")
    parser.add_argument("--interop", default="auto")
    parser.add_argument("--depth", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--gl", action="store_true")
    options = parser.parse_args()
    plan = Plan(tuple(map(int, options.size.split("x"))), options.format,
                options.interop, options.depth, options.rounds, options.gl)
    print(f"{plan.size[0]} x {plan.size[1]}, {plan.format}, "
          f"interop={plan.interop}, pipeline-depth={plan.depth}, medians of "
          f"{plan.rounds}\n")
    try:
        print("\n".join(make_tables(plan)))
    except ProcessError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
