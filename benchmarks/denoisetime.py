# SPDX-License-Identifier: LGPL-2.1-or-later
"""How long denoisers take for a frame."""
import os
import statistics
import tempfile
import time

import numpy

import clips
import process
import programs
from denoisequality import TIMED
from denoisers import ALONE, FILM, LONG, OURS, PEERS, SLOW, make_program
from noises import add_white
from section import THREADS, Section, count_threads, make_table, say

NAMES = (ALONE, OURS, LONG, FILM, *PEERS)


class TimeSection(Section):
    """How long a frame takes."""

    def __init__(self, plan, folder, quality, keep):
        super().__init__(plan, folder)
        self.quality = quality
        self.keep = keep

    def get_setting(self, name):
        """The setting that is best for white noise."""
        found = self.quality.found[TIMED[0]]
        return found[name].luma_setting if name in found else name

    def write_frames(self, folder, frames):
        """A file of a photograph that pans, with noise."""
        width, height = self.plan.frame
        luma = clips.get_luma(clips.CLIPS["home"][1]()[0])
        tile = numpy.tile(luma, (height // luma.shape[0] + 2,
                                 width // luma.shape[1] + 2))
        gray = numpy.full((height // 2, width), 128, numpy.uint8)
        clean = [numpy.concatenate([tile[n:n + height, 2 * n:2 * n + width],
                                    gray]) for n in range(8)]
        noisy = numpy.stack(add_white(clean, 10))
        path = os.path.join(folder, "frames")
        with open(path, "wb") as file:
            for start in range(0, frames, len(clean)):
                noisy[:frames - start].tofile(file)
        return path

    def measure(self):
        """The medians, in turns, with when and under what load."""
        size = self.plan.frame[0] * self.plan.frame[1] * 3 // 2
        many = max(20, round(20 * self.plan.seconds))
        # A run of a slow denoiser need not be as long.
        frames = {name: max(20, many // 6) if name in SLOW else many
                  for name in NAMES}
        rates = {name: [] for name in NAMES}
        work = self.get_work(radius=0)
        load = os.getloadavg()[0]
        with tempfile.TemporaryDirectory(
                dir=programs.find_memory_folder(many * size)) as folder:
            path = self.write_frames(folder, many)
            for turn in range(self.plan.rounds):
                for name in NAMES:
                    program = make_program(self.get_setting(name))
                    usage = process.measure(program.make(
                        programs.Task(work, frames[name], path)),
                        frames[name], size)
                    rates[name].append(usage.fps)
                    say(f"turn {turn + 1}, {name}: {usage.fps:.1f} frames/s")
        return {"date": time.strftime("%Y-%m-%d"), "load": round(load, 1),
                "milliseconds": {name: round(1000 / statistics.median(row), 2)
                                 for name, row in rates.items()}}

    def add_claims(self, times):
        """What is promised, and where others are ahead."""
        self.claims += [
            ("frames a second", 1000 / times[OURS], 30, False),
            ("frames a second with history=0", 1000 / times[ALONE], 100, False)]
        for name in SLOW:
            self.claims.append((f"time against FFmpeg's {name}",
                                times[OURS] / times[name], 1, True))
        self.losses += [
            f"{name} takes {times[name]:.1f} ms a frame, {OURS} "
            f"{times[OURS]:.1f} ms." for name in PEERS
            if times[name] < times[OURS]]

    def run(self):
        """Measures and describes all."""
        stored = self.quality.cache.content["times"]
        self.lines += ["", "## Time", ""]
        if self.keep and not stored:
            self.lines += ["Not measured in this run."]
            return
        if not self.keep:
            stored = self.measure()
            self.quality.cache.store_times(stored)
        times = stored["milliseconds"]
        self.add_claims(times)
        kinds = [about for about in TIMED if about in self.quality.found]
        width, height = self.plan.frame
        self.lines += [
            f"Programs that read raw I420 frames of {width}x{height} from "
            f"memory and write them to /dev/null, with "
            f"{count_threads(THREADS)}, with the settings that are best for "
            f"{TIMED[0]}; the PSNR is that of the clips above. Taken on "
            f"{stored['date']}, load before it {stored['load']}."]
        self.lines += make_table(
            ("", "ms a frame", "frames a second",
             *(f"dB at {about}" for about in kinds), "settings"),
            [[name, f"{times[name]:.1f}", f"{1000 / times[name]:.1f}",
              *(self.quality.format_psnr(name, about) for about in kinds),
              f"`{self.get_setting(name)}`"] for name in NAMES])
        self.write_chart(
            "denoise", f"PSNR at {TIMED[0]} over the time of a frame",
            f"ms a frame of {width}x{height}", "dB",
            {tick: f"{tick:g}" for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500)
             if min(times.values()) / 3 < tick < max(times.values()) * 3},
            {name.rpartition(" ")[2]:
             {times[name]: float(self.quality.format_psnr(name, TIMED[0]))}
             for name in NAMES})
