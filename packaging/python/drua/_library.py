# SPDX-License-Identifier: BSD-3-Clause
"""The C library by ctypes. Names and structures are those of drua.h."""
import ctypes
import pathlib
import sys

_NAMES = {"win32": "drua.dll", "darwin": "libdrua.dylib"}


class DruaError(RuntimeError):
    """A failed call. The message is the engine's; status is a number of drua_status in drua.h."""

    def __init__(self, sentence, status=1):
        super().__init__(sentence)
        self.status = status


class DruaWarning(UserWarning):
    """A note of the engine about a call that succeeded, such as a device that it did not use."""


class Shape(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int64), ("height", ctypes.c_int64), ("depth", ctypes.c_int64),
                ("dimension", ctypes.c_int32)]


class ImageInfo(ctypes.Structure):
    _fields_ = [("shape", Shape), ("type", ctypes.c_int), ("bytes", ctypes.c_uint64), ("labels", ctypes.c_int)]


class DeviceRecord(ctypes.Structure):
    _fields_ = [(name, ctypes.c_char_p) for name in
                ("name", "platform", "driver", "version", "extensions", "address")] + \
               [("opencl_version", ctypes.c_double), ("is_gpu", ctypes.c_int)] + \
               [(name, ctypes.c_uint64) for name in
                ("global_memory", "largest_allocation", "local_memory", "compute_units", "clock_mhz",
                 "largest_work_group")]


class Argument(ctypes.Structure):
    pass


Argument._fields_ = [("kind", ctypes.c_int), ("number", ctypes.c_double), ("text", ctypes.c_char_p),
                     ("image", ctypes.c_uint64), ("array", ctypes.POINTER(ctypes.c_double)),
                     ("list", ctypes.POINTER(Argument)), ("length", ctypes.c_size_t)]
NONE, NUMBER, TEXT, IMAGE, ARRAY, LIST = range(6)


class Table(ctypes.Structure):
    _fields_ = [("columns", ctypes.c_size_t), ("rows", ctypes.c_size_t),
                ("headings", ctypes.POINTER(ctypes.c_char_p)), ("cells", ctypes.POINTER(ctypes.c_double))]


def _load():
    library = ctypes.CDLL(str(pathlib.Path(__file__).with_name(_NAMES.get(sys.platform, "libdrua.so"))))
    context, image, text = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_char_p
    size, status, out = ctypes.c_size_t, ctypes.c_int, ctypes.POINTER
    for name, result, *arguments in (
            ("version", text),
            ("error_message", text),
            ("device_count", size),
            ("device_describe_sized", status, size, out(DeviceRecord), size),
            ("open", status, text, out(context)),
            ("close", None, context),
            ("prepare_exit", None),
            ("context_device_sized", None, context, out(DeviceRecord), size),
            ("context_note", text, context),
            ("context_warning", text, context),
            ("set_memory", status, context, text),
            ("sync", status, context),
            ("create", status, context, Shape, ctypes.c_int, out(image)),
            ("push", status, context, Shape, ctypes.c_int, ctypes.c_void_p, out(image)),
            ("pull", status, context, image, ctypes.c_void_p),
            ("get_info_sized", status, context, image, out(ImageInfo), size),
            ("release", status, context, image),
            ("clear", status, context),
            ("invoke", status, context, text, out(Argument), size, out(out(Table))),
            ("table_free", None, out(Table)),
            ("report_memory", text, context),
            ("take_messages", text, context)):
        function = getattr(library, "drua_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def check(status):
    """Raises a DruaError with the engine's message if the last call on this thread failed."""
    if status:
        raise DruaError(library.drua_error_message().decode(), status)


def version():
    return library.drua_version().decode()
