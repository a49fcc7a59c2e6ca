# SPDX-License-Identifier: LGPL-2.1-or-later
"""The card that figures were taken on, and its drivers."""
import os
import platform
import re
import time

import machine
import programs
from gpupipelines import PLATFORMS

QUERIES = {"name": "", "driver_version": "driver ", "memory.total": "",
           "clocks.max.sm": "at most ", "power.limit": "power limit "}


def find_card():
    """As NVIDIA's driver names it, or nothing."""
    text = programs.ask("nvidia-smi", "--query-gpu=" + ",".join(QUERIES),
                        "--format=csv,noheader")
    if text.count(",") < len(QUERIES) - 1:
        return ""
    fields = text.splitlines()[0].split(", ")
    return ", ".join(prefix + field
                     for prefix, field in zip(QUERIES.values(), fields))


def describe(device):
    """Markdown lines."""
    lines = [f"- Date: {time.strftime('%Y-%m-%d')}"]
    commit = re.fullmatch(r"[0-9a-f]+\n", programs.ask(
        "git", "-C", programs.HERE, "rev-parse", "--short", "HEAD"))
    if commit:
        lines.append(f"- Commit: {commit.group().strip()}")
    card = find_card()
    if card:
        lines.append(f"- Card: {card}")
    lines.append(f"- OpenCL: {machine.find_opencl() or device}; this project "
                 f"runs on {device}")
    for name, more in PLATFORMS.items():
        if name == "egl" or os.environ.get("DISPLAY"):
            lines.append(f"- OpenGL, {name.upper()}: "
                         f"{machine.find_opengl(more) or 'none'}")
    lines += [
        f"- Machine: {machine.find_processor()}, {len(programs.CPUS)} threads",
        f"- System: {platform.freedesktop_os_release()['PRETTY_NAME']}, Linux "
        f"{platform.release().split('-')[0]}; GStreamer "
        + machine.find_first(r"GStreamer (\S+)", "gst-launch-1.0",
                             "--version"),
        "- What else was found: [GPU-NOTES.md](GPU-NOTES.md)"]
    return lines
