#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes the reference pictures for the looks of glopenclsharpen from
photograph.png in this folder, with NumPy in double precision, from the
formulas in gst/opencl/convolution/oclsharpen.h and the description of each
look in gst-inspect-1.0.

    tests/looks/make.py             makes them
    tests/looks/make.py PICTURE     makes photograph.png of PICTURE's middle

"""

import pathlib
import sys

import cv2
import numpy

FOLDER = pathlib.Path(__file__).parent
WIDTH, HEIGHT = 80, 60

# alpha, beta, gamma. None shows the blur alone. Then the radius, and the sigma
# of a Gaussian or None for a mean. The look original is the photograph.
LOOKS = {
    'sharp': ((1.5, -0.5, 0.0), 3, None),
    'blur': (None, 9, 4.0),
    'edges': ((5.0, -5.0, 0.0), 2, None),
    'old-photo': ((0.2, 0.5, 0.2), 4, 1.5),
    'emboss': ((3.0, -3.0, 0.5), 1, None),
    'negative': ((-1.0, 0.0, 1.0), 1, None),
    'glow': ((0.8, 0.6, -0.05), 24, 10.0),
}


def get_weights(radius, sigma):
    """The weights of a row: those of the window are their products."""
    offsets = numpy.arange(-radius, radius + 1, dtype=numpy.float64)
    weights = numpy.ones(2 * radius + 1)
    if sigma is not None:
        weights = numpy.exp(-offsets ** 2 / (2.0 * sigma ** 2))
    return weights / weights.sum()


def blur(levels, radius, sigma):
    """The blur, with the nearest pixel for one outside."""
    weights = get_weights(radius, sigma)
    padded = numpy.pad(levels, ((radius, radius), (radius, radius), (0, 0)),
                       mode='edge')
    height, width = levels.shape[:2]
    rows = sum(weight * padded[n:n + height]
               for n, weight in enumerate(weights))
    return sum(weight * rows[:, n:n + width]
               for n, weight in enumerate(weights))


def make_look(photograph, factors, radius, sigma):
    """The look, in whole levels."""
    levels = photograph / 255.0
    blurred = blur(levels, radius, sigma)
    if factors is None:
        result = blurred
    else:
        alpha, beta, gamma = factors
        result = alpha * levels + beta * blurred + gamma
    return numpy.rint(numpy.clip(result, 0.0, 1.0) * 255.0).astype(numpy.uint8)


def main():
    """Makes the photograph, or all looks of it."""
    if len(sys.argv) > 1:
        picture = cv2.imread(sys.argv[1])
        y = (picture.shape[0] - HEIGHT) // 2
        x = (picture.shape[1] - WIDTH) // 2
        cv2.imwrite(str(FOLDER / 'photograph.png'),
                    picture[y:y + HEIGHT, x:x + WIDTH])
        return
    photograph = cv2.imread(str(FOLDER / 'photograph.png'))
    for name, (factors, radius, sigma) in LOOKS.items():
        cv2.imwrite(str(FOLDER / f'{name}.png'),
                    make_look(photograph, factors, radius, sigma))


if __name__ == '__main__':
    main()
