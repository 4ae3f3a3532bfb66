// SPDX-License-Identifier: BSD-3-Clause
// The dialog of deconvolution shows one slice before it starts, and says what memory and time it takes.
// tick: preview
// tick: estimate
// preview: Deconvolve 16 x 16
// estimate: 20 iterations take about
// estimate: with room for the kernel
// expect: deconvolve 16 4
newImage("picture", "8-bit black", 16, 16, 4);
setColor(200);
fillRect(8, 8, 2, 2);
run("Add...", "value=5 stack");
setSlice(3);
run("Deconvolve (Drua)...");
print(getTitle(), getWidth(), nSlices);
