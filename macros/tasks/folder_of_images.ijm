// SPDX-License-Identifier: BSD-3-Clause
// # Process a folder of images
//
// How are all images of a folder processed alike, and their results saved? Put the steps into a macro for one image,
// and call it for every file. The program does this for the sample images of the project.
//
// 1. [batch.ijm](../examples/batch.ijm) takes a macro, a folder of TIFF images, and a folder for results.
// 2. It calls [one_image.ijm](../examples/one_image.ijm) for each image: read, blur, threshold, label, write. Replace
//    its steps with yours, such as those of [Count nuclei](count_nuclei.ijm).
// 3. It writes `summary.csv` with a row for each image. If an image fails, the program continues with the next one, and
//    the row of the image says why it failed.
//
// Compare the rows. If the count of an image differs much from the others, look at its label file. To continue
// after an interruption, run the same line again. Images that are done and have not changed are skipped. The macro also
// runs without a display: `./dev macro macros/examples/batch.ijm "macros/examples/one_image.ijm,FOLDER,RESULTS"`.
//
// words: batch|folder of images|many images|process a folder|batch processing|all files of a folder|loop over files
// image: image.tif one of the images
// labels: labels.tif its labels, from the folder of results
// expect: 6 images
// expect: BBBC007_17P1_POS0013_D_1UL.tif,41
// expect: BBBC007_20P1_POS0005_D_1UL.tif,37
// expect: BBBC007_20P1_POS0007_D_1UL.tif,65
// expect: BBBC007_20P1_POS0010_D_1UL.tif,50
// expect: BBBC007_AS_09125_040701150004_A02f00d0.tif,19
// expect: BBBC022_nuclei.tif,66
results = getDirectory("temp") + "drua-folder" + File.separator;
if (!File.isDirectory(results)) File.makeDirectory(results);
runMacro("macros/examples/batch.ijm", "macros/examples/one_image.ijm,macros/images," + results);

rows = split(File.openAsString(results + "summary.csv"), "\n");
print((rows.length - 1) + " images");
for (i = 1; i < rows.length; i++) print(rows[i]);
open("macros/images/BBBC007_17P1_POS0013_D_1UL.tif");
rename("image");
open(results + "BBBC007_17P1_POS0013_D_1UL_labels.tif");
rename("labels");
