// SPDX-License-Identifier: BSD-3-Clause
// A command of ImageJ that fails ends the run, where ImageJ itself would go on.
// error: asks for a window, but there is no display
newImage("image", "8-bit black", 3, 1, 1);
run("Calibrate...", "function=None");
print("not reached");
