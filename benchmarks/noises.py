# SPDX-License-Identifier: LGPL-2.1-or-later
"""Kinds of noise, as functions of the frames of a clip and of a folder for what
an encoder reads and writes. The same frames get the same noise each time."""
import os
import subprocess
from typing import NamedTuple

import cv2
import numpy

import clips

RATE = 25


def to_bytes(levels):
    """Levels rounded and cut off."""
    return numpy.clip(numpy.rint(levels), 0, 255).astype(numpy.uint8)


def make_random():
    """The same numbers each time."""
    return numpy.random.default_rng(20261127)


def blur(random, shape, x, y=0):
    """White noise of a shape, blurred, of standard deviation 1."""
    noise = cv2.GaussianBlur(random.normal(0, 1, shape), (0, 0), sigmaX=x,
                             sigmaY=y or x)
    return noise / noise.std()


def join(luma, cb, cr):
    """A frame of three planes."""
    width = luma.shape[1]
    return numpy.vstack([luma, cb.reshape(-1, width), cr.reshape(-1, width)])


def get_shapes(frame):
    """The sizes of the three planes."""
    height, width = clips.get_luma(frame).shape
    return ((height, width), *[(height // 2, width // 2)] * 2)


def add_white(frames, sigma):
    """White Gaussian noise on all planes."""
    random = make_random()
    return [to_bytes(frame + random.normal(0, sigma, frame.shape))
            for frame in frames]


def add_coarse(frames, sigma):
    """Gaussian noise on all planes, blurred by a Gaussian of 1."""
    random = make_random()
    return [to_bytes(frame + sigma * join(*(blur(random, shape, 1) for shape
                                            in get_shapes(frame))))
            for frame in frames]


def add_grain(frames, sigma):
    """Grain of two sizes on luma, strongest at middle levels, and 0.4 of it on
    chroma."""
    random = make_random()
    noisy = []
    for frame in frames:
        shapes = get_shapes(frame)
        fine, coarse = (blur(random, shapes[0], size) for size in (0.7, 1.3))
        grain = fine + 0.7 * coarse
        level = clips.get_luma(frame) / 255
        grain *= (0.35 + 2.6 * level * (1 - level)) / grain.std()
        noisy.append(to_bytes(frame + sigma * join(
            grain, *(0.4 * blur(random, shape, 0.8) for shape in shapes[1:]))))
    return noisy


def add_scaled(frames, sigma):
    """The noise of a picture that was scaled up 1.5 times."""
    random = make_random()
    noisy = []
    for frame in frames:
        planes = [cv2.resize(random.normal(0, 1, (int(height / 1.5),
                                                  int(width / 1.5))),
                             (width, height), interpolation=cv2.INTER_CUBIC)
                  for height, width in get_shapes(frame)]
        noisy.append(to_bytes(frame + sigma * join(*(
            plane / plane.std() for plane in planes))))
    return noisy


def add_bayer(frames, sigma):
    """Noise of a sensor, stronger where it is brighter, on a Bayer mosaic that
    is demosaiced."""
    random = make_random()
    noisy = []
    for frame in frames:
        picture = cv2.cvtColor(frame, cv2.COLOR_YUV2BGR_I420)
        mosaic = picture[..., 1].astype(float)
        mosaic[0::2, 0::2] = picture[0::2, 0::2, 0]
        mosaic[1::2, 1::2] = picture[1::2, 1::2, 2]
        noise = sigma * random.normal(0, 1, mosaic.shape) * numpy.sqrt(
            0.4 + mosaic / 128)
        before, after = (
            cv2.cvtColor(to_bytes(levels), cv2.COLOR_BayerRG2BGR_EA)
            .astype(float) for levels in (mosaic, mosaic + noise))
        # Only noise is added: the mosaic's loss of detail is no noise.
        noisy.append(clips.pack(to_bytes(picture + after - before)))
    return noisy


def add_vhs(frames, sigma):
    """Noise blurred along the rows, as of tapes; more and coarser on chroma."""
    random = make_random()
    noisy = []
    for frame in frames:
        shapes = get_shapes(frame)
        noisy.append(to_bytes(frame + sigma * join(
            blur(random, shapes[0], 1.5, 0.01),
            *(1.5 * blur(random, shape, 4, 0.6) for shape in shapes[1:]))))
    return noisy


def add_photons(frames):
    """Photon noise on luma, of 0.8 photons a level, and the noise of reading;
    chroma has 0.6 of that of middle gray."""
    random = make_random()
    noisy = []
    for frame in frames:
        levels = frame + random.normal(0, 0.6 * (128 / 0.8) ** 0.5, frame.shape)
        luma = clips.get_luma(frame)
        clips.get_luma(levels)[:] = random.poisson(luma * 0.8) / 0.8 \
            + random.normal(0, 2, luma.shape)
        noisy.append(to_bytes(levels))
    return noisy


def encode(frames, folder, *options):
    """The frames after an encoder. One thread gives the same film each time."""
    height, width = clips.get_luma(frames[0]).shape
    raw, film = (os.path.join(folder, name) for name in ("raw", "film.mkv"))
    numpy.stack(frames).tofile(raw)
    layout = ["-f", "rawvideo", "-pix_fmt", "yuv420p"]
    for arguments in (
            [*layout, "-s", f"{width}x{height}", "-r", str(RATE), "-i", raw,
             *options, "-threads", "1", film],
            ["-i", film, *layout, raw]):
        subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True,
                       stdin=subprocess.DEVNULL)
    decoded = list(numpy.fromfile(raw, numpy.uint8)
                   .reshape(-1, *frames[0].shape))
    if len(decoded) != len(frames):
        raise SystemExit(f"FFmpeg made {len(decoded)} of {len(frames)} frames")
    return decoded


def encode_x264(frames, folder, *options):
    """The frames after x264."""
    return encode(frames, folder, "-c:v", "libx264", *options)


def encode_phone(frames, folder):
    """As phones record: a fast encoder, a constant rate, no B frames. 0.1 bit a
    pixel are 5 Mbit/s at 1920x1080."""
    height, width = clips.get_luma(frames[0]).shape
    rate = round(width * height * RATE * 0.1)
    return encode_x264(frames, folder, "-preset", "veryfast", "-bf", "0",
                       "-b:v", str(rate), "-maxrate", str(rate * 4 // 3),
                       "-bufsize", str(rate * 4 // 3))


class Kind(NamedTuple):
    """A kind of noise: what it is, what makes it of frames and a folder, and
    whether an encoder is part of that."""
    about: str
    make: object
    is_encoded: bool = False


KINDS = {
    "white 10": Kind("Gaussian, standard deviation 10",
                     lambda frames, folder: add_white(frames, 10)),
    "coarse 10": Kind("10 levels, blurred by a Gaussian of 1",
                      lambda frames, folder: add_coarse(frames, 10)),
    "film grain": Kind("two sizes, strongest at middle levels, 8 levels",
                       lambda frames, folder: add_grain(frames, 8)),
    "scaled up": Kind("8 levels in a picture scaled up 1.5 times",
                      lambda frames, folder: add_scaled(frames, 8)),
    "Bayer": Kind("8 levels on a Bayer mosaic, demosaiced",
                  lambda frames, folder: add_bayer(frames, 8)),
    "VHS-like": Kind("6 levels, blurred along rows, coarse in chroma",
                     lambda frames, folder: add_vhs(frames, 6)),
    "white 5, x264 crf 23": Kind(
        "after x264 with its defaults",
        lambda frames, folder: encode_x264(add_white(frames, 5), folder), True),
    "white 10, x264 crf 26": Kind(
        "after x264", lambda frames, folder: encode_x264(
            add_white(frames, 10), folder, "-crf", "26"), True),
    "camera, x264 crf 30": Kind(
        "photon noise (0.8 photons a level, 2 levels of reading) after x264",
        lambda frames, folder: encode_x264(
            add_photons(frames), folder, "-crf", "30"), True),
    "phone-like": Kind(
        "5 levels on a Bayer mosaic, x264 veryfast at 0.1 bit a pixel",
        lambda frames, folder: encode_phone(add_bayer(frames, 5), folder),
        True),
    "white 8, MPEG-2 q 5": Kind(
        "as on a DVD", lambda frames, folder: encode(
            add_white(frames, 8), folder, "-c:v", "mpeg2video", "-q:v", "5"),
        True),
}
