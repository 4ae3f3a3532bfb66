// SPDX-License-Identifier: BSD-3-Clause
// With Fiji's patch, ImageJ reads the options of dialogs also without a display.
// only: patched
// expect: 2
newImage("image", "32-bit black", 3, 1, 1);
run("Add...", "value=2");
print(getPixel(0, 0));
