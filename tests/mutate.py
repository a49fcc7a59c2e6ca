# SPDX-License-Identifier: LGPL-2.1-or-later
"""Applies faults (mutants), one at a time, to a built copy of the tree, and prints
which of them the tests detect: mutate.py LIST COPY [NUMBER...]

With --list it only prints the faults, and which of them do not apply. COPY need
not be built then. Fails if a fault is not found or does not apply. mutate.sh runs
this."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time
from typing import NamedTuple

# Stands for a function where a fault is outside of functions.
FILE = "file:"
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
                               r"|'(?:\\.|[^'\\\n])*'", re.S)
# White space in a pattern also matches line breaks, those of macros, too.
BLANKS = r"(?:\\\n|\s)+"
# Setups and factors of their time limits. The second setup leaves out no test. Some
# tests of elements hang once they have failed, which a longer limit would prolong.
SETUPS = {"quick": "1", "oclgrind": "2"}
FAILURES = {"FAIL": "found", "ERROR": "found", "TIMEOUT": "times out"}


class Outdated(Exception):
    """The code does not contain the pattern of a fault."""


class Mutation(NamedTuple):
    """A fault: its description and position, the pattern and its replacement,
    and the tests that must each detect it."""
    name: str
    path: str
    function: str
    tests: list
    pattern: str
    replacement: str


def read_mutations(path):
    """Reads a list of faults. Its head describes the format."""
    found = []
    for block in re.split(r"\n\n+", path.read_text(encoding="utf-8").strip()):
        if block.startswith("# "):
            continue
        try:
            name, place, change = block.split("\n")
            file, function, *tests = place.split()
            pattern, replacement = re.split(" =>(?: |$)", change)
            re.compile(pattern)
        except (ValueError, re.error) as error:
            sys.exit(f"{path.name}: {error}: {block}")
        found.append(Mutation(name, file, function, tests, pattern, replacement))
    return found


def find_end(code, start):
    """Returns the place after the bracket that closes the one at start."""
    pair = "()" if code[start] == "(" else "{}"
    depth = 0
    for match in re.compile(rf"[{pair}]").finditer(code, start):
        depth += 1 if match.group() == pair[0] else -1
        if depth == 0:
            return match.end()
    return len(code)


def find_bodies(source, function):
    """Returns where the bodies of a function or macro begin and end. There are
    several if the preprocessor chooses one of them."""
    # Ignore brackets in comments and strings.
    code = COMMENT_OR_STRING.sub(lambda match: " " * len(match.group()), source)
    bodies = [match.span(1) for match in re.finditer(
        rf"^[ \t]*#[ \t]*define[ \t]+{function}\b((?:\\\n|.)*)", code, re.M)]
    for match in re.finditer(rf"\b{function}\s*(?=\()", code):
        body = re.compile(r"\s*\{").match(code, find_end(code, match.end()))
        if body:
            bodies.append((body.start(), find_end(code, body.end() - 1)))
    return bodies


def apply(mutation, source):
    """Returns the source with a fault."""
    places = ([(0, len(source))] if mutation.function == FILE
              else find_bodies(source, mutation.function))
    if not places:
        raise Outdated(f"there is no {mutation.function}")
    pattern = re.compile(re.sub(r"\s+", lambda _: BLANKS, mutation.pattern), re.S)
    matches = [match for start, end in places
               for match in pattern.finditer(source, start, end)]
    if len(matches) != 1:
        raise Outdated(f"the pattern matches {len(matches)} times")
    match = matches[0]
    changed = match.expand(mutation.replacement)
    return source[:match.start()] + changed + source[match.end():]


def read_source(mutation, folder):
    """Reads the file that a fault changes."""
    try:
        return (folder / mutation.path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise Outdated(f"there is no {mutation.path}") from error


def list_mutations(mutations, folder):
    """Prints the faults. Returns whether all of them apply."""
    n_outdated = 0
    for number, mutation in mutations:
        print(f"{number:3} {mutation.path} {mutation.function} "
              f"{' '.join(mutation.tests)}: {mutation.name}")
        try:
            apply(mutation, read_source(mutation, folder))
        except Outdated as error:
            print(f"    out of date: {error}")
            n_outdated += 1
    print(f"{len(mutations)} faults, {n_outdated} out of date")
    return n_outdated == 0


def run(folder, *command):
    """Runs a command without its output. Returns whether it succeeds."""
    return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def run_tests(folder, tests, setup):
    """Runs tests, except those that the setup leaves out. Returns their results."""
    log = folder / "build/meson-logs" / f"mutate-{setup}.json"
    log.unlink(missing_ok=True)
    run(folder, "meson", "test", "-C", "build", "--no-rebuild", "--logbase",
        "mutate", "--setup", setup, "--timeout-multiplier", SETUPS[setup],
        *tests)
    if not log.exists():
        return {}
    results = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return {result["name"].split(" / ")[-1]: result["result"]
            for result in results}


def read_targets(folder):
    """Returns the files that each test needs. Building all takes much longer."""
    info = folder / "build/meson-info"
    targets = json.loads((info / "intro-targets.json").read_text(encoding="utf-8"))
    files = {target["id"]: [os.path.relpath(name, folder.resolve() / "build")
                            for name in target["filename"]] for target in targets}
    tests = json.loads((info / "intro-tests.json").read_text(encoding="utf-8"))
    return {test["name"]: [file for target in test["depends"]
                           for file in files[target]] for test in tests}


def build(folder, targets, tests):
    """Builds the dependencies of tests. Returns whether it builds."""
    files = {file for test in tests for file in targets[test]}
    return not files or run(folder, "ninja", "-C", "build", *sorted(files))


def judge(mutation, folder, targets, finders):
    """Returns the verdict on a fault, and adds the tests that fail, with the setup,
    to finders. The tests run in full only if the quick run passes."""
    path = folder / mutation.path
    source = read_source(mutation, folder)
    path.write_text(apply(mutation, source), encoding="utf-8")
    try:
        if not build(folder, targets, mutation.tests):
            return "does not build"
        left = mutation.tests
        verdicts = set()
        for setup in SETUPS:
            results = run_tests(folder, left, setup) if left else {}
            failed = [test for test in left if results.get(test) in FAILURES]
            finders.update((test, setup) for test in failed)
            verdicts.update(FAILURES[results[test]] for test in failed)
            left = [test for test in left if test not in failed]
        return f"SURVIVES {' '.join(left)}" if left else max(verdicts)
    finally:
        path.write_text(source, encoding="utf-8")


def find_unsound(folder, targets, finders):
    """Returns the tests that found faults but fail without one, too."""
    if not build(folder, targets, {test for test, _ in finders}):
        sys.exit("without a fault the copy does not build")
    unsound = []
    for setup in SETUPS:
        tests = sorted(test for test, used in finders if used == setup)
        results = run_tests(folder, tests, setup) if tests else {}
        unsound += [test for test in tests
                    if results.get(test) not in ("OK", "EXPECTEDFAIL")]
    return unsound


def try_mutations(mutations, folder):
    """Judges the faults. Returns whether the tests find all of them."""
    targets = read_targets(folder)
    for _, mutation in mutations:
        for test in mutation.tests:
            if test not in targets:
                sys.exit(f"there is no test {test}")
    finders = set()
    n_found = 0
    for number, mutation in mutations:
        start = time.monotonic()
        try:
            verdict = judge(mutation, folder, targets, finders)
        except Outdated as error:
            verdict = f"out of date: {error}"
        n_found += verdict in FAILURES.values()
        print(f"{number:3} {verdict:10} {time.monotonic() - start:4.0f} s "
              f"{' '.join(mutation.tests)}: {mutation.name}", flush=True)
    unsound = find_unsound(folder, targets, finders)
    if unsound:
        print(f"fail without a fault: {' '.join(unsound)}")
    print(f"{n_found} found, {len(mutations) - n_found} not found")
    return n_found == len(mutations) and not unsound


def main():
    """Lists or tries all faults, or those with the given numbers."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    mutations = list(enumerate(read_mutations(pathlib.Path(arguments[0])), 1))
    folder = pathlib.Path(arguments[1])
    wanted = set(map(int, arguments[2:])) or {number for number, _ in mutations}
    mutations = [item for item in mutations if item[0] in wanted]
    works = list_mutations if "--list" in sys.argv else try_mutations
    return 0 if works(mutations, folder) else 1


if __name__ == "__main__":
    sys.exit(main())
