# SPDX-License-Identifier: BSD-3-Clause
# TIFF files from Jython, by methods and by name: pixels, scale, a part of a hyperstack, and the error for a missing
# file.
# expect: 8x4x2 uint16
# expect: scale 0.5
# expect: difference 0.0
# expect: 8x4x1 uint16
# expect: read: there is no file '/nowhere/image.tif'; check the path
# expect: write_compressed: compression must be none, lzw or deflate, got 'zip'
from drua import Drua, DruaException
from ij import IJ
from ij.io import FileSaver
from java.io import File


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


drua = Drua.open("cpu")
path = File.createTempFile("drua", ".tif").getPath()
imp = IJ.createImage("ramp", "16-bit ramp", 8, 4, 2)
imp.getCalibration().pixelWidth = 0.5
imp.getCalibration().setUnit("mm")
source = drua.push(imp)
drua.write(source, path)
image = drua.read(path)
print(image)
print("scale %s" % drua.pull(image).getCalibration().pixelWidth)
drua.op("write_compressed", source, path, "lzw")
print("difference %s" % drua.sumOfAllPixels(drua.absoluteDifference(source, drua.op("read", path))))
FileSaver(IJ.createHyperStack("frames", 8, 4, 1, 1, 3, 16)).saveAsTiffStack(path)
print(drua.readPart(path, 1, 2))
mistake(lambda: drua.read("/nowhere/image.tif"))
mistake(lambda: drua.writeCompressed(source, path, "zip"))
drua.close()
