// SPDX-License-Identifier: BSD-3-Clause
// CLIJ2's rules for destinations: new names are assigned, known names are overwritten, and loops do not leak.
// expect: named 1
// expect: same name 1
// expect: own name mine 1
// expect: in an array 1
// expect: images 5
run("CLIJ2 Macro Extensions", "cl_device=");
Ext.CLIJ2_clear();
newImage("a", "8-bit ramp", 8, 8, 1);
Ext.CLIJ2_push("a");
Ext.CLIJ2_copy("a", b);
print("named", startsWith(b, "CLIJ2_copy_result"));
before = b;
for (i = 0; i < 3; i++)
    Ext.CLIJ2_copy("a", b);
print("same name", same(b, before));
c = "mine";
Ext.CLIJ2_copy("a", c);
Ext.CLIJ2_pull("mine");
print("own name", c, same(getTitle(), "mine"));
d = newArray(2);
Ext.CLIJ2_copy("a", d[1]);
print("in an array", startsWith("" + d[1], "CLIJ2_copy_result"));
e = 5;
Ext.CLIJ2_copy("a", e);
Ext.CLIJ2_getTimeTracing(trace);
function images() {
    run("CLIJ2 Macro Extensions", "cl_device=");
    copied = "";
    Ext.CLIJ2_copy("mine", copied);
    Ext.CLIJ2_release(copied);
    return 5;
}
print("images", images());

// print() does not accept comparisons.
function same(a, b) {
    if (a == b)
        return 1;
    return 0;
}
