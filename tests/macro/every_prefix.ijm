// SPDX-License-Identifier: BSD-3-Clause
// Each command can be called with every prefix.
// expect: 1 1 1 1
run("Drua Macro Extensions", "cl_device=");
newImage("image", "8-bit ramp", 16, 1, 1);
Ext.Drua_push("image");
Ext.Drua_thresholdOtsu("image", a);
Ext.CLIJx_thresholdOtsu("image", b);
Ext.CLIJ2_gaussianBlur("image", c, 1, 1, 0);
Ext.CLIJ_thresholdOtsu("image", "d");
text = "";
images = newArray(a, b, c, "d");
for (i = 0; i < 4; i++) {
    Ext.CLIJ2_maximumOfAllPixels(images[i]);
    text += " " + (getResult("Max", i) > 0);
}
print(text.trim);
