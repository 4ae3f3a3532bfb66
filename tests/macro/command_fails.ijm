// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// A command of ImageJ that fails ends the macro at its line: later lines would work on what it did not make.
// error: Orthogonal Views needs a window, but there is no display
// error: in line 9
// expect: before
newImage("image", "8-bit black", 3, 3, 3);
print("before");
run("Orthogonal Views");
print("not reached");
