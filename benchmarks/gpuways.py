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
    f"glopenclkernel location={os.path.join(KERNELS, 'bilateral.cl')}",
    'glopenclchain operations="sharpen ! bilateral"',
)
FORMATS = ("RGBA", "BGRx", "GRAY8", "I420", "Y42B", "NV12", "P010_10LE",
           "YUY2", "ARGB64")
FRAMES = 8
# Pipelines at a time.
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

    def __init__(self, plan, folder, work):
        super().__init__(plan, folder)
        self.work = work
        self.size = plan.frame
        # {reason}
        self.absent = {}

    def list_cases(self):
        """All cases of an element and a format begin with one of host-copy."""
        glx = bool(os.environ.get("DISPLAY"))
        ways = sorted((way for way in gpupipelines.PIPELINES if way.interop
                       and way.platform in ("glx",) * glx + ("egl",) * (
                           not glx or way.interop != "gl-sharing")),
                      key=lambda way: way.interop != "host-copy")
        small = self.plan.name == "smoke"
        return [Case(*values) for values in itertools.product(
            ELEMENTS[5:6] + ELEMENTS[-1:] if small else ELEMENTS,
            FORMATS[:1] if small else FORMATS, ways,
            (0,) if small else (0, 3), (False, True))]

    def run_case(self, case, source):
        """The checksum of what comes out, or None."""
        width, height = self.size
        with tempfile.NamedTemporaryFile(dir=self.work) as file:
            try:
                gpupipelines.run(
                    ["gst-launch-1.0", "--no-fault", "-q", *shlex.split(
                        f"filesrc location={source} ! rawvideoparse "
                        f"format=rgba width={width} height={height} ! "
                        "videoconvert dither=none ! "
                        f"video/x-raw,format={case.layout} ! glupload ! "
                        f"{case.element} interop={case.way.interop} "
                        f"pipeline-depth={case.depth} "
                        f"in-place={str(case.in_place).lower()} ! gldownload "
                        f"! filesink location={file.name}")],
                    gpupipelines.get_environment(case.way.platform))
            except ProcessError as error:
                self.absent.setdefault(str(error), []).append(case)
                return None
            return hashlib.sha256(file.read()).hexdigest()

    def run(self):
        """Runs and describes all."""
        cases = self.list_cases()
        source = os.path.join(self.work, "ways")
        frames.write_frames(source, *self.size, "rgba", FRAMES)
        say(f"the bytes of {len(cases)} pipelines")
        with ThreadPoolExecutor(min(AT_ONCE, len(programs.CPUS))) as pool:
            sums = list(pool.map(lambda case: self.run_case(case, source),
                                 cases))
        os.remove(source)
        rows, different = [], []
        for element, row in itertools.groupby(
                zip(cases, sums), key=lambda pair: pair[0].element):
            row, expected, wrong = list(row), {}, []
            for case, found in row:
                if found and found != expected.setdefault(case.layout, found):
                    wrong.append(case)
            different += wrong
            rows.append((f"`{element}`",
                         str(sum(found is not None for _, found in row)),
                         str(len(wrong)),
                         str(sum(found is None for _, found in row))))
        width, height = self.size
        self.claims.append(("pipelines whose bytes differ from those of "
                            "host-copy", len(different), 0, True))
        self.lines += [
            "", "## The same bytes", "",
            f"{FRAMES} frames of {width}x{height} in {', '.join(FORMATS)}, "
            "each way of interop, `pipeline-depth` 0 and 3, with and "
            "without `in-place`, beside host-copy with none of these."]
        self.lines += make_table(
            ("element", "pipelines", "different", "not there"), rows)
        if different:
            self.lines += ["", "Different:", ""]
            self.lines += [f"- {case.describe()}" for case in different[:20]]
        if self.absent:
            self.lines += ["", "Not there:", ""]
            self.lines += [f"- {len(found)} pipelines, such as "
                           f"{found[0].describe()}: {reason}"
                           for reason, found in self.absent.items()]
