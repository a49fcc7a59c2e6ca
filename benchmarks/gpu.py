#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures the bilateral filter on a GPU, its kernels and whole pipelines,
beside what there is to compare with; then the denoiser, the other filters,
chains, the memory that starts and stops leave behind, and whether all ways of
interop give the same bytes; and writes GPU.md with its charts:

    gpu.py [--quick | --smoke] [--peer SOURCE] [--clips CLIPS]
           [--vapoursynth PYTHON] --tool GLOPENCL --built BENCHMARKS
           --plugin-path BUILT FOLDER

GLOPENCL is the built command, BENCHMARKS the folder with what is built of this
one, BUILT the folder with the built plugin, SOURCE that of
VapourSynth-BilateralGPU, CLIPS what gpudenoise.py made, and PYTHON one that has
VapourSynth. GPU.md names the peers that are missing, and why. Nothing is
installed, built or fetched. gpu.sh builds, and runs this.
"""
import argparse
import os
import signal
import sys
import tempfile
import time
from typing import NamedTuple

import card
import programs
from gpudenoise import GpuDenoiseSection
from gpuelementsection import CHAINS, MOST_KERNELS, GpuElementSection
from gpukernelsection import ROOFLINE, GpuKernelSection
from gpupipelinesection import GpuPipelineSection
from gpuways import GpuWaysSection
from section import Plan, add_plans, write_document

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
RADII = (2, 4, 8, 16)
SMALL = ((160, 96),)


class Plans(NamedTuple):
    """Of the sections."""
    kernels: Plan
    pipelines: Plan
    elements: Plan
    denoisers: Plan
    ways: Plan


PLANS = {
    "full": Plans(Plan("full", 21, 0, SIZES[1], SIZES[1:], RADII, (),
                       (16, 32)),
                  Plan("full", 3, 0.5, SIZES[0], SIZES[::2], (), ()),
                  Plan("full", 11, 0.5, SIZES[0], SIZES[1:], (), (),
                       cycles=100),
                  Plan("full", 3, 0, SIZES[0], SIZES, (), ()),
                  Plan("full", 1, 0, (640, 360), (), (), ())),
    "quick": Plans(Plan("quick", 7, 0, SIZES[1], SIZES[1:], RADII, (),
                        (16, 32)),
                   Plan("quick", 1, 0.3, SIZES[0], SIZES[::2], (), ()),
                   Plan("quick", 5, 0.3, SIZES[0], SIZES[1:], (), (),
                        cycles=20),
                   Plan("quick", 1, 0, SIZES[0], SIZES, (), ()),
                   Plan("quick", 1, 0, (320, 180), (), (), ())),
    "smoke": Plans(Plan("smoke", 1, 0, SMALL[0], SMALL, (2, 4), (), (8,),
                        (ROOFLINE,)),
                   Plan("smoke", 1, 0.01, SMALL[0], SMALL, (), ()),
                   Plan("smoke", 1, 0, SMALL[0], SMALL, (), (), (),
                        (CHAINS, MOST_KERNELS), 2),
                   Plan("smoke", 1, 0, SMALL[0], SMALL, (), ()),
                   Plan("smoke", 1, 0, SMALL[0], (), (), ())),
}


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("--tool", metavar="GLOPENCL", required=True)
    parser.add_argument("--built", metavar="BENCHMARKS", required=True)
    parser.add_argument("--plugin-path", metavar="BUILT", required=True)
    parser.add_argument("--peer", metavar="SOURCE")
    parser.add_argument("--clips", metavar="CLIPS")
    parser.add_argument("--vapoursynth", metavar="PYTHON")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    plans = options.plan
    start = time.monotonic()
    command = " ".join(["benchmarks/gpu.sh", *(
        text for text, given in (("--peer SOURCE", options.peer),
                                 ("--clips CLIPS", options.clips),
                                 ("--vapoursynth PYTHON", options.vapoursynth))
        if given)])
    # The folder of frames goes then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

    with tempfile.TemporaryDirectory(prefix="glopencl-") as work:
        os.environ["GST_PLUGIN_PATH"] = options.plugin_path
        # An installed plugin has it.
        os.environ.setdefault("GLOPENCL_TUNING_PATH", os.path.join(
            programs.HERE, os.pardir, "tuning"))
        # It would be in a cache that is emptied.
        os.environ.setdefault("GST_REGISTRY",
                              os.path.join(work, "registry.bin"))
        sections = [GpuKernelSection(plans.kernels, options.folder, options,
                                     work),
                    GpuPipelineSection(plans.pipelines, options.folder, work),
                    GpuDenoiseSection(plans.denoisers, options.folder, options,
                                      work),
                    GpuElementSection(plans.elements, options.folder, options),
                    GpuWaysSection(plans.ways, options.folder, options, work)]
        for number, section in enumerate(sections, 1):
            section.run()
            # So that a run that is broken off leaves what it has.
            write_document(os.path.join(options.folder, "GPU.md"),
                           "Kernels and pipelines on a GPU", plans.kernels,
                           time.monotonic() - start, sections[:number],
                           command,
                           card.describe(sections[0].device))


if __name__ == "__main__":
    main()
