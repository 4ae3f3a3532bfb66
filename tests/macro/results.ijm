// SPDX-License-Identifier: BSD-3-Clause
// The Results table becomes images and back. Rows are added, never cleared.
// only: patched
// expect: 3 rows
// expect: 1.0 4.0
// expect: 2.0 5.0
// expect: 3.0 6.0
// expect: 4.0 5.0 6.0
// expect: 6 rows, X1 of the last 6
// expect: Copy 4 5 6
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
run("Clear Results");
for (i = 0; i < 3; i++) {
    setResult("A", i, i + 1);
    setResult("B", i, i + 4);
}
updateResults();
print(nResults, "rows");
Ext.Drua_pushResultsTable(table);
Ext.Drua_print(table);
Ext.Drua_pushResultsTableColumn(column, "B");
Ext.Drua_print(column);
Ext.Drua_pullToResultsTable(table);
print("" + nResults + " rows, X1 of the last " + getResult("X1", nResults - 1));
Ext.Drua_pullToResultsTableColumn(column, "Copy", false);
print("Copy", getResult("Copy", 3), getResult("Copy", 4), getResult("Copy", 5));
