#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a PoCL that compiles kernels faster, for tests: pocl.py FOLDER

With PoCL, clang reads the declarations of all functions of OpenCL C, 900 KB, twice
for each program: 0.15 of the 0.2 s that it takes for an empty one. And each
process that builds something reads the functions themselves, 9 MB of LLVM's
bitcode, in 0.6 s. FOLDER gets links to the installed PoCL, and headers and bitcode
with only the functions whose names occur in this project or in OpenCV's kernels,
without halves and doubles except loading and storing halves. Otherwise programs
are compiled as by the installed PoCL. A kernel that calls another function does
not compile.

Also, each kernel is linked with the C library and the compiler's library. Reading
their symbols takes 30 of 35 ms. They are already loaded in the process, so
FOLDER/bin has an ld that omits them.

FOLDER/pocl.icd is for OCL_ICD_VENDORS, FOLDER/bin for COMPILER_PATH. Exits with 1 if PoCL is not installed,
or in an unknown layout.
"""

import pathlib
import re
import sys

from bitcode import shrink

ICD = pathlib.Path("/etc/OpenCL/vendors/pocl.icd")
HEADER = "opencl-c.h"
RENAMES = "_builtin_renames.h"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The files with kernels, and their texts.
FOLDERS = ("kernels", "tests", "docs", "gst", "tools", "pipelines", "benchmarks")
# The functions called by OpenCV's kernels, with which this project's are
# compared.
PEERS = {"mad24", "mul24"}
KERNELS = {".cl", ".clh"}
OTHERS = {".c", ".h", ".md", ".py", ".sh"}
WORD = re.compile(r"[A-Za-z_]\w*")
CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
DECLARATION = re.compile(r"^[a-z_][^;{}#]*?\b__ovld\b[^;{}#]*;[ \t]*$", re.M)
OTHER_TYPES = re.compile(r"\b(half|double)\d*\b")
RENAME = re.compile(r"^#define (\w+)\s+_cl_\w+[ \t]*\n", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\(.*?\)\)")
# A line that ends with a backslash goes on in the next one, in comments, too.
COMMENT = re.compile(r"/\*.*?\*/|//(?:[^\\\n]|\\.)*", re.S)
# The bitcode that PoCL uses for most CPUs. Other bitcode is unchanged.
BITCODE = re.compile(r"kernel-.*-avx(2|512)\.bc")
# The length of a function's name, and the name with the types that it takes.
MANGLED = re.compile(r"_Z(\d+)(\w+)")
PREFIX = "_cl_"
# PoCL names a kernel's object file tempfile_....so.o.
LINKER = """\
#!/bin/sh
case "$*" in
  */tempfile_*.so.o*)
    for argument; do
      shift
      case $argument in -l*) ;; *) set -- "$@" "$argument" ;; esac
    done ;;
esac
exec /usr/bin/ld "$@"
"""
# Vectors, and images, whose names have a d of their own.
PARTS_OF_TYPES = re.compile(r"Dv\d+_|\d+ocl_image\w+?_[rw][ow]")
OTHER_TYPES_MANGLED = re.compile(r"d|Dh")


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
    """All names in kernels, and those of all functions elsewhere, where kernels
    are texts."""
    words = set(PEERS)
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*"):
            pattern = (WORD if file.suffix in KERNELS else
                       CALL if file.suffix in OTHERS else None)
            if pattern and file.is_file():
                text = file.read_text(encoding="utf-8", errors="ignore")
                words.update(pattern.findall(text))
    return words


def shorten(header, words):
    """Returns the header without unused functions."""
    def choose(match):
        name = CALL.search(ATTRIBUTE.sub("", match.group())).group(1)
        return "" if name not in words or (
            "half" not in name and OTHER_TYPES.search(match.group())
        ) else match.group()

    text = DECLARATION.sub(choose, COMMENT.sub("", header))
    return re.sub(r"\n\s*\n+", "\n", text)


def shorten_renames(header, words):
    """Returns the header without the names of unused functions."""
    return RENAME.sub(
        lambda match: match.group() if match.group(1) in words else "", header)


def is_called(symbol, words):
    """Whether a kernel may call a function of the bitcode. Unmangled names are
    internal to PoCL, except the functions that others are built from."""
    match = MANGLED.fullmatch(symbol)
    if not match:
        return not symbol.startswith("Sleef_")
    length = int(match.group(1))
    name = match.group(2)[:length].removeprefix(PREFIX)
    types = PARTS_OF_TYPES.sub("", match.group(2)[length:])
    return name in words and (
        "half" in name or not OTHER_TYPES_MANGLED.search(types))


def shrink_bitcode(library, source, target, words):
    """Makes a file with less, or a link if that does not work."""
    target.unlink(missing_ok=True)
    try:
        shrink(library, source, target, lambda name: is_called(name, words))
    except (AttributeError, OSError) as error:
        print(f"{source.name} is taken as it is: {error}", file=sys.stderr)
        link(target, source)


def link(target, source):
    """A link, in place of one from an earlier run."""
    target.unlink(missing_ok=True)
    target.symlink_to(source)


def main():
    """Makes the folder as PoCL looks for its parts, from where its library is."""
    library = find_library() if ICD.exists() else None
    share = pathlib.Path("/usr/share/pocl")
    headers = {HEADER: shorten, RENAMES: shorten_renames}
    if not library or not all((share / "include" / name).exists()
                              for name in headers):
        sys.exit(1)
    folder = pathlib.Path(sys.argv[1]).resolve()
    libraries = folder / "lib" / "pocl"
    include = folder / "share" / "pocl" / "include"
    libraries.mkdir(parents=True, exist_ok=True)
    include.mkdir(parents=True, exist_ok=True)
    words = list_words()
    for file in [*share.iterdir(), *(share / "include").iterdir()]:
        target = folder / file.relative_to("/usr")
        if BITCODE.fullmatch(file.name):
            shrink_bitcode(library, file, target, words)
        elif file.is_file() and file.name not in headers:
            link(target, file)
    for name, change in headers.items():
        text = (share / "include" / name).read_text(encoding="utf-8")
        (include / name).unlink(missing_ok=True)
        (include / name).write_text(change(text, words), encoding="utf-8")
    link(libraries / library.name, library)
    link(libraries / "pocl", library.resolve().parent / "pocl")
    linker = folder / "bin" / "ld"
    linker.parent.mkdir(exist_ok=True)
    linker.write_text(LINKER, encoding="utf-8")
    linker.chmod(0o755)
    (folder / "pocl.icd").write_text(f"{libraries / library.name}\n",
                                     encoding="utf-8")


main()
