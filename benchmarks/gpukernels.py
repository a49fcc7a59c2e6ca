# SPDX-License-Identifier: LGPL-2.1-or-later
"""The bilateral filter of one grey plane on a GPU: this project's kernels and
those of others, each a process that is asked for a frame's milliseconds."""
import functools
import os
import sys
from typing import NamedTuple

import numpy

import frames
import programs
from turns import Ended, Process

OURS, DISC, IMAGE = "this", "this, disc", "this, image"
RGBA = "this, RGBA"
COMPILED, SHADER = "CUDA, compiled", "GLSL, compute"
# Names of this project's kernels, and what they are asked for.
OWN = {
    OURS: "buffer format=GRAY8 window=square",
    IMAGE: "image format=GRAY8 window=square",
    RGBA: "buffer format=RGBA window=square",
    DISC: "buffer format=GRAY8 window=disc",
}
# With odd rows and columns, which end in parts of groups.
CHECK_SIZE = 323, 181
EVENTS, CLOCK = "events of the device", "the clock"


class Peer(NamedTuple):
    """What it is called by gpuworker.py, and what a reader has to know."""
    worker: str
    what: str
    timed: str = EVENTS


PEERS = {
    COMPILED: Peer("compiled", "`bilateral_rtc` of VapourSynth-BilateralGPU, "
                   "its kernel compiled by NVRTC as that plugin does; a plane "
                   "of floats"),
    SHADER: Peer("glsl", "bilateral.comp, a compute shader of OpenGL; a plane "
                 "of bytes (R8)"),
    "NPP": Peer("npp", "`nppiFilterBilateralGaussBorder_8u_C1R`; a plane of "
                "bytes"),
    "CV-CUDA": Peer("cvcuda", "`bilateral_filter`; a plane of bytes"),
    "OpenCV, UMat": Peer("umat", "`bilateralFilter` through OpenCL; a plane of "
                         "bytes", CLOCK),
}


class Reading(NamedTuple):
    """What a peer may take its parameters for."""
    window: str
    spatial: float = 1      # times the sigmas
    intensity: float = 1


# Exponents without the 2 that stands before a variance.
ROOT = 0.5 ** 0.5
PLAIN_READINGS = [Reading("square"), Reading("disc")]
READINGS = [Reading(window, *factors) for window in ("square", "disc")
            for factors in ((ROOT, ROOT), (1, ROOT), (ROOT, 1))]


class Match(NamedTuple):
    """How near a peer's picture is to the exact filter's with the reading with
    which it is nearest."""
    reading: Reading
    largest: float      # difference of two bytes
    psnr: float

    def is_same(self):
        """Whether it is the same filter, up to rounding."""
        return self.largest <= 1

    def get_own(self):
        """This project's kernel that does as much."""
        return DISC if self.reading.window == "disc" else OURS


class Worker:
    """A peer that answers."""

    def __init__(self, peer, folder):
        environment = dict(os.environ)
        arguments = [peer.worker]
        if peer.worker == "compiled":
            arguments.append(folder)
        if peer.worker == "umat":
            environment.update(programs.find_opencv_opencl() or {})
        self.process = Process(
            [sys.executable, os.path.join(programs.HERE, "gpuworker.py"),
             *arguments], environment, True)
        self.state, _, self.text = self.process.greeting.strip().partition(" ")

    def time(self, width, height, radius):
        """Milliseconds of a frame."""
        return self.process.ask(f"time {width} {height} {radius}")

    def filter(self, width, height, radius, path):
        """The plane that comes out; None where it fails."""
        if self.process.ask(f"picture {width} {height} {radius} {path}"):
            return None
        return numpy.fromfile(path, numpy.uint8).reshape(height, width)

    def close(self):
        """Ends it."""
        self.process.close()


class Own:
    """This project's kernels on one frame: {name: process}."""

    def __init__(self, glopencl, width, height, folder):
        path = os.path.join(folder, "frame")
        plane = frames.make_plane(width, height)
        # Grey, so that its luma is the plane of the others.
        numpy.repeat(plane[..., None], 4, axis=2).tofile(path)
        self.processes = {
            name: Process([glopencl, "bench", "--lines", "--sizes",
                           f"{width}x{height}", "--frame", path],
                          dict(os.environ), True) for name in OWN}
        # The last has read it when it greets.
        os.remove(path)

    def get_device(self):
        """What they run on."""
        return self.processes[OURS].greeting.strip()

    def time(self, name, more):
        """Milliseconds of a frame, on a GPU directly behind another."""
        return self.processes[name].ask(f"bilateral auto {OWN[name]} {more}")

    def close(self):
        """Ends them."""
        for process in self.processes.values():
            process.close()


def get_settings(radius):
    """Of a line for this project's kernels."""
    return (f"radius={radius} spatial-sigma={radius / 2:g} "
            f"intensity-sigma={programs.INTENSITY_SIGMA:g}")


@functools.lru_cache(maxsize=None)
def filter_exactly(radius, reading):
    """What a peer should make of the plane that is compared."""
    return frames.filter_plane_exactly(
        frames.make_plane(*CHECK_SIZE), radius, reading.spatial * radius / 2,
        reading.intensity * programs.INTENSITY_SIGMA, reading.window)


def compare(pictures, reading):
    """The worst match of all radii, of {radius: picture}."""
    matches = [Match(reading, frames.find_largest_difference(picture, exact),
                     frames.measure_psnr(picture, exact))
               for picture, exact in (
                   (picture, filter_exactly(radius, reading))
                   for radius, picture in pictures.items())]
    return max(matches, key=lambda match: match.largest)


def check(worker, radii, path):
    """The best match of all readings; None where there is no picture."""
    pictures = {radius: worker.filter(*CHECK_SIZE, radius, path)
                for radius in radii}
    pictures = {radius: picture for radius, picture in pictures.items()
                if picture is not None}
    if not pictures:
        return None
    matches = [compare(pictures, reading) for reading in PLAIN_READINGS]
    if not any(match.is_same() for match in matches):
        matches += [compare(pictures, reading) for reading in READINGS]
    return min(matches, key=lambda match: match.largest)


def find_workers(radii, peer_folder, left_out, folder):
    """The peers that there are: ({name: worker}, {name: match}, {name: why it
    is not there})."""
    workers, matches, absent = {}, {}, {}
    for name, peer in PEERS.items():
        if name in left_out:
            absent[name] = "left out of this run"
            continue
        if peer.worker == "compiled" and not peer_folder:
            absent[name] = ("no folder with its source was given "
                            "(`--peer FOLDER`)")
            continue
        worker = Worker(peer, peer_folder)
        if worker.state != "on":
            absent[name] = worker.text or "it ended"
            continue
        try:
            match = check(worker, radii, os.path.join(folder, "picture"))
        except Ended as error:
            absent[name] = f"on {worker.text} {error}"
            continue
        if match:
            workers[name], matches[name] = worker, match
        else:
            absent[name] = f"on {worker.text} it makes no picture"
    return workers, matches, absent
