// SPDX-License-Identifier: BSD-3-Clause
// What a macro pays, beside ./dev bench engine: ./dev macro tests/bench/macro.ijm [SLICES]
// Transfers of a stack of SLICES (512) planes of 1024x512 16-bit pixels, calls on a small image, and a loop over frames against its
// transfers alone. Medians of 7, or totals of many calls. Prints a table with tabulators.
slices = 512;
if (getArgument() != "")
    slices = parseInt(getArgument());
setBatchMode(true);
run("Drua Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
print("what\tms\tGB/s");

newImage("stack", "16-bit ramp", 1024, 512, slices);
megabytes = slices * 1.048576;
pushes = newArray(7);
pulls = newArray(7);
for (i = -2; i < 7; i++) {
    start = now();
    Ext.CLIJ2_push("stack");
    Ext.Drua_finish();
    pushed = now() - start;
    start = now();
    Ext.CLIJ2_pullBinary("nothing");
}
