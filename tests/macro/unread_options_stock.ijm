// SPDX-License-Identifier: BSD-3-Clause
// ImageJ without Fiji's patch reads no dialog options without a display, so it adds its preset 25. A warning on stderr
// says so.
// only: stock
// expect: 25
// stderr: This ImageJ may ignore the options of Add... without a display, in line 8
newImage("image", "32-bit black", 3, 1, 1);
run("Add...", "value=2");
print(getPixel(0, 0));
