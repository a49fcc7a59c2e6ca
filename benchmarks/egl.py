# SPDX-License-Identifier: LGPL-2.1-or-later
"""A context of OpenGL 4.3 without a display, through EGL, and OpenGL's
functions by their names; both through ctypes."""
import ctypes

from cuda import Absent, load

PLATFORM_DEVICE = 0x313F
OPENGL = 0x30A2
CONTEXT = (0x3098, 4, 0x30FB, 3, 0x30FD, 1, 0x3038)   # 4.3, core
MOST_DEVICES = 16
RENDERER, VERSION = 0x1F01, 0x1F02
# Renderers that are no GPU.
SOFTWARE = ("llvmpipe", "softpipe", "swrast")


class Context:
    """Current in this thread; on a GPU where there is one."""

    def __init__(self):
        self.library = load("EGL")
        self.library.eglGetProcAddress.restype = ctypes.c_void_p
        self.functions = {}
        made = []
        for device in self.list_devices():
            context = self.make(device)
            if context:
                made.append((context, self.get_string(RENDERER)))
        if not made:
            raise Absent("EGL has no device with OpenGL 4.3")
        (display, context), self.renderer = min(
            made, key=lambda pair: pair[1].startswith(SOFTWARE))
        self.call_egl("eglMakeCurrent", display, None, None, context)
        self.version = self.get_string(VERSION)

    def find(self, name, result):
        """A function by its name."""
        if name not in self.functions:
            address = self.library.eglGetProcAddress(name.encode())
            if not address:
                raise Absent(f"there is no {name}")
            self.functions[name] = ctypes.CFUNCTYPE(result)(address)
        return self.functions[name]

    def call_egl(self, name, *arguments):
        """Whatever it returns, a pointer or a number."""
        function = self.find(name, ctypes.c_void_p)
        function.argtypes = None
        return function(*(ctypes.c_void_p(argument)
                          if argument is None else argument
                          for argument in arguments))

    def list_devices(self):
        """Those of EGL."""
        devices = (ctypes.c_void_p * MOST_DEVICES)()
        count = ctypes.c_int()
        self.call_egl("eglQueryDevicesEXT", MOST_DEVICES, devices,
                      ctypes.byref(count))
        return [ctypes.c_void_p(device) for device in devices[:count.value]]

    def make(self, device):
        """A display and a context on a device, current; None where it has
        none."""
        display = ctypes.c_void_p(self.call_egl(
            "eglGetPlatformDisplayEXT", PLATFORM_DEVICE, device, None))
        if not display or not self.call_egl("eglInitialize", display, None,
                                            None):
            return None
        self.call_egl("eglBindAPI", OPENGL)
        context = ctypes.c_void_p(self.call_egl(
            "eglCreateContext", display, None, None,
            (ctypes.c_int * len(CONTEXT))(*CONTEXT)))
        if not context or not self.call_egl("eglMakeCurrent", display, None,
                                            None, context):
            return None
        return display, context

    def get_string(self, name):
        """Of glGetString."""
        text = self.find("glGetString", ctypes.c_char_p)(name)
        return text.decode() if text else ""

    def call(self, name, *arguments):
        """A function of OpenGL that takes numbers and pointers, and returns a
        number or nothing."""
        return self.find(name, ctypes.c_int)(*arguments)

    def check(self, what):
        """Raises where something failed."""
        error = self.call("glGetError")
        if error:
            raise Absent(f"{what} failed: OpenGL has error {error:#x}")
