// SPDX-License-Identifier: BSD-3-Clause
// Every pixel type of ImageJ is transferred to the device and back bit for bit. (ImageJ's getPixel keeps reading the
// image that it read before an Ext call, until getImageID() or a similar function.)
// expect: 8-bit 8 3x2x1 0 51 255
// expect: 16-bit 16 3x2x1 0 300 65535
// expect: 32-bit 32 3x2x1 -1.5 0.25 1000000000
// expect: RGB 24 3x2x1 255,128,3
// expect: RGB as planes 255 128 3
// expect: stack 16 2x2x3 7 8 9
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
there("8-bit", "8-bit black", 0, 51, 255);
there("16-bit", "16-bit black", 0, 300, 65535);
there("32-bit", "32-bit black", -1.5, 0.25, 1e9);
newImage("RGB", "RGB black", 3, 2, 1);
setPixel(2, 1, (255 << 16) | (128 << 8) | 3);
Ext.Drua_push("RGB");
Ext.Drua_pull("RGB");
fresh = getImageID();
v = getPixel(2, 1);
print("RGB", bitDepth(), extent(), "" + ((v >> 16) & 255) + "," + ((v >> 8) & 255) + "," + (v & 255));
Ext.Drua_convertFloat("RGB", parts);
Ext.Drua_pull(parts);
s = "RGB as planes";
for (z = 1; z <= nSlices; z++) {
    setSlice(z);
    s = s + " " + getPixel(2, 1);
}
print(s);

newImage("stack", "16-bit black", 2, 2, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    setPixel(1, 0, 6 + z);
}
Ext.Drua_push("stack");
Ext.Drua_pull("stack");
s = "";
for (z = 1; z <= 3; z++) {
    setSlice(z);
    s = s + " " + getPixel(1, 0);
}
print("stack", bitDepth(), extent() + s);

function there(title, type, a, b, c) {
    newImage(title, type, 3, 2, 1);
    setPixel(0, 0, a);
    setPixel(1, 0, b);
    setPixel(2, 1, c);
    Ext.Drua_push(title);
    Ext.Drua_pull(title);
    fresh = getImageID();
    print(title, bitDepth(), extent(), getPixel(0, 0), getPixel(1, 0), getPixel(2, 1));
}

function extent() {
    return "" + getWidth() + "x" + getHeight() + "x" + nSlices;
}
