// SPDX-License-Identifier: BSD-3-Clause
// Nothing of Drua: an image made, drawn and saved by ImageJ alone. Argument: the file for it.
setBatchMode(true);
newImage("ramp", "8-bit ramp", 64, 64, 1);
run("Fire");
saveAs("PNG", getArgument());
