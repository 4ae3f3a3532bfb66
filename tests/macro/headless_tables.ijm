// SPDX-License-Identifier: BSD-3-Clause
// Tables with other names than Results are kept and saved.
// only: patched
// expect: 1 2
// results:  ,Area,Mean
// results: 1,25,25.200
// results: 2,25,89.200
Table.create("Cells");
Table.set("Number", 0, 7);
Table.update;
newImage("image", "8-bit ramp", 20, 10, 1);
run("Set Measurements...", "area mean redirect=None decimal=3");
makeRectangle(0, 0, 5, 5);
run("Measure");
makeRectangle(5, 0, 5, 5);
run("Measure");
windows = getList("window.titles");
print(isOpen("Cells"), windows.length);
