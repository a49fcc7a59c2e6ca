#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what `glopencl tune --trials TRIALS.csv` has measured, as published work
shows it: the time of each configuration, in the order of the configurations:

    tuning.py TRIALS.csv CHART.svg

There is a panel for each case. The line is the default settings' time; what
could not be used is a cross below.
"""
import csv
import math
import os
import sys

import matplotlib
from matplotlib.figure import Figure

COLUMNS = 2
WIDTH, HEIGHT = 10, 2.6     # inches, of a row of panels
# What the other columns say of a case.
TRIAL = ("number", "settings", "min_ms", "note")

matplotlib.rc_file(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "pipelines", "charts.mplstyle"))


def parse_settings(text):
    """Numbers by which configurations are in order."""
    return tuple(int(part.partition("=")[2]) for part in text.split(",")
                 if part)


def read_cases(path):
    """{case: rows}, in the order of the file."""
    cases = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = tuple((name, value) for name, value in row.items()
                        if name not in TRIAL and value)
            cases.setdefault(key, []).append(row)
    return cases


def make_title(case):
    """A line."""
    known = dict(case)
    start = "{operation} {variant}, {format} in {storage}, {width}x{height}"
    more = [f"{name} {value}" for name, value in case
            if name not in ("device", "operation", "variant", "format",
                            "storage", "width", "height")]
    return ", ".join([start.format(**known), *more])


def draw(axes, case, rows):
    """A panel."""
    default = float(rows[0]["min_ms"])
    rows = sorted(rows, key=lambda row: parse_settings(row["settings"]))
    points = [(place, float(row["min_ms"])) for place, row in enumerate(rows)
              if row["min_ms"] and not row["note"]]
    rejected = [place for place, row in enumerate(rows) if row["note"]]
    axes.set_title(make_title(case), fontsize=8)
    axes.set_ylabel("ms")
    axes.axhline(default, color="#7f7f7f", linewidth=0.75)
    axes.plot(*zip(*points), color="#d62728", marker="o", markersize=3,
              linewidth=0.75, gid="measured")
    low = min(time for _, time in points)
    axes.plot(rejected, [low * 0.9] * len(rejected), "x", color="#1f77b4",
              markersize=4, gid="rejected")
    axes.set_ylim(bottom=low * 0.8)
    axes.set_xticks([])


def main():
    """Reads and draws."""
    if len(sys.argv) != 3:
        sys.exit("usage: tuning.py TRIALS.csv CHART.svg")
    cases = read_cases(sys.argv[1])
    if not cases:
        sys.exit(f"{sys.argv[1]} has no configurations")
    lines = math.ceil(len(cases) / COLUMNS)
    figure = Figure(figsize=(WIDTH, HEIGHT * lines), layout="tight")
    for place, (case, rows) in enumerate(cases.items(), 1):
        draw(figure.add_subplot(lines, COLUMNS, place), case, rows)
    figure.savefig(sys.argv[2], metadata={"Date": None})


if __name__ == "__main__":
    main()
