# SPDX-License-Identifier: LGPL-2.1-or-later
"""Pipelines whose frames stay on the GPU, in every way that OpenGL and OpenCL
share them."""
import os
import re
import subprocess
import threading
import time
from typing import NamedTuple

import frames
import programs
from process import ProcessError
from section import RADIUS

DEPTHS = (0, 1, 2, 3, 4)
CHECK_WORK = programs.Work(160, 96, RADIUS, len(programs.CPUS), "packed")
PLATFORMS = {
    "glx": {"GST_GL_PLATFORM": "glx", "GST_GL_WINDOW": "x11"},
    "egl": {"GST_GL_PLATFORM": "egl", "GST_GL_WINDOW": "egl-device"},
}
# Where drivers keep what they have compiled.
CACHES = ("CUDA_CACHE_PATH", "POCL_CACHE_DIR", "XDG_CACHE_HOME",
          "MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH")
# Of a run, in seconds.
LIMIT = 60


class Pipeline(NamedTuple):
    """The element in a way of interop, or another, and its OpenGL."""
    name: str
    element: object     # of programs.GStreamer
    platform: str
    interop: str = ""


def make_ours(interop):
    """The element with the settings that all programs have."""
    ours = programs.get_ours()
    return lambda work: ours.element(work) + [f"interop={interop}"]


# NVIDIA's OpenCL shares textures under GLX, others do under EGL.
PIPELINES = [
    Pipeline("gl-sharing, GLX", make_ours("gl-sharing"), "glx", "gl-sharing"),
    Pipeline("gl-sharing, EGL", make_ours("gl-sharing"), "egl", "gl-sharing"),
    Pipeline("external-memory, EGL", make_ours("external-memory"), "egl",
             "external-memory"),
    Pipeline("external-memory, GLX", make_ours("external-memory"), "glx",
             "external-memory"),
    Pipeline("host-copy, EGL", make_ours("host-copy"), "egl", "host-copy"),
    Pipeline("GLSL in glshader, EGL", programs.get_glsl().element, "egl"),
    Pipeline("no filter, EGL", ["identity"], "egl"),
    Pipeline("no filter, GLX", ["identity"], "glx"),
]

# The programs of the denoiser take longest to compile.
TO_I420 = ["glcolorconvert", "!",
           "video/x-raw(memory:GLMemory),format=I420", "!"]
DENOISERS = [["glopencldenoise"], ["glopencldenoise", "history=0"],
             ["glopencldenoise", "quick-start=on"]]


def get_denoisers(platform):
    """Pipelines of the denoiser with this OpenGL."""
    return [Pipeline(f"{' '.join(words)}, I420", TO_I420 + words, platform)
            for words in DENOISERS]


def find_ways():
    """The ways of interop, each with the OpenGL that there is. Textures are
    shared under GLX, where there is a display."""
    has_display = bool(os.environ.get("DISPLAY"))
    return [one for one in PIPELINES if one.interop and (
        has_display if one.platform == "glx"
        else not has_display or one.interop != "gl-sharing")]


def get_environment(platform, more=None):
    """Of a program that uses this OpenGL."""
    environment = dict(os.environ, **PLATFORMS[platform], **(more or {}))
    if platform == "egl":
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
    return environment


def get_elements(pipeline, depth=None):
    """Of gst-launch-1.0, as the frames' source and sink have none to copy."""
    if not pipeline.interop:
        element = pipeline.element
        return element if isinstance(element, list) else element(CHECK_WORK)
    words = ["glopenclfilter", f"radius={RADIUS}",
             f"interop={pipeline.interop}"]
    return words + ([] if depth is None else [f"pipeline-depth={depth}"])


def make_command(elements, size, count, sink=("sync=false",), options=()):
    """Of a pipeline without an end on the CPU. A driver that crashes would keep
    gst-launch-1.0 waiting for a debugger."""
    width, height = size
    return ["gst-launch-1.0", "--no-fault", *options, "gltestsrc", f"num-buffers={count}",
            "!", f"video/x-raw(memory:GLMemory),width={width},height={height}",
            "!", *elements, "!", "fakesink", *sink]


def find_error(text):
    """The sentence of the first error, or the last line."""
    found = re.search(r"ERROR: from element [^ ]*: (.*)", text)
    lines = text.strip().splitlines() or ["it ended"]
    return found.group(1) if found else lines[-1]


def run(command, environment, limit=LIMIT):
    """What a program says. Raises ProcessError where it fails, or takes more
    than so many seconds."""
    try:
        result = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=limit, check=False)
    except subprocess.TimeoutExpired as error:
        said = error.output or ""
        if isinstance(said, bytes):
            said = said.decode(errors="replace")
        raise ProcessError(f"no end after {limit} s" + (
            f", after: {find_error(said)}" if said.strip() else "")) from error
    except OSError as error:
        raise ProcessError(str(error)) from error
    if result.returncode != 0:
        raise ProcessError(find_error(result.stdout))
    return result.stdout


def time_frame(elements, size, count, environment):
    """Milliseconds of a frame from playing to the end, by gst-launch-1.0's own
    clock: the first frame, with which all is opened, comes before that."""
    text = run(make_command(elements, size, count), environment)
    found = re.search(r"Execution ended after (\d+):(\d+):([\d.]+)", text)
    if not found:
        raise ProcessError(find_error(text))
    hours, minutes, seconds = found.groups()
    elapsed = (int(hours) * 60 + int(minutes)) * 60 + float(seconds)
    return elapsed * 1000 / (count - 1)


def time_first_frame(elements, size, environment):
    """Seconds from a program's start to the first frame in its sink."""
    command = make_command(elements, size, 1,
                           ("sync=false", "silent=false"), ["-v"])
    begun = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          errors="replace") as process:
        elapsed, text = None, ""
        limit = threading.Timer(LIMIT, process.kill)
        limit.start()
        for line in process.stdout:
            text += line
            if elapsed is None and re.search(
                    r"last-message = (preroll|chain)", line):
                elapsed = time.perf_counter() - begun
        limit.cancel()
    if elapsed is None or process.returncode != 0:
        raise ProcessError(find_error(text))
    return elapsed


def check(pipeline, folder):
    """The largest difference from the exact filter of a frame that has gone
    through."""
    work = CHECK_WORK
    source, target = (os.path.join(folder, name) for name in ("in", "out"))
    frames.write_frames(source, work.width, work.height, "rgba", 2)
    program = programs.GStreamer(pipeline.element).make(
        programs.Task(work, 2, source, target))
    run(program.arguments, get_environment(pipeline.platform))
    with open(target, "rb") as file:
        data = file.read()
    picture = frames.unpack(data, work.width, work.height, "rgba")
    exact = frames.make_frame(work.width, work.height)
    if pipeline.element != ["identity"]:
        exact = frames.filter_exactly(exact, work.radius, work.radius / 2,
                                      programs.INTENSITY_SIGMA)
    return frames.find_largest_difference(picture, exact)
