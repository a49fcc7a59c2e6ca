#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An application that embeds glopenclfilter: denoise.py [SECONDS]

Filters a test picture for a few seconds, changes the spatial sigma while it
plays, and prints the statistics.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

STEP_MS = 250


class Application:
    """A pipeline, and a timer that changes it."""

    def __init__(self, seconds):
        self.steps_left = seconds * 1000 // STEP_MS
        self.failed = False
        self.loop = GLib.MainLoop()
        self.pipeline = Gst.parse_launch(
            "videotestsrc is-live=true pattern=snow "
            "! video/x-raw,width=640,height=360,framerate=30/1 "
            "! glupload ! glopenclfilter name=filter "
            "! gldownload ! fakesink sync=true")
        self.filter = self.pipeline.get_by_name("filter")

    def print_stats(self):
        """Prints the statistics of the element since it was started."""
        stats = self.filter.get_property("stats")
        frames = stats.get_value("frames")
        milliseconds = stats.get_value("kernel-time") / 1e6 / max(frames, 1)
        print(f"{frames} frames, {milliseconds:.2f} ms of kernels each, "
              f"variant {stats.get_value('variant')}")

    def change_sigma(self):
        """Sets another sigma, which applies from the next frame on."""
        if self.steps_left <= 0:
            self.pipeline.send_event(Gst.Event.new_eos())
            return GLib.SOURCE_REMOVE
        self.steps_left -= 1
        sigma = self.filter.get_property("spatial-sigma")
        sigma = 0.0 if sigma >= 4.0 else sigma + 0.5
        self.filter.set_property("spatial-sigma", sigma)
        print(f"spatial-sigma {sigma:.1f}: ", end="")
        self.print_stats()
        return GLib.SOURCE_CONTINUE

    def handle_message(self, _bus, message):
        """Ends the loop at the end and after an error."""
        if message.type == Gst.MessageType.ERROR:
            error, debug = message.parse_error()
            print(error.message, debug, sep="\n", file=sys.stderr)
            self.failed = True
            self.loop.quit()
        elif message.type == Gst.MessageType.EOS:
            self.loop.quit()

    def run(self):
        """Plays. Returns the exit status."""
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message", self.handle_message)
        GLib.timeout_add(STEP_MS, self.change_sigma)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.loop.run()
        self.print_stats()
        self.pipeline.set_state(Gst.State.NULL)
        bus.remove_signal_watch()
        return 1 if self.failed else 0


if __name__ == "__main__":
    Gst.init(None)
    sys.exit(Application(int(sys.argv[1]) if len(sys.argv) > 1 else 3).run())
