// SPDX-License-Identifier: BSD-3-Clause
// A virtual stack is read plane by plane.
// only: patched
// expect: 1 virtual
// expect: 11 12 13
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("stack", "16-bit black", 4, 4, 3);
for (z = 1; z <= 3; z++) {
    setSlice(z);
    setPixel(2, 2, 10 + z);
}
path = getDirectory("temp") + "drua-virtual-" + getTime() + ".tif";
saveAs("tiff", path);
close();
run("TIFF Virtual Stack...", "open=[" + path + "]");
rename("disk");
print(is("Virtual Stack"), "virtual");
Ext.Drua_push("disk");
ok = File.delete(path);
Ext.Drua_copy("disk", copy);
Ext.Drua_pull(copy);
text = "";
for (z = 1; z <= 3; z++) {
    setSlice(z);
    text = text + getPixel(2, 2) + " ";
}
print(String.trim(text));
