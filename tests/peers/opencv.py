# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares the float64 references with OpenCV and NumPy.

Usage: python3 opencv.py OPERATION_TOOL GROUP PHOTOGRAPH

`glopencl check` compares all kernels with the references. This holds them to
software written by others from the same formulas. GROUP is one of

  bilateral        bilateralFilter() on each plane, in floats and in bytes, and
                   on grey frames; ximgproc's jointBilateralFilter() guided by
                   the luma, where OpenCV has ximgproc; and the sums with the
                   weights of each colour mode and window, by NumPy, with
                   OpenCV's L*a*b*
  stencils         blur(), GaussianBlur(), filter2D(), sepFilter2D(), Scharr()
  multiresolution  pyrDown(), pyrUp(), bilateralFilter() and sums, where the
                   definitions agree
  histogram        numpy.bincount() and calcHist() of PHOTOGRAPH and others,
                   which must give the very same counts

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

BORDERS = {
    "clamp-to-edge": cv2.BORDER_REPLICATE,
    "reflect": cv2.BORDER_REFLECT,
    "reflect-101": cv2.BORDER_REFLECT_101,
    "wrap": cv2.BORDER_WRAP,
    "constant": cv2.BORDER_CONSTANT,
}
BORDER_COLOR = (200, 30, 120)
LUMA = numpy.array([0.3, 0.59, 0.11])
SEED = 20240229

# OpenCV's float filters read exp() from a table of 4096 entries, interpolated
# linearly.  With a range of 255 levels a weight is thereby off by up to
# (255 / 4096)^2 / (8 sigma^2), which is 2e-5 for the smallest sigma below (5.1
# levels), and the float32 sums over a few hundred taps add an error of some
# 1e-4 levels.  The largest differences seen are 0.0003 levels, and 0.0008 for
# the joint filter.
FLOAT_TOLERANCE = 0.002

# Bytes: OpenCV sums in float32, so a value that close to a half may be rounded
# the other way.  Seen for 1 value in 75000.
BYTE_TOLERANCE = 1
BYTE_MEAN_TOLERANCE = 0.0001

# The same sums in float64, in another order.  Seen: 2e-12.
EXACT_TOLERANCE = 1e-9

# OpenCV's L*a*b* has coefficients of fewer digits, and is off by up to 0.03
# near black, where 100 make a unit of difference.  Seen in the output: 0.005
# levels.
LAB_TOLERANCE = 0.02


class Tally:
    """Prints and counts comparisons."""

    def __init__(self):
        self.failed = 0
        self.largest = {}

    def check(self, group, description, difference, tolerance=0):
        """Adds one."""
        good = difference <= tolerance
        self.failed += not good
        self.largest[group] = max(self.largest.get(group, 0.0), difference)
        print(f"{'ok' if good else 'not ok'} {group}: {description}: "
              f"{difference:.3g} (at most {tolerance:g})")


def make_frame(width, height, grey=False):
    """RGBA: gradients and an edge under noise, different in each channel.
    Alpha has only noise, which must not matter."""
    generator = numpy.random.default_rng([SEED, width, height])
    y, x = numpy.mgrid[0:height, 0:width]
    across = 200.0 * x / max(width - 1, 1)
    down = 200.0 * y / max(height - 1, 1)
    edge = 90.0 * (2 * x + y > width)
    planes = numpy.stack([across, down + edge / 2, 255.0 - across, edge], -1)
    noise = generator.normal(0, 20, (height, width, 3))
    if grey:
        planes[..., :3] = (across / 2 + edge)[..., numpy.newaxis]
        noise[..., 1:] = noise[..., :1]
    planes[..., :3] += noise
    planes[..., 3] = generator.uniform(0, 255, (height, width))
    return planes.round().clip(0, 255).astype(numpy.uint8)


def run(tool, frame, operation, *params, border="clamp-to-edge",
        color=BORDER_COLOR):
    """R, G and B of the reference, in levels that are not rounded."""
    height, width = frame.shape[:2]
    hexadecimal = "".join(f"{level:02x}" for level in color)
    output = subprocess.run(
        [tool, str(width), str(height), "RGBA", "buffer", operation,
         "reference", *params, f"border={border}",
         f"border-color=0xff{hexadecimal}"],
        input=frame.tobytes(), stdout=subprocess.PIPE, check=True).stdout
    return numpy.moveaxis(numpy.frombuffer(output).reshape(3, height, width),
                          0, -1)


def surround(frame, reach, border, color=BORDER_COLOR):
    """R, G and B within OpenCV's border. It is there before a filter runs, since
    some filters lack borders, or have a black constant."""
    return cv2.copyMakeBorder(frame[..., :3], *[reach] * 4, BORDERS[border],
                              value=color)


def crop(image, reach):
    """Reverts surround()."""
    return image[reach:image.shape[0] - reach, reach:image.shape[1] - reach]


def get_difference(actual, expected):
    """The largest."""
    return float(numpy.abs(numpy.asarray(actual, float) - expected).max())


# Width and height. The last two are smaller than most windows.
BILATERAL_SIZES = [(64, 48), (37, 53), (5, 4), (1, 9)]

# Spatial sigma, intensity sigma, radius.
BILATERAL_PARAMETERS = [(0.7, 0.2, 1), (1.0, 0.02, 3), (1.75, 0.05, 3),
                        (3.0, 0.1, 6), (2.0, 0.4, 5), (5.0, 1.0, 8)]


def linear(octets):
    """The light that sRGB bytes stand for.  OpenCV decodes sRGB too, but then
    interpolates L*a*b* in a coarse table that is off by up to 0.5."""
    encoded = octets / 255.0
    return numpy.where(encoded <= 0.04045, encoded / 12.92,
                       ((encoded + 0.055) / 1.055) ** 2.4)


def get_guides(source, mode):
    """The guide of the differences, and whether all channels share a weight."""
    if mode == "intensity":
        return source @ LUMA[:, numpy.newaxis] / 255, True
    if mode == "per-channel":
        return source / 255, False
    lab = cv2.cvtColor(linear(source).astype(numpy.float32),
                       cv2.COLOR_LRGB2Lab)
    return lab.astype(float) / 100, True


def sum_weighted(source, mode, window, spatial, intensity, radius):
    """The definition."""
    guides, together = get_guides(source, mode)
    height, width = crop(source, radius).shape[:2]
    total, weights = numpy.zeros((2, height, width, 3))
    offsets = range(2 * radius + 1)
    for row, column in itertools.product(offsets, offsets):
        squared = (row - radius) ** 2 + (column - radius) ** 2
        if window == "disc" and squared > radius ** 2:
            continue
        tap = numpy.s_[row:row + height, column:column + width]
        delta = (guides[tap] - crop(guides, radius)) ** 2
        if together:
            delta = delta.sum(axis=-1, keepdims=True)
        weight = numpy.exp(-squared / (2 * spatial ** 2)
                           - delta / (2 * intensity ** 2))
        total += weight * source[tap]
        weights += weight
    return total / weights


def filter_planes(source, kind, spatial, intensity, radius):
    """bilateralFilter() on each channel as a plane of that type."""
    return crop(numpy.dstack([
        cv2.bilateralFilter(numpy.ascontiguousarray(source[..., c], kind),
                            2 * radius + 1, 255.0 * intensity, spatial)
        for c in range(3)]), radius)


def compare_bilateral(tool, tally):
    """All parameters in all borders."""
    bytes_off = []
    for size, parameters, border in itertools.product(
            BILATERAL_SIZES, BILATERAL_PARAMETERS, BORDERS):
        spatial, intensity, radius = parameters
        name = f"{size}, {parameters}, {border}"
        frame, grey = make_frame(*size), make_frame(*size, grey=True)
        source = surround(frame, radius, border)
        settings = [f"spatial-sigma={spatial}", f"intensity-sigma={intensity}",
                    f"radius={radius}"]
        results = {}
        for mode, window in itertools.product(
                ("intensity", "per-channel", "lab"), ("square", "disc")):
            results[mode, window] = run(
                tool, frame, "bilateral", *settings, f"color-mode={mode}",
                f"window={window}", border=border)
            tally.check(f"{mode} {window}", name, get_difference(
                results[mode, window],
                sum_weighted(source, mode, window, *parameters)),
                LAB_TOLERANCE if mode == "lab" else EXACT_TOLERANCE)
        planes = results["per-channel", "disc"]
        tally.check("float32", name, get_difference(
            filter_planes(source, numpy.float32, *parameters), planes),
            FLOAT_TOLERANCE)
        bytes_off.append(numpy.abs(
            filter_planes(source, numpy.uint8, *parameters)
            - numpy.floor(planes + 0.5)).ravel())
        tally.check("bytes", name, bytes_off[-1].max(), BYTE_TOLERANCE)
        # A frame with R = G = B is its own luma.
        middle = BORDER_COLOR[2:] * 3
        tally.check("grey", name, get_difference(
            filter_planes(surround(grey, radius, border, middle),
                          numpy.float32, *parameters),
            run(tool, grey, "bilateral", *settings, "color-mode=intensity",
                "window=disc", border=border, color=middle)), FLOAT_TOLERANCE)
        if hasattr(cv2, "ximgproc"):
            floats = source.astype(numpy.float32)
            tally.check("joint", name, get_difference(
                crop(cv2.ximgproc.jointBilateralFilter(
                    (floats @ LUMA).astype(numpy.float32), floats,
                    2 * radius + 1, 255.0 * intensity, spatial), radius),
                results["intensity", "disc"]), FLOAT_TOLERANCE)
    tally.check("mean of bytes", "all of the above",
                float(numpy.concatenate(bytes_off).mean()),
                BYTE_MEAN_TOLERANCE)


REACH = 16      # of what is surrounded: more than any window
STENCIL_SIZES = [(64, 48), (37, 21), (17, 17)]

DENSE = numpy.array([[3, 1, 4], [1, 5, -9], [2, 6, 5], [3, 5, -8], [9, 7, 9]],
                    numpy.float64)
ROW = numpy.array([1, 4, 6, 4, 1], numpy.float64)
COLUMN = numpy.array([-1, 0, 5, 0, 2], numpy.float64)


def blur(image, radius, sigma=None):
    """The mean of a window, or with weights that fall with the distance."""
    size = (2 * radius + 1, 2 * radius + 1)
    return cv2.GaussianBlur(image, size, sigma) if sigma else cv2.blur(image,
                                                                       size)


def sharpen(image, blurred, alpha=1.5, beta=-0.5, gamma=0.0):
    """The formula of glopenclsharpen for a blur."""
    return cv2.addWeighted(image, alpha, blurred, beta, gamma * 255)


def derive(image, x):
    """One of Scharr's derivatives, between -1 and 1 for levels from 0 to 1."""
    return cv2.Scharr(image, cv2.CV_64F, x, 1 - x) / 16


def get_magnitude(image):
    """Of both derivatives, of each channel."""
    return numpy.hypot(derive(image, 1), derive(image, 0))


def write_matrix(matrix):
    """As the parameter has it."""
    rows = (",".join(f"{number:g}" for number in row) for row in matrix)
    return "matrix=<" + ",".join(f"<{row}>" for row in rows) + ">"


# The comparisons: the operation, its parameters, and the equivalent in OpenCV.
STENCILS = [
    ("sharpen", ["radius=1"], lambda image: sharpen(image, blur(image, 1))),
    ("sharpen", ["radius=3", "alpha=3", "beta=-1.75", "gamma=0.1"],
     lambda image: sharpen(image, blur(image, 3), 3, -1.75, 0.1)),
    ("sharpen", ["radius=15", "output=blur"], lambda image: blur(image, 15)),
    ("sharpen", ["kernel=gaussian", "radius=3", "sigma=1.5"],
     lambda image: sharpen(image, blur(image, 3, 1.5))),
    ("sharpen", ["kernel=gaussian", "radius=15", "sigma=5", "output=delta"],
     lambda image: image - blur(image, 15, 5) + 127.5),
    ("gradient", ["channels=each"], get_magnitude),
    ("gradient", ["scale=2"], lambda image: 2 * numpy.repeat(
        get_magnitude(image @ LUMA)[..., numpy.newaxis], 3, axis=2)),
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


def compare_stencils(tool, tally):
    """Each in all borders."""
    for number, (operation, params, filter_image) in enumerate(STENCILS):
        for count, border in enumerate(BORDERS):
            frame = make_frame(*STENCIL_SIZES[(number + count)
                                              % len(STENCIL_SIZES)])
            wanted = crop(filter_image(surround(frame, REACH, border).astype(
                numpy.float64)), REACH)
            result = run(tool, frame, operation, *params, border=border)
            tally.check(operation, f"{params}, {border}", get_difference(
                result.clip(0, 255), wanted.clip(0, 255)), EXACT_TOLERANCE)


BAND_RADIUS = 2

# Levels, spatial sigma, sigmas of intensity and gains of all bands.
BANDS = [
    (1, 0.5, [0.2, 0.2], [1, 1]),
    (3, 0.5, [0.3, 0.1, 0.05, 0.1], [1, 1, 1, 1]),
    (3, 0.5, [0, 0, 0, 0], [1.5, 0.5, 1.25, 1]),
    (4, 0.4, [0.1, 0, 0.4, 0, 0.2], [2, 1, 0, 1, 0.9]),
]

# The tolerance for the interpolation of bilateralFilter(), and for the corners
# of the window, which OpenCV's disc lacks: with these sigmas their weights are
# negligible.
BAND_TOLERANCE = 0.05


def filter_bands(channel, spatial, sigmas, gains):
    """The whole chain on one channel."""
    def smooth(k, band):
        return gains[k] * (band if sigmas[k] == 0 else cv2.bilateralFilter(
            band, 2 * BAND_RADIUS + 1, sigmas[k] * 255, spatial,
            borderType=cv2.BORDER_REFLECT_101))

    levels = [channel.astype(numpy.float32)]
    for _ in sigmas[1:]:
        levels.append(cv2.pyrDown(levels[-1]))
    result = smooth(len(sigmas) - 1, levels.pop())
    coarse = cv2.pyrDown(levels[-1])
    for k in range(len(sigmas) - 2, -1, -1):
        size = levels[k].shape[1::-1]
        result = (smooth(k, levels[k] - cv2.pyrUp(coarse, dstsize=size))
                  + cv2.pyrUp(result, dstsize=size))
        coarse = levels[k]
    return result


def compare_multiresolution(tool, tally):
    """Channel by channel, because OpenCV has another distance of colours, and
    away from the edges, where pyrUp() has a different border."""
    for number, (levels, spatial, sigmas, gains) in enumerate(BANDS):
        frame = make_frame(*[(320, 240), (352, 288)][number % 2])
        result = run(tool, frame, "multiresolution", f"levels={levels}",
                     f"spatial-sigma={spatial}", f"radius={BAND_RADIUS}",
                     "color-mode=per-channel",
                     f"intensity-sigmas=<{','.join(map(str, sigmas))}>",
                     f"gains=<{','.join(map(str, gains))}>",
                     border="reflect-101")
        wanted = numpy.dstack([filter_bands(frame[..., c], spatial, sigmas,
                                            gains) for c in range(3)])
        # The extent of the borders of all levels.
        margin = 5 * 2 ** levels
        tally.check("multiresolution", f"{levels} levels, {sigmas}, {gains}",
                    get_difference(crop(result, margin), crop(wanted, margin)),
                    BAND_TOLERANCE)


# Formats of planes: bits of a component, and unused bits, columns and rows of
# the frame per sample of the differences, and whether these share a plane.
# Groups of components are in tests/check/histogram.c.
VIDEO_FORMATS = {
    "GRAY8": (8, 0, None, False), "GRAY16_LE": (16, 0, None, False),
    "I420": (8, 0, (2, 2), False), "Y42B": (8, 0, (2, 1), False),
    "Y444": (8, 0, (1, 1), False), "I420_10LE": (10, 0, (2, 2), False),
    "NV12": (8, 0, (2, 2), True), "P010_10LE": (10, 6, (2, 2), True),
    "P016_LE": (16, 0, (2, 2), True),
}
MAX_BINS = 1024


def make_samples(name, width, height):
    """Levels of each channel, few in some places, any in others, and the bytes
    of the frame, with noise in the unused bits."""
    depth, shift, subsampling, together = VIDEO_FORMATS[name]
    generator = numpy.random.default_rng([SEED, width, height, depth])
    sizes = [(height, width)]
    if subsampling:
        columns, rows = subsampling
        sizes += 2 * [(-(-height // rows), -(-width // columns))]
    channels = [generator.integers(0, 1 << depth, size) for size in sizes]
    for number, channel in enumerate(channels):
        channel[::3] = (number + 1) * (1 << depth) // 5
    planes = [((channel << shift)
               + generator.integers(0, 1 << shift, channel.shape)).astype(
                   numpy.uint8 if depth == 8 else "<u2")
              for channel in channels]
    if together:
        planes[1:] = [numpy.stack(planes[1:], axis=-1)]
    return channels, b"".join(plane.tobytes() for plane in planes)


def count_with_tool(tool, name, size, n_channels, data):
    """A row for each channel."""
    output = subprocess.run(
        [tool, *map(str, size), name, "buffer", "histogram", "reference"],
        input=data, stdout=subprocess.PIPE, check=True).stdout
    return numpy.frombuffer(output, numpy.uint32).astype(int).reshape(
        n_channels, -1)


def count_with_opencv(planes, bins):
    """calcHist() has floats, which hold each count up to 2^24."""
    return numpy.stack([
        cv2.calcHist([plane], [0], None, [bins], [0, 256]).ravel()
        for plane in planes]).astype(int)


def compare_histogram(tool, tally, photograph):
    """RGBA, of widths that are and are not multiples of 16, and formats of
    video."""
    image = cv2.imread(photograph)
    if image is None:
        sys.exit(f"cannot read {photograph}")
    photo = cv2.cvtColor(image, cv2.COLOR_BGR2RGBA)
    constant = numpy.full((241, 320, 4), (3, 77, 254, 9), numpy.uint8)
    for frame in (photo, photo[3:, 5:-6], constant, make_frame(641, 479),
                  make_frame(1, 1), make_frame(777, 1), make_frame(1, 777)):
        height, width = frame.shape[:2]
        wide = frame.astype(int)
        # Given as a plane: OpenCV's luma has other coefficients.
        luma = (wide[..., :3] @ numpy.array([30, 59, 11]) + 50) // 100
        planes = [*numpy.moveaxis(frame[..., :3], -1, 0).copy(),
                  luma.astype(numpy.uint8)]
        counts = count_with_tool(tool, "RGBA", (width, height), 4,
                                 frame.tobytes())
        name = f"RGBA, {width}x{height}"
        tally.check("numpy", name, get_difference(counts, [
            numpy.bincount(plane.ravel(), minlength=256) for plane in planes]))
        tally.check("opencv", name, get_difference(
            counts, count_with_opencv(planes, 256)))
        # Four neighbours are one bin of 64: value >> 2.
        tally.check("opencv, 64 bins", name, get_difference(
            counts.reshape(4, 64, 4).sum(axis=-1),
            count_with_opencv(planes, 64)))
    for name, size in itertools.product(VIDEO_FORMATS,
                                        ((352, 288), (67, 45), (1, 1))):
        depth = VIDEO_FORMATS[name][0]
        channels, data = make_samples(name, *size)
        bins = min(1 << depth, MAX_BINS)
        tally.check("numpy", f"{name}, {size}", get_difference(
            count_with_tool(tool, name, size, len(channels), data),
            [numpy.bincount((channel * bins >> depth).ravel(), minlength=bins)
             for channel in channels]))


def main():
    """Runs a group."""
    if len(sys.argv) != 4:
        sys.exit(f"usage: {sys.argv[0]} OPERATION_TOOL GROUP PHOTOGRAPH")
    tool, group, photograph = sys.argv[1:]
    tally = Tally()
    # The frames are too small to share out.
    cv2.setNumThreads(1)
    print(f"OpenCV {cv2.__version__}, NumPy {numpy.__version__}")
    if group == "histogram":
        compare_histogram(tool, tally, photograph)
    else:
        {"bilateral": compare_bilateral, "stencils": compare_stencils,
         "multiresolution": compare_multiresolution}[group](tool, tally)
    for name, difference in tally.largest.items():
        print(f"largest difference, {name}: {difference:.3g}")
    sys.exit(tally.failed > 0)


if __name__ == "__main__":
    main()
