// SPDX-License-Identifier: BSD-3-Clause
// The eSRRF dialog estimates time and memory for the movie, and previews the result for the selected part.
// tick: preview
// tick: estimate
// preview: preview of movie 100 x 80
// estimate: s for 30 frames
// estimate: for the result of 160 x 160 x 1 pixels
// expect: esrrf 160 x 160, 2 images
// recorded: Ext.Drua_esrrf(source1, destination2, "", frames4);
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_blinkingEmitters(movie, truth, 32, 32, 30, 300, 1.2, 400, 20, 2, 0.03, 1, 0, 0);
Ext.Drua_pull(movie);
rename("movie");
Ext.Drua_clear();
makeRectangle(4, 6, 20, 16);
run("Record...");
selectImage("movie");
run("eSRRF (Drua)...");
print(getTitle(), getWidth() + " x " + getHeight() + ", " + nImages + " images");
