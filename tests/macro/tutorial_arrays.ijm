// SPDX-License-Identifier: BSD-3-Clause
// Results stored in elements of arrays; numbers as arrays and as text.
// expect: 0, 2, 4
// expect: 2, 2, 4
// expect: 1.0 2.0 3.0
// expect: 4.0 5.0 6.0
// expect: 1.0 2.0 3.0
// expect: 4.0 5.0 6.0
// expect: 3 2 2
// expect: 1.0 4.0
// expect: 2.0 5.0
// expect: 3.0 6.0
// expect:
// expect: 7.0 0.0
// expect: 8.0 0.0
// expect: 9.0 1.0
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
results = newArray(3);
names = newArray("x1", "x2", "x3");
for (i = 0; i < 3; i++) {
  n = names[i];
  Ext.CLIJ2_create2D(n, 10, 10, 32);
  Ext.CLIJ2_set(n, i * 2);
  Ext.CLIJ2_getMeanOfAllPixels(n, m);
  results[i] = m;
}
Array.print(results);
Ext.CLIJ2_getMeanOfAllPixels("x2", results[0]);
Array.print(results);
Ext.CLIJ2_pushArray(v, newArray(1,2,3,4,5,6), 3, 2, 1);
Ext.CLIJ2_print(v);
Ext.CLIJ2_pullString(v, str);
print(str);
Ext.CLIJ2_pushString(img, "1 2 3\n4 5 6\n\n7 8 9\n0 0 1", 3, 2, 2);
Ext.CLIJ2_getDimensions(img, w, h, d); print(w, h, d);
Ext.CLIJ2_transposeXY(img, t); Ext.CLIJ2_print(t);
