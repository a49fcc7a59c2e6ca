# SPDX-License-Identifier: LGPL-2.1-or-later
"""How near a denoised clip comes to the clean one."""
import math
import statistics
from typing import NamedTuple

import cv2
import numpy

import clips

# The frames that are measured. Denoisers which measure the noise, or use frames
# before and after, have then begun and not yet ended.
FIRST, LAST = 6, -2
# A pixel stands still if its surroundings change by less than this, in levels.
STILL = 0.75
# Clips of which less stands still have no flicker.
LEAST_STILL = 0.05


class Measured(NamedTuple):
    """Mean squared errors of luma and of chroma, SSIM of luma, and the flicker
    where the clean clip stands still, in levels; None where nothing does."""
    luma: float
    chroma: float
    ssim: float
    flicker: float


def to_psnr(error):
    """Decibels of a mean squared error."""
    return 10 * math.log10(255 ** 2 / error) if error else math.inf


def measure_ssim(first, second):
    """The mean SSIM of two planes, with the usual Gaussian of 1.5."""
    def mean(plane):
        return cv2.GaussianBlur(plane, (11, 11), 1.5)

    first, second = first.astype(numpy.float32), second.astype(numpy.float32)
    a, b = mean(first), mean(second)
    variances = mean(first ** 2) - a ** 2 + mean(second ** 2) - b ** 2
    covariance = mean(first * second) - a * b
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(numpy.mean((2 * a * b + c1) * (2 * covariance + c2)
                            / ((a ** 2 + b ** 2 + c1) * (variances + c2))))


def measure_flicker(frames, clean):
    """The root mean square of the change of the error from frame to frame,
    where the clean clip stands still."""
    changes, pixels, still_pixels = 0.0, 0, 0
    for before, after, clean_before, clean_after in zip(
            frames, frames[1:], clean, clean[1:]):
        moves = clean_after.astype(numpy.float32) - clean_before
        still = cv2.blur(numpy.abs(moves), (7, 7)) < STILL
        flicker = after.astype(numpy.float32) - before - moves
        changes += float((flicker[still] ** 2).sum())
        still_pixels += int(still.sum())
        pixels += still.size
    if still_pixels < LEAST_STILL * pixels:
        return None
    return math.sqrt(changes / still_pixels)


def measure_errors(frames, clean):
    """The mean squared errors of luma and of chroma, without other measures."""
    errors = [(a.astype(numpy.float32) - b) ** 2
              for a, b in zip(frames[FIRST:LAST], clean[FIRST:LAST])]
    return Measured(
        float(numpy.mean([clips.get_luma(error) for error in errors])),
        float(numpy.mean([clips.get_chroma(error) for error in errors])),
        None, None)


def measure(frames, clean):
    """All measures of a clip."""
    errors = measure_errors(frames, clean)
    frames, clean = frames[FIRST:LAST], clean[FIRST:LAST]
    luma = [clips.get_luma(frame) for frame in frames]
    clean_luma = [clips.get_luma(frame) for frame in clean]
    return Measured(
        errors.luma, errors.chroma, statistics.mean(map(measure_ssim, luma, clean_luma)),
        measure_flicker(luma, clean_luma))


class Result(NamedTuple):
    """What a denoiser makes of all clips, {clip: Measured}, with one setting
    for luma and one for chroma; with which version of the denoiser."""
    luma: dict
    chroma: dict
    luma_setting: str
    chroma_setting: str
    version: str = ""

    def get_luma(self):
        """The mean PSNR of luma."""
        return statistics.mean(to_psnr(found.luma)
                               for found in self.luma.values())

    def get_chroma(self):
        """The mean PSNR of chroma."""
        return statistics.mean(to_psnr(found.chroma)
                               for found in self.chroma.values())

    def get_all(self):
        """The mean PSNR of all planes: two thirds of the samples are luma."""
        return statistics.mean(
            to_psnr((2 * self.luma[clip].luma + self.chroma[clip].chroma) / 3)
            for clip in self.luma)

    def get_ssim(self):
        """The mean SSIM of luma."""
        return statistics.mean(found.ssim for found in self.luma.values())

    def get_flicker(self):
        """The mean flicker of the clips that have some."""
        found = [found.flicker for found in self.luma.values()
                 if found.flicker is not None]
        return statistics.mean(found) if found else math.nan
