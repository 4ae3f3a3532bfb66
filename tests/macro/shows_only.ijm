// SPDX-License-Identifier: BSD-3-Clause
// A command that only shows a window is skipped, and later tables exist.
// only: patched
// stderr: Threshold... only shows a window and was skipped, because there is no display, in line 14
// stderr: Brightness/Contrast... only shows a window
// stderr: Channels Tool... only shows a window
// stderr: Synchronize Windows only shows a window
// stderr: Show LUT only shows a window
// expect: rectangle
// results:  ,Area,Mean
// results: 1,200,121.200
newImage("image", "8-bit ramp", 20, 10, 1);
run("Set Measurements...", "area mean redirect=None decimal=3");
run("Threshold...");
run("Brightness/Contrast...");
run("Channels Tool...");
run("Synchronize Windows");
run("Show LUT");
setTool("rectangle");
print(IJ.getToolName());
run("Measure");
