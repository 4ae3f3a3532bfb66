// SPDX-License-Identifier: BSD-3-Clause
// Script parameters as many published macros write them: attributes after the name, lists of files, colours. As in
// Fiji, they are variables that functions and the values of other variables can use, wherever in the file they are.
// options: files=a.tif,b.tif
// expect: 4 3
// expect: 2 a.tif b.tif
// expect: 255,165,0 0,128,255 1,2,3
// expect: unset 0
// expect: in function 3
var twice = 2 * width;
#@ String title (value="<b>Widths</b> (v1), in pixels", visibility="MESSAGE")
#@ Integer width (label = "width (pixels)", value = 2, min=-2.5, description="half of the width, or \"0\".")
#@ File[] files (style="File")
#@ ColorRGB cells (value="orange")
#@ ColorRGB foci (value="#0080FF")
#@ ColorRGB(value="1, 2, 3") rims
#@ File folder (required=false)
print(twice, height);
#@ Integer (value=3) height
print(files.length, File.getName(files[0]), File.getName(files[1]));
print(cells, foci, rims);
print("unset", folder);
show();
function show() {
    print("in function", height);
}
