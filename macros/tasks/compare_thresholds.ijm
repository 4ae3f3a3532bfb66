// SPDX-License-Identifier: BSD-3-Clause
// # Threshold methods compared
//
// Which automatic threshold fits an image? Each method reads the histogram in its own way. The program applies five of
// them to the same nuclei.
//
// 1. [Get Automatic Threshold](../../docs/reference/get_automatic_threshold.md) gives the grey value that a method
//    chooses.
// 2. [Automatic Threshold](../../docs/reference/automatic_threshold.md) makes the mask. Otsu's method suits two groups
//    of about the same size. Triangle and Li suit few bright objects on much background. Yen suits
//    nuclei of very different brightness.
// 3. The mean of a mask of 0 and 1 is the part of the picture that the mask covers.
//
// Compare outlines with the picture, not with each other. A method fits if dim nuclei are whole and the gaps between
// nuclei stay dark. Use the same method for all images of an experiment, and report it. ImageJ has the same methods;
// its *Image > Adjust > Threshold* should give the same grey values, within one of the 256 steps of the histogram.
//
// words: compare thresholds|which threshold|threshold methods|best threshold|choose threshold|auto threshold
// image: nuclei.tif nuclei
// image: Otsu.tif Otsu
// image: Li.tif Li
// image: Triangle.tif Triangle
// image: Yen.tif Yen
// image: IsoData.tif IsoData
// expect: Otsu: from grey value 408 on, 13 % of the picture; ImageJ: from 417 on
// expect: Li: from grey value 311 on, 15 % of the picture; ImageJ: from 319 on
// expect: Triangle: from grey value 238 on, 18 % of the picture; ImageJ: from 246 on
// expect: Yen: from grey value 262 on, 17 % of the picture; ImageJ: from 262 on
// expect: IsoData: from grey value 408 on, 13 % of the picture; ImageJ: from 417 on
open("macros/images/BBBC022_nuclei.tif");
rename("nuclei");
methods = newArray("Otsu", "Li", "Triangle", "Yen", "IsoData");

run("Drua Macro Extensions", "cl_device=");
Ext.Drua_push("nuclei");
for (i = 0; i < methods.length; i++) {
    mask = methods[i];
    Ext.Drua_getAutomaticThreshold("nuclei", methods[i], grey);
    Ext.Drua_automaticThreshold("nuclei", mask, methods[i]);
    Ext.Drua_meanOfAllPixels(mask, part);
    Ext.Drua_pull(mask);
    text = "from grey value " + d2s(grey, 0) + " on, " + d2s(100 * part, 0) + " % of the picture";
    selectImage("nuclei");
    setAutoThreshold(methods[i] + " dark");
    getThreshold(lower, upper);
    print(methods[i] + ": " + text + "; ImageJ: from " + lower + " on");
}
