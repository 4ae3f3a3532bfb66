// SPDX-License-Identifier: BSD-3-Clause
// # Colocalisation of two channels
//
// Do two proteins occur at the same places? Pearson's coefficient says whether the grey values of two channels rise and
// fall together. Manders' coefficients say which part of the light of one channel lies where the other one has signal.
// The program draws 30 spots in each channel, 20 of them at the same places.
//
// 1. A [threshold](../../docs/reference/automatic_threshold.md) of each blurred channel marks its signal. A
//    [top hat](../../docs/reference/top_hat_box.md) removes the background first, because background light would count
//    as signal.
// 2. Manders' M1 is the light of channel 1 inside the mask of channel 2, divided by all light inside the mask of
//    channel 1; M2 is the same with channels exchanged.
// 3. Pearson's r comes from the means of both channels and of their product.
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
Ext.Drua_automaticThreshold(channel1, mask1, "Otsu");
Ext.Drua_automaticThreshold(channel2, mask2, "Otsu");
print("M1 " + d2s(inside(channel1, mask1, mask2), 2) + ", M2 " + d2s(inside(channel2, mask2, mask1), 2));
Ext.Drua_circularShift(channel2, shifted, 10, 10, 0);
print("Pearson's r " + d2s(pearson(channel1, channel2), 2) + ", by chance " + d2s(pearson(channel1, shifted), 2));
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

// The part of the light in a mask that another mask contains too.
function inside(channel, mask, other) {
    Ext.Drua_mask(channel, mask, all);
    Ext.Drua_mask(all, other, common);
    Ext.Drua_sumOfAllPixels(all, total);
    Ext.Drua_sumOfAllPixels(common, part);
    return part / total;
}

function pearson(a, b) {
    Ext.Drua_multiplyImages(a, b, product);
    Ext.Drua_meanOfAllPixels(product, mean_ab);
    Ext.Drua_meanOfAllPixels(a, mean_a);
    Ext.Drua_meanOfAllPixels(b, mean_b);
    Ext.Drua_standardDeviationOfAllPixels(a, deviation_a);
    Ext.Drua_standardDeviationOfAllPixels(b, deviation_b);
    return (mean_ab - mean_a * mean_b) / (deviation_a * deviation_b);
}
