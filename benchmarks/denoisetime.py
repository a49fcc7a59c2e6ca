# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long denoisers take for a frame."""
import os
import statistics
import tempfile

import numpy

import clips
import process
import programs
from denoisequality import MIDDLE
from denoisers import ALONE, DENOISERS, OURS, SLOW, make_program
from section import THREADS, Section, count_threads, make_table, say


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
        many = max(20, round(20 * self.plan.seconds))
        # A run of a slow denoiser need not be as long.
        frames = {name: max(20, many // 6) if name in SLOW else many
                  for name in DENOISERS}
        rates = {name: [] for name in DENOISERS}
        work = self.get_work(radius=0)
        with tempfile.TemporaryDirectory(
                dir=programs.find_memory_folder(many * size)) as folder:
            path = self.write_frames(folder, many)
            for turn in range(self.plan.rounds):
                for name in DENOISERS:
                    program = make_program(self.quality.get_usual(name))
                    usage = process.measure(program.make(
                        programs.Task(work, frames[name], path)),
                        frames[name], size)
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
        for name in SLOW:
            self.claims.append((f"time against FFmpeg's {name}",
                                self.times[OURS] / self.times[name], 1, True))
        self.losses += [
            f"{name} takes {self.times[name]:.1f} ms a frame, {OURS} "
            f"{self.times[OURS]:.1f} ms." for name in DENOISERS
            if "glopencl" not in name and self.times[name] < self.times[OURS]]
        psnr = {name: self.quality.get_mean(name) for name in DENOISERS}
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
