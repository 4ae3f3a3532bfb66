// SPDX-License-Identifier: BSD-3-Clause
// Tables of other names than Results are kept and saved, and what draws its own window says that there is no display.
// only: patched
// error: A command of the macro asks for a window, but there is no display, in line 16; use ImageJ with its windows
// expect: 1 2
// expect: reached
// results:  ,Area,Mean
// results: 1,25,25.200
Table.create("Cells");
Table.set("Number", 0, 7);
Table.update;
newImage("image", "8-bit ramp", 20, 10, 1);
run("Set Measurements...", "area mean redirect=None decimal=3");
makeRectangle(0, 0, 5, 5);
run("Measure");
run("Distribution...", "parameter=Mean automatic");
windows = getList("window.titles");
print(isOpen("Cells"), windows.length);
print("reached");
