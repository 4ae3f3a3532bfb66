// SPDX-License-Identifier: BSD-3-Clause
// source: clij/clij2-docs md/working_with_rois/readme.md 0178ec68597c253e90e38855142e8a754d0067e8
// input: blobs.gif
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
