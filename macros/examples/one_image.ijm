// SPDX-License-Identifier: BSD-3-Clause
// A template for batch.ijm that processes one image. Argument: "IMAGE,RESULTS". Put your steps between read and write.

given = getArgument();
comma = lastIndexOf(given, ","); // the image's name may also contain commas
image_file = substring(given, 0, comma);
results = substring(given, comma + 1);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
Ext.Drua_read(image_file, image);
Ext.Drua_gaussianBlur(image, blurred, 2, 2, 0);
Ext.Drua_thresholdOtsu(blurred, mask);
Ext.Drua_connectedComponentsLabelingBox(mask, labels);
Ext.Drua_maximumOfAllPixels(labels, count);
Ext.Drua_write(labels, results + File.separator + File.getNameWithoutExtension(image_file) + "_labels.tif");
Ext.Drua_clear();
return "" + count;
