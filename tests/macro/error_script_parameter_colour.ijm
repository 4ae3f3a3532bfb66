// SPDX-License-Identifier: BSD-3-Clause
#@ ColorRGB (value="red") outline
// error: The script parameter outline in line 2 must be a colour such as red, #ff8000 or 255,128,0, got 300,0,0
// options: outline=300,0,0
print("not reached");
