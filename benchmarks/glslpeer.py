# SPDX-License-Identifier: LGPL-2.1-or-later
"""The bilateral filter as a compute shader of OpenGL, on a grey plane; what a
peer is says cudapeers.py."""
import ctypes
import os
import time

import numpy

import egl
from cuda import Absent
from cudapeers import INTENSITY_SIGMA

GROUP = 16
TEXTURE_2D, R8, RED, UNSIGNED_BYTE = 0x0DE1, 0x8229, 0x1903, 0x1401
COMPUTE_SHADER, COMPILE_STATUS, LINK_STATUS = 0x91B9, 0x8B81, 0x8B82
WRITE_ONLY, ALL_BARRIERS = 0x88B9, 0xFFFFFFFF
TIME_ELAPSED, QUERY_RESULT = 0x88BF, 0x8866
UNPACK_ALIGNMENT, PACK_ALIGNMENT = 0x0CF5, 0x0D05
MIN_FILTER, MAG_FILTER, NEAREST = 0x2801, 0x2800, 0x2600
# Nanoseconds; renderers on the CPU answer less.
NO_CLOCK = 1000


class Shader:
    """bilateral.comp, compiled for a radius."""

    def __init__(self):
        self.gl = egl.Context()
        self.query = self.generate("glGenQueries")
        self.textures = []
        self.programs = {}
        self.size = None
        for name in (UNPACK_ALIGNMENT, PACK_ALIGNMENT):
            self.gl.call("glPixelStorei", name, 1)

    def get_device(self):
        """What it runs on."""
        return self.gl.renderer

    def generate(self, function):
        """The name of a new object."""
        name = ctypes.c_uint()
        self.gl.call(function, 1, ctypes.byref(name))
        return name.value

    def make_texture(self, height, width):
        """Of bytes."""
        texture = self.generate("glGenTextures")
        self.gl.call("glBindTexture", TEXTURE_2D, texture)
        self.gl.call("glTexStorage2D", TEXTURE_2D, 1, R8, width, height)
        for name in (MIN_FILTER, MAG_FILTER):
            self.gl.call("glTexParameteri", TEXTURE_2D, name, NEAREST)
        return texture

    def get_status(self, kind, name, status):
        """Whether a shader or a program is well."""
        value = ctypes.c_int()
        self.gl.call(f"glGet{kind}iv", name, status, ctypes.byref(value))
        if not value.value:
            log = ctypes.create_string_buffer(400)
            self.gl.call(f"glGet{kind}InfoLog", name, len(log), None, log)
            raise Absent("its shader does not compile: "
                         + log.value.decode(errors="replace"))

    def make_program(self, radius):
        """The shader with its defines behind the line of its version."""
        path = os.path.join(os.path.dirname(__file__), "bilateral.comp")
        with open(path, encoding="ascii") as file:
            version, rest = file.read().split("\n", 1)
        text = (f"{version}\n#define RADIUS {radius}\n"
                f"#define SPATIAL_SIGMA {radius / 2:.2f}\n"
                f"#define INTENSITY_SIGMA {INTENSITY_SIGMA:.2f}\n{rest}")
        shader = self.gl.call("glCreateShader", COMPUTE_SHADER)
        source = ctypes.c_char_p(text.encode())
        self.gl.call("glShaderSource", shader, 1, ctypes.byref(source), None)
        self.gl.call("glCompileShader", shader)
        self.get_status("Shader", shader, COMPILE_STATUS)
        program = self.gl.call("glCreateProgram")
        self.gl.call("glAttachShader", program, shader)
        self.gl.call("glLinkProgram", program)
        self.get_status("Program", program, LINK_STATUS)
        return program

    def prepare(self, plane, radius):
        """Has the plane where the filter reads it, and the shader."""
        if self.size != plane.shape:
            for texture in self.textures:
                self.gl.call("glDeleteTextures", 1,
                             ctypes.byref(ctypes.c_uint(texture)))
            self.textures = [self.make_texture(*plane.shape)
                             for _ in range(2)]
            self.size = plane.shape
        if radius not in self.programs:
            self.programs[radius] = self.make_program(radius)
        height, width = plane.shape
        plane = numpy.ascontiguousarray(plane)
        self.gl.call("glBindTexture", TEXTURE_2D, self.textures[0])
        self.gl.call("glTexSubImage2D", TEXTURE_2D, 0, 0, 0, width, height, RED,
                     UNSIGNED_BYTE, ctypes.c_void_p(plane.ctypes.data))
        self.gl.call("glBindImageTexture", 0, self.textures[1], 0, 0, 0,
                     WRITE_ONLY, R8)
        self.gl.call("glUseProgram", self.programs[radius])
        self.gl.call("glFinish")
        self.gl.check("the shader's set-up")

    def start(self):
        """Starts the filter once."""
        height, width = self.size
        self.gl.call("glDispatchCompute", (width - 1) // GROUP + 1,
                     (height - 1) // GROUP + 1, 1)
        self.gl.call("glMemoryBarrier", ALL_BARRIERS)

    def time(self):
        """Milliseconds of one frame, behind a first one."""
        self.start()
        begun = time.perf_counter()
        self.gl.call("glBeginQuery", TIME_ELAPSED, self.query)
        self.start()
        self.gl.call("glEndQuery", TIME_ELAPSED)
        elapsed = ctypes.c_uint64()
        self.gl.call("glGetQueryObjectui64v", self.query, QUERY_RESULT,
                     ctypes.byref(elapsed))
        self.gl.check("the shader")
        if elapsed.value >= NO_CLOCK:
            return elapsed.value / 1e6
        self.gl.call("glFinish")
        return (time.perf_counter() - begun) * 1000

    def filter(self):
        """The plane that comes out."""
        self.start()
        result = numpy.empty(self.size, numpy.uint8)
        self.gl.call("glBindTexture", TEXTURE_2D, self.textures[1])
        self.gl.call("glGetTexImage", TEXTURE_2D, 0, RED, UNSIGNED_BYTE,
                     ctypes.c_void_p(result.ctypes.data))
        self.gl.call("glBindTexture", TEXTURE_2D, self.textures[0])
        self.gl.check("reading the picture")
        return result
