# SPDX-License-Identifier: LGPL-2.1-or-later
"""Line charts of measurements, as SVG."""
import math
import os
import re

import matplotlib
from matplotlib.figure import Figure

COLORS = {"this": "#d62728", "this, fast": "#ff7f0e",
          "this, 1 plane": "#8c564b", "OpenCV, planes": "#17becf",
          "OpenCV, CPU": "#1f77b4", "OpenCV, 3 channels": "#1f77b4",
          "OpenCV, 1 channel": "#6baed6", "OpenCV, UMat": "#756bb1",
          "FFmpeg, bilateral": "#2ca02c", "OpenCV": "#1f77b4",
          "serial C": "#7f7f7f", "this, disc": "#ff9896",
          "this, image": "#e377c2", "this, RGBA": "#8c564b",
          "CUDA, compiled": "#2ca02c", "GLSL, compute": "#17becf",
          "glopencldenoise": "#d62728",
          "history=0": "#ff9896",
          "history=4": "#8c564b", "lookahead=2": "#9467bd",
          "glopenclfilter": "#ff7f0e", "hqdn3d": "#2ca02c",
          "nlmeans": "#1f77b4", "fftdnoiz": "#17becf",
          "bm3d": "#7f7f7f", "dfttest2": "#1f77b4", "bm3dcuda": "#2ca02c",
          "nlm-cuda": "#17becf", "KNLMeansCL": "#bcbd22", "NL4D": "#7f7f7f",
          "NPP": "#bcbd22", "CV-CUDA": "#1f77b4",
          "gl-sharing, GLX": "#d62728", "gl-sharing, EGL": "#ff9896",
          "external-memory, EGL": "#ff7f0e", "host-copy, EGL": "#8c564b",
          "external-memory, GLX": "#ffbb78",
          "GLSL in glshader, EGL": "#17becf", "no filter, EGL": "#7f7f7f",
          "no filter, GLX": "#c7c7c7"}
# Between the names of lines, as a part of the height of the axes.
SPACING = 0.05

matplotlib.rc_file(os.path.join(os.path.dirname(__file__), "..", "pipelines",
                                "charts.mplstyle"))


def choose_ticks(low, high):
    """1, 2, 5, 10 ... from below the one to above the other."""
    steps = [factor * 10.0 ** exponent
             for exponent in range(-4, 7) for factor in (1, 2, 5)]
    first = max(step for step in steps if step < low)
    last = min(step for step in steps if step > high)
    return [step for step in steps if first <= step <= last]


class LineChart:
    """Lines over an axis whose ticks are given by name: {value: name}. Both
    axes are logarithmic, so that equal factors are equal distances; decibels
    are logarithms already."""

    def __init__(self, title, axis, unit, ticks):
        self.figure = Figure(figsize=(10, 65 / 12))
        self.axes = self.figure.add_axes((0.08, 0.11, 0.72, 0.78))
        self.axes.set_title(title, pad=14)
        self.axes.set_xlabel(axis)
        self.axes.set_ylabel(unit)
        self.has_decibels = unit == "dB"
        self.axes.set(xscale="log",
                      yscale="linear" if self.has_decibels else "log")
        low, high = min(ticks), max(ticks)
        margin = max(1.01, (high / low) ** 0.03)
        self.axes.set_xlim(low / margin, high * margin)
        self.axes.set_xticks(list(ticks), list(ticks.values()))
        self.series = {}

    def add_series(self, name, points):
        """A line; points are (x, y), both above zero."""
        self.series[name] = points
        self.axes.plot(*zip(*points), color=COLORS[name], linewidth=1.65,
                       marker="o", markersize=5.25,
                       gid=re.sub(r"\W+", "-", name))

    def add_grid(self):
        """Names and lines along the upright axis, the powers of ten darker."""
        values = [y for points in self.series.values() for _, y in points]
        ticks = (list(range(math.floor(min(values)), math.ceil(max(values)) + 1))
                 if self.has_decibels
                 else choose_ticks(min(values), max(values)))
        self.axes.set_ylim(ticks[0], ticks[-1])
        self.axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        self.axes.minorticks_off()
        self.axes.grid(alpha=0.1)
        for tick, line in zip(ticks, self.axes.get_ygridlines()):
            if math.isclose(math.log10(tick) % 1, 0, abs_tol=1e-9):
                line.set_alpha(0.3)

    def add_names(self):
        """Beside where the lines end, none on another or below the axes."""
        to_axes = self.axes.transScale + self.axes.transLimits
        ends = {name: to_axes.transform(points[-1])[1]
                for name, points in self.series.items()}
        highest = 1
        names = sorted(ends, key=ends.get, reverse=True)
        for place, name in enumerate(names, 1):
            y = max(min(ends[name], highest), (len(names) - place) * SPACING)
            highest = y - SPACING
            self.axes.annotate(
                name, self.series[name][-1], (1.035, y),
                textcoords="axes fraction", va="center", color=COLORS[name],
                arrowprops={"arrowstyle": "-", "linestyle": (0, (2, 3)),
                            "linewidth": 0.75, "color": COLORS[name],
                            "relpos": (0, 0.5)})

    def write(self, name):
        """The whole file."""
        self.add_grid()
        self.add_names()
        self.figure.savefig(name, metadata={"Date": None})
