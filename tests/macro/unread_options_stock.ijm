// SPDX-License-Identifier: BSD-3-Clause
// ImageJ without Fiji's patch reads no dialog options without a display; a warning on stderr says so.
// only: stock
// stderr: This ImageJ may ignore the options of Add... without a display, in line 6
newImage("image", "32-bit black", 3, 1, 1);
run("Add...", "value=2");
