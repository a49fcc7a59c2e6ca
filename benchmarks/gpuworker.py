#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""One peer on a GPU, on one grey plane: gpuworker.py PEER [FOLDER]

PEER is compiled (its source is in FOLDER), npp, cvcuda, glsl or umat. The
first line of output is "on DEVICE", or "absent REASON". Then "time WIDTH HEIGHT
RADIUS" on standard input is answered by the milliseconds that the frame took,
"picture WIDTH HEIGHT RADIUS FILE" by 0 once the plane that came out is in the
file, and either by "inf" where it fails. The spatial sigma is half the radius,
the intensity sigma 0.25. gpukernels.py runs this.
"""
import sys

import cv2

import cudapeers
import frames
import glslpeer
import kernelworker
from cuda import Absent


class UMat:
    """OpenCV through OpenCL, by the clock; what a peer is says cudapeers.py."""

    def __init__(self):
        if not cv2.ocl.useOpenCL():
            raise Absent("OpenCV has no OpenCL device")
        self.opencv = kernelworker.OpenCV(0, True)
        self.shape = 0, 0
        self.radius = 0

    def get_device(self):
        """What it runs on."""
        return self.opencv.get_device()

    def prepare(self, plane, radius):
        """The plane is the one it makes itself."""
        self.shape, self.radius = plane.shape, radius

    def time(self):
        """Milliseconds of one frame, behind a first one."""
        height, width = self.shape
        for _ in range(2):
            elapsed = self.opencv.run(width, height, self.radius, 1, None)
        return elapsed

    def filter(self):
        """The plane that comes out."""
        height, width = self.shape
        return self.opencv.filter(self.opencv.get_image(width, height, 1),
                                  self.radius, 1).get()


PEERS = {"compiled": cudapeers.Compiled, "npp": cudapeers.Npp,
         "cvcuda": cudapeers.CvCuda, "glsl": glslpeer.Shader, "umat": UMat}


class Worker:
    """A peer, and what it was last prepared for."""

    def __init__(self, peer):
        self.peer = peer
        self.planes = {}
        self.ready = None

    def answer(self, what, width, height, radius, path=None):
        """Milliseconds, or 0."""
        size = int(width), int(height)
        if size not in self.planes:
            self.planes = {size: frames.make_plane(*size)}
        if self.ready != (size, radius):
            self.peer.prepare(self.planes[size], int(radius))
            self.ready = size, radius
        if what == "time":
            return self.peer.time()
        self.peer.filter().tofile(path)
        return 0


def main():
    """Answers line by line."""
    try:
        worker = Worker(PEERS[sys.argv[1]](*sys.argv[2:]))
    except (Absent, AttributeError, OSError) as error:
        print("absent", " ".join(str(error).split()), flush=True)
        return
    print("on", worker.peer.get_device(), flush=True)
    for line in sys.stdin:
        try:
            print(f"{worker.answer(*line.split()):.4f}", flush=True)
        except (Absent, RuntimeError, cv2.error) as error:
            print(f"{sys.argv[1]}: {error}", file=sys.stderr)
            print("inf", flush=True)


if __name__ == "__main__":
    main()
