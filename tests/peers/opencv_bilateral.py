# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares the reference filter with OpenCV.

Usage: python3 opencv_bilateral.py REFERENCE_TOOL

The reference is what the plugin is held to; this holds the reference to
software written by others from the same formulas:

  float32        per-channel, disc: bilateralFilter() on each plane in floats
  8-bit          the same on bytes, the reference being rounded
  grey           intensity, disc: a frame with R = G = B is its own luma, so
                 bilateralFilter() on the one plane
  joint          intensity, disc: ximgproc's jointBilateralFilter() guided by
                 the luma (skipped where OpenCV was built without ximgproc)
  gaussian       square, every colour mode: with an infinite intensity sigma
                 what is left is GaussianBlur()
  lab            both windows: the weights are summed here, the L*a*b* values
                 and the border are OpenCV's

Exit status: 0, 1 if a comparison failed, 77 if OpenCV is not installed.
"""

import itertools
import subprocess
import sys

try:
    import cv2
    import numpy
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# OpenCV's float filters read exp() from a table of 4096 entries, interpolated
# linearly.  With a range of 255 levels a weight is thereby off by up to
# (255 / 4096)^2 / (8 sigma^2), which is 2e-5 for the smallest sigma below (5.1
# levels), and the float32 sums over a few hundred taps add an error of some
# 1e-4 levels.  The largest differences seen are 0.0003 levels, and 0.0008 for
# joint.
FLOAT_TOLERANCE = 0.002

# Bytes: OpenCV sums in float32, so a value that close to a half may be rounded
# the other way.  Seen for 1 value in 75000.
BYTE_TOLERANCE = 1
BYTE_MEAN_TOLERANCE = 0.0001

# GaussianBlur() in float64 does the same sums in another order.  Seen: 5e-13.
GAUSSIAN_TOLERANCE = 1e-9

# OpenCV's L*a*b* has coefficients of fewer digits, and is off by up to 0.03
# near black, where 100 make a unit of difference.  Seen in the output: 0.005
# levels.
LAB_TOLERANCE = 0.02

BORDERS = {
    "clamp-to-edge": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect-101": cv2.BORDER_REFLECT_101,
    "wrap": cv2.BORDER_WRAP,
    "constant": cv2.BORDER_CONSTANT,
}
BORDER_COLOR = (200, 30, 120, 255)
BORDER_GREY = (120, 120, 120, 255)

# Width and height; the last two are smaller than most windows.
SIZES = [(64, 48), (37, 53), (5, 4), (1, 9)]

# Spatial sigma, intensity sigma, radius (-1: floor(2 * spatial sigma)).
PARAMETERS = [
    (0.7, 0.2, -1),
    (1.0, 0.02, 3),
    (1.75, 0.05, -1),
    (3.0, 0.1, 6),
    (2.0, 0.4, 5),
    (5.0, 1.0, 8),
]

SEED = 20240229


class Tally:
    """Prints and counts the comparisons."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.largest = {}

    def check(self, group, description, difference, tolerance):
        good = difference <= tolerance
        self.passed += good
        self.failed += not good
        self.largest[group] = max(self.largest.get(group, 0.0), difference)
        print(f"{'ok' if good else 'not ok'} {group}: {description}: "
              f"{difference:.3g} (at most {tolerance:g})")

    def report(self):
        for group, difference in self.largest.items():
            print(f"largest difference, {group}: {difference:.3g}")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


class Case:
    """A frame and the parameters it is filtered with."""

    def __init__(self, frame, spatial, intensity, radius, border,
                 border_color=BORDER_COLOR):
        self.frame = frame
        self.spatial = spatial
        self.intensity = intensity
        self.radius_argument = radius
        self.radius = int(2 * spatial) if radius < 0 else radius
        self.border = border
        self.border_color = border_color

    def __str__(self):
        height, width = self.frame.shape[:2]
        return (f"{width}x{height}, sigmas {self.spatial:g} "
                f"{self.intensity:g}, radius {self.radius}, {self.border}")

    def reference(self, tool, mode, window):
        """The reference's R, G, B in grey levels, as float64."""
        height, width = self.frame.shape[:2]
        arguments = [width, height, self.spatial, self.intensity,
                     self.radius_argument, mode, window, self.border,
                     ",".join(map(str, self.border_color))]
        result = subprocess.run([tool, *map(str, arguments)],
                                input=self.frame.tobytes(),
                                stdout=subprocess.PIPE, check=True)
        return numpy.frombuffer(result.stdout).reshape(height, width, 3)

    def bordered(self):
        """R, G and B within OpenCV's border, as wide as the radius."""
        return cv2.copyMakeBorder(self.frame[..., :3], *[self.radius] * 4,
                                  BORDERS[self.border],
                                  value=self.border_color[:3])

    def cropped(self, image):
        """What bordered() surrounded."""
        height, width = self.frame.shape[:2]
        return image[self.radius:self.radius + height,
                     self.radius:self.radius + width]

    def opencv(self, channel, kind):
        """bilateralFilter() on one channel as a plane of that type."""
        size = 2 * self.radius + 1
        sigmas = (255.0 * self.intensity, self.spatial)
        if self.border == "constant":
            # OpenCV's constant is always black, so that another one has to be
            # there before the filter runs.
            plane = self.bordered()[..., channel].astype(kind)
            return self.cropped(cv2.bilateralFilter(plane, size, *sigmas))
        plane = self.frame[..., channel].astype(kind)
        return cv2.bilateralFilter(plane, size, *sigmas,
                                   borderType=BORDERS[self.border])


def make_frame(width, height, grey=False):
    """Gradients and an edge under noise, each channel its own; in alpha only
    noise, which must not matter."""
    generator = numpy.random.default_rng([SEED, width, height])
    y, x = numpy.mgrid[0:height, 0:width]
    across = 200.0 * x / max(width - 1, 1)
    down = 200.0 * y / max(height - 1, 1)
    edge = 90.0 * (2 * x + y > width)
    planes = numpy.stack([across, down, 255.0 - across, edge], axis=-1)
    planes[..., 1] += edge / 2
    if grey:
        planes[..., :3] = (across / 2 + edge)[..., numpy.newaxis]
        planes[..., :3] += generator.normal(0, 20, (height, width, 1))
    else:
        planes[..., :3] += generator.normal(0, 20, (height, width, 3))
    planes[..., 3] = generator.uniform(0, 255, (height, width))
    return planes.round().clip(0, 255).astype(numpy.uint8)


def luma(colours):
    red, green, blue = (colours[..., channel] for channel in range(3))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def largest_difference(actual, expected):
    return float(numpy.abs(actual.astype(numpy.float64) - expected).max())


def compare_planes(tool, case, tally):
    """Returns the differences of the bytes."""
    expected = case.reference(tool, "per-channel", "disc")
    floats = numpy.stack([case.opencv(channel, numpy.float32)
                          for channel in range(3)], axis=-1)
    tally.check("float32", case, largest_difference(floats, expected),
                FLOAT_TOLERANCE)

    rounded = numpy.floor(expected + 0.5)
    octets = numpy.stack([case.opencv(channel, numpy.uint8)
                          for channel in range(3)], axis=-1)
    tally.check("8-bit", case, largest_difference(octets, rounded),
                BYTE_TOLERANCE)
    return numpy.abs(octets - rounded)


def compare_grey(tool, case, tally):
    expected = case.reference(tool, "intensity", "disc")
    plane = case.opencv(0, numpy.float32)
    tally.check("grey", case,
                largest_difference(plane[..., numpy.newaxis], expected),
                FLOAT_TOLERANCE)


def compare_joint(tool, case, tally):
    expected = case.reference(tool, "intensity", "disc")
    # bordered beforehand for the reason given in Case.opencv()
    source = case.bordered().astype(numpy.float32)
    actual = cv2.ximgproc.jointBilateralFilter(
        luma(source), source, 2 * case.radius + 1, 255.0 * case.intensity,
        case.spatial)
    tally.check("joint", case,
                largest_difference(case.cropped(actual), expected),
                FLOAT_TOLERANCE)


def compare_gaussian(tool, case, tally):
    size = (2 * case.radius + 1,) * 2
    actual = case.cropped(cv2.GaussianBlur(
        case.bordered().astype(numpy.float64), size, case.spatial))
    for mode in ("intensity", "per-channel", "lab"):
        expected = case.reference(tool, mode, "square")
        tally.check("gaussian", f"{case}, {mode}",
                    largest_difference(actual, expected), GAUSSIAN_TOLERANCE)


def linear(octets):
    """The light that sRGB bytes stand for.  OpenCV decodes sRGB too, but then
    interpolates L*a*b* in a coarse table that is off by up to 0.5."""
    encoded = octets / 255.0
    return numpy.where(encoded <= 0.04045, encoded / 12.92,
                       ((encoded + 0.055) / 1.055) ** 2.4)


def sum_with_lab(case, window):
    source = case.bordered()
    lab = cv2.cvtColor(linear(source).astype(numpy.float32),
                       cv2.COLOR_LRGB2Lab).astype(numpy.float64)
    height, width = case.frame.shape[:2]
    total = numpy.zeros((height, width, 3))
    weights = numpy.zeros((height, width, 1))
    offsets = range(2 * case.radius + 1)
    for row, column in itertools.product(offsets, offsets):
        squared = (row - case.radius) ** 2 + (column - case.radius) ** 2
        if window == "disc" and squared > case.radius ** 2:
            continue
        tap = numpy.s_[row:row + height, column:column + width]
        delta = numpy.linalg.norm(lab[tap] - case.cropped(lab), axis=-1,
                                  keepdims=True) / 100
        weight = (numpy.exp(-squared / (2 * case.spatial ** 2))
                  * numpy.exp(-delta ** 2 / (2 * case.intensity ** 2)))
        total += weight * source[tap]
        weights += weight
    return total / weights


def compare_lab(tool, case, tally):
    for window in ("square", "disc"):
        tally.check("lab", f"{case}, {window}",
                    largest_difference(sum_with_lab(case, window),
                                       case.reference(tool, "lab", window)),
                    LAB_TOLERANCE)


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} REFERENCE_TOOL")
    tool = sys.argv[1]
    tally = Tally()
    byte_differences = []

    # the frames are too small to share out
    cv2.setNumThreads(1)
    print(f"OpenCV {cv2.__version__}, NumPy {numpy.__version__}")
    has_ximgproc = hasattr(cv2, "ximgproc")
    if not has_ximgproc:
        print("skipped: joint (OpenCV without ximgproc)")

    for size, parameters, border in itertools.product(SIZES, PARAMETERS,
                                                      BORDERS):
        case = Case(make_frame(*size), *parameters, border)
        byte_differences.append(compare_planes(tool, case, tally).ravel())
        if has_ximgproc:
            compare_joint(tool, case, tally)
        compare_lab(tool, case, tally)
        compare_grey(tool, Case(make_frame(*size, grey=True), *parameters,
                                border, BORDER_GREY), tally)

    for size, (spatial, _, radius), border in itertools.product(
            SIZES, PARAMETERS, BORDERS):
        compare_gaussian(tool, Case(make_frame(*size), spatial, float("inf"),
                                    radius, border), tally)

    tally.check("8-bit mean", "all of the above",
                float(numpy.concatenate(byte_differences).mean()),
                BYTE_MEAN_TOLERANCE)
    return tally.report()


if __name__ == "__main__":
    sys.exit(main())
