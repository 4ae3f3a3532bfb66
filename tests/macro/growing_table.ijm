// SPDX-License-Identifier: BSD-3-Clause
// The window of a table that grows by several rows shows the table's content, also after existing rows have changed.
// only: patched
// expect: X0 X1; 1 1 2; 2 3 4; 3 1 2; 4 3 4;
// expect: X0 X1; 1 7 2; 2 3 4; 3 1 2; 4 3 4; 5 1 2; 6 3 4;
// expect: X0 X1 Name; 1 7 2 a; 2 3 4 0; 3 1 2 0; 4 3 4 0; 5 1 2 0; 6 3 4 0; 7 1 2 0; 8 3 4 0;
// expect: X0 X1; 1 1 2; 2 3 4;
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
run("Clear Results");
Ext.CLIJ2_pushArray2D(numbers, newArray(1, 2, 3, 4), 2, 2);
Ext.CLIJ2_pullToResultsTable(numbers);
Ext.CLIJ2_pullToResultsTable(numbers);
printWindow();
setResult("X0", 0, 7);
updateResults();
Ext.CLIJ2_pullToResultsTable(numbers);
printWindow();
setResult("Name", 0, "a");
Ext.CLIJ2_pullToResultsTable(numbers);
printWindow();
run("Clear Results");
Ext.CLIJ2_pullToResultsTable(numbers);
printWindow();

function printWindow() {
    selectWindow("Results");
    print(String.trim(replace(replace(getInfo("window.contents"), "\t", " "), "\n", "; ")));
}
