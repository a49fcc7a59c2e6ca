#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the kernels as a C file: embed.py OUTPUT KERNEL.cl...

`#include "x.clh"` is replaced by that file, once a kernel, so that the driver's
compiler needs no include path at run time. Comments are left out, so that stored
settings, which belong to the checksum of a kernel, survive a change of a comment.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"')
COMMENT = re.compile(r"[ \t]*/\*.*?\*/|[ \t]*//[^\n]*", re.DOTALL)


def inline(path, seen):
    """The lines of path, with the files it includes in place."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = INCLUDE.match(line)
        if not match:
            yield line
        elif match.group(1) not in seen:
            seen.add(match.group(1))
            yield from inline(path.parent / match.group(1), seen)


def code(path):
    """The lines of path and of the files it includes that have code."""
    text = COMMENT.sub("", "\n".join(inline(path, set())))
    return [line for line in text.splitlines() if line.strip()]


def quote(line):
    """A line as a C string literal."""
    text = "".join(
        character if character.isascii() else
        "".join(f"\\{byte:03o}" for byte in character.encode("utf-8"))
        for character in line.replace("\\", "\\\\").replace('"', '\\"'))
    return f'"{text}\\n"'


def main():
    """Writes the file named by the first argument."""
    output, kernels = sys.argv[1], sys.argv[2:]
    with open(output, "w", encoding="ascii") as file:
        file.write('/* Made from kernels/ by embed.py. */\n'
                   '#include "core/oclprograms.h"\n\n'
                   'const OclKernelSource ocl_kernel_sources[] = {\n')
        for kernel in map(pathlib.Path, kernels):
            file.write(f'  {{"{kernel.name}",\n')
            for line in code(kernel):
                file.write(f"      {quote(line)}\n")
            file.write("  },\n")
        file.write("  {NULL, NULL},\n};\n")


if __name__ == "__main__":
    main()
