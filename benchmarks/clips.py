# SPDX-License-Identifier: LGPL-2.1-or-later
"""Short clips to denoise: films as they are, and photographs that a camera
pans over, zooms into, or that move before each other. Frames are I420: one
array of bytes, the rows of luma before the rows of both planes of chroma."""
import cv2
import numpy

FRAMES = 24
SIZE = (320, 240)
PART = (480, 288)


def get_luma(frame):
    """The rows of luma."""
    return frame[:frame.shape[0] * 2 // 3]


def pack(picture):
    """A frame of a BGR picture."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)


def read_picture(path):
    """A BGR picture that covers SIZE and some more."""
    picture = cv2.imread(path)
    if picture is None:
        raise SystemExit(f"{path}: not a picture. Give a PNG or a JPEG file.")
    width, height = SIZE
    scale = max(1.4 * width / picture.shape[1], 1.2 * height / picture.shape[0])
    if scale > 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale,
                             interpolation=cv2.INTER_CUBIC)
    return picture


def warp(picture, scale, angle, x, y):
    """What a camera of SIZE sees whose first corner is at x, y."""
    matrix = cv2.getRotationMatrix2D((0, 0), angle, scale)
    matrix[:, 2] -= x, y
    return cv2.warpAffine(picture, matrix, SIZE, flags=cv2.INTER_CUBIC,
                          borderMode=cv2.BORDER_REFLECT)


def make_pan(picture, step):
    """The camera moves by a step, in pixels, from frame to frame."""
    return [pack(warp(picture, 1, 0, n * step[0], n * step[1]))
            for n in range(FRAMES)]


def make_zoom(picture):
    """The camera comes nearer by a hundredth a frame, and turns."""
    return [pack(warp(picture, 1.01 ** n, 0.2 * n, 3 * n, 1.5 * n))
            for n in range(FRAMES)]


def make_passing(picture, background):
    """Discs of a picture pass before a background that stands still; about a
    twentieth of the frame moves."""
    frames = []
    behind = warp(background, 1, 0, 20, 20)
    for n in range(FRAMES):
        frame = behind.copy()
        for i, radius in enumerate((30, 14, 6)):
            center = (int(60 + 70 * i + (4 - i) * n),
                      int(70 + 50 * i + (i - 0.5) * 2 * n))
            mask = numpy.zeros(frame.shape[:2], numpy.uint8)
            cv2.circle(mask, center, radius, 255, -1)
            seen = warp(picture, 1, 0, 100 - center[0] + 60, 80 - center[1] + 60)
            frame[mask > 0] = seen[mask > 0]
        frames.append(pack(frame))
    return frames


def read_film(path):
    """The first frames of a film, as BGR pictures."""
    film = cv2.VideoCapture(path)
    pictures = []
    while len(pictures) < FRAMES:
        more, picture = film.read()
        if not more:
            raise SystemExit(f"{path}: not a film of at least {FRAMES} frames "
                             "that OpenCV reads.")
        pictures.append(picture)
    return pictures


def halve(pictures):
    """Frames of half the size, without the noise of the film."""
    height, width = (size // 4 * 2 for size in pictures[0].shape[:2])
    return [pack(cv2.resize(picture, (width, height),
                            interpolation=cv2.INTER_AREA))
            for picture in pictures]


def cut_out(pictures):
    """The middle of the pictures."""
    height, width = pictures[0].shape[:2]
    rows, columns = min(height, PART[1]) & ~1, min(width, PART[0]) & ~1
    y, x = (height - rows) // 2, (width - columns) // 2
    return [pack(picture[y:y + rows, x:x + columns]) for picture in pictures]


def make_clips(films, pictures):
    """{name: frames} of paths of films and of pictures."""
    clips = {}
    for number, path in enumerate(films):
        pictures_of_film = read_film(path)
        clips[f"film {number + 1}"] = halve(pictures_of_film)
        clips[f"film {number + 1}, middle"] = cut_out(pictures_of_film)
    photographs = [read_picture(path) for path in pictures]
    for number, picture in enumerate(photographs):
        clips[f"pan {number + 1}"] = make_pan(
            picture, (1.5, 0.5) if number % 2 == 0 else (4.3, 1.1))
        clips[f"zoom {number + 1}"] = make_zoom(picture)
        clips[f"passing {number + 1}"] = make_passing(
            picture, photographs[number - 1])
    return clips


def to_bytes(levels):
    """Levels rounded and cut off."""
    return numpy.clip(numpy.rint(levels), 0, 255).astype(numpy.uint8)


def add_noise(frames, sigma, seed=20261123):
    """White Gaussian noise on all planes."""
    random = numpy.random.default_rng(seed)
    return [to_bytes(frame + random.normal(0, sigma, frame.shape))
            for frame in frames]


def add_photon_noise(frames, photons, seed=20261123):
    """Photon noise on luma, of so many photons a level; white noise that is
    as strong as that of middle gray on chroma."""
    random = numpy.random.default_rng(seed)
    noisy = []
    for frame in frames:
        levels = frame + random.normal(0, (128 / photons) ** 0.5, frame.shape)
        get_luma(levels)[:] = random.poisson(get_luma(frame) * photons) / photons
        noisy.append(to_bytes(levels))
    return noisy


def add_coarse_noise(frames, sigma, seed=20261123):
    """Gaussian noise on all planes, blurred by a Gaussian of 1."""
    random = numpy.random.default_rng(seed)
    noisy = []
    for frame in frames:
        grain = cv2.GaussianBlur(random.normal(0, 1, frame.shape), (0, 0), 1)
        noisy.append(to_bytes(frame + sigma / grain.std() * grain))
    return noisy


def measure_luma(frames, clean, first=2):
    """The PSNR of luma over all frames but the first ones, in dB."""
    errors = [numpy.mean((get_luma(a).astype(float) - get_luma(b)) ** 2)
              for a, b in zip(frames[first:], clean[first:])]
    error = numpy.mean(errors)
    return 10 * numpy.log10(255 ** 2 / error) if error else float("inf")
