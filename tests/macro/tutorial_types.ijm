// SPDX-License-Identifier: BSD-3-Clause
// Conversion of numbers to each pixel type.
// only: patched
// expect: 0.0 0.0 254.0 255.0 255.0 255.0
// expect: 0.0 0.0 254.0 300.0 65535.0 65535.0
// expect: 0.0 0.0 254.0 300.0 65535.0 65535.0
// expect: 0.0 0.0 127.0 127.0 127.0 127.0
// expect: 0.0 0.0 64516.0 65025.0 65025.0 65025.0
// expect: 0.0 0.0 1.0 0.85 0.0038910506 0.0038910506
// expect: 0.0 0.0 0.0 45.0 65280.0 65280.0
// expect: -0.0 -0.0 -254.0 -255.0 -255.0 -255.0
// expect: 8
// expect: 16
// expect: 32
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
Ext.CLIJ2_pushArray(v, newArray(-1, 0.9, 254.99, 300, 70000, 1/0), 6, 1, 1);
Ext.CLIJ2_convertUInt8(v, a); Ext.CLIJ2_print(a);
Ext.CLIJ2_convertUInt16(v, b); Ext.CLIJ2_print(b);
Ext.CLIJ2_convertFloat(b, c); Ext.CLIJ2_print(c);
Ext.CLIJ2_multiplyImageAndScalar(a, d, 0.5); Ext.CLIJ2_print(d);
Ext.CLIJ2_power(a, e, 2); Ext.CLIJ2_print(e);
Ext.CLIJ2_divideImages(a, b, f); Ext.CLIJ2_undefinedToZero(f, g); Ext.CLIJ2_print(g);
Ext.CLIJ2_subtractImages(b, a, h); Ext.CLIJ2_print(h);
Ext.CLIJ2_invert(a, i); Ext.CLIJ2_print(i);
Ext.CLIJ2_pull(a); print(bitDepth); Ext.CLIJ2_pull(b); print(bitDepth); Ext.CLIJ2_pull(c); print(bitDepth);
