#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Other forms of the tiled bilateral kernel than the one that is used, beside
it: native and natural exponentials, a table of range weights, columns in pairs,
padded rows, other vectors, other unrolling.

    forms.py build FOLDER       build a glopencl for each form
    forms.py measure FOLDER     time them on an OpenCL device, in turns

A form is a list of changes to the text of kernels/bilateral-tiled.cl. FOLDER
has all that is measured, so that it can be taken to another machine. Each round
runs every form once.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNEL = "kernels/bilateral-tiled.cl"
# Where rows of the tile are as long as its width.
ADDRESSES = (
    ("n += TILE_WIDTH", "n += PITCH"), ("k * TILE_WIDTH", "k * PITCH"),
    ("n += 4 * TILE_WIDTH", "n += 4 * PITCH"),
    ("n += 2 * TILE_WIDTH", "n += 2 * PITCH"),
    ("ROWS * TILE_WIDTH +", "ROWS * PITCH +"),
    ("first * TILE_WIDTH", "first * PITCH"),
    ("radius_y * TILE_WIDTH", "radius_y * PITCH"),
    ("sqrt (-range_scale), TILE_WIDTH }", "sqrt (-range_scale), PITCH }"),
    ("(TILE_WIDTH * TILE_HEIGHT)", "(PITCH * TILE_HEIGHT)"))
PADDED = ADDRESSES + (
    ("#define GROUP_ROWS",
     "#define PITCH (TILE_WIDTH + 1)\n#define GROUP_ROWS"),)
WEIGHT = "float weight = exp2 (exponent);"
SCALED = (
    ("exponent = mad (difference * range_scale, difference, exponent);",
     "exponent = mad (-difference, difference, exponent);"),
    ("  if (COLOR_MODE == COLOR_LAB)\n    differ *= tile->lab_scale;",
     "  differ *= tile->lab_scale;"))
ONE_SUM = (
    ("    pixels->chunk[k] = 0.0f;\n    pixels->chunk_weights[k] = 0.0f;\n",
     ""),
    ("    pixels->sum[k] += pixels->chunk[k];\n"
     "    pixels->weights[k] += pixels->chunk_weights[k];\n", ""),
    ("pixels->chunk[k] = mad ((float3) weight, tap.xyz, pixels->chunk[k]);\n"
     "  pixels->chunk_weights[k].x += weight;",
     "pixels->sum[k] = mad ((float3) weight, tap.xyz, pixels->sum[k]);\n"
     "  pixels->weights[k].x += weight;"))
TILE_OF_TAP = (
    ("add_tap (Pixels *pixels, int k,",
     "add_tap (const Tile *tile, Pixels *pixels, int k,"),
    ("add_tap (pixels, k,", "add_tap (tile, pixels, k,"))
# By the luma, rounded to a level. The spatial weights are factors, too, then.
TABLE = TILE_OF_TAP + (
    (WEIGHT, "float weight = exponent * tile->ab[min (255,\n"
     "      (int) (fabs (difference) * 0.01f + 0.5f))].x;"),
    ("exponent = mad (difference * range_scale, difference, exponent);", ""),
    ("local float2 *ab = 0;", "local float2 ab[256];"),
    ("  fill_exponents (window->exponents_x",
     "  for (int n = get_item (); n < 256; n += GROUP_SIZE)\n"
     "    tile->ab[n].x = exp2 (10000.0f * n * n * range_scale);\n"
     "  fill_exponents (window->exponents_x"),
    ("    exponents[n] = (float) (pixels * pixels) * spatial_scale;",
     "    exponents[n] = exp2 ((float) (pixels * pixels) * spatial_scale);"),
    ("exponents[k] + column_exponent", "exponents[k] * column_exponent"),
    ("exponents[row] + column_exponent", "exponents[row] * column_exponent"))
PAIRS = (
    ("for (int column = 0; column < columns; column++) {",
     "for (int column = 0; column < (columns + 1) / 2; column++) {"),
    ("      add_column (pixels, tile, n, count, exponents, column_exponent,\n"
     "          range_scale);\n    else",
     "      for (int side = 0; side < 1 + (2 * column + 1 < columns); side++)\n"
     "        add_column (pixels, tile, n + side * (columns - 1 - 2 * column),\n"
     "            count, exponents, column_exponent, range_scale);\n    else"))
PLANES = (
    ("  local float4 *pixels;", "  local float *pixels;"),
    ("  local float4 pixels[TILE_SIZE];", "  local float pixels[4 * TILE_SIZE];"),
    ("  tile->pixels[n] = (float4) (levels.xyz, differ.x);",
     "  tile->pixels[n] = levels.x;\n  tile->pixels[n + TILE_SIZE] = levels.y;\n"
     "  tile->pixels[n + 2 * TILE_SIZE] = levels.z;\n"
     "  tile->pixels[n + 3 * TILE_SIZE] = differ.x;"),
    ("float4 tap = tile->pixels[n];", "float4 tap = PIXEL (n);"),
    ("add_tap (pixels, k, tile->pixels[tap],", "add_tap (pixels, k, PIXEL (tap),"),
    ("float4 centre = tile->pixels[n];", "float4 centre = PIXEL (n);"),
    ("#include \"tile.clh\"", "#define PIXEL(n) (float4) (tile->pixels[n],\\\n"
     "    tile->pixels[n + TILE_SIZE], tile->pixels[n + 2 * TILE_SIZE],\\\n"
     "    tile->pixels[n + 3 * TILE_SIZE])\n#include \"tile.clh\""))
HALVES = (
    ("  local float4 *pixels;", "  local uint2 *pixels;"),
    ("  local float4 pixels[TILE_SIZE];", "  local uint2 pixels[TILE_SIZE];"),
    ("  tile->pixels[n] = (float4) (levels.xyz, differ.x);",
     "  tile->pixels[n] = (uint2) (as_uint (convert_uchar4 (levels)),\n"
     "      as_uint (differ.x));"),
    *PLANES[3:6],
    ("#include \"tile.clh\"", "INLINE float4\nread_tile (uint2 v)\n{\n"
     "  return (float4) (convert_float3 (as_uchar4 (v.x).xyz),\n"
     "      as_float (v.y));\n}\n"
     "#define PIXEL(n) read_tile (tile->pixels[n])\n#include \"tile.clh\""))
UNROLLED_8 = (
    ("for (int k = 0; k < 4; k++) {\n    if (k < count)",
     "for (int k = 0; k < 8; k++) {\n    if (k < count)"),
    ("  for (; row <= count - 4; row += 4, n += 4 * TILE_WIDTH)\n",
     "  for (; row <= count - 8; row += 8, n += 8 * TILE_WIDTH)\n"
     "    add_taps (pixels, tile, n, 8, exponents + row, column_exponent,\n"
     "        range_scale);\n"
     "  for (; row <= count - 4; row += 4, n += 4 * TILE_WIDTH)\n"))
UNROLLED_2 = (
    ("  for (; row <= count - 4; row += 4, n += 4 * TILE_WIDTH)\n"
     "    add_taps (pixels, tile, n, 4, exponents + row, column_exponent,\n"
     "        range_scale);\n"
     "  if (row <= count - 2) {\n"
     "    add_taps (pixels, tile, n, 2, exponents + row, column_exponent,\n"
     "        range_scale);\n    row += 2;\n    n += 2 * TILE_WIDTH;\n  }\n",
     "  for (; row <= count - 2; row += 2, n += 2 * TILE_WIDTH)\n"
     "    add_taps (pixels, tile, n, 2, exponents + row, column_exponent,\n"
     "        range_scale);\n"),)


def fixed(radius):
    """The radius is a constant of the program, and so is that the tile has room
    for the window, where it has."""
    chunk = (f"  chunk_columns = chunk_rows = {2 * radius + 1};\n"
             if radius <= 8 else "")
    return (("  int radius_x = radius >> X_SHIFT;\n"
             "  int radius_y = radius >> Y_SHIFT;\n  int x = get_global_id",
             f"  radius = {radius};\n{chunk}"
             "  int radius_x = radius >> X_SHIFT;\n"
             "  int radius_y = radius >> Y_SHIFT;\n  int x = get_global_id"),)


RADII = (4, 8, 16)
# Changes by name, and the radii for which they are right.
FORMS = {
    "the kernel's": ((), RADII),
    "native exponentials":
        (((WEIGHT, "float weight = native_exp2 (exponent);"),), RADII),
    "natural exponentials":
        (((WEIGHT, "float weight = exp (0.69314718f * exponent);"),), RADII),
    "guides scaled beforehand": (SCALED, RADII),
    "one sum for all chunks": (ONE_SUM, RADII),
    "both": (SCALED + ONE_SUM, RADII),
    "table of range weights": (TABLE, RADII),
    "columns in pairs": (PAIRS, (4, 8)),
    "rows padded by one": (PADDED, RADII),
    "four planes of floats": (PLANES, RADII),
    "three bytes and a float": (HALVES, RADII),
    "eight taps at a time": (UNROLLED_8, RADII),
    "two taps at a time": (UNROLLED_2, RADII),
}
for number in RADII:
    FORMS[f"both, radius {number} as a constant"] = (
        SCALED + ONE_SUM + fixed(number), (number,))


def change(text, edits, name):
    """The text of a form."""
    for old, new in edits:
        if old not in text:
            sys.exit(f"forms.py: {name}: the kernel has no\n{old}")
        text = text.replace(old, new)
    return text


def build(folder):
    """glopencl of each form: FOLDER/0, 1 and so on, and their names."""
    source = os.path.join(folder, "source")
    tree = os.path.join(folder, "build")
    os.makedirs(folder, exist_ok=True)
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(
        ".*", "build*", "shared"))
    path = os.path.join(source, KERNEL)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    subprocess.run(["meson", "setup", "--buildtype=release", tree, source],
                   check=True, stdout=subprocess.DEVNULL)
    for number, (name, (edits, _)) in enumerate(FORMS.items()):
        with open(path, "w", encoding="utf-8") as file:
            file.write(change(text, edits, name))
        subprocess.run(["ninja", "-C", tree, "tools/glopencl"], check=True,
                       stdout=subprocess.DEVNULL)
        shutil.copy(os.path.join(tree, "tools", "glopencl"),
                    os.path.join(folder, str(number)))
        print(number, name, flush=True)
    shutil.rmtree(source)
    shutil.rmtree(tree)


class Worker:
    """A glopencl that runs what it is asked for."""

    def __init__(self, folder, number, size):
        self.process = subprocess.Popen(
            [os.path.join(folder, str(number)), "bench", "--lines",
             f"--sizes={size}"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.device = self.process.stdout.readline().strip()

    def run(self, line):
        """Milliseconds of the kernels, or None if this cannot be run."""
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        answer = self.process.stdout.readline().split()
        return float(answer[0]) if answer else None

    def end(self):
        """Waits for it."""
        self.process.communicate()


def measure_size(folder, names, size, lines, rounds):
    """{(line, name): medians}."""
    workers = [Worker(folder, number, size) for number in range(len(names))]
    table = {}
    for line in lines:
        radius = int(line.partition("radius=")[2].split()[0])
        times = {}
        for turn in range(rounds + 1):
            for name, worker in zip(names, workers):
                if radius not in FORMS[name][1]:
                    continue
                time = worker.run(line)
                if turn > 0 and time is not None:
                    times.setdefault(name, []).append(time)
        for name, values in times.items():
            table[line, name] = statistics.median(values)
    for worker in workers:
        worker.end()
    return workers[0].device, table


def measure(folder, sizes, storages, rounds):
    """Prints a table for each size."""
    names = list(FORMS)
    lines = [f"bilateral tiled {storage} radius={radius} "
             f"spatial-sigma={radius / 2}"
             for storage in storages for radius in RADII]
    for size in sizes:
        device, table = measure_size(folder, names, size, lines, rounds)
        print(f"{device}, RGBA, {size}, milliseconds and parts of the "
              f"kernel's, medians of {rounds}\n")
        heads = [" ".join(line.split()[2:4]) for line in lines]
        print("| |", " | ".join(heads), "|")
        print("| --- |", " | ".join("---" for _ in heads), "|")
        for name in names:
            cells = []
            for line in lines:
                time = table.get((line, name))
                cells.append("" if time is None else
                             f"{time:.3f} ({time / table[line, names[0]]:.2f})")
            print(f"| {name} |", " | ".join(cells), "|")
        print(flush=True)


def main():
    """Does as the command line asks."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("build", "measure"))
    parser.add_argument("folder")
    parser.add_argument("--sizes", default="1280x720,3840x2160")
    parser.add_argument("--storage", default="buffer")
    parser.add_argument("--rounds", type=int, default=21)
    arguments = parser.parse_args()
    if arguments.action == "build":
        build(arguments.folder)
    else:
        measure(arguments.folder, arguments.sizes.split(","),
                arguments.storage.split(","), arguments.rounds)


main()
