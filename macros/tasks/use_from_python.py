# SPDX-License-Identifier: BSD-3-Clause
# # Use Drua from Python
#
# How does a Python program with NumPy call Drua? Install the wheel of a release, or make a wheel with `./dev wheel`;
# see [Python](../../docs/python.md). The program draws 30 discs, so that the result is known, and measures them.
#
# 1. `drua.Device()` opens a device; the `with` block closes it.
# 2. Operations take arrays or images of the device and have the parameters of their pages. Parameters that you leave
#    out have their defaults.
# 3. Tables are dicts of columns, and `numpy()` copies an image to an array. Axes are z, y, x, as NumPy has them.
#
# The count should be 30. A disc of radius 9 has an area of pi x 81 = 254 pixels. The mean area should differ from it by
# a few pixels, because the blur moves the outline a little. `help(drua.Device)` lists all operations.
#
# words: python|numpy|call from python|pip install|use from python
# image: discs.tif the array
# labels: labels.tif the labels
# expect: 30 discs
# expect: mean area 249 pixels
import drua
import numpy

y, x = numpy.mgrid[0:200, 0:240]
discs = numpy.random.default_rng(1).normal(100, 10, (200, 240)).astype("float32")
for disc in range(30):
    inside = (x - 20 - 40 * (disc % 6)) ** 2 + (y - 20 - 40 * (disc // 6)) ** 2 < 81
    discs[inside] += 60 + 3 * disc

with drua.Device() as device:
    image = device.push(discs)
    blurred = device.gaussian_blur(image, sigma_x=2, sigma_y=2, sigma_z=0)
    mask = device.automatic_threshold(blurred, method="Otsu")
    labels = device.connected_components_box(mask)
    table = device.statistics_of_labelled_pixels(image, labels)
    print(len(table["PIXEL_COUNT"]), "discs")
    print("mean area %.0f pixels" % numpy.mean(table["PIXEL_COUNT"]))
    device.write(image, path="discs.tif")
    device.write(labels, path="labels.tif")
