# SPDX-License-Identifier: LGPL-2.1-or-later
"""Measures programs that write frames, from outside and all in one way.

How far a program is, the kernel knows: /proc/PID/io counts the bytes it has
written, even those into /dev/null. So its start (libraries, OpenGL, kernels
that are compiled) can be separated from its steady part.
"""
import itertools
import os
import subprocess
import tempfile
import time
from typing import NamedTuple

INTERVAL = 0.003
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


class ProcessError(Exception):
    """A program failed; what it said last."""


class Program(NamedTuple):
    """A command, and the files it reads and writes."""
    arguments: list
    environment: dict
    stdin: str = os.devnull
    stdout: str = os.devnull


class Usage(NamedTuple):
    """What the steady part of a program cost."""
    fps: float
    cpu: float      # seconds a frame
    memory: float   # MiB, the most of the whole process


class Sample(NamedTuple):
    """How far a process is."""
    seconds: float
    written: int
    cpu: float


def read_sample(pid):
    """How far a process is; it may have ended, but not been waited for."""
    with open(f"/proc/{pid}/io", encoding="ascii") as file:
        fields = dict(line.split(": ") for line in file)
    now = time.perf_counter()
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        times = file.read().rpartition(")")[2].split()[11:13]
    return Sample(now, int(fields["wchar"]),
                  sum(map(int, times)) / CLOCK_TICKS)


def read_memory(pid):
    """MiB at most so far, 0 where the process has ended. What wait4() gives
    would include the memory of this process, which started it."""
    with open(f"/proc/{pid}/status", encoding="utf-8",
              errors="replace") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def has_ended(pid):
    """Whether a process has; what is known of it stays until waited for."""
    return os.waitid(os.P_PID, pid,
                     os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def follow(pid, start, end, deadline):
    """Samples where as many bytes have been written, and the memory."""
    first, memory = None, 0.0
    for turn in itertools.count():
        ended = has_ended(pid)
        sample = read_sample(pid)
        if first is None and sample.written >= start:
            first = sample
        if turn % 4 == 0 or sample.written >= end:
            memory = max(memory, read_memory(pid))
        if sample.written >= end:
            return first, sample, memory
        if ended or sample.seconds > deadline:
            raise ProcessError("it ended early" if ended else "time-out")
        time.sleep(INTERVAL)


def measure(program, frames, frame_size, limit=120):
    """The usage of a program that writes so many frames; the first fifth is its
    start."""
    start = max(2, frames // 5) * frame_size
    with open(program.stdin, "rb") as source, \
            open(program.stdout, "wb") as sink, \
            tempfile.TemporaryFile() as messages, \
            subprocess.Popen(program.arguments, env=program.environment,
                             stdin=source, stdout=sink,
                             stderr=messages) as process:
        try:
            first, last, memory = follow(
                process.pid, start, frames * frame_size,
                time.perf_counter() + limit)
            if process.wait(30) != 0:
                raise ProcessError("it failed")
        except (ProcessError, subprocess.TimeoutExpired) as error:
            messages.seek(0)
            lines = messages.read().decode(errors="replace").splitlines()
            raise ProcessError(f"{program.arguments[0]}: {error}: "
                               + " ".join(lines[:3])) from error
        finally:
            process.kill()
    # Of a few small frames no sample may have seen one but the last.
    done = max(last.written - first.written, frame_size) / frame_size
    return Usage(done / max(last.seconds - first.seconds, INTERVAL),
                 (last.cpu - first.cpu) / done, memory)
