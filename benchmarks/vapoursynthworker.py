#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Filters frames by a plugin of VapourSynth, or lists their versions:

    vapoursynthworker.py WIDTH HEIGHT "NAME KEY=VALUE..." < NOISY > CLEAN
    vapoursynthworker.py --versions
    vapoursynthworker.py --commands

Frames are raw I420, of 8 bits. denoise.py and gpudenoise.py run this by the
Python that has VapourSynth, which need not have anything else. --commands answers
each line of standard input by a number:

    load WIDTH HEIGHT FILE [N]  the number of frames in the file, N at most
    filter FILE SETTING         0 when all frames are in the file
    time COUNT SETTING          milliseconds a frame, of so many at most, from
                                frames in memory to frames in memory

or by "failed: " and the reason."""
import collections
import ctypes
import importlib.metadata
import os
import sys
import time

import vapoursynth

CORE = vapoursynth.core
# Half of the memory, in MiB, but at least the default. BM3D over five frames of
# 3840x2160 keeps frames of 498 MB.
CORE.max_cache_size = max(4096, os.sysconf("SC_PAGE_SIZE")
                          * os.sysconf("SC_PHYS_PAGES") >> 21)
PACKAGES = ("vapoursynth", "vapoursynth-bm3dcpu", "vapoursynth-dfttest2-cpu",
            "smdegrain-bis", "vapoursynth-nlm-ispc", "vsavd",
            "vapoursynth-bm3dcuda", "vapoursynth-dfttest2-nvrtc",
            "vapoursynth-nlm-cuda", "vapoursynth-knlmeanscl")
# Frames that are measured are among so many different ones, and so many are
# asked for before the first is there.
LOOP, AHEAD = 8, 8
# After which no further frame of a measurement is asked for.
SECONDS = 2


def filter_bm3d(clip, sigma, radius, plugin="bm3dcpu"):
    """V-BM3D in two steps: the result of the first guides the second."""
    clip = CORE.resize.Point(clip, format=vapoursynth.YUV420PS)
    values = {"sigma": float(sigma), "radius": int(radius)}
    filter_step = getattr(CORE, plugin).BM3Dv2
    clip = filter_step(clip, ref=filter_step(clip, **values), **values)
    return CORE.resize.Point(clip, format=vapoursynth.YUV420P8)


def filter_dfttest(clip, sigma, tbsize):
    """Frequencies of blocks over some frames."""
    import dfttest2
    return dfttest2.DFTTest(clip, sigma=float(sigma), tbsize=int(tbsize))


def filter_smdegrain(clip, thSAD, tr):
    """Means along the motion."""
    import smdegrain_bis
    return smdegrain_bis.SMDegrain(clip, thSAD=int(thSAD), thSADC=int(thSAD),
                                   tr=int(tr))


def filter_nlm(clip, h, d):
    """Non-local means over some frames."""
    clip = CORE.resize.Point(clip, format=vapoursynth.YUV420PS)
    for channels in ("Y", "UV"):
        clip = CORE.nlm_ispc.NLMeans(clip, h=float(h), d=int(d),
                                     channels=channels)
    return CORE.resize.Point(clip, format=vapoursynth.YUV420P8)


def filter_nlm_cuda(clip, h, d):
    """The same on a GPU, from and to bytes."""
    for channels in ("Y", "UV"):
        clip = CORE.nlm_cuda.NLMeans(clip, h=float(h), d=int(d),
                                     channels=channels)
    return clip


def filter_knlm(clip, h, d):
    """The same by OpenCL."""
    for channels in ("Y", "UV"):
        clip = CORE.knlm.KNLMeansCL(clip, h=float(h), d=int(d),
                                    channels=channels, device_type="gpu")
    return clip


def filter_nl4d(clip):
    """av-denoise, which measures the noise itself."""
    import vsavd
    return vsavd.Nl4d(clip)


FILTERS = {"bm3dcpu": filter_bm3d, "dfttest2": filter_dfttest,
           "smdegrain": filter_smdegrain, "nlm": filter_nlm,
           "nl4d": filter_nl4d,
           "bm3dcuda": lambda clip, **values: filter_bm3d(
               clip, plugin="bm3dcuda", **values),
           "nlm_cuda": filter_nlm_cuda, "knlm": filter_knlm}


def list_versions():
    """One package a line, with its version, of those that are installed, and
    the size of the cache."""
    for name in PACKAGES:
        try:
            print(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            pass
    print(f"cache of {CORE.max_cache_size} MiB")


def make_clip(data, width, height):
    """A clip of raw frames."""
    planes = ((width, height), *[(width // 2, height // 2)] * 2)
    size = width * height * 3 // 2
    blank = CORE.std.BlankClip(
        format=vapoursynth.YUV420P8, width=width, height=height,
        length=len(data) // size, fpsnum=25, fpsden=1, keep=True)

    def fill(n, f):
        frame, start = f.copy(), n * size
        for plane, (columns, rows) in enumerate(planes):
            line, stride = frame.get_write_ptr(plane).value, \
                frame.get_stride(plane)
            for row in range(rows):
                ctypes.memmove(line + row * stride,
                               data[start:start + columns], columns)
                start += columns
        return frame

    return CORE.std.ModifyFrame(blank, blank, fill)


def filter_clip(clip, setting):
    """The clip after a filter, with its values."""
    name, *values = setting.split()
    return FILTERS[name](clip, **dict(value.split("=") for value in values))


def write_frames(clip, file):
    """All frames. frames() spins and can keep fill(), which is Python, from
    running."""
    for number in range(clip.num_frames):
        frame = clip.get_frame(number)
        for plane in range(3):
            file.write(bytes(memoryview(frame[plane])))


def time_frames(clip, setting, count):
    """Milliseconds a frame, after a start, of so many or of SECONDS. The frames
    before the filter are in VapourSynth's cache by then."""
    first = clip[:LOOP]
    first.std.SetVideoCache(mode=1, fixedsize=1, maxsize=LOOP)
    clip = filter_clip(first.std.Loop(0), setting)
    waiting = collections.deque()
    number = 0

    def take(count):
        """Takes at least three times AHEAD frames. Returns their number and the
        seconds."""
        nonlocal number
        begun = now = time.perf_counter()
        taken = 0
        while taken < 3 * AHEAD or taken < count and now < begun + SECONDS:
            while len(waiting) < AHEAD:
                waiting.append(clip.get_frame_async(number))
                number += 1
            waiting.popleft().result().close()
            taken += 1
            now = time.perf_counter()
        return taken, now - begun

    try:
        take(4 * LOOP)
        taken, elapsed = take(count)
    finally:
        while waiting:
            waiting.popleft().exception()
    return 1000 * elapsed / taken


def run_commands():
    """Answers lines. What plugins print goes to the standard error."""
    # pylint: disable-next=consider-using-with
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    clip = None
    for line in sys.stdin:
        what, *words = line.split()
        try:
            if what == "load":
                width, height = map(int, words[:2])
                most = int(words[3]) * width * height * 3 // 2 \
                    if len(words) > 3 else -1
                with open(words[2], "rb") as file:
                    clip = make_clip(file.read(most), width, height)
                answer = clip.num_frames
            elif what == "time":
                answer = time_frames(clip, " ".join(words[1:]), int(words[0]))
            else:
                with open(words[0], "wb") as file:
                    write_frames(filter_clip(clip, " ".join(words[1:])), file)
                answer = 0
        except Exception as error:  # pylint: disable=broad-except
            answer = f"failed: {' '.join(str(error).split())}"
        print(answer, file=answers, flush=True)


def main():
    """Filters, or lists."""
    if sys.argv[1] == "--versions":
        list_versions()
    elif sys.argv[1] == "--commands":
        run_commands()
    else:
        clip = make_clip(sys.stdin.buffer.read(), *map(int, sys.argv[1:3]))
        write_frames(filter_clip(clip, sys.argv[3]), sys.stdout.buffer)


if __name__ == "__main__":
    main()
