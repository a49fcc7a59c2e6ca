# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of RESULTS.md about the filters alone."""
import kernels
from section import (RADIUS, THREADS, Section, count_threads, format_ratio,
                     list_threads, make_table, say)

# The most of OpenCV's time that is promised, by radius: of three channels, and of
# one plane against one channel.
EXACT_TARGETS = {1: 1.0, 2: 1.0, 4: 0.5, 8: 0.5, 16: 0.5}
PLANE_TARGETS = {1: 1.0, 2: 1.0, 4: 0.6, 8: 0.6, 16: 0.6}
FAST_TARGET = 0.1


def get_peer(name):
    """What does the same work."""
    return (kernels.ONE_CHANNEL if name == kernels.PLANE
            else kernels.THREE_CHANNELS)


class KernelSection(Section):
    """Tables and charts of the filters alone."""

    def __init__(self, plan, folder):
        super().__init__(plan, folder)
        self.engines = {name: engine for name, engine
                        in kernels.list_engines().items()
                        if name not in plan.left_out}
        self.device = ""

    def add_table(self, title, curve):
        """A table of milliseconds, and of ratios to OpenCV's."""
        names = [name for name in self.engines
                 if any(name in times for times in curve.values())]
        ours = [name for name in names if name.startswith("this")]
        rows = [[what, *(f"{times[name]:.2f}" if name in times else ""
                         for name in names),
                 *(format_ratio(times.get(name), times[get_peer(name)])
                   for name in ours)] for what, times in curve.items()]
        titles = [title, *names, *(f"{name} / {get_peer(name)}"
                                   for name in ours)]
        self.lines += make_table(titles, rows)

    def run(self):
        """The filters alone, against radius, size and threads."""
        width, height = self.plan.frame
        workers = kernels.Kernels(self.engines, THREADS)
        self.device = workers.workers["glopenclfilter"].device
        points = [kernels.Point(radius, width, height, radius)
                  for radius in self.plan.radii]
        by_radius = workers.measure_curve(points, self.plan.rounds, say)
        points = [kernels.Point(size[0] * size[1], *size, RADIUS)
                  for size in self.plan.sizes]
        by_size = workers.measure_curve(points, self.plan.rounds, say)
        workers.close()

        by_threads = {}
        point = kernels.Point(1, width, height, RADIUS)
        for threads in list_threads():
            say(f"kernels with {count_threads(threads)}")
            workers = kernels.Kernels(self.engines, threads)
            by_threads[point._replace(x=threads)] = workers.measure(
                point, self.plan.rounds)
            workers.close()
        self.add_claims(by_radius)

        def select(curve):
            return {key: {point.x: times[key] for point, times in curve.items()
                          if key in times} for key in self.engines}

        self.lines += [
            "", "## Kernels", "",
            "Milliseconds of one frame that is where the filter reads it: "
            "kernels and transfers of this project as its `stats` have them, "
            "calls of `bilateralFilter` by the clock. 8-bit frames of three "
            "channels are the same work (one weight a tap for three channels), "
            "and so are one plane, GRAY8, and one channel. UMat is OpenCV "
            "through OpenCL on the same device; it is left out where it takes "
            f"longer than {kernels.LONGEST / 1000:g} s.", "",
            f"{width}x{height}, {count_threads(THREADS)}:"]
        self.add_table(
            "radius", {str(point.x): times
                       for point, times in by_radius.items()})
        self.write_chart(
            "kernels-radius", f"Kernels, {width}x{height}", "radius",
            "milliseconds of a frame",
            {radius: str(radius) for radius in self.plan.radii},
            select(by_radius))
        self.lines += ["", f"Radius {RADIUS}, {count_threads(THREADS)}:"]
        self.add_table(
            "frame", {f"{point.width}x{point.height}": times
                      for point, times in by_size.items()})
        self.write_chart(
            "kernels-size", f"Kernels, radius {RADIUS}", "frame size",
            "milliseconds of a frame", self.get_size_ticks(), select(by_size))
        self.lines += ["", f"{width}x{height}, radius {RADIUS}:"]
        self.add_table(
            "threads", {str(point.x): times
                        for point, times in by_threads.items()})
        self.write_chart(
            "kernels-threads", f"Kernels, {width}x{height}, radius {RADIUS}",
            "threads", "milliseconds of a frame",
            {threads: str(threads) for threads in list_threads()},
            select(by_threads))

    def add_claims(self, by_radius):
        """What the curve shows of promises and of defeats."""
        for point, times in by_radius.items():
            for name, targets in ((kernels.OURS, EXACT_TARGETS),
                                  (kernels.PLANE, PLANE_TARGETS)):
                peer = get_peer(name)
                if point.radius in targets:
                    self.claims.append((
                        f"kernel, {name}, radius {point.radius}: time against "
                        f"{peer}", times[name] / times[peer],
                        targets[point.radius], True))
                if times[name] > times[peer]:
                    self.losses.append(
                        f"Kernels: {peer} is ahead of {name} at radius "
                        f"{point.radius}: {times[peer]:.2f} ms against "
                        f"{times[name]:.2f} ms.")
            if kernels.FAST in times and point.radius == 32:
                self.claims.append((
                    "kernel, method fast, spatial sigma 16: time against "
                    "OpenCV's exact one",
                    times[kernels.FAST] / times[kernels.THREE_CHANNELS],
                    FAST_TARGET, True))
