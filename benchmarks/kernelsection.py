# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of RESULTS.md about the filters alone."""
import kernels
from section import (RADIUS, THREADS, Section, count_threads, format_ratio,
                     list_threads, make_table, say)

EXACT_TARGET = 0.5
FAST_TARGET = 0.1


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
                 *(format_ratio(times.get(name), times["OpenCV, 3 channels"])
                   for name in ours)] for what, times in curve.items()]
        titles = [title, *names, *(f"{name} / OpenCV, 3 channels"
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
            "kernels and transfers of this project as its `stats` tell them, "
            "calls of `bilateralFilter` by the clock. 8-bit frames of three "
            "channels are the same work (one weight a tap for three channels); "
            "on one channel OpenCV has a third of the sums to make. UMat is "
            "OpenCV through OpenCL on the same device; it is left out where it "
            f"takes longer than {kernels.LONGEST / 1000:g} s.", "",
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
            three, one = (times[f"OpenCV, {channels}"]
                          for channels in ("3 channels", "1 channel"))
            if point.radius in (4, 8, 16):
                self.claims.append((
                    f"kernel, radius {point.radius}: time against OpenCV's",
                    times["this"] / three, EXACT_TARGET, True))
            if kernels.FAST in times and point.radius == 32:
                self.claims.append((
                    "kernel, method fast, spatial sigma 16: time against "
                    "OpenCV's exact one", times[kernels.FAST] / three,
                    FAST_TARGET, True))
            if times["this"] > three:
                self.losses.append(
                    f"Kernels: OpenCV on three channels is ahead at radius "
                    f"{point.radius}: {three:.2f} ms against "
                    f"{times['this']:.2f} ms.")
            elif times["this"] > one:
                self.losses.append(
                    f"Kernels: OpenCV on one channel, a third of the sums, is "
                    f"ahead at radius {point.radius}: {one:.2f} ms against "
                    f"{times['this']:.2f} ms.")
