// SPDX-License-Identifier: BSD-3-Clause
// A macro may end while kernels are compiled ahead, also where those of an earlier run are there already.
// environment: DRUA_AHEAD=1 DRUA_AS_GPU=1 DRUA_CACHE=$work/cache
run("Drua Macro Extensions");
newImage("ramp", "8-bit ramp", 256, 16, 1);
Ext.CLIJ2_push("ramp");
Ext.CLIJ2_addImageAndScalar("ramp", brighter, 1);
Ext.CLIJ2_pull(brighter);
print(getPixel(7, 7));
// expect: 8
