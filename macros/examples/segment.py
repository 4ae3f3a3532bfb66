# SPDX-License-Identifier: BSD-3-Clause
# Jython, in Fiji's Script Editor or headless: smooths the current image (or the file given as the first argument), selects
# the pixels above a threshold, and prints how much of the image they are. Images stay on the device until they are pulled.
import sys
from ij import IJ
from java.lang import Throwable
from drua import Drua

LIMIT = 128


def bright_part(imp):
    drua = Drua.open("")
    try:
        image = drua.push(imp)
        smooth = drua.gaussianBlur(image, 2, 2, 0)
        mask = drua.greaterConstant(smooth, LIMIT)
        result = drua.pull(mask, "bright part of " + imp.getTitle())
        print(mask)
        return result
    finally:
        drua.close()  # frees all images of this Drua


imp = IJ.openImage(sys.argv[1]) if len(sys.argv) > 1 else IJ.getImage()
try:
    result = bright_part(imp)
    print("bright part: %.4f" % (result.getProcessor().getStats().mean))
except Throwable as e:  # Java's exceptions are not Python's
    print("failed: " + e.getMessage())
    raise
