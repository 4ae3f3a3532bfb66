# SPDX-License-Identifier: BSD-3-Clause
# Escape stops a long command, and killing a script stops it, too. Images stay, and the next command runs.
# expect: Escape was pressed: the macro stopped at Drua_medianBox in line 6; images stay on the device
# expect: stopped soon
# expect: interrupted soon
# expect: Drua holds 2 images of earlier macros, 8000000 bytes; Ext.Drua_clear() frees them
# expect: 1
from ij import IJ
from drua import Drua, DruaException
from java.awt.event import KeyEvent
from java.lang import System, Thread


SOON = 10000 # ms, for busy computers; without a stop, the loops take minutes


class Later(Thread):
    def __init__(self, what):
        self.what = what

    def run(self):
        Thread.sleep(2500)
        self.at = System.nanoTime()
        self.what()

    def tell(self, words):
        took = (System.nanoTime() - self.at) / 1000000
        print(words if took < SOON else "%s after %d ms" % (words, took))


START = 'Ext.install("drua.StartMacroExtensions");'
escape = Later(lambda: IJ.setKeyDown(KeyEvent.VK_ESCAPE))
escape.start()
IJ.runMacro(START + '''
Ext.Drua_clear();
a = "a"; b = "b"; Ext.Drua_create2d(a, 1000, 1000, 32);
Ext.Drua_addImageAndScalar(a, b, 1);
for (i = 0; i < 4000; i++)
    Ext.Drua_medianBox(a, b, 4, 4, 0);
Ext.Drua_maximumOfAllPixels(b, most);
print("Escape did not stop the macro");''')
escape.tell("stopped soon")
IJ.resetEscape()

drua = Drua.open("")
main = Thread.currentThread()
kill = Later(main.interrupt)
image = drua.push(IJ.createImage("big", "32-bit", 1000, 1000, 1))
kill.start()
try:
    for i in range(4000):
        drua.op("median_box", image, 4, 4, 0)
    drua.sync()
except DruaException as e:
    Thread.interrupted()
    kill.tell("interrupted soon" if "stopped on request" in e.getMessage() else e.getMessage())
drua.close()
IJ.runMacro(START + '''
Ext.Drua_maximumOfAllPixels("a", most);
print(most + 1);''')
