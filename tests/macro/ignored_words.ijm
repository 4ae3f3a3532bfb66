// SPDX-License-Identifier: BSD-3-Clause
// The Log reports once per macro each argument that a CLIJ2 command replaces, with the value used.
// expect: CLIJ2_automaticThreshold: method 'Otzu' does not exist, so Default is used, as in CLIJ2; did you mean Otsu?
// expect: CLIJ2_create2D: width is not a whole number, so digits after the decimal point are dropped, as in CLIJ2
// expect: CLIJ2_create2D: bit_depth should be 8, 16 or 32; 12 counts as 32, as in CLIJ2
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("image", "8-bit ramp", 16, 1, 1);
Ext.CLIJ2_push("image");
for (i = 0; i < 2; i++) {
    Ext.CLIJ2_automaticThreshold("image", mask, "Otzu");
    Ext.CLIJ2_automaticThreshold("image", mask, "otsu");
    Ext.CLIJ2_create2D(made, 4.5, 4, 12);
    run("CLIJ2 Macro Extensions", "cl_device=");
}
