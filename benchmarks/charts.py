# SPDX-License-Identifier: LGPL-2.1-or-later
"""Line charts of measurements, as SVG."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "pipelines"))
from svgdrawing import Drawing  # noqa: E402

WIDTH, HEIGHT = 960, 520
LEFT, RIGHT, TOP, BOTTOM = 76, 210, 58, 58
COLORS = {"this": "#d62728", "this, fast": "#ff7f0e",
          "this, 1 plane": "#8c564b", "OpenCV, planes": "#17becf",
          "OpenCV, CPU": "#1f77b4", "OpenCV, 3 channels": "#1f77b4",
          "OpenCV, 1 channel": "#6baed6", "OpenCV, UMat": "#756bb1",
          "FFmpeg, bilateral": "#2ca02c"}
GRID = 'stroke="#000000" stroke-opacity="{}"'


def choose_ticks(low, high):
    """1, 2, 5, 10 ... from below the one to above the other."""
    steps = [factor * 10.0 ** exponent
             for exponent in range(-4, 7) for factor in (1, 2, 5)]
    first = max(step for step in steps if step <= low)
    last = min(step for step in steps if step >= high)
    return [step for step in steps if first <= step <= last]


class LineChart(Drawing):
    """Lines over an axis whose ticks are given by name: {value: name}. Both
    axes are logarithmic, so that equal factors are equal distances."""

    def __init__(self, title, axis, unit, ticks):
        super().__init__(WIDTH, HEIGHT, LEFT, title)
        self.axis, self.unit, self.ticks = axis, unit, ticks
        self.series = []

    def add_series(self, name, points):
        """A line; points are (x, y), both above zero."""
        self.series.append((name, points))

    def find_scale(self):
        """The values along the upright axis."""
        values = [y for _, points in self.series for _, y in points]
        return choose_ticks(min(values), max(values))

    def get_x(self, value):
        """Where a value is, from left to right."""
        low, high = math.log(min(self.ticks)), math.log(max(self.ticks))
        part = (math.log(value) - low) / (high - low) if high > low else 0.5
        return LEFT + 20 + part * (WIDTH - LEFT - RIGHT - 40)

    @staticmethod
    def get_y(value, scale):
        """Where a value is, from bottom to top."""
        low, high = math.log(scale[0]), math.log(scale[-1])
        part = (math.log(value) - low) / (high - low) if high > low else 0.5
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    def add_axes(self, scale):
        """The grid and its names."""
        right, foot = WIDTH - RIGHT, HEIGHT - BOTTOM
        for value in scale:
            y = self.get_y(value, scale)
            power = math.isclose(math.log10(value) % 1, 0, abs_tol=1e-9)
            self.add_line(LEFT, y, right, y, GRID.format(.3 if power else .1))
            self.add_text(LEFT - 8, y + 4.5, f"{value:g}", "end")
        for value, name in self.ticks.items():
            x = self.get_x(value)
            self.add_line(x, TOP, x, foot + 5, GRID.format(.1))
            self.add_text(x, foot + 20, name, "middle")
        middle = (TOP + foot) / 2
        self.add_text(20, middle, self.unit, "middle",
                      f'transform="rotate(-90 20 {middle:.1f})"')
        self.add_text((LEFT + right) / 2, HEIGHT - 14, self.axis, "middle")

    def add_lines(self, scale):
        """The lines, and their names beside where they end."""
        ends = []
        for name, points in self.series:
            color = COLORS[name]
            places = [(self.get_x(x), self.get_y(y, scale)) for x, y in points]
            self.add_polyline(places, color, 2.2)
            for x, y in places:
                self.pieces.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" '
                                   f'fill="{color}"/>')
            ends.append((places[-1][1], places[-1], name, color))
        lowest = TOP
        for y, place, name, color in sorted(ends):
            y = max(y, lowest)
            lowest = y + 20
            x = WIDTH - RIGHT + 24
            self.add_line(*place, x - 4, y,
                          f'stroke="{color}" stroke-dasharray="2 3"')
            self.add_text(x, y + 4.5, name, "start", f'fill="{color}"')

    def get_svg(self):
        """The whole file."""
        scale = self.find_scale()
        self.add_axes(scale)
        self.add_lines(scale)
        return super().get_svg()
