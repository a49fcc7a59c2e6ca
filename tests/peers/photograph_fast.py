# SPDX-License-Identifier: LGPL-2.1-or-later

"""Holds the approximation of the bilateral filter to its bound on photographs.

Usage: python3 photograph_fast.py OPERATION_TOOL PHOTOGRAPH...

Every photograph, as it is and with noise, is filtered by the exact kernels,
which other tests hold to the reference, and by the approximation.

Exit status: 0, 1 if the bound is broken, 77 if OpenCV is not installed.
"""

import itertools
import math
import sys

# Skips where OpenCV is not installed.
from photograph_denoising import add_noise, cv2, get_psnr, run_tool

# OCL_BILATERAL_FAST_PSNR, in dB.
BOUND = 45.0

# Sigma of the noise, in levels.
NOISES = (0, 25)

# Where nodes are furthest apart for a sigma, and the sigmas that
# docs/glopenclfilter.md names.
SPATIAL_SIGMAS = (5, 16, 20)
INTENSITY_SIGMAS = (0.025, 0.25, 1)
WINDOWS = ("square", "disc")


def main():
    tool, *paths = sys.argv[1:]
    worst = math.inf
    for path, noise in itertools.product(paths, NOISES):
        photograph = cv2.imread(path)
        if photograph is None:
            sys.exit(f"{path} cannot be read")
        frame = cv2.cvtColor(add_noise(photograph, noise), cv2.COLOR_BGR2RGBA)
        for values in itertools.product(SPATIAL_SIGMAS, INTENSITY_SIGMAS,
                                        WINDOWS):
            settings = [f"{name}={value}" for name, value in zip(
                ("spatial-sigma", "intensity-sigma", "window"), values)]
            psnr = get_psnr(*(run_tool(tool, frame, "bilateral", variant,
                                       *settings)
                              for variant in ("auto", "fast")))
            print(f"{path}, noise {noise}, {settings}: {psnr:.1f} dB")
            worst = min(worst, psnr)
    print(f"least: {worst:.1f} dB, bound: {BOUND:.1f} dB")
    return 0 if worst >= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
