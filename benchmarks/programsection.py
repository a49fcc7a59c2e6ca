# SPDX-License-Identifier: LGPL-2.1-or-later
"""The sections of RESULTS.md about whole programs."""
import frames
import kernels
import programs
from runner import OURS, Runner
from section import (RADIUS, THREADS, Section, count_threads, format_psnr,
                     format_ratio, list_threads, make_table, say)

FAST_PSNR = 40
THROUGH_RGBA = "this, through RGBA"
OPENCV = "OpenCV, CPU"
OPENCV_PLANES = "OpenCV, planes"
RECURSIVE = "FFmpeg, bilateral"
# How many times as many frames per second are promised.
SPEED_TARGETS = {OPENCV_PLANES: 1.8, OPENCV: 1.8, RECURSIVE: 1.0}
# What guides each program's weight.
LUMA, SUM, OWN = "luma", "sum of the channels", "each plane's own"
GUIDES = {OPENCV_PLANES: OWN, OPENCV: SUM, "OpenCV, UMat": SUM}
CONVERSIONS = "no filter, through RGBA"
OTHER_WORK = ("gleffects, blur", "no filter", CONVERSIONS)


class ProgramSection(Section):
    """Tables and charts of whole programs."""

    def __init__(self, plan, folder, opencv, work_folder):
        super().__init__(plan, folder)
        found = programs.find_programs(opencv, work_folder)
        if "fast" in programs.find_method():
            found[kernels.FAST] = programs.get_ours("fast")
        self.runner = Runner(plan, found, work_folder)
        self.usages = {}
        self.exact = {}

    def run(self):
        """Measures and describes all."""
        self.report_programs()
        self.report_curves()
        self.report_fast()

    def filter_exactly(self, work, guide=LUMA):
        """What a program has to make of the first frame."""
        key = work, guide
        if key not in self.exact:
            self.exact[key] = self.filter_first_frame(work, guide)
        return self.exact[key]

    @staticmethod
    def filter_first_frame(work, guide):
        """The exact filter."""
        frame = frames.make_frame(work.width, work.height)
        settings = (work.radius, work.radius / 2, programs.INTENSITY_SIGMA)
        if work.layout == "packed":
            return frames.filter_exactly(frame, *settings,
                                         "sum" if guide == SUM else "luma")
        data = frames.unpack(frames.pack(frame, "i420"), work.width,
                             work.height, "i420")
        return frames.filter_planes_exactly(
            data, work.width, work.height, *settings,
            "own" if guide == OWN else "luma")

    def check_outputs(self, work):
        """{program: decibels to the exact filter}, in what it filters: I420 or
        RGB; and rows of how near those are that claim the same work."""
        decibels, rows = {}, []
        for name, program in self.runner.programs.items():
            if name == kernels.FAST and work.radius < programs.FAST_RADIUS:
                continue
            layout = "packed" if program.converts else "i420"
            tried = work._replace(layout=layout)
            for output, _ in self.runner.try_programs([name], tried).values():
                decibels[name] = frames.measure_psnr(
                    output, self.filter_exactly(tried))
                guide = GUIDES.get(name, LUMA)
                if name in (*OTHER_WORK, RECURSIVE, kernels.FAST):
                    continue
                wanted = self.filter_exactly(tried, guide)
                rows.append((
                    name, "RGB" if program.converts else "I420", guide,
                    format_psnr(frames.measure_psnr(output, wanted)),
                    str(frames.find_largest_difference(output, wanted))))
        return decibels, rows

    def measure_conversions(self, work):
        """What GStreamer's conversions to RGB and back do to a frame: PSNR
        and the mean difference of Y."""
        output, _ = self.runner.get_output(CONVERSIONS, work)
        source = frames.unpack(
            frames.pack(frames.make_frame(work.width, work.height), "i420"),
            work.width, work.height, "i420")
        luma = slice(work.width * work.height)
        return (frames.measure_psnr(output, source),
                frames.find_mean_difference(output[luma], source[luma]))

    def report_programs(self):
        """The table of all programs."""
        work = self.get_work()
        say("what the programs make of a frame")
        decibels, checks = self.check_outputs(work)
        converted, darker = self.measure_conversions(work)
        usages = self.runner.measure(decibels, work)
        ours = usages[OURS]
        rows = [(name, f"{usage.fps:.1f}",
                 "" if name == OURS else format_ratio(ours.fps, usage.fps),
                 f"{usage.cpu * 1000:.1f}", f"{usage.memory:.0f}",
                 format_psnr(decibels[name]))
                for name, usage in usages.items()]
        self.add_claims(usages)
        self.usages = usages
        self.lines += [
            "", f"## Whole pipelines, radius {work.radius}", "",
            "Raw I420 frames of a file in memory come in, filtered I420 frames "
            "go out to `/dev/null`; decoding is left out, conversions to RGB "
            "and back are not, where a filter needs them. The steady part of a "
            "process is measured: frames per second, CPU time of all its "
            "threads, and the peak of its resident memory (start included). "
            "*This is faster by* is the quotient of the medians of frames per "
            "second. PSNR is that of the filter: to the exact one in float64 "
            "on the same frame, guided by luma, in RGB for those that need "
            "RGB, else in I420."]
        self.lines += make_table(
            ("program", "frames/s", "this is faster by", "CPU ms/frame",
             "peak MiB", "PSNR"), rows)
        self.lines += [
            "",
            "- OpenCV is a C++ program, "
            "[opencvpipeline.cpp](opencvpipeline.cpp), which does what an "
            "application would: on planes, which filters each of the three by "
            "itself with the window that covers the same pixels, or on three "
            "channels. There the weight follows the sum of the differences of "
            "the channels instead of luma's, so three times the sigma is "
            "given.",
            "- FFmpeg's `bilateral` is another algorithm: recursive, so that "
            "its cost does not depend on the radius, and on Y, U and V by "
            "themselves. None of FFmpeg's own OpenCL filters is a bilateral "
            "filter; its `program_opencl` runs "
            "[a kernel for it](bilateral-ffmpeg.cl), a plain one.",
            "- The GLSL shader is [bilateral.frag](bilateral.frag). "
            "`gleffects` has no bilateral filter; its blur of 9x9, in two "
            "passes, shows what a cheap filter costs on this OpenGL. *No "
            "filter* is the pipeline with `glupload` and `gldownload` alone.",
            "- The conversions are each program's own. GStreamer's are not "
            "exact: without a filter "
            f"a frame comes back with {converted:.1f} dB and its Y changed by "
            f"{darker:+.1f} on average.",
            *(f"- {note}" for note in dict.fromkeys(self.runner.notes)),
            "", "The programs that claim the same work, to the float64 result "
            "of their own definition:"]
        self.lines += make_table(
            ("program", "filters", "difference of two pixels", "PSNR",
             "largest difference"), checks)
        self.lines += ["", "The command lines:", "", "```sh"]
        self.lines += [
            self.runner.programs[name].describe(work).replace(
                self.runner.folder, "FOLDER") for name in usages]
        self.lines += ["```"]

    def add_claims(self, usages):
        """What the table shows of promises and of defeats."""
        ours = usages[OURS]
        for name, target in SPEED_TARGETS.items():
            if name in usages:
                self.claims.append((
                    f"pipeline, radius {self.get_work().radius}: frames per "
                    f"second against {name}", ours.fps / usages[name].fps,
                    target, False))
        for name, usage in usages.items():
            if name in (*OTHER_WORK, THROUGH_RGBA):
                continue
            worse = []
            if usage.fps > ours.fps:
                worse.append(f"{usage.fps / ours.fps:.1f} times as fast")
            if usage.cpu < ours.cpu:
                worse.append(
                    f"takes {usage.cpu / ours.cpu:.2f} of the CPU time")
            if usage.memory < ours.memory:
                worse.append(f"needs {usage.memory:.0f} MiB instead of "
                             f"{ours.memory:.0f}")
            if worse:
                self.losses.append(f"Pipelines: {name} is ahead: "
                                   + ", ".join(worse) + ".")

    def report_curves(self):
        """Pipelines against radius, size, threads, and in packed formats."""
        names = [name for name in (OURS, kernels.FAST, OPENCV_PLANES, OPENCV,
                               RECURSIVE)
                 if name in self.runner.programs]
        rows = []

        def add(what, more, limit_to=None):
            work = self.get_work(**more)
            if work == self.get_work():
                usages = {name: self.usages[name] for name in names
                          if name in self.usages}
            else:
                usages = self.runner.measure(
                    [name for name in limit_to or names if name != kernels.FAST
                     or work.radius >= programs.FAST_RADIUS], work)
            ours = usages[OURS].fps
            for name, usage in usages.items():
                rows.append((
                    what, name, f"{usage.fps:.1f}",
                    "" if name == OURS else format_ratio(ours, usage.fps),
                    f"{usage.cpu * 1000:.1f}", f"{usage.memory:.0f}"))
            return {name: usage.fps for name, usage in usages.items()}

        curves = {}
        for radius in self.plan.program_radii:
            curves["radius", radius] = add(f"radius {radius}",
                                           {"radius": radius})
        for threads in list_threads()[:-1]:
            add(count_threads(threads), {"threads": threads})
        add("RGB without conversions", {"layout": "packed"},
            [name for name in names if name not in (OPENCV_PLANES, RECURSIVE)])
        for width, height in self.plan.sizes:
            self.runner.drop_files()
            curves["size", width * height] = add(
                f"{width}x{height}", {"width": width, "height": height})
        self.runner.drop_files()

        def select(kind):
            return {name: {x: fps[name] for (key, x), fps in curves.items()
                           if key == kind and name in fps} for name in names}

        width, height = self.plan.frame
        self.lines += [
            "", "## Whole pipelines against radius, threads and size", "",
            f"As above: {width}x{height}, radius {RADIUS} and "
            f"{count_threads(THREADS)} where nothing else is said. "
            "*RGB without conversions*: each program is "
            "given the packed frames that its filter takes, OpenCV BGR and "
            "this project RGBA."]
        self.lines += make_table(
            ("what", "program", "frames/s", "this is faster by",
             "CPU ms/frame", "peak MiB"), rows)
        self.write_chart(
            "pipelines-radius", f"Whole pipelines, {width}x{height}", "radius",
            "frames per second",
            {radius: str(radius) for radius in self.plan.program_radii},
            select("radius"))
        self.write_chart(
            "pipelines-size", f"Whole pipelines, radius {RADIUS}", "frame size",
            "frames per second", self.get_size_ticks(), select("size"))

    def report_fast(self):
        """How near the fast method is to the exact one."""
        if kernels.FAST not in self.runner.programs:
            return
        rows = []
        for sigma in self.plan.fast_sigmas:
            work = self.get_work(radius=2 * sigma, layout="packed")
            found = self.runner.try_programs([OURS, kernels.FAST], work)
            psnr = frames.measure_psnr(*(output for output, _
                                         in found.values()))
            rows.append((str(sigma), format_psnr(psnr)))
            if sigma == 16:
                self.claims.append((
                    "method fast, spatial sigma 16: PSNR to the exact filter",
                    psnr, FAST_PSNR, False))
        self.runner.drop_files()
        self.lines += [
            "", "## How near `method=fast` is", "",
            "To this project's exact filter, on the same frame in RGB; radius "
            "twice the spatial sigma."]
        self.lines += make_table(("spatial sigma", "PSNR"), rows)
