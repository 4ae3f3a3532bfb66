# SPDX-License-Identifier: BSD-3-Clause
# Macro commands by name from Jython, images of every type, clear(), and one error message for each mistake.
# expect: [2.0, 4.0, 6.0, 8.0]
# expect: 10.0
# expect: 10.0 from the table
# expect: 3x2x1 float32
# expect: 2x2x1 float32
# expect: uint8 2 int8 3 uint16 2 int16 3 uint32 2 int32 3 float32 2
# expect: [0, 255, 0, 255]
# expect: named image 1 (numbers)
# expect: CLIJ2_copy: takes 2 arguments, got 1; see Ext.CLIJ2_copy(source, destination);
# expect: CLIJ2_copy: source must be an image on the device, got Integer 3
# expect: Drua_read: image must be null (None), because this command always makes a new image, got Image 2x2x1 float32
# expect: CLIJ2_push: only a macro can run this command; call it as Ext.CLIJ2_push
# expect: Drua has no command 'CLIJ2_nothing'; see Plugins>Drua>Drua Help for all commands
# expect: type must be one of uint8, int8, uint16, int16, uint32, int32, float32, got 'double'
# expect: create: size must have 2 or 3 extents, got 1
# expect: pushNumbers: a slice of 2 x 2 pixels needs 4 numbers, got 3
# expect: GPU contains 0 images.
# expect: the image is gone
from drua import Drua, DruaException
from jarray import array
from java.lang import Class


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


def plane(*numbers):
    return array([array(numbers, "f")], Class.forName("[F"))


drua = Drua.open("cpu")
source = drua.pushNumbers(plane(1, 2, 3, 4), 2, 2)
doubled = drua.create(source)
drua.command("CLIJ2_addImages", source, source, doubled)
print(list(drua.pullNumbers(doubled)[0]))
print(drua.command("CLIJ2_getSumOfAllPixels", source, None)[0])
print("%s from the table" % drua.command("CLIJ2_sumOfAllPixels", source)[0].getValueAsDouble(0, 0))
print(drua.command("CLIJ2_create2D", None, 3, 2, 32)[0])
print(drua.command("CLIJ2_copy", source, None)[0])
types = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "float32"]
made = [drua.create(drua.create(t, *([4, 3, 1] if i % 2 else [4, 3]))) for i, t in enumerate(types)]
print(" ".join("%s %d" % (image.getType(), image.getDimension()) for image in made))
mask = drua.pullBinary(drua.pushNumbers(plane(0, 7, 0, -1), 2, 2), "")
print([grey & 255 for grey in mask.getProcessor().getPixels()])
print("named image 1 (numbers)" if "image 1 (numbers)" in drua.reportMemory() else drua.reportMemory())
mistake(lambda: drua.command("CLIJ2_copy", source))
mistake(lambda: drua.command("CLIJ2_copy", 3, None))
mistake(lambda: drua.command("Drua_read", "image.tif", doubled))
mistake(lambda: drua.command("CLIJ2_push", "x"))
mistake(lambda: drua.command("CLIJ2_nothing"))
mistake(lambda: drua.create("double", 2, 2))
mistake(lambda: drua.create("uint8", 2))
mistake(lambda: drua.pushNumbers(plane(1, 2, 3), 2, 2))
drua.clear()
print(drua.reportMemory().splitlines()[0])
try:
    drua.pull(doubled)
except DruaException:
    print("the image is gone")
doubled.close()
drua.close()
