#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a PoCL that compiles kernels faster, for tests: pocl.py FOLDER

PoCL has clang read the declarations of all functions of OpenCL C, 900 KB, twice
for each program: 0.15 of the 0.2 s that it takes for an empty one. FOLDER gets
links to the PoCL that is installed, and a header with only those functions whose
names occur in this project, or in OpenCV's kernels. Programs are otherwise
compiled as by the installed one. A kernel that calls another function does not
compile.

FOLDER/pocl.icd is for OCL_ICD_VENDORS. Exits with 1 where PoCL is not installed,
or not as it is known here.
"""

import pathlib
import re
import sys

ICD = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")
HEADER = "opencl-c.h"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# What has kernels in it, as files and as texts.
FOLDERS = ("kernels", "tests", "docs", "gst", "tools", "pipelines", "benchmarks")
# What OpenCV's kernels call, which ours are compared with.
PEERS = {"mad24", "mul24"}
SUFFIXES = {".c", ".cl", ".clh", ".h", ".md", ".py", ".sh"}
DECLARATION = re.compile(r"^[a-z_][^;{}#]*?\b__ovld\b[^;{}#]*;[ \t]*$", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def find_library():
    """The driver's file: ICD files name it with or without a folder."""
    name = pathlib.Path(ICD.read_text(encoding="utf-8").strip())
    folders = [pathlib.Path("/")] if name.is_absolute() else sorted(
        pathlib.Path("/usr/lib").glob("*-linux-gnu")) + [pathlib.Path("/usr/lib")]
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    return None


def list_words():
    """All names that this project has."""
    words = set(PEERS)
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in SUFFIXES and file.is_file():
                text = file.read_text(encoding="utf-8", errors="ignore")
                words.update(re.findall(r"[A-Za-z_]\w*", text))
    return words


def shorten(header, words):
    """The header without what nobody calls."""
    def choose(match):
        name = re.search(r"(\w+)\s*\(", ATTRIBUTE.sub("", match.group()))
        return match.group() if name and name.group(1) in words else ""

    text = DECLARATION.sub(choose, COMMENT.sub("", header))
    return re.sub(r"\n\s*\n+", "\n", text)


def link(target, source):
    """A link, in place of one from an earlier run."""
    target.unlink(missing_ok=True)
    target.symlink_to(source)


def main():
    """Makes the folder as PoCL looks for its parts, from where its library is."""
    library = find_library() if ICD.exists() else None
    share = pathlib.Path("/usr/share/pocl")
    header = share / "include" / HEADER
    if not library or not header.exists():
        sys.exit(1)
    folder = pathlib.Path(sys.argv[1]).resolve()
    libraries = folder / "lib" / "pocl"
    include = folder / "share" / "pocl" / "include"
    libraries.mkdir(parents=True, exist_ok=True)
    include.mkdir(parents=True, exist_ok=True)
    for file in [*share.iterdir(), *(share / "include").iterdir()]:
        if file.is_file() and file != header:
            link(folder / file.relative_to("/usr"), file)
    text = header.read_text(encoding="utf-8")
    (include / HEADER).write_text(shorten(text, list_words()), encoding="utf-8")
    link(libraries / library.name, library)
    link(libraries / "pocl", library.resolve().parent / "pocl")
    (folder / "pocl.icd").write_text(f"{libraries / library.name}\n",
                                     encoding="utf-8")


main()
