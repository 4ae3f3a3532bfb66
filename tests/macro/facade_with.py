# SPDX-License-Identifier: BSD-3-Clause
# With statements that free images and devices, single slices, arrays of the image's type, and the list of devices.
# expect: 4x3 uint8
# expect: [0, 64, 128, 192]
# expect: the image is already closed; close it after its last use
# expect: [-2, 5]
# expect: pushArrays: each slice of this type must be short[], got float[]
# expect: pushArrays: each slice needs 2 numbers, got 3
# expect: pushArrays: this size needs 2 slices, got 1
# expect: the device is in the list
# expect: this Drua object is closed; open a new one with Drua.open()
from __future__ import with_statement

from drua import Drua, DruaException
from ij import IJ
from jarray import array


def mistake(call):
    try:
        call()
        print("no mistake was found")
    except DruaException as e:
        print(e.getMessage())


with Drua.open("cpu") as drua:
    with drua.push(IJ.createImage("ramp", "8-bit ramp", 4, 3, 1).getProcessor()) as image:
        print("%dx%d %s" % (image.getWidth(), image.getHeight(), image.getType()))
        print([value & 255 for value in drua.pullArrays(image)[0]][:4])
    mistake(lambda: drua.copy(image))
    signed = drua.pushArrays("int16", [array([-2, 5], "h")], [2, 1])
    print(list(drua.pullArrays(signed)[0]))
    drua.release(signed)
    mistake(lambda: drua.pushArrays("int16", [array([1, 2], "f")], [2, 1]))
    mistake(lambda: drua.pushArrays("int16", [array([1, 2, 3], "h")], [2, 1]))
    mistake(lambda: drua.pushArrays("int16", [array([1, 2], "h")], [2, 1, 2]))
    if drua.getDevice() in Drua.devices():
        print("the device is in the list")
mistake(lambda: drua.reportMemory())
