// SPDX-License-Identifier: BSD-3-Clause
// only: patched
// A macro that asks for the error of a macro that it starts has handled it.
// expect: true
code = getDirectory("temp") + "started.ijm";
File.saveString("y = missing;\n", code);
answer = call("drua.imagej.QuietMacro.run", code, "");
if (startsWith(answer, "failed")) print("true");
