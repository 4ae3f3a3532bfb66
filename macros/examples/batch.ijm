// SPDX-License-Identifier: BSD-3-Clause
// Runs a macro on every TIFF image of a folder, and goes on where one fails. Argument: "MACRO.ijm,FOLDER,RESULTS"; in ImageJ's window it asks.
//   ./dev macro macros/examples/batch.ijm "macros/examples/one_image.ijm,FOLDER,RESULTS"
// The macro gets "IMAGE,RESULTS" as its argument and returns what is to stand beside the image's name in RESULTS/summary.csv.
// Failed images are named at the end, which is then an error: the exit status is 0 only if all went well.

given = split(getArgument(), ",");
if (given.length == 3) {
    macro_file = given[0];
    folder = given[1];
    results = given[2];
} else if (given.length == 0) {
    macro_file = File.openDialog("Macro for one image");
    folder = getDirectory("Folder of images");
    results = getDirectory("Folder for results");
} else {
    exit("batch: the argument must be MACRO.ijm,FOLDER,RESULTS, got " + getArgument());
}
if (!File.exists(macro_file)) exit("batch: there is no macro " + macro_file);
if (!File.isDirectory(folder)) exit("batch: there is no folder " + folder);
if (!File.isDirectory(results)) File.makeDirectory(results);
if (!File.isDirectory(results)) exit("batch: the folder " + results + " cannot be made");

setBatchMode(true);
open_before = open_images();
images = images_of(folder);
if (images.length == 0) exit("batch: " + folder + " has no images whose names end in .tif or .tiff");
summary = "image,result\n";
failed = "";
failures = 0;
start = getTime();
for (i = 0; i < images.length; i++) {
    left = "";
    if (i > 0) left = ", " + duration((getTime() - start) / i * (images.length - i)) + " left";
    print((i + 1) + " of " + images.length + left + ": " + images[i]);
    showStatus((i + 1) + " of " + images.length + left);
    showProgress(i, images.length);
    result = runMacro(macro_file, folder + File.separator + images[i] + "," + results);
    close_all_but(open_before);
    if (result == "[aborted]") {
        result = "failed";
        failed = failed + ", " + images[i];
        failures++;
    }
    summary = summary + images[i] + "," + result + "\n";
    File.saveString(summary, results + File.separator + "summary.csv");
}
print((images.length - failures) + " of " + images.length + " images done in " + duration(getTime() - start));
if (failures > 0) exit("batch: " + failures + " of " + images.length + " images failed: " + substring(failed, 2) + "; what was wrong stands above");

function images_of(folder) {
    files = getFileList(folder);
    found = newArray(0);
    for (i = 0; i < files.length; i++) {
        if (matches(toLowerCase(files[i]), ".*\\.tiff?")) found = Array.concat(found, files[i]);
    }
    return found;
}

function open_images() {
    ids = newArray(nImages);
    for (k = 0; k < ids.length; k++) {
        selectImage(k + 1);
        ids[k] = getImageID();
    }
    return ids;
}

function close_all_but(kept) {
    open_now = open_images();
    for (k = 0; k < open_now.length; k++) {
        is_kept = false;
        for (j = 0; j < kept.length; j++) is_kept = is_kept || kept[j] == open_now[k];
        if (!is_kept) {
            selectImage(open_now[k]);
            close();
        }
    }
}

function duration(milliseconds) {
    seconds = round(milliseconds / 1000);
    if (seconds < 120) return "" + seconds + " s";
    if (seconds < 7200) return "" + round(seconds / 60) + " min";
    return "" + d2s(seconds / 3600, 1) + " h";
}
