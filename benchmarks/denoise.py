#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures denoisers on clips with noise, FFmpeg's with the settings that are
best for the clip and the noise, and how long they take for a frame. Writes
DENOISE.md with its chart. glopencldenoise measures the noise itself."""
import argparse
import os
import time

import clips
import programs
from denoisequality import KindsSection, WhiteSection
from denoisetime import TimeSection
from section import Plan, add_plans, write_document

FRAME = (1280, 720)
PLANS = {
    "full": Plan("full", 5, 8.0, FRAME, (FRAME,), (), ()),
    "quick": Plan("quick", 2, 3.0, FRAME, (FRAME,), (), ()),
    "smoke": Plan("smoke", 1, 0.1, (160, 96), ((160, 96),), (), ()),
}


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("--film", action="append", default=[],
                        help="take its first frames, at half the size")
    parser.add_argument("--picture", action="append", default=[],
                        help="pan over it, and zoom into it")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    pictures = options.picture or [os.path.join(
        programs.HERE, "..", "tests", "peers", "photograph.png")]
    shown = clips.make_clips(options.film, pictures)
    if options.plan.name == "smoke":
        shown = {name: clip[:6] for name, clip in list(shown.items())[:2]}
    start = time.monotonic()

    white = WhiteSection(options.plan, options.folder, shown)
    sections = [white, KindsSection(options.plan, options.folder, shown),
                TimeSection(options.plan, options.folder, white)]
    for section in sections:
        section.run()
    write_document(os.path.join(options.folder, "DENOISE.md"), "Denoisers",
                   options.plan, time.monotonic() - start, sections,
                   script="benchmarks/denoise.py")


if __name__ == "__main__":
    main()
