# SPDX-License-Identifier: BSD-3-Clause
# Images outlive their macro, even if an error stopped it.
# expect: there is no image 'keptt'
# expect: Drua holds 1 image of earlier macros, 4 bytes; Ext.Drua_clear() frees them
# expect: 7
from ij import IJ
from java.lang import RuntimeException

START = 'Ext.install("drua.StartMacroExtensions");'
try:
    IJ.runMacro(START + '''
Ext.Drua_clear();
newImage("kept", "8-bit black", 2, 2, 1);
setPixel(1, 1, 7);
Ext.Drua_push("kept");
Ext.Drua_copy("keptt", b);
''')
except RuntimeException as e:
    print(e.getMessage().split(": ")[2].split(" on")[0])
IJ.runMacro(START + 'Ext.Drua_pull("kept"); fresh = getImageID(); print(getPixel(1, 1));')
