// SPDX-License-Identifier: BSD-3-Clause
#@ String (choices={"Otsu", "Li"}, style="radioButtons") method
// error: The script parameter method in line 2 must be one of Otsu, Li, got Moments
// options: method=Moments
print("not reached");
