// SPDX-License-Identifier: BSD-3-Clause
// Each frame of a hyperstack is pushed as a separate stack.
// only: patched
// expect: 1 213
// expect: 2 223
// expect: 3 233
// expect: 4 243
// expect: 132
// expect: 243
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
newImage("hs", "8-bit grayscale-mode", 8, 8, 2, 3, 4);
for (t = 1; t <= 4; t++) for (z = 1; z <= 3; z++) for (c = 1; c <= 2; c++) { Stack.setPosition(c, z, t); run("Set...", "value=" + (t * 10 + z + c * 100) + " slice"); }
for (t = 1; t <= 4; t++) {
  selectWindow("hs"); Stack.setFrame(t); Stack.setChannel(2);
  Ext.CLIJ2_pushCurrentZStack("hs");
  Ext.CLIJ2_maximumZProjection("hs", mx);
  Ext.CLIJ2_getMaximumOfAllPixels(mx, v); print(t, v);
}
Ext.CLIJ2_pull(mx); rename("mip");
selectWindow("hs"); Stack.setPosition(1, 2, 3); Ext.CLIJ2_pushCurrentSlice("hs"); Ext.CLIJ2_getMeanOfAllPixels("hs", v); print(v);
Ext.CLIJ2_pullToCurrentSlice(mx, "hs"); print(getPixel(1, 1));
