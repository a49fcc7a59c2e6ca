#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Times one filter on one frame after the other: kernelworker.py ENGINE THREADS

ENGINE is glopenclfilter, opencv (the CPU) or umat (OpenCV through OpenCL). Each
line "WIDTH HEIGHT RADIUS CHANNELS [METHOD]" on standard input is answered by
the milliseconds that the frame took; the first line of output is the device.
The window is a disc and the spatial sigma half the radius. kernels.py runs
this.
"""
import queue
import sys
import time

import cv2

import frames

INTENSITY_SIGMA = 0.25
# The element measures this many frames after a start, and then not all of them.
MEASURED_FRAMES = 16


class OpenCV:
    """bilateralFilter; a UMat's is timed where its result is there."""

    def __init__(self, threads, opencl):
        cv2.setNumThreads(threads)
        self.opencl = opencl
        self.images = {}
        if opencl and not cv2.ocl.useOpenCL():
            sys.exit("OpenCV has no OpenCL device")

    def get_device(self):
        """What it runs on."""
        return cv2.ocl.Device_getDefault().name() if self.opencl else "CPU"

    def get_image(self, width, height, channels):
        """The frame, where the filter reads it."""
        key = width, height, channels
        if key not in self.images:
            image = frames.make_frame(width, height)
            if channels == 1:
                image = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
            self.images = {key: cv2.UMat(image) if self.opencl else image}
            cv2.ocl.finish()
        return self.images[key]

    @staticmethod
    def filter(image, radius, channels):
        """One call."""
        # The sum of as many differences.
        sigma = INTENSITY_SIGMA * 255 * channels
        return cv2.bilateralFilter(image, 2 * radius + 1, sigma, radius / 2,
                                   borderType=cv2.BORDER_REPLICATE)

    def run(self, width, height, radius, channels, _):
        """Milliseconds of one call."""
        image = self.get_image(width, height, channels)
        start = time.perf_counter()
        self.filter(image, radius, channels)
        if self.opencl:
            cv2.ocl.finish()
        return (time.perf_counter() - start) * 1000


class Stream:
    """A pipeline whose filter gets one frame again and again."""

    def __init__(self, gst, width, height, channels):
        self.gst = gst
        self.size = width, height
        self.n_pushed = 0
        self.done = queue.Queue()
        layout = "gray" if channels == 1 else "rgba"
        name = "GRAY8" if channels == 1 else "RGBA"
        self.pipeline = gst.parse_launch(
            f"appsrc name=source format=time ! video/x-raw,format={name},"
            f"width={width},height={height},framerate=0/1 ! glupload "
            "! glopenclfilter name=filter window=disc qos=false "
            f"intensity-sigma={INTENSITY_SIGMA} "
            "! fakesink name=sink signal-handoffs=true async=false sync=false "
            "enable-last-sample=false")
        self.source = self.pipeline.get_by_name("source")
        self.filter = self.pipeline.get_by_name("filter")
        self.pipeline.get_by_name("sink").connect(
            "handoff", lambda *_: self.done.put(True))
        frame = frames.pack(frames.make_frame(width, height), layout)
        self.buffer = gst.Buffer.new_wrapped(frame)
        self.start()

    def start(self):
        """Plays, and filters a frame that warms up."""
        self.pipeline.set_state(self.gst.State.NULL)
        self.pipeline.set_state(self.gst.State.PLAYING)
        self.n_pushed = 0
        self.push()

    def get_time(self):
        """Nanoseconds of kernels and transfers so far."""
        stats = self.filter.get_property("stats")
        return (stats.get_value("kernel-time")
                + stats.get_value("transfer-time"))

    def push(self):
        """Filters the frame once; the milliseconds that it took."""
        if self.n_pushed == MEASURED_FRAMES:
            self.start()
        self.n_pushed += 1
        before = self.get_time()
        self.source.emit("push-buffer", self.buffer.copy_deep())
        bus = self.pipeline.get_bus()
        while True:
            try:
                self.done.get(timeout=1)
                break
            except queue.Empty:
                message = bus.pop_filtered(self.gst.MessageType.ERROR)
                if message:
                    sys.exit(message.parse_error()[0].message)
        return (self.get_time() - before) / 1e6

    def close(self):
        """Ends it."""
        self.pipeline.set_state(self.gst.State.NULL)


class Element:
    """glopenclfilter: its kernels and transfers, as its stats have them."""

    def __init__(self):
        # pylint: disable=import-outside-toplevel
        import gi
        gi.require_version("Gst", "1.0")
        from gi.repository import Gst
        Gst.init(None)
        self.gst = Gst
        self.streams = {}

    def get_stream(self, width, height, channels):
        """The one for such frames."""
        stream = self.streams.get(channels)
        if not stream or stream.size != (width, height):
            if stream:
                stream.close()
            stream = Stream(self.gst, width, height, channels)
            self.streams[channels] = stream
        return stream

    def get_device(self):
        """What it runs on."""
        return self.get_stream(64, 48, 3).filter.get_property("active-device")

    def run(self, width, height, radius, channels, method):
        """Milliseconds of one frame."""
        stream = self.get_stream(width, height, channels)
        stream.filter.set_property("radius", radius)
        stream.filter.set_property("spatial-sigma", radius / 2)
        if method:
            self.gst.util_set_object_arg(stream.filter, "method", method)
        return stream.push()

    def close(self):
        """Ends all."""
        for stream in self.streams.values():
            stream.close()


def main():
    """Answers line by line."""
    engine, threads = sys.argv[1], int(sys.argv[2])
    worker = (Element() if engine == "glopenclfilter"
              else OpenCV(threads, engine == "umat"))
    print(worker.get_device(), flush=True)
    for line in sys.stdin:
        words = line.split()
        method = words[4] if len(words) > 4 else None
        print(f"{worker.run(*map(int, words[:4]), method):.4f}", flush=True)
    if isinstance(worker, Element):
        worker.close()


if __name__ == "__main__":
    main()
