# SPDX-License-Identifier: LGPL-2.1-or-later
"""Frames to filter, the exact filter to compare with, and how near a result
is."""
import cv2
import numpy

# Weights of blue, green and red.
LUMA = numpy.array([0.11, 0.59, 0.3])
UNIQUE_FRAMES = 12


def make_frame(width, height, number=0):
    """Shapes, a gradient and noise, as BGR; each number is another frame."""
    y, x = numpy.mgrid[0:height, 0:width]
    x = (x + 16 * number) % width
    frame = numpy.stack([x * 200 // width, y * 200 // height,
                         (x + y) * 200 // (width + height)], axis=-1)
    frame = numpy.ascontiguousarray(frame.astype(numpy.uint8))
    for i in range(40):
        center = ((37 * i * 31 + 9 * number) % width, 53 * i * 17 % height)
        cv2.circle(frame, center, (20 + i) * height // 720 + 1,
                   (i * 6, 255 - i * 5, i * 37 % 256), -1)
    noise = numpy.random.default_rng(number + 1).normal(0, 8, frame.shape)
    return numpy.clip(frame + noise, 0, 255).astype(numpy.uint8)


def pack(frame, layout):
    """The bytes of a BGR frame as i420, gray, bgr or rgba."""
    if layout == "i420":
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420)
    elif layout == "gray":
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    elif layout == "rgba":
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2RGBA)
    return frame.tobytes()


def unpack(data, width, height, layout):
    """The first frame of the bytes, as BGR; of i420 as it is stored."""
    octets = numpy.frombuffer(data, numpy.uint8,
                              get_size(width, height, layout))
    if layout == "i420":
        return octets
    if layout == "bgr":
        return octets.reshape(height, width, 3)
    return octets.reshape(height, width, 4)[..., 2::-1]


def get_size(width, height, layout):
    """Bytes of a frame."""
    if layout == "i420":
        return width * height * 3 // 2
    return width * height * {"bgr": 3, "rgba": 4}[layout]


def write_frames(path, width, height, layout, count):
    """A file of so many frames, which come again after a while."""
    packed = [pack(make_frame(width, height, number), layout)
              for number in range(min(count, UNIQUE_FRAMES))]
    with open(path, "wb") as file:
        for number in range(count):
            file.write(packed[number % len(packed)])


def make_plane(width, height):
    """The first frame, grey."""
    frame = pack(make_frame(width, height), "gray")
    return numpy.frombuffer(frame, numpy.uint8).reshape(height, width)


def filter_samples(samples, guide, radius, spatial, intensity, step=1,
                   difference="distance", window="disc"):
    """The bilateral filter in float64, from its definition: a disc or a square
    for a window, edges repeated, one weight a tap; samples are in [0, 1], `step`
    pixels apart. The difference of two is that of what guides them, or, as
    OpenCV has it, a third of the sum of those of three channels."""
    height, width = samples.shape[:2]
    reach = radius // step
    edges = [(reach, reach), (reach, reach), (0, 0)]
    samples = numpy.pad(samples, edges, mode="edge")
    guide = numpy.pad(guide, edges, mode="edge")
    inside = numpy.s_[reach:reach + height, reach:reach + width]
    total = numpy.zeros(samples[inside].shape)
    weights = numpy.zeros((height, width, 1))
    for j in range(-reach, reach + 1):
        for i in range(-reach, reach + 1):
            square = step ** 2 * (j ** 2 + i ** 2)
            if window == "disc" and square > radius ** 2:
                continue
            tap = numpy.s_[reach + j:reach + j + height,
                           reach + i:reach + i + width]
            delta = numpy.abs(guide[tap] - guide[inside])
            delta = delta.sum(axis=-1, keepdims=True)
            if difference == "sum":
                delta /= 3
            weight = numpy.exp(-square / (2 * spatial ** 2)
                               - delta ** 2 / (2 * intensity ** 2))
            total += weight * samples[tap]
            weights += weight
    return numpy.floor(total / weights * 255 + 0.5).astype(numpy.uint8)


def filter_exactly(frame, radius, spatial, intensity, difference="luma"):
    """A BGR frame; the difference of two pixels is that of their luma, or the
    "sum" of those of the channels."""
    samples = frame / 255.0
    guide = samples if difference == "sum" else samples @ LUMA[:, None]
    return filter_samples(samples, guide, radius, spatial, intensity,
                          difference=difference)


def filter_plane_exactly(plane, radius, spatial, intensity, window):
    """A grey plane of bytes."""
    samples = plane[..., None] / 255.0
    return filter_samples(samples, samples, radius, spatial, intensity,
                          window=window)[..., 0]


def filter_planes_exactly(data, width, height, radius, spatial, intensity,
                          difference="luma"):
    """An i420 frame of even size; the difference of two samples is that of the
    mean luma of their pixels, or that of each plane by itself ("own")."""
    size = width * height
    planes = data.astype(numpy.float64) / 255
    luma = planes[:size].reshape(height, width, 1)
    chroma = [planes[start:start + size // 4].reshape(height // 2, width // 2, 1)
              for start in (size, size * 5 // 4)]
    mean = luma.reshape(height // 2, 2, width // 2, 2, 1).mean(axis=(1, 3))
    filtered = [filter_samples(luma, luma, radius, spatial, intensity)]
    for plane in chroma:
        guide = plane if difference == "own" else mean
        filtered.append(filter_samples(plane, guide, radius, spatial,
                                       intensity, step=2))
    return numpy.concatenate([plane.ravel() for plane in filtered])


def measure_psnr(first, second):
    """Decibels; infinite where both are the same."""
    error = numpy.mean((first.astype(numpy.float64) - second) ** 2)
    return 10 * numpy.log10(255 ** 2 / error) if error else float("inf")


def find_largest_difference(first, second):
    """Of two bytes."""
    return int(numpy.abs(first.astype(int) - second).max())


def find_mean_difference(first, second):
    """Of two bytes, with its sign."""
    return float(numpy.mean(first.astype(int) - second))
