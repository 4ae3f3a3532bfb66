// SPDX-License-Identifier: BSD-3-Clause
// A folder of images, a function that counts objects, a file of results.
// only: patched
// expect: File,Count
// expect: img0.tif,1
// expect: img1.tif,2
// expect: img2.tif,3
// expect:
setBatchMode(true);
run("CLIJ2 Macro Extensions", "cl_device=");
dir = getDirectory("temp") + "clijloop" + File.separator;
File.makeDirectory(dir);
for (i = 0; i < 3; i++) {
  newImage("img" + i, "8-bit black", 40, 40, 1);
  for (j = 0; j <= i; j++) { makeOval(2 + j * 12, 5, 8, 8); setColor(200); fill(); }
  run("Select None");
  saveAs("Tiff", dir + "img" + i + ".tif"); close();
}
list = getFileList(dir); Array.sort(list);
f = File.open(dir + "results.csv");
print(f, "File,Count");
for (i = 0; i < list.length; i++) {
  if (endsWith(list[i], ".tif")) {
    open(dir + list[i]);
    n = countObjects(getTitle());
    print(f, list[i] + "," + n);
    close();
  }
}
File.close(f);
print(File.openAsString(dir + "results.csv"));
function countObjects(image) {
  Ext.CLIJ2_push(image);
  Ext.CLIJ2_threshold(image, binary, 100);
  Ext.CLIJ2_connectedComponentsLabelingBox(binary, labels);
  Ext.CLIJ2_getMaximumOfAllPixels(labels, count);
  Ext.CLIJ2_clear();
  return count;
}
