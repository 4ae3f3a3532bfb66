// SPDX-License-Identifier: BSD-3-Clause
// Names and texts keep every character.
// expect: µm é😀 1
run("Drua Macro Extensions", "cl_device=");
Ext.Drua_clear();
name = "µm é😀";
newImage(name, "8-bit ramp", 8, 8, 1);
Ext.Drua_push(name);
copy = name + " copy";
Ext.Drua_copy(name, copy);
Ext.Drua_pull(copy);
same = 0;
if (getTitle() == copy)
    same = 1;
print(name, same);
