# SPDX-License-Identifier: BSD-3-Clause
"""The same work by Drua, pyclesperanto, CuPy and SciPy, on the same pixels in the same run.

Works have the names of `drua bench peers`.

python3 peers.py [--library build/native/lib/libdrua.so] [--size 512] [--depth 512] [--runs 9] [--only NAME]

Needs NumPy; each peer takes part if it is installed. Pixels are where the library computes before a clock starts; a time is
that of a call until its result is there, the median of the runs after one that is not counted. Ends with 1 if a result
differs from Drua's by more than the work's tolerance.
"""

import argparse
import statistics
import sys
import time
import warnings

import numpy

import engine

TYPES = {1: numpy.uint8, 2: numpy.int8, 3: numpy.uint16, 4: numpy.int16, 5: numpy.uint32, 6: numpy.int32, 7: numpy.float32}


class Drua(engine.Engine):
    name = "drua"

    def push(self, pixels):
        depth, height, width = pixels.shape
        return super().push((width, height, depth), pixels.ctypes.data)

    def run(self, work, image):
        operation, numbers = work.drua
        made = self.invoke(operation, image, numbers)
        self.sync()
        return made

    def pull(self, image):
        (width, height, depth), kind = self.extent(image)
        pixels = numpy.empty((depth, height, width), TYPES[kind])
        super().pull(image, pixels.ctypes.data)
        return pixels


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


GREY, MASK, LABELS = range(3)     # what a work is done on


class Work:
    def __init__(self, name, drua, clesperanto, scipy, tolerance, on=GREY):
        self.name, self.drua, self.clesperanto, self.scipy, self.tolerance, self.on = name, drua, clesperanto, scipy, tolerance, on


def ball(module, radius):
    z, y, x = module.mgrid[-radius:radius + 1, -radius:radius + 1, -radius:radius + 1]
    return x * x + y * y + z * z <= radius * radius


def hat(n, image, radius):
    size = 2 * radius + 1
    return image - n.maximum_filter(n.minimum_filter(image, size, mode="nearest"), size, mode="nearest")


def components(n, m, image):
    return n.label(image, m.ones((3, 3, 3)))[0]


def inner(n, m, image):
    """Labels that touch no side; numbers above those that go become smaller by as many."""
    sides = [(slice(None),) * axis + (side,) for axis in range(3) for side in (0, -1)]
    gone = m.unique(m.concatenate([image[side].ravel() for side in sides]))
    return m.where(m.isin(image, gone), 0, image - m.searchsorted(gone[gone > 0], image))


def by_first_pixel(n, m, image):
    labels, first, inverse = m.unique(image, return_index=True, return_inverse=True)
    rank = m.argsort(m.argsort(m.where(labels == 0, -1, first)))
    return rank[inverse].reshape(image.shape) + (labels[0] > 0)


# tolerance: of the largest value of Drua's result; 0: the same numbers
WORKS = [
    Work("add scalar", ("add_image_and_scalar", (1,)), lambda c, i: c.add_image_and_scalar(i, scalar=1), lambda n, m, i: i + 1, 0),
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
         components, 0, on=MASK),
    Work("exclude labels on edges", ("exclude_labels_on_edges", ()), lambda c, i: c.remove_labels_on_edges(i), inner, 0, on=LABELS),
    # pyclesperanto keeps the order of the numbers; CLIJ2 and Drua number by the first pixel
    Work("relabel sequential", ("close_index_gaps_in_label_map", ()), None, by_first_pixel, 0, on=LABELS),
    Work("dilate labels r2", ("dilate_labels", (2,)), lambda c, i: c.dilate_labels(i, radius=2), None, 0, on=LABELS),
]


def pixels_of(depth, size):
    z, y, x = (axis + 20 for axis in numpy.ogrid[:depth, :size, :size])      # some balls lie at the sides
    balls = (z % 30 - 15) ** 2 + (y % 30 - 15) ** 2 + (x % 30 - 15) ** 2 < 81
    noise = numpy.random.default_rng(1).random((depth, size, size), numpy.float32)
    cells = 1 + z // 30 * 1000003 % 1009 + 2 * (y // 30 * (2 + size // 30) + x // 30)     # gaps between the numbers
    return tuple(p.astype(numpy.float32) for p in (100 * balls + 16 * noise, balls, cells * balls))


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
            own, expected = measure(drua, work, images[drua][work.on], options.runs)
        except RuntimeError as reason:
            print(f"{work.name}\t{reason}")
            wrong += 1
            continue
        line = [work.name, f"{own:.3f}"]
        for peer in peers:
            try:
                found = measure(peer, work, images[peer][work.on], options.runs)
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
