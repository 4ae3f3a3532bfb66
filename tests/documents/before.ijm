// SPDX-License-Identifier: BSD-3-Clause
// The images that macros in the documents use: open, on the device, and as variables with their titles.
run("Drua Macro Extensions", "cl_device=");
image = "image";
psf = "psf";
movie = "movie";
stack = "stack";
newImage("stack", "16-bit ramp", 40, 32, 8);
newImage("image", "16-bit black", 40, 32, 8);
for (z = 3; z < 7; z++) {
    setSlice(z);
    setColor(200 + 20 * z);
    fillOval(12, 10, 9, 9);
}
run("Add...", "value=110 stack");
newImage("psf", "32-bit black", 9, 9, 5);
setSlice(3);
setPixel(4, 4, 1);
run("Gaussian Blur 3D...", "x=1 y=1 z=1");
newImage("movie", "16-bit noise", 24, 20, 20);
newImage("cells.tif", "16-bit grayscale-mode ramp", 16, 16, 2, 3, 2);
newImage("section1", "16-bit ramp", 40, 32, 1);
newImage("section2", "16-bit ramp", 40, 32, 1);
newImage("labels", "8-bit black", 16, 16, 4);
setColor(1);
fillRect(3, 3, 5, 5);
newImage("mask", "8-bit white", 24, 20, 1);
for (view = 1; view < 3; view++) {
    newImage("view" + view, "16-bit black", 40, 32, 8);
    for (z = 3; z < 7; z++) {
        setSlice(z);
        setColor(200 + 20 * z);
        fillOval(12 + view, 10, 9, 9);
    }
    run("Gaussian Blur 3D...", "x=2 y=2 z=1");
}
path = getDirectory("temp") + "landmarks.csv";
File.saveString("2,3,4,3\n30,4,31,4\n5,28,5,27\n33,25,33,26\n", path);
titles = newArray("stack", "image", "psf", "movie", "section1", "section2", "labels", "mask", "view1", "view2");
for (i = 0; i < titles.length; i++)
    Ext.Drua_push(titles[i]);
Ext.Drua_copySlice("image", gaussianBlur1, 3);
Ext.Drua_copySlice("image", image1, 3);
other = "image";
selectImage("image");
labels = "labels";
