# SPDX-License-Identifier: BSD-3-Clause
# Escape in a hyperstack's deconvolution: with keep_partial what is done is shown, of the rest the image without its background.
# expect: Neither the image nor the psf says how large its voxels are: they are taken to be equal.
# expect: deconvolveHyperstack was stopped: of 3 channels and frames 1 is done, the last one as far as it went; the others are the image without its background
# expect: Escape was pressed: the macro stopped at Drua_deconvolveHyperstack in line 13; images stay on the device
# expect: kept 1 3
# expect: restored True, rest True
from ij import IJ, WindowManager
from java.awt.event import KeyEvent
from java.lang import System, Thread


class Press(Thread):
    def run(self):
        while System.getProperty("drua.test") != "begins":
            Thread.sleep(20)
        Thread.sleep(3000)
        IJ.setKeyDown(KeyEvent.VK_ESCAPE)


Press().start()
IJ.runMacro('''
Ext.install("drua.StartMacroExtensions");
setBatchMode(true);
newImage("psf", "32-bit black", 9, 9, 1, 1, 1);
setPixel(4, 4, 1000);
run("Gaussian Blur...", "sigma=1.2");
newImage("image", "32-bit black", 64, 64, 1, 1, 3);
for (t = 1; t <= 3; t++) {
    Stack.setPosition(1, 1, t);
    for (i = 0; i < 4096; i++) setPixel(i % 64, floor(i / 64), 10);
    setPixel(30, 30, 4000);
}
call("java.lang.System.setProperty", "drua.test", "begins"); Ext.Drua_deconvolveHyperstack("image", "psf", "kept", "iterations=100000 keep_partial background=5");
print("Escape did not stop the macro");''')
IJ.resetEscape()
kept = WindowManager.getImage("kept")
if kept is None:
    print("nothing was kept")
else:
    print("kept %d %d" % (kept.getNChannels(), kept.getNFrames()))
    stack = kept.getStack()
    print("restored %s, rest %s" % (stack.getVoxel(30, 30, 0) != 3995, all(stack.getVoxel(30, 30, t) == 3995 and stack.getVoxel(3, 3, t) == 5 for t in (1, 2))))
