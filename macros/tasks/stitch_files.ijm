// SPDX-License-Identifier: BSD-3-Clause
// # Stitch tiles from files
//
// How are many overlapping tiles joined into one image that is larger than memory? The stage says roughly where each
// tile lies; the overlaps say it exactly. The program cuts a known image into 3 x 2 tiles, darkens their corners, adds
// noise, and writes each tile to a file.
//
// 1. [Stitch Files](../../docs/reference/stitch_files.md) finds the positions of all tiles and writes a list. Names
//    with numbers, a TileConfiguration.txt of Fiji or positions in OME metadata say where the stage was.
// 2. [Process File](../../docs/reference/process_file.md) treats the list as one image. It reads the tiles block by
//    block, divides them by the flat field, and blends them. `copy` writes the mosaic; any other pipeline works too.
// 3. The Results table has the position of each tile, and how well its neighbours agree with it.
//
// For tiles with channels and frames, `channel` and `frame` choose those from which the positions are computed; all
// others are blended at the same positions. If the run stops, run the same line again to continue.
// [Stitching](../../docs/stitching.md) lists the options. Estimate the flat field of real tiles as in
// [Flat field of tiles](flat_field_of_tiles.ijm).
//
// words: stitch files|mosaic from files|grid stitching|tile scan|slide scan|many tiles|terabyte mosaic|whole slide
// image: tile.tif one of 6 tiles
// image: mosaic.tif the mosaic
// expect: 6 tiles, positions within 0.2 pixels: yes
// expect: grey values within 2 %: yes
columns = 3; rows = 2; side = 200; step = 150; tile = "tile"; // the title of a window
errorsX = newArray(0, 3, -2, 1, 4, -3); // of the stage, in pixels
errorsY = newArray(0, -4, 2, 3, -1, 2);
folder = getDirectory("temp") + "drua-stitch" + File.separator;
if (!File.isDirectory(folder)) File.makeDirectory(folder);
newImage("light", "32-bit black", side, side, 1);
for (y = 0; y < side; y++)
    for (x = 0; x < side; x++) setPixel(x, y, 1 - 0.4 * (pow(x - 99.5, 2) + pow(y - 99.5, 2)) / (2 * 99.5 * 99.5));
open("macros/images/BBBC022_nuclei.tif");
rename("scene");

run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push("light");
Ext.Drua_push("scene");
Ext.Drua_write("light", folder + "flat.tif");
for (i = 0; i < columns * rows; i++) {
    Ext.Drua_crop("scene", part, placeX(i), placeY(i), 0, side, side, 1);
    Ext.Drua_multiplyImages(part, "light", lit);
    Ext.Drua_cameraNoise(lit, tile, 1, 1, i);
    Ext.Drua_write(tile, folder + "tile_" + (i % columns + 1) + "_" + (floor(i / columns) + 1) + ".tif");
}

Ext.Drua_stitchFiles(folder + "tile_{x}_{y}.tif", folder + "tiles.csv",
    "columns=" + columns + " rows=" + rows + " overlap=25 flat=flat.tif");
Ext.Drua_processFile("copy", folder + "tiles.csv", folder + "mosaic.tif", "overwrite");

worst = 0;
for (i = 0; i < nResults; i++) {
    worst = maxOf(worst, abs(getResult("X", i) - getResult("X", 0) - placeX(i) + placeX(0)));
    worst = maxOf(worst, abs(getResult("Y", i) - getResult("Y", 0) - placeY(i) + placeY(0)));
}
print(nResults + " tiles, positions within 0.2 pixels: " + below(worst, 0.2));
Ext.Drua_read(folder + "mosaic.tif", mosaic);
Ext.Drua_meanOfAllPixels(mosaic, mosaicMean);
Ext.Drua_getDimensions(mosaic, width, height, depth);
Ext.Drua_crop("scene", truth, 40, 36, 0, width, height, 1);
Ext.Drua_meanOfAllPixels(truth, truthMean);
print("grey values within 2 %: " + below(abs(mosaicMean / truthMean - 1), 0.02));
close("*");
Ext.Drua_pull(tile);
Ext.Drua_pull(mosaic);
rename("mosaic");

function placeX(tile) { return 40 + step * (tile % columns) + errorsX[tile]; }
function placeY(tile) { return 40 + step * floor(tile / columns) + errorsY[tile]; }
function below(error, limit) { if (error < limit) return "yes"; return "no"; }
