# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares sharpening, gradients and convolutions with OpenCV.

Usage: python3 opencv_stencils.py OPERATION_TOOL

What the kernels make of a frame is held to what software written by others
makes of it in float64: blur(), GaussianBlur(), filter2D(), sepFilter2D() and
Scharr(). All borders: those that OpenCV's filters do not have are there before
they run.

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

BORDERS = {
    "clamp-to-edge": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect-101": cv2.BORDER_REFLECT_101,
    "wrap": cv2.BORDER_WRAP,
    "constant": cv2.BORDER_CONSTANT,
}
BORDER_COLOR = (200, 30, 120)
REACH = 16      # of what is surrounded: more than any window
SIZES = [(64, 48), (37, 21), (17, 17)]
# Rounded to the nearest level, and what float adds to a tie.
TOLERANCE = 0.502
SEED = 20261122

DENSE = numpy.array([[3, 1, 4], [1, 5, -9], [2, 6, 5], [3, 5, -8], [9, 7, 9]],
                    numpy.float64)
ROW = numpy.array([1, 4, 6, 4, 1], numpy.float64)
COLUMN = numpy.array([-1, 0, 5, 0, 2], numpy.float64)
LUMA = numpy.array([0.3, 0.59, 0.11])


def blur(image, radius):
    """The mean of a window."""
    return cv2.blur(image, (2 * radius + 1, 2 * radius + 1))


def blur_gaussian(image, radius, sigma):
    """Weights that fall with the distance."""
    return cv2.GaussianBlur(image, (2 * radius + 1, 2 * radius + 1), sigma)


def sharpen(image, blurred, alpha=1.5, beta=-0.5, gamma=0.0):
    """What glopenclsharpen does with a blur."""
    return cv2.addWeighted(image, alpha, blurred, beta, gamma * 255)


def derive(image, x):
    """One of Scharr's derivatives, between -1 and 1 for levels from 0 to 1."""
    return cv2.Scharr(image, cv2.CV_64F, x, 1 - x) / 16


def get_magnitude(image):
    """Of both derivatives, of each channel."""
    return numpy.hypot(derive(image, 1), derive(image, 0))


def get_luma_magnitude(image):
    """The same of the luma, for all channels."""
    magnitude = get_magnitude(image @ LUMA)
    return numpy.repeat(magnitude[..., numpy.newaxis], 3, axis=2)


def write_matrix(matrix):
    """As the parameter has it."""
    rows = (",".join(f"{number:g}" for number in row) for row in matrix)
    return "matrix=<" + ",".join(f"<{row}>" for row in rows) + ">"


# What is compared: the operation, its parameters, and the same by OpenCV.
CASES = [
    ("sharpen", ["radius=1"], lambda image: sharpen(image, blur(image, 1))),
    ("sharpen", ["radius=3", "alpha=3", "beta=-1.75", "gamma=0.1"],
     lambda image: sharpen(image, blur(image, 3), 3, -1.75, 0.1)),
    ("sharpen", ["radius=15", "output=blur"], lambda image: blur(image, 15)),
    ("sharpen", ["kernel=gaussian", "radius=3", "sigma=1.5"],
     lambda image: sharpen(image, blur_gaussian(image, 3, 1.5))),
    ("sharpen", ["kernel=gaussian", "radius=15", "sigma=5", "output=delta"],
     lambda image: image - blur_gaussian(image, 15, 5) + 127.5),
    ("gradient", ["channels=each"], get_magnitude),
    ("gradient", ["scale=2"], lambda image: 2 * get_luma_magnitude(image)),
    ("gradient", ["channels=each", "output=x"],
     lambda image: 127.5 + derive(image, 1) / 2),
    ("gradient", ["channels=each", "output=y", "scale=3"],
     lambda image: 127.5 + 1.5 * derive(image, 0)),
    ("convolution", [write_matrix(DENSE), "bias=0.125"],
     lambda image: cv2.filter2D(image, -1, DENSE / DENSE.sum()) + 31.875),
    ("convolution", [write_matrix(numpy.outer(COLUMN, ROW)), "divisor=50"],
     lambda image: cv2.sepFilter2D(image, -1, ROW, COLUMN) / 50),
    ("convolution", [write_matrix(numpy.ones((7, 3)))],
     lambda image: cv2.blur(image, (3, 7))),
]


def make_frame(width, height):
    """Noise over edges."""
    generator = numpy.random.default_rng([SEED, width, height])
    y, x = numpy.mgrid[0:height, 0:width]
    edges = 120.0 * ((x // 8 + y // 8) % 2)
    frame = edges[..., numpy.newaxis] + generator.uniform(0, 135,
                                                          (height, width, 4))
    return frame.astype(numpy.uint8)


def run(tool, frame, operation, params):
    """What the tool makes of a frame."""
    height, width = frame.shape[:2]
    result = subprocess.run(
        [tool, str(width), str(height), "RGBA", "buffer", operation,
         "auto", *params],
        input=frame.tobytes(), stdout=subprocess.PIPE, check=True)
    return numpy.frombuffer(result.stdout, numpy.uint8).reshape(frame.shape)


def get_wanted(frame, filter_image, border):
    """What OpenCV makes of it, in levels that are not rounded."""
    height, width = frame.shape[:2]
    image = cv2.copyMakeBorder(frame[..., :3], REACH, REACH, REACH, REACH,
                               BORDERS[border], value=BORDER_COLOR)
    wanted = filter_image(image.astype(numpy.float64))
    return numpy.clip(wanted[REACH:REACH + height, REACH:REACH + width], 0, 255)


def main():
    """Compares all."""
    tool, failed, largest = sys.argv[1], 0, 0.0
    for number, (operation, params, filter_image) in enumerate(CASES):
        for count, border in enumerate(BORDERS):
            frame = make_frame(*SIZES[(number + count) % len(SIZES)])
            color = "0xff" + "".join(f"{level:02x}" for level in BORDER_COLOR)
            result = run(tool, frame, operation,
                         [*params, f"border={border}", f"border-color={color}"])
            wanted = get_wanted(frame, filter_image, border)
            difference = numpy.abs(result[..., :3] - wanted).max()
            good = (difference <= TOLERANCE
                    and (result[..., 3] == frame[..., 3]).all())
            failed += not good
            largest = max(largest, difference)
            print(f"{'ok' if good else 'not ok'} {operation} "
                  f"{' '.join(params)}, {border}: {difference:.4f}")
    print(f"largest difference: {largest:.4f}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
