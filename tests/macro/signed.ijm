// SPDX-License-Identifier: BSD-3-Clause
// ImageJ stores signed 16-bit data as unsigned numbers with a calibration function; both are transferred.
// only: patched
// expect: pushed -32768 -1 32767
// expect: pulled -32768 -1 32767
// expect: 32-bit 0 32767 65535
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
newImage("raw", "16-bit black", 3, 1, 1);
setPixel(0, 0, 32768);
setPixel(1, 0, 65535);
setPixel(2, 0, 32767);
path = getDirectory("temp") + "drua-signed-" + getTime() + ".raw";
saveAs("raw data", path);
run("Raw...", "open=[" + path + "] image=[16-bit Signed] width=3 height=1 offset=0 number=1 gap=0");
ok = File.delete(path);
rename("signed");
show("pushed");
Ext.Drua_push("signed");
Ext.Drua_copy("signed", copy);
Ext.Drua_pull(copy);
show("pulled");
Ext.Drua_convertFloat("signed", numbers);
Ext.Drua_pull(numbers);
show("32-bit");

function show(what) {
    print(what, calibrate(getPixel(0, 0)), calibrate(getPixel(1, 0)), calibrate(getPixel(2, 0)));
}
