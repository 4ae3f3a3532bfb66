// SPDX-License-Identifier: BSD-3-Clause
// The dialog of deconvolution shows one slice before it starts, and then says what memory and time it takes.
// tick: preview
// preview: Deconvolve 16 x 16
// dialog: with room for the kernel
// dialog: 20 iterations take about
newImage("picture", "8-bit black", 16, 16, 4);
setColor(200);
fillRect(8, 8, 2, 2);
run("Add...", "value=5 stack");
setSlice(3);
run("Deconvolve (Drua)...");
