// SPDX-License-Identifier: BSD-3-Clause
// A template for batch.ijm: what is done with one image. Argument: "IMAGE,RESULTS". Put your own steps between read and write.

given = split(getArgument(), ",");
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
Ext.Drua_read(given[0], image);
Ext.Drua_gaussianBlur(image, blurred, 2, 2, 0);
Ext.Drua_thresholdOtsu(blurred, mask);
Ext.Drua_connectedComponentsLabelingBox(mask, labels);
Ext.Drua_maximumOfAllPixels(labels, count);
Ext.Drua_write(labels, given[1] + File.separator + File.getNameWithoutExtension(given[0]) + "_labels.tif");
Ext.Drua_clear();
return "" + count;
