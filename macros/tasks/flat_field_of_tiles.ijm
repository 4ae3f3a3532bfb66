// SPDX-License-Identifier: BSD-3-Clause
// # Flat field of tiles
//
// Why are the corners of each tile darker than its middle, and how can this be undone? The lamp lights every tile in
// the same way. All tiles therefore have the same illumination, but show different parts of the sample. The program
// draws 24 tiles of cells and darkens their corners to about 60 %.
//
// 1. [Estimate Flat Field](../../docs/reference/estimate_flat_field.md) estimates the illumination that all tiles have
//    in common. It works best with 20 tiles or more, whose contents differ.
// 2. [Apply Flat Field](../../docs/reference/apply_flat_field.md) divides each tile by the flat field.
// 3. The mean of a corner over all tiles, divided by the mean of the middle, says how even the tiles are.
//
// After the correction the ratio is near 1. Stitched tiles no longer show a grid; see
// [Stitching](../../docs/stitching.md). The flat field should look smooth. If it shows cells, the tiles are too few or
// too similar. [Raw images](../../docs/raw_images.md) says how exact the estimate is.
//
// words: flat field|uneven illumination|shading correction|vignetting|basic|dark corners|illumination correction
// image: tiles.tif one of 24 tiles
// image: flat.tif the light that all tiles share
// image: corrected.tif the same tile after the correction
// expect: corner / middle: before 0.7, after 1.0
size = 128;
newImage("cells", "32-bit black", size, size, 24);
for (tile = 0; tile < 24; tile++) {
    setSlice(tile + 1);
    run("Set...", "value=100 slice");
    for (cell = 0; cell < 9; cell++) {
        makeOval((37 * cell + 53 * tile) % 118, (71 * cell + 29 * tile) % 118, 10, 10);
        run("Set...", "value=" + (200 + 20 * cell) + " slice");
    }
    run("Select None");
}
newImage("light", "32-bit black", size, size, 1);
for (y = 0; y < size; y++)
    for (x = 0; x < size; x++) setPixel(x, y, 1 - 0.4 * (pow(x - 63.5, 2) + pow(y - 63.5, 2)) / (2 * 63.5 * 63.5));

run("Drua Macro Extensions", "cl_device=");
tiles = "tiles"; flat = "flat"; corrected = "corrected"; // the titles of the windows
Ext.Drua_push("cells");
Ext.Drua_push("light");
Ext.Drua_multiplyStackWithPlane("cells", "light", lit);
Ext.Drua_cameraNoise(lit, tiles, 1, 1, 4);
Ext.Drua_estimateFlatField(tiles, flat, dark, false, 1, 1, 10);
Ext.Drua_applyFlatField(tiles, flat, dark, corrected);
print("corner / middle: before " + d2s(evenness(tiles), 1) + ", after " + d2s(evenness(corrected), 1));
close("*");
Ext.Drua_pull(tiles);
Ext.Drua_pull(flat);
Ext.Drua_pull(corrected);

function evenness(stack) {
    Ext.Drua_medianZProjection(stack, typical);
    Ext.Drua_crop(typical, corner, 0, 0, 0, 16, 16, 1);
    Ext.Drua_crop(typical, middle, 56, 56, 0, 16, 16, 1);
    Ext.Drua_meanOfAllPixels(corner, corner_mean);
    Ext.Drua_meanOfAllPixels(middle, middle_mean);
    return corner_mean / middle_mean;
}
