// SPDX-License-Identifier: BSD-3-Clause
// Images and points are written to files and read back; an image is cut into a grid of tiles and reassembled.
// expect: image 0 8-bit, next 0, again 0
// expect: raw 0 513 1.5
// expect: 3||0 1.0 2.0 0.0|1 4.0 6.0 0.0|2 0.0 0.0 0.0|
// expect: LINES 2 6|2 0 1|2 1 2|CELL_DATA 2|SCALARS distance float 1|LOOKUP_TABLE default|5.0|7.2111025|
// expect: tile 22 17, last 24 19, difference 0
// error: CLIJx_readRawImageFromDisc: path: '
// error: holds 36 bytes, but 5 x 4 x 3 pixels of 8 bits take 60
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
folder = getDirectory("temp") + "drua_clijx" + getTime() + File.separator;
File.makeDirectory(folder);
newImage("ramp", "8-bit ramp", 40, 30, 2);
saveAs("Tiff", folder + "one.tif");
rename("ramp");
Ext.CLIJ2_push("ramp");
run("Multiply...", "value=0.500 stack");
saveAs("Tiff", folder + "two.tif");
rename("half");
Ext.CLIJ2_push("half");
function difference(a, b) {
    Ext.CLIJ2_getMeanSquaredError(a, b, error);
    return error;
}
Ext.CLIJx_readImageFromDisc("one", folder + "one.tif");
Ext.CLIJ2_pull("one");
bits = bitDepth();
close();
Ext.CLIJx_preloadFromDisc("series", folder + "one.tif", folder + "two.tif", "");
first = difference("series", "ramp");
Ext.CLIJx_preloadFromDisc("series", folder + "two.tif", folder + "one.tif", "");
second = difference("series", "half");
Ext.CLIJx_preloadFromDisc("series", folder + "one.tif", "", "");
print("image " + difference("one", "ramp") + " " + bits + "-bit, next " + second + ", again " + first + difference("series", "ramp"));

function pixel(image, x) {
    Ext.CLIJ2_crop3D(image, p, x, 0, 0, 1, 1, 1);
    Ext.CLIJ2_getMaximumOfAllPixels(p, value);
    Ext.CLIJ2_release(p);
    return value;
}
newImage("bytes", "8-bit black", 9, 4, 1);
setPixel(0, 0, 1);
setPixel(1, 0, 2);
setPixel(6, 0, 192);
setPixel(7, 0, 63);
saveAs("Raw Data", folder + "bytes.raw");
rename("bytes");
Ext.CLIJ2_push("bytes");
Ext.CLIJx_readRawImageFromDisc("raw8", folder + "bytes.raw", 9, 4, 1, 8);
Ext.CLIJx_readRawImageFromDisc("raw16", folder + "bytes.raw", 6, 3, 1, 16);
Ext.CLIJx_readRawImageFromDisc("raw32", folder + "bytes.raw", 3, 3, 1, 32);
Ext.CLIJ2_copySlice("raw8", plane, 0);
print("raw " + difference(plane, "bytes"), pixel("raw16", 0), pixel("raw32", 1));

Ext.CLIJ2_pushArray2D(points, newArray(1, 4, 0, 2, 6, 0), 3, 2);
Ext.CLIJ2_pushArray2D(touches, newArray(0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0), 4, 4);
Ext.CLIJx_writeXYZPointListToDisc(points, folder + "points.xyz");
Ext.CLIJx_writeVTKLineListToDisc(points, touches, folder + "new" + File.separator + "lines.vtk");
print(replace(File.openAsRawString(folder + "points.xyz"), "\n", "|"));
text = File.openAsRawString(folder + "new" + File.separator + "lines.vtk");
print(replace(substring(text, indexOf(text, "LINES")), "\n", "|"));

newImage("whole", "16-bit ramp", 41, 32, 3);
newImage("copy", "16-bit black", 41, 32, 3);
for (y = 0; y < 2; y++)
    for (x = 0; x < 2; x++) {
        Ext.CLIJ2_pushGridTile("whole", 2, 2, 1, x, y, 0, 20);
        Ext.CLIJ2_getDimensions("whole", width, height, depth);
        if (x + y == 0)
            size = "" + width + " " + height;
        Ext.CLIJ2_pullGridTileToImage("whole", "copy", 2, 2, 1, x, y, 0, 20, 0);
    }
Ext.CLIJ2_push("whole");
Ext.CLIJ2_push("copy");
print("tile " + size + ", last " + width + " " + height + ", difference " + difference("whole", "copy"));
Ext.CLIJx_organiseWindows(0, 0, 2, 2, 300, 200);
Ext.CLIJx_readRawImageFromDisc("raw", folder + "bytes.raw", 5, 4, 3, 8);
