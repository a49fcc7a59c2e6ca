# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bilateral filters of others that run through CUDA, each on one grey plane.

A peer has get_device(); prepare(plane, radius); time(), milliseconds by the
device's own clock; and filter(), the plane that comes out, in bytes. It raises
cuda.Absent where it cannot be had, and says why.
"""
import ctypes
import math
import os

import numpy

import cuda

INTENSITY_SIGMA = 0.25
# Of NPP and CV-CUDA, which have no name for it here.
NPP_BORDER_REPLICATE = 2


class CudaPeer:
    """What they have in common."""

    def __init__(self):
        self.device = cuda.Device()
        self.size = None
        self.radius = 0

    def get_device(self):
        """What it runs on."""
        return self.device.get_name()

    def start(self):
        """Starts the filter once."""
        raise NotImplementedError

    def time(self):
        """Milliseconds of one frame."""
        return self.device.time(self.start)


class Bytes(CudaPeer):
    """A peer that takes and gives bytes, rows without gaps."""

    def __init__(self):
        super().__init__()
        self.memories = ()

    def prepare(self, plane, radius):
        """Has the plane where the filter reads it."""
        self.radius = radius
        if self.size != plane.shape:
            for memory in self.memories:
                self.device.free(memory)
            self.memories = [self.device.allocate(plane.size)
                             for _ in range(2)]
            self.size = plane.shape
        self.device.write(self.memories[0], numpy.ascontiguousarray(plane))

    def filter(self):
        """The plane that comes out."""
        self.start()
        result = numpy.empty(self.size, numpy.uint8)
        self.device.read(self.memories[1], result)
        return result


class NppContext(ctypes.Structure):
    """NppStreamContext."""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int),
                ("multiprocessors", ctypes.c_int),
                ("threads_of_multiprocessor", ctypes.c_int),
                ("threads_of_block", ctypes.c_int),
                ("shared_bytes", ctypes.c_size_t), ("major", ctypes.c_int),
                ("minor", ctypes.c_int), ("flags", ctypes.c_uint),
                ("reserved", ctypes.c_int)]


class Pair(ctypes.Structure):
    """NppiSize and NppiPoint."""
    _fields_ = [("first", ctypes.c_int), ("second", ctypes.c_int)]


class Npp(Bytes):
    """NPP's FilterBilateralGauss."""

    def __init__(self):
        super().__init__()
        cuda.load("nppc")
        library = cuda.load("nppif")
        # From CUDA 13 on there is only the one with a context.
        self.call = library.nppiFilterBilateralGaussBorder_8u_C1R_Ctx
        self.call.argtypes = [
            ctypes.c_void_p, ctypes.c_int, Pair, Pair, ctypes.c_void_p,
            ctypes.c_int, Pair, ctypes.c_int, ctypes.c_int, ctypes.c_float,
            ctypes.c_float, ctypes.c_int, NppContext]
        ask = self.device.get_attribute
        self.context = NppContext(
            None, self.device.id, ask(cuda.MULTIPROCESSORS),
            ask(cuda.THREADS_OF_MULTIPROCESSOR), ask(cuda.THREADS_OF_BLOCK),
            ask(cuda.SHARED_BYTES), ask(cuda.MAJOR), ask(cuda.MINOR), 0, 0)

    def start(self):
        """Starts the filter once."""
        height, width = self.size
        size = Pair(width, height)
        cuda.check(self.call(
            self.memories[0], width, size, Pair(0, 0), self.memories[1], width,
            size, self.radius, 1, (INTENSITY_SIGMA * 255) ** 2,
            (self.radius / 2) ** 2, NPP_BORDER_REPLICATE, self.context),
            "nppiFilterBilateralGaussBorder_8u_C1R_Ctx")


class Shared:
    """Memory, as other packages take it."""

    def __init__(self, memory, size):
        self.__cuda_array_interface__ = {
            "shape": (*size, 1), "typestr": "|u1", "strides": None,
            "data": (memory.value, False), "version": 3}


class CvCuda(Bytes):
    """CV-CUDA's bilateral filter."""

    def __init__(self):
        super().__init__()
        try:
            # pylint: disable=import-outside-toplevel,import-error
            import cvcuda
        except (ImportError, OSError) as error:
            raise cuda.Absent(f"Python has no cvcuda ({error})") from error
        self.module = cvcuda
        self.stream = cvcuda.Stream()
        self.tensors = ()

    def prepare(self, plane, radius):
        """Has the plane where the filter reads it."""
        super().prepare(plane, radius)
        self.tensors = [self.module.as_tensor(Shared(memory, plane.shape),
                                              "HWC")
                        for memory in self.memories]

    def start(self):
        """Starts the filter once."""
        self.module.bilateral_filter_into(
            self.tensors[1], self.tensors[0], 2 * self.radius + 1,
            INTENSITY_SIGMA * 255, self.radius / 2,
            self.module.Border.REPLICATE, stream=self.stream)

    def time(self):
        """Milliseconds of one frame."""
        return self.device.time(self.start,
                                ctypes.c_void_p(self.stream.handle))


def find_kernel_file(folder):
    """The source of VapourSynth's BilateralGPU, its form for NVRTC."""
    for below in ("", "rtc_source"):
        path = os.path.join(folder, below, "kernel.hpp")
        if os.path.isfile(path):
            return path
    raise cuda.Absent(f"there is neither kernel.hpp nor rtc_source/kernel.hpp "
                      f"in {folder}")


def read_kernel(folder):
    """The kernel that is a string there."""
    with open(find_kernel_file(folder), encoding="utf-8") as file:
        text = file.read()
    kernel = text.partition('R"""(')[2].rpartition(')"""')[0]
    if "sigma_color_scaled" not in kernel:
        raise cuda.Absent("kernel.hpp has no kernel that takes "
                          "sigma_color_scaled: it is of another version")
    return kernel


class Compiled(CudaPeer):
    """VapourSynth's BilateralGPU, with the kernel compiled for its parameters,
    as the plugin does: frames of floats, blocks of 16x8."""
    BLOCK = 16, 8
    OPTIONS = ("-use_fast_math", "-std=c++17", "-modify-stack-limit=false")

    def __init__(self, folder):
        super().__init__()
        self.kernel = read_kernel(folder)
        self.compiler = cuda.Compiler()
        self.memories = ()
        self.stride = 0
        self.function = None
        self.functions = {}

    def write_source(self, height, width):
        """The kernel behind what the plugin defines for it."""
        def scale(sigma):
            exponent = numpy.float32(-0.5) / numpy.float32(sigma * sigma)
            scaled = exponent * numpy.float32(math.log2(math.e))
            return f"((float) {float(scaled).hex()})"

        values = {"width": width, "height": height, "stride": self.stride,
                  "sigma_spatial_scaled": scale(self.radius / 2),
                  "sigma_color_scaled": scale(INTENSITY_SIGMA),
                  "radius": self.radius, "use_shared_memory": "true",
                  "BLOCK_X": self.BLOCK[0], "BLOCK_Y": self.BLOCK[1],
                  "has_ref": "false"}
        return "".join(f"#define {name} {value}\n"
                       for name, value in values.items()) + self.kernel

    def prepare(self, plane, radius):
        """Has the plane where the filter reads it, and the kernel."""
        height, width = plane.shape
        if self.size != plane.shape:
            for memory in self.memories:
                self.device.free(memory)
            rows = [self.device.allocate_rows(width * 4, height)
                    for _ in range(2)]
            self.memories = [memory for memory, _ in rows]
            self.stride = rows[0][1] // 4
            self.size = plane.shape
        samples = numpy.zeros((height, self.stride), numpy.float32)
        samples[:, :width] = plane / numpy.float32(255)
        self.device.write(self.memories[0], samples)
        self.radius = radius
        key = *plane.shape, radius
        if key not in self.functions:
            self.functions[key] = self.device.load_kernel(
                self.compiler.compile(self.write_source(height, width),
                                      self.device.get_capability(),
                                      self.OPTIONS), "bilateral")
        self.function = self.functions[key]

    def start(self):
        """Starts the filter once."""
        height, width = self.size
        columns, rows = self.BLOCK
        shared = (2 * self.radius + columns) * (2 * self.radius + rows) * 4
        self.device.launch(
            self.function, ((width - 1) // columns + 1,
                            (height - 1) // rows + 1), self.BLOCK, shared,
            self.memories[::-1])

    def filter(self):
        """The plane that comes out."""
        self.start()
        result = numpy.empty((self.size[0], self.stride), numpy.float32)
        self.device.read(self.memories[1], result)
        return numpy.floor(result[:, :self.size[1]] * 255 + 0.5).astype(
            numpy.uint8)
