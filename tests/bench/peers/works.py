# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of `drua-bench peers`, and their equivalents in pyclesperanto, CuPy and SciPy.

python3 works.py BENCH_PEERS.C checks that each task there exists here with the same operation and arguments.

A function for CuPy and SciPy gets cupyx.scipy.ndimage or scipy.ndimage, then cupy or numpy, then images. If these
libraries lack an operation, the function computes its definition in few calls. This checks the result; the time only
shows how fast such calls can be.
"""

import math
import re
import sys


def argument(word):
    """A number, a text, or None for a result. Arguments marked with z in bench_peers.c keep their values."""
    try:
        return float(word.lstrip("z"))
    except ValueError:
        return None if word in "&=" else word


class Work:
    def __init__(self, name, drua, clesperanto, scipy, tolerance, choice=False):
        """
        tolerance: a share of the largest value of Drua's result or column; 0: the same numbers. For a choice between
        slices or labels, which rounding decides where they are nearly equal, it is a share of the pixels.
        """
        self.name, self.drua, self.clesperanto, self.scipy = name, drua, clesperanto, scipy
        self.tolerance, self.choice = tolerance, choice
        self.operation, *words = drua.split()
        self.arguments = [argument(word) for word in words]

    def sources(self, images):
        return [images[name] for name in self.arguments if name in images]


def ball(m, radius):
    z, y, x = m.mgrid[-radius:radius + 1, -radius:radius + 1, -radius:radius + 1]
    return x * x + y * y + z * z <= radius * radius


def hat(n, image, radius):
    size = 2 * radius + 1
    return image - n.maximum_filter(n.minimum_filter(image, size, mode="nearest"), size, mode="nearest")


def along(n, m, image, axis, weights):
    return n.correlate1d(image, m.asarray(weights), axis, mode="nearest")


def sharpest(n, m, image, sharpness):
    """Each pixel from the slice where the smoothed measure is largest."""
    return m.take_along_axis(image, n.gaussian_filter(sharpness, (0, 5, 5), mode="nearest").argmax(0)[None], 0)


def variance(n, m, image):
    """Variance in a disk of radius 10 in the slice."""
    disk = ball(m, 10)[10:11].astype(image.dtype)
    mean, square = (n.convolve(values, disk / disk.sum(), mode="nearest") for values in (image, image * image))
    return square - mean * mean


def gradient(n, m, image):
    """The gradient's length in the slice."""
    return m.hypot(*(along(n, m, along(n, m, image, axis, [-1, 0, 1]), 3 - axis, [1, 2, 1]) for axis in (1, 2)))


def histogram(m, image, low, high):
    bins = (image - low) * 255 * (1 / (high - low))
    return m.bincount(bins.astype(m.int32).ravel(), minlength=256)


def otsu(m, image):
    low, high = image.min(), image.max()
    counts = histogram(m, image, low, high)
    below, first = m.cumsum(counts), m.cumsum(counts * m.arange(256))
    between = (below / below[-1] * first[-1] - first) ** 2 / m.maximum(below * (below[-1] - below), 1)
    threshold = m.argmax(between[1:-1]) + 1     # never the first or last bin
    return image >= low + ((threshold + 1) / 255).astype(image.dtype) * (high - low)


def rotation(x, y, z):
    """The matrix of rotations about x, then y, then z."""
    (cx, sx), (cy, sy), (cz, sz) = ((math.cos(angle), math.sin(angle)) for angle in map(math.radians, (x, y, z)))
    return [[cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx]]


def about(middle, matrix):
    """The matrix's rows, each with the offset that keeps the middle in place."""
    return [[*row, place - sum(a * b for a, b in zip(row, middle))] for row, place in zip(matrix, middle)]


def rotate(n, m, image):
    """Rotates; the matrix is in z, y, x and maps the result to the source."""
    rows = about([extent // 2 - 0.5 for extent in image.shape], [row[::-1] for row in rotation(-10, -20, -30)[::-1]])
    return n.affine_transform(image, m.asarray(rows), order=1, mode="grid-constant")


def halve(n, m, image):
    return n.affine_transform(image, m.asarray([2.0, 2.0, 2.0]), [0.5 - extent // 2 for extent in image.shape], order=1,
                              mode="grid-constant")


def clesperanto_affine(c, image, matrix):
    """The matrix in x, y, z from source to result.

    pyclesperanto's rotate turns about z first, and its scale uses another middle for odd extents.
    """
    rows = about([extent // 2 for extent in image.shape[::-1]], matrix)
    return c.transform.affine_transform(image, transform_matrix=[*sum(rows, []), 0, 0, 0, 1], interpolate=True)


def components(n, m, image):
    return n.label(image, m.ones((3, 3, 3)))[0]


def inner(n, m, labels):
    """Removes labels that touch a side, and renumbers the others without gaps in order."""
    sides = [(slice(None),) * axis + (side,) for axis in range(3) for side in (0, -1)]
    gone = m.unique(m.concatenate([labels[side].ravel() for side in sides]))
    return m.where(m.isin(labels, gone), 0, labels - m.searchsorted(gone[gone > 0], labels))


def by_first_pixel(n, m, image):
    labels, first, inverse = m.unique(image, return_index=True, return_inverse=True)
    rank = m.argsort(m.argsort(m.where(labels == 0, -1, first)))
    return rank[inverse].reshape(image.shape) + (labels[0] > 0)


def neighbours(n, step):
    """All neighbours and side neighbours, alternating."""
    return n.generate_binary_structure(3, 1 if step % 2 else 3)


def grown(n, m, labels, step, where):
    largest = n.maximum_filter(labels, footprint=neighbours(n, step), mode="nearest")
    return m.where((labels == 0) & where, largest, labels)


def dilate(n, m, labels, steps):
    for step in range(steps):
        labels = grown(n, m, labels, step, True)
    return labels


def voronoi_otsu(n, m, image):
    smooth, mask = n.gaussian_filter(image, 5, mode="nearest"), otsu(m, n.gaussian_filter(image, 2, mode="nearest"))
    labels, before = components(n, m, mask & (smooth == n.maximum_filter(smooth, 3, mode="nearest"))), None
    while before is None or (labels != before).any():
        before = labels
        labels = grown(n, m, grown(n, m, labels, 0, mask), 1, mask)
    return labels


def octagonal_distance(n, m, mask):
    """One plus the number of erosions that a pixel survives."""
    inside, distance, step = mask > 0, m.zeros(mask.shape, m.int32), 1
    while inside.any():
        distance += inside
        inside = n.binary_erosion(inside, neighbours(n, step), border_value=1)
        step += 1
    return distance


def pixel_count(n, m, labels):
    counts = m.bincount(labels.ravel())
    counts[0] = 0
    return counts[labels]


def mean_of_labels(n, m, image, labels):
    inside = labels > 0
    sums, counts = m.bincount(labels[inside], image[inside]), m.bincount(labels[inside])
    return (sums / m.maximum(counts, 1)).astype(image.dtype)[labels]


def touching(n, m, labels):
    """The number of labels that share a side with each label; a pair counts for both."""
    size, pairs = int(labels.max()) + 1, []
    for axis in range(3):
        lines = m.moveaxis(labels, axis, 0)
        first, second = lines[:-1], lines[1:]
        meet = (first != second) & (first > 0) & (second > 0)
        pairs += [size * first[meet] + second[meet], size * second[meet] + first[meet]]
    return m.bincount(m.unique(m.concatenate(pairs)) // size, minlength=size)[labels]


def statistics_of_labels(n, m, image, labels):
    inside = labels > 0
    index, values = labels[inside], image[inside]
    counts = m.bincount(index)
    present = counts > 0
    counts = counts[present]
    low, high = m.full(present.shape, m.inf, image.dtype), m.full(present.shape, -m.inf, image.dtype)
    m.minimum.at(low, index, values)
    m.maximum.at(high, index, values)

    def mean(weights):
        return m.bincount(index, weights)[present] / counts

    means = mean(values)
    columns = {"PIXEL_COUNT": counts, "MINIMUM_INTENSITY": low[present], "MAXIMUM_INTENSITY": high[present],
               "MEAN_INTENSITY": means, "SUM_INTENSITY": means * counts,
               "STANDARD_DEVIATION_INTENSITY": m.sqrt(mean(values.astype(float) ** 2) - means ** 2)}
    for axis, positions in zip("ZYX", m.nonzero(inside)):
        columns["CENTROID_" + axis] = mean(positions)
        columns["MASS_CENTER_" + axis] = mean(positions * values) / means
    return columns


def statistics_of_image(n, m, image):
    z, y, x = n.center_of_mass(image)
    return {"PIXEL_COUNT": image.size, "MINIMUM_INTENSITY": image.min(), "MAXIMUM_INTENSITY": image.max(),
            "MEAN_INTENSITY": image.mean(),
            "SUM_INTENSITY": image.sum(), "STANDARD_DEVIATION_INTENSITY": image.std(),
            "MASS_CENTER_X": x, "MASS_CENTER_Y": y, "MASS_CENTER_Z": z}


# pyclesperanto's and CLIJ2's names, where they differ
HEADINGS = [("BBOX_MIN", "BOUNDING_BOX"), ("BBOX_MAX", "BOUNDING_BOX_END"), ("BBOX", "BOUNDING_BOX"),
            ("AREA", "PIXEL_COUNT"),
            ("MIN_INTENSITY", "MINIMUM_INTENSITY"), ("MAX_INTENSITY", "MAXIMUM_INTENSITY"), ("MEAN_MAX", "MAX_MEAN")]


def clesperanto_statistics(c, *images):
    columns = {}
    for heading, column in c.statistics_of_labelled_pixels(*images).items():
        heading = heading.upper()
        for theirs, ours in HEADINGS:
            heading = heading.replace(theirs, ours)
        columns[heading] = column
    return columns


# None: the library lacks the operation, or its operation differs. pyclesperanto halves gradients inside an image,
# rounds to the nearest bin of a histogram (also for thresholds), and keeps the order of labels when it closes gaps
# between their numbers.
WORKS = [
    Work("add scalar", "add_image_and_scalar grey & 1", lambda c, i: c.add_image_and_scalar(i, scalar=1),
         lambda n, m, i: i + 1, 0),
    Work("gradient x", "gradient_x grey &", None, lambda n, m, i: along(n, m, i, 2, [-1, 0, 1]), 0),
    Work("gaussian sigma 2", "gaussian_blur grey & 2 2 z2",
         lambda c, i: c.gaussian_blur(i, sigma_x=2, sigma_y=2, sigma_z=2),
         lambda n, m, i: n.gaussian_filter(i, 2, mode="nearest"), 1e-5),
    Work("gaussian sigma 10", "gaussian_blur grey & 10 10 z10",
         lambda c, i: c.gaussian_blur(i, sigma_x=10, sigma_y=10, sigma_z=10),
         lambda n, m, i: n.gaussian_filter(i, 10, mode="nearest"), 2e-5),
    Work("difference of gaussian 1,3", "difference_of_gaussian grey & 1 1 z1 3 3 z3",
         lambda c, i: c.difference_of_gaussian(i, sigma1_x=1, sigma1_y=1, sigma1_z=1, sigma2_x=3, sigma2_y=3,
                                               sigma2_z=3),
         lambda n, m, i: n.gaussian_filter(i, 1, mode="nearest") - n.gaussian_filter(i, 3, mode="nearest"), 2e-5),
    Work("mean box r3", "mean_box grey & 3 3 z3", lambda c, i: c.mean_box(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.uniform_filter(i, 7, mode="nearest"), 1e-5),
    Work("maximum box r3", "maximum_box grey & 3 3 z3",
         lambda c, i: c.maximum_box(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.maximum_filter(i, 7, mode="nearest"), 0),
    Work("top hat box r5", "top_hat_box grey & 5 5 z5",
         lambda c, i: c.top_hat_box(i, radius_x=5, radius_y=5, radius_z=5),
         lambda n, m, i: hat(n, i, 5), 0),
    Work("maximum sphere r3", "maximum_sphere grey & 3 3 z3",
         lambda c, i: c.maximum_sphere(i, radius_x=3, radius_y=3, radius_z=3),
         lambda n, m, i: n.maximum_filter(i, footprint=ball(m, 3), mode="nearest"), 0),
    Work("maximum sphere r10", "maximum_sphere grey & 10 10 z10",
         lambda c, i: c.maximum_sphere(i, radius_x=10, radius_y=10, radius_z=10),
         lambda n, m, i: n.maximum_filter(i, footprint=ball(m, 10), mode="nearest"), 0),
    Work("sobel", "sobel grey &", lambda c, i: c.sobel(i),
         lambda n, m, i: m.sqrt(sum(n.sobel(i, axis, mode="nearest") ** 2 for axis in range(3))), 1e-5),
    Work("laplace box", "laplace_box grey &", lambda c, i: c.laplace_box(i),
         lambda n, m, i: 27 * (i - n.uniform_filter(i, 3, mode="nearest")), 1e-6),
    Work("median box r1", "median_box grey & 1 1 z1", lambda c, i: c.median_box(i, radius_x=1, radius_y=1, radius_z=1),
         lambda n, m, i: n.median_filter(i, 3, mode="nearest"), 0),
    Work("median box r2", "median_box grey & 2 2 z2", lambda c, i: c.median_box(i, radius_x=2, radius_y=2, radius_z=2),
         lambda n, m, i: n.median_filter(i, 5, mode="nearest"), 0),
    Work("median sphere r2", "median_sphere grey & 2 2 z2",
         lambda c, i: c.median_sphere(i, radius_x=2, radius_y=2, radius_z=2),
         lambda n, m, i: n.median_filter(i, footprint=ball(m, 2), mode="nearest"), 0),
    Work("binary erode box r1", "erode_box mask &", lambda c, i: c.erode_box(i),
         lambda n, m, i: n.binary_erosion(i, m.ones((3, 3, 3)), border_value=1), 0),
    Work("maximum of all pixels", "maximum_of_all_pixels grey =", lambda c, i: c.maximum_of_all_pixels(i),
         lambda n, m, i: float(i.max()), 0),
    Work("mean of all pixels", "mean_of_all_pixels grey =", lambda c, i: c.mean_of_all_pixels(i),
         lambda n, m, i: float(i.mean()), 1e-6),
    Work("sum of all pixels", "sum_of_all_pixels grey =", lambda c, i: c.sum_of_all_pixels(i),
         lambda n, m, i: float(i.sum()), 1e-6),
    Work("statistics of image", "statistics_of_image grey", clesperanto_statistics, statistics_of_image, 1e-5),
    Work("histogram 256, range given", "histogram grey & 256 0 256 0", None, lambda n, m, i: histogram(m, i, 0, 256),
         0),
    Work("histogram 256, range found", "histogram grey & 256 0 0 1", None,
         lambda n, m, i: histogram(m, i, i.min(), i.max()), 0),
    Work("threshold Otsu", "automatic_threshold grey & Otsu", None, lambda n, m, i: otsu(m, i).astype(i.dtype), 0),
    Work("threshold Otsu, bytes", "automatic_threshold grey bytes Otsu", None, lambda n, m, i: otsu(m, i), 0),
    Work("transpose xz", "transpose_xz grey &", lambda c, i: c.transpose_xz(i),
         lambda n, m, i: m.ascontiguousarray(i.transpose(2, 1, 0)), 0),
    Work("maximum z projection", "maximum_z_projection grey &", lambda c, i: c.maximum_z_projection(i),
         lambda n, m, i: i.max(0)[None], 0),
    Work("mean z projection", "mean_z_projection grey &", lambda c, i: c.mean_z_projection(i),
         lambda n, m, i: i.mean(0)[None], 3e-6),
    Work("median z projection", "median_z_projection grey &", None, lambda n, m, i: m.sort(i, 0)[len(i) // 2][None], 0),
    Work("EDF variance r10 sigma5", "extended_depth_of_focus_variance_projection grey & 10 10 5",
         lambda c, i: c.extended_depth_of_focus_variance_projection(i, radius_x=10, radius_y=10, sigma=5),
         lambda n, m, i: sharpest(n, m, i, variance(n, m, i)), 3e-4, choice=True),
    Work("EDF sobel sigma5", "extended_depth_of_focus_sobel_projection grey & 5",
         lambda c, i: c.extended_depth_of_focus_sobel_projection(i, sigma=5),
         lambda n, m, i: sharpest(n, m, i, gradient(n, m, i)), 3e-4, choice=True),
    # pyclesperanto and CuPy use float32 positions
    Work("rotate 10,20,30 deg linear", "rotate grey & 10 20 30 1",
         lambda c, i: clesperanto_affine(c, i, list(zip(*rotation(-10, -20, -30)))),
         rotate, 3e-4),
    Work("translate 1.5,2.5,3.5 linear", "translate grey & 1.5 2.5 z3.5",
         lambda c, i: c.translate(i, translate_x=-1.5, translate_y=-2.5, translate_z=-3.5, interpolate=True),
         lambda n, m, i: n.shift(i, (-3.5, -2.5, -1.5), order=1, mode="grid-constant"), 3e-5),
    Work("scale 0.5 linear", "scale grey & 0.5 0.5 0.5",
         lambda c, i: clesperanto_affine(c, i, [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]]),
         halve, 3e-5),
    Work("connected components box", "connected_components_box mask &",
         lambda c, i: c.connected_components_labeling(i, connectivity="box"),
         components, 0),
    Work("connected components box, noise", "connected_components_box noise &",
         lambda c, i: c.connected_components_labeling(i, connectivity="box"),
         components, 0),
    Work("exclude labels on edges", "exclude_labels_on_edges labels &", lambda c, i: c.remove_labels_on_edges(i), inner,
         0),
    Work("relabel sequential", "close_index_gaps_in_label_map labels &", None, by_first_pixel, 0),
    Work("label pixel count map", "pixel_count_map labels &", lambda c, i: c.pixel_count_map(i), pixel_count, 0),
    Work("dilate labels r2", "dilate_labels labels & 2", lambda c, i: c.dilate_labels(i, radius=2),
         lambda n, m, i: dilate(n, m, i, 2), 0),
    Work("voronoi otsu labeling 5,2", "voronoi_otsu_labeling grey & 5 2", None, voronoi_otsu, 1e-5, choice=True),
    Work("mean per label map", "mean_intensity_map grey labels &", lambda c, i, labels: c.mean_intensity_map(i, labels),
         mean_of_labels, 1e-6),
    # pyclesperanto computes distances from float32 centres
    Work("statistics of labelled pixels", "statistics_of_labelled_pixels grey labels", clesperanto_statistics,
         statistics_of_labels, 3e-5),
    Work("touching neighbor count map", "touching_neighbor_count_map labels &",
         lambda c, i: c.touching_neighbor_count_map(i), touching, 0),
    Work("distance map, balls", "distance_map mask &", None, octagonal_distance, 0),
    Work("distance map, one pixel 0", "distance_map full &", None, octagonal_distance, 0),
]


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        timed = re.findall(r'\{"([^"]+)",\s*"([^"]+)",\s*"([^"]+)"\}', source.read())
    here = {work.name: work.drua for work in WORKS}
    assert timed
    for name, operation, arguments in timed:
        assert here.get(name) == f"{operation} {arguments}", \
            f"{name}: {operation} {arguments} there, {here.get(name)} here"


if __name__ == "__main__":
    main()
