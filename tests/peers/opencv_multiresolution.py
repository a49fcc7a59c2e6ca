# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares the multiresolution filter with OpenCV's steps.

Usage: python3 opencv_multiresolution.py OPERATION_TOOL

What the kernels make of a frame is held to what pyrDown(), pyrUp(),
bilateralFilter() and sums make of it, where the definitions agree: channel by
channel, as OpenCV's distance of colours is another; with spatial sigmas so
small that the corners of the window, which OpenCV's disc has not, weigh
nothing; and away from the edges, where pyrUp() has a border of its own.

Exit status: 0, 1 if a comparison failed, 77 if OpenCV is not installed.
"""

import subprocess
import sys

try:
    import cv2
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SIZES = [(320, 240), (352, 288)]
RADIUS = 2
# Half a level for rounding, and what bilateralFilter() interpolates.
TOLERANCE = 0.55
SEED = 20261122

# Levels, spatial sigma, sigmas of intensity and gains of all bands.
CASES = [
    (1, 0.5, [0.2, 0.2], [1, 1]),
    (3, 0.5, [0.3, 0.1, 0.05, 0.1], [1, 1, 1, 1]),
    (3, 0.5, [0, 0, 0, 0], [1.5, 0.5, 1.25, 1]),
    (4, 0.4, [0.1, 0, 0.4, 0, 0.2], [2, 1, 0, 1, 0.9]),
]


def smooth(band, spatial_sigma, intensity_sigma):
    """The filter of one band; none where the sigma is 0."""
    if intensity_sigma == 0:
        return band
    return cv2.bilateralFilter(band, 2 * RADIUS + 1, intensity_sigma * 255,
                               spatial_sigma, borderType=cv2.BORDER_REFLECT_101)


def run_opencv(channel, spatial_sigma, sigmas, gains):
    """The whole chain on one channel, in levels that are not rounded."""
    count = len(sigmas) - 1
    levels = [channel.astype(numpy.float32)]
    for _ in range(count):
        levels.append(cv2.pyrDown(levels[-1]))
    result = gains[count] * smooth(levels[count], spatial_sigma, sigmas[count])
    for k in range(count - 1, -1, -1):
        size = levels[k].shape[1::-1]
        band = levels[k] - cv2.pyrUp(levels[k + 1], dstsize=size)
        result = (gains[k] * smooth(band, spatial_sigma, sigmas[k])
                  + cv2.pyrUp(result, dstsize=size))
    return numpy.clip(result, 0, 255)


def make_frame(width, height):
    """Noise over edges of several sizes."""
    generator = numpy.random.default_rng([SEED, width, height])
    y, x = numpy.mgrid[0:height, 0:width]
    edges = 60.0 * ((x // 8 + y // 8) % 2) + 60.0 * ((x // 50 + y // 40) % 2)
    frame = edges[..., numpy.newaxis] + generator.uniform(0, 135,
                                                          (height, width, 4))
    return frame.astype(numpy.uint8)


def run(tool, frame, levels, spatial_sigma, sigmas, gains):
    """What the tool makes of a frame."""
    height, width = frame.shape[:2]
    result = subprocess.run(
        [tool, str(width), str(height), "RGBA", "buffer",
         "multiresolution", "auto",
         f"levels={levels}", f"spatial-sigma={spatial_sigma}",
         f"radius={RADIUS}", "color-mode=per-channel", "border=reflect-101",
         f"intensity-sigmas=<{','.join(map(str, sigmas))}>",
         f"gains=<{','.join(map(str, gains))}>"],
        input=frame.tobytes(), stdout=subprocess.PIPE, check=True)
    return numpy.frombuffer(result.stdout, numpy.uint8).reshape(frame.shape)


def main():
    """Compares all."""
    tool, failed, largest = sys.argv[1], 0, 0.0
    for number, (levels, spatial_sigma, sigmas, gains) in enumerate(CASES):
        frame = make_frame(*SIZES[number % len(SIZES)])
        result = run(tool, frame, levels, spatial_sigma, sigmas, gains)
        wanted = numpy.dstack([
            run_opencv(frame[..., c], spatial_sigma, sigmas, gains)
            for c in range(3)])
        # What the borders of all levels reach.
        margin = 5 * 2 ** levels
        inner = slice(margin, -margin), slice(margin, -margin)
        difference = numpy.abs(result[..., :3][inner] - wanted[inner]).max()
        good = (difference <= TOLERANCE
                and (result[..., 3] == frame[..., 3]).all())
        failed += not good
        largest = max(largest, difference)
        print(f"{'ok' if good else 'not ok'} {levels} levels, sigmas {sigmas}, "
              f"gains {gains}: {difference:.4f}")
    print(f"largest difference: {largest:.4f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
