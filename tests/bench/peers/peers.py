# SPDX-License-Identifier: BSD-3-Clause
"""The same work by Drua, pyclesperanto, CuPy and SciPy, on the same pixels in the same run.

Works have the names of `drua bench peers`.

python3 peers.py [--library build/native/lib/libdrua.so] [--size 512] [--depth 512] [--runs 9] [--only NAME]

Needs NumPy; each peer takes part if it is installed. Pixels are where the library computes before a clock starts; a time is
that of a call until its result is there, the median of the runs after one that is not counted. Ends with 1 if a result
differs from Drua's by more than the work's tolerance.
"""

import argparse
import ctypes
import statistics
import sys
import time
import warnings

import numpy


class Shape(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int64), ("height", ctypes.c_int64), ("depth", ctypes.c_int64), ("dimension", ctypes.c_int32)]


class Argument(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("number", ctypes.c_double), ("text", ctypes.c_char_p), ("image", ctypes.c_uint64),
                ("array", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class Info(ctypes.Structure):
    _fields_ = [("shape", Shape), ("type", ctypes.c_int), ("bytes", ctypes.c_uint64)]


NUMBER, IMAGE = 1, 3
TYPES = {1: numpy.uint8, 2: numpy.int8, 3: numpy.uint16, 4: numpy.int16, 5: numpy.uint32, 6: numpy.int32, 7: numpy.float32}


class Drua:
    name = "drua"

    def __init__(self, library):
        self.engine = ctypes.CDLL(library)
        self.engine.drua_error_message.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        self.check(self.engine.drua_open(None, ctypes.byref(self.context)))

    def check(self, status):
        if status:
            raise RuntimeError(self.engine.drua_error_message().decode())

    def push(self, pixels):
        depth, height, width = pixels.shape
        handle = ctypes.c_uint64()
        self.check(self.engine.drua_push(self.context, Shape(width, height, depth, 3), ctypes.c_int(7), pixels.ctypes.data_as(ctypes.c_void_p),
                                         ctypes.byref(handle)))
        return handle.value

    def run(self, work, image):
        operation, numbers = work.drua
        arguments = (Argument * (2 + len(numbers)))()
        arguments[0].kind, arguments[0].image = IMAGE, image
        for i, number in enumerate(numbers):
            arguments[2 + i].kind, arguments[2 + i].number = NUMBER, number
        self.check(self.engine.drua_invoke(self.context, operation.encode(), arguments, ctypes.c_size_t(len(arguments)), None))
        self.check(self.engine.drua_sync(self.context))
        return arguments[1].image

    def pull(self, image):
        info = Info()
        self.check(self.engine.drua_get_info(self.context, ctypes.c_uint64(image), ctypes.byref(info)))
        pixels = numpy.empty((info.shape.depth, info.shape.height, info.shape.width), TYPES[info.type])
        self.check(self.engine.drua_pull(self.context, ctypes.c_uint64(image), pixels.ctypes.data_as(ctypes.c_void_p)))
        return pixels

    def release(self, image):
        self.check(self.engine.drua_release(self.context, ctypes.c_uint64(image)))

    def copy_rate(self, size):
        rate = ctypes.c_double()
        self.check(self.engine.drua_measure_copy(self.context, ctypes.c_uint64(size), ctypes.byref(rate)))
        return rate.value


class Clesperanto:
    name = "pyclesperanto"

    def __init__(self):
        import pyclesperanto
        self.module = pyclesperanto
        pyclesperanto.wait_for_kernel_to_finish(True)

    def push(self, pixels):
        return self.module.push(pixels)

    def run(self, work, image):
        return work.clesperanto and work.clesperanto(self.module, image)

    def pull(self, image):
        return numpy.asarray(self.module.pull(image)).reshape(image.shape)

    def release(self, image):
        pass


class Scipy:
    name = "scipy"

    def __init__(self):
        import scipy.ndimage
        self.module, self.numpy = scipy.ndimage, numpy

    def push(self, pixels):
        return pixels

    def run(self, work, image):
        return work.scipy and work.scipy(self.module, self.numpy, image)

    def pull(self, image):
        return image

    def release(self, image):
        pass


class Cupy(Scipy):
    name = "cupy"

    def __init__(self):
        import cupy
        import cupyx.scipy.ndimage
        self.module, self.numpy = cupyx.scipy.ndimage, cupy

    def push(self, pixels):
        return self.numpy.asarray(pixels)

    def run(self, work, image):
        result = super().run(work, image)
        self.numpy.cuda.Device().synchronize()
        return result

    def pull(self, image):
        return self.numpy.asnumpy(image)


class Work:
    def __init__(self, name, drua, clesperanto, scipy, tolerance, on_mask=False):
        self.name, self.drua, self.clesperanto, self.scipy, self.tolerance, self.on_mask = name, drua, clesperanto, scipy, tolerance, on_mask


def ball(module, radius):
    z, y, x = module.mgrid[-radius:radius + 1, -radius:radius + 1, -radius:radius + 1]
    return x * x + y * y + z * z <= radius * radius


def hat(n, image, radius):
    size = 2 * radius + 1
    return image - n.maximum_filter(n.minimum_filter(image, size, mode="nearest"), size, mode="nearest")


def components(n, m, image):
    return n.label(image, m.ones((3, 3, 3)))[0]


# tolerance: of the largest value of Drua's result; 0: the same numbers
WORKS = [
    Work("gaussian sigma 2", ("gaussian_blur", (2, 2, 2)), lambda c, i: c.gaussian_blur(i, sigma_x=2, sigma_y=2, sigma_z=2),
         lambda n, m, i: n.gaussian_filter(i, 2, mode="nearest"), 1e-5),
    Work("gaussian sigma 10", ("gaussian_blur", (10, 10, 10)), lambda c, i: c.gaussian_blur(i, sigma_x=10, sigma_y=10, sigma_z=10),
         lambda n, m, i: n.gaussian_filter(i, 10, mode="nearest"), 2e-5),
    Work("difference of gaussian 1,3", ("difference_of_gaussian", (1, 1, 1, 3, 3, 3)),
         lambda c, i: c.difference_of_gaussian(i, sigma1_x=1, sigma1_y=1, sigma1_z=1, sigma2_x=3, sigma2_y=3, sigma2_z=3),
         lambda n, m, i: n.gaussian_filter(i, 1, mode="nearest") - n.gaussian_filter(i, 3, mode="nearest"), 2e-5),
    Work("mean box r3", ("mean_box", (3, 3, 3)), lambda c, i: c.mean_box(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.uniform_filter(i, 7, mode="nearest"), 1e-5),
    Work("maximum box r3", ("maximum_box", (3, 3, 3)), lambda c, i: c.maximum_box(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.maximum_filter(i, 7, mode="nearest"), 0),
    Work("top hat box r5", ("top_hat_box", (5, 5, 5)), lambda c, i: c.top_hat_box(i, radius_x=5, radius_y=5, radius_z=5),
         lambda n, m, i: hat(n, i, 5), 0),
    Work("maximum sphere r3", ("maximum_sphere", (3, 3, 3)), lambda c, i: c.maximum_sphere(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.maximum_filter(i, footprint=ball(m, 3), mode="nearest"), 0),
    Work("median box r1", ("median_box", (1, 1, 1)), lambda c, i: c.median_box(i, radius_x=1, radius_y=1, radius_z=1),
         lambda n, m, i: n.median_filter(i, 3, mode="nearest"), 0),
    Work("median box r2", ("median_box", (2, 2, 2)), lambda c, i: c.median_box(i, radius_x=2, radius_y=2, radius_z=2),
         lambda n, m, i: n.median_filter(i, 5, mode="nearest"), 0),
    Work("sobel", ("sobel", (0,)), lambda c, i: c.sobel(i),
         lambda n, m, i: m.sqrt(sum(n.sobel(i, axis, mode="nearest") ** 2 for axis in range(3))), 1e-5),
    Work("maximum z projection", ("maximum_z_projection", ()), lambda c, i: c.maximum_z_projection(i), lambda n, m, i: i.max(0)[None], 0),
    Work("median z projection", ("median_z_projection", ()), None, lambda n, m, i: m.sort(i, 0)[len(i) // 2][None], 0),
    Work("transpose xz", ("transpose_xz", ()), lambda c, i: c.transpose_xz(i), lambda n, m, i: m.ascontiguousarray(i.transpose(2, 1, 0)), 0),
    Work("connected components box", ("connected_components_box", ()), lambda c, i: c.connected_components_labeling(i, connectivity="box"),
         components, 0, on_mask=True),
]


def pixels_of(depth, size):
    z, y, x = numpy.ogrid[:depth, :size, :size]
    balls = (z % 30 - 15) ** 2 + (y % 30 - 15) ** 2 + (x % 30 - 15) ** 2 < 81
    noise = numpy.random.default_rng(1).random((depth, size, size), numpy.float32)
    return (100 * balls + 16 * noise).astype(numpy.float32), balls.astype(numpy.float32)


def measure(peer, work, image, runs):
    """Milliseconds and pixels, or None where the peer lacks the work."""
    result = peer.run(work, image)
    if result is None:
        return None
    pixels = peer.pull(result)
    peer.release(result)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        result = peer.run(work, image)
        times.append(1e3 * (time.perf_counter() - start))
        peer.release(result)
    return statistics.median(times), pixels


def difference(expected, found):
    """Largest difference as a part of the largest value."""
    expected, found = expected.squeeze(), numpy.asarray(found).squeeze()
    if expected.shape != found.shape:
        return float("inf")
    largest = float(numpy.abs(expected.astype(numpy.float64)).max()) or 1.0
    return float(numpy.abs(expected.astype(numpy.float64) - found).max()) / largest


def peers_here():
    for peer in (Clesperanto, Cupy, Scipy):
        try:
            yield peer()
        except Exception as reason:     # not installed, or no device for it
            print(f"# without {peer.name}: {reason}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", default="build/native/lib/libdrua.so")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--depth", type=int, default=512)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="", help="part of the names of works")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)     # pyclesperanto renames its functions
    drua, peers = Drua(options.library), list(peers_here())
    pixels = pixels_of(options.depth, options.size)
    print(f"# copy rate of this run: {drua.copy_rate(pixels[0].nbytes) / 1e9:.0f} GB/s; {options.size} x {options.size} x {options.depth}, float32")
    print("\t".join(["work", "drua_ms"] + [f"{peer.name}_ms\tdifference" for peer in peers]))
    images = {peer: [peer.push(p) for p in pixels] for peer in [drua] + peers}
    wrong = 0
    for work in WORKS:
        if options.only not in work.name:
            continue
        try:
            own, expected = measure(drua, work, images[drua][work.on_mask], options.runs)
        except RuntimeError as reason:
            print(f"{work.name}\t{reason}")
            wrong += 1
            continue
        line = [work.name, f"{own:.3f}"]
        for peer in peers:
            try:
                found = measure(peer, work, images[peer][work.on_mask], options.runs)
            except Exception as reason:     # a peer that fails is a result, too
                line.append(f"failed: {reason}\t")
                continue
            if not found:
                line.append("\t")
                continue
            off = difference(expected, found[1])
            wrong += off > work.tolerance
            line.append(f"{found[0]:.3f}\t{off:.2g}{' DIFFERS' if off > work.tolerance else ''}")
        print("\t".join(line), flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
