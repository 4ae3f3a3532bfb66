// SPDX-License-Identifier: BSD-3-Clause
// The preview of a stack shows the current slice, as computed for the whole stack.
// tick: preview
// preview: Gaussian Blur 16 x 16
// preview: brightest at 3, 10
// expect: gaussianBlur 16 4
newImage("picture", "8-bit black", 16, 16, 4);
setColor(200);
xs = newArray(2, 3, 8, 12);
for (z = 1; z <= 4; z++) {
    setSlice(z);
    fillRect(xs[z - 1], 12 - z, 1, 1);
}
setSlice(2);
run("Gaussian Blur (Drua)...");
print(getTitle(), getWidth(), nSlices);
