// SPDX-License-Identifier: BSD-3-Clause
// Interleaved stacks come apart; slices that fill no part are left out.
// expect: 2: 1 3 5 7 9 11 13 15 17 19 21 23 25 | 2 4 6 8 10 12 14 16 18 20 22 24 26
// expect: 5: 1 6 11 16 21 | 2 7 12 17 22 | 5 10 15 20 25
// expect: 12: 1 13 | 12 24
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
