// SPDX-License-Identifier: BSD-3-Clause
// A command that would ask for a file name ends the macro, because its output would be missing.
// only: patched
// error: Macro Error: Tiff... needs a window, but there is no display (run ImageJ with a display
// error: in line 7
newImage("image", "8-bit black", 3, 3, 1);
run("Tiff...");
print("not reached");
