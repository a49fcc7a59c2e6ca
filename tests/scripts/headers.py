#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiles each header alone, with the options of a source beside it, to check
that it includes its dependencies: headers.py ROOT BUILD. Prints TAP."""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

root, build = sys.argv[1:3]


def find_commands():
    """The options of the sources, by folder."""
    commands = {}
    with open(os.path.join(build, "compile_commands.json"),
              encoding="utf-8") as file:
        for entry in json.load(file):
            source = os.path.normpath(os.path.join(build, entry["file"]))
            if source.endswith(".c"):
                commands.setdefault(os.path.dirname(source), entry)
    return commands


def check(header, entry):
    """Returns the compiler's messages about a header, empty if it is correct."""
    options = shlex.split(entry["command"])
    options = [option for option, before in zip(options, [""] + options)
               if option not in ("-c", "-o", "-MD", "-MQ", "-MF")
               and before not in ("-c", "-o", "-MQ", "-MF")]
    return subprocess.run(
        [*options, "-fsyntax-only", "-x", "c", "-"], cwd=build, text=True,
        input=f'#include "{header}"\n', stderr=subprocess.PIPE,
        check=False).stderr


def main():
    """Returns the exit status."""
    commands = find_commands()
    headers = []
    for top in ("gst", "apps", "tools"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if name.endswith(".h") and os.path.normpath(folder) in commands:
                    headers.append(os.path.join(folder, name))
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda header: check(
            header, commands[os.path.normpath(os.path.dirname(header))]),
                             headers))
    for number, (header, text) in enumerate(zip(headers, said), 1):
        print(f"{'not ' * bool(text)}ok {number} {os.path.relpath(header, root)}")
        for line in text.splitlines():
            print("#", line)
    print(f"1..{len(headers)}")
    return 1 if any(said) or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
