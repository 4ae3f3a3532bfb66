// SPDX-License-Identifier: BSD-3-Clause
// Colour tables that only Fiji has change the colours, but neither pixels nor the display range.
// expect: 3 labels, 0 to 2.9883
// expect: 6 pairs differ
// expect: 0 to 100
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_pushArray(labels, newArray(0, 1, 2, 3), 4, 1, 1);
Ext.CLIJ2_pull(labels);
getMinAndMax(low, high);
run("glasbey_on_dark");
getStatistics(area, mean, least, most);
print("" + most + " labels, " + low + " to " + high);
getLut(reds, greens, blues);
different = 0;
for (i = 0; i < 4; i++) {
    for (j = 0; j < i; j++) {
        if (reds[i] != reds[j] || greens[i] != greens[j] || blues[i] != blues[j])
            different++;
    }
}
print("" + different + " pairs differ");
run("Green Fire Blue");
setMinAndMax(0, 100);
run("glasbey on dark");
getMinAndMax(low, high);
print("" + low + " to " + high);
