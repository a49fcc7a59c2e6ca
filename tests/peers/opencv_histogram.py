# SPDX-License-Identifier: LGPL-2.1-or-later

"""Compares the histograms with NumPy and OpenCV.

Usage: python3 opencv_histogram.py HISTOGRAM_TOOL PHOTOGRAPH

Both the reference and the kernels, each of these in buffers and in images, are
held to numpy.bincount() and to cv2.calcHist(), which must give the very same
counts. OpenCV is given the luma as a plane: its own has other coefficients.
Formats of video are held to numpy.bincount() of their planes.

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

# Variant and storage, as the tool names them.
COUNTERS = [
    ("reference", "buffer"),
    ("groups", "buffer"),
    ("groups", "image"),
    ("strips", "buffer"),
    ("strips", "image"),
]

CHANNELS = ["red", "green", "blue", "luma"]

# Formats of planes: bits of a component, and those below them; columns and rows
# of the frame for a sample of the differences; how they are stored: each in a
# plane, both in one, or all in groups (components of a group, and where in it
# luma and the differences are).
VIDEO_FORMATS = {
    "GRAY8": (8, 0, None, "planar"),
    "GRAY16_LE": (16, 0, None, "planar"),
    "I420": (8, 0, (2, 2), "planar"),
    "Y42B": (8, 0, (2, 1), "planar"),
    "Y444": (8, 0, (1, 1), "planar"),
    "NV12": (8, 0, (2, 2), "semiplanar"),
    "I420_10LE": (10, 0, (2, 2), "planar"),
    "P010_10LE": (10, 6, (2, 2), "semiplanar"),
    "P016_LE": (16, 0, (2, 2), "semiplanar"),
    "YUY2": (8, 0, (2, 1), (4, (0, 2), (1,), (3,))),
    "UYVY": (8, 0, (2, 1), (4, (1, 3), (0,), (2,))),
    "Y212_LE": (12, 4, (2, 1), (4, (0, 2), (1,), (3,))),
    "Y412_LE": (12, 4, (1, 1), (4, (1,), (0,), (2,))),
}
VIDEO_CHANNELS = ["luma", "cb", "cr"]
MAX_BINS = 1024

# Each channel its own, and none a multiple of four.
CONSTANT = (3, 77, 254)

SEED = 20240301


def make_frame(red, green, blue):
    """RGBA of three planes; in alpha only noise, which must not matter."""
    alpha = numpy.random.default_rng(SEED).integers(0, 256, red.shape)
    planes = numpy.stack([red, green, blue, alpha], axis=-1)
    return planes.astype(numpy.uint8)


def make_noise(width, height):
    generator = numpy.random.default_rng([SEED, width, height])
    return make_frame(*generator.integers(0, 256, (3, height, width)))


def make_gradients(width, height):
    """Across, down, and both: each value in runs along either axis."""
    y, x = numpy.mgrid[0:height, 0:width]
    return make_frame(x * 255 // (width - 1), y * 255 // (height - 1),
                      (x + y) % 256)


def make_constant(width, height):
    return make_frame(*(numpy.full((height, width), value)
                        for value in CONSTANT))


def make_frames(photograph):
    """Names and frames, of widths that are and are not multiples of 16."""
    image = cv2.imread(photograph, cv2.IMREAD_COLOR)
    if image is None:
        sys.exit(f"cannot read {photograph}")
    blue, green, red = (image[..., channel] for channel in range(3))
    photo = make_frame(red, green, blue)
    return {
        "photograph": photo,
        "part of it": photo[3:, 5:-6],
        "noise": make_noise(641, 479),
        "constant": make_constant(320, 241),
        "gradients": make_gradients(530, 263),
        "one pixel": make_noise(1, 1),
        "one row": make_noise(777, 1),
        "one column": make_noise(1, 777),
    }


def get_planes(frame):
    """Red, green, blue and, from its definition, luma."""
    wide = frame.astype(numpy.int64)
    red, green, blue = (wide[..., channel] for channel in range(3))
    luma = (30 * red + 59 * green + 11 * blue + 50) // 100
    return [plane.astype(numpy.uint8) for plane in (red, green, blue, luma)]


def run_tool(tool, width, height, *arguments):
    *words, data = arguments
    result = subprocess.run([tool, str(width), str(height), *words],
                            input=data, stdout=subprocess.PIPE, check=True)
    return numpy.frombuffer(result.stdout, numpy.uint32)


def count_with_tool(tool, frame, variant, storage):
    height, width = frame.shape[:2]
    return run_tool(tool, width, height, "RGBA", storage, "histogram", variant,
                    frame.tobytes()).reshape(4, 256)


def count_with_numpy(planes):
    return numpy.stack([numpy.bincount(plane.ravel(), minlength=256)
                        for plane in planes])


def count_with_opencv(planes, bins=256):
    # Floats, which hold each count up to 2^24.
    return numpy.stack([
        cv2.calcHist([plane], [0], None, [bins], [0, 256]).ravel()
        for plane in planes]).astype(numpy.int64)


def report(description, counts, expected, channels=tuple(CHANNELS)):
    """Prints one comparison; returns whether it held."""
    wrong = numpy.argwhere(counts != expected)
    print(f"{'not ok' if len(wrong) else 'ok'} {description}")
    for channel, value in wrong[:5]:
        print(f"  {channels[channel]} {value}: {counts[channel, value]}, "
              f"not {expected[channel, value]}")
    return len(wrong) == 0


def compare(tool, name, frame):
    """The results of the comparisons of a frame."""
    planes = get_planes(frame)
    by_numpy = count_with_numpy(planes)
    by_opencv = count_with_opencv(planes)
    by_opencv_64 = count_with_opencv(planes, 64)
    for variant, storage in COUNTERS:
        counts = count_with_tool(tool, frame, variant, storage)
        case = f"{name}, {variant}, {storage}"
        yield report(f"{case}: numpy", counts, by_numpy)
        yield report(f"{case}: opencv", counts, by_opencv)
        # Four neighbours are one bin of 64: value >> 2.
        yield report(f"{case}: opencv, 64 bins",
                     counts.reshape(4, 64, 4).sum(axis=-1), by_opencv_64)


def make_samples(name, width, height):
    """Levels of each channel: few in some places, any in others."""
    depth, _, subsampling, _ = VIDEO_FORMATS[name]
    generator = numpy.random.default_rng([SEED, width, height, depth])
    sizes = [(height, width)]
    if subsampling:
        columns, rows = subsampling
        sizes += 2 * [(-(-height // rows), -(-width // columns))]
    channels = [generator.integers(0, 1 << depth, size) for size in sizes]
    for number, channel in enumerate(channels):
        channel[::3] = (number + 1) * (1 << depth) // 5
    return channels


def store_samples(name, channels):
    """The frame's bytes, with noise in the bits and components of no meaning."""
    depth, shift, _, layout = VIDEO_FORMATS[name]
    kind = numpy.uint8 if depth == 8 else numpy.dtype("<u2")
    noise = numpy.random.default_rng(SEED)
    stored = [((channel << shift)
               + noise.integers(0, 1 << shift, channel.shape)).astype(kind)
              for channel in channels]
    if layout == "planar":
        return b"".join(channel.tobytes() for channel in stored)
    if layout == "semiplanar":
        return (stored[0].tobytes()
                + numpy.stack(stored[1:], axis=-1).tobytes())
    components, *places = layout
    groups = noise.integers(0, 65536, (*stored[1].shape, components)
                            ).astype(kind)
    for channel, where in zip(stored, places):
        for number, place in enumerate(where):
            part = channel[:, number::len(where)]
            groups[:, :part.shape[1], place] = part
    return groups.tobytes()


def compare_video(tool, name, width, height):
    """The results of the comparisons of a frame of a video format."""
    depth = VIDEO_FORMATS[name][0]
    channels = make_samples(name, width, height)
    data = store_samples(name, channels)
    bins = min(1 << depth, MAX_BINS)
    expected = numpy.stack([
        numpy.bincount((channel * bins >> depth).ravel(), minlength=bins)
        for channel in channels])
    for variant in ("groups", "strips"):
        counts = run_tool(tool, width, height, name, "buffer", "histogram",
                          variant, data)
        yield report(f"{name}, {width}x{height}, {variant}: numpy",
                     counts.reshape(len(channels), bins), expected,
                     VIDEO_CHANNELS)


def main():
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} HISTOGRAM_TOOL PHOTOGRAPH")
    tool, photograph = sys.argv[1:]

    print(f"OpenCV {cv2.__version__}, NumPy {numpy.__version__}")
    results = [result for name, frame in make_frames(photograph).items()
               for result in compare(tool, name, frame)]
    results += [result for name in VIDEO_FORMATS
                for size in ((352, 288), (67, 45), (1, 1))
                for result in compare_video(tool, name, *size)]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
