#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the generated parts of docs/, between their markers:

  docs/generate.py [--check]

The tables of properties in docs/ELEMENT.md and docs/common.md are read from the
plugin, and the programs in docs/embedding.md from their files. With --check nothing is written: the command fails where something
would be. The plugin is the one that GStreamer finds, so run it with
`meson devenv -C build docs/generate.py`, or as `ninja -C build update-docs`."""
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
# pylint: disable=wrong-import-position
from gi.repository import GObject, Gst  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parent
PLUGIN = "glopencl"
BASE = "GstGLOpenCLBaseFilter"
OWN = "GstGLOpenCL"
PROGRAMS = {"c": "tests/examples/denoise.c", "python": "tests/examples/denoise.py",
            "rust": "tests/examples/rust/src/main.rs"}

# Flags of GstParam that PyGObject does not name.
CONTROLLABLE = 1 << 9
MUTABLE_READY = 1 << 10
MUTABLE_PLAYING = 1 << 12


def find_elements():
    """An instance of each element, by the name of its factory."""
    features = Gst.Registry.get().get_feature_list_by_plugin(PLUGIN)
    names = sorted(feature.get_name() for feature in features)
    return {name: Gst.ElementFactory.make(name) for name in names}


def find_properties(element):
    """The properties of an element that are not GStreamer's own."""
    return sorted((spec for spec in element.list_properties()
                   if spec.owner_type.name.startswith(OWN)),
                  key=lambda spec: spec.name)


def get_class(spec):
    """The class of an enumeration or of flags: PyGObject makes it when a value
    is read."""
    GObject.Value(spec.value_type).get_value()
    return spec.value_type.pytype


def get_values(spec):
    """The values of an enumeration or of flags as (nick, text, number); none
    for other types."""
    if spec.value_type.is_a(GObject.TYPE_ENUM):
        values = get_class(spec).__enum_values__.values()
        return [(v.value_nick, v.value_name, int(v)) for v in values]
    if spec.value_type.is_a(GObject.TYPE_FLAGS):
        values = get_class(spec).__flags_values__.values()
        return [(v.value_nicks[-1], v.value_names[-1], int(v)) for v in values]
    return []


def get_default(spec):
    """The default as a launch line has it, or None."""
    # Lists have none in newer PyGObject, and None in older.
    default = getattr(spec, "default_value", None)
    values = get_values(spec)
    if values and spec.value_type.is_a(GObject.TYPE_FLAGS):
        nicks = [nick for nick, _, number in values if number & int(default)]
        return "+".join(nicks) if nicks else "none"
    if values:
        return next(nick for nick, _, number in values
                    if number == int(default))
    if isinstance(default, bool):
        return str(default).lower()
    if isinstance(default, float):
        return f"{default:g}"
    if spec.name.endswith("color"):
        return f"0x{default:08x}"
    return None if default is None else str(default)


def get_range(spec):
    """The least and the largest value of a number, or None."""
    if not hasattr(spec, "minimum"):
        return None
    return tuple(f"{value:g}" if isinstance(value, float) else str(value)
                 for value in (spec.minimum, spec.maximum))


def get_mutability(spec):
    """When a property can be changed, in GStreamer's word."""
    flags = int(spec.flags)
    if flags & MUTABLE_PLAYING:
        return "playing"
    return "ready" if flags & MUTABLE_READY else "null"


def describe_change(spec):
    """When a property can be changed, for people."""
    flags = int(spec.flags)
    if not flags & int(GObject.ParamFlags.WRITABLE):
        return "read only"
    if get_mutability(spec) != "playing":
        return "when stopped"
    return "any time" if flags & CONTROLLABLE else "any time, no controller"


def describe_values(spec):
    """What a property can be, for people."""
    values = get_values(spec)
    if values:
        return ", ".join(f"`{nick}`" for nick, _, _ in values)
    if spec.value_type == GObject.TYPE_BOOLEAN:
        return "`true`, `false`"
    limits = get_range(spec)
    if limits and float(limits[1]) < 1e9:
        return f"{limits[0]} to {limits[1]}"
    if limits:
        return f"from {limits[0]}" if spec.name[-5:] != "color" else "number"
    return {"gchararray": "text", "GstValueArray": "list",
            "GstStructure": "structure"}[spec.value_type.name]


def make_row(spec):
    """The row of a property."""
    default = get_default(spec)
    text = spec.blurb + "".join(
        f"<br>`{nick}`: {value}" for nick, value, _ in get_values(spec))
    return "| " + " | ".join([
        f"`{spec.name}`", describe_values(spec),
        "" if default is None else f"`{default}`", describe_change(spec),
        text.replace("|", "\\|")]) + " |"


def make_table(specs):
    """The table of properties."""
    return "\n".join(["| property | values | default | change | description |",
                      "| --- | --- | --- | --- | --- |"]
                     + [make_row(spec) for spec in specs])


def put(text, name, content):
    """The text of a page with that content between the markers of that name."""
    first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, _, rest = text.partition(first)
    _, end, after = rest.partition(last)
    if not end:
        sys.exit(f"generate.py: no page has both {first} and {last}")
    return f"{before}{first}\n{content}\n{end}{after}"


def put_table(page, specs):
    """The text of a page with the table of these properties."""
    return put(page.read_text(encoding="utf-8"), "properties", make_table(specs))


def put_programs(page):
    """The text of the page with the programs."""
    text = page.read_text(encoding="utf-8")
    for language, name in PROGRAMS.items():
        program = (DOCS.parent / name).read_text(encoding="utf-8")
        text = put(text, name, f"```{language}\n{program}```")
    return text


def make_pages(elements):
    """The texts of the pages that have generated parts."""
    base = [spec for spec in find_properties(next(iter(elements.values())))
            if spec.owner_type.name == BASE]
    pages = {DOCS / "common.md": base}
    for name, element in elements.items():
        pages[DOCS / f"{name}.md"] = [spec for spec in find_properties(element)
                                      if spec.owner_type.name != BASE]
    texts = {page: put_table(page, specs) for page, specs in pages.items()}
    embedding = DOCS / "embedding.md"
    return {**texts, embedding: put_programs(embedding)}


def check(pages):
    """Fails where files are not what they should be; prints TAP."""
    results = {page.name: page.read_text(encoding="utf-8") == text
               for page, text in pages.items()}
    for number, (name, same) in enumerate(results.items(), 1):
        print(f"{'' if same else 'not '}ok {number} - {name} is as "
              "docs/generate.py writes it")
    print(f"1..{len(results)}")
    sys.exit(not all(results.values()))


def main():
    """Writes, or checks."""
    Gst.init(None)
    elements = find_elements()
    if not elements:
        sys.exit("generate.py: GStreamer finds no plugin glopencl")
    pages = make_pages(elements)
    if sys.argv[1:] == ["--check"]:
        check(pages)
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
