#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures denoisers on clips with many kinds of noise, and how long they take
for a frame. Writes DENOISE.md with its chart into a folder.

glopencldenoise measures the noise itself. The others have the settings that are
best for the noise. These take long to find, so results are kept in denoise.json
of the folder, and are only measured again if the clips, the noise, the settings
to try, FFmpeg or this plugin change. So the same command measures all at first,
then only this project, and goes on where it was stopped:

    benchmarks/denoise.py --page [--keep-times] benchmarks"""
import argparse
import os
import re
import time

import denoisers
import programs
from denoisecache import Cache
from denoisequality import NOISY, KindsSection
from denoisers import BM3D, FILM, HQDN3D, NLMEANS, OURS, VBM3D
from denoisetime import TimeSection
from section import Plan, add_plans, make_table, say, write_document

FRAME = (1280, 720)
PLANS = {
    "full": Plan("full", 3, 8.0, FRAME, (FRAME,), (), ()),
    "quick": Plan("quick", 2, 3.0, FRAME, (FRAME,), (), ()),
    "smoke": Plan("smoke", 1, 0.1, (160, 96), ((160, 96),), (), ()),
}
HOW = ("All denoisers get the same frames. What is said of the others was "
       "measured with the versions that are stated, at the time of this run or "
       "before it. Times were taken in turns.")
# The page with a part of the table, and the part.
PAGE = "README.md"
PAGE_KINDS = ("white 10", "film grain", "scaled up", "white 10, x264 crf 26",
              "camera, x264 crf 30", "phone-like")
PAGE_NAMES = (NOISY, HQDN3D, NLMEANS, BM3D, VBM3D, OURS, FILM)
MARKS = ("<!-- denoisers, by benchmarks/denoise.py -->",
         "<!-- end of denoisers -->")


def write_page(found, times):
    """Replaces what is between the marks of the page."""
    names = [name for name in PAGE_NAMES
             if all(name in found[about] for about in PAGE_KINDS)]
    rates = ["", *(f"{1000 / times[name]:.0f}" if name in times
                   else "not measured" for name in names[1:])]
    lines = make_table(
        ("noise", *(name.rpartition(" ")[2] for name in names)),
        [[about, *(f"{found[about][name].get_luma():.1f}" for name in names)]
         for about in PAGE_KINDS] + [["frames per second", *rates]])
    path = os.path.join(programs.HERE, "..", PAGE)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    table = "\n".join([MARKS[0], *lines[1:], MARKS[1]])
    text, count = re.subn(f"{MARKS[0]}.*?{MARKS[1]}", table, text,
                          flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{PAGE} has {count} times {MARKS[0]} and {MARKS[1]}, "
                         "not once")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    say(f"wrote {PAGE}")


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add_plans(parser, PLANS)
    parser.add_argument("--vapoursynth", metavar="COMMAND",
                        help="a Python that has VapourSynth and its plugins")
    parser.add_argument("--nl4d", action="store_true",
                        help="measure NL4D by this Python, which needs a GPU")
    parser.add_argument("--searched", action="store_true",
                        help="add the best noise= of glopencldenoise")
    parser.add_argument("--keep-times", action="store_true",
                        help="take the times from the run before")
    parser.add_argument("--stored", action="store_true",
                        help="measure nothing, take what there is")
    parser.add_argument("--page", action="store_true",
                        help="write the table of README.md, too")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    if options.page and options.plan.name != "full":
        parser.error("--page needs the full measurement")
    start = time.monotonic()

    cache = Cache(os.path.join(options.folder, "denoise.json"))
    more = dict(denoisers.BLIND)
    if options.searched:
        more[denoisers.SEARCHED] = denoisers.BY_HAND
    kinds = KindsSection(options.plan, options.folder, cache,
                         options.vapoursynth, more, options.nl4d,
                         options.stored)
    sections = [kinds, TimeSection(options.plan, options.folder, kinds,
                                   options.keep_times or options.stored)]
    for section in sections:
        section.run()
    write_document(os.path.join(options.folder, "DENOISE.md"), "Denoisers",
                   options.plan, time.monotonic() - start, sections,
                   script="benchmarks/denoise.py"
                   + " --stored" * options.stored, how=HOW)
    if options.page:
        write_page(kinds.found, cache.content["times"]["milliseconds"])


if __name__ == "__main__":
    main()
