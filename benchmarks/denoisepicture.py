#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws what denoisers make of a small thing that moves, of a cut and of a pan:
denoisepicture.py FILE PHOTOGRAPH PHOTOGRAPH

Columns: with noise, FFmpeg's hqdn3d, glopencldenoise; hqdn3d is as strong as
needed to remove the noise."""
import sys
import tempfile

import cv2
import numpy

import clips
from denoisequality import MIDDLE
from denoisers import OURS, run

FILTERS = (None, "hqdn3d=16:16:40:40", OURS)
# The part of a frame that is shown, and how much larger.
PART, ZOOM = (150, 110), 2
FRAME = 12


def make_rows(photographs):
    """(frames, frame to show, left, top) of each row."""
    passing = clips.make_passing(*photographs)
    pan = clips.make_pan(photographs[1], (4.3, 1.1))
    before = clips.make_pan(photographs[0], (1.5, 0.5))
    return [(passing, FRAME, 60, 60), (before[:FRAME] + pan[FRAME:], FRAME,
                                       90, 60), (pan, FRAME, 90, 60)]


def cut_out(frame, left, top):
    """A part of a frame, larger, in colour."""
    picture = cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420)
    part = picture[top:top + PART[1], left:left + PART[0]]
    return cv2.resize(part, None, fx=ZOOM, fy=ZOOM,
                      interpolation=cv2.INTER_CUBIC)


def main():
    """Draws."""
    photographs = [clips.read_picture(path) for path in sys.argv[2:4]]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for frames, shown, left, top in make_rows(photographs):
            noisy = clips.add_noise(frames, MIDDLE)
            rows.append(numpy.hstack([
                cut_out((run(noisy, setting, folder) if setting
                         else noisy)[shown], left, top)
                for setting in FILTERS]))
    cv2.imwrite(sys.argv[1], numpy.vstack(rows),
                [cv2.IMWRITE_JPEG_QUALITY, 90])


if __name__ == "__main__":
    main()
