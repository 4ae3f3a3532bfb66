// SPDX-License-Identifier: BSD-3-Clause
// ImageJ without Fiji's patch reads no dialog options without a display. The filter would add its default of 25.
// only: stock
// expect: 255
// error: Add... would ignore its options, because this ImageJ reads them only in a dialog
// error: line 10
newImage("image", "8-bit black", 3, 1, 1);
run("Invert", "stack");
print(getPixel(0, 0));
run("Add...", "value=2");
print("not reached");
