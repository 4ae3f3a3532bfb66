// SPDX-License-Identifier: BSD-3-Clause
// An empty Results table is saved as a file with its headings, whether or not its window is open.
// only: patched
// expect: 1 1
// expect: Area,Mean
folder = getDirectory("temp");
never = folder + "never_measured.csv";
cleared = folder + "cleared.csv";
saveAs("Results", never);
newImage("image", "8-bit ramp", 20, 10, 1);
run("Set Measurements...", "area mean redirect=None decimal=3");
run("Measure");
run("Clear Results");
saveAs("Results", cleared);
print(File.exists(never), File.exists(cleared));
headings = split(File.openAsString(cleared), "\n,\t ");
print(String.join(headings, ","));
