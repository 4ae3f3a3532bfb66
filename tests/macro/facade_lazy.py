# SPDX-License-Identifier: BSD-3-Clause
# The device computes the cells of a lazy image when they are read, with the same values as those of a whole image.
# expect: 1 block after opening, LazyCellImg of FloatType
# expect: 2 blocks after one pixel
# expect: 2 blocks after the same pixel
# expect: 16 blocks after all pixels; largest difference 0
# expect: lazyImg: cell must have 3 sizes of at least 1 pixel, got [4, 4]
# expect: lazyImg: margin must be at least 0, got -1
# expect: lazyImg: the operation must keep the size [7, 6, 5], but made 7x6x1 float32
# expect: lazyImg: source must be an image of ImgLib2
from drua import Drua, DruaException
from jarray import array
from net.imglib2.img.array import ArrayImgs

SIZE = (13, 6, 9)


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


def report(when):
    print("%d block%s after %s" % (len(blocks), "" if len(blocks) == 1 else "s", when))


drua = Drua.open("cpu")
blocks = []
values = [float(i * i % 97) for i in range(SIZE[0] * SIZE[1] * SIZE[2])]
pixels = ArrayImgs.floats(array(values, "f"), SIZE)


def blur(image):
    return drua.meanBox(image, 2, 1, 2)


def counted(image):
    blocks.append(image)
    return blur(image)


lazy = drua.lazyImg(pixels, [4, 4, 5], 2, counted)
print("%d block after opening, %s of %s" % (len(blocks), lazy.getClass().getSimpleName(),
                                           lazy.randomAccess().get().getClass().getSimpleName()))
access = lazy.randomAccess()
access.setPosition([12, 5, 8])
access.get().get()
report("one pixel")
access.get().get()
report("the same pixel")
whole = drua.pullImg(blur(drua.push(pixels))).randomAccess()
difference = 0
for x in range(SIZE[0]):
    for y in range(SIZE[1]):
        for z in range(SIZE[2]):
            access.setPosition([x, y, z])
            whole.setPosition([x, y, z])
            difference = max(difference, abs(access.get().get() - whole.get().get()))
print("%d blocks after all pixels; largest difference %g" % (len(blocks), difference))
mistake(lambda: drua.lazyImg(pixels, [4, 4], 2, counted))
mistake(lambda: drua.lazyImg(pixels, [4, 4, 5], -1, counted))
mistake(lambda: drua.lazyImg(pixels, [5, 5, 3], 2, drua.maximumZProjection))
mistake(lambda: drua.lazyImg("image", [4, 4, 5], 2, counted))
drua.close()
