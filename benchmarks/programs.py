# SPDX-License-Identifier: LGPL-2.1-or-later
"""The programs that are measured beside each other, as command lines: each
reads raw frames from a file, filters them, and writes them as they came."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

from process import Program

HERE = os.path.dirname(os.path.abspath(__file__))
INTENSITY_SIGMA = 0.25
CPUS = sorted(os.sched_getaffinity(0))
# The least radius at which the method "fast" is another one than the exact.
FAST_RADIUS = 10
# Without it OpenCV takes only GPUs.
OPENCV_CPU = {"OPENCV_OPENCL_DEVICE": ":CPU:"}


class Work(NamedTuple):
    """What a program has to do. The layout is i420, which decoders give and
    encoders take, or packed: three channels of a pixel side by side."""
    width: int
    height: int
    radius: int
    threads: int
    layout: str = "i420"


class Task(NamedTuple):
    """Work on so many frames of a file."""
    work: Work
    frames: int
    source: str
    target: str = os.devnull


def limit_threads(threads):
    """What stands before a command, and its environment, for so many."""
    environment = dict(os.environ, LP_NUM_THREADS=str(threads),
                       POCL_MAX_PTHREAD_COUNT=str(threads),
                       POCL_CPU_MAX_CU_COUNT=str(threads))
    if threads >= len(CPUS):
        return [], environment
    return ["taskset", "-c", ",".join(map(str, CPUS[:threads]))], environment


def fill_in(name, radius):
    """A kernel of this folder with its defines set."""
    values = {"RADIUS": radius, "SPATIAL_SIGMA": f"{radius / 2:.2f}",
              "INTENSITY_SIGMA": f"{INTENSITY_SIGMA:.2f}"}
    lines = []
    with open(os.path.join(HERE, name), encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["#define"]:
                suffix = "f" if words[2].endswith("f") else ""
                line = f"#define {words[1]} {values[words[1]]}{suffix}\n"
            lines.append(line)
    return "".join(lines)


class GStreamer:
    """A pipeline with one filter of OpenGL textures."""

    def __init__(self, element, converts=False):
        """The element, or a function that makes it for some work; whether it
        needs I420 to be converted to RGBA and back."""
        self.element = element
        self.converts = converts

    @staticmethod
    def get_layout(work):
        """What the frames in the file are."""
        return "i420" if work.layout == "i420" else "rgba"

    def get_elements(self, work, source="INPUT", target="OUTPUT", count=None):
        """The arguments of gst-launch-1.0."""
        layout = self.get_layout(work)
        size = (work.width * work.height * 3 // 2 if layout == "i420"
                else work.width * work.height * 4)
        element = (self.element if isinstance(self.element, list)
                   else self.element(work))
        before = after = []
        if layout == "i420" and self.converts:
            convert = ["videoconvert", f"n-threads={work.threads}", "!",
                       "video/x-raw,format={}", "!"]
            before = [word.format("RGBA") for word in convert]
            after = [word.format("I420,colorimetry=bt601") for word in convert]
        colors = ["colorimetry=bt601"] if layout == "i420" else []
        limit = [f"num-buffers={count}"] if count else []
        return ["filesrc", f"location={source}", f"blocksize={size}", *limit,
                "!", "rawvideoparse", f"format={layout}",
                f"width={work.width}", f"height={work.height}", *colors, "!",
                *before, "queue", "!", "glupload", "!", *element, "!",
                "gldownload", "!", "queue", "!", *after,
                "filesink", f"location={target}"]

    def make(self, task):
        """The program."""
        prefix, environment = limit_threads(task.work.threads)
        return Program([*prefix, "gst-launch-1.0", "-q",
                        *self.get_elements(task.work, task.source, task.target,
                                           task.frames)], environment)

    def describe(self, work):
        """The command line."""
        words = self.get_elements(work)
        if any("\n" in word for word in words):
            words = [word if "\n" not in word
                     else 'fragment="\\"$(cat bilateral.frag)\\""'
                     for word in words]
        return "gst-launch-1.0 " + " ".join(
            word if word == "!" or "$" in word else shlex.quote(word)
            for word in words)


class FFmpeg:
    """An ffmpeg with one filter."""

    def __init__(self, make_filter, converts, options=()):
        self.make_filter = make_filter
        self.converts = converts
        self.options = list(options)

    @staticmethod
    def get_layout(work):
        """What the frames in the file are."""
        return "i420" if work.layout == "i420" else "rgba"

    def get_arguments(self, task):
        """Of ffmpeg."""
        work = task.work
        pixels = "yuv420p" if work.layout == "i420" else "rgba"
        video = ["-f", "rawvideo", "-pix_fmt", pixels]
        threads = str(work.threads)
        return ["ffmpeg", "-v", "error", "-nostdin", "-threads", threads,
                "-filter_threads", threads, *self.options, *video, "-s",
                f"{work.width}x{work.height}", "-i", task.source, "-vf",
                self.make_filter(work), "-frames:v", str(task.frames),
                *video, "-y", task.target]

    def make(self, task):
        """The program."""
        prefix, environment = limit_threads(task.work.threads)
        return Program([*prefix, *self.get_arguments(task)], environment)

    def describe(self, work):
        """The command line."""
        return shlex.join(self.get_arguments(Task(work, "FRAMES", "INPUT",
                                                  "OUTPUT")))


class OpenCV:
    """opencvpipeline.cpp."""

    def __init__(self, path, engine, more=None, converts=True):
        """On three channels, or on each of three planes by itself."""
        self.path, self.engine, self.more = path, engine, more or {}
        self.converts = converts

    @staticmethod
    def get_layout(work):
        """What the frames in the file are."""
        return "i420" if work.layout == "i420" else "bgr"

    def get_arguments(self, work, frames):
        """Of the program. The sigma of three channels is that of a sum."""
        channels = 3 if self.converts else 1
        layout = self.get_layout(work) if self.converts else "planes"
        return [self.path, self.engine, layout,
                *map(str, (work.width, work.height, work.radius,
                           work.radius / 2, channels * 255 * INTENSITY_SIGMA,
                           work.threads, frames))]

    def make(self, task):
        """The program."""
        prefix, environment = limit_threads(task.work.threads)
        return Program([*prefix, *self.get_arguments(task.work, task.frames)],
                       dict(environment, **self.more), task.source, task.target)

    def describe(self, work):
        """The command line."""
        words = [f"{key}={value}" for key, value in self.more.items()]
        words += ["opencvpipeline", *self.get_arguments(work, "FRAMES")[1:]]
        return " ".join(words) + " <INPUT >OUTPUT"


def get_ours(method=None, converts=False):
    """This project's element."""
    def make(work):
        words = ["glopenclfilter", "window=disc", f"radius={work.radius}",
                 f"spatial-sigma={work.radius / 2:g}",
                 f"intensity-sigma={INTENSITY_SIGMA:g}"]
        return words + ([f"method={method}"] if method else [])
    return GStreamer(make, converts)


def get_glsl():
    """The same filter as a fragment shader."""
    def make(work):
        text = fill_in("bilateral.frag", work.radius)
        return ["glshader", f'fragment="{text}"']
    return GStreamer(make, converts=True)


def get_ffmpeg_bilateral():
    """The recursive one, on planes."""
    return FFmpeg(lambda work: f"bilateral=sigmaS={work.radius / 2:g}:"
                               f"sigmaR={INTENSITY_SIGMA:g}:planes=7",
                  converts=False)


def get_ffmpeg_opencl(folder):
    """The same filter as a kernel that FFmpeg runs."""
    def make(work):
        path = os.path.join(folder, f"bilateral-{work.radius}.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write(fill_in("bilateral-ffmpeg.cl", work.radius))
        after = ",format=yuv420p" if work.layout == "i420" else ""
        return (f"format=rgba,hwupload,program_opencl=source={path}:"
                f"kernel=bilateral,hwdownload,format=rgba{after}")
    return FFmpeg(make, True, ["-init_hw_device", "opencl=device:0.0"])


def ask(*command):
    """What a command says, on both of its outputs."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=60,
                                check=False, text=True, errors="replace")
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout


def find_method():
    """The names that glopenclfilter's property "method" has, if any."""
    return find_values("method")


def find_values(name):
    """The names that a property of glopenclfilter has, if any."""
    text = ask("gst-inspect-1.0",
               "glopenclfilter").partition(f"\n  {name} ")[2]
    names = []
    for line in text.splitlines()[1:]:
        if line.strip().startswith("("):
            names.append(line.split(":", 1)[1].split()[0])
        elif line.startswith("  ") and line[2:3].strip():
            break
    return names


def find_opencv_opencl():
    """What lets OpenCV use OpenCL; None where nothing does."""
    for more in ({}, OPENCV_CPU):
        result = subprocess.run(
            [sys.executable, "-c", "import cv2; print(cv2.ocl.useOpenCL())"],
            env=dict(os.environ, **more), stdout=subprocess.PIPE, text=True,
            check=False)
        if result.stdout.strip() == "True":
            return more
    return None


def find_programs(opencv, folder):
    """The programs that this machine has: {name: program}."""
    method = "exact" if "exact" in find_method() else None
    found = {"this": get_ours(method),
             "this, through RGBA": get_ours(method, converts=True)}
    if opencv:
        found["OpenCV, planes"] = OpenCV(opencv, "cpu", converts=False)
        found["OpenCV, CPU"] = OpenCV(opencv, "cpu")
        more = find_opencv_opencl()
        if more is not None:
            found["OpenCV, UMat"] = OpenCV(opencv, "umat", more)
    found["GLSL in glshader"] = get_glsl()
    if shutil.which("ffmpeg"):
        filters = ask("ffmpeg", "-v", "error", "-filters")
        if " program_opencl " in filters:
            found["FFmpeg, program_opencl"] = get_ffmpeg_opencl(folder)
        if " bilateral " in filters:
            found["FFmpeg, bilateral"] = get_ffmpeg_bilateral()
    found["gleffects, blur"] = GStreamer(["gleffects", "effect=blur"],
                                       converts=True)
    through = ["video/x-raw(memory:GLMemory)"]
    found["no filter"] = GStreamer(through)
    found["no filter, through RGBA"] = GStreamer(through, converts=True)
    return found


def find_memory_folder(size):
    """A folder for so many bytes, in memory where there is room."""
    shared = "/dev/shm"
    if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 2 * size:
        return shared
    return tempfile.gettempdir()
