# SPDX-License-Identifier: LGPL-2.1-or-later
"""The denoisers that are measured, with the settings to try, and what makes
frames pass through them."""
import os
import subprocess

import numpy

import programs
from section import THREADS

OURS, FILTER = "glopencldenoise", "glopenclfilter"
ALONE, LONG = f"{OURS} history=0", f"{OURS} history=4"
# What pipelines/denoise.sh runs.
FILM = f"{OURS} lookahead=2"
HQDN3D, NLMEANS, FFTDNOIZ, BM3D = "hqdn3d", "nlmeans", "fftdnoiz", "bm3d"
# They take longer than a tenth of a second for a frame of 720p.
SLOW = (NLMEANS, FFTDNOIZ, BM3D)


def list_bilateral(sigma):
    """Windows, spatial sigmas and intensity sigmas, the last in parts of the
    noise."""
    return [f"{FILTER} radius={radius} spatial-sigma={radius * part:g} "
            f"intensity-sigma={min(1, strength * sigma / 255):.4f}"
            for radius in (2, 3, 4, 6) for part in (0.4, 0.7)
            for strength in (1, 1.5, 2, 2.8, 4, 5.6)]


def list_hqdn3d(sigma):
    """Spatial and temporal strengths in parts of the noise."""
    strengths = [(min(255, space * sigma), min(255, part * sigma))
                 for space in (1, 1.5, 2.2, 3, 4.5) for part in (0.5, 1, 2, 4)]
    return [f"hqdn3d={space:g}:{space:g}:{part:g}:{part:g}"
            for space, part in strengths]


def list_nlmeans(sigma):
    """Strengths, patches and research windows; the last two of them are the
    default."""
    return [f"nlmeans=s={min(30, strength * sigma):g}:p={patch}:r={window}"
            for strength in (0.25, 0.35, 0.45, 0.6, 0.8)
            for patch, window in ((3, 9), (5, 11), (7, 15))]


def list_fftdnoiz(sigma):
    """Strengths and blocks, with a frame before and a frame after."""
    return [f"fftdnoiz=sigma={min(100, strength * sigma):g}:block={block}:"
            "prev=1:next=1"
            for strength in (1.5, 2, 2.8, 4, 5.6) for block in (16, 32)]


def list_bm3d(sigma):
    """Strengths, and steps from block to block. Groups of blocks, which the
    algorithm is named for, were 8 dB worse in this version of FFmpeg."""
    return [f"bm3d=sigma={strength * sigma:g}:bstep={step}"
            for strength in (2.5, 3.2, 4, 5) for step in (2, 4)]


# {name: settings to try for some noise}
DENOISERS = {
    FILTER: list_bilateral,
    ALONE: lambda sigma: [ALONE],
    OURS: lambda sigma: [OURS],
    LONG: lambda sigma: [LONG],
    FILM: lambda sigma: [FILM],
    HQDN3D: list_hqdn3d,
    NLMEANS: list_nlmeans,
    FFTDNOIZ: list_fftdnoiz,
    BM3D: list_bm3d,
}


def make_program(setting):
    """The program that runs one filter."""
    if setting.startswith("glopencl"):
        return programs.GStreamer(setting.split())
    return programs.FFmpeg(lambda work: setting, converts=False)


def run(frames, setting, folder):
    """What a filter makes of frames."""
    height, width = frames[0].shape[0] * 2 // 3, frames[0].shape[1]
    task = programs.Task(programs.Work(width, height, 0, THREADS), len(frames),
                         os.path.join(folder, "noisy"),
                         os.path.join(folder, "clean"))
    numpy.stack(frames).tofile(task.source)
    program = make_program(setting).make(task)
    subprocess.run(program.arguments, env=program.environment, check=True,
                   timeout=120, stdin=subprocess.DEVNULL)
    return list(numpy.fromfile(task.target, numpy.uint8)
                .reshape(len(frames), -1, width))


def encode(frames, folder):
    """The frames after x264 with its defaults."""
    height, width = frames[0].shape[0] * 2 // 3, frames[0].shape[1]
    raw, film = (os.path.join(folder, name) for name in ("raw", "film.mkv"))
    numpy.stack(frames).tofile(raw)
    size = ["-f", "rawvideo", "-pix_fmt", "yuv420p"]
    for arguments in ([*size, "-s", f"{width}x{height}", "-i", raw, "-c:v",
                       "libx264", film], ["-i", film, *size, raw]):
        subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True,
                       stdin=subprocess.DEVNULL)
    return list(numpy.fromfile(raw, numpy.uint8)
                .reshape(len(frames), -1, width))
