// SPDX-License-Identifier: BSD-3-Clause
// After CLIJ2's start command, a macro may release an image that does not exist, as published macros expect.
// expect: Drua ignored a release, as CLIJ2 does: there is no image 'nothing'
// expect: still running
run("CLIJ Macro Extensions", "cl_device=[GeForce]");
Ext.CLIJ2_clear();
Ext.CLIJ2_release("nothing");
print("still running");
