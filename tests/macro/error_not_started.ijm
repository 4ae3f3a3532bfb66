// SPDX-License-Identifier: BSD-3-Clause
// Commands before the start are ImageJ's own error.
// error: Unrecognized Ext function
// error: in line 5
Ext.Drua_clear();
print("not reached");
