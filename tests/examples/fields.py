#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests that messages and metas have the documented fields: fields.py DOCS

A table of fields follows a line that begins with "| field | type". Prints TAP."""
import pathlib
import re
import sys

import gi

gi.require_version("Gst", "1.0")
# pylint: disable=wrong-import-position
from gi.repository import Gst  # noqa: E402

TYPES = {"guint64": "guint64", "guint": "guint", "string": "gchararray",
         "double": "gdouble", "array of guint": "GstValueArray",
         "GBytes of guint32": "GBytes"}
FORMATS = "RGBA", "I420", "GRAY8"


def read_table(page, heading):
    """The types of the fields in the table after that heading."""
    text = page.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    rows = text.partition("| field | type |")[2].partition("\n\n")[0]
    types = {}
    for row in rows.splitlines()[2:]:
        names, kind = row.split("|")[1:3]
        for name in re.findall("`(.*?)`", names):
            types[name] = TYPES[kind.strip()]
    return types


def read_fields(structure):
    """The types of the fields of a structure."""
    return {structure.nth_field_name(i):
            structure.get_field_type(structure.nth_field_name(i)).name
            for i in range(structure.n_fields())}


def play(video_format):
    """The fields of the messages and metas of a few frames, by name."""
    pipeline = Gst.parse_launch(
        "videotestsrc num-buffers=4 pattern=snow "
        f"! video/x-raw,format={video_format},width=96,height=64 ! glupload "
        "! glopencldenoise noise-messages=true histogram-emission=messages "
        "! glopenclfilter name=last histogram-emission=meta ! fakesink")
    found = {}

    def handle_frame(_pad, info):
        meta = info.get_buffer().get_custom_meta("GstGLOpenCLHistogramMeta")
        found["Metas"] = read_fields(meta.get_structure())
        return Gst.PadProbeReturn.OK

    pipeline.get_by_name("last").get_static_pad("src").add_probe(
        Gst.PadProbeType.BUFFER, handle_frame)
    pipeline.set_state(Gst.State.PLAYING)
    bus = pipeline.get_bus()
    while True:
        message = bus.timed_pop_filtered(
            Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR | Gst.MessageType.EOS
            | Gst.MessageType.ELEMENT)
        if message.has_name("glopencldenoise-histogram"):
            found["Messages"] = read_fields(message.get_structure())
        elif message.has_name("glopencldenoise-noise"):
            found["Noise estimation"] = read_fields(message.get_structure())
        elif message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS):
            break
    pipeline.set_state(Gst.State.NULL)
    return found


def main():
    """Compares."""
    Gst.init(None)
    docs = pathlib.Path(sys.argv[1])
    pages = {"Messages": docs / "histograms.md", "Metas": docs / "histograms.md",
             "Noise estimation": docs / "glopencldenoise.md"}
    played = [play(video_format) for video_format in FORMATS]
    failed = False
    for n, (heading, page) in enumerate(pages.items(), 1):
        documented = read_table(page, heading)
        seen = {}
        for fields in played:
            seen.update(fields.get(heading, {}))
        same = bool(documented) and documented == seen
        failed |= not same
        print(f"{'' if same else 'not '}ok {n} - {page.name}: {heading}")
        if not same:
            print(f"# documented {documented}\n# seen {seen}")
    print(f"1..{len(pages)}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
