// SPDX-License-Identifier: BSD-3-Clause
// The window of a large table equals ImageJ's own: a new table, appended rows, a column that changes others' decimals.
// only: patched
// expect: new 3600 as ImageJ's
// expect: appended 7200 as ImageJ's
// expect: column 7200 as ImageJ's
// expect: named 10800 as ImageJ's
// expect: cleared 3600 as ImageJ's
// expect: of a column 3600 as ImageJ's
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
numbers = newArray(3600);
greys = newArray(3600);
for (i = 0; i < 3600; i++) {
    numbers[i] = i + 1;
    greys[i] = (i % 7 - 3) / pow(2, i % 13);
}
Ext.CLIJ2_pushArray(labels, numbers, 60, 60, 1);
Ext.CLIJ2_pushArray(image, greys, 60, 60, 1);
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
compare("new");
Ext.CLIJ2_statisticsOfLabelledPixels(labels, labels);
compare("appended");
Ext.CLIJ2_pushArray(column, greys, 3600, 1, 1);
Ext.CLIJ2_pullToResultsTableColumn(column, "IDENTIFIER", false);
compare("column");
setResult("Name", 17, "a text");
Ext.CLIJ2_statisticsOfLabelledPixels(image, labels);
compare("named");
run("Clear Results");
Ext.CLIJ2_statisticsOfLabelledPixels(labels, labels);
compare("cleared");
run("Clear Results");
Ext.CLIJ2_pullToResultsTableColumn(column, "X0", true);
compare("of a column");

function compare(what) {
    selectWindow("Results");
    found = getInfo("window.contents");
    updateResults();
    due = getInfo("window.contents");
    if (found == due) print(what, nResults, "as ImageJ's");
    else print(what, nResults, "not as ImageJ's");
}
