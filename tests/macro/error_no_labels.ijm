// SPDX-License-Identifier: BSD-3-Clause
// A label map without labels cannot be measured.
// error: labels: 'empty' contains no labels, because all its pixels are 0; label objects first
run("Drua Macro Extensions", "cl_device=");
newImage("empty", "8-bit black", 8, 8, 1);
Ext.Drua_push("empty");
Ext.CLIJx_generateLabelFeatureImage("empty", "empty", "features", "PIXEL_COUNT mean_intensity");
