// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// options: --keep-going
// With --keep-going a macro goes on after a command that failed; the exit status still tells of it.
// error: Orthogonal Views needs a window, but there is no display
// error: in line 9
// expect: reached
newImage("image", "8-bit black", 3, 3, 3);
run("Orthogonal Views");
print("reached");
