# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the sections of RESULTS.md have in common."""
import os
import sys
import time
from typing import NamedTuple

import charts
import machine
import programs

THREADS = len(programs.CPUS)
RADIUS = 4


class Plan(NamedTuple):
    """How much is measured."""
    name: str
    rounds: int
    seconds: float          # of a run of a program
    frame: tuple            # width and height
    sizes: tuple
    radii: tuple            # of the kernels
    program_radii: tuple
    fast_sigmas: tuple = (5, 8, 12, 16)
    left_out: tuple = ()    # of the kernels' engines
    cycles: int = 0         # of starts and stops


def add_plans(parser, plans):
    """Options for other plans than the full one."""
    kind = parser.add_mutually_exclusive_group()
    for name in ("quick", "smoke"):
        kind.add_argument(f"--{name}", action="store_const", dest="plan",
                          const=plans[name])
    parser.set_defaults(plan=plans["full"])


def say(text):
    """Progress."""
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


def count_threads(threads):
    """The number with its unit."""
    return f"{threads} thread" + "s" * (threads > 1)


def list_threads():
    """1, 2, 4 ... and all."""
    powers = [2 ** exponent for exponent in range(10)]
    return [count for count in powers if count < THREADS] + [THREADS]


def make_table(titles, rows):
    """Markdown lines."""
    lines = ["", "| " + " | ".join(titles) + " |",
             "| " + " | ".join("---" for _ in titles) + " |"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def format_ratio(value, other):
    """A quotient, empty where a figure is missing."""
    return f"{value / other:.2f}" if value and other else ""


def format_psnr(value):
    """Decibels."""
    return "the same" if value == float("inf") else f"{value:.1f} dB"


def summarize(claims, losses):
    """What is promised, and where others are ahead."""
    lines = ["", "## In short"]
    lines += make_table(
        ("what", "measured", "promised", ""),
        [(what, f"{value:.2f}",
          f"at {'most' if below else 'least'} {target:g}",
          "kept" if (value <= target if below else value >= target)
          else "**not kept**")
         for what, value, target, below in claims])
    lines += ["", "Where this project is behind:", ""]
    lines += [f"- {loss}" for loss in losses or ["nowhere"]]
    return lines


def report_failures(failures):
    """Markdown lines of what broke off."""
    return [line for failure in failures
            for line in ("", f"**This broke off: {failure}**")]


TURNS = ("What is compared was taken in turns in one run, on the same frames "
         "with the same threads; figures are medians, ratios those of medians.")


def write_document(path, title, plan, seconds, sections,
                   script="benchmarks/run.sh", about=None, how=TURNS):
    """What is measured by a script, as Markdown; how it was taken. If nothing
    else is said about the machine, the device is that of the first section."""
    command = script + ("" if plan.name == "full" else f" --{plan.name}")
    lines = [f"# {title}, measured beside their peers", "",
             f"Made by `{command}`; this part took {seconds / 60:.0f} minutes. "
             f"{how}"]
    if plan.name != "full":
        lines += ["", "**This is a shortened run: its figures are rough.**"]
    lines += ["", *(about or machine.describe(sections[0].device)),
              *summarize([claim for section in sections
                          for claim in section.claims],
                         [loss for section in sections
                          for loss in section.losses])]
    for section in sections:
        lines += section.lines
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    say(f"wrote {path}")


class Section:
    """Markdown lines and charts in a folder; what is promised, as (text, value,
    target, whether it is to be below); and where others are ahead."""

    def __init__(self, plan, folder):
        self.plan = plan
        self.folder = folder
        self.lines = []
        self.claims = []
        self.losses = []

    def get_work(self, **more):
        """The work that is measured if nothing else is said."""
        width, height = self.plan.frame
        return programs.Work(width, height, RADIUS,
                             THREADS)._replace(**more)

    def get_size_ticks(self):
        """{pixels: name}."""
        return {width * height: f"{width}x{height}"
                for width, height in self.plan.sizes}

    def write_chart(self, name, title, axis, unit, ticks, series):
        """An SVG, and what shows it; series are {name: {x: y}}."""
        chart = charts.LineChart(title, axis, unit, ticks)
        for label, points in series.items():
            if points:
                chart.add_series(label, sorted(points.items()))
        chart.write(os.path.join(self.folder, f"{name}.svg"))
        self.lines += ["", f"![{title}]({name}.svg)"]
