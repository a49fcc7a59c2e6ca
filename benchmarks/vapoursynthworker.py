#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Filters frames by a plugin of VapourSynth, or lists their versions:

    vapoursynthworker.py WIDTH HEIGHT "NAME KEY=VALUE..." < NOISY > CLEAN
    vapoursynthworker.py --versions

Frames are raw I420, of 8 bits. denoise.py runs this by the Python that has
VapourSynth, which need not have anything else."""
import ctypes
import importlib.metadata
import sys

import vapoursynth

CORE = vapoursynth.core
PACKAGES = ("vapoursynth", "vapoursynth-bm3dcpu", "vapoursynth-dfttest2-cpu",
            "smdegrain-bis", "vapoursynth-nlm-ispc", "vsavd")


def filter_bm3d(clip, sigma, radius):
    """V-BM3D in two steps: the result of the first guides the second."""
    clip = CORE.resize.Point(clip, format=vapoursynth.YUV420PS)
    values = {"sigma": float(sigma), "radius": int(radius)}
    first = CORE.bm3dcpu.BM3Dv2(clip, **values)
    clip = CORE.bm3dcpu.BM3Dv2(clip, ref=first, **values)
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


def filter_nl4d(clip):
    """av-denoise, which measures the noise itself."""
    import vsavd
    return vsavd.Nl4d(clip)


FILTERS = {"bm3dcpu": filter_bm3d, "dfttest2": filter_dfttest,
           "smdegrain": filter_smdegrain, "nlm": filter_nlm,
           "nl4d": filter_nl4d}


def list_versions():
    """One package a line, with its version, of those that are installed."""
    for name in PACKAGES:
        try:
            print(name, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            pass


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


def main():
    """Filters, or lists."""
    if sys.argv[1] == "--versions":
        list_versions()
        return
    width, height = map(int, sys.argv[1:3])
    name, *values = sys.argv[3].split()
    clip = make_clip(sys.stdin.buffer.read(), width, height)
    clip = FILTERS[name](clip, **dict(value.split("=") for value in values))
    # frames() spins and can keep fill(), which is Python, from running.
    for number in range(clip.num_frames):
        frame = clip.get_frame(number)
        for plane in range(3):
            sys.stdout.buffer.write(bytes(memoryview(frame[plane])))


if __name__ == "__main__":
    main()
