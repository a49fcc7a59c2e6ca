# SPDX-License-Identifier: LGPL-2.1-or-later
"""Programs that answer lines by milliseconds, asked in turns."""
import statistics
import subprocess

# What takes longer, in milliseconds, is measured twice.
SLOW = 200


class Ended(SystemExit):
    """A program ended where it should have answered."""


class Process:
    """A program that answers lines by milliseconds, the first being the time of
    the kernels and the second that of the transfers."""

    def __init__(self, command, environment, greets):
        self.process = subprocess.Popen(
            command, env=environment, text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.greeting = self.process.stdout.readline() if greets else ""

    def ask(self, line):
        """The sum of what is answered."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Ended(f"{self.process.args[0]} ended at: {line}")
        return sum(map(float, answer.split()))

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait(30)


def take_turns(asks, rounds):
    """{name: median} of {name: what gives milliseconds}; the first is
    warm-up."""
    warm = {name: ask() for name, ask in asks.items()}
    times = {name: [] for name in asks}
    for number in range(rounds):
        for name, ask in asks.items():
            if warm[name] < SLOW or number < 2:
                times[name].append(ask())
    return {name: statistics.median(row) for name, row in times.items()}
