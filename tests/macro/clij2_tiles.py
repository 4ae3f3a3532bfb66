# SPDX-License-Identifier: BSD-3-Clause
# Methods of CLIJ2's Java API for tiles, registration and fusion. The expected values were worked out by hand.
# expect: tile: [3, 4, 2] [20.0, 21.0, 22.0]
# expect: of a picture: [4, 2, 1] [31.0, 32.0, 33.0]
# expect: last tile: [2, 5, 3]
# expect: pulled: [20.0, 21.0, 0.0, 0.0, 0.0]
# expect: into a picture: [20.0, 21.0, -1.0, -1.0, -1.0]
# expect: all tiles give the whole image: 0.0
# expect: pushTile: there is no tile 3 of 2 pixels along x in an image of 5; tiles are numbered from 0
# expect: pushTile: Drua's Java API keeps no images by their titles; use pushTile without the title
# expect: moved: True 0.0
# expect: fused: True 0.0
from drua import DruaException
from ij import ImagePlus, ImageStack
from ij.process import FloatProcessor
from jarray import array
from net.haesleinhuepf.clij2 import CLIJ2
from net.haesleinhuepf.clij2.plugins import PullTile, PushTile
from net.haesleinhuepf.clij.clearcl import ClearCLBuffer
from net.haesleinhuepf.clijx import CLIJx

clij2 = CLIJ2.getInstance("cpu")
clijx = CLIJx.getInstance()


def pixels(image, slice=1):
    return list(clij2.pull(image).getStack().getProcessor(slice).getPixels())


def difference(a, b):
    other = clij2.create(a)
    clij2.absoluteDifference(a, b, other)
    return clij2.maximumOfAllPixels(other)


# Pixel x, y, z is x + 10 y + 100 z.
stack = ImageStack(5, 5)
for z in range(3):
    stack.addSlice(FloatProcessor(5, 5, array([x + 10 * y + 100 * z for y in range(5) for x in range(5)], "f")))
picture = ImagePlus("picture", stack)
image = clij2.push(picture)

def size(image):
    return [int(image.getWidth()), int(image.getHeight()), int(image.getDepth())]


def message(call, *arguments):
    try:
        call(*arguments)
    except DruaException as e:
        print(e.getMessage())


# The tile with index 0, 1, 0 has 2 x 2 x 1 pixels from 0, 2, 0; the margin of 1 is cut at the borders.
tile = clij2.pushTile(image, 0, 1, 0, 2, 2, 1, 1, 1, 1)
print("tile: %s %s" % (size(tile), pixels(tile)[3:6]))
other = clij2.pushTile(picture, 1, 2, 0, 2, 2, 1, 1, 1, 0)
print("of a picture: %s %s" % (size(other), pixels(other)[:3]))
print("last tile: %s" % size(PushTile.pushTile(clij2, image, 2, 0, 0, 2, 5, 3, 1, 0, 0)))

result = clij2.create(image)
clij2.set(result, 0)
clij2.pullTile(tile, result, 0, 1, 0, 2, 2, 1, 1, 1, 1)
print("pulled: %s" % pixels(result)[10:15])
target = ImagePlus("target", FloatProcessor(5, 5, array([-1] * 25, "f")))
clij2.pullTile(target, tile, 0, 1, 0, 2, 2, 1, 1, 1, 0)
print("into a picture: %s" % list(target.getProcessor().getPixels())[10:15])
for z in range(2):
    for y in range(3):
        for x in range(3):
            part = clij2.pushTile(image, x, y, z, 2, 2, 2, 1, 0, 1)
            PullTile.pullTile(clij2, part, result, x, y, z, 2, 2, 2, 1, 0, 1)
print("all tiles give the whole image: %s" % difference(image, result))
message(clij2.pushTile, image, 3, 0, 0, 2, 2, 2, 0, 0, 0)
message(clij2.pushTile, picture, "title", 0, 0, 0, 2, 2, 2, 0, 0, 0)

# A square is moved to the middle of another one, as the macro command moves it.
here = clij2.create([12, 9])
there = clij2.create([12, 9])
for square, x, y in (here, 2, 3), (there, 6, 4):
    clij2.set(square, 0)
    clij2.drawBox(square, x, y, 0, 2, 2, 1)
moved = clij2.create(here)
mask = clij2.create([12, 9], clij2.UnsignedByte)
clij2.automaticThreshold(there, mask, "Default")
done = clijx.translationRegistration(here, moved, clij2.centerOfMass(mask))
due = clij2.create(here)
clijx.translationRegistration(there, here, due)
print("moved: %s %s" % (done, difference(moved, due)))

# Fusing two stacks gives the same result as fusing one stack of their alternating slices.
interleaved = clij2.create([5, 5, 6])
one = clij2.create(image)
clij2.power(image, one, 1.5)
plane = clij2.create([5, 5])
for z in range(3):
    for i, source in enumerate((image, one)):
        clij2.copySlice(source, plane, z)
        clij2.copySlice(plane, interleaved, 2 * z + i)
due = clij2.create(image)
clijx.tenengradFusion(interleaved, due, 2, 1, 1, 1, 2)
fused = clij2.create(image)
done = clijx.tenengradFusion(fused, array([1, 1, 1], "f"), 2, array([image, one], ClearCLBuffer))
print("fused: %s %s" % (done, difference(fused, due)))
clij2.clear()
