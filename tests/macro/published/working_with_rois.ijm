// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/working_with_rois/readme.md 0178ec68597c253e90e38855142e8a754d0067e8
// input: blobs.gif
// A box of CLIJ2 starts at 1 if the object touches column or row 0. ImageJ's particle analyzer gives Drua's areas.
// Drua: 2 0,780
// Drua: 3 1,231
// Drua: 4 2,756
// Drua: 5 3,529
// Drua: 6 4,551
// Drua: 11 9,42
// Drua: 26 24,608
// Drua: 38 36,336
// Drua: 55 53,286
run("CLIJ2 Macro Extensions", "cl_device=");
open(getArgument() + "/blobs.gif");
blobs = getTitle();
Ext.CLIJ2_push(blobs);
Ext.CLIJ2_thresholdOtsu(blobs, binary);
Ext.CLIJ2_connectedComponentsLabelingBox(binary, labels);
Ext.CLIJ2_getMaximumOfAllPixels(labels, count);
for (i = 0; i < count; i++) {
    Ext.CLIJ2_labelToMask(labels, mask, i + 1);
    Ext.CLIJ2_getBoundingBox(mask, x, y, z, width, height, depth);
    setResult("ROI_number", i, i);
    setResult("Bounding_Box_Area", i, width * height);
}
