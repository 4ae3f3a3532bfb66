// SPDX-License-Identifier: BSD-3-Clause
#@ Integer (label="radius, in pixels", min=1, max=9, value=3) radius
#@ Double(value = 0.5) sigma
#@ Boolean (value=true) inverted
#@ String (choices={"Otsu", "Li"}) method
#@ String (visibility=MESSAGE, value="a \"note\"", required=false) note
#@ File (style="directory", value="/nowhere") folder
#@File[] (required=false) files
#@ String empty
#@ BigInteger (value=20000000000000000000) big
#@output Double total
#@ output ImagePlus image
// Script parameters have values of the command line or of the macro, and outputs are printed.
// options: sigma=1.25 method=Li empty= radius=7
// expect: 7 1.25 1 Li a "note" /nowhere
// expect: the text is empty
// expect: 2 e19
// expect: after the parameters
// expect: total = 8.25
print(radius, sigma, inverted, method, note, folder);
if (lengthOf(empty) == 0) print("the text is empty");
print(big / 1e19, "e19");
print("after the parameters");
total = radius + sigma;
