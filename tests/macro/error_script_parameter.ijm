// SPDX-License-Identifier: BSD-3-Clause
// Only Fiji supports script parameters; the runner's error says so.
// error: Line 8 is a script parameter (#@), which only Fiji supports
/* in a comment they do no harm:
#@ Integer (label="sigma", value=2) sigma
*/
run("CLIJ2 Macro Extensions", "cl_device=");
#@ Integer (label="sigma", value=2) sigma
print("not reached");
