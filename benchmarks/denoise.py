#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures denoisers on clips with white noise, each with the settings that are
best for the clip and the noise, and how long they take for a frame. Writes
DENOISE.md with its chart. glopencldenoise runs with its defaults."""
import argparse
import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

import clips
import machine
import process
import programs
from section import (THREADS, Plan, Section, add_plans, count_threads,
                     make_table, say, write_document)

FRAME = (1280, 720)
PLANS = {
    "full": Plan("full", 5, 8.0, FRAME, (FRAME,), (), ()),
    "quick": Plan("quick", 2, 3.0, FRAME, (FRAME,), (), ()),
    "smoke": Plan("smoke", 1, 0.1, (160, 96), ((160, 96),), (), ()),
}
SIGMAS = (5, 10, 20, 40)
# Of the chart, and of the settings whose time is measured.
MIDDLE = 20
# PSNR above the best of glopenclfilter, by the noise, in dB.
GAINS = {5: 2.1, 10: 2.5, 20: 2.5, 40: 1.8}
OURS, FILTER = "glopencldenoise", "glopenclfilter"
ALONE, LONG = f"{OURS} history=0", f"{OURS} history=4"
HQDN3D, NLMEANS, FFTDNOIZ = "hqdn3d", "nlmeans", "fftdnoiz"


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


# {name: settings to try for some noise}
DENOISERS = {
    FILTER: list_bilateral,
    ALONE: lambda sigma: [ALONE],
    OURS: lambda sigma: [OURS],
    LONG: lambda sigma: [LONG],
    HQDN3D: list_hqdn3d,
    NLMEANS: list_nlmeans,
    FFTDNOIZ: list_fftdnoiz,
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


class QualitySection(Section):
    """PSNR of luma against the clean clips."""

    def __init__(self, plan, folder, shown):
        super().__init__(plan, folder)
        self.clips = shown
        self.device = machine.find_opencl()
        # {(denoiser, noise): {clip: (PSNR, setting)}}
        self.best = {}
        self.work = tempfile.TemporaryDirectory()

    def measure(self, frames, clean, setting):
        """The PSNR of one setting."""
        return clips.measure_luma(run(frames, setting, self.work.name), clean)

    def find_best(self, name, sigma):
        """Tries all settings on each clip."""
        settings = DENOISERS[name](sigma)
        if self.plan.name != "full":
            settings = settings[::4]
        found = {}
        for clip, clean in self.clips.items():
            noisy = clips.add_noise(clean, sigma)
            found[clip] = max((self.measure(noisy, clean, setting), setting)
                              for setting in settings)
        return found

    def get_mean(self, name, sigma):
        """The mean of the PSNR over the clips."""
        return statistics.mean(psnr for psnr, _
                               in self.best[name, sigma].values())

    def get_usual(self, name):
        """The setting that is best for the clip in the middle."""
        found = sorted(self.best[name, MIDDLE].values())
        return found[len(found) // 2][1]

    def add_table(self):
        """The means."""
        noisy = [statistics.mean(clips.measure_luma(
            clips.add_noise(clean, sigma), clean)
            for clean in self.clips.values()) for sigma in SIGMAS]
        rows = [["noisy", *(f"{psnr:.2f}" for psnr in noisy)]]
        rows += [[name, *(f"{self.get_mean(name, sigma):.2f}"
                          for sigma in SIGMAS)] for name in DENOISERS]
        self.lines += make_table(
            ("dB", *(f"noise {sigma}" for sigma in SIGMAS)), rows)
        self.lines += ["", f"Clip by clip, at noise {MIDDLE}:"]
        self.lines += make_table(
            ("dB", *self.clips),
            [[name, *(f"{psnr:.2f}" for psnr, _
                      in self.best[name, MIDDLE].values())]
             for name in DENOISERS])

    def add_clean(self):
        """What is left of clean clips, and of clips that were encoded."""
        rows = []
        for clip, clean in self.clips.items():
            psnr = self.measure(clean, clean, OURS)
            coded = encode(clips.add_noise(clean, 5), self.work.name)
            rows.append((clip, psnr, clips.measure_luma(coded, clean),
                         self.measure(coded, clean, OURS)))
        self.lines += ["", "Clips without noise against themselves, and clips "
                       "that x264 encoded after noise of 5 was added, before "
                       f"and after `{OURS}`:"]
        self.lines += make_table(
            ("dB", "clean", "encoded", "encoded, denoised"),
            [[row[0], *("the same" if psnr == float("inf") else f"{psnr:.2f}"
                        for psnr in row[1:])] for row in rows])
        self.claims += [
            ("clean clips: the least PSNR to themselves, dB",
             min(row[1] for row in rows), 45, False),
            ("encoded clips: the least gain, dB",
             min(row[3] - row[2] for row in rows), 0, False)]

    def run(self):
        """Measures and describes all."""
        for sigma in SIGMAS:
            for name in DENOISERS:
                self.best[name, sigma] = self.find_best(name, sigma)
                say(f"noise {sigma}, {name}: "
                    f"{self.get_mean(name, sigma):.2f} dB")
            self.claims.append(
                (f"noise {sigma}: above {FILTER} at its best, dB",
                 self.get_mean(OURS, sigma) - self.get_mean(FILTER, sigma),
                 GAINS[sigma], False))
        self.claims.append(
            (f"noise {MIDDLE}: above {HQDN3D} at its best, dB",
             self.get_mean(OURS, MIDDLE) - self.get_mean(HQDN3D, MIDDLE), 2,
             False))
        self.losses += [
            f"noise {sigma}: {name} at its best has "
            f"{self.get_mean(name, sigma) - self.get_mean(OURS, sigma):.2f} dB "
            "more." for sigma in SIGMAS for name in (HQDN3D, NLMEANS, FFTDNOIZ)
            if self.get_mean(name, sigma) > self.get_mean(OURS, sigma)]
        self.lines += [
            "", "## Noise", "",
            f"PSNR of luma to the clean clips, the mean of {len(self.clips)} "
            f"clips of {clips.FRAMES} frames with white Gaussian noise on all "
            "planes: films, photographs that a camera pans over and zooms into, "
            "and discs that pass before a background that stands still. All "
            "denoisers but this project's have, for each clip and noise, the "
            "settings that are best by the clean clip. This one has its "
            "defaults: it measures the noise."]
        self.add_table()
        self.add_clean()


class TimeSection(Section):
    """How long a frame takes."""

    def __init__(self, plan, folder, quality):
        super().__init__(plan, folder)
        self.quality = quality
        # {denoiser: milliseconds of a frame}
        self.times = {}

    def write_frames(self, folder, frames):
        """A file of a photograph that pans, with noise."""
        width, height = self.plan.frame
        picture = next(clip for name, clip in self.quality.clips.items()
                       if name.startswith("pan"))
        luma = clips.get_luma(picture[0])
        tile = numpy.tile(luma, (height // luma.shape[0] + 2,
                                 width // luma.shape[1] + 2))
        gray = numpy.full((height // 2, width), 128, numpy.uint8)
        clean = [numpy.concatenate([tile[n:n + height, 2 * n:2 * n + width],
                                    gray]) for n in range(8)]
        noisy = numpy.stack(clips.add_noise(clean, MIDDLE))
        path = os.path.join(folder, "frames")
        with open(path, "wb") as file:
            for start in range(0, frames, len(clean)):
                noisy[:frames - start].tofile(file)
        return path

    def measure(self):
        """The medians, in turns."""
        size = self.plan.frame[0] * self.plan.frame[1] * 3 // 2
        frames = max(20, round(20 * self.plan.seconds))
        rates = {name: [] for name in DENOISERS}
        work = self.get_work(radius=0)
        with tempfile.TemporaryDirectory(
                dir=programs.find_memory_folder(frames * size)) as folder:
            path = self.write_frames(folder, frames)
            for turn in range(self.plan.rounds):
                for name in DENOISERS:
                    program = make_program(self.quality.get_usual(name))
                    usage = process.measure(program.make(
                        programs.Task(work, frames, path)), frames, size)
                    rates[name].append(usage.fps)
                    say(f"turn {turn + 1}, {name}: {usage.fps:.1f} frames/s")
        self.times = {name: 1000 / statistics.median(row)
                      for name, row in rates.items()}

    def run(self):
        """Measures and describes all."""
        self.measure()
        width, height = self.plan.frame
        self.claims += [
            ("frames a second", 1000 / self.times[OURS], 30, False),
            ("frames a second with history=0", 1000 / self.times[ALONE], 100,
             False)]
        for name in (NLMEANS, FFTDNOIZ):
            self.claims.append((f"time against FFmpeg's {name}",
                                self.times[OURS] / self.times[name], 1, True))
        self.losses += [
            f"{name} takes {self.times[name]:.1f} ms a frame, {OURS} "
            f"{self.times[OURS]:.1f} ms." for name in DENOISERS
            if "glopencl" not in name and self.times[name] < self.times[OURS]]
        psnr = {name: self.quality.get_mean(name, MIDDLE) for name in DENOISERS}
        self.lines += [
            "", "## Time", "",
            f"Programs that read raw I420 frames of {width}x{height} from "
            f"memory and write them to /dev/null, with "
            f"{count_threads(THREADS)}, with the settings that are best for "
            f"noise {MIDDLE}; the PSNR is that of the table above."]
        self.lines += make_table(
            ("", "ms a frame", "frames a second", f"dB at noise {MIDDLE}",
             "settings"),
            [[name, f"{self.times[name]:.1f}", f"{1000 / self.times[name]:.1f}",
              f"{psnr[name]:.2f}", f"`{self.quality.get_usual(name)}`"]
             for name in DENOISERS])
        self.write_chart(
            "denoise", f"PSNR at noise {MIDDLE} over the time of a frame",
            f"ms a frame of {width}x{height}", "dB",
            {tick: f"{tick:g}" for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500)
             if min(self.times.values()) / 3 < tick
             < max(self.times.values()) * 3},
            {name.rpartition(" ")[2]: {self.times[name]: psnr[name]}
             for name in DENOISERS})


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_plans(parser, PLANS)
    parser.add_argument("--film", action="append", default=[],
                        help="take its first frames, at half the size")
    parser.add_argument("--picture", action="append", default=[],
                        help="pan over it, and zoom into it")
    parser.add_argument("folder", metavar="FOLDER")
    options = parser.parse_args()
    pictures = options.picture or [os.path.join(
        programs.HERE, "..", "tests", "peers", "photograph.png")]
    shown = clips.make_clips(options.film, pictures)
    if options.plan.name == "smoke":
        shown = {name: clip[:6] for name, clip in list(shown.items())[:2]}
    start = time.monotonic()

    quality = QualitySection(options.plan, options.folder, shown)
    sections = [quality, TimeSection(options.plan, options.folder, quality)]
    for section in sections:
        section.run()
    write_document(os.path.join(options.folder, "DENOISE.md"), "Denoisers",
                   options.plan, time.monotonic() - start, sections,
                   script="benchmarks/denoise.py")


if __name__ == "__main__":
    main()
