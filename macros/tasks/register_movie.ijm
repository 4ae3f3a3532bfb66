// SPDX-License-Identifier: BSD-3-Clause
// # Register a drifting movie
//
// How far does each frame of a movie lie from the first one, and how can the movement be undone? Samples drift while
// they are recorded. The program moves a picture of nuclei along a known path: 1.5 pixels to the right and 1 pixel up
// per frame.
//
// 1. [Estimate Registration](../../docs/reference/estimate_registration.md) finds how far each frame is shifted from
//    the frame before it, and adds up these shifts. The Results table has a row for each frame.
// 2. [Apply Registration](../../docs/reference/apply_registration.md) moves the frames back. The same transforms can
//    move another channel.
// 3. The mean of all frames, before and after registration, shows the effect: movement blurs it.
//
// The last frame should lie 16.5 pixels to the right and 11 pixels up, to a tenth of a pixel. In the mean of the
// registered movie nuclei are as sharp as in one frame. In your own movie, look at the column *Correlation*: a drop of
// this value marks a frame whose registration failed. Objects must not move by more than about their size between two
// frames.
//
// words: register movie|drift correction|drift|stabilise movie|align frames|stackreg|registration
// image: frame.tif one frame
// image: before.tif mean of the drifting movie
// image: after.tif mean of the registered movie
// expect: frame 12: 16.5 to the right, 11.0 up
frames = 12;
open("macros/images/BBBC007_20P1_POS0005_D_1UL.tif");
rename("nuclei");

run("Drua Macro Extensions", "cl_device=");
frame = "frame"; before = "before"; after = "after"; // the titles of the windows
Ext.Drua_push("nuclei");
close("nuclei");
for (i = 0; i < frames; i++) {
    Ext.Drua_translate("nuclei", moved, -1.5 * i, i, 0);
    Ext.Drua_crop(moved, view, 40, 40, 0, 256, 256, 1);
    if (i == 0) Ext.Drua_copy(view, movie);
    else {
        Ext.Drua_concatenateStacks(movie, view, longer);
        Ext.Drua_release(movie);
        Ext.Drua_copy(longer, movie);
        Ext.Drua_release(longer);
    }
}
Ext.Drua_cameraNoise(movie, noisy, 5, 1, 3);
Ext.Drua_estimateRegistration(noisy, transforms, "translation", "previous");
Ext.Drua_applyRegistration(noisy, transforms, still);
x = getResult("Shift_X", frames - 1);
y = getResult("Shift_Y", frames - 1);
print("frame " + frames + ": " + d2s(x, 1) + " to the right, " + d2s(-y, 1) + " up");
Ext.Drua_copySlice(noisy, frame, 0);
Ext.Drua_meanZProjection(noisy, before);
Ext.Drua_meanZProjection(still, after);
Ext.Drua_pull(frame);
Ext.Drua_pull(before);
Ext.Drua_pull(after);
