#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Charts what histogramcsv wrote: plot-histogram.py INPUT.csv OUTPUT.svg TITLE

Nested bands of the percentiles of luma over time, their median, and the means
of red, green and blue as thin lines. histogram.sh runs this.
"""
import math
import os
import sys
import warnings

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
import numpy as np

# Columns of the CSV, lower and upper; colour; name.
BANDS = (("luma_p1", "luma_p99", "#e9e9e9", "1–99 %"),
         ("luma_p10", "luma_p90", "#d5d5d5", "10–90 %"),
         ("luma_p25", "luma_p75", "#bdbdbd", "25–75 %"))
# Column; colour; width; name.
LINES = (("luma_p50", "#000000", 1.65, "median"),
         ("red", "#d62728", 1.05, "mean red"),
         ("green", "#2ca02c", 1.05, "mean green"),
         ("blue", "#1f77b4", 1.05, "mean blue"))
# A film has more frames than a chart can show.
MOST_POINTS = 800


def read_rows(name):
    """The rows that have a time, as an array with named columns."""
    rows = np.atleast_1d(np.genfromtxt(name, delimiter=",", names=True))
    return rows[~np.isnan(rows["time"])]


def thin_out(rows):
    """{column: values}, each the mean of so many frames that the chart can show
    them; the last value is there twice, as its frame lasts a while."""
    starts = np.arange(0, len(rows), math.ceil(len(rows) / MOST_POINTS))
    counts = np.diff(starts, append=len(rows))
    means = {column: np.add.reduceat(rows[column], starts) / counts
             for column in rows.dtype.names}
    columns = {column: np.append(values, values[-1])
               for column, values in means.items()}
    columns["time"] = np.append(rows["time"][starts], find_end(rows["time"]))
    return columns


def find_end(times):
    """When the last frame ends, if it lasts as long as the others do."""
    return times[-1] + ((times[-1] - times[0]) / max(1, len(times) - 1) or 1)


def format_time(seconds, _=None):
    """As h:mm:ss, without the hours where there are none."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"


def set_time_axis(axes, start, end):
    """Seconds where the film is short, else hours, minutes and seconds."""
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
    """The chart, a figure."""
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
    """Reads the one file and writes the other."""
    source, target, title = sys.argv[1:]
    rows = read_rows(source)
    if not rows.size:
        sys.exit(f"{title}: its frames have no times")
    # A file's name can have bytes that are no characters, and line feeds.
    title = "".join(char if char.isprintable() else "\ufffd" for char in title)
    # A viewer has fonts for what this one lacks.
    warnings.filterwarnings("ignore", "Glyph")
    matplotlib.rc_file(os.path.join(os.path.dirname(__file__),
                                    "charts.mplstyle"))
    figure = draw(thin_out(rows), f"Histograms of {title}")
    figure.savefig(target, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
