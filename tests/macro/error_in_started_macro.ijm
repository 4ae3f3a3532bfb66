// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// A macro that another macro starts ends with an error: the other one continues, as in ImageJ, and the exit status
// reports the error.
// error: Undefined variable in line 2
// expect: [aborted]
// expect: reached
code = getDirectory("temp") + "started.ijm";
File.saveString("x = 1;\ny = x + missing;\n", code);
print(runMacro(code));
print("reached");
