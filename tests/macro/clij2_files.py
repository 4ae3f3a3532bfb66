# SPDX-License-Identifier: BSD-3-Clause
# A script for CLIJ2's Java API that reads and writes files, trains random forests and measures labels by features.
# expect: 3.0 6.0
# expect: 21.0
# expect: 3x2x1 uint8
# expect: [1.0, 2.0, 2.0, 1.0]
# expect: [1.0, 2.0, 2.0, 1.0]
# expect: [1.0, 2.0, 2.0, 1.0] in column Class
# expect: [2.0, 1.0, 1.0, 2.0] in column Again
# expect: [0.0, 1.0, 1.0, 0.0]
# expect: 2x2x1 float32: [2.0, 1.0, 7.0, 1.0]
# expect: labels 1 and 2 differ
# expect: 0 4.0 2.0 0.0
# expect: readImageFromDisc: there is no image at nowhere.tif; check the path
# expect: CLIJx_generateLabelFeatureImage: destination must be null (None) or, like the result, 2x2x1 float32
from drua import DruaException
from ij import IJ
from ij.measure import ResultsTable
from jarray import array
from java.io import File
from net.haesleinhuepf.clijx import CLIJx


def row(*numbers):
    return clijx.pushArray(array(numbers, "f"), len(numbers), 1, 1)


def numbers(image):
    return list(clijx.pull(image).getProcessor().getPixels())


def temporary(ending):
    file = File.createTempFile("clij2_files", ending)
    file.deleteOnExit()
    return file.getPath()


clijx = CLIJx.getInstance("cpu")
tiff, raw, model, points = [temporary(ending) for ending in (".tif", ".raw", ".model", ".xyz")]
IJ.saveAsTiff(IJ.createImage("ramp", "8-bit black", 3, 2, 1), tiff)
with open(raw, "wb") as file:
    file.write(bytearray([1, 2, 3, 4, 5, 6]))
read = clijx.readRawImageFromDisc(raw, 3, 2, 1, 8)
print("%s %s" % (clijx.meanOfAllPixels(read) - 0.5, clijx.maximumOfAllPixels(read)))
again = clijx.create([3, 2, 1], clijx.UnsignedByte)
clijx.readRawImageFromDisc(again, raw)
print(clijx.sumOfAllPixels(again))
print(str(clijx.readImageFromDisc(tiff)).split(": ")[1])

features, truth, classes = row(1, 9, 8, 2), row(1, 2, 2, 1), row(0, 0, 0, 0)
forest = clijx.trainWekaModelWithOptions(features, truth, model, 20, 1, 3)
clijx.applyWekaModel(features, classes, forest)
print(numbers(classes))
clijx.applyWekaModel(features, classes, model)
print(numbers(classes))
table = ResultsTable()
for value in (1, 9, 8, 2):
    table.incrementCounter()
    table.addValue("X0", value)
    table.addValue("Truth", 1 if value < 5 else 2)
trained = clijx.trainWekaFromTable(table, "Truth", 20, 1, 3)
table.deleteColumn("Truth")
clijx.applyWekaToTable(table, "Class", trained)
print("%s in column Class" % list(table.getColumn("Class")))
table.deleteColumn("Class")
for y, value in enumerate((2, 1, 1, 2)):
    table.setValue("Truth", y, value)
other = clijx.trainWekaFromTable(table, "Truth", model, 20, 1, 3)
table.deleteColumn("Truth")
clijx.applyWekaToTable(table, "Again", other.getPath())
print("%s in column Again" % list(table.getColumn("Again")))

stack = clijx.create([4, 1])
clijx.copy(features, stack)
clijx.trainWekaModel(stack, truth, model)
mask = clijx.create([4, 1])
clijx.binaryWekaPixelClassifier(stack, mask, "original", model)
print(numbers(mask))

plane, labels = row(1, 3, 7, 7), row(1, 1, 2, 2)
made = clijx.generateLabelFeatureImage(plane, labels, "mean_intensity bounding_box_height")
print("%s: %s" % (made, numbers(made)))
groups = clijx.create(labels)
clijx.kMeansLabelClusterer(plane, labels, groups, "mean_intensity", temporary(".csv"), 2, 0, True)
found = numbers(groups)
print("labels 1 and 2 differ" if found[0] == found[1] != found[2] == found[3] else found)
clijx.writeXYZPointListToDisc(clijx.pushArray(array([4, 5, 2, 3, 0, 0], "f"), 2, 3, 1), points)
with open(points) as file:
    print(" ".join(file.read().split("\n")[2].split()))
for wrong in (lambda: clijx.readImageFromDisc("nowhere.tif"),
              lambda: clijx.generateLabelFeatureImage(plane, labels, clijx.create([1, 1]), "centroid_x centroid_y")):
    try:
        wrong()
        print("no failure")
    except DruaException as e:
        print(e.getMessage())
