# SPDX-License-Identifier: BSD-3-Clause
"""Devices and their images."""
import atexit
import collections
import ctypes
import numbers
import os
import typing
import warnings
import weakref

import numpy

from . import _library
from ._library import DruaError, check, library
from ._operations import Operations, PARAMETERS

# The index of a name is its drua_type.
_TYPES = (None, "uint8", "int8", "uint16", "int16", "uint32", "int32", "float32")
_CONVERTED = {"bool": "uint8", "float16": "float32", "float64": "float32"}

_open_devices = weakref.WeakSet()


class DeviceInfo(typing.NamedTuple):
    """Properties of a device; sizes are in bytes."""

    name: str
    platform: str
    driver: str
    version: str
    address: str
    is_gpu: bool
    global_memory: int
    compute_units: int


def _info(record):
    texts = (getattr(record, name).decode() for name in ("name", "platform", "driver", "version", "address"))
    return DeviceInfo(*texts, bool(record.is_gpu), record.global_memory, record.compute_units)


def devices():
    """All OpenCL devices of this computer, the best first."""
    found = []
    for index in range(library.drua_device_count()):
        record = _library.DeviceRecord()
        check(library.drua_device_describe_sized(index, ctypes.byref(record), ctypes.sizeof(record)))
        found.append(_info(record))
    return found


def _host_array(value):
    """A C-contiguous array of one of the device's types from an array, a buffer or a DLPack tensor in host memory."""
    if hasattr(value, "__dlpack__") and not isinstance(value, numpy.ndarray):
        try:
            value = numpy.from_dlpack(value)
        except (BufferError, RuntimeError, TypeError) as error:
            raise DruaError(f"push: this tensor is not in host memory; copy it there first ({error})") from error
    array = numpy.asarray(value)
    name = _CONVERTED.get(array.dtype.name, array.dtype.name)
    if name not in _TYPES:
        raise DruaError(f"push: an array of {array.dtype} has no counterpart on the device; convert it, for example "
                        "with array.astype('int32')")
    if array.ndim not in (2, 3) or 0 in array.shape:
        raise DruaError(f"push: an image has 2 or 3 axes (z, y, x) of at least one pixel, got the shape {array.shape}")
    return numpy.ascontiguousarray(array, dtype=numpy.dtype(name))


def _shape(extents):
    depth, height, width = (1, *extents) if len(extents) == 2 else extents
    return _library.Shape(width, height, depth, len(extents))


class Image:
    """An image on a device, in the order z, y, x of NumPy. Made by Device.push, Device.create and operations.

    The image is freed when Python no longer references it, by release(), at the end of a with block, or with its
    device. Slices with steps of 1 and -1 and an index along z share the memory of the image.
    """

    def __init__(self, device, handle):
        self._device, self._handle = device, handle

    def _get_info(self):
        record = _library.ImageInfo()
        device = self.device._enter()
        check(library.drua_get_info_sized(device, self._handle, ctypes.byref(record), ctypes.sizeof(record)))
        return record

    @property
    def device(self):
        """The device that has the image."""
        return self._device

    @property
    def shape(self):
        """Extents in pixels: (z, y, x), or (y, x) for a plane."""
        shape = self._get_info().shape
        extents = (shape.depth, shape.height, shape.width)
        return extents if shape.dimension == 3 else extents[1:]

    @property
    def ndim(self):
        """2 or 3."""
        return self._get_info().shape.dimension

    @property
    def dtype(self):
        """The element type as a NumPy type."""
        return numpy.dtype(_TYPES[self._get_info().type])

    @property
    def labels(self):
        """True for the result of an operation that makes label maps."""
        return bool(self._get_info().labels)

    def numpy(self, out=None):
        """Copies the pixels to a new array or to `out`, a C-contiguous array of the same shape and type."""
        shape, dtype = self.shape, self.dtype
        if out is None:
            out = numpy.empty(shape, dtype)
        elif out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
            raise DruaError(f"numpy: out must be a writeable C-contiguous array of {dtype} with the shape {shape}, "
                            f"got {out.dtype} with the shape {out.shape}")
        check(library.drua_pull(self.device._enter(), self._handle, out.ctypes.data))
        return out

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("the pixels are on the device; NumPy needs a copy")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(self, **options):
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self):
        return (1, 0)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        shape = self.shape
        keys = list(key) if isinstance(key, tuple) else [key]
        if any(k is Ellipsis for k in keys):
            at = next(i for i, k in enumerate(keys) if k is Ellipsis)
            keys[at:at + 1] = [slice(None)] * (len(shape) - len(keys) + 1)
        keys += [slice(None)] * (len(shape) - len(keys))
        if len(keys) > len(shape):
            raise IndexError(f"this image has {len(shape)} axes, got {len(keys)} indices")
        plane = None
        if len(shape) == 3 and isinstance(keys[0], numbers.Integral):
            plane = range(shape[0])[keys[0]]
            keys[0] = slice(None)
        view = self._box(keys, shape)
        return view if plane is None else self.device.copy_slice(view, plane)

    def _box(self, keys, shape):
        if not all(isinstance(k, slice) for k in keys):
            raise IndexError("an image takes slices, and along z also an index; use image.numpy()[...] for others")
        ranges = [range(extent)[k] for k, extent in zip(keys, shape)]
        if any(abs(r.step) != 1 and len(r) > 1 for r in ranges):
            raise IndexError("slices of an image have steps of 1 and -1; use image.numpy()[...] for others")
        if not all(len(r) for r in ranges):
            raise IndexError(f"a slice of an image with the shape {shape} has no pixel")
        first, extents = [min(r[0], r[-1]) for r in ranges], [len(r) for r in ranges]
        backwards = [r.step < 0 and len(r) > 1 for r in ranges]
        if len(shape) == 2:
            first, extents, backwards = [0, *first], [1, *extents], [False, *backwards]
        view = self.device.crop(self, *first[::-1], *extents[::-1])
        return self.device.flip(view, *backwards[::-1]) if any(backwards) else view

    def release(self):
        """Frees the image. Calling it again does nothing."""
        handle, self._handle = self._handle, 0
        if handle and self._device._context:
            check(library.drua_release(self._device._enter(), handle))

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.release()

    def __del__(self):
        # A call of the library here could replace texts that the caller has not read yet.
        if self._handle:
            self._device._lost.append(self._handle)

    def __repr__(self):
        if not self._handle or not self._device._context:
            return "<drua.Image, released>"
        return f"<drua.Image {' x '.join(map(str, self.shape))} {self.dtype}>"


class Device(Operations):
    """An OpenCL device with its images, and a method for each operation.

    selector: part of the device's name, "gpu", "cpu", an index of devices(), or "" for the best device. memory: how
    much device memory to use, such as "2GB" or "50%". Close the device with close() or a with block; all images are
    freed. Several threads may use a device; calls run one after the other. Operations return before the device has
    finished; numbers, tables and pixels wait for their result.
    """

    def __init__(self, selector="", memory=""):
        self._context, self._lost = None, collections.deque()
        context = ctypes.c_void_p()
        check(library.drua_open(str(selector).encode(), ctypes.byref(context)))
        self._context = context
        _open_devices.add(self)
        for note in (library.drua_context_note(context), library.drua_context_warning(context)):
            if note:
                warnings.warn(note.decode(), _library.DruaWarning, stacklevel=2)
        if memory:
            check(library.drua_set_memory(context, str(memory).encode()))

    def _enter(self):
        """The context, after freeing images that the program no longer references."""
        if not self._context:
            raise DruaError("this device is closed; open a new one with drua.Device()")
        while True:
            try:
                handle = self._lost.popleft()
            except IndexError:
                return self._context
            library.drua_release(self._context, handle)

    @property
    def info(self):
        """Properties of the device."""
        record = _library.DeviceRecord()
        library.drua_context_device_sized(self._enter(), ctypes.byref(record), ctypes.sizeof(record))
        return _info(record)

    def push(self, array):
        """Copies an array, buffer or DLPack tensor in host memory to the device.

        bool becomes uint8; float16 and float64 become float32. The axes are z, y, x, or y, x for a plane.
        """
        array = _host_array(array)
        image = ctypes.c_uint64()
        check(library.drua_push(self._enter(), _shape(array.shape), _TYPES.index(array.dtype.name), array.ctypes.data,
                                ctypes.byref(image)))
        return Image(self, image.value)

    def create(self, shape, dtype="float32"):
        """Makes an image of zeros. shape: (z, y, x), (y, x), or an image with the shape and type of the new one."""
        if isinstance(shape, Image):
            shape, dtype = shape.shape, shape.dtype
        name = numpy.dtype(dtype).name
        if name not in _TYPES:
            raise DruaError(f"create: dtype must be one of {', '.join(_TYPES[1:])}, got {name}")
        if len(shape) not in (2, 3):
            raise DruaError(f"create: shape must have 2 or 3 extents, got {len(shape)}")
        image = ctypes.c_uint64()
        check(library.drua_create(self._enter(), _shape(shape), _TYPES.index(name), ctypes.byref(image)))
        return Image(self, image.value)

    def sync(self):
        """Waits until the device has finished all calls."""
        check(library.drua_sync(self._enter()))

    def clear(self):
        """Frees all images of the device."""
        check(library.drua_clear(self._enter()))

    def report_memory(self):
        """A text with a line for each image, and the sum of their memory."""
        return library.drua_report_memory(self._enter()).decode()

    def close(self):
        """Frees all images and the device. Calling it again does nothing. No other call may be running."""
        context, self._context = self._context, None
        if context:
            library.drua_close(context)

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def __del__(self):
        self.close()

    # ---- calls

    def _call(self, operation, *values):
        """Runs an operation with a value for each parameter; None for an output to make or for the default."""
        parameters = PARAMETERS[operation]
        passed = [(kind, name, value) for (kind, name), value in zip(parameters, values) if kind != "table_out"]
        arguments, kept = (_library.Argument * len(passed))(), []
        for argument, (kind, name, value) in zip(arguments, passed):
            self._set(argument, kind, f"{operation}: {name}", value, kept)
        table = ctypes.POINTER(_library.Table)()
        context = self._enter()
        check(library.drua_invoke(context, operation.encode(), arguments, len(arguments), ctypes.byref(table)))
        results = {name: self._result(argument, kind, value)
                   for argument, (kind, name, value) in zip(arguments, passed) if kind.endswith("_out")}
        self._warn(context)
        outputs = [_columns(table) if kind == "table_out" else results[name]
                   for kind, name in parameters if kind.endswith("_out")]
        return outputs[0] if len(outputs) == 1 else tuple(outputs) or None

    @staticmethod
    def _warn(context):
        lines = library.drua_take_messages(context).decode().strip()
        if lines:
            warnings.warn(lines, _library.DruaWarning, stacklevel=4)

    def _result(self, argument, kind, value):
        if kind == "number_out":
            return argument.number
        if kind == "text_out":
            return (argument.text or b"").decode()
        return value if value is not None else Image(self, argument.image)

    def _set(self, argument, kind, name, value, kept):
        """Fills an argument. `kept` holds objects that must live until the end of the call."""
        if value is None or kind in ("number_out", "text_out"):
            argument.kind = _library.NONE
        elif kind in ("image_in", "image_out", "image_inout"):
            argument.kind, argument.image = _library.IMAGE, self._handle_of(kind, name, value, kept)
        elif kind in ("number", "integer", "boolean"):
            if not isinstance(value, (numbers.Real, numpy.bool_)):
                raise DruaError(f"{name} must be a number, got {value!r}")
            argument.kind, argument.number = _library.NUMBER, value
        elif kind == "array_in":
            array = numpy.ascontiguousarray(value, dtype="float64").ravel()
            kept.append(array)
            argument.kind, argument.length = _library.ARRAY, array.size
            argument.array = array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        elif kind == "images":
            self._set_list(argument, name, value, kept)
        elif isinstance(value, (str, os.PathLike)):
            argument.kind, argument.text = _library.TEXT, os.fspath(value).encode()
        else:
            raise DruaError(f"{name} must be a string, got {value!r}")

    def _handle_of(self, kind, name, value, kept):
        if isinstance(value, Image):
            if not value._handle:
                raise DruaError(f"{name}: the image is already released")
            return value._handle
        if kind != "image_in":
            raise DruaError(f"{name} is written by the operation and must be an image of the device, got "
                            f"{type(value).__name__}; push or create it first")
        kept.append(self.push(value))
        return kept[-1]._handle

    def _set_list(self, argument, name, value, kept):
        if not isinstance(value, dict):
            raise DruaError(f"{name} must be a dict of names and images, got {type(value).__name__}")
        elements = (_library.Argument * (2 * len(value)))()
        for i, (word, image) in enumerate(value.items()):
            self._set(elements[2 * i], "text", name, word, kept)
            self._set(elements[2 * i + 1], "image_inout", name, image, kept)
        kept.append(elements)
        argument.kind, argument.list, argument.length = _library.LIST, elements, len(elements)


def _columns(table):
    """The columns of a table by name. Frees the table."""
    if not table:
        return {}
    t = table.contents
    cells = numpy.ctypeslib.as_array(t.cells, (t.rows, t.columns)).copy() if t.rows * t.columns else \
        numpy.empty((t.rows, t.columns))
    columns = {t.headings[i].decode(): cells[:, i].copy() for i in range(t.columns)}
    library.drua_table_free(table)
    return columns


@atexit.register
def _close_all():
    for device in list(_open_devices):
        device.close()
    library.drua_prepare_exit()
