# SPDX-License-Identifier: LGPL-2.1-or-later

"""Holds the approximation of the bilateral filter to its bound on photographs.

Usage: python3 photograph_fast.py OPERATION_TOOL PHOTOGRAPH...

Every photograph, as it is and with noise, is filtered by the exact kernels,
which other tests hold to the reference, and by the approximation.

Exit status: 0, 1 if the bound is broken, 77 if OpenCV is not installed.
"""

import itertools
import math
import subprocess
import sys

try:
    import cv2
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# OCL_BILATERAL_FAST_PSNR, in dB.
BOUND = 45.0

# Sigma of the noise, in levels.
NOISES = (0, 25)

# Where nodes are furthest apart for a sigma, and the sigmas that
# docs/glopenclfilter.md names.
SPATIAL_SIGMAS = (5, 16, 20)
INTENSITY_SIGMAS = (0.025, 0.25, 1)
WINDOWS = ("square", "disc")

SEED = 20261120


def run(tool, frame, variant, spatial_sigma, intensity_sigma, window):
    """The red, green and blue that the tool makes of an RGBA frame."""
    height, width = frame.shape[:2]
    result = subprocess.run(
        [tool, str(width), str(height), "RGBA", "buffer", "bilateral", variant,
         f"spatial-sigma={spatial_sigma}",
         f"intensity-sigma={intensity_sigma}", f"window={window}"],
        input=frame.tobytes(), stdout=subprocess.PIPE, check=True)
    output = numpy.frombuffer(result.stdout, numpy.uint8)
    return output.reshape(frame.shape)[..., :3].astype(float)


def get_psnr(a, b):
    """In dB."""
    square = numpy.mean((a - b) ** 2)
    return 10 * math.log10(255 ** 2 / square) if square else math.inf


def add_noise(photograph, noise):
    generator = numpy.random.default_rng([SEED, noise])
    noisy = photograph + generator.normal(0, noise, photograph.shape)
    return numpy.clip(numpy.rint(noisy), 0, 255).astype(numpy.uint8)


def main():
    tool, *paths = sys.argv[1:]
    worst = math.inf
    for path, noise in itertools.product(paths, NOISES):
        photograph = cv2.imread(path)
        if photograph is None:
            sys.exit(f"{path} cannot be read")
        frame = cv2.cvtColor(add_noise(photograph, noise), cv2.COLOR_BGR2RGBA)
        for settings in itertools.product(SPATIAL_SIGMAS, INTENSITY_SIGMAS,
                                          WINDOWS):
            psnr = get_psnr(run(tool, frame, "auto", *settings),
                            run(tool, frame, "fast", *settings))
            print(f"{path}, noise {noise}, {settings}: {psnr:.1f} dB")
            worst = min(worst, psnr)
    print(f"least: {worst:.1f} dB, bound: {BOUND:.1f} dB")
    return 0 if worst >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
