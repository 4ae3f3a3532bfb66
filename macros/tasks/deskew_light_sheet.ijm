// SPDX-License-Identifier: BSD-3-Clause
// # Deskew a light sheet
//
// How do you deskew the planes of a tilted light sheet, so that each plane is at its true position? The sheet is tilted
// against the coverslip, and the stage moves along the coverslip. Each plane then starts further along y than the plane
// before it, so round objects look slanted in the stack of planes. The program draws a ball as such a microscope
// records it: the sheet is tilted by 45 degrees, and the stage moves by one pixel between planes.
//
// 1. [Deskew](../../docs/reference/deskew.md) takes the angle, the size of a pixel, and the distance that the stage
//    moves from plane to plane, both in the same unit. With the last argument `true`, z is the height above the
//    coverslip.
// 2. A threshold and [Bounding Box](../../docs/reference/bounding_box.md) give the extent of the ball along x, y and z.
//
// The three extents should be equal, within a pixel, because the ball has a radius of 20 pixels. If objects that are
// known to be round become more slanted than before, use the direction `backward`. If they are too long along one axis,
// the angle or the distance from plane to plane is wrong.
//
// words: deskew|light sheet|lattice light sheet|oblique plane
// image: recorded.tif side view (y, z) of the planes as they were recorded
// image: straight.tif side view of the straight stack: a round ball
// expect: ball: 41 x 41 x 41 pixels
angle = 45 * PI / 180;
radius = 20.5;
newImage("planes", "8-bit black", 64, 96, 100);
setColor(200);
for (plane = 0; plane < nSlices; plane++) {
    setSlice(plane + 1);
    along = 75 - plane; // along the coverslip, from the plane's start to the ball's centre, 35 above the coverslip
    row = along * cos(angle) + 35 * sin(angle);
    square = radius * radius - along * along - 35 * 35 + row * row;
    if (square > 0) fillOval(32 - sqrt(square), row - sqrt(square), 2 * sqrt(square), 2 * sqrt(square));
}

run("Drua Macro Extensions", "cl_device=");
recorded = "recorded"; straight = "straight"; // the titles of the windows
Ext.Drua_push("planes");
Ext.Drua_deskew("planes", stack, 45, 1, 1, "forward", true);
Ext.Drua_threshold(stack, mask, 100);
Ext.Drua_boundingBox(mask, x, y, z, width, height, depth);
print("ball: " + width + " x " + height + " x " + depth + " pixels");
Ext.Drua_maximumXProjection("planes", turned);
Ext.Drua_transposeXy(turned, recorded);
Ext.Drua_maximumXProjection(stack, turned_stack);
Ext.Drua_transposeXy(turned_stack, straight);
close("planes");
Ext.Drua_pull(recorded);
Ext.Drua_pull(straight);
