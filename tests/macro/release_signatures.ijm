// SPDX-License-Identifier: BSD-3-Clause
// Earlier releases of CLIJx called convolveFFT without its last argument. The kernel is not symmetric, so a correlation
// would give another result.
// expect: 3 values: 0 6 3
// expect: 4 values: 0 6 3
// expect: Drua_: 0 6 3
// expect: a correlation: 3 6 0
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_pushArray(spot, newArray(0, 0, 3, 0, 0), 5, 1, 1);
Ext.CLIJ2_pushArray(kernel, newArray(0, 2, 1), 3, 1, 1);
Ext.CLIJx_convolveFFT(spot, kernel, three);
show("3 values", three);
Ext.CLIJx_convolveFFT(spot, kernel, four, false);
show("4 values", four);
Ext.Drua_convolveFFT(spot, kernel, own);
show("Drua_", own);
Ext.CLIJx_convolveFFT(spot, kernel, correlation, true);
show("a correlation", correlation);
Ext.CLIJ2_clear();

function show(name, image) {
    Ext.CLIJ2_pullString(image, text);
    values = split(text, " \n");
    print(name + ": " + round(values[1]) + " " + round(values[2]) + " " + round(values[3]));
}
