# SPDX-License-Identifier: BSD-3-Clause
# Jython, in Fiji's Script Editor or headless. Smooths the current image (or the file given as the first argument),
# selects the pixels above a threshold, and prints the share of the image that they cover. Images stay on the device
# until they are pulled.
import os
import sys
from ij import IJ
from java.lang import Throwable
from drua import Drua

PART = 0.5  # of the way from the darkest to the brightest pixel, so that it suits 8-bit, 16-bit and 32-bit images


def opened(path):
    if not os.path.isfile(path):
        sys.exit("there is no file " + path)
    imp = IJ.openImage(path)
    if imp is None:
        sys.exit("ImageJ cannot open " + path)
    return imp


def bright_part(imp):
    drua = Drua.open("")
    try:
        image = drua.push(imp)
        smooth = drua.gaussianBlur(image, 2, 2, 0)
        darkest, brightest = drua.minimumOfAllPixels(smooth), drua.maximumOfAllPixels(smooth)
        mask = drua.greaterConstant(smooth, darkest + PART * (brightest - darkest))
        result = drua.pull(mask, "bright part of " + imp.getTitle())
        print(mask)
        return result
    finally:
        drua.close()  # frees all images of this Drua


imp = opened(sys.argv[1]) if len(sys.argv) > 1 else IJ.getImage()
try:
    result = bright_part(imp)
    print("bright part: %.4f" % (result.getProcessor().getStats().mean))
except Throwable as e:  # Java's exceptions are not Python's
    print("failed: " + e.getMessage())
    raise
