# SPDX-License-Identifier: BSD-3-Clause
# Jython, in Fiji's Script Editor or headless. Restores the current image with the point spread function in the image
# "psf", or the image and the point spread function in the files given as arguments. A point spread function with
# other voxels is resampled to the voxels of the image.
import os
import sys
from ij import IJ, WindowManager
from java.lang import Throwable
from drua import Drua

OPTIONS = "iterations=15 accelerate background=0"


def opened(path):
    if not os.path.isfile(path):
        sys.exit("there is no file " + path)
    imp = IJ.openImage(path)
    if imp is None:
        sys.exit("ImageJ cannot open " + path)
    return imp


def window(title):
    imp = WindowManager.getImage(title)
    if imp is None:
        sys.exit("open the point spread function and rename its window to " + title)
    return imp


def restore(imp, psf):
    drua = Drua.open("")
    try:
        image, function = drua.push(imp), drua.push(psf)
        here, there = imp.getCalibration(), psf.getCalibration()
        function, advice = drua.op("fit_psf", image, function, here.pixelWidth, here.pixelDepth, here.getUnit(),
                                   there.pixelWidth, there.pixelDepth, there.getUnit(), 0, 0, 0)
        if advice:
            print(advice.strip())
        restored, curve = drua.op("deconvolve", image, function, OPTIONS)
        return drua.pull(restored, "restored " + imp.getTitle())
    finally:
        drua.close()  # frees all images of this Drua


files = len(sys.argv) > 2
image = opened(sys.argv[1]) if files else IJ.getImage()
psf = opened(sys.argv[2]) if files else window("psf")
try:
    result = restore(image, psf)
    print("restored: %d x %d x %d" % (result.getWidth(), result.getHeight(), result.getNSlices()))
    if not files:
        result.show()
except Throwable as e:  # Java's exceptions are not Python's
    print("failed: " + e.getMessage())
    raise
