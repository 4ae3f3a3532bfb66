// SPDX-License-Identifier: BSD-3-Clause
var said = "";
Table.create("Cells");
say("open: " + isOpen("Cells") + " " + isOpen("Results") + ", front " + front("Cells") + ", " + getInfo("window.type"));
for (i = 0; i < 4; i++) {
    Table.set("Number", i, 10 - i);
    Table.set("Name", i, "cell " + i);
}
Table.update;
say("" + Table.headings + " " + Table.size + " " + Table.title);
say(getInfo("window.contents"));
Table.create("Others");
Table.set("Area", 0, 2.5);
Table.set("Area", 1, 3.5);
say("others " + Table.size + ", cells " + Table.size("Cells") + ", " + Table.get("Number", 3, "Cells") + " " + Table.getString("Name", 2, "Cells"));
Table.sort("Number", "Cells");
numbers = Table.getColumn("Number", "Cells");
joined = String.join(numbers);
say("sorted " + joined);
Table.setColumn("Twice", newArray(1, 2, 3, 4), "Cells");
Table.applyMacro("Sum = Number + Twice;", "Cells");
say("" + Table.headings("Cells") + " " + Table.get("Sum", 3, "Cells"));
Table.renameColumn("Sum", "Total", "Cells");
Table.deleteColumn("Twice", "Cells");
Table.deleteRows(0, 1, "Cells");
Table.update("Cells");
say("" + Table.headings("Cells") + " " + Table.size("Cells") + " " + Table.columnExists("Twice", "Cells"));
Table.save(getArgument() + "cells.csv", "Cells");
say(File.openAsString(getArgument() + "cells.csv"));
selectWindow("Cells");
saveAs("Results", getArgument() + "renamed.csv");
say("saved: " + isOpen("Cells") + " " + isOpen("renamed.csv") + " " + File.openAsString(getArgument() + "renamed.csv"));
Table.rename("renamed.csv", "Results");
say("renamed: " + front("Results"));
say("results: " + nResults + ", " + getResult("Number", 0) + " " + isOpen("renamed.csv") + isOpen("Results"));
Table.open(getArgument() + "cells.csv");
say("opened: " + front("cells.csv") + " " + Table.size);
Table.rename("cells.csv", "Back");
Table.setSelection(0, 1, "Back");
say("selected: " + Table.getSelectionStart("Back") + " " + Table.getSelectionEnd("Back"));
Table.showRowNumbers(true);
Table.update;
Table.reset("Back");
say("reset: " + Table.size("Back") + " " + isOpen("Back"));
Array.show("Numbers", newArray(1, 2, 3));
say("array: " + isOpen("Numbers") + " " + Table.size("Numbers") + " " + Table.headings("Numbers"));
titles = getList("window.titles");
Array.sort(titles);
say("windows: " + String.join(titles));
close("Back");
close("Numbers");
close("Results");
selectWindow("Others");
run("Close");
titles = getList("window.titles");
say("left: " + titles.length);
return said;

function say(text) {
    said += text + "\n";
}

// Windows come to the front a moment after they open.
function front(title) {
    for (k = 0; k < 200 && getInfo("window.title") != title; k++)
        wait(20);
    return getInfo("window.title");
}
