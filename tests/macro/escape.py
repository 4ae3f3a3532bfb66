# SPDX-License-Identifier: BSD-3-Clause
# Escape stops a macro before its next command. Images stay, and the next macro runs.
# expect: Escape was pressed: the macro stopped at Drua_addImageAndScalar in line 6; images stay on the device
# expect: aborted
# expect: Drua holds 1 image of earlier macros, 16 bytes; Ext.Drua_clear() frees them
# expect: counted on
from ij import IJ
from java.awt.event import KeyEvent
from java.lang import Thread


class Press(Thread):
    def run(self):
        Thread.sleep(2000)
        IJ.setKeyDown(KeyEvent.VK_ESCAPE)


START = 'Ext.install("drua.StartMacroExtensions");'
Press().start()
print(IJ.runMacro(START + '''
Ext.Drua_clear();
counter = "counter";
Ext.Drua_create2d(counter, 2, 2, 32);
for (started = getTime(); getTime() - started < 30000;)
    Ext.Drua_addImageAndScalar(counter, counter, 1);
print("Escape did not stop the macro");''')[1:-1])
IJ.runMacro(START + '''
Ext.Drua_maximumOfAllPixels("counter", most);
if (most > 0)
    print("counted on");''')
