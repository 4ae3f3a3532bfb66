# SPDX-License-Identifier: BSD-3-Clause
# The facade from Jython: methods, op(), tables of numbers, ownership, and one error message for each mistake.
# expect: 8x4x2 uint16
# expect: the same image
# expect: 2x2x1 float32 [1.0, 2.0, 3.0, 4.0]
# expect: scale 0.5
# expect: [11.0, 12.0, 13.0, 14.0]
# expect: [12.0, 13.0, 14.0, 15.0]
# expect: custom_operation: operation_code does not compile; line 2: use of undeclared identifier 'b'
# expect: customOperation: image_parameters must be an array that alternates names and images, got Integer 3
# expect: custom_operation: image_parameters must be an array that alternates names and images, got a string
# expect: Drua has no operation 'nothing'; see Plugins>Drua>Drua Help for all operations
# expect: gaussianBlur: source must be an image of this Drua object (push an ImagePlus first), got Integer 3
# expect: gaussian_blur: sigma_x must be 0 to 1000 pixel, got -1
# expect: copy: takes 1 argument, got 2; the parameters are source, destination
# expect: the image belongs to another Drua object; pull it there and push it to this one
# expect: the image is already closed; close it after its last use
# expect: this Drua object is closed; open a new one with Drua.open()
from drua import Drua, DruaException
from ij import IJ


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


drua = Drua.open("cpu")
imp = IJ.createImage("ramp", "16-bit ramp", 8, 4, 2)
imp.getCalibration().pixelWidth = 0.5
source = drua.push(imp)
print(source)
blurred = drua.op("gaussian_blur", source, 1.5, 1, True)
if drua.gaussianBlur(source, blurred, 1, 1, 0) is blurred:
    print("the same image")
numbers = drua.op("push_array", [1, 2, 3, 4], 2, 2, 1)
print("%s %s" % (numbers, list(drua.pull(numbers).getProcessor().getPixels())))
print("scale %s" % drua.pull(blurred, "blurred").getCalibration().pixelWidth)

add = "WRITE_IMAGE(a, POS_a_INSTANCE(x, y, z, 0), READ_IMAGE(a, sampler, POS_a_INSTANCE(x, y, z, 0)).x + %d);"
drua.customOperation(add % 10, "", {"a": numbers})
print(list(drua.pull(numbers).getProcessor().getPixels()))
drua.op("custom_operation", add % 1, "", ["a", numbers])
print(list(drua.pull(numbers).getProcessor().getPixels()))
mistake(lambda: drua.customOperation("float c;\nc = b;", "", {"a": numbers}))
mistake(lambda: drua.customOperation("", "", ["a", 3]))
mistake(lambda: drua.customOperation("", "", "a"))

mistake(lambda: drua.op("nothing"))
mistake(lambda: drua.op("gaussian_blur", 3))
mistake(lambda: drua.op("gaussian_blur", source, -1, 0, 0))
mistake(lambda: drua.op("copy", source, 1))
other = Drua.open()
mistake(lambda: other.copy(source))
other.close()
source.close()
source.close()
mistake(lambda: drua.copy(source))
drua.close()
drua.close()
mistake(lambda: drua.copy(blurred))
blurred.close()
