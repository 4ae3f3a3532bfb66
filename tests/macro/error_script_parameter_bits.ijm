// SPDX-License-Identifier: BSD-3-Clause
#@ Byte threshold
// error: The script parameter threshold in line 2 must be a whole number from -128 to 127, got 300
// options: threshold=300
print("not reached");
