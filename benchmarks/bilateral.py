#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures glopenclfilter beside OpenCV, and what the element costs beside its
kernels: bilateral.py GLOPENCL RESULT.md

Everything that is compared is taken in turns in one run, on the same frame and
number of threads; figures are medians. run.sh installs, builds and runs this,
and compare.py puts the result behind its own.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cv2
import gi
import numpy

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

WIDTH, HEIGHT = 1280, 720
ROUNDS = 25
FRAMES = 150
THREADS = len(os.sched_getaffinity(0))


def make_frame():
    """Shapes, a gradient and noise, as BGR."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    frame = numpy.stack([x * 200 // WIDTH, y * 200 // HEIGHT,
                         (x + y) * 200 // (WIDTH + HEIGHT)], axis=-1)
    frame = numpy.ascontiguousarray(frame.astype(numpy.uint8))
    for i in range(40):
        center = (37 * i * 31 % WIDTH, 53 * i * 17 % HEIGHT)
        cv2.circle(frame, center, 20 + i, (i * 6, 255 - i * 5, i * 37 % 256), -1)
    noise = numpy.random.default_rng(1).normal(0, 8, frame.shape)
    return numpy.clip(frame + noise, 0, 255).astype(numpy.uint8)


class KernelTimer:
    """The kernels on the device, through `glopencl bench --lines`."""

    def __init__(self, program, frame):
        rgba = cv2.cvtColor(frame, cv2.COLOR_BGR2RGBA)
        with tempfile.NamedTemporaryFile() as file:
            file.write(rgba.tobytes())
            file.flush()
            self.process = subprocess.Popen(
                [program, "bench", "--lines", "--sizes", f"{WIDTH}x{HEIGHT}",
                 "--frame", file.name],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.device = self.process.stdout.readline().strip()

    def ask(self, line):
        """Milliseconds of the kernels and of copies for one frame."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("glopencl bench ended")
        return sum(map(float, answer.split()))

    def run(self, variant, storage, radius, mode="intensity"):
        """Milliseconds of one frame with a disc window."""
        return self.ask(
            f"bilateral {variant} {storage} radius={radius} "
            f"spatial-sigma={radius / 2:g} window=disc color-mode={mode}")

    def count(self):
        """Milliseconds of one frame's histograms, read-back included."""
        return self.ask("histogram auto buffer")

    def close(self):
        """Ends the program."""
        self.process.stdin.close()
        self.process.wait()


def run_pipeline(elements, pattern="solid-color"):
    """Milliseconds a frame of a pipeline, and of its kernels."""
    pipeline = Gst.parse_launch(
        f"videotestsrc pattern={pattern} num-buffers=1 "
        f"! video/x-raw,format=RGBA,width={WIDTH},height={HEIGHT} "
        f"! imagefreeze num-buffers={FRAMES} ! glupload "
        f"{elements} ! gldownload ! fakesink name=sink signal-handoffs=true")
    times = []
    pipeline.get_by_name("sink").connect(
        "handoff", lambda *_: times.append(time.perf_counter()))
    pipeline.set_state(Gst.State.PLAYING)
    message = pipeline.get_bus().timed_pop_filtered(
        120 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    if not message or message.type == Gst.MessageType.ERROR:
        sys.exit(message.parse_error()[0].message if message else "time-out")
    kernel = 0.0
    element = pipeline.get_by_name("filter")
    if element:
        stats = element.get_property("stats")
        kernel = stats.get_value("kernel-time") / stats.get_value("frames") / 1e6
    pipeline.set_state(Gst.State.NULL)
    # The first frames start GL and OpenCL.
    steady = times[10:]
    return (steady[-1] - steady[0]) / (len(steady) - 1) * 1000, kernel


def measure_element():
    """Medians: a frame without the element, with it, its kernels, the rest."""
    rows = []
    for _ in range(7):
        without, _ = run_pipeline("")
        with_it, kernel = run_pipeline(
            "! glopenclfilter name=filter window=disc qos=false")
        rows.append((without, with_it, kernel, with_it - without - kernel))
    return [statistics.median(column) for column in zip(*rows)]


def report_variants(timer):
    """The kernel variants against each other, as Markdown lines."""
    print("variants ...", file=sys.stderr)
    variants = [("rows", "buffer", "intensity"), ("rows", "image", "intensity"),
                ("rows", "buffer", "per-channel"), ("rows", "buffer", "lab"),
                ("plain", "buffer", "intensity"),
                ("plain", "image", "intensity")]
    times = {variant: [] for variant in variants}
    for _ in range(7):
        for variant, storage, mode in variants:
            times[variant, storage, mode].append(
                timer.run(variant, storage, 4, mode))
    medians = {key: statistics.median(row) for key, row in times.items()}
    factor = (medians["plain", "image", "intensity"]
              / medians["rows", "buffer", "intensity"])
    return [
        "", "## Variants, radius 4", "",
        "| kernel | storage | colour mode | time |",
        "| --- | --- | --- | --- |",
        *(f"| {' | '.join(key)} | {median:.2f} |"
          for key, median in medians.items()), "",
        f"The rows kernel is {factor:.0f} times as fast as the plain image "
        "kernel on the same device."]


def time_calc_hist(rgba, luma):
    """Milliseconds of OpenCV's histograms of the four channels."""
    start = time.perf_counter()
    for channel in range(3):
        cv2.calcHist([rgba], [channel], None, [256], [0, 256])
    cv2.calcHist([luma], [0], None, [256], [0, 256])
    return (time.perf_counter() - start) * 1000


def report_histogram(program, frame):
    """The histograms against OpenCV's, as Markdown lines."""
    print("histogram ...", file=sys.stderr)
    frames = {"shapes and noise": frame,
              "random": numpy.random.default_rng(1).integers(
                  0, 256, frame.shape, dtype=numpy.uint8),
              "one colour": numpy.full_like(frame, (60, 120, 180))}
    lines = [
        "", "## Histograms against OpenCV", "",
        "Red, green, blue and luma, 256 bins each, read-back included, against "
        "four times `calcHist`; OpenCV is given its luma ready-made.", "",
        "| frame | this | OpenCV | ratio |", "| --- | --- | --- | --- |"]
    for name, image in frames.items():
        timer = KernelTimer(program, image)
        rgba = cv2.cvtColor(image, cv2.COLOR_BGR2RGBA)
        luma = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        rows = [[], []]
        for _ in range(3 * ROUNDS):
            rows[0].append(timer.count())
            rows[1].append(time_calc_hist(rgba, luma))
        timer.close()
        ours, theirs = map(statistics.median, rows)
        lines.append(f"| {name} | {ours:.2f} | {theirs:.2f} | "
                     f"{ours / theirs:.2f} |")
    return lines


def report_emission():
    """What emitting histograms adds to a frame, as Markdown lines."""
    print("emission ...", file=sys.stderr)
    settings = ["", "histogram-emission=messages", "histogram-emission=meta",
                "histogram-overlay=true"]
    patterns = ["smpte", "snow"]
    times = {(pattern, setting): [] for pattern in patterns
             for setting in settings}
    for _ in range(7):
        for pattern, setting in times:
            frame, _ = run_pipeline(
                f"! glopenclfilter name=filter qos=false {setting}", pattern)
            times[pattern, setting].append(frame)
    lines = [
        "", "## Histograms in the element", "",
        "`videotestsrc ! imagefreeze ! glupload ! glopenclfilter ! gldownload ! "
        "fakesink`, radius 4, square window: a frame of the pipeline.", "",
        "| pattern | settings | time | more |", "| --- | --- | --- | --- |"]
    for (pattern, setting), row in times.items():
        median = statistics.median(row)
        without = statistics.median(times[pattern, ""])
        lines.append(f"| {pattern} | {setting or 'none'} | {median:.2f} | "
                     f"{median / without - 1:.1%} |")
    return lines


def report_element():
    """What the element costs beside its kernels, as Markdown lines."""
    print("element ...", file=sys.stderr)
    without, with_it, kernel, rest = measure_element()
    return [
        "", "## The element beside its kernels", "",
        "`videotestsrc ! imagefreeze ! glupload ! glopenclfilter ! gldownload ! "
        "fakesink`, radius 4:", "",
        "| pipeline without it | with it | kernels | the rest |",
        "| --- | --- | --- | --- |",
        f"| {without:.2f} | {with_it:.2f} | {kernel:.2f} | {rest:.2f} |"]


def main():
    """Writes the sections into the file named by the second argument."""
    program, path = sys.argv[1:]
    cv2.setNumThreads(THREADS)
    Gst.init(None)
    frame = make_frame()
    timer = KernelTimer(program, frame)
    lines = report_variants(timer)
    timer.close()
    lines += report_histogram(program, frame)
    lines += report_element()
    lines += report_emission()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
