# SPDX-License-Identifier: BSD-3-Clause
"""The pipelines of pipelines.ijm in pyclesperanto, from pixels in NumPy to a table in Python.

python3 pipelines.py [PART] [--device NAME]

PART: part of a row's name and size. As in pipelines.ijm, times are medians of 7 runs after 2, and the columns are the
same. The images come from another generator of random numbers, so values are close but not equal.
"""

import argparse
import statistics
import sys
import time

import numpy
import pyclesperanto as cle

FRAMES, TIMES = 100, 7


def segment(image):
    image = cle.push(image)
    deep = image.ndim > 2 and image.shape[0] > 1
    blurred = cle.gaussian_blur(image, sigma_x=2, sigma_y=2, sigma_z=2 * deep)
    objects = cle.remove_labels_on_edges(cle.connected_component_labeling(cle.threshold_otsu(blurred),
                                                                          connectivity="box"))
    table = cle.statistics_of_labelled_pixels(image, objects)
    return f"{len(table['label'])} {sum(table['area']):.0f}"


def background(image):
    image = cle.push(image)
    deep = image.ndim > 2 and image.shape[0] > 1
    flat = cle.top_hat(image, radius_x=15, radius_y=15, radius_z=15 * deep, connectivity="box")
    mask = cle.threshold_otsu(cle.gaussian_blur(flat, sigma_x=1, sigma_y=1, sigma_z=1 * deep))
    components = cle.connected_component_labeling(mask, connectivity="box")
    objects = cle.exclude_labels_outside_size_range(components, minimum_size=20, maximum_size=1000000)
    table = cle.statistics_of_background_and_labelled_pixels(image, objects)
    return f"{len(table['label'])} {sum(table['area']):.0f}"


def colocalisation(one, other):
    one, other = cle.push(one), cle.push(other)
    deep = one.ndim > 2 and one.shape[0] > 1
    masks = [cle.threshold_otsu(cle.gaussian_blur(image, sigma_x=1, sigma_y=1, sigma_z=1 * deep))
             for image in (one, other)]
    overlap = cle.sum_of_all_pixels(cle.binary_and(*masks))
    jaccard = cle.jaccard_index(*masks)
    inside = cle.sum_of_all_pixels(cle.multiply_images(other, masks[0])) / cle.sum_of_all_pixels(masks[0])
    objects = cle.connected_component_labeling(masks[0], connectivity="box")
    table = cle.statistics_of_labelled_pixels(other, objects)
    return f"{len(table['label'])} {overlap:.0f} {jaccard:.4f} {inside:.2f}"


def tracking(movie):
    movie, rows = cle.push(movie), []
    for frame in range(movie.shape[0]):
        image = cle.copy_slice(movie, slice_index=frame)
        spotty = cle.difference_of_gaussian(image, sigma1_x=1, sigma1_y=1, sigma1_z=0, sigma2_x=3, sigma2_y=3,
                                            sigma2_z=0)
        maxima = cle.detect_maxima(spotty, radius_x=2, radius_y=2, radius_z=0, connectivity="box")
        spots = cle.binary_and(maxima, cle.greater_constant(spotty, scalar=8))
        rows.append(cle.pull(cle.spots_to_pointlist(spots)).T)
    return f"{len(numpy.concatenate(rows))}"


def picture(width, height, depth, seed):
    """Round objects on an uneven background, with noise."""
    random = numpy.random.default_rng(seed)
    flat = depth in (1, FRAMES)
    smooth = cle.pull(cle.gaussian_blur(cle.push(random.random((depth, height, width), numpy.float32)), sigma_x=5,
                                        sigma_y=5, sigma_z=5 * (not flat)))
    deviation = (10 * numpy.sqrt(numpy.pi)) ** -(1 + (not flat) / 2) / numpy.sqrt(12)
    noise = 30 * random.random(smooth.shape, numpy.float32)
    grey = numpy.arange(width) * (40 / width) + noise + 120 * (smooth > 0.5 + deviation)
    return numpy.squeeze(grey.astype(numpy.uint16))


def measure(pipeline, pictures):
    times, transfers = [], []
    for i in range(-2, TIMES):
        start = time.perf_counter()
        pushed = [cle.push(pixels) for pixels in pictures]
        half = time.perf_counter()
        del pushed
        begin = time.perf_counter()
        value = pipeline(*pictures)
        if i >= 0:
            times.append(1e3 * (time.perf_counter() - begin))
            transfers.append(1e3 * (half - start))
    return statistics.median(times), statistics.median(transfers), value


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("part", nargs="*")
    parser.add_argument("--device", default="", help="a part of its name")
    options = parser.parse_args()
    cle.select_device(options.device)
    cle.wait_for_kernel_to_finish(True)
    print(f"# pyclesperanto {cle.__version__} on {cle.get_device().name}, {time.strftime('%Y-%m-%d')}\n"
          f"pipeline\tsize\tms\ttransfer_ms\tvalue")
    rows = [(pipeline, size, count) for size in ((2048, 2048, 1), (512, 512, 512))
            for pipeline, count in ((segment, 1), (background, 1), (colocalisation, 2))]
    for pipeline, size, count in [*rows, (tracking, (512, 512, FRAMES), 1)]:
        name = f"{pipeline.__name__} {'x'.join(map(str, size))}"
        if all(part in name for part in options.part):
            took, moved, value = measure(pipeline, [picture(*size, seed) for seed in range(1, count + 1)])
            print(name.replace(" ", "\t"), f"{took:.2f}\t{moved:.2f}\t{value}", sep="\t", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
