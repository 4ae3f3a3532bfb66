# SPDX-License-Identifier: BSD-3-Clause
"""Drua's library for Python, as much as the comparison with peers needs: float32 stacks, operations of one image and numbers.

python3 engine.py LIBRARY tries it: its structures must be those of drua.h.
"""

import ctypes
import sys


class Shape(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int64), ("height", ctypes.c_int64), ("depth", ctypes.c_int64), ("dimension", ctypes.c_int32)]


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("number", ctypes.c_double), ("text", ctypes.c_char_p), ("image", ctypes.c_uint64),
                ("array", ctypes.c_void_p), ("list", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Info(ctypes.Structure):
    _fields_ = [("shape", Shape), ("type", ctypes.c_int), ("bytes", ctypes.c_uint64)]


NUMBER, IMAGE, FLOAT32 = 1, 3, 7


class Engine:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.drua_error_message.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.library.drua_open(None, ctypes.byref(self.context)))

    def check(self, status):
        if status:
            raise RuntimeError(self.library.drua_error_message().decode())

    def push(self, extent, pixels):
        """A stack of float32 from an address."""
        handle = ctypes.c_uint64()
        self.check(self.library.drua_push(self.context, Shape(*extent, 3), ctypes.c_int(FLOAT32), ctypes.c_void_p(pixels), ctypes.byref(handle)))
        return handle.value

    def invoke(self, operation, image, numbers):
        """The new image that an operation makes of one and of numbers."""
        arguments = (Argument * (2 + len(numbers)))()
        arguments[0].kind, arguments[0].image = IMAGE, image
        for i, number in enumerate(numbers):
            arguments[2 + i].kind, arguments[2 + i].number = NUMBER, number
        self.check(self.library.drua_invoke(self.context, operation.encode(), arguments, ctypes.c_size_t(len(arguments)), None))
        return arguments[1].image

    def sync(self):
        self.check(self.library.drua_sync(self.context))

    def extent(self, image):
        """Width, height and depth, and the number of the type."""
        info = Info()
        self.check(self.library.drua_get_info(self.context, ctypes.c_uint64(image), ctypes.byref(info)))
        return (info.shape.width, info.shape.height, info.shape.depth), info.type

    def pull(self, image, pixels):
        """To an address with room for them all."""
        self.check(self.library.drua_pull(self.context, ctypes.c_uint64(image), ctypes.c_void_p(pixels)))

    def release(self, image):
        self.check(self.library.drua_release(self.context, ctypes.c_uint64(image)))

    def copy_rate(self, size):
        rate = ctypes.c_double()
        self.check(self.library.drua_measure_copy(self.context, ctypes.c_uint64(size), ctypes.byref(rate)))
        return rate.value


def main():
    drua = Engine(sys.argv[1])
    pixels, found = (ctypes.c_float * 24)(*range(24)), (ctypes.c_float * 24)()
    stack = drua.push((4, 3, 2), ctypes.addressof(pixels))
    made = drua.invoke("multiply_image_and_scalar", stack, [3])
    drua.sync()
    assert drua.extent(made) == ((4, 3, 2), FLOAT32), drua.extent(made)
    drua.pull(made, ctypes.addressof(found))
    assert list(found) == [3 * i for i in range(24)], list(found)
    drua.release(made)
    assert drua.copy_rate(4096) > 0


if __name__ == "__main__":
    main()
