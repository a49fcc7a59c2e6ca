#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Charts what histogramcsv wrote: plot-histogram.py INPUT.csv OUTPUT.svg TITLE

Nested bands of the percentiles of luma over time, their median, and the means
of red, green and blue as thin lines. histogram.sh runs this.
"""
import csv
import itertools
import math
import sys

from svgdrawing import Drawing

WIDTH, HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 64, 32, 84, 56
VALUES = (0, 64, 128, 192, 255)
# Columns of the CSV, lower and upper; colour; name.
BANDS = (("luma_p1", "luma_p99", "#e9e9e9", "1–99 %"),
         ("luma_p10", "luma_p90", "#d5d5d5", "10–90 %"),
         ("luma_p25", "luma_p75", "#bdbdbd", "25–75 %"))
# Column; colour; width; name.
LINES = (("luma_p50", "#000000", 2.2, "median"),
         ("red", "#d62728", 1.4, "mean red"),
         ("green", "#2ca02c", 1.4, "mean green"),
         ("blue", "#1f77b4", 1.4, "mean blue"))


def read_rows(name):
    """The rows that have a time, as dictionaries of floats."""
    with open(name, newline="", encoding="ascii") as file:
        return [{column: float(text) for column, text in row.items()}
                for row in csv.DictReader(file) if row["time"]]


def extend(rows):
    """Lets the last frame last as long as the others do."""
    first, last = rows[0]["time"], rows[-1]["time"]
    span = (last - first) / (len(rows) - 1) if last > first else 1.0
    return rows + [dict(rows[-1], time=last + span)]


def thin_out(rows):
    """Means of the rows that share a pixel: a long film has too many."""
    first, last = rows[0]["time"], rows[-1]["time"]
    pixels = WIDTH - LEFT - RIGHT

    def pixel(row):
        return int((row["time"] - first) / (last - first) * pixels)

    groups = (list(group) for _, group in itertools.groupby(rows, pixel))
    return [{column: group[0][column] if column == "time"
             else sum(row[column] for row in group) / len(group)
             for column in group[0]} for group in groups]


def choose_step(span):
    """Seconds between the numbers of the time axis, at most ten of them."""
    powers = [f * 10.0 ** e for e in range(-6, 1) for f in (1, 2, 5)]
    for step in powers + [10, 15, 30, 60, 120, 300, 600, 900, 1800]:
        if span / step <= 10:
            return step
    return 3600 * math.ceil(span / 36000)


def format_time(seconds, step, span):
    """As seconds where the film is short, else as h:mm:ss."""
    if span < 120:
        digits = max(0, -math.floor(math.log10(step)))
        return f"{seconds:.{digits}f}"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"


class Chart(Drawing):
    """The percentiles and means over a span of time."""

    def __init__(self, rows, title):
        super().__init__(WIDTH, HEIGHT, LEFT, title)
        self.rows = rows
        self.start = rows[0]["time"]
        self.span = rows[-1]["time"] - self.start

    def get_x(self, seconds):
        """Where a time is."""
        return LEFT + (seconds - self.start) / self.span * (WIDTH - LEFT - RIGHT)

    @staticmethod
    def get_y(value):
        """Where a value of a pixel is."""
        return HEIGHT - BOTTOM - value / 255 * (HEIGHT - TOP - BOTTOM)

    def get_points(self, column, rows):
        """The coordinates of a column."""
        return [(self.get_x(row["time"]), self.get_y(row[column]))
                for row in rows]

    def add_data(self):
        """The bands and the lines."""
        for lower, upper, color, _ in BANDS:
            self.add_polygon(self.get_points(upper, self.rows)
                             + self.get_points(lower, self.rows[::-1]), color)
        for column, color, width, _ in reversed(LINES):
            self.add_polyline(self.get_points(column, self.rows), color, width)

    def add_axes(self):
        """Values from bottom to top, seconds from left to right."""
        for value in VALUES:
            y = self.get_y(value)
            self.add_line(LEFT, y, WIDTH - RIGHT, y,
                          'stroke="#000000" stroke-opacity="0.15"')
            self.add_text(LEFT - 8, y + 4.5, str(value), "end")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.add_text(18, middle, "value", "middle",
                      f'transform="rotate(-90 18 {middle:.1f})"')

        step = choose_step(self.span)
        foot = HEIGHT - BOTTOM
        tick = math.ceil(self.start / step)
        while tick * step <= self.start + self.span:
            x = self.get_x(tick * step)
            self.add_line(x, foot, x, foot + 5, 'stroke="#333333"')
            self.add_text(x, foot + 20,
                          format_time(tick * step, step, self.span), "middle")
            tick += 1
        unit = "time in seconds" if self.span < 120 else "time"
        self.add_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, unit, "middle")

    def add_legend(self):
        """What the colours are, in a row under the title."""
        x, y = LEFT, 60
        self.add_text(x, y, "luma:", "start")
        x += 48
        for _, _, color, name in BANDS:
            self.pieces.append(f'<rect x="{x}" y="{y - 12}" width="22" '
                               f'height="14" fill="{color}"/>')
            self.add_text(x + 28, y, name, "start")
            x += 104
        for _, color, width, name in LINES:
            self.add_line(x, y - 5, x + 22, y - 5,
                          f'stroke="{color}" stroke-width="{width}"')
            self.add_text(x + 28, y, name, "start")
            x += 124

    def get_svg(self):
        """The whole file."""
        self.add_data()
        self.add_axes()
        self.add_legend()
        return super().get_svg()


def main():
    """Reads the one file and writes the other."""
    source, target, title = sys.argv[1:]
    rows = read_rows(source)
    if not rows:
        sys.exit(f"{title}: its frames have no times")
    chart = Chart(thin_out(extend(rows)), f"Histograms of {title}")
    # A file's name can have bytes that are no characters.
    with open(target, "w", encoding="utf-8", errors="replace") as file:
        file.write(chart.get_svg())


if __name__ == "__main__":
    main()
