#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Folders depend one way, no files depend on each other in a circle, each test
case is run, users may copy the example kernels, and scripts explain themselves
without doing anything: structure.py SOURCES. Prints TAP.

A file and its header are one unit. The includes of units are checked."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Each folder may include from itself and from the listed folders, and from the
# folders that these may include from.
FOLDERS = {
    "gst/opencl/core": [],
    "gst/opencl/params": ["gst/opencl/core"],
    "gst/opencl/operation": ["gst/opencl/params"],
    "gst/opencl/bilateral": ["gst/opencl/operation"],
    "gst/opencl/convolution": ["gst/opencl/operation"],
    "gst/opencl/denoise": ["gst/opencl/operation"],
    "gst/opencl/user": ["gst/opencl/operation"],
    "gst/opencl/graph": ["gst/opencl/operation"],
    "gst/opencl/histogram": ["gst/opencl/operation"],
    "gst/opencl/pyramid": ["gst/opencl/bilateral"],
    "gst/opencl": ["gst/opencl/graph", "gst/opencl/convolution", "gst/opencl/denoise",
                   "gst/opencl/histogram", "gst/opencl/pyramid",
                   "gst/opencl/user"],
    "gst/gl": ["gst/opencl/core"],
    "gst/frame": ["gst/opencl/graph", "gst/opencl/denoise",
                  "gst/opencl/histogram"],
    "gst/interop/external": ["gst/gl"],
    "gst/interop": ["gst/interop/external", "gst/frame"],
    "gst/base": ["gst/interop"],
    "gst/elements": ["gst/base", "gst/opencl"],
    "gst": ["gst/elements"],
    "tools": ["gst/opencl"],
    "pipelines": [],
    "apps/denoise": [],
    "apps/play": [],
}

# Words that must not occur on the OpenCL side.
FOREIGN = re.compile(r'#\s*include\s*<(gst|GL|EGL|vulkan)/'
                     r'|GStreamer|GObject|[Gg]st_?GL|\b[Pp]ipelines?\b'
                     r'|\bproperty\b|\belements?\b')

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def find_units(root):
    """The files of each unit, by its path without a suffix."""
    units = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.[ch]")):
            unit = path.relative_to(root).with_suffix("").as_posix()
            units.setdefault(unit, []).append(path)
    return units


def find_unlisted(root):
    """The folders with sources that FOLDERS leaves out."""
    found = {path.parent.relative_to(root).as_posix()
             for top in ("gst", "tools", "pipelines", "apps")
             for path in (root / top).rglob("*.[ch]")}
    return sorted(found - set(FOLDERS))


def find_wide(root, units):
    """Returns the lines of more than 80 columns, including kernels, except launch
    lines, which are for pasting, and a brace left there by indent."""
    paths = [path for paths in units.values() for path in paths]
    paths += sorted((root / "kernels").glob("*.cl*"))
    return [f"{path.relative_to(root)}:{number}"
            for path in paths for number, line in enumerate(
                path.read_text(encoding="utf-8").splitlines(), 1)
            if len(line.removesuffix(" {")) > 80
            and "gst-launch-1.0" not in line]


def find_included(root, path, name):
    """Returns the unit that a file includes by that name, or None for generated
    files."""
    for base in (path.parent, root / "gst/opencl", root / "gst", root):
        if (base / name).exists():
            header = (base / name).resolve().relative_to(root)
            return header.with_suffix("").as_posix()
    return None


def read_includes(root, units):
    """The units that each unit includes."""
    includes = {}
    for unit, paths in units.items():
        found = includes.setdefault(unit, set())
        for path in paths:
            for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
                found.add(find_included(root, path, name))
        found -= {unit, None}
    return includes


def get_allowed(folder):
    """The folders that one may include from."""
    allowed = {folder}
    for other in FOLDERS.get(folder, []):
        allowed |= get_allowed(other)
    return allowed


def find_upward(includes):
    """Returns includes from folders that are not allowed."""
    return [f"{unit} includes {other}"
            for unit, others in includes.items() for other in sorted(others)
            if other.rpartition("/")[0]
            not in get_allowed(unit.rpartition("/")[0])]


def find_floors(includes):
    """Returns the level of each unit, one above the highest that it includes, except
    of units in a circle, or above one."""
    floors = {}
    grows = True
    while grows:
        grows = False
        for unit, others in includes.items():
            if unit not in floors and all(other in floors for other in others):
                floors[unit] = 1 + max((floors[other] for other in others),
                                       default=0)
                grows = True
    return floors


def find_circles(includes, floors):
    """The units that are in circles, or between two of them."""
    left = set(includes) - set(floors)
    while True:
        top = {unit for unit in left
               if not any(unit in includes[other] for other in left)}
        if not top:
            return sorted(left)
        left -= top


def report(number, problems, what):
    """Prints a line of TAP, with the problems. Returns whether there are none."""
    print(f"{'not ' * bool(problems)}ok {number} - {what}")
    for problem in problems:
        print(f"# {problem}")
    return not problems


def find_idle(root):
    """The tags of test cases that are no test's. Cases add themselves to their
    programs, and those without tags run in every test of theirs."""
    check = root / "tests/check"
    build = (check / "meson.build").read_text("utf-8")
    known = set(re.findall(r"'([\w-]+)'", build))
    problems = []
    for path in sorted(check.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(r'TEST_(?:TAGGED|CASES) \((\w+),([^)]*)\)',
                                 text):
            tags = set("".join(re.findall(r'"([^"]*)"', match[2])).split())
            problems += [f"{path.name}: {match[1]}: {tag}"
                         for tag in sorted(tags - known)]
    return problems


def find_uncopyable(root):
    """The example kernels without a license that lets users copy them."""
    line = "/* SPDX-License-Identifier: CC0-1.0 */\n"
    return [str(path.relative_to(root))
            for path in sorted((root / "kernels/examples").glob("*.cl"))
            if not path.read_text(encoding="utf-8").startswith(line)]


# Commands that install, configure or build.
WORKERS = ("apt-get", "apt-cache", "sudo", "meson", "ninja", "mmdebstrap", "pip")


def find_busy_help(root):
    """Returns the scripts whose --help does not print their comment, or has side
    effects."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        called = pathlib.Path(folder) / "called"
        for name in WORKERS:
            worker = pathlib.Path(folder) / name
            worker.write_text(f"#!/bin/sh\necho {name} >>'{called}'\nexit 1\n",
                              encoding="utf-8")
            worker.chmod(0o755)
        environment = os.environ | {
            "PATH": f"{folder}:{os.environ['PATH']}", "TMPDIR": folder}
        environment.pop("GLOPENCL_BUILD", None)
        for path in sorted(path for top in ("benchmarks", "packaging",
                                            "pipelines", "tests")
                           for path in (root / top).glob("*.sh")
                           if path.read_text("utf-8").startswith("#!/")):
            done = subprocess.run(
                [path, "--help"], env=environment, check=False, timeout=60,
                capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
            if done.returncode or path.name.removesuffix(".sh") \
                    not in done.stdout or called.exists():
                problems.append(f"{path.relative_to(root)}: {done.returncode} "
                                f"{done.stdout[:60]!r} {done.stderr[:60]!r}")
            called.unlink(missing_ok=True)
    return problems


def main():
    """Exits with 0 if all checks pass."""
    root = pathlib.Path(sys.argv[1]).resolve()
    units = find_units(root)
    includes = read_includes(root, units)
    floors = find_floors(includes)
    foreign = [str(path.relative_to(root)) for unit, paths in units.items()
               if unit.startswith("gst/opencl/") for path in paths
               if FOREIGN.search(path.read_text(encoding="utf-8"))]

    results = [
        report(1, find_unlisted(root), f"{len(units)} units in known folders"),
        report(2, find_upward(includes), "folders depend one way"),
        report(3, find_circles(includes, floors),
               f"no circles, {max(floors.values())} floors"),
        report(4, foreign, "gst/opencl knows neither GStreamer nor OpenGL"),
        report(5, find_wide(root, units), "no line is wider than 80 columns"),
        report(6, find_idle(root), "each test case is run"),
        report(7, find_uncopyable(root), "users may copy the example kernels"),
        report(8, find_busy_help(root), "--help of scripts only prints"),
    ]
    print(f"1..{len(results)}")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
