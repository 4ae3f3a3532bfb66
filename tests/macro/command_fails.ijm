// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// A command of ImageJ that fails does not end the macro, as in ImageJ; what it was stands on stderr, and in the exit status.
// error: asks for a window, but there is no display, in line
// expect: reached
newImage("image", "8-bit black", 3, 1, 1);
run("Calibrate...", "function=None");
print("reached");
