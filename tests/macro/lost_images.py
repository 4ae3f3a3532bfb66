# SPDX-License-Identifier: BSD-3-Clause
# A script closes no image: images without a variable are freed, and one line reports this.
# expect: the device holds at most 200 MB
# expect: the image that is kept begins with 101.0
from drua import Drua
from drua.engine import Native
from ij import IJ

drua = Drua.open("cpu")
field = drua.getClass().getDeclaredField("context")
field.setAccessible(True)
context = field.getLong(drua)
Native.setMemory(context, "64MB")
imp = IJ.createImage("grey", "32-bit black", 512, 512, 1)
imp.getProcessor().setf(0, 100)
kept = drua.addImageAndScalar(drua.push(imp), 1)
for i in range(1000):
    result = drua.addImageAndScalar(drua.push(imp), i)
    drua.sync()
report = Native.reportMemory(context)
megabytes = {"b": 1e-6, "kb": 1e-3, "Mb": 1, "Gb": 1e3}
sizes = [line.split(",")[0].split() for line in report.split("held on ")[1:]]
held = sum(float(words[-2]) * megabytes[words[-1]] for words in sizes)
print("the device holds %s 200 MB" % ("at most" if held <= 200 else "%d MB, more than" % held))
print("the image that is kept begins with %s" % drua.pull(kept).getProcessor().getf(0))
drua.close()
