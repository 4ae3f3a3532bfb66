// SPDX-License-Identifier: BSD-3-Clause
// replaceHotPixels equals ImageJ's Remove Outliers with radius 1, and removeStripes finds the offset of each row.
// only: patched
// expect: 8-bit bright: 0 different, 90 changed
// expect: 16-bit dark: 0 different, 90 changed
// expect: 32-bit bright: 0 different, 90 changed
// expect: rows: 20.0 before, less than 2.0 after
// expect: disk: less than 2.0
run("Drua Macro Extensions", "cl_device=");
compare("8-bit", "Bright");
compare("16-bit", "Dark");
compare("32-bit", "Bright");

newImage("stripes", "32-bit black", 160, 120, 1);
for (y = 0; y < 120; y++) {
    for (x = 0; x < 160; x++)
        setPixel(x, y, 100 + 0.2 * x + 10 * (2 * (y % 2) - 1) + 300 * isInDisk(x, y));
}
Ext.Drua_push("stripes");
Ext.Drua_removeStripes("stripes", clean, "horizontal", 50, 5, 132);
before = unevenness();
disk = mean(80, 60) - mean(20, 60) - 0.2 * 60;
Ext.Drua_pull(clean);
after = unevenness();
disk = mean(80, 60) - mean(20, 60) - 0.2 * 60 - 300;
print("rows: " + d2s(before, 1) + " before, " + atMost(after, 2) + " after");
print("disk: " + atMost(abs(disk), 2));

function compare(type, which) {
    newImage("camera", type + " black", 90, 70, 2);
    for (slice = 1; slice <= 2; slice++) {
        setSlice(slice);
        for (y = 0; y < 70; y++)
            for (x = 0; x < 90; x++)
                setPixel(x, y, 100 + (x * 7 + y * 13 + slice) % 11);
        for (i = 0; i < 45; i++) {
            if (which == "Bright")
                setPixel((i * 31) % 90, (i * 17) % 70, 200);
            else
                setPixel((i * 31) % 90, (i * 17) % 70, 3);
        }
    }
    Ext.Drua_push("camera");
    Ext.Drua_replaceHotPixels("camera", repaired, 50, toLowerCase(which));
    Ext.Drua_pull(repaired);
    rename("repaired");
    selectImage("camera");
    run("Duplicate...", "title=source duplicate");
    selectImage("camera");
    run("Remove Outliers...", "radius=1 threshold=50 which=" + which + " stack");
    different = 0;
    changed = 0;
    for (slice = 1; slice <= 2; slice++) {
        for (y = 0; y < 70; y++) {
            for (x = 0; x < 90; x++) {
                selectImage("camera");
                setSlice(slice);
                theirs = getPixel(x, y);
                selectImage("repaired");
                setSlice(slice);
                different += theirs != getPixel(x, y);
                selectImage("source");
                setSlice(slice);
                changed += theirs != getPixel(x, y);
            }
        }
    }
    print(type + " " + toLowerCase(which) + ": " + different + " different, " + changed + " changed");
    close("*");
    Ext.Drua_clear();
}

function isInDisk(x, y) {
    if ((x - 80) * (x - 80) + (y - 60) * (y - 60) < 64)
        return 1;
    return 0;
}

// Mean of a 2 x 2 square, which contains both kinds of rows.
function mean(x, y) {
    return (getPixel(x, y) + getPixel(x + 1, y) + getPixel(x, y + 1) + getPixel(x + 1, y + 1)) / 4;
}

// Mean difference of a row from the next one, away from the border and the disk.
function unevenness() {
    sum = 0;
    for (y = 20; y < 40; y++)
        for (x = 20; x < 140; x++)
            sum += abs(getPixel(x, y + 1) - getPixel(x, y));
    return sum / 2400;
}

function atMost(value, limit) {
    if (value < limit)
        return "less than " + d2s(limit, 1);
    return d2s(value, 2);
}
