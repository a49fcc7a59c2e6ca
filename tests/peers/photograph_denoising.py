# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares how well filters take noise out of a photograph, each at its best.

Usage: python3 photograph_denoising.py OPERATION_TOOL PHOTOGRAPH
           [--quick] [--chart FILE.svg] [--table FILE.md]

Red, green and blue of a clean photograph get Gaussian noise. For each strength
of it, the parameters of the bilateral and of the multiresolution filter are
searched that come closest to the clean photograph: over a few starts first,
then up and down along one sigma after the other. With --quick only there where
the whole search finds the best for photograph.png.

Exit status: 0, 1 if the multiresolution filter does not have the higher PSNR
at every strength, 77 if OpenCV is not installed.
"""

import argparse
import concurrent.futures
import itertools
import math
import os
import subprocess
import sys
from typing import NamedTuple

try:
    import cv2
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# Sigma of the noise, in levels.
NOISES = (10, 20, 40)

# Start of the search for the bilateral filter: a grid, whose best point is
# refined with every radius. Intensity sigmas are in sigmas of the noise.
SINGLE_SPATIAL_SIGMAS = (1, 1.25, 1.5, 2, 2.5, 3, 4)
SINGLE_INTENSITY_SIGMAS = (0.7, 1, 1.4, 2, 2.8, 4, 5.6)

# Start of the search for the multiresolution filter, with every color mode and
# number of levels. The best one is refined with every radius. Intensity sigmas
# are those of the bands, finest first, in sigmas of the noise: coarse bands
# have less of it.
MULTI_SPATIAL_SIGMA = 1.5
MULTI_INTENSITY_SIGMAS = (1.4, 0.35, 0.12, 0.04, 0.01, 0.003)
MULTI_RADIUS = 2


class Scope(NamedTuple):
    """Parameters that are tried besides sigmas."""
    noises: tuple
    color_modes: tuple
    single_radii: tuple
    levels: tuple
    multi_radii: tuple


WHOLE = Scope(NOISES, ("intensity", "per-channel"), (-1, 2, 3, 4, 5),
              (1, 2, 3, 4, 5), (1, 2, 3, 4))
QUICK = Scope((10, 40), ("intensity",), (4, 5), (1,), (3, 4))

# Factor of the sigmas while the gain is at least this many dB.
COARSE_STEPS = {2 ** 0.5: 0.01}
FINE_STEPS = {2 ** 0.25: 0.005, 2 ** 0.125: 0.001}

NOISY = "noisy"
SINGLE = "bilateral"
MULTI = "multiresolution"
COLORS = {NOISY: "#7f7f7f", SINGLE: "#1f77b4", MULTI: "#d62728"}
# Between the names of lines, as a part of the height of the axes.
SPACING = 0.05

SEED = 20261120


def get_psnr(a, b):
    """In dB."""
    square = numpy.mean((a.astype(float) - b) ** 2)
    return 10 * math.log10(255 ** 2 / square) if square else math.inf


def add_noise(photograph, noise):
    """Of bytes, to bytes."""
    generator = numpy.random.default_rng([SEED, noise])
    noisy = photograph + generator.normal(0, noise, photograph.shape)
    return numpy.clip(numpy.rint(noisy), 0, 255).astype(numpy.uint8)


def run_tool(tool, frame, operation, variant, *settings):
    """Red, green and blue of a filtered RGBA frame."""
    height, width = frame.shape[:2]
    result = subprocess.run(
        [tool, str(width), str(height), "RGBA", "buffer", operation, variant,
         *settings],
        input=frame.tobytes(), stdout=subprocess.PIPE, check=True)
    return numpy.frombuffer(result.stdout, numpy.uint8).reshape(
        frame.shape)[..., :3]


class Case:
    """A photograph with noise."""

    def __init__(self, tool, photograph, noise):
        self.tool = tool
        self.photograph = photograph
        self.noise = noise
        noisy = add_noise(photograph, noise)
        self.psnr = get_psnr(noisy, photograph)
        self.frame = cv2.cvtColor(noisy, cv2.COLOR_RGB2RGBA)
        self.known = {}

    def measure(self, *settings):
        """Returns the PSNR of the output of the tool."""
        if settings not in self.known:
            operation, *values = settings
            self.known[settings] = get_psnr(
                run_tool(self.tool, self.frame, operation, "auto", *values),
                self.photograph)
        return self.known[settings]


class Search(NamedTuple):
    """A filter without its sigmas. The bilateral filter has no levels."""
    color_mode: str
    radius: int
    levels: int = 0

    @property
    def name(self):
        """That of the operation."""
        return MULTI if self.levels else SINGLE

    def format(self, sigmas):
        """As the tool and pipelines take it. Sigmas are the spatial one and the
        intensity one, or those of all bands."""
        spatial, *intensity = (f"{sigma:.3g}" for sigma in sigmas)
        rest = [f"radius={self.radius}", f"color-mode={self.color_mode}"]
        if not self.levels:
            return [f"spatial-sigma={spatial}",
                    f"intensity-sigma={intensity[0]}", *rest]
        return [f"levels={self.levels}", f"spatial-sigma={spatial}",
                f"intensity-sigmas=<{','.join(intensity)}>", *rest]


class Result(NamedTuple):
    """A filter with sigmas, and the PSNR they have."""
    search: Search
    sigmas: tuple
    psnr: float

    def __str__(self):
        return " ".join(self.search.format(self.sigmas))


def get_best(results):
    """The first of the best."""
    return max(results, key=lambda result: result.psnr)


def measure(case, search, sigmas):
    """A Result, of the bilateral filter by the exact method, so that no
    approximation holds it back."""
    method = [] if search.levels else ["method=exact"]
    return Result(search, sigmas, case.measure(
        search.name, *search.format(sigmas), *method))


def find_step(best, case, place, step, gain):
    """A Result with another sigma at place that is better by more than gain,
    or the same Result."""
    for factor in (step, 1 / step):
        sigmas = list(best.sigmas)
        sigmas[place] *= factor
        result = measure(case, best.search, sigmas)
        if result.psnr > best.psnr + gain:
            return result
    return best


def descend(case, search, sigmas, steps):
    """The Result that no step along a single sigma makes better."""
    best = measure(case, search, sigmas)
    for step, gain in steps.items():
        # Steps since the last that helped: as many as there are sigmas is all.
        n_vain = 0
        for place in itertools.cycle(range(len(sigmas))):
            result = find_step(best, case, place, step, gain)
            n_vain = n_vain + 1 if result is best else 0
            best = result
            if n_vain == len(sigmas):
                break
    return best


def refine(pool, case, start, radii):
    """The best Result with these radii."""
    return get_best(pool.map(
        lambda radius: descend(case, start.search._replace(radius=radius),
                               start.sigmas, FINE_STEPS), radii))


def search_single(pool, case, scope):
    """The best Result, with its color mode and its radius."""
    grid = [(spatial, intensity * case.noise / 255)
            for spatial, intensity in itertools.product(
                SINGLE_SPATIAL_SIGMAS, SINGLE_INTENSITY_SIGMAS)]
    start = get_best(pool.map(
        lambda choice: measure(case, Search(choice[0], -1), choice[1]),
        itertools.product(scope.color_modes, grid)))
    return refine(pool, case, start, scope.single_radii)


def search_multi(pool, case, scope):
    """The best Result, with its color mode, its levels and its radius."""
    def descend_coarsely(choice):
        color_mode, levels = choice
        bands = MULTI_INTENSITY_SIGMAS[:levels + 1]
        sigmas = [MULTI_SPATIAL_SIGMA,
                  *(sigma * case.noise / 255 for sigma in bands)]
        return descend(case, Search(color_mode, MULTI_RADIUS, levels), sigmas,
                       COARSE_STEPS)

    start = get_best(pool.map(
        descend_coarsely,
        itertools.product(scope.color_modes, scope.levels)))
    return refine(pool, case, start, scope.multi_radii)


def write_table(name, rows):
    """In Markdown."""
    lines = ["| noise | noisy | filter | PSNR | parameters |",
             "| --- | --- | --- | --- | --- |"]
    for case, *results in rows:
        lines += [f"| {case.noise} | {case.psnr:.2f} dB "
                  f"| {result.search.name} | {result.psnr:.2f} dB "
                  f"| `{result}` |" for result in results]
    with open(name, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def add_names(axes, series):
    """Beside where the lines end, none on another."""
    to_axes = axes.transScale + axes.transLimits
    highest = 1
    for name in sorted(series, key=lambda name: -series[name][-1]):
        end = (NOISES[-1], series[name][-1])
        y = min(to_axes.transform(end)[1], highest)
        highest = y - SPACING
        axes.annotate(
            name, end, (1.035, y), textcoords="axes fraction", va="center",
            color=COLORS[name],
            arrowprops={"arrowstyle": "-", "linestyle": (0, (2, 3)),
                        "linewidth": 0.75, "color": COLORS[name],
                        "relpos": (0, 0.5)})


def write_chart(name, rows):
    """As SVG."""
    # Most runs have no chart.
    # pylint: disable=import-outside-toplevel
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rc_file(os.path.join(os.path.dirname(__file__), "..", "..",
                                    "pipelines", "charts.mplstyle"))
    axes = Figure(figsize=(10, 65 / 12)).add_axes((0.08, 0.11, 0.76, 0.78))
    axes.set_title("Noise taken out of a photograph, each filter at its best",
                   pad=14)
    axes.set_xlabel("noise, standard deviation in levels of 255")
    axes.set_ylabel("PSNR against the clean photograph, dB")
    axes.set_xscale("log")
    axes.set_xticks(NOISES, [str(noise) for noise in NOISES])
    axes.minorticks_off()
    axes.grid(alpha=0.1)
    series = {NOISY: [case.psnr for case, _, _ in rows],
              SINGLE: [single.psnr for _, single, _ in rows],
              MULTI: [multi.psnr for _, _, multi in rows]}
    for line, psnrs in series.items():
        axes.plot(NOISES, psnrs, color=COLORS[line], linewidth=1.65,
                  marker="o", markersize=5.25, gid=line)
    for case, single, multi in rows:
        axes.annotate(f"{multi.psnr - single.psnr:+.2f} dB",
                      (case.noise, multi.psnr), (0, 9), ha="center",
                      textcoords="offset points", color=COLORS[MULTI])
    # All limits are there before names are placed.
    axes.margins(0.06, 0.1)
    axes.autoscale_view()
    add_names(axes, series)
    axes.figure.savefig(name, metadata={"Date": None})


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Compares how well filters take noise out of pictures.")
    parser.add_argument("tool", metavar="OPERATION_TOOL")
    parser.add_argument("photograph", metavar="PHOTOGRAPH")
    parser.add_argument("--quick", action="store_const", dest="scope",
                        const=QUICK, default=WHOLE)
    parser.add_argument("--chart", metavar="FILE.svg")
    parser.add_argument("--table", metavar="FILE.md")
    return parser.parse_args()


def main():
    """The exit status."""
    arguments = parse_arguments()
    photograph = cv2.imread(arguments.photograph)
    if photograph is None:
        sys.exit(f"{arguments.photograph} cannot be read")
    photograph = cv2.cvtColor(photograph, cv2.COLOR_BGR2RGB)
    rows = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for noise in arguments.scope.noises:
            case = Case(arguments.tool, photograph, noise)
            single = search_single(pool, case, arguments.scope)
            multi = search_multi(pool, case, arguments.scope)
            rows.append((case, single, multi))
            print(f"noise {noise}: {case.psnr:.2f} dB; "
                  f"{SINGLE} {single.psnr:.2f} dB, {single}; "
                  f"{MULTI} {multi.psnr:.2f} dB, {multi}", flush=True)
    if arguments.table:
        write_table(arguments.table, rows)
    if arguments.chart:
        write_chart(arguments.chart, rows)
    wins = all(multi.psnr > single.psnr for _, single, multi in rows)
    return 0 if wins else 1


if __name__ == "__main__":
    sys.exit(main())
