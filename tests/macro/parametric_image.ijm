// SPDX-License-Identifier: BSD-3-Clause
// A column of the Results table is painted into labels; the first row belongs to the background.
// only: patched
// expect: 0.0 1.5 1.5 2.5
// expect: 2.5 2.5 4.0 0.0
// expect: in an image of 8 bits 0 1 1 2
// error: CLIJ2_generateParametricImageFromResultsTableColumn: column_name: the Results table has no column 'Size'; it has 'Length'
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
lengths = newArray(0, 1.5, 2.5, 4);
for (i = 0; i < 4; i++)
    setResult("Length", i, lengths[i]);
updateResults();
newImage("labels", "8-bit black", 4, 2, 1);
numbers = newArray(0, 1, 1, 2, 2, 2, 3, 0);
for (i = 0; i < 8; i++)
    setPixel(i % 4, floor(i / 4), numbers[i]);
Ext.CLIJ2_push("labels");
Ext.CLIJ2_generateParametricImageFromResultsTableColumn("labels", map, "Length");
Ext.CLIJ2_print(map);
Ext.CLIJ2_create2D(bytes, 4, 2, 8);
Ext.CLIJ2_generateParametricImageFromResultsTableColumn("labels", bytes, "Length");
Ext.CLIJ2_pull(bytes);
print("in an image of " + bitDepth() + " bits", getPixel(0, 0), getPixel(1, 0), getPixel(2, 0), getPixel(3, 0));
Ext.CLIJ2_generateParametricImageFromResultsTableColumn("labels", map, "Size");
