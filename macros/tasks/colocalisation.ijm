// SPDX-License-Identifier: BSD-3-Clause
// # Colocalisation of two channels
//
// Do two proteins occur at the same places? Pearson's coefficient says whether the grey values of two channels rise and
// fall together. Manders' coefficients say which part of the light of one channel lies where the other one has signal.
// The program draws 30 spots in each channel, 20 of them at the same places.
//
// 1. A [threshold](../../docs/reference/get_automatic_threshold.md) of each blurred channel separates its signal. A
//    [top hat](../../docs/reference/top_hat_box.md) removes the background first, because background light would count
//    as signal.
// 2. [Measure Colocalization](../../docs/reference/measure_colocalization.md) adds a row for each label. One label
//    covers the whole image; a label map of cells would give one row for each cell.
// 3. Manders' M1 is the light of channel 1 where both channels are above their thresholds, divided by all light of
//    channel 1 above its threshold; M2 is the same with channels exchanged. Pearson's r needs no threshold.
//
// M1 and M2 should be near 20/30 = 0.67, and the overlay should show 20 yellow spots, 10 red and 10 green ones. Compare
// with a control: the coefficients of channel 1 and of channel 2 shifted by 10 pixels show how much overlap occurs by
// chance. The program prints this control too.
//
// words: colocalisation|colocalise|coloc|pearson|manders|overlap of channels|pearson correlation|co-localisation
// image: overlay.tif channel 1 in red, channel 2 in green, both in yellow
// expect: M1 0.65, M2 0.65
// expect: Pearson's r 0.64, by chance -0.04
newImage("one", "32-bit black", 280, 240, 1);
newImage("two", "32-bit black", 280, 240, 1);
for (i = 0; i < 40; i++) {
    x = 20 + 34 * (i % 8) + (7 * i) % 13;
    y = 20 + 46 * floor(i / 8) + (5 * i) % 11;
    if (i % 4 != 1) put("one", x, y);
    if (i % 4 != 3) put("two", x, y);
}

run("Drua Macro Extensions", "cl_device=");
channel1 = recorded("one", 1);
channel2 = recorded("two", 2);
Ext.Drua_getDimensions(channel1, width, height, depth);
Ext.Drua_create2D(everywhere, width, height, 8);
Ext.Drua_set(everywhere, 1);
measure(channel1, channel2);
print("M1 " + d2s(getResult("MANDERS_1", 0), 2) + ", M2 " + d2s(getResult("MANDERS_2", 0), 2));
r = getResult("PEARSON", 0);
Ext.Drua_circularShift(channel2, shifted, 10, 10, 0);
measure(channel1, shifted);
print("Pearson's r " + d2s(r, 2) + ", by chance " + d2s(getResult("PEARSON", 0), 2));
close("*");
Ext.Drua_pull(channel1);
Ext.Drua_pull(channel2);
run("Merge Channels...", "c1=channel_1 c2=channel_2");
rename("overlay");

function put(image, x, y) {
    selectImage(image);
    setPixel(x, y, 4000);
}

// The image of points as a microscope and a camera show it, without its background.
function recorded(points, number) {
    channel = "channel_" + number;
    Ext.Drua_push(points);
    Ext.Drua_gaussianBlur(points, light, 2.5, 2.5, 0);
    Ext.Drua_addImageAndScalar(light, bright, 20);
    Ext.Drua_cameraNoise(bright, noisy, 1, 1, number);
    Ext.Drua_gaussianBlur(noisy, smooth, 1, 1, 0);
    Ext.Drua_topHatBox(smooth, channel, 10, 10, 0);
    return channel;
}

// Measures both channels above Otsu's thresholds.
function measure(a, b) {
    Ext.Drua_getAutomaticThreshold(a, "Otsu", threshold1);
    Ext.Drua_getAutomaticThreshold(b, "Otsu", threshold2);
    run("Clear Results");
    Ext.Drua_measureColocalization(a, b, everywhere, "threshold1=" + threshold1 + " threshold2=" + threshold2);
}
