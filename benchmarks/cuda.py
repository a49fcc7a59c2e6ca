# SPDX-License-Identifier: LGPL-2.1-or-later
"""As much of CUDA's driver as a benchmark needs, and its run-time compiler,
both through ctypes: neither headers nor Python packages are needed."""
import ctypes
import glob
import os
import sys

FOLDERS = ("/usr/local/cuda*/lib64", "/usr/lib/x86_64-linux-gnu",
           "/usr/lib64", "/opt/cuda/lib64")
MULTIPROCESSORS, THREADS_OF_MULTIPROCESSOR = 16, 39
THREADS_OF_BLOCK, SHARED_BYTES = 1, 8
MAJOR, MINOR = 75, 76


class Absent(Exception):
    """Something is not there, or is not to be used; why."""


def load(name):
    """The newest library of this name that there is, wherever the loader or
    Python's packages have it."""
    places = [*os.environ.get("LD_LIBRARY_PATH", "").split(":"), *FOLDERS]
    places += [os.path.join(path, "nvidia", "*", "lib") for path in sys.path]
    found = [path for place in places if place
             for path in sorted(glob.glob(f"{place}/lib{name}.so*"),
                                reverse=True)]
    errors = []
    for path in (f"lib{name}.so.1", f"lib{name}.so", *found):
        try:
            return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            errors.append(str(error))
    raise Absent(errors[-1] if found else f"there is no lib{name}.so here")


def check(status, what, success=0):
    """Raises where a call failed."""
    if status != success:
        raise Absent(f"{what} failed with {status}")


class Compiler:
    """NVRTC."""

    def __init__(self):
        self.library = load("nvrtc")

    def list_architectures(self):
        """What it makes code for, ascending: 90 for 9.0."""
        count = ctypes.c_int()
        check(self.library.nvrtcGetNumSupportedArchs(ctypes.byref(count)),
              "nvrtcGetNumSupportedArchs")
        found = (ctypes.c_int * count.value)()
        check(self.library.nvrtcGetSupportedArchs(found),
              "nvrtcGetSupportedArchs")
        return list(found)

    def get_text(self, program, what):
        """The log, the machine code or the PTX."""
        size = ctypes.c_size_t()
        check(getattr(self.library, f"nvrtcGet{what}Size")(
            program, ctypes.byref(size)), f"nvrtcGet{what}Size")
        text = ctypes.create_string_buffer(size.value)
        check(getattr(self.library, f"nvrtcGet{what}")(program, text),
              f"nvrtcGet{what}")
        return text.raw

    def compile(self, source, capability, options=()):
        """What a module is loaded from; machine code where the compiler knows
        the device."""
        newest = self.list_architectures()[-1]
        knows = capability <= newest
        words = [f"-arch=sm_{capability}" if knows
                 else f"-arch=compute_{newest}", *options]
        program = ctypes.c_void_p()
        check(self.library.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), None, 0, None, None),
            "nvrtcCreateProgram")
        try:
            status = self.library.nvrtcCompileProgram(
                program, len(words), (ctypes.c_char_p * len(words))(
                    *(word.encode() for word in words)))
            if status:
                log = self.get_text(program, "ProgramLog").decode(
                    errors="replace").strip("\0\n").splitlines()
                raise Absent("its kernel does not compile: "
                             + " ".join(log[:2]))
            return self.get_text(program, "CUBIN" if knows else "PTX")
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))


class Device:
    """The first device, its primary context current. What it allocates stays
    until the process ends."""

    def __init__(self):
        self.library = load("cuda")
        self.call("cuInit", 0)
        self.id = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.id), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.id)
        self.call("cuCtxSetCurrent", context)
        self.events = [self.create("cuEventCreate", 0) for _ in range(2)]

    def call(self, name, *arguments):
        """A function of the driver, by its name."""
        check(getattr(self.library, name)(*arguments), name)

    def create(self, name, *arguments):
        """What a function gives through its first argument."""
        handle = ctypes.c_void_p()
        self.call(name, ctypes.byref(handle), *arguments)
        return handle

    def get_name(self):
        """Of the card."""
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, len(name), self.id)
        return name.value.decode()

    def get_attribute(self, number):
        """One of cuda.h's."""
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.id)
        return value.value

    def get_capability(self):
        """90 for 9.0."""
        return self.get_attribute(MAJOR) * 10 + self.get_attribute(MINOR)

    def allocate(self, size):
        """Memory."""
        return self.create("cuMemAlloc_v2", ctypes.c_size_t(size))

    def allocate_rows(self, width, height):
        """Memory of rows of so many bytes, and the bytes from one to the
        next."""
        memory, pitch = ctypes.c_void_p(), ctypes.c_size_t()
        self.call("cuMemAllocPitch_v2", ctypes.byref(memory),
                  ctypes.byref(pitch), ctypes.c_size_t(width),
                  ctypes.c_size_t(height), 4)
        return memory, pitch.value

    def free(self, memory):
        """What was allocated."""
        self.call("cuMemFree_v2", memory)

    def write(self, memory, array):
        """An array of numpy to memory."""
        self.call("cuMemcpyHtoD_v2", memory, ctypes.c_void_p(array.ctypes.data),
                  ctypes.c_size_t(array.nbytes))
        self.call("cuCtxSynchronize")

    def read(self, memory, array):
        """Fills an array of numpy."""
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), memory,
                  ctypes.c_size_t(array.nbytes))

    def load_kernel(self, image, name):
        """A kernel of a compiled module."""
        module = self.create("cuModuleLoadData", image)
        return self.create("cuModuleGetFunction", module, name.encode())

    def launch(self, kernel, grid, block, shared, memories):
        """Starts a kernel whose arguments are memory."""
        arguments = (ctypes.c_void_p * len(memories))(
            *(ctypes.cast(ctypes.pointer(memory), ctypes.c_void_p)
              for memory in memories))
        self.call("cuLaunchKernel", kernel, *grid, 1, *block, 1, shared, None,
                  arguments, None)

    def time(self, start, stream=None):
        """Milliseconds of what a function starts, between two events behind a
        first such start: so the device is busy until the launch is there."""
        start()
        self.call("cuEventRecord", self.events[0], stream)
        start()
        self.call("cuEventRecord", self.events[1], stream)
        self.call("cuEventSynchronize", self.events[1])
        elapsed = ctypes.c_float()
        self.call("cuEventElapsedTime", ctypes.byref(elapsed), *self.events)
        return elapsed.value
