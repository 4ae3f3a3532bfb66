# SPDX-License-Identifier: BSD-3-Clause
# A script for CLIJ2's Java API: a class for each operation, the operations of CLIJ 1, and Java's objects as numbers.
# expect: [0.0, 3.0, 3.0, 3.0, 0.0]
# expect: [3.0, 3.0, 3.0, 3.0, 3.0]
# expect: [2.0, 2.0, 5.0, 2.0, 2.0]
# expect: 3.0
# expect: [0.0, 0.0, 1.0, 0.0, 0.0]
# expect: [0.0, 0.5, 1.0]
# expect: [0.0, 0.0, 6.0, 3.0, 0.0]
# expect: total after 3 rounds 3.0
# expect: mean of label 2: 5.0
# expect: [0, 0, 255, 0, 0]
# expect: [0.0, 3.0, 3.0, 3.0, 0.0]
# expect: [0.0, 3.0, 0.0, 0.0, 0.0]
# expect: [0.0, 0.0, 1.0, 0.0, 0.0]
# expect: [3.0, 0.0]
# expect: [2.0, 2.0, 5.0, 2.0, 2.0]
# expect: [3.0, 3.0, 0.0, 0.0, 0.0]
from jarray import array
from java.lang import Float, Integer
from net.haesleinhuepf.clij import CLIJ
from net.haesleinhuepf.clij2 import CLIJ2
from net.haesleinhuepf.clij2.plugins import AddImageAndScalar, Maximum2DBox, StatisticsOfLabelledPixels
from net.haesleinhuepf.clij2.plugins import SumOfAllPixels
from net.haesleinhuepf.clijx import CLIJx
from net.haesleinhuepf.clijx.plugins import ConvolveFFT, DeconvolveRichardsonLucyFFT, LocalThresholdMean, Normalize


def row(*numbers):
    return clij2.pushArray(array(numbers, "f"), len(numbers), 1, 1)


def numbers(image):
    return list(clij2.pull(image).getProcessor().getPixels())


clij2 = CLIJ2.getInstance("cpu")
spot = row(0, 0, 3, 0, 0)
result = clij2.create(spot)

Maximum2DBox.maximum2DBox(clij2, spot, result, 1, 1)
print(numbers(result))
Maximum2DBox.maximum2DBox(clij2, spot, result, Integer(2), Integer(0))
print(numbers(result))
AddImageAndScalar.addImageAndScalar(clij2, spot, result, 2.0)
print(numbers(result))
print(SumOfAllPixels.sumOfAllPixels(clij2, spot))
# a class of CLIJx that takes a CLIJx first, and one that takes a CLIJ2
LocalThresholdMean.localThresholdMean(CLIJx.getInstance(), spot, result, 1, 0)
print(numbers(result))
three = row(2, 4, 6)
Normalize.normalize(clij2, three, three)
print([round(value, 4) for value in numbers(three)])
ConvolveFFT.convolveFFT(clij2, spot, row(0, 2, 1), result)
print([round(value, 4) + 0.0 for value in numbers(result)])
DeconvolveRichardsonLucyFFT.deconvolveRichardsonLucyFFT(clij2, spot, row(0, 1, 0), result, 3)
print("total after 3 rounds %.1f" % clij2.sumOfAllPixels(result))
labels = row(1, 1, 2, 2, 0)
column = StatisticsOfLabelledPixels.STATISTICS_ENTRY.MEAN_INTENSITY.value
print("mean of label 2: %s" % StatisticsOfLabelledPixels.statisticsOfLabelledPixels(
    clij2, row(0, 0, 4, 6, 0), labels, 2)[column])

op = CLIJ.getInstance().op()
mask = clij2.create([5, 1, 1], clij2.UnsignedByte)
op.convertToImageJBinary(spot, mask)
print([value & 255 for value in clij2.pull(mask).getProcessor().getPixels()])
op.maximumSphere(spot, result, 1, 1)
print(numbers(result))
op.affineTransform(spot, result, array([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0], "f"))
print(numbers(result))
op.detectOptima(row(0, 1, 3, 1, 0), result, 1, True)
print(numbers(result))
part = clij2.create([2, 1, 1])
op.crop(spot, part, Integer(2), Integer(0))
print(numbers(part))
op.addImageAndScalar(spot, result, Float(2))
print(numbers(result))
clij2.op().minimumSphere(row(3, 3, 3, 0, 0), result, 1, 1)
print(numbers(result))
