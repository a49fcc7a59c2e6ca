#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reads values of a chart from its axes:

chart.py line|log|span CHART.svg ID

prints the name and the value for each name below the chart with a point of a
line. Use log if the vertical axis is logarithmic. With span, prints the lowest
and the highest value of an area.
"""
import re
import sys
import xml.etree.ElementTree

import numpy as np

SVG = "{http://www.w3.org/2000/svg}"


def find_group(root, name):
    """The group that has a name."""
    return root.find(f".//{SVG}g[@id='{name}']")


def find_points(group):
    """The corners of the first line in a group."""
    path = group.find(f"{SVG}path")
    return np.array(re.findall(r"[ML] (\S+) (\S+)", path.get("d")), float)


def find_ticks(root, axis):
    """{name: place} along an axis, left to right or bottom to top."""
    ticks = {}
    while True:
        group = find_group(root, f"{axis}tick_{len(ticks) + 1}")
        if group is None:
            return ticks
        name = group.find(f".//{SVG}text").text
        if axis == "x":
            ticks[name] = float(group.find(f".//{SVG}use").get("x"))
        else:
            ticks[name] = find_points(group.find(f"{SVG}g"))[0][1]


def read_points(root, name, scale):
    """Places from left to right, and scaled values, of the corners."""
    x, y = find_points(find_group(root, name)).T
    ticks = find_ticks(root, "y")
    values = scale(np.array(list(ticks), float))
    # Places count from the top.
    return x, np.interp(-y, [-place for place in ticks.values()], values)


def main():
    """Prints the values."""
    what, chart, name = sys.argv[1:]
    scale, unscale = (np.log, np.exp) if what == "log" else (np.array, np.array)
    root = xml.etree.ElementTree.parse(chart).getroot()
    x, values = read_points(root, name, scale)
    if what == "span":
        print(f"{min(values):.4g},{max(values):.4g}")
        return
    for tick, place in find_ticks(root, "x").items():
        if x[0] - 0.01 <= place <= x[-1] + 0.01:
            print(f"{tick},{unscale(np.interp(place, x, values)):.4g}")


if __name__ == "__main__":
    main()
