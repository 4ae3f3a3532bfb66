# SPDX-License-Identifier: BSD-3-Clause
# A script for CLIJ2's Java API: lists as extents, whole numbers as arguments, with statements, one error message for each mistake.
# expect: 4x3x2 uint8
# expect: [4L, 3L] Float
# expect: [0.0, 2.0, 4.0, 6.0]
# expect: 2.0
# expect: [1.0, 2.0]
# expect: 6 rows
# expect: push: the image must be an ImagePlus, a ClearCLBuffer or an ImgLib2 image, got String
# expect: pullTile: Drua's Java API keeps no images by their titles; pass a ClearCLBuffer
# expect: closed after the block
# expect: the same CLIJ
from __future__ import with_statement

from drua import DruaException
from ij import IJ
from ij.measure import ResultsTable
from jarray import array
from net.haesleinhuepf.clij import CLIJ
from net.haesleinhuepf.clij.clearcl import ClearCLBuffer
from net.haesleinhuepf.clij2 import CLIJ2
from net.haesleinhuepf.clijx import CLIJx

clij2 = CLIJ2.getInstance("cpu")
print(clij2.create([4, 3, 2], clij2.UnsignedByte))
plane = clij2.create([4.0, 3.0])
print("%s %s" % (list(plane.getDimensions()), plane.getNativeType()))
clij2.setRampX(plane)
doubled = clij2.create(plane)
clij2.multiplyImageAndScalar(plane, doubled, 2)
print(list(clij2.pull(doubled).getProcessor().getPixels())[:4])
row = clij2.pushArray(array([1, 2], "f"), 2, 1, 1)
print(clij2.maximumOfAllPixels(row))
print(list(clij2.convert(row, clij2.pull(row).getClass()).getProcessor().getPixels()))
labels = clij2.create([8, 4])
clij2.setNonZeroPixelsToPixelIndex(clij2.push(IJ.createImage("ramp", "8-bit ramp", 3, 3, 1)), labels)
table = ResultsTable()
clij2.pushArray(array([1, 2, 3, 4, 5, 6], "f"), 6, 1, 1)
clij2.statisticsOfLabelledPixels(clij2.pushArray(array([1, 2, 3, 4, 5, 6], "f"), 6, 1, 1),
                                 clij2.pushArray(array([1, 2, 3, 4, 5, 6], "f"), 6, 1, 1), table)
print("%d rows" % table.size())
for wrong in (lambda: clij2.push("text"),
              lambda: clij2.pullTile(clij2.pull(plane), "title", 0, 0, 0, 1, 1, 1, 0, 0, 0)):
    try:
        wrong()
        print("no failure")
    except DruaException as e:
        print(e.getMessage())
with CLIJ2.getInstance() as again:
    kept = again.create(plane)
try:
    clij2.set(kept, 1)
    print("open after the block")
except DruaException:
    print("closed after the block")
if CLIJx.getInstance().getCLIJ() is CLIJ.getInstance():
    print("the same CLIJ")
