// SPDX-License-Identifier: BSD-3-Clause
#@ Double sigma
// error: The script parameter sigma in line 2 must be a number, got 1e400
// options: sigma=1e400
print("not reached");
