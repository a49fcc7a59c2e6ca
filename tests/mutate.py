# SPDX-License-Identifier: LGPL-2.1-or-later
"""Applies faults to a copy of the tree that is built: mutate.py LIST COPY
[NUMBER...]; mutate.sh runs this."""
import os
import subprocess
import sys
from typing import NamedTuple


class Mutation(NamedTuple):
    """A fault: what it is, where, the text it replaces (the first place) and by
    what, and the tests that have to find it."""
    name: str
    path: str
    before: str
    after: str
    tests: list


def read_mutations(path):
    """Those of a file: see its head for the form."""
    found = []
    with open(path, encoding="utf-8") as file:
        blocks = file.read().split("\n\n")
    for block in blocks:
        fields = {"-": [], "+": []}
        for line in block.split("\n"):
            key, _, text = line.partition(" ")
            if key in ("-", "+"):
                fields[key].append(text)
            elif key in ("fault", "in", "tests"):
                fields[key] = text
        if "fault" in fields:
            found.append(Mutation(
                fields["fault"], fields["in"], "\n".join(fields["-"]),
                "\n".join(fields["+"]), fields["tests"].split()))
    return found


def run(folder, *command):
    """Whether a command succeeds, in time."""
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False,
                              timeout=900).returncode == 0
    except subprocess.TimeoutExpired:
        return False


# What leaves out no test.
WHOLE = ("--setup", "oclgrind")


def run_tests(folder, tests):
    """Whether tests pass, whole where the quick run finds nothing."""
    command = ("meson", "test", "-C", "build", "--no-rebuild")
    return (run(folder, *command, *tests)
            and run(folder, *command, *WHOLE, *tests))


def check_tests(folder, mutations):
    """Ends the program where a test is not there, or fails without a fault."""
    listed = subprocess.run(["meson", "test", "-C", "build", "--list", *WHOLE],
                            cwd=folder, check=True, stdout=subprocess.PIPE,
                            text=True).stdout
    known = {line.split(" / ")[-1] for line in listed.split("\n")}
    names = {test for mutation in mutations for test in mutation.tests}
    if not names <= known:
        sys.exit(f"there is no test {' '.join(sorted(names - known))}")
    for name in sorted(names):
        if not run_tests(folder, [name]):
            sys.exit(f"{name} fails without a fault")


def is_outdated(mutation, folder):
    """Whether the code has not, or no longer, what the fault replaces."""
    path = os.path.join(folder, mutation.path)
    if not mutation.before.strip() or not os.path.isfile(path):
        return True
    with open(path, encoding="utf-8") as file:
        return mutation.before not in file.read()


def try_mutation(mutation, folder):
    """What becomes of a fault: found, survives, or why it cannot be tried."""
    if is_outdated(mutation, folder):
        return "is out of date"
    path = os.path.join(folder, mutation.path)
    with open(path, encoding="utf-8") as file:
        source = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(source.replace(mutation.before, mutation.after, 1))
    try:
        if not run(folder, "ninja", "-C", "build"):
            return "does not build"
        return ("SURVIVES" if run_tests(folder, mutation.tests) else "found")
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)


def main():
    """Tries all, or those with these numbers."""
    mutations = list(enumerate(read_mutations(sys.argv[1]), 1))
    folder = sys.argv[2]
    wanted = set(map(int, sys.argv[3:])) or {number for number, _ in mutations}
    mutations = [item for item in mutations if item[0] in wanted]
    check_tests(folder, [mutation for _, mutation in mutations])
    results = []
    for number, mutation in mutations:
        results.append(try_mutation(mutation, folder))
        print(f"{number:3} {results[-1]:10} {mutation.name}", flush=True)
    found = results.count("found")
    print(f"{found} found, {len(results) - found} not found")
    return 0 if found == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
