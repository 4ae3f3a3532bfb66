// SPDX-License-Identifier: BSD-3-Clause
#@ Integer (value=1) sigma
// error: There is no script parameter 'sigm'; did you mean sigma?
// options: sigm=2
print("not reached");
