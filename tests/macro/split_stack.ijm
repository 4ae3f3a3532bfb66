// SPDX-License-Identifier: BSD-3-Clause
// Interleaved stacks are separated; slices that do not fill a part are dropped.
// expect: 2: 1 3 5 7 9 11 13 15 17 19 21 23 25 | 2 4 6 8 10 12 14 16 18 20 22 24 26
// expect: 5: 1 6 11 16 21 | 2 7 12 17 22 | 5 10 15 20 25
// expect: 12: 1 13 | 12 24
// expect: fused as the parts are 1
// expect: along x as maximumXProjection 1, along y 1
// expect: wrong axes
// error: CLIJ_maximumXYZProjection: dimension_x, dimension_y and projected_dimension must be three different axes, got 0, 0 and 2
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
numbers = newArray(26);
for (i = 0; i < 26; i++)
    numbers[i] = i + 1;
Ext.CLIJ2_pushArray(stack, numbers, 1, 1, 26);
Ext.CLIJx_splitStackInto2(stack, "a", "b");
print("2: " + slices("a") + " | " + slices("b"));
Ext.CLIJx_splitStackInto5(stack, "a5", "b5", "c5", "d5", "e5");
print("5: " + slices("a5") + " | " + slices("b5") + " | " + slices("e5"));
Ext.CLIJx_splitStackInto12(stack, "a12", "b12", "c12", "d12", "e12", "f12", "g12", "h12", "i12", "j12", "k12", "l12");
print("12: " + slices("a12") + " | " + slices("l12"));
Ext.CLIJ2_create3D(noise, 20, 15, 8, 32);
Ext.CLIJ2_setRandom(noise, 1, 100, 7);
Ext.CLIJx_splitStackInto2(noise, "even", "odd");
Ext.CLIJx_tenengradFusion(noise, "all", 2, 3, 2, 1, 1);
Ext.CLIJx_tenengradFusionOf2("even", "odd", "both", 3, 2, 1);
Ext.CLIJ2_matrixEqual("all", "both", 0);
print("fused as the parts are", getResult("MatrixEqual", nResults - 1));
Ext.CLIJ_maximumXYZProjection(noise, "chosen", 2, 1, 0);
Ext.CLIJ2_maximumXProjection(noise, side);
Ext.CLIJ2_matrixEqual("chosen", side, 0);
same = getResult("MatrixEqual", nResults - 1);
Ext.CLIJ_maximumXYZProjection(noise, "chosen2", 0, 2, 1);
Ext.CLIJ2_maximumYProjection(noise, top);
Ext.CLIJ2_matrixEqual("chosen2", top, 0);
print("along x as maximumXProjection " + same + ", along y " + getResult("MatrixEqual", nResults - 1));
print("wrong axes");
Ext.CLIJ_maximumXYZProjection(noise, "chosen3", 0, 0, 2);

function slices(name) {
    Ext.CLIJ2_pullString(name, text);
    parts = split(text, "\n");
    found = "";
    for (i = 0; i < parts.length; i++) {
        if (lengthOf(parts[i]) > 0)
            found = found + " " + d2s(parseFloat(parts[i]), 0);
    }
    return substring(found, 1);
}
