// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// A failing ImageJ command ends the macro at its line, because later lines need its result.
// error: Orthogonal Views needs a window, but there is no display
// error: in line 9
// expect: before
newImage("image", "8-bit black", 3, 3, 3);
print("before");
run("Orthogonal Views");
print("not reached");
