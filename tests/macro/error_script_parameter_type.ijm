// SPDX-License-Identifier: BSD-3-Clause
#@ Dataset input
// error: The script parameter input in line 2 has the type Dataset, which needs Fiji
// options: input=here
print("not reached");
