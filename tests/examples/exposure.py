#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An exposure check, an application of histograms: exposure.py [INPUT]

INPUT is a file that GStreamer can decode, "camera" for the first camera, or
nothing for a test picture. Prints a line a few times a second: running time,
mean and percentiles of luma, the shares of red, green and blue that are
clipped to black (0) and to white (255), and a warning where one is above 1 %.
Ends with the file or on Ctrl+C.
"""
import itertools
import signal
import sys
import warnings

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

# GStreamer still returns this type, which GLib has deprecated.
warnings.filterwarnings("ignore", message=".*ValueArray",
                        category=DeprecationWarning)

INTERVAL = Gst.SECOND // 4
PERCENTS = (1, 50, 99)
MOST_CLIPPED = 0.01


def read_counts(structure, channel):
    """A channel of the message, as a list. This works with the overrides of
    gst-python and without them."""
    _, array = structure.get_array(channel)
    return [array.get_nth(i) for i in range(array.n_values)]


def get_mean(counts):
    """The mean value of the pixels."""
    return sum(value * n for value, n in enumerate(counts)) / sum(counts)


def get_percentile(counts, percent):
    """The lowest value that so many of the pixels do not exceed."""
    below = itertools.accumulate(counts)
    total = sum(counts)
    return next(value for value, n in enumerate(below)
                if n * 100 >= percent * total)


def describe(structure):
    """The line for a message."""
    luma = read_counts(structure, "luma")
    _, time = structure.get_uint64("running-time")
    percentiles = "  ".join(f"{percent} % {get_percentile(luma, percent):3}"
                            for percent in PERCENTS)
    words = [f"{time / Gst.SECOND:7.2f} s", f"mean {get_mean(luma):5.1f}",
             percentiles]
    clipped = []
    for end, name in (0, "black"), (-1, "white"):
        shares = {}
        for channel in "red", "green", "blue":
            counts = read_counts(structure, channel)
            shares[channel[0].upper()] = counts[end] / sum(counts)
        words.append(" ".join([name] + [f"{letter} {share:6.1%}" for
                                        letter, share in shares.items()]))
        letters = [letter for letter, share in shares.items()
                   if share > MOST_CLIPPED]
        if letters:
            clipped.append(f"{''.join(letters)} to {name}")
    if clipped:
        words.append(f"CLIPPED: {', '.join(clipped)}")
    return "  ".join(words)


class Application:
    """A pipeline whose messages are printed."""

    def __init__(self, name):
        self.failed = False
        self.loop = GLib.MainLoop()
        source = {"": "videotestsrc is-live=true",
                  "camera": "v4l2src ! decodebin"}.get(
                      name, "filesrc name=source ! decodebin")
        self.pipeline = Gst.parse_launch(
            f"{source} ! videoconvert dither=none ! video/x-raw,format=RGBA ! glupload "
            "! glopenclfilter spatial-sigma=0 histogram-emission=messages "
            f"histogram-interval={INTERVAL} ! fakesink sync=true")
        file_source = self.pipeline.get_by_name("source")
        if file_source:
            file_source.set_property("location", name)

    def handle_message(self, _bus, message):
        """Prints histograms. Ends the loop at the end and after an error."""
        structure = message.get_structure()
        if structure and structure.get_name() == "glopenclfilter-histogram":
            print(describe(structure), flush=True)
        elif message.type == Gst.MessageType.ERROR:
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
        self.pipeline.set_state(Gst.State.PLAYING)
        signal.signal(signal.SIGINT, lambda *_: self.loop.quit())
        self.loop.run()
        self.pipeline.set_state(Gst.State.NULL)
        bus.remove_signal_watch()
        return 1 if self.failed else 0


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit("usage: exposure.py [INPUT]")
    Gst.init(None)
    sys.exit(Application("".join(sys.argv[1:])).run())
