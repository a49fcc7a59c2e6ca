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
    """The bytes of a BGR frame as i420, bgr or rgba."""
    if layout == "i420":
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420)
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


def filter_exactly(frame, radius, spatial, intensity, difference="luma"):
    """The bilateral filter in float64, from its definition: disc window, edges
    repeated, one weight a tap. The difference of two pixels is that of their
    luma, or, as OpenCV has it, a third of the sum of those of the channels."""
    height, width = frame.shape[:2]
    padded = numpy.pad(frame / 255.0, [(radius, radius), (radius, radius),
                                       (0, 0)], mode="edge")
    guide = padded @ LUMA if difference == "luma" else padded
    inside = numpy.s_[radius:radius + height, radius:radius + width]
    total = numpy.zeros((height, width, 3))
    weights = numpy.zeros((height, width))
    for j in range(2 * radius + 1):
        for i in range(2 * radius + 1):
            square = (j - radius) ** 2 + (i - radius) ** 2
            if square > radius ** 2:
                continue
            tap = numpy.s_[j:j + height, i:i + width]
            delta = numpy.abs(guide[tap] - guide[inside])
            if difference != "luma":
                delta = delta.sum(axis=-1) / 3
            weight = numpy.exp(-square / (2 * spatial ** 2)
                               - delta ** 2 / (2 * intensity ** 2))
            total += weight[..., numpy.newaxis] * padded[tap]
            weights += weight
    result = total / weights[..., numpy.newaxis] * 255
    return numpy.floor(result + 0.5).astype(numpy.uint8)


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


def decode(data, width, height):
    """An i420 frame as BGR."""
    planes = numpy.frombuffer(data, numpy.uint8)
    return cv2.cvtColor(planes.reshape(height * 3 // 2, width),
                        cv2.COLOR_YUV2BGR_I420)
