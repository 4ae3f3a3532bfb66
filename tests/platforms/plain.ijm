// SPDX-License-Identifier: BSD-3-Clause
// Without Drua: ImageJ alone creates, draws and saves an image. Argument: the file for it.
setBatchMode(true);
newImage("ramp", "8-bit ramp", 64, 64, 1);
run("Fire");
saveAs("PNG", getArgument());
