# SPDX-License-Identifier: LGPL-2.1-or-later
"""Short clips without noise: films, and photographs that a camera pans over,
zooms into, or that move in front of each other. They are made from files of
Debian packages. A frame is I420: one array of bytes, the rows of luma before
the rows of both planes of chroma."""
import os

import cv2
import numpy

FRAMES = 24
WIDTH, HEIGHT = SIZE = (320, 240)
PACKAGES = ("opencv-doc", "python3-imageio")
OPENCV = "/usr/share/doc/opencv-doc/examples/data"
IMAGEIO = "/usr/lib/python3/dist-packages/imageio/resources/images"


def check_file(path):
    """Ends the program if a package is missing."""
    if not os.path.exists(path):
        raise SystemExit(f"{path} is missing. Install the packages "
                         f"{' and '.join(PACKAGES)}.")
    return path


def get_luma(frame):
    """The rows of luma."""
    return frame[:frame.shape[0] * 2 // 3]


def get_chroma(frame):
    """The rows of both planes of chroma."""
    return frame[frame.shape[0] * 2 // 3:]


def pack(picture):
    """A frame of a BGR picture."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)


def read_picture(name):
    """A BGR picture of opencv-doc, larger than SIZE."""
    picture = cv2.imread(check_file(os.path.join(OPENCV, name)))
    scale = max(1.4 * WIDTH / picture.shape[1], 1.2 * HEIGHT / picture.shape[0])
    if scale <= 1:
        return picture
    return cv2.resize(picture, None, fx=scale, fy=scale,
                      interpolation=cv2.INTER_CUBIC)


def warp(picture, scale, angle, x, y):
    """What a camera of SIZE sees whose first corner is at x, y."""
    matrix = cv2.getRotationMatrix2D((0, 0), angle, scale)
    matrix[:, 2] -= x, y
    return cv2.warpAffine(picture, matrix, SIZE, flags=cv2.INTER_CUBIC,
                          borderMode=cv2.BORDER_REFLECT)


def make_pan(name, step):
    """The camera moves by a step, in pixels, from frame to frame."""
    picture = read_picture(name)
    return [pack(warp(picture, 1, 0, n * step[0], n * step[1]))
            for n in range(FRAMES)]


def make_zoom(name):
    """The camera comes nearer by a hundredth a frame, and turns."""
    picture = read_picture(name)
    return [pack(warp(picture, 1.01 ** n, 0.2 * n, 3 * n, 1.5 * n))
            for n in range(FRAMES)]


def make_passing(name, background):
    """Discs of a picture pass in front of a background that stands still; about
    a twentieth of the frame moves."""
    picture = read_picture(name)
    behind = warp(read_picture(background), 1, 0, 20, 20)
    frames = []
    for n in range(FRAMES):
        frame = behind.copy()
        for i, radius in enumerate((30, 14, 6)):
            center = (int(60 + 70 * i + (4 - i) * n),
                      int(70 + 50 * i + (i - 0.5) * 2 * n))
            mask = numpy.zeros(frame.shape[:2], numpy.uint8)
            cv2.circle(mask, center, radius, 255, -1)
            seen = warp(picture, 1, 0, 160 - center[0], 140 - center[1])
            frame[mask > 0] = seen[mask > 0]
        frames.append(pack(frame))
    return frames


def read_film(folder, name, first):
    """Frames of a film at half its size, without the noise of the film: the
    middle of each."""
    path = check_file(os.path.join(folder, name))
    film = cv2.VideoCapture(path)
    for _ in range(first):
        film.read()
    frames = []
    while len(frames) < FRAMES:
        more, picture = film.read()
        if not more:
            raise SystemExit(f"{path}: OpenCV reads no {FRAMES} frames after "
                             f"the first {first}.")
        height, width = (size // 4 * 2 for size in picture.shape[:2])
        picture = cv2.resize(picture, (width, height),
                             interpolation=cv2.INTER_AREA)
        y, x = (height - HEIGHT) // 2 & ~1, (width - WIDTH) // 2 & ~1
        frames.append(pack(picture[y:y + HEIGHT, x:x + WIDTH]))
    return frames


# {name: (what is seen, what makes the frames)}
CLIPS = {
    "megamind": ("an animated film, dark (`Megamind.avi`)",
                 lambda: read_film(OPENCV, "Megamind.avi", 60)),
    "street": ("people walk, a camera that stands still (`vtest.avi`)",
               lambda: read_film(OPENCV, "vtest.avi", 400)),
    "cockatoo": ("a film of a bird (`cockatoo.mp4`)",
                 lambda: read_film(IMAGEIO, "cockatoo.mp4", 30)),
    "home": ("a fast pan over `home.jpg`",
             lambda: make_pan("home.jpg", (4.3, 1.1))),
    "fruits": ("a zoom into `fruits.jpg`", lambda: make_zoom("fruits.jpg")),
    "baboon": ("a slow pan over the fur of `baboon.jpg`",
               lambda: make_pan("baboon.jpg", (0.7, 1.3))),
    "discs": ("discs of `baboon.jpg` pass in front of `building.jpg`, which "
              "stands still", lambda: make_passing("baboon.jpg",
                                                   "building.jpg")),
}


def make_clips():
    """{name: frames}."""
    return {name: make() for name, (_, make) in CLIPS.items()}
