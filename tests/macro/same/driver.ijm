// SPDX-License-Identifier: BSD-3-Clause
// Runs each macro of topics and writes what it returns to a file. Argument: the folder of the macros, a folder for their files and the file, with | between.
folders = split(getArgument(), "|");
names = getFileList(folders[0]);
for (i = 0; i < names.length; i++) {
    if (endsWith(names[i], ".ijm")) {
        File.append("== " + names[i], folders[2]);
        File.append(runMacro(folders[0] + "/" + names[i], folders[1] + "/"), folders[2]);
        run("Close All");
        titles = getList("window.titles");
        for (k = 0; k < titles.length; k++)
            close(titles[k]);
    }
}
