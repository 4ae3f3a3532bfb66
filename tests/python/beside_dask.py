# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program of docs/dask.md and compares the numbers of that page, with Drua and with a known truth."""
import os
import re

import numpy

import drua

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "dask.md")
FIELD, AROUND, PADDING, ITERATIONS = (48, 128, 128), (24, 48, 48), (12, 16, 16), 30
INSIDE = tuple(slice(width, -width) for width in PADDING)
with open(PAGE, encoding="utf-8") as file:
    page = file.read()
program = {}
exec(re.search(r"```python3\n(.*?)```", page, re.S).group(1), program)


def make_psf():
    sides = [numpy.exp(-numpy.arange(-half, half + 1) ** 2 / (2 * sigma**2))
             for half, sigma in ((12, 4), (6, 2), (6, 2))]
    psf = sides[0][:, None, None] * sides[1][None, :, None] * sides[2][None, None, :]
    return psf / psf.sum()


def make_images(psf):
    """The truth in the field of view, and its image: light comes from outside the field too."""
    random = numpy.random.default_rng(1)
    extents = [field + 2 * around for field, around in zip(FIELD, AROUND)]
    z, y, x = numpy.indices(extents)
    truth = numpy.full(extents, 5.0)
    for _ in range(160):
        centre, radius = [random.uniform(0, extent) for extent in extents], random.uniform(3, 7)
        ball = (z - centre[0]) ** 2 + (y - centre[1]) ** 2 + (x - centre[2]) ** 2 < radius**2
        truth[ball] += random.uniform(50, 150)
    corner = numpy.zeros(extents)
    corner[tuple(slice(extent) for extent in psf.shape)] = psf
    for axis, extent in enumerate(psf.shape):
        corner = numpy.roll(corner, -(extent // 2), axis)
    blurred = numpy.fft.irfftn(numpy.fft.rfftn(truth) * numpy.fft.rfftn(corner), extents, axes=(0, 1, 2))
    field = tuple(slice(around, around + extent) for around, extent in zip(AROUND, FIELD))
    return truth[field], random.poisson(numpy.maximum(blurred[field], 0)).astype("float32")


def restore_all(image, psf):
    restored = {"NumPy, whole image": program["richardson_lucy"](image, psf, ITERATIONS),
                "Dask, padded chunks": program["deconvolve_by_chunks"](image, psf, ITERATIONS, (48, 64, 64), PADDING)}
    names = {"circulant": "Drua, `edges=circulant`", "mirror": "Drua, `edges=mirror`",
             "noncirculant": "Drua, `edges=noncirculant` (default)"}
    with drua.Device() as device:
        for edges, name in names.items():
            result = device.deconvolve(image, psf.astype("float32"), iterations=ITERATIONS, edges=edges)
            result = result[0] if isinstance(result, tuple) else result
            restored[name] = result.numpy().astype(float)
    return restored


def error_of(image, truth, chosen):
    return float(numpy.sqrt(((image - truth)[chosen] ** 2).mean()))


def numbers_of(image, truth, whole, rim):
    """The columns of the page: differences in percent, errors."""
    difference = abs(image - whole) / (whole.max() - whole.min()) * 100
    return [difference.max(), difference[INSIDE].max(), error_of(image, truth, rim), error_of(image, truth, ~rim)]


def read_table():
    rows = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.search(r"\d", cells[4]):
            rows[cells[0]] = [float(cell.rstrip(" %")) if cell else None for cell in cells[1:]]
    return rows


psf = make_psf()
truth, image = make_images(psf)
restored = restore_all(image, psf)
whole = restored["NumPy, whole image"]
rim = numpy.ones(FIELD, bool)
rim[INSIDE] = False
restored["blurred image"] = image.astype(float)
failed = passed = 0
for name, stated in read_table().items():
    found = numbers_of(restored[name], truth, whole, rim)
    for column, (number, expected) in enumerate(zip(found, stated)):
        if expected is None:
            continue
        # rounding differs between computers: tiny differences may be three times as large
        good = number < 3 * expected if expected < 0.001 else abs(number - expected) <= 0.06 * expected
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL {name}, column {column + 1}: {number:.6g}, the page says {expected}")
if passed + failed == 0:
    failed = 1
    print("FAIL docs/dask.md has no table of numbers")
print(f"{passed} passed, {failed} failed")
