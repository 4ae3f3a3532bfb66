// SPDX-License-Identifier: BSD-3-Clause
// Classifies pixels with a forest trained on some of them; classes depend on the grey value alone.
// expect: features 32 x 32 x 4
// expect: slice 0 is 90, gradient 10
// expect: classes 1 and 2, wrong 0
// expect: probability of class 2: 0 and 1
// expect: tiles agree: 0
// expect: mask 0 and 1
// expect: context: classes 1 and 2
folder = getDirectory("temp") + "forests" + File.separator;
setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
newImage("grey", "8-bit black", 32, 32, 1);
for (x = 0; x < 32; x++) {
    setColor(5 * x);
    fillRect(x, 0, 1, 32);
}
Ext.CLIJ2_push("grey");
newImage("truth", "8-bit black", 32, 32, 1);
setColor(1);
fillRect(0, 0, 10, 32);
setColor(2);
fillRect(20, 0, 12, 32);
Ext.CLIJ2_push("truth");
Ext.CLIJx_generateFeatureStack("grey", "features_destination", "original  GaussianBlur=2\ngradientX mean=1");
Ext.CLIJ2_getDimensions("features_destination", width, height, depth);
print("features " + width + " x " + height + " x " + depth);
Ext.CLIJ2_pull("features_destination");
shown = getImageID();
setSlice(1);
first = getPixel(18, 5);
setSlice(3);
print("slice 0 is " + first + ", gradient " + getPixel(18, 5));
Ext.CLIJx_trainWekaModelWithOptions("features_destination", "truth", folder + "a.model", 20, 2, 0);
Ext.CLIJx_applyWekaModel("features_destination", "classes_destination", folder + "a.model");
Ext.CLIJ2_pull("classes_destination");
shown = getImageID();
wrong = 0;
for (x = 0; x < 32; x++) {
    if ((x < 10 && getPixel(x, 7) != 1) || (x > 19 && getPixel(x, 7) != 2))
        wrong++;
}
print("classes " + getPixel(2, 2) + " and " + getPixel(30, 30) + ", wrong " + wrong);
Ext.CLIJx_generateWekaProbabilityMaps("features_destination", "maps_destination", folder + "a.model");
Ext.CLIJ2_pull("maps_destination");
shown = getImageID();
setSlice(2);
print("probability of class 2: " + getPixel(2, 2) + " and " + getPixel(30, 30));
Ext.CLIJxt_applyWekaModel("features_destination", "tiles_destination", folder + "a.model", 8, 8, 1, 2, 2, 0);
Ext.CLIJ2_meanSquaredError("classes_destination", "tiles_destination");
print("tiles agree: " + getResult("MSE", nResults - 1));
Ext.CLIJx_trainWekaModel("features_destination", "truth", folder + "b.model.gz");
Ext.CLIJx_binaryWekaPixelClassifier("grey", mask, "original gaussianblur=2 gradientx mean=1", folder + "b.model.gz");
Ext.CLIJ2_pull(mask);
shown = getImageID();
print("mask " + getPixel(2, 2) + " and " + getPixel(30, 30));
Ext.CLIJx_trainAutoContextWekaModel("grey", "truth", folder + "context", "original mean=1", 2, 10, 2, 0);
Ext.CLIJx_applyAutoContextWekaModel("grey", "context_destination", folder + "context", "original mean=1", 2);
Ext.CLIJ2_pull("context_destination");
shown = getImageID();
print("context: classes " + getPixel(2, 2) + " and " + getPixel(30, 30));
