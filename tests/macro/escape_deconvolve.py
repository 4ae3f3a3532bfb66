# SPDX-License-Identifier: BSD-3-Clause
# Escape during a hyperstack's deconvolution: with keep_partial the finished part is shown, and for the rest the image
# without its background.
# expect: Neither the image nor the psf has a known voxel size: their voxels are assumed to be equal.
# expect: Neither the image nor the psf has a known voxel size: their voxels are assumed to be equal.
from ij import IJ, WindowManager
from java.awt.event import KeyEvent
from java.lang import System, Thread


class Press(Thread):
    def run(self):
        while System.getProperty("drua.test") != "begins":
            Thread.sleep(20)
        Thread.sleep(4000)
        IJ.setKeyDown(KeyEvent.VK_ESCAPE)


press = Press()
press.setDaemon(True)
press.start()
IJ.runMacro('''
Ext.install("drua.StartMacroExtensions");
setBatchMode(true);
newImage("psf", "32-bit black", 9, 9, 1, 1, 1);
for (i = 0; i < 81; i++) setPixel(i % 9, floor(i / 9), 1000 * exp(-(pow(i % 9 - 4, 2) + pow(floor(i / 9) - 4, 2)) / 3));
newImage("image", "32-bit black", 128, 128, 1, 1, 3);
for (t = 1; t <= 3; t++) {
    setSlice(t);
    for (i = 0; i < 16384; i++) setPixel(i % 128, floor(i / 128), 10);
    setPixel(30, 30, 4000);
}
Ext.Drua_deconvolveHyperstack("image", "psf", "once", "iterations=1 background=5");
call("java.lang.System.setProperty", "drua.test", "begins");
Ext.Drua_deconvolveHyperstack("image", "psf", "kept", "iterations=100000,keep_partial,background=50e-1");''')
IJ.resetEscape()
kept = WindowManager.getImage("kept")
if kept is None:
    print("nothing was kept")
else:
    print("kept %d %d" % (kept.getNChannels(), kept.getNFrames()))
    stack = kept.getStack()
    print("restored %s, rest %s" % (stack.getVoxel(30, 30, 0) != 3995,
                                    all(stack.getVoxel(30, 30, t) == 3995 and stack.getVoxel(3, 3, t) == 5
                                        for t in (1, 2))))
