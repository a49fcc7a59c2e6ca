#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Denoises a video file, prints the noise and the brightness of each second, and
doubles the strength after the first second: denoise.py FILE"""
import struct
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def handle_frame(_pad, info):
    """Prints the mean luma of a denoised frame. Runs in the streaming thread."""
    meta = info.get_buffer().get_custom_meta("GstGLOpenCLHistogramMeta")
    # With histogram-interval only some of the frames have a meta.
    if meta:
        luma = meta.get_structure().get_value("luma").get_data()
        counts = struct.unpack(f"{len(luma) // 4}I", luma)
        mean = sum(i * n for i, n in enumerate(counts)) / sum(counts)
        print(f"mean luma {mean:.1f} of {len(counts) - 1}\n", end="")
    return Gst.PadProbeReturn.OK


class Application:
    """A pipeline whose messages are printed."""

    def __init__(self, name):
        self.seconds = 0
        # Fails if the plugin is not installed.
        self.pipeline = Gst.parse_launch(
            "filesrc name=source ! decodebin ! videoconvert dither=none "
            "! glupload ! glopencldenoise name=denoise noise-messages=true "
            "histogram-emission=meta histogram-interval=1000000000 "
            "! gldownload ! fakesink")
        self.pipeline.get_by_name("source").set_property("location", name)
        self.denoise = self.pipeline.get_by_name("denoise")
        self.denoise.get_static_pad("src").add_probe(
            Gst.PadProbeType.BUFFER, handle_frame)

    def handle_noise(self, noise):
        """Prints the noise of the first frame of each second."""
        time = noise.get_uint64("stream-time").value
        if time // Gst.SECOND < self.seconds:
            return
        self.seconds = time // Gst.SECOND + 1
        # Not all channels need to have noise.
        if noise.has_field("luma"):
            print(f"noise {noise.get_value('luma'):.1f}, "
                  f"{noise.get_value('kind')}\n", end="")
        if time >= Gst.SECOND:
            self.denoise.set_property("strength", 2.0)

    def run(self):
        """Plays. Returns the error, or None."""
        bus = self.pipeline.get_bus()
        self.pipeline.set_state(Gst.State.PLAYING)
        error = None
        while True:
            message = bus.timed_pop_filtered(
                Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR
                | Gst.MessageType.EOS | Gst.MessageType.ELEMENT)
            if message.has_name("glopencldenoise-noise"):
                self.handle_noise(message.get_structure())
            elif message.type == Gst.MessageType.ERROR:
                # Without an OpenCL driver: Gst.ResourceError.NOT_FOUND.
                error = message.parse_error()[0].message
                break
            elif message.type == Gst.MessageType.EOS:
                break
        self.pipeline.set_state(Gst.State.NULL)
        return error


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) != 2:
        sys.exit("usage: denoise.py FILE")
    try:
        sys.exit(Application(sys.argv[1]).run())
    except GLib.Error as failure:
        sys.exit(failure.message)
