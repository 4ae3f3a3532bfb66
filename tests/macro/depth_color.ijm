// SPDX-License-Identifier: BSD-3-Clause
// The brightest slice of a pixel determines its colour; the pixel's value determines the colour's brightness.
// expect: red 200 0 0 0
// expect: green 0 60 0 0
// expect: blue 0 90 100 0
// error: CLIJ2_depthColorProjection: max_display_intensity must be larger than min_display_intensity, 10, got 10
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
lut = "lut";
Ext.CLIJ2_create3D(lut, 256, 1, 3, 8);
for (i = 0; i < 256; i++) {
    if (i < 100)
        color(i, 200, 0, 0);
    else if (i < 200)
        color(i, 0, 120, 180);
    else
        color(i, 0, 0, 200);
}
// slices 0, 1, 2 take entries 0, 127, 255; pixels: full in slice 0, half in slice 1, half in slice 2, none
Ext.CLIJ2_pushArray(stack, newArray(255, 0, 0, 0, 20, 127.5, 20, 0, 0, 0, 127.5, 0), 4, 1, 3);
Ext.CLIJ2_depthColorProjection(stack, lut, colors, 0, 255);
Ext.CLIJ2_pull(colors);
names = newArray("red", "green", "blue");
for (z = 1; z <= 3; z++) {
    setSlice(z);
    print(names[z - 1], getPixel(0, 0), getPixel(1, 0), getPixel(2, 0), getPixel(3, 0));
}
Ext.CLIJ2_depthColorProjection(stack, lut, again, 10, 10);

function color(index, red, green, blue) {
    lut = "lut";
    Ext.CLIJ2_drawBox(lut, index, 0, 0, 0, 0, 0, red);
    Ext.CLIJ2_drawBox(lut, index, 0, 1, 0, 0, 0, green);
    Ext.CLIJ2_drawBox(lut, index, 0, 2, 0, 0, 0, blue);
}
