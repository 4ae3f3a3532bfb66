// SPDX-License-Identifier: BSD-3-Clause
// ImageJ's setAutoThreshold with an unknown method stops the macro; options after a known method are accepted.
// expect: 121 255
// error: setAutoThreshold: the method must be one of Default, Huang
// error: got 'Nonsense'
// error: in line 11
newImage("ramp", "8-bit ramp", 32, 32, 1);
setAutoThreshold("Otsu dark no-reset");
getThreshold(lower, upper);
print(lower, upper);
setAutoThreshold("Nonsense dark stack");
print("not reached");
