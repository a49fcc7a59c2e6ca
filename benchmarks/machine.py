# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the figures were taken on."""
import os
import platform
import re
import time

import cv2

import programs


def find_processor():
    """The processor, as its vendor names it."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def find_memory():
    """GiB."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2 ** 30


def find_opencl():
    """Devices with the versions of their drivers."""
    found, name = [], None
    for line in programs.ask("clinfo").splitlines():
        key, _, value = line.strip().partition("  ")
        if key == "Device Name":
            name = value.strip()
        elif key == "Driver Version" and name:
            found.append(f"{name} (driver {value.strip()})")
            name = None
    return "; ".join(found)


def find_opengl(more=None):
    """The renderer and version that pipelines get, with more environment."""
    os.environ["GST_DEBUG_NO_COLOR"] = "1"
    text = programs.ask(
        "env", "GST_DEBUG=glcontext:4",
        *(f"{name}={value}" for name, value in (more or {}).items()),
        "gst-launch-1.0", "videotestsrc", "num-buffers=1", "!", "glupload",
        "!", "fakesink")
    found = dict(re.findall(r"GL_(RENDERER|VERSION): (.*)", text))
    return ", ".join(found[key] for key in ("RENDERER", "VERSION")
                     if key in found)


def find_first(pattern, *command):
    """What the first group of a pattern is in a command's output."""
    found = re.search(pattern, programs.ask(*command))
    return found.group(1) if found else "not found"


def describe(device):
    """Markdown lines."""
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    load = os.getloadavg()[1]
    return [
        f"- Date: {time.strftime('%Y-%m-%d')}",
        f"- Machine: {find_processor()}, {len(programs.CPUS)} threads, "
        f"{find_memory():.0f} GiB; load before the run {load:.1f}",
        f"- System: {system}, Linux {platform.release().split('-')[0]}",
        f"- OpenCL: {find_opencl() or device}; this project runs on {device}",
        f"- OpenGL: {find_opengl()}",
        "- Peers: OpenCV " + cv2.__version__
        + ", FFmpeg "
        + find_first(r"ffmpeg version (\S+)", "ffmpeg", "-version")
        + ", GStreamer "
        + find_first(r"GStreamer (\S+)", "gst-launch-1.0", "--version"),
    ]
