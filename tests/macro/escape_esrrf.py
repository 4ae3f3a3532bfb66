# SPDX-License-Identifier: BSD-3-Clause
# Escape soon stops a long eSRRF, even while its kernels compile or when it runs only because its result is requested.
# With keep_partial the result of the finished frames is available to the next macro.
# expect: Escape was pressed: the macro stopped at Drua_maximumOfAllPixels in line 7; images stay on the device
# expect: aborted
# expect: Drua holds 3 images of earlier macros, 51200000 bytes; Ext.Drua_clear() frees them
# expect: partial result
from ij import IJ
from java.awt.event import KeyEvent
from java.lang import System, Thread


class Press(Thread):
    def run(self):
        while System.getProperty("drua.test") != "begins":
            Thread.sleep(20)
        Thread.sleep(1500)
        IJ.setKeyDown(KeyEvent.VK_ESCAPE)


START = 'Ext.install("drua.StartMacroExtensions");'
Press().start()
started = System.currentTimeMillis()
print(IJ.runMacro(START + '''
Ext.Drua_clear();
sharp = "sharp";
Ext.Drua_blinkingEmitters(movie, truth, 64, 64, 6000, 300, 1.2, 400, 20, 2, 0.03, 1, 0, 0);
call("java.lang.System.setProperty", "drua.test", "begins");
Ext.Drua_eSRRF(movie, sharp, "magnification=10 keep_partial=true macro_pixel_correction=false");
Ext.Drua_maximumOfAllPixels(sharp, most);
print("Escape did not stop the macro");''')[1:-1])
IJ.runMacro(START + '''
Ext.Drua_maximumOfAllPixels("sharp", most);
if (most > 0)
    print("partial result");''')
