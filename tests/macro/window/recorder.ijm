// SPDX-License-Identifier: BSD-3-Clause
// The dialog for any operation records the equivalent lines of a macro.
// expect: gaussianBlur 32
// recorded: run("Drua Macro Extensions", "cl_device=");
// recorded: source1 = "picture";
// recorded: Ext.Drua_push(source1);
// recorded: Ext.Drua_gaussianBlur(source1, destination2, 3, 2, 0);
// recorded: Ext.Drua_pull(destination2);
newImage("picture", "8-bit ramp", 32, 32, 1);
run("Record...");
selectImage("picture");
run("Drua Operation...", "operation=gaussian_blur source=picture sigma_x=3 sigma_y=2 sigma_z=0");
print(getTitle(), getWidth());
