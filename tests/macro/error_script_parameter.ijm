// SPDX-License-Identifier: BSD-3-Clause
// A script parameter without a value stops the macro before it begins.
// error: The script parameter sigma in line 8 has no value; pass sigma=VALUE after the macro's file
/* in a comment they do no harm:
#@ Integer (label="tau", value=2) tau
*/
run("CLIJ2 Macro Extensions", "cl_device=");
#@ Integer (label="sigma") sigma
print("not reached");
