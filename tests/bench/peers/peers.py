# SPDX-License-Identifier: BSD-3-Clause
"""The same tasks by Drua, pyclesperanto, CuPy and SciPy, on the same pixels in the same run.

The tasks are those of `drua-bench peers`, defined in works.py.

python3 peers.py [--library build/lib/libdrua.so] [--size 512] [--depth 512] [--runs 9] [--only NAME]
                 [--peers cupy,scipy]

Needs NumPy; every other library takes part if it is installed. Pixels are in the library's memory before the clock
starts. A time is that of a call until its result is available: the median of the runs after one warm-up run, with fewer
runs for long tasks. All libraries compute on Drua's device, SciPy on the CPU; each column of times is followed by
its device. A difference is a share of the largest value of Drua's result; for slices and labels, the share of pixels
that differ. Exits with 1 if a difference exceeds the task's tolerance.
"""

import argparse
import statistics
import sys
import time
import warnings

import numpy

import engine
import works

TYPES = {1: numpy.uint8, 2: numpy.int8, 3: numpy.uint16, 4: numpy.int16, 5: numpy.uint32, 6: numpy.int32,
         7: numpy.float32}
PATIENCE = 1e4      # milliseconds after which no further run of a task starts


class Drua(engine.Engine):
    name = "drua"

    def push(self, name, pixels):
        kind = next(kind for kind, type in TYPES.items() if type == pixels.dtype)
        return super().push(pixels.shape[::-1], kind, pixels.ctypes.data)

    def run(self, work, images):
        values = [self.bytes_like(images["grey"]) if value == "bytes" else images.get(value, value)
                  for value in work.arguments]
        made = self.invoke(work.operation, *values)
        self.sync()
        return made

    def bytes_like(self, image):
        return self.create(self.extent(image)[0], engine.UINT8)

    def pull(self, result):
        if isinstance(result, engine.Table):
            return self.columns(result)
        if not isinstance(result, engine.Image):
            return result
        extent, kind = self.extent(result)
        pixels = numpy.empty(extent[::-1], TYPES[kind])
        super().pull(result, pixels.ctypes.data)
        return pixels


class Peer:
    device = "processor"

    def select(self, device):
        """Selects the device of that name, or raises an exception."""

    def run(self, work, images):
        function = getattr(work, self.function)
        return function and function(*self.modules, *work.sources(images))

    def pull(self, result):
        if isinstance(result, dict):
            return {heading: self.array(column) for heading, column in result.items()}
        return self.array(result)

    def release(self, result):
        pass


class Clesperanto(Peer):
    name, function = "pyclesperanto", "clesperanto"

    def __init__(self):
        import pyclesperanto
        self.modules = pyclesperanto,
        self.array = pyclesperanto.pull
        pyclesperanto.list_available_devices()      # a driver may serve only a process's first library
        pyclesperanto.wait_for_kernel_to_finish(True)

    def select(self, device):
        # a name would select the first device that contains it
        self.modules[0].select_device(engine.place_of(device, self.modules[0].list_available_devices()))
        self.device = self.modules[0].get_device().name
        if self.device != device:
            raise RuntimeError(f"it took {self.device} instead of {device}")

    def push(self, name, pixels):
        return self.modules[0].push(pixels)


class Scipy(Peer):
    name, function = "scipy", "scipy"

    def __init__(self):
        import scipy.ndimage
        self.modules = scipy.ndimage, numpy
        self.array = numpy.asarray

    def push(self, name, pixels):
        return pixels.astype(numpy.int32) if name == "labels" else pixels      # those libraries use them as indices


class Cupy(Scipy):
    name = "cupy"

    def __init__(self):
        import cupy
        import cupyx.scipy.ndimage
        self.modules = cupyx.scipy.ndimage, cupy
        self.array = cupy.asnumpy

    def select(self, device):
        cuda = self.modules[1].cuda
        names = [cuda.runtime.getDeviceProperties(number)["name"].decode()
                 for number in range(cuda.runtime.getDeviceCount())]
        cuda.Device(engine.place_of(device, names)).use()
        self.device = device

    def push(self, name, pixels):
        return self.modules[1].asarray(super().push(name, pixels))

    def run(self, work, images):
        result = super().run(work, images)
        self.modules[1].cuda.Device().synchronize()
        return result


def pixels_of(depth, size):
    """Balls: one row touches, and some lie at the sides. Labels have gaps and decrease along z, y, x."""
    z, y, x = (axis + 20 for axis in numpy.ogrid[:depth, :size, :size])
    balls = (z % 30 - 15) ** 2 + (y % 30 - 15) ** 2 + (x % 30 - 15) ** 2 < numpy.where(y // 30 == 1, 240, 81)
    noise = numpy.random.default_rng(1).random((depth, size, size), numpy.float32)
    row, layers = 2 + size // 30, 2 + depth // 30
    labels = (layers * row * row - (z // 30 * row + y // 30) * row - x // 30) * 5 // 4
    full = numpy.ones(noise.shape, numpy.uint8)
    full[0, 0, 0] = 0
    return {"grey": numpy.float32(100) * balls + 16 * noise, "mask": balls.astype(numpy.uint8),
            "labels": (labels * balls).astype(numpy.float32),
            "noise": (noise < 0.5).astype(numpy.uint8), "full": full}


def measure(peer, work, images, runs):
    """Returns milliseconds and the result, or None if the library lacks the task."""
    result = peer.run(work, images)
    if result is None:
        return None
    made = peer.pull(result)
    peer.release(result)
    times = []
    while len(times) < runs and sum(times) < PATIENCE:
        start = time.perf_counter()
        result = peer.run(work, images)
        times.append(1e3 * (time.perf_counter() - start))
        peer.release(result)
    return statistics.median(times), made


def difference(expected, found, choice):
    if isinstance(expected, dict):      # rows of labels, without labels that have no pixels
        expected, found = ({heading: numpy.asarray(column)[numpy.asarray(table["PIXEL_COUNT"]) > 0]
                            for heading, column in table.items()}
                           for table in (expected, found))
        return numpy.max([difference(expected[heading], found[heading], choice)
                          for heading in expected.keys() & found.keys()])
    expected, found = (numpy.asarray(result, numpy.float64).squeeze() for result in (expected, found))
    if expected.shape != found.shape:
        return float("inf")
    if choice:
        return (expected != found).mean()
    known = ~(numpy.isnan(expected) & numpy.isnan(found))       # ratios to a distance of 0
    return numpy.abs(expected - found)[known].max() / (numpy.abs(expected)[known].max() or 1.0)


def make_if_possible(peer, action):
    try:
        return action()
    except Exception as reason:     # not installed, or not on that device
        print(f"# without {peer.name}: {reason}")
    return None


def open_all(library, names):
    """Opens Drua and the installed libraries on Drua's device."""
    made = [make_if_possible(peer, peer) for peer in (Clesperanto, Cupy, Scipy) if peer.name in names]
    drua = Drua(library)
    drua.device = drua.device_name()
    return drua, [peer for peer in made if peer and make_if_possible(peer, lambda: peer.select(drua.device) or True)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", default="build/lib/libdrua.so")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--depth", type=int, default=512)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--only", default="", help="part of the names of works")
    parser.add_argument("--peers", default="pyclesperanto,cupy,scipy", help="SciPy takes hours for large images")
    options = parser.parse_args()
    warnings.simplefilter("ignore", DeprecationWarning)     # pyclesperanto renames its functions
    drua, peers = open_all(options.library, options.peers.split(","))
    pixels = pixels_of(options.depth, options.size)
    print(f"# copy rate of this run: {drua.copy_rate(pixels['grey'].nbytes) / 1e9:.0f} GB/s; "
          f"{options.size} x {options.size} x {options.depth}, "
          "float32, masks of bytes")
    print("\t".join(["work", "drua_ms", "device"] + [f"{peer.name}_ms\tdevice\tdifference" for peer in peers]))
    images = {peer: {name: peer.push(name, p) for name, p in pixels.items()} for peer in [drua] + peers}
    wrong = 0
    for work in works.WORKS:
        if options.only not in work.name:
            continue
        try:
            own, expected = measure(drua, work, images[drua], options.runs)
        except RuntimeError as reason:
            print(f"{work.name}\t{reason}")
            wrong += 1
            continue
        line = [work.name, f"{own:.3f}", drua.device]
        for peer in peers:
            try:
                found = measure(peer, work, images[peer], options.runs)
            except Exception as reason:     # a failure is a result, too
                line.append(f"failed: {reason}\t{peer.device}\t")
                continue
            if not found:
                line.append(f"\t{peer.device}\t")
                continue
            off = difference(expected, found[1], work.choice)
            differs = not off <= work.tolerance     # true for NaN, too
            wrong += differs
            line.append(f"{found[0]:.3f}\t{peer.device}\t{off:.2g}{' DIFFERS' if differs else ''}")
        print("\t".join(line), flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
