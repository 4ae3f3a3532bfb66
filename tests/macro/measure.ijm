// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// run("Measure") keeps existing rows, also those of other commands.
// expect: 4 rows, means 0 1 2 0
newImage("image", "8-bit ramp", 3, 1, 1);
run("Set Measurements...", "mean redirect=None decimal=3");
for (i = 0; i < 3; i++) {
    run("Set...", "value=" + i);
    run("Measure");
}
setResult("Mean", nResults, 0);
means = "";
for (i = 0; i < nResults; i++)
    means += " " + getResult("Mean", i);
print(nResults + " rows, means" + means);
