#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times OpenCV's steps of the multiresolution filter on one frame:
multiresolutionworker.py THREADS

Each line "WHAT CHANNELS WIDTH HEIGHT" on standard input is answered by the
milliseconds that it took: WHAT is filter, the whole chain in floats, or copy,
copies of all levels. multiresolution.py runs this.
"""
import sys
import time

import cv2
import numpy

import frames

LEVELS, RADIUS = 5, 2
SPATIAL_SIGMA, INTENSITY_SIGMA = 2, 0.02


def run_filter(image):
    """Takes apart, filters each band, puts together."""
    channels = 1 if image.ndim == 2 else image.shape[2]
    # The sum of as many differences.
    sigma = INTENSITY_SIGMA * 255 * channels

    def smooth(band):
        return cv2.bilateralFilter(band, 2 * RADIUS + 1, sigma, SPATIAL_SIGMA)

    levels = [image.astype(numpy.float32)]
    for _ in range(LEVELS):
        levels.append(cv2.pyrDown(levels[-1]))
    result = smooth(levels[LEVELS])
    for level in range(LEVELS - 1, -1, -1):
        size = levels[level].shape[1::-1]
        band = cv2.subtract(levels[level],
                            cv2.pyrUp(levels[level + 1], dstsize=size))
        # The last sum is rounded to bytes.
        result = cv2.add(smooth(band), cv2.pyrUp(result, dstsize=size),
                         dtype=cv2.CV_8U if level == 0 else -1)
    return result


class Frame:
    """The frame, and the levels that are copied."""

    def __init__(self, channels, width, height):
        image = frames.make_frame(width, height)
        if channels == 1:
            image = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        self.image = image
        self.levels = [image.astype(numpy.float32)]
        for _ in range(LEVELS):
            self.levels.append(cv2.pyrDown(self.levels[-1]))
        self.copies = [level.copy() for level in self.levels]

    def copy(self):
        """Every level to another place."""
        for level, copy in zip(self.levels, self.copies):
            numpy.copyto(copy, level)

    def run(self, what):
        """Milliseconds of one call."""
        start = time.perf_counter()
        if what == "filter":
            run_filter(self.image)
        else:
            self.copy()
        return (time.perf_counter() - start) * 1000


def main():
    """Answers line by line."""
    cv2.setNumThreads(int(sys.argv[1]))
    key, frame = None, None
    for line in sys.stdin:
        what, *rest = line.split()
        if rest != key:
            key = rest
            frame = Frame(*map(int, rest))
        print(f"{frame.run(what):.4f}", flush=True)


if __name__ == "__main__":
    main()
