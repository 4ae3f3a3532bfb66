// SPDX-License-Identifier: BSD-3-Clause
// Runs each macro of topics, writes its result to a file. Argument: macros' folder|folder for their files|result file.
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
