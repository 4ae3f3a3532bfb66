// SPDX-License-Identifier: BSD-3-Clause
// Tiles with a margin are pushed, processed and pulled one by one; three slices become one grey image.
// expect: tile 7x6x2
// expect: more by 1 1 in each pixel
// expect: renamed 3 same
// expect: grey 55
// expect: shown 1 55 24
// expect: scale 0.5 microns
// error: tile_x: the image 'picture' has 12 pixels along x, so tiles of 5 are numbered from 0 to 2, got 3
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
tile = "picture"; // results are passed by reference
newImage("picture", "8-bit ramp", 12, 9, 3);
Ext.CLIJ2_pushAs("picture", "before");
for (z = 0; z < 3; z++) {
    for (y = 0; y < 2; y++) {
        for (x = 0; x < 3; x++) {
            Ext.CLIJ2_pushTile("picture", x, y, z, 5, 5, 1, 1, 1, 1);
            if (x == 1 && y + z == 0) {
                Ext.Drua_getDimensions("picture", width, height, depth);
                print("tile " + width + "x" + height + "x" + depth);
            }
            Ext.Drua_addImageAndScalar("picture", more, 1);
            Ext.Drua_copy(more, tile);
            Ext.CLIJ2_pullTile("picture", x, y, z, 5, 5, 1, 1, 1, 1);
            Ext.Drua_release(more);
        }
    }
}
Ext.CLIJx_pushAs("picture", "after");
Ext.Drua_subtractImages("after", "before", difference);
Ext.Drua_minimumOfAllPixels(difference, least);
Ext.Drua_maximumOfAllPixels(difference, most);
print("more by", least, most, "in each pixel");
Ext.Drua_getDimensions("before", width, height, depth);
print("renamed", depth, "same");

Ext.Drua_pushArray(rgb, newArray(10, 90, 0), 1, 1, 3);
Ext.Drua_convertUint8(rgb, bytes);
Ext.CLIJx_convertRGBStackToGraySlice(bytes, grey);
Ext.Drua_pullString(grey, text);
print("grey", parseInt(text));
Ext.CLIJx_showGrey(grey, "view");
count = nImages;
Ext.CLIJx_showGrey(grey, "view");
shown = nImages - count + 1;
value = getPixel(0, 0);
Ext.CLIJx_showRGB(grey, grey, grey, "view");
print("shown", shown, value, bitDepth());
setVoxelSize(0.5, 0.5, 1, "micron");
Ext.CLIJx_pushMetaData();
newImage("plain", "8-bit black", 2, 2, 1);
Ext.CLIJx_popMetaData();
getPixelSize(unit, width, height);
print("scale", width, unit);
Ext.CLIJ2_pushTile("picture", 3, 0, 0, 5, 5, 1, 1, 1, 1);
