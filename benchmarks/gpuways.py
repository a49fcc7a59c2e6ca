# SPDX-License-Identifier: LGPL-2.1-or-later
"""The section of GPU.md about the bytes that elements give in each way of
interop: they have to be the same."""
import hashlib
import itertools
import os
import shlex
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy

import frames
import gpupipelines
import programs
from gpuelementsection import KERNELS, MATRIX
from process import ProcessError
from section import Section, make_table, say

ELEMENTS = (
    "glopenclfilter radius=3", "glopenclfilter spatial-sigma=12 method=fast",
    "glopencldenoise", "glopencldenoise lookahead=2 effort=fast",
    "glopenclmultiresolution intensity-sigma=0.1", "glopenclsharpen radius=2",
    "glopenclgradient", f'glopenclconvolution matrix="{MATRIX}"',
    "glopenclkernel location=bilateral.cl",
    'glopenclchain operations="sharpen ! bilateral"',
)
FORMATS = ("RGBA", "BGRx", "GRAY8", "I420", "Y42B", "NV12", "P010_10LE",
           "YUY2", "ARGB64")
FRAMES = 8
# The kind of noise and the name of the clip that is filtered, see gpudenoise.py.
CLIP = "phone-like/megamind"
# Programs at a time.
AT_ONCE = 12


class Case(NamedTuple):
    """A pipeline."""
    element: str
    layout: str
    way: gpupipelines.Pipeline
    depth: int
    in_place: bool

    def describe(self):
        """What is different, in a few words."""
        return (f"`{self.element} pipeline-depth={self.depth}"
                f"{' in-place=true' * self.in_place}`, {self.layout}, "
                f"{self.way.name}")


class GpuWaysSection(Section):
    """A table of elements."""

    def __init__(self, plan, folder, options, work):
        super().__init__(plan, folder)
        self.work = work
        self.size = plan.frame
        self.clip = None
        if options.clips:
            with numpy.load(options.clips) as file:
                self.clip = file[CLIP][:FRAMES]
            self.size = self.clip.shape[2], self.clip.shape[1] * 2 // 3
        # {case: why it gave no frames}
        self.absent = {}
        # (the first case, why the cases of one program were run separately)
        self.separate = []

    def list_cases(self):
        """The first case of an element and a format is one of host-copy."""
        ways = sorted(gpupipelines.find_ways(),
                      key=lambda way: way.interop != "host-copy")
        small = self.plan.name == "smoke"
        return [Case(*values) for values in itertools.product(
            ELEMENTS[5:6] + ELEMENTS[-1:] if small else ELEMENTS,
            FORMATS[:1] if small else FORMATS, ways,
            (0,) if small else (0, 3), (False, True))]

    def get_branch(self, case, source, target):
        """The part of a command of gst-launch-1.0 that filters the frames."""
        width, height = self.size
        element = case.element.replace(
            "location=", f"location={shlex.quote(os.path.abspath(KERNELS))}/")
        return shlex.split(
            f"filesrc location={shlex.quote(source)} ! "
            f"rawvideoparse format={'rgba' if self.clip is None else 'i420'} "
            f"width={width} height={height} ! videoconvert dither=none ! "
            f"video/x-raw,format={case.layout} ! glupload ! "
            f"{element} interop={case.way.interop} "
            f"pipeline-depth={case.depth} "
            f"in-place={str(case.in_place).lower()} ! gldownload ! "
            f"filesink location={shlex.quote(target)}")

    def run_cases(self, cases, source):
        """The checksums of what comes out of cases of one way, or None for each
        that fails. They run in one program, because most of the time is for its
        start, but each by itself if one of them fails."""
        width, height = self.size
        command, sums = ["gst-launch-1.0", "--no-fault", "-q"], []
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            targets = [os.path.join(folder, str(n)) for n in range(len(cases))]
            for case, target in zip(cases, targets):
                command += self.get_branch(case, source, target)
            try:
                gpupipelines.run(command, gpupipelines.get_environment(
                    cases[0].way.platform))
                for case, target in zip(cases, targets):
                    with open(target, "rb") as file:
                        data = file.read()
                    if len(data) < FRAMES * width * height:
                        self.absent[case] = f"{len(data)} bytes"
                    sums.append(None if case in self.absent
                                else hashlib.sha256(data).hexdigest())
                return sums
            except ProcessError as error:
                reason = str(error)
        if len(cases) == 1:
            self.absent[cases[0]] = reason
            return [None]
        self.separate.append((cases[0], reason))
        return [result for case in cases
                for result in self.run_cases([case], source)]

    def run(self):
        """Runs and describes all."""
        cases = self.list_cases()
        source = os.path.join(self.work, "ways")
        if self.clip is None:
            frames.write_frames(source, *self.size, "rgba", FRAMES)
        else:
            self.clip.tofile(source)
        say(f"the bytes of {len(cases)} pipelines")
        # Cases of a group differ only in depth and in-place.
        groups = [list(group) for _, group in itertools.groupby(
            cases, lambda case: case[:3])]
        with ThreadPoolExecutor(min(AT_ONCE, len(programs.CPUS))) as pool:
            sums = itertools.chain.from_iterable(pool.map(
                lambda group: self.run_cases(group, source), groups))
            found = dict(zip(cases, sums))
        os.remove(source)
        # {case: the first case of its element and format}
        firsts = {}
        for case in cases:
            firsts.setdefault((case.element, case.layout), case)
        first_of = {case: firsts[case.element, case.layout] for case in cases}
        compared = [case for case in cases if case != first_of[case]
                    and found[case] and found[first_of[case]]]
        self.add_table(cases, compared, [
            case for case in compared if found[case] != found[first_of[case]]])

    def add_table(self, cases, compared, different):
        """The counts, and what differs or is not there."""
        width, height = self.size
        if any(case.way.interop != "host-copy" for case in compared):
            self.claims.append(("pipelines whose bytes differ from those of "
                                "host-copy", len(different), 0, True))
        formats = dict.fromkeys(case.layout for case in cases)
        depths = dict.fromkeys(str(case.depth) for case in cases)
        self.lines += [
            "", "## The same bytes", "",
            f"{FRAMES} frames of {width}x{height} "
            f"{'' if self.clip is None else f'of `{CLIP}` '}in "
            f"{', '.join(formats)}, "
            f"each way of interop, `pipeline-depth` {' and '.join(depths)}, "
            "with and without `in-place`, compared with host-copy, "
            "`pipeline-depth=0`, not in place. Those that differ only in these "
            "two run in one program."]
        self.lines += make_table(
            ("element", "compared", "different", "not there"),
            [(f"`{element}`", *(str(sum(case.element == element
                                        for case in some))
                                for some in (compared, different,
                                             self.absent)))
             for element in dict.fromkeys(case.element for case in cases)])
        if different:
            self.lines += ["", "Different:", ""]
            self.lines += [f"- {case.describe()}" for case in different[:20]]
            if len(different) > 20:
                self.lines.append(f"- and {len(different) - 20} more")
        faults = [(case, reason) for case, reason in self.separate
                  if case not in self.absent]
        if faults:
            self.lines += ["", "Failed in one program, but not separately:", ""]
            self.lines += [f"- {case.describe()} and those beside it: {reason}"
                           for case, reason in faults]
        reasons = {}
        for case in cases:
            if case in self.absent:
                reasons.setdefault(self.absent[case], []).append(case)
        if reasons:
            self.lines += ["", "Not there:", ""]
            self.lines += [f"- {len(some)} pipelines, such as "
                           f"{some[0].describe()}: {reason}"
                           for reason, some in reasons.items()]
