# SPDX-License-Identifier: BSD-3-Clause
# Escape stops processing a file block by block. The output then has no final name, and the same command resumes.
# expect: Escape was pressed: the macro stopped at Drua_processFile in line 1; images stay on the device
# expect: stopped: no output, a plan
# expect: again: an output, no plan
# expect: 0
from ij import IJ
from java.awt.event import KeyEvent
from java.io import File
from java.lang import System, Thread


class Press(Thread):
    def run(self):
        while not (journal.list() and any(journal.toPath().resolve(name).toFile().length() > 0
                                          for name in journal.list() if name.endswith(".blocks"))):
            Thread.sleep(5)
        IJ.setKeyDown(KeyEvent.VK_ESCAPE)


def tell(when):
    print("%s: %s, %s" % (when, "an output" if output.exists() else "no output",
                          "a plan" if plan.exists() else "no plan"))


START = 'Ext.install("drua.StartMacroExtensions");'
folder = IJ.getDirectory("temp") + "drua_escape%d/" % System.nanoTime()
output, plan = File(folder + "out.zarr"), File(folder + "out.zarr.plan.json")
journal = File(plan.getPath() + ".journal")
process = ('Ext.Drua_processFile("median_box radius_x=3 radius_y=3 radius_z=1", "%sin.zarr", "%sout.zarr", '
           '"block=16,16,16 chunk=16,16,16");' % (folder, folder))
IJ.runMacro(START + '''
Ext.Drua_clear();
newImage("image", "8-bit ramp", 256, 256, 64);
Ext.Drua_push("image");
Ext.Drua_medianBox("image", whole, 3, 3, 1);
Ext.Drua_write("image", "%sin.zarr");
Ext.Drua_write(whole, "%swhole.zarr");
Ext.Drua_clear();''' % (folder, folder))
Press().start()
IJ.runMacro(START + process)
tell("stopped")
IJ.resetEscape()
IJ.runMacro(START + process + '''
Ext.Drua_read("%swhole.zarr", whole);
Ext.Drua_read("%sout.zarr", blocks);
Ext.Drua_absoluteDifference(whole, blocks, difference);
Ext.Drua_maximumOfAllPixels(difference, most);''' % (folder, folder) + '''
call("java.lang.System.setProperty", "drua.test", most);''')
tell("again")
print(System.getProperty("drua.test"))
