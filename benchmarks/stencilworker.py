#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times OpenCV's filters of neighbours on one frame after the other:
stencilworker.py ENGINE THREADS

ENGINE is opencv (the CPU) or umat (OpenCV through OpenCL). Each line "FILTER
RADIUS LAYOUT WIDTH HEIGHT" on standard input is answered by the milliseconds that
the frame took. LAYOUT is packed, three channels, or i420, of which the luma is
filtered and the rest copied. stencilkernels.py runs this.
"""
import sys
import time

import cv2
import numpy

import frames
import stencilfilters

BORDER = cv2.BORDER_REPLICATE


def average(image, radius):
    """glopenclsharpen: I + (I - mean) / 2."""
    side = 2 * radius + 1
    blurred = cv2.blur(image, (side, side), borderType=BORDER)
    return cv2.addWeighted(image, 1.5, blurred, -0.5, 0)


def gaussian(image, radius):
    """The same with a Gaussian."""
    side = 2 * radius + 1
    blurred = cv2.GaussianBlur(image, (side, side),
                               stencilfilters.get_sigma(radius),
                               borderType=BORDER)
    return cv2.addWeighted(image, 1.5, blurred, -0.5, 0)


def dense(image, radius):
    """Any matrix."""
    matrix = numpy.array(stencilfilters.make_dense(radius), numpy.float32)
    return cv2.filter2D(image, -1, matrix / matrix.sum(), borderType=BORDER)


def separable(image, radius):
    """A column times a row."""
    row = numpy.array(stencilfilters.make_row(radius), numpy.float32)
    row /= row.sum()
    return cv2.sepFilter2D(image, -1, row, row, borderType=BORDER)


def gradient(image, _):
    """The magnitude of both derivatives of each channel."""
    along = cv2.Scharr(image, cv2.CV_32F, 1, 0, borderType=BORDER)
    down = cv2.Scharr(image, cv2.CV_32F, 0, 1, borderType=BORDER)
    return cv2.convertScaleAbs(cv2.magnitude(along, down), alpha=1 / 16)


FILTERS = {"average": average, "gaussian": gaussian, "dense": dense,
           "separable": separable, "gradient": gradient}


class Frame:
    """The frame, where the filters read it."""

    def __init__(self, layout, width, height, opencl):
        image = frames.make_frame(width, height)
        self.rest = None
        if layout == "i420":
            planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
            image = numpy.ascontiguousarray(planes[:height])
            self.rest = numpy.ascontiguousarray(planes[height:])
        self.copy = None if self.rest is None else self.rest.copy()
        self.image = cv2.UMat(image) if opencl else image

    def run(self, name, radius, opencl):
        """Milliseconds of one call."""
        start = time.perf_counter()
        FILTERS[name](self.image, radius)
        if self.rest is not None:
            numpy.copyto(self.copy, self.rest)
        if opencl:
            cv2.ocl.finish()
        return (time.perf_counter() - start) * 1000


def main():
    """Answers line by line."""
    opencl = sys.argv[1] == "umat"
    cv2.setNumThreads(int(sys.argv[2]))
    if opencl and not cv2.ocl.useOpenCL():
        sys.exit("OpenCV has no OpenCL device")
    key, frame = None, None
    for line in sys.stdin:
        name, radius, *rest = line.split()
        if rest != key:
            key = rest
            frame = Frame(rest[0], int(rest[1]), int(rest[2]), opencl)
        print(f"{frame.run(name, int(radius), opencl):.4f}", flush=True)


if __name__ == "__main__":
    main()
