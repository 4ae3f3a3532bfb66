// SPDX-License-Identifier: BSD-3-Clause
// ImageJ itself reports a command that comes before the start command.
// error: Unrecognized Ext function
// error: in line 5
Ext.Drua_clear();
print("not reached");
