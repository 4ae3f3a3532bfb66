# SPDX-License-Identifier: BSD-3-Clause
# # Use Drua from Jython
#
# How does a script in Fiji's Script Editor call Drua? Choose *Python* as the language. The program counts nuclei, as
# [Count nuclei](count_nuclei.ijm) does in a macro.
#
# 1. `Drua.open("")` opens the best device; a name such as `"H200"` chooses another one.
# 2. `push` copies an image to the device. Methods are named as the commands of macros, without the prefix, and return
#    their result. Their arguments are those that the page of an operation lists.
# 3. `pull` returns an ImageJ image. `close` frees all images on the device, also after an error.
#
# The program should print the same count as the macro. An error raises a Java exception with a message, so the script
# stops at the line that failed. [Scripts of CLIJ2's Java API](../../docs/clij2_scripts.md) explains how older scripts
# run without a change.
#
# words: jython|script editor|call from jython|fiji script|python script in fiji
# labels: labels.tif the labels of the nuclei
# expect: 65 nuclei
from drua import Drua
from ij import IJ

drua = Drua.open("")
try:
    nuclei = drua.push(IJ.openImage("macros/images/BBBC022_nuclei.tif"))
    blurred = drua.gaussianBlur(nuclei, 2, 2, 0)
    mask = drua.automaticThreshold(blurred, "Otsu")
    objects = drua.connectedComponentsBox(mask)
    labels = drua.excludeLabelsOutsideSizeRange(objects, 50, 100000)
    print("%d nuclei" % drua.maximumOfAllPixels(labels))
    IJ.saveAsTiff(drua.pull(labels, "labels"), "labels.tif")
finally:
    drua.close()
