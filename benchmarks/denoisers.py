# SPDX-License-Identifier: LGPL-2.1-or-later
"""The denoisers that are measured, with the settings to try, and what makes
frames pass through them."""
import os
import shlex
import subprocess
from typing import NamedTuple

import numpy

import programs
from section import THREADS

OURS = "glopencldenoise"
ALONE, LONG = f"{OURS} history=0", f"{OURS} history=4"
# What pipelines/denoise.sh runs.
FILM = f"{OURS} lookahead=2"
HQDN3D, NLMEANS, BM3D = "hqdn3d", "nlmeans", "bm3d"
VBM3D, NL4D = "V-BM3D", "NL4D"
SEARCHED = f"{FILM}, noise searched"
# They take longer than a tenth of a second for a frame of 720p.
SLOW = (NLMEANS, BM3D)
WORKER = os.path.join(programs.HERE, "vapoursynthworker.py")


def make_ladder(low, high):
    """Values from the one to beyond the other, each 1.4 times the last."""
    ladder = [low]
    while ladder[-1] < high:
        ladder.append(float(f"{ladder[-1] * 2 ** 0.5:.2g}"))
    return tuple(ladder)


class Denoiser(NamedTuple):
    """A denoiser with a template of its settings and the values of each, as
    ladders to climb; the first ladder is of strengths, and the search begins
    near so many times the error of the noisy clips. All but the first begin at
    their first values. Whether it is a plugin of VapourSynth."""
    template: str
    ladders: tuple = ()
    starts: tuple = ()
    vapoursynth: bool = False

    def choose_start(self, error):
        """Where to begin: an index into each ladder."""
        return tuple(
            min(range(len(ladder)),
                key=lambda index, ladder=ladder, start=start:
                abs(ladder[index] - start * error)) if start else 0
            for ladder, start in zip(self.ladders, self.starts))

    def format(self, place):
        """The setting at a place, an index into each ladder."""
        return self.template.format(*(
            value if isinstance(value, str) else f"{value:g}"
            for value in (ladder[index] for ladder, index
                          in zip(self.ladders, place))))


OWN = {name: Denoiser(name) for name in (OURS, FILM)}
PEERS = {
    # Strengths in space and in time.
    HQDN3D: Denoiser("hqdn3d={0}:{0}:{1}:{1}",
                     (make_ladder(1, 120), make_ladder(1, 250)), (1.8, 3.3)),
    # Strengths, with patches and windows.
    NLMEANS: Denoiser("nlmeans=s={}:{}", (
        make_ladder(1, 30)[:-1] + (30,), ("p=5:r=11", "p=3:r=9", "p=7:r=15")),
        (0.6, 0)),
    # With FFmpeg's step from block to block: half of it gains 0.25 dB in three
    # times the time. Groups of blocks, which the algorithm is named for, were
    # 8 dB worse in FFmpeg 5.1.
    BM3D: Denoiser("bm3d=sigma={}", (make_ladder(2, 120),), (3.5,)),
}
VAPOURSYNTH = {
    VBM3D: Denoiser("bm3dcpu sigma={} radius={}", (
        make_ladder(1, 40), ("2", "1")), (1.6, 0), True),
    "dfttest2": Denoiser("dfttest2 sigma={} tbsize={}", (
        tuple(value ** 2 for value in make_ladder(0.7, 60)), ("5", "3")),
        (25, 0), True),
    "smdegrain-bis": Denoiser("smdegrain thSAD={} tr={}", (
        make_ladder(50, 3000), ("3", "6", "2")), (170, 0), True),
    "nlm-ispc": Denoiser("nlm h={} d={}", (
        make_ladder(0.3, 20), ("2", "1")), (0.9, 0), True),
}
BLIND = {NL4D: Denoiser("nl4d", vapoursynth=True)}
BY_HAND = Denoiser(FILM + " noise={}", (
    (1.4, 2, 2.8, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20),), (1.2,))


def make_program(setting):
    """The program that runs one filter."""
    if setting.startswith("glopencl"):
        return programs.GStreamer(setting.split())
    return programs.FFmpeg(lambda work: setting, converts=False)


def run(frames, setting, folder):
    """What a filter of this project, or of FFmpeg, makes of frames."""
    height, width = frames[0].shape[0] * 2 // 3, frames[0].shape[1]
    task = programs.Task(programs.Work(width, height, 0, THREADS), len(frames),
                         os.path.join(folder, "noisy"),
                         os.path.join(folder, "clean"))
    numpy.stack(frames).tofile(task.source)
    program = make_program(setting).make(task)
    subprocess.run(program.arguments, env=program.environment, check=True,
                   timeout=300, stdin=subprocess.DEVNULL)
    return list(numpy.fromfile(task.target, numpy.uint8)
                .reshape(len(frames), -1, width))


def ask_vapoursynth(python, *arguments, data=b""):
    """What vapoursynthworker.py writes, run by a command. The command may
    start a Python of another system, so that the script is an argument."""
    with open(WORKER, encoding="utf-8") as file:
        script = file.read()
    return subprocess.run([*shlex.split(python), "-c", script, *arguments],
                          input=data, stdout=subprocess.PIPE, check=True,
                          timeout=1200).stdout


def run_vapoursynth(frames, setting, python):
    """What a plugin of VapourSynth makes of frames."""
    height, width = frames[0].shape[0] * 2 // 3, frames[0].shape[1]
    written = ask_vapoursynth(python, str(width), str(height), setting,
                              data=numpy.stack(frames).tobytes())
    return list(numpy.frombuffer(written, numpy.uint8)
                .reshape(len(frames), -1, width))
