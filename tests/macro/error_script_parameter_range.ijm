// SPDX-License-Identifier: BSD-3-Clause
#@ Integer (min=1, max=9) radius
// error: The script parameter radius in line 2 must be at most 9, got 12
// options: radius=12
print("not reached");
