# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes a library of LLVM bitcode smaller, through LLVM's interface for C."""

import ctypes

POINTER = ctypes.c_void_p
# Names, result types, and parameter types: pointers except these.
FUNCTIONS = {
    "LLVMContextCreate": (POINTER, ()),
    "LLVMCreateMemoryBufferWithContentsOfFile": (
        ctypes.c_int, (ctypes.c_char_p, POINTER, POINTER)),
    "LLVMParseBitcodeInContext2": (ctypes.c_int, (POINTER, POINTER, POINTER)),
    "LLVMGetFirstFunction": (POINTER, (POINTER,)),
    "LLVMGetNextFunction": (POINTER, (POINTER,)),
    "LLVMGetValueName2": (ctypes.c_char_p, (POINTER, POINTER)),
    "LLVMIsDeclaration": (ctypes.c_int, (POINTER,)),
    "LLVMSetLinkage": (None, (POINTER, ctypes.c_int)),
    "LLVMCreatePassBuilderOptions": (POINTER, ()),
    "LLVMRunPasses": (POINTER, (POINTER, ctypes.c_char_p, POINTER, POINTER)),
    "LLVMWriteBitcodeToFile": (ctypes.c_int, (POINTER, ctypes.c_char_p)),
}
# LLVMLinkage in llvm-c/Core.h.
INTERNAL = 8


def load(library):
    """LLVM, as the shared library at a path is linked with it. Raises
    AttributeError if it lacks one of the functions."""
    llvm = ctypes.CDLL(str(library))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(llvm, name)
        function.restype = result
        function.argtypes = arguments
    return llvm


def read(llvm, path):
    """The module in a file. Raises OSError if it is none."""
    memory, module, message = POINTER(), POINTER(), POINTER()
    if llvm.LLVMCreateMemoryBufferWithContentsOfFile(
            str(path).encode(), ctypes.byref(memory), ctypes.byref(message)) \
            or llvm.LLVMParseBitcodeInContext2(
                llvm.LLVMContextCreate(), memory, ctypes.byref(module)):
        raise OSError(f"{path} is no bitcode of this LLVM")
    return module


def list_functions(llvm, module):
    """The functions that a module has, and their names."""
    size = ctypes.c_size_t()
    function = llvm.LLVMGetFirstFunction(module)
    while function:
        if not llvm.LLVMIsDeclaration(function):
            yield function, llvm.LLVMGetValueName2(
                function, ctypes.byref(size)).decode()
        function = llvm.LLVMGetNextFunction(function)


def shrink(library, source, target, keeps):
    """Writes to target the functions of source whose names `keeps` accepts,
    and the functions that they call. `library` is linked with the LLVM to
    take. Raises AttributeError or OSError where that does not work. The memory
    of LLVM is kept until the process ends."""
    llvm = load(library)
    module = read(llvm, source)
    for function, name in list_functions(llvm, module):
        if not keeps(name):
            llvm.LLVMSetLinkage(function, INTERNAL)
    if llvm.LLVMRunPasses(module, b"globaldce", None,
                          llvm.LLVMCreatePassBuilderOptions()) \
            or llvm.LLVMWriteBitcodeToFile(module, str(target).encode()):
        raise OSError(f"{target} cannot be written")
