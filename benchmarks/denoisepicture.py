#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Draws a part of a film as it is recorded, denoised by glopencl-denoise's
defaults, and without noise, at 200 %:

    denoisepicture.py [--kind NOISE] [--clip CLIP] [--at X,Y] FILE

NOISE and CLIP are those of DENOISE.md."""
import argparse
import tempfile

import cv2
import numpy

import clips
from denoisers import FILM, run
from noises import KINDS

# The part of a frame that is shown, how much larger, and the frame.
PART, ZOOM, FRAME = (146, 150), 2, 16
GAP, LABEL = 2, 26


def cut_out(frame, left, top):
    """A part of a frame, larger, in colour. Pixels stay squares."""
    picture = cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420)
    part = picture[top:top + PART[1], left:left + PART[0]]
    return cv2.resize(part, None, fx=ZOOM, fy=ZOOM,
                      interpolation=cv2.INTER_NEAREST)


def add_label(picture, text):
    """A line of text below a picture."""
    line = numpy.full((LABEL, picture.shape[1], 3), 255, numpy.uint8)
    cv2.putText(line, text, (4, LABEL - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.5,
                (40, 40, 40), 1, cv2.LINE_AA)
    return numpy.vstack([picture, line])


def main():
    """Draws."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=KINDS,
                        default="camera, x264 crf 30")
    parser.add_argument("--clip", choices=clips.CLIPS, default="street")
    parser.add_argument("--at", metavar="X,Y", default="92,20",
                        help="the left top corner of the part")
    parser.add_argument("file", metavar="FILE")
    options = parser.parse_args()
    left, top = map(int, options.at.split(","))
    clean = clips.CLIPS[options.clip][1]()
    with tempfile.TemporaryDirectory() as folder:
        noisy = KINDS[options.kind].make(clean, folder)
        denoised = run(noisy, FILM, folder)
    columns = [add_label(cut_out(frames[FRAME], left, top), label)
               for frames, label in ((noisy, "recorded"),
                                     (denoised, "denoised"),
                                     (clean, "without noise"))]
    space = numpy.full((columns[0].shape[0], GAP, 3), 255, numpy.uint8)
    cv2.imwrite(options.file, numpy.hstack(
        [columns[0], space, columns[1], space, columns[2]]),
                [cv2.IMWRITE_JPEG_QUALITY, 90])


if __name__ == "__main__":
    main()
