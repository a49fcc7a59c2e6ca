# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs the programs in turns on the same frames."""
import os
import statistics

import frames
import process
import programs
from section import count_threads, say

FILE_SIZE = 350e6
PILOT_FRAMES = 6
OURS = "this"


def describe_work(work):
    """In a few words."""
    return (f"{work.width}x{work.height} {work.layout}, radius {work.radius}, "
            f"{count_threads(work.threads)}")


class Runner:
    """Whole programs, {name: program}, measured in turns on the same frames."""

    def __init__(self, plan, found, folder):
        self.plan = plan
        self.folder = folder
        self.programs = found
        self.files = {}
        self.notes = []

    def get_file(self, work, layout):
        """A file of frames and how many it has."""
        key = work.width, work.height, layout
        if key not in self.files:
            size = frames.get_size(*key)
            count = max(10, min(400, int(FILE_SIZE / size)))
            path = os.path.join(self.folder, "-".join(map(str, key)))
            frames.write_frames(path, *key, count)
            self.files[key] = path, count
        return self.files[key]

    def drop_files(self):
        """Makes room."""
        for path, _ in self.files.values():
            os.remove(path)
        self.files = {}

    def run(self, name, work, count, target=os.devnull):
        """The usage of one run."""
        program = self.programs[name]
        layout = program.get_layout(work)
        path, most = self.get_file(work, layout)
        count = min(count, most)
        return process.measure(
            program.make(programs.Task(work, count, path, target)), count,
            frames.get_size(work.width, work.height, layout))

    def get_output(self, name, work):
        """What a program makes of the first frame, and how fast it is."""
        target = os.path.join(self.folder, "output")
        usage = self.run(name, work, PILOT_FRAMES, target)
        with open(target, "rb") as file:
            data = file.read()
        os.remove(target)
        layout = self.programs[name].get_layout(work)
        return frames.unpack(data, work.width, work.height, layout), usage

    def try_programs(self, names, work):
        """Outputs and speeds of those that run: {name: (output, usage)}."""
        found = {}
        for name in names:
            try:
                found[name] = self.get_output(name, work)
            except process.ProcessError as error:
                if name == OURS:
                    raise
                say(f"{name}: {error}")
                self.notes.append(f"{name} is missing: it does not run here.")
        return found

    def measure(self, names, work):
        """{name: median usage}. What is slow runs in every second round."""
        found = self.try_programs(names, work)
        speeds = {name: usage.fps for name, (_, usage) in found.items()}
        runs = {name: [] for name in speeds}
        for number in range(self.plan.rounds):
            say(f"{describe_work(work)}: round {number + 1} of "
                f"{self.plan.rounds}")
            for name, speed in speeds.items():
                if speed * self.plan.seconds < 5 and number % 2:
                    continue
                count = max(10, int(speed * self.plan.seconds))
                runs[name].append(self.run(name, work, count))
        return {name: process.Usage(*map(statistics.median, zip(*rows)))
                for name, rows in runs.items()}
