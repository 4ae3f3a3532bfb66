# SPDX-License-Identifier: BSD-3-Clause
"""Drua's library for Python, as far as the comparison with other programs needs it: stacks, and operations with all
kinds of results.

python3 engine.py LIBRARY tests this module: its structures must be those of drua.h.
"""

import ctypes
import sys


class Shape(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int64), ("height", ctypes.c_int64), ("depth", ctypes.c_int64),
                ("dimension", ctypes.c_int32)]


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("number", ctypes.c_double), ("text", ctypes.c_char_p),
                ("image", ctypes.c_uint64),
                ("array", ctypes.c_void_p), ("list", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Info(ctypes.Structure):
    _fields_ = [("shape", Shape), ("type", ctypes.c_int), ("bytes", ctypes.c_uint64), ("labels", ctypes.c_int)]


class Rows(ctypes.Structure):
    _fields_ = [("columns", ctypes.c_size_t), ("rows", ctypes.c_size_t), ("headings", ctypes.POINTER(ctypes.c_char_p)),
                ("cells", ctypes.POINTER(ctypes.c_double))]


Table = ctypes.POINTER(Rows)
NUMBER, TEXT, IMAGE = 1, 2, 3
UINT8, FLOAT32 = 1, 7


class Image(int):
    """A handle, with a type that keeps it apart from numbers."""


def argument(value):
    if isinstance(value, Image):
        return Argument(kind=IMAGE, image=value)
    if isinstance(value, str):
        return Argument(kind=TEXT, text=value.encode())
    return Argument() if value is None else Argument(kind=NUMBER, number=value)


def place_of(device, names):
    """The index of the device of that name in a library's list; other names may contain this name."""
    if device not in names:
        raise RuntimeError(f"it does not list {device}")
    return names.index(device)


class Engine:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.drua_error_message.restype = ctypes.c_char_p
        self.library.drua_device_name.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.library.drua_open(None, ctypes.byref(self.context)))

    def check(self, status):
        if status:
            raise RuntimeError(self.library.drua_error_message().decode())

    def device_name(self):
        return self.library.drua_device_name(self.context).decode()

    def create(self, extent, kind):
        """Creates a stack of zeros of a type."""
        handle = ctypes.c_uint64()
        self.check(self.library.drua_create(self.context, Shape(*extent, 3), ctypes.c_int(kind), ctypes.byref(handle)))
        return Image(handle.value)

    def push(self, extent, kind, pixels):
        """Creates a stack of a type from pixels at an address."""
        handle = ctypes.c_uint64()
        self.check(self.library.drua_push(self.context, Shape(*extent, 3), ctypes.c_int(kind), ctypes.c_void_p(pixels),
                                          ctypes.byref(handle)))
        return Image(handle.value)

    def invoke(self, operation, *values):
        """Runs an operation on Images, numbers, texts and None (for new results).

        Returns a table, or the last argument that is an Image or was None.
        """
        arguments, table = (Argument * len(values))(*map(argument, values)), Table()
        self.check(self.library.drua_invoke(self.context, operation.encode(), arguments, ctypes.c_size_t(len(values)),
                                            ctypes.byref(table)))
        if table:
            return table
        made = [given for given, value in zip(arguments, values) if value is None or isinstance(value, Image)][-1]
        return Image(made.image) if made.kind == IMAGE else made.number

    def sync(self):
        self.check(self.library.drua_sync(self.context))

    def extent(self, image):
        """Returns width, height, depth, and the number of the type."""
        info = Info()
        size = ctypes.c_size_t(ctypes.sizeof(info))
        self.check(self.library.drua_get_info_sized(self.context, ctypes.c_uint64(image), ctypes.byref(info), size))
        return (info.shape.width, info.shape.height, info.shape.depth), info.type

    def pull(self, image, pixels):
        """Copies all pixels to an address."""
        self.check(self.library.drua_pull(self.context, ctypes.c_uint64(image), ctypes.c_void_p(pixels)))

    def columns(self, table):
        """Returns lists of numbers by heading."""
        rows = table.contents
        cells = rows.cells[:rows.columns * rows.rows]
        return {rows.headings[i].decode(): cells[i::rows.columns] for i in range(rows.columns)}

    def release(self, result):
        if isinstance(result, Image):
            self.check(self.library.drua_release(self.context, ctypes.c_uint64(result)))
        elif isinstance(result, Table):
            self.library.drua_table_free(result)

    def copy_rate(self, size):
        rate = ctypes.c_double()
        self.check(self.library.drua_measure_copy(self.context, ctypes.c_uint64(size), ctypes.byref(rate)))
        return rate.value


def main():
    assert place_of("card", ["card with more", "card"]) == 1
    drua = Engine(sys.argv[1])
    pixels, found = (ctypes.c_float * 24)(*range(24)), (ctypes.c_float * 24)()
    stack = drua.push((4, 3, 2), FLOAT32, ctypes.addressof(pixels))
    made = drua.invoke("multiply_image_and_scalar", stack, None, 3)
    drua.sync()
    assert drua.extent(made) == ((4, 3, 2), FLOAT32), drua.extent(made)
    drua.pull(made, ctypes.addressof(found))
    assert list(found) == [3 * i for i in range(24)], list(found)
    drua.release(made)
    mask = drua.create((4, 3, 2), UINT8)
    assert drua.invoke("automatic_threshold", stack, mask, "Otsu") == mask
    assert drua.invoke("sum_of_all_pixels", mask, None) == 12
    table = drua.invoke("statistics_of_image", stack)
    assert drua.columns(table)["MAXIMUM_INTENSITY"] == [23], drua.columns(table)
    drua.release(table)
    assert drua.copy_rate(4096) > 0
    room = (ctypes.c_ubyte * (ctypes.sizeof(Info) + 64))(*[170] * (ctypes.sizeof(Info) + 64))
    drua.check(drua.library.drua_get_info_sized(drua.context, ctypes.c_uint64(mask), room, ctypes.c_size_t(len(room))))
    assert set(room[ctypes.sizeof(Info):]) == {0}, "drua_image_info of drua.h is larger than Info"


if __name__ == "__main__":
    main()
