#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Plots the output of histogramcsv: plot-histogram.py INPUT.csv OUTPUT.svg TITLE

Draws nested bands of the percentiles of luma over time, their median, and the
means of red, green and blue as thin lines. histogram.sh runs this.
"""
import math
import os
import sys
import warnings

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
import numpy as np

# Lower and upper column of the CSV, colour, name.
BANDS = (("luma_p1", "luma_p99", "#e9e9e9", "1–99 %"),
         ("luma_p10", "luma_p90", "#d5d5d5", "10–90 %"),
         ("luma_p25", "luma_p75", "#bdbdbd", "25–75 %"))
# Column, colour, width, name.
LINES = (("luma_p50", "#000000", 1.65, "median"),
         ("red", "#d62728", 1.05, "mean red"),
         ("green", "#2ca02c", 1.05, "mean green"),
         ("blue", "#1f77b4", 1.05, "mean blue"))
# A video has more frames than a chart can show.
MOST_POINTS = 800


def read_rows(name):
    """Returns the rows that have a time, as an array with named columns."""
    rows = np.atleast_1d(np.genfromtxt(name, delimiter=",", names=True))
    return rows[~np.isnan(rows["time"])]


def thin_out(rows):
    """Returns {column: values}, each the mean of several frames, so that there are
    at most MOST_POINTS. Repeats the last value for the duration of its frame."""
    starts = np.arange(0, len(rows), math.ceil(len(rows) / MOST_POINTS))
    counts = np.diff(starts, append=len(rows))
    means = {column: np.add.reduceat(rows[column], starts) / counts
             for column in rows.dtype.names}
    columns = {column: np.append(values, values[-1])
               for column, values in means.items()}
    columns["time"] = np.append(rows["time"][starts], find_end(rows["time"]))
    return columns


def find_end(times):
    """Returns the end of the last frame, with the mean duration of the others."""
    return times[-1] + ((times[-1] - times[0]) / max(1, len(times) - 1) or 1)


def format_time(seconds, _=None):
    """Formats as h:mm:ss, or as m:ss below an hour."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"


def set_time_axis(axes, start, end):
    """Sets an axis in seconds for short videos, otherwise in hours, minutes and
    seconds."""
    axes.set_xlim(start, end)
    axes.set_xlabel("time in seconds")
    axes.ticklabel_format(axis="x", useOffset=False)
    span = end - start
    if span >= 120:
        steps = [15, 30, 60, 120, 300, 600, 900, 1800]
        hours = 3600 * math.ceil(span / 36000)
        step = next((step for step in steps if span / step <= 10), hours)
        axes.set_xlabel("time")
        axes.xaxis.set_major_locator(MultipleLocator(step))
        axes.xaxis.set_major_formatter(format_time)


def draw(columns, title):
    """Returns the chart as a figure."""
    figure = Figure(figsize=(10, 5))
    axes = figure.add_axes((1 / 15, 7 / 60, 9 / 10, 17 / 24))
    for lower, upper, color, name in BANDS:
        axes.fill_between(columns["time"], columns[lower], columns[upper],
                          facecolor=color, label=name, gid=lower)
    for zorder, (column, color, width, name) in enumerate(LINES):
        axes.plot(columns["time"], columns[column], color=color,
                  linewidth=width, label=name, gid=column, zorder=4 - zorder)
    axes.set_ylim(0, 255)
    axes.set_yticks((0, 64, 128, 192, 255))
    axes.set_ylabel("value")
    axes.grid(axis="y", alpha=0.15)
    set_time_axis(axes, *columns["time"][[0, -1]])
    axes.set_title(title, pad=40)
    axes.text(0, 1.07, "luma:", transform=axes.transAxes)
    axes.legend(loc="center left", bbox_to_anchor=(0.04, 1.082), ncols=7,
                handletextpad=0.6, columnspacing=1.6)
    return figure


def main():
    """Plots the input to the output."""
    source, target, title = sys.argv[1:]
    rows = read_rows(source)
    if not rows.size:
        sys.exit(f"{title}: the frames have no timestamps")
    # A file name may contain invalid characters and line feeds.
    title = "".join(char if char.isprintable() else "\ufffd" for char in title)
    # A viewer has fonts for the missing glyphs.
    warnings.filterwarnings("ignore", "Glyph")
    matplotlib.rc_file(os.path.join(os.path.dirname(__file__),
                                    "charts.mplstyle"))
    figure = draw(thin_out(rows), f"Histograms of {title}")
    figure.savefig(target, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
