// SPDX-License-Identifier: BSD-3-Clause
// Runs a macro on every TIFF image of a folder and continues if one fails. Argument: "MACRO.ijm,FOLDER,RESULTS".
// Without it, ImageJ asks for the macro and the folders.
//   ./dev macro macros/examples/batch.ijm "macros/examples/one_image.ijm,FOLDER,RESULTS"
// The macro gets "IMAGE,RESULTS" as its argument (IMAGE may contain commas). RESULTS/summary.csv gets a row with the
// image's name and the text that the macro returns. Tables that the macro saves as IMAGE_results.csv (IMAGE without its
// extension) are joined in all_results.csv.
// A repeated run skips images that the same macro has processed and that have not changed; RESULTS/done.txt lists them.
// If images fail, summary.csv says why, and an error at the end names them: the exit status is 0 only if all images
// succeeded. No error opens a dialog before that. A macro reports a failure by exit("why"), or returns "failed: why".

var macro_file = "", folder = "", results = "", all_file = "", images = newArray(0), records = newArray(0);

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
if (images.length == 0) exit("batch: " + folder + " has no images with the extension .tif or .tiff");
refuse_same_results();
done_file = results + File.separator + "done.txt";
all_file = results + File.separator + "all_results.csv";
if (File.exists(all_file)) ok = File.delete(all_file);
read_records(done_file);
skipped = 0;
for (i = 0; i < images.length; i++) if (records[i] != "") skipped++;
if (skipped > 0) print(skipped + " of " + images.length + " images are done and have not changed since, with the same macro; to process them again, delete " + done_file);
summary = "image,result\n";
failed = "";
failures = 0;
made = 0;
start = getTime();
for (i = 0; i < images.length; i++) {
    if (records[i] != "") {
        parts = split(records[i], "/");
        summary = summary + cell(images[i]) + "," + cell(substring(parts[3], 1)) + "\n";
        continue;
    }
    left = "";
    if (made > 0) left = ", " + duration((getTime() - start) / made * (images.length - skipped - made)) + " left";
    made++;
    print((i + 1) + " of " + images.length + left + ": " + images[i]);
    showStatus((i + 1) + " of " + images.length + left);
    showProgress(i, images.length);
    key = key_of(images[i]);
    setBatchMode(true); // a macro that failed has left batch mode
    result = call("drua.imagej.QuietMacro.run", macro_file, folder + File.separator + images[i] + "," + results);
    if (result == "[stopped]") exit();
    close_all_but(open_before);
    if (startsWith(result, "failed")) {
        failed = failed + ", " + images[i];
        failures++;
    } else {
        records[i] = key + "=" + replace(result, "[/\n]", " ") + "/" + files_of(images[i]) + ".";
        File.append(records[i], done_file);
    }
    summary = summary + cell(images[i]) + "," + cell(result) + "\n";
    save_whole(summary, results + File.separator + "summary.csv");
}
save_whole(summary, results + File.separator + "summary.csv");
join_tables();
print((images.length - failures) + " of " + images.length + " images done in " + duration(getTime() - start));
if (failures > 0) exit("batch: " + failures + " of " + images.length + " images failed: " + substring(failed, 2) + "; " + results + File.separator + "summary.csv says why");

function images_of(folder) {
    files = getFileList(folder);
    found = newArray(0);
    for (i = 0; i < files.length; i++) {
        if (matches(toLowerCase(files[i]), ".*\\.tiff?")) found = Array.concat(found, files[i]);
    }
    return found;
}

// Refuses images such as a.tif and A.tiff, whose results would be the same files on systems that ignore case.
function refuse_same_results() {
    names = newArray(images.length);
    for (k = 0; k < names.length; k++) names[k] = toLowerCase(File.getNameWithoutExtension(images[k]));
    names = Array.sort(names);
    for (k = 1; k < names.length; k++) {
        if (names[k] == names[k - 1]) exit("batch: " + folder + " has two images called " + names[k] + " whose results would be the same files; rename one");
    }
}

// Quotes any text as one cell of a CSV file.
function cell(text) {
    if (!matches(text, "(?s).*[\",\r\n].*")) return text;
    return "\"" + replace(text, "\"", "\"\"") + "\"";
}

// Identifies an image and the macro by size and time. If this key changes, the image is processed again.
function key_of(image) {
    path = folder + File.separator + image;
    return image + "/" + d2s(File.length(path), 0) + " " + d2s(File.lastModified(path), 0) + "/" + d2s(File.length(macro_file), 0) + " "
        + d2s(File.lastModified(macro_file), 0) + "/";
}

// The files that a macro may have made from an image, each followed by "/".
function files_of(image) {
    list = getFileList(results);
    begin = File.getNameWithoutExtension(image) + "_";
    found = "";
    for (k = 0; k < list.length; k++) {
        if (startsWith(list[k], begin) && indexOf(list[k], ".part.") < 0) found = found + list[k] + "/";
    }
    return found;
}

// Reads the record of each finished image; "" for others. A truncated record does not end in ".".
function read_records(file) {
    records = newArray(images.length);
    lines = newArray(0);
    if (File.exists(file)) lines = split(File.openAsString(file), "\n");
    kept = "";
    for (i = 0; i < images.length; i++) {
        records[i] = "";
        key = key_of(images[i]);
        for (k = 0; k < lines.length; k++) {
            if (startsWith(lines[k], key) && endsWith(lines[k], "/.") && has_files(lines[k])) records[i] = lines[k];
        }
        if (records[i] != "") kept = kept + records[i] + "\n";
    }
    save_whole(kept, file);
}

function has_files(record) {
    parts = split(record, "/");
    for (k = 4; k < parts.length - 1; k++) {
        if (!File.exists(results + File.separator + parts[k])) return false;
    }
    return true;
}

// Writes a file that gets its name only when it is complete.
function save_whole(text, path) {
    File.saveString(text, path + ".part");
    rename_part(path);
}

function rename_part(path) {
    if (File.exists(path)) ok = File.delete(path);
    ok = File.rename(path + ".part", path);
}

// Joins the tables of all finished images; each row begins with the image's name.
function join_tables() {
    count = 0;
    part = all_file + ".part";
    if (File.exists(part)) ok = File.delete(part);
    for (i = 0; i < images.length; i++) {
        table = results + File.separator + File.getNameWithoutExtension(images[i]) + "_results.csv";
        if (records[i] == "" || !File.exists(table)) continue;
        lines = split(File.openAsString(table), "\n");
        if (count == 0) File.append("image," + lines[0], part);
        for (k = 1; k < lines.length; k++) File.append(cell(images[i]) + "," + lines[k], part);
        count++;
    }
    if (count > 0) rename_part(all_file);
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
