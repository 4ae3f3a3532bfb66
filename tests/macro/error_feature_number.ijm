// SPDX-License-Identifier: BSD-3-Clause
// A feature whose number is missing is not the feature with the number 0.
// error: features: the number of 'gaussianblur=' must be 0 to 1000
// error: in line 7
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_pushArray2D(image, newArray(1, 2, 3, 4), 2, 2);
Ext.Drua_generateFeatureStack(image, features, "original gaussianblur=");
