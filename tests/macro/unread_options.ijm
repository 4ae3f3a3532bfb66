// SPDX-License-Identifier: BSD-3-Clause
// Options that ImageJ reads in dialogs: with Fiji's patch it also reads them without a display.
// only: patched
// expect: 2
newImage("image", "32-bit black", 3, 1, 1);
run("Add...", "value=2");
print(getPixel(0, 0));
