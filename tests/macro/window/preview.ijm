// SPDX-License-Identifier: BSD-3-Clause
// A menu command's dialog previews its result on the image, and records the equivalent lines of a macro.
// tick: preview
// preview: Gaussian Blur 64 x 64
// expect: gaussianBlur 64
// expect: picture without an overlay
// recorded: Ext.Drua_gaussianBlur(source1, destination2, 1, 1, 0);
newImage("picture", "8-bit ramp", 64, 64, 1);
makeRectangle(20, 20, 10, 10);
run("Invert");
run("Select None");
run("Record...");
selectImage("picture");
run("Gaussian Blur (Drua)...");
print(getTitle(), getWidth());
selectImage("picture");
if (Overlay.size == 0)
    print("picture without an overlay");
