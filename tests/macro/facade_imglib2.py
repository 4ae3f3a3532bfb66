# SPDX-License-Identifier: BSD-3-Clause
# Images of ImgLib2 and of ImageJ by the same push(), and results as images of ImgLib2.
# expect: 4x3x2 uint8
# expect: ArrayImg [4, 3, 2] [0, 1, 2, 255]
# expect: 3x2x1 uint16 [7, 65535]
# expect: float32 2.5
# expect: [2, 4]
# expect: push: an ImgLib2 image must have 2 or 3 dimensions, got 4; push a view of fewer dimensions
# expect: push: image must be an ImagePlus, ImageProcessor, Dataset, ImgLabeling or image of ImgLib2, got String
# expect: 8x4x1 and 8x4x1
from drua import Drua, DruaException
from ij import IJ
from jarray import array
from net.imglib2.img.array import ArrayImgs


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


drua = Drua.open("cpu")
pixels = array([0, 1, 2, -1] + [3] * 20, "b")
stack = drua.push(ArrayImgs.unsignedBytes(pixels, [4, 3, 2]))
print(stack)
pulled = drua.pullImg(stack)
cursor = pulled.cursor()
print("%s %s %s" % (pulled.getClass().getSimpleName(), [int(pulled.dimension(d)) for d in range(3)],
                    [cursor.next().get() for _ in range(4)]))
shorts = drua.push(ArrayImgs.unsignedShorts(array([7, 7, 7, 7, 7, -1], "h"), [3, 2]))
cursor = drua.pullImg(shorts).cursor()
values = [cursor.next().get() for _ in range(6)]
print("%s %s" % (shorts, values[::5]))
doubles = drua.push(ArrayImgs.doubles(array([2.5, 1], "d"), [2, 1]))
print("%s %s" % (doubles.getType(), drua.maximumOfAllPixels(doubles)))
signed = drua.multiplyImageAndScalar(drua.push(ArrayImgs.ints(array([1, 2], "i"), [2, 1])), scalar=2)
print("%s" % [int(value) for value in drua.pullNumbers(signed)[0]])
mistake(lambda: drua.push(ArrayImgs.floats(array([2, 2, 2, 2], "l"))))
mistake(lambda: drua.push("image"))
ramp = IJ.createImage("ramp", "8-bit ramp", 8, 4, 1)
size = "%dx%dx%d"
both = [drua.push(image) for image in (ramp, ramp.getProcessor())]
print(" and ".join(size % (image.getWidth(), image.getHeight(), image.getDepth()) for image in both))
drua.close()
